import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callApi } from '#console/app/api.ts';
import { useLiveList } from '#console/app/paged-list.ts';
import { isTrue, getList, getNumber, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, type ViewProps } from '#console/app/router.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { ConfirmDialog, Dialog } from '#console/parts/dialog.ts';
import { EmptyState, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Timestamp } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { DeliveryTable } from './deliveries.ts';

/** The endpoints that receive events, and the deliveries. */
export function WebhookList({ query }: ViewProps): VNode {
  const { status = '', monitor_id = '', job_id = '' } = query;
  const [isAsking, setAsking] = useState(false);
  const list = useLiveList('/v1/deliveries', { status, monitor_id, job_id });
  const owner = monitor_id !== '' ? { monitor_id } : job_id !== '' ? { job_id } : {};

  async function redeliverAll(): Promise<void> {
    const answer = await callApi('POST', '/v1/deliveries/redeliver', { body: owner });
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    const [sent, left] = [getNumber(answer.body, 'redelivered') ?? 0, getNumber(answer.body, 'left') ?? 0];
    notify(`Retrying ${sent} deliveries${left > 0 ? `; ${left} remain: retry again` : ''}.`, 'good');
    list.reload();
  }

  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Webhooks</h1>
      <button type="button" onClick=${() => setAsking(true)}>Retry all failed</button>
    </div>
    <${WebhookEndpoints} />
    <${DeliveryTable} query=${query} list=${list} />
    ${
      isAsking
        ? html`<${ConfirmDialog}
            title="Retry all failed?"
            verb="Retry"
            onConfirm=${() => void redeliverAll()}
            onClose=${() => setAsking(false)}
          >
            <p>
              All deliveries${monitor_id + job_id === '' ? '' : ' of this webhook'} that failed for good in the last 30
              days are sent again, with the same event ids.
            </p>
          <//>`
        : null
    }
  </div>`;
}

const OFTEN_MS = 5000;

/** The URLs that events are sent to, with actions for the webhooks of monitors. */
function WebhookEndpoints(): VNode {
  const webhooks = useResource('/v1/webhooks', { query: { limit: 100 }, refreshMs: OFTEN_MS });
  return html`<section aria-labelledby="endpoints">
    <h2 id="endpoints">Endpoints</h2>
    <${ResourceView} resource=${webhooks}>
      ${(body: unknown) =>
        getList(body, 'data').length === 0
          ? html`<${EmptyState} title="No monitor or job has a webhook.">
              <a href=${linkTo('/monitors/new')}>Watch a value</a> and have its changes sent to your server, signed.
            <//>`
          : html`<${DataTable}
              label="Endpoints"
              columns=${COLUMNS}
              rows=${getList(body, 'data')}
              rowKey=${(one: unknown) => getText(one, 'owner_id')}
            />`}
    <//>
  </section>`;
}

const COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Source',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => {
      const monitor = getText(one, 'monitor_id');
      const name = getText(one, 'name') || getText(one, 'owner_id');
      return html`<a href=${linkTo(monitor === '' ? `/jobs/${getText(one, 'job_id')}` : `/monitors/${monitor}`)}
        ><${UntrustedText} text=${name} maxLength=${100}
      /></a>`;
    },
  },
  {
    title: 'URL',
    width: 'minmax(12rem, 3fr)',
    cell: (one) => html`<${UntrustedText} text=${getText(one, 'url')} maxLength=${200} />`,
  },
  {
    title: 'State',
    width: '8rem',
    cell: (one) => {
      const status = getText(one, 'status');
      return html`<${Badge}
        word=${status}
        tone=${status === 'active' ? 'good' : status === 'failing' ? 'warn' : 'bad'}
      />`;
    },
  },
  {
    title: 'Last delivery',
    width: '9rem',
    cell: (one) => {
      const id = getText(one, 'last_delivery', 'id');
      return id === ''
        ? '–'
        : html`<a href=${linkTo(`/webhooks/${id}`)}
            ><${Timestamp} at=${getText(one, 'last_delivery', 'created_at')}
          /></a>`;
    },
  },
  { title: 'Actions', width: '20rem', cell: (one) => html`<${EndpointActions} webhook=${one} />` },
];

type EndpointActionsProps = { readonly webhook: unknown };

function EndpointActions({ webhook }: EndpointActionsProps): VNode {
  const monitor = getText(webhook, 'monitor_id');
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (monitor === '') return html`<span class="faint">sent once, when the job ends</span>`;
  const path = `/v1/monitors/${encodeURIComponent(monitor)}/webhook`;

  async function test(): Promise<void> {
    setBusy(true);
    const answer = await callApi('POST', `${path}/test`);
    setBusy(false);
    notify(answer.ok ? 'Test event sent: see Deliveries.' : answer.failure.message, answer.ok ? 'good' : 'bad');
  }
  async function rotate(): Promise<void> {
    const answer = await callApi('POST', `${path}/rotate-secret`, { body: {} });
    if (answer.ok) setSecret(getText(answer.body, 'webhook', 'secret'));
    else notify(answer.failure.message, 'bad');
  }
  const what = getText(webhook, 'name') || monitor;
  const secretVerb = isTrue(webhook, 'secret_set') ? 'Rotate secret' : 'Create secret';
  return html`<span class="actions">
    <button type="button" class="small" disabled=${isBusy} aria-label=${`Test ${what}`} onClick=${() => void test()}>
      Test
    </button>
    <button type="button" class="small" aria-label=${`${secretVerb} of ${what}`} onClick=${() => setAsking(true)}>
      ${secretVerb}
    </button>
    <a class="button small" href=${linkTo('/webhooks', { monitor_id: monitor })} aria-label=${`Deliveries of ${what}`}
      >Deliveries</a
    >
    ${
      isAsking
        ? html`<${ConfirmDialog}
            title="Create a new secret?"
            verb="Create"
            onConfirm=${() => void rotate()}
            onClose=${() => setAsking(false)}
          >
            <p>Events will be signed with both secrets; the old one expires after 24 hours.</p>
          <//>`
        : null
    }
    ${
      secret === null
        ? null
        : html`<${Dialog} title="New secret" onClose=${() => setSecret(null)}>
            <p>It is not shown again: copy it now.</p>
            <${CodeBlock} text=${secret} label="Secret" isWrapped />
          <//>`
    }
  </span>`;
}
