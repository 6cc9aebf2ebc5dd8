import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect } from 'preact/hooks';
import { usePagedList } from '#console/app/paged-list.ts';
import { isRecord, isTrueAt, listAt, numberAt, textAt, valueAt } from '#console/app/reading.ts';
import { linkTo } from '#console/app/router.ts';
import { SideDiff, WordDiff } from '#console/parts/diff.ts';
import { Empty } from '#console/parts/empty.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge } from '#console/parts/status.ts';
import { When } from '#console/parts/time.ts';
import { shareOfChange, toValueText } from './monitor-words.ts';

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
