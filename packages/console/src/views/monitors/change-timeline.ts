import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePagedList } from '#console/app/paged-list.ts';
import { isRecord, isTrue, getList, getNumber, getText, getValue } from '#console/app/json.ts';
import { linkTo } from '#console/app/router.ts';
import { EmptyState, FailureNote } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { Timestamp } from '#console/parts/format.ts';
import { formatChangeShare, formatValue } from './describe-monitor.ts';

type ChangeTimelineProps = { readonly path: string; readonly lastChange: string };

/** The changes of a monitor, newest first, with the previous and the new value. */
export function ChangeTimeline({ path, lastChange }: ChangeTimelineProps): VNode {
  const { rows, isLoaded, hasMore, failure, loadMore, reload } = usePagedList(`${path}/changes`, { pageSize: 20 });
  useEffect(() => {
    if (lastChange !== '') reload();
  }, [lastChange]);
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (rows.length === 0) {
    return isLoaded
      ? html`<${EmptyState} title="No change yet."
          >Differences from the first run appear here and are sent to the webhook.<//
        >`
      : html`<p class="loading" aria-busy="true">Loading …</p>`;
  }
  return html`<ol class="timeline">
      ${rows.map((change) => html`<li key=${getText(change, 'id')}><${ChangeItem} change=${change} /></li>`)}
    </ol>
    ${hasMore ? html`<button type="button" onClick=${loadMore}>Older changes</button>` : null}`;
}

type ChangeItemProps = { readonly change: unknown };

function ChangeItem({ change }: ChangeItemProps): VNode {
  const content = getValue(change, 'content');
  const alert = getValue(change, 'alert');
  const deliveries = getList(change, 'delivery_ids');
  return html`<header>
      <${Timestamp} at=${getText(change, 'detected_at')} mode="full" />
      <${Badge} word=${getText(change, 'kind')} tone="busy" />
      ${
        isTrue(change, 'notified')
          ? html`<a href=${linkTo(deliveries.length === 1 ? `/webhooks/${String(deliveries[0])}` : '/webhooks')}
              >sent</a
            >`
          : null
      }
    </header>
    ${getList(change, 'changes').map((one) => html`<${FieldDifference} change=${one} />`)}
    ${isRecord(alert) ? html`<${ParityAlert} alert=${alert} />` : null}
    ${isRecord(content) ? html`<${ContentDifference} content=${content} />` : null}`;
}

function FieldDifference({ change }: ChangeItemProps): VNode {
  const [before, after] = [getValue(change, 'previous_value'), getValue(change, 'new_value')];
  const isText = typeof before === 'string' && typeof after === 'string';
  const pct = formatChangeShare(change);
  const currency = getText(change, 'currency');
  return html`<p>
    <strong><${UntrustedText} text=${getText(change, 'field')} maxLength=${200} /></strong>${' '}
    ${
      isText
        ? html`<${WordDiff} before=${before} after=${after} />`
        : html`<del><${UntrustedText} text=${formatValue(before, currency)} maxLength=${500} /></del> →${' '}
            <ins><${UntrustedText} text=${formatValue(after, currency)} maxLength=${500} /></ins>`
    }
    ${pct === '' ? null : html` <span class="faint">${pct}</span>`}
  </p>`;
}

type ParityAlertProps = { readonly alert: unknown };

function ParityAlert({ alert }: ParityAlertProps): VNode {
  return html`<p>
    ${getText(alert, 'provider_low')} is cheaper than ${getText(alert, 'provider_high')} by
    <strong> ${getNumber(alert, 'spread', 'abs')?.toLocaleString('en')}</strong>:${' '}
    ${getList(alert, 'prices')
      .map(
        (one) =>
          `${getText(one, 'provider')} ${getNumber(one, 'price')?.toLocaleString('en') ?? '–'} ${getText(one, 'currency')}`,
      )
      .join(', ')}
  </p>`;
}

function formatLines(count: number): string {
  return count === 1 ? '1 line' : `${count} lines`;
}

type ContentDifferenceProps = { readonly content: unknown };

function ContentDifference({ content }: ContentDifferenceProps): VNode {
  const unified = getText(content, 'unified_diff');
  return html`<p class="faint">
      ${formatLines(getNumber(content, 'added_lines') ?? 0)} added,${' '} ${getNumber(content, 'removed_lines') ?? 0}
      removed${isTrue(content, 'diff_truncated') ? '; the difference is truncated' : ''}
    </p>
    ${unified === '' ? null : html`<${SideDiff} unified=${unified} label="Difference of the text" />`}`;
}

const MAX_COMPARED_LENGTH = 20_000;
const MAX_LINES = 600;

/** A piece of text that both versions have, or only one of them. */
type TextPart = { readonly value: string; readonly added?: boolean; readonly removed?: boolean };

type WordDiffProps = { readonly before: string; readonly after: string };

/** Shows two texts as one: removed words are struck through, added words are marked. */
function WordDiff({ before, after }: WordDiffProps): VNode {
  const [parts, setParts] = useState<readonly TextPart[] | null>(null);
  const isLong = before.length + after.length > MAX_COMPARED_LENGTH;
  useEffect(() => {
    if (isLong) return undefined;
    const controller = new AbortController();
    async function compare({ signal }: AbortController): Promise<void> {
      const { diffWordsWithSpace } = await import('diff');
      if (!signal.aborted) setParts(diffWordsWithSpace(before, after));
    }
    void compare(controller);
    return () => controller.abort();
  }, [before, after, isLong]);
  if (parts === null) {
    return html`<span class="diff"
      ><del><${UntrustedText} text=${before} /></del> <ins><${UntrustedText} text=${after} /></ins
    ></span>`;
  }
  return html`<bdi class="diff foreign">${parts.map(renderPart)}</bdi>`;
}

function renderPart({ value, added, removed }: TextPart): VNode | string {
  if (added === true) return html`<ins>${value}</ins>`;
  return removed === true ? html`<del>${value}</del>` : value;
}

/** A row of a side-by-side diff; null if a side has no line. */
type SideRow = { readonly left: string | null; readonly right: string | null; readonly isSame: boolean };

type SideDiffProps = { readonly unified: string; readonly label: string };

/** Shows a unified diff side by side. */
function SideDiff({ unified, label }: SideDiffProps): VNode {
  const rows = alignSides(unified);
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

/** Splits a unified diff into rows. Removed lines are paired with the added lines that follow them. */
function alignSides(unified: string): readonly SideRow[] {
  const rows: SideRow[] = [];
  let [removedLines, addedLines]: [string[], string[]] = [[], []];
  const flush = (): void => {
    for (let at = 0; at < Math.max(removedLines.length, addedLines.length); at += 1)
      rows.push({ left: removedLines[at] ?? null, right: addedLines[at] ?? null, isSame: false });
    [removedLines, addedLines] = [[], []];
  };
  for (const line of unified.split('\n')) {
    if (/^(?:---|\+\+\+|\\)/.test(line)) continue;
    if (line.startsWith('-')) removedLines.push(line.slice(1));
    else if (line.startsWith('+')) addedLines.push(line.slice(1));
    else {
      flush();
      const text = line.startsWith('@@') ? '…' : line.slice(1);
      rows.push({ left: text, right: text, isSame: true });
    }
  }
  flush();
  return rows;
}
