import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePagedList } from '#console/app/paged-list.ts';
import { isRecord, isTrueAt, listAt, numberAt, textAt, valueAt } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { Empty, FailureNote } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { When } from '#console/parts/format.ts';
import { shareOfChange, toValueText } from './describe-monitor.ts';

type ChangeTimelineProps = { readonly path: string; readonly lastChange: string };

/** The changes of a monitor, newest first, each as what was and what is. */
export function ChangeTimeline({ path, lastChange }: ChangeTimelineProps): VNode {
  const { rows, isRead, hasMore, failure, readMore, reload } = usePagedList(`${path}/changes`, { pageSize: 20 });
  useEffect(() => {
    if (lastChange !== '') reload();
  }, [lastChange]);
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (rows.length === 0) {
    return isRead
      ? html`<${Empty} title="No change yet.">What differs from the first run stands here, and goes to the webhook.<//>`
      : html`<p class="loading" aria-busy="true">Loading …</p>`;
  }
  return html`<ol class="timeline">
      ${rows.map((change) => html`<li key=${textAt(change, 'id')}><${OneChange} change=${change} /></li>`)}
    </ol>
    ${hasMore ? html`<button type="button" onClick=${readMore}>Older changes</button>` : null}`;
}

type OneChangeProps = { readonly change: unknown };

function OneChange({ change }: OneChangeProps): VNode {
  const content = valueAt(change, 'content');
  const alert = valueAt(change, 'alert');
  const deliveries = listAt(change, 'delivery_ids');
  return html`<header>
      <${When} at=${textAt(change, 'detected_at')} mode="full" />
      <${Badge} word=${textAt(change, 'kind')} tone="busy" />
      ${
        isTrueAt(change, 'notified')
          ? html`<a href=${linkTo(deliveries.length === 1 ? `/webhooks/${String(deliveries[0])}` : '/webhooks')}
              >sent</a
            >`
          : null
      }
    </header>
    ${listAt(change, 'changes').map((one) => html`<${FieldDifference} change=${one} />`)}
    ${isRecord(alert) ? html`<${ParityAlert} alert=${alert} />` : null}
    ${isRecord(content) ? html`<${ContentDifference} content=${content} />` : null}`;
}

function FieldDifference({ change }: OneChangeProps): VNode {
  const [before, after] = [valueAt(change, 'previous_value'), valueAt(change, 'new_value')];
  const isText = typeof before === 'string' && typeof after === 'string';
  const pct = shareOfChange(change);
  const currency = textAt(change, 'currency');
  return html`<p>
    <strong><${Foreign} text=${textAt(change, 'field')} most=${200} /></strong>${' '}
    ${
      isText
        ? html`<${WordDiff} before=${before} after=${after} />`
        : html`<del><${Foreign} text=${toValueText(before, currency)} most=${500} /></del> →${' '}
            <ins><${Foreign} text=${toValueText(after, currency)} most=${500} /></ins>`
    }
    ${pct === '' ? null : html` <span class="faint">${pct}</span>`}
  </p>`;
}

type ParityAlertProps = { readonly alert: unknown };

function ParityAlert({ alert }: ParityAlertProps): VNode {
  return html`<p>
    ${textAt(alert, 'provider_low')} is cheaper than ${textAt(alert, 'provider_high')} by
    <strong> ${numberAt(alert, 'spread', 'abs')?.toLocaleString('en')}</strong>:${' '}
    ${listAt(alert, 'prices')
      .map(
        (one) =>
          `${textAt(one, 'provider')} ${numberAt(one, 'price')?.toLocaleString('en') ?? '–'} ${textAt(one, 'currency')}`,
      )
      .join(', ')}
  </p>`;
}

type ContentDifferenceProps = { readonly content: unknown };

function ContentDifference({ content }: ContentDifferenceProps): VNode {
  const unified = textAt(content, 'unified_diff');
  return html`<p class="faint">
      ${numberAt(content, 'added_lines') ?? 0} lines came, ${numberAt(content, 'removed_lines') ?? 0} lines
      went${isTrueAt(content, 'diff_truncated') ? '; the difference is cut' : ''}
    </p>
    ${unified === '' ? null : html`<${SideDiff} unified=${unified} label="Difference of the text" />`}`;
}

const MAX_COMPARED = 20_000;
const MAX_LINES = 600;

/** A run of text that both have, or only one of them. */
type TextPart = { readonly value: string; readonly added?: boolean; readonly removed?: boolean };

type WordDiffProps = { readonly before: string; readonly after: string };

/** Two texts in one: words that went are struck, words that came are marked. */
function WordDiff({ before, after }: WordDiffProps): VNode {
  const [parts, setParts] = useState<readonly TextPart[] | null>(null);
  const isLong = before.length + after.length > MAX_COMPARED;
  useEffect(() => {
    if (isLong) return undefined;
    const leaving = new AbortController();
    async function compare({ signal }: AbortController): Promise<void> {
      const { diffWordsWithSpace } = await import('diff');
      if (!signal.aborted) setParts(diffWordsWithSpace(before, after));
    }
    void compare(leaving);
    return () => leaving.abort();
  }, [before, after, isLong]);
  if (parts === null) {
    return html`<span class="diff"
      ><del><${Foreign} text=${before} /></del> <ins><${Foreign} text=${after} /></ins
    ></span>`;
  }
  return html`<bdi class="diff foreign">${parts.map(toPart)}</bdi>`;
}

function toPart({ value, added, removed }: TextPart): VNode | string {
  if (added === true) return html`<ins>${value}</ins>`;
  return removed === true ? html`<del>${value}</del>` : value;
}

/** A line of both sides of a unified diff; null where a side has none. */
type SideRow = { readonly left: string | null; readonly right: string | null; readonly isSame: boolean };

type SideDiffProps = { readonly unified: string; readonly label: string };

/** A unified diff side by side. */
function SideDiff({ unified, label }: SideDiffProps): VNode {
  const rows = toSides(unified);
  return html`<div class="side-diff" role="region" aria-label=${label} tabIndex=${0}>
    <table>
      <thead>
        <tr>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        ${rows.slice(0, MAX_LINES).map(
          ({ left, right, isSame }) =>
            html`<tr>
              <td class=${isSame || left === null ? '' : 'gone'}><bdi>${left ?? ''}</bdi></td>
              <td class=${isSame || right === null ? '' : 'come'}><bdi>${right ?? ''}</bdi></td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${rows.length > MAX_LINES ? html`<p class="faint">${rows.length - MAX_LINES} more lines</p>` : null}
  </div>`;
}

/** The rows of a unified diff: removed lines stand beside the added ones that follow them. */
function toSides(unified: string): readonly SideRow[] {
  const rows: SideRow[] = [];
  let [gone, come]: [string[], string[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(gone.length, come.length); at += 1)
      rows.push({ left: gone[at] ?? null, right: come[at] ?? null, isSame: false });
    [gone, come] = [[], []];
  };
  for (const line of unified.split('\n')) {
    if (/^(?:---|\+\+\+|\\)/.test(line)) continue;
    if (line.startsWith('-')) gone.push(line.slice(1));
    else if (line.startsWith('+')) come.push(line.slice(1));
    else {
      flush();
      const text = line.startsWith('@@') ? '…' : line.slice(1);
      rows.push({ left: text, right: text, isSame: true });
    }
  }
  flush();
  return rows;
}
