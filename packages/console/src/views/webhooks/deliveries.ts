import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { PagedList } from '#console/app/paged-list.ts';
import { getList, getNumber, getText } from '#console/app/json.ts';
import { goTo, linkTo, replaceQuery } from '#console/app/router.ts';
import { SelectField } from '#console/parts/controls.ts';
import { EmptyState, FailureNote } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Timestamp } from '#console/parts/format.ts';

const STATUSES = [
  ['', 'any'],
  ['pending', 'waiting'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed, will be retried'],
  ['exhausted', 'gave up'],
  ['suspended', 'suspended'],
  ['cancelled', 'cancelled'],
] as const;

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '9rem', cell: (one) => html`<${Timestamp} at=${getText(one, 'created_at')} />` },
  {
    title: 'Event',
    width: 'minmax(11rem, 2fr)',
    cell: (one) => html`<a href=${linkTo(`/webhooks/${getText(one, 'id')}`)}>${getText(one, 'type')}</a>`,
  },
  {
    title: 'To',
    width: 'minmax(12rem, 3fr)',
    cell: (one) => html`<${UntrustedText} text=${getText(one, 'url')} maxLength=${200} />`,
  },
  { title: 'State', width: '8rem', cell: (one) => html`<${DeliveryBadge} status=${getText(one, 'status')} />` },
  {
    title: 'Answer',
    width: '8rem',
    cell: (one) => {
      const last = getList(one, 'attempts').at(-1);
      return String(getNumber(last, 'status_code') ?? (getText(last, 'error') || '–'));
    },
  },
  {
    title: 'Next attempt',
    width: '9rem',
    cell: (one) => html`<${Timestamp} at=${getText(one, 'next_attempt_at')} />`,
  },
];

type DeliveryBadgeProps = { readonly status: string };

/** The state of a delivery as a coloured badge. */
export function DeliveryBadge({ status }: DeliveryBadgeProps): VNode {
  const isBad = status === 'exhausted' || status === 'suspended';
  return html`<${Badge}
    word=${status === 'exhausted' ? 'gave up' : status}
    tone=${status === 'succeeded' ? 'good' : isBad ? 'bad' : status === 'failed' ? 'warn' : 'calm'}
  />`;
}

type DeliveryTableProps = { readonly query: Readonly<Record<string, string>>; readonly list: PagedList };

/** The deliveries of all webhooks or of one, newest first. */
export function DeliveryTable({ query, list }: DeliveryTableProps): VNode {
  const { status = '', monitor_id = '', job_id = '' } = query;
  const { rows, isLoaded, failure, loadMore, reload } = list;
  return html`<section aria-labelledby="deliveries">
    <h2 id="deliveries">Deliveries</h2>
    <div class="toolbar">
      <${SelectField}
        label="State"
        value=${status}
        options=${STATUSES}
        onChoose=${(word: string) => replaceQuery({ ...query, status: word || undefined })}
      />
      ${
        monitor_id + job_id === ''
          ? null
          : html`<span>for <code>${monitor_id || job_id}</code></span>
              <button type="button" class="small" onClick=${() => replaceQuery({ status: status || undefined })}>
                Show all
              </button>`
      }
    </div>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${
      rows.length > 0
        ? html`<${DataTable}
            label="Deliveries"
            columns=${COLUMNS}
            rows=${rows}
            rowKey=${(one: unknown) => getText(one, 'id')}
            onOpen=${(one: unknown) => goTo(`/webhooks/${getText(one, 'id')}`)}
            onEnd=${loadMore}
          />`
        : isLoaded
          ? html`<${EmptyState} title=${status === '' ? 'Nothing has been sent yet.' : 'No delivery is in this state.'}>
              Events are sent when a job ends or a monitor finds a change. Set <code>webhook</code> on the job or
              monitor.
            <//>`
          : null
    }
  </section>`;
}
