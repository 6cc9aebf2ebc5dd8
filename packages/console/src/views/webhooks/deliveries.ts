import { html } from 'htm/preact';
import type { VNode } from 'preact';
import type { PagedList } from '#console/app/paged-list.ts';
import { listAt, numberAt, textAt } from '#console/app/json.ts';
import { goTo, linkTo, replaceQuery } from '#console/app/router.ts';
import { SelectField } from '#console/parts/controls.ts';
import { Empty, FailureNote } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { When } from '#console/parts/format.ts';

const STATUSES = [
  ['', 'any'],
  ['pending', 'waiting'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed, to be tried again'],
  ['exhausted', 'given up'],
  ['suspended', 'suspended'],
  ['cancelled', 'cancelled'],
] as const;

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '9rem', cell: (one) => html`<${When} at=${textAt(one, 'created_at')} />` },
  {
    title: 'Event',
    width: 'minmax(11rem, 2fr)',
    cell: (one) => html`<a href=${linkTo(`/webhooks/${textAt(one, 'id')}`)}>${textAt(one, 'type')}</a>`,
  },
  {
    title: 'To',
    width: 'minmax(12rem, 3fr)',
    cell: (one) => html`<${Foreign} text=${textAt(one, 'url')} most=${200} />`,
  },
  { title: 'State', width: '8rem', cell: (one) => html`<${DeliveryBadge} status=${textAt(one, 'status')} />` },
  {
    title: 'Answer',
    width: '8rem',
    cell: (one) => {
      const last = listAt(one, 'attempts').at(-1);
      return String(numberAt(last, 'status_code') ?? (textAt(last, 'error') || '–'));
    },
  },
  {
    title: 'Next attempt',
    width: '9rem',
    cell: (one) => html`<${When} at=${textAt(one, 'next_attempt_at')} />`,
  },
];

type DeliveryBadgeProps = { readonly status: string };

/** The state of a delivery in its colour. */
export function DeliveryBadge({ status }: DeliveryBadgeProps): VNode {
  const isBad = status === 'exhausted' || status === 'suspended';
  return html`<${Badge}
    word=${status === 'exhausted' ? 'given up' : status}
    tone=${status === 'succeeded' ? 'good' : isBad ? 'bad' : status === 'failed' ? 'warn' : 'calm'}
  />`;
}

type DeliveryTableProps = { readonly query: Readonly<Record<string, string>>; readonly list: PagedList };

/** What was sent, newest first, of all webhooks or of one. */
export function DeliveryTable({ query, list }: DeliveryTableProps): VNode {
  const { status = '', monitor_id = '', job_id = '' } = query;
  const { rows, isRead, failure, readMore, reload } = list;
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
          : html`<span>of <code>${monitor_id || job_id}</code></span>
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
            keyOf=${(one: unknown) => textAt(one, 'id')}
            onOpen=${(one: unknown) => goTo(`/webhooks/${textAt(one, 'id')}`)}
            onEnd=${readMore}
          />`
        : isRead
          ? html`<${Empty} title=${status === '' ? 'Nothing was sent yet.' : 'No delivery is in this state.'}>
              Events are sent when a job ends or a monitor finds a change: give either one a
              <code> webhook</code>.
            <//>`
          : null
    }
  </section>`;
}
