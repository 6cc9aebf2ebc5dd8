import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { useLiveList } from '#console/app/paged-list.ts';
import { isTrueAt, listAt, numberAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, type ViewProps } from '#console/app/router.ts';
import { CodeBlock } from '#console/parts/code-block.ts';
import { Confirm, Dialog } from '#console/parts/dialog.ts';
import { Empty, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { When } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { DeliveryTable } from './deliveries.ts';

/** Where events are sent, what was delivered, and what was given up. */
export function WebhookList({ query }: ViewProps): VNode {
  const { status = '', monitor_id = '', job_id = '' } = query;
  const [isAsking, setAsking] = useState(false);
  const list = useLiveList('/v1/deliveries', { status, monitor_id, job_id });
  const owner = monitor_id !== '' ? { monitor_id } : job_id !== '' ? { job_id } : {};

  async function redeliverAll(): Promise<void> {
    const answer = await call('POST', '/v1/deliveries/redeliver', { body: owner });
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    const [sent, left] = [numberAt(answer.body, 'redelivered') ?? 0, numberAt(answer.body, 'left') ?? 0];
    notify(`${sent} will be sent again${left > 0 ? `, ${left} are left: do it once more` : ''}.`, 'good');
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
        ? html`<${Confirm}
            title="Send again?"
            verb="Send again"
            onConfirm=${() => void redeliverAll()}
            onClose=${() => setAsking(false)}
          >
            <p>
              All deliveries of the last 30 days that were given
              up${monitor_id + job_id === '' ? '' : ' of this webhook'} are sent once more, with the id that they had.
            </p>
          <//>`
        : null
    }
  </div>`;
}

const OFTEN_MS = 5000;

/** The URLs that events are sent to, with what can be done about those of monitors. */
function WebhookEndpoints(): VNode {
  const webhooks = useResource('/v1/webhooks', { query: { limit: 100 }, everyMs: OFTEN_MS });
  return html`<section aria-labelledby="endpoints">
    <h2 id="endpoints">Endpoints</h2>
    <${ResourceView} of=${webhooks}>
      ${(body: unknown) =>
        listAt(body, 'data').length === 0
          ? html`<${Empty} title="No monitor or job has a webhook.">
              <a href=${linkTo('/monitors/new')}>Watch a value</a> and have its changes sent to your server, signed.
            <//>`
          : html`<${DataTable}
              label="Endpoints"
              columns=${COLUMNS}
              rows=${listAt(body, 'data')}
              keyOf=${(one: unknown) => textAt(one, 'owner_id')}
            />`}
    <//>
  </section>`;
}

const COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Of',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => {
      const monitor = textAt(one, 'monitor_id');
      const name = textAt(one, 'name') || textAt(one, 'owner_id');
      return html`<a href=${linkTo(monitor === '' ? `/jobs/${textAt(one, 'job_id')}` : `/monitors/${monitor}`)}
        ><${Foreign} text=${name} most=${100}
      /></a>`;
    },
  },
  {
    title: 'URL',
    width: 'minmax(12rem, 3fr)',
    cell: (one) => html`<${Foreign} text=${textAt(one, 'url')} most=${200} />`,
  },
  {
    title: 'State',
    width: '8rem',
    cell: (one) => {
      const status = textAt(one, 'status');
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
      const id = textAt(one, 'last_delivery', 'id');
      return id === ''
        ? '–'
        : html`<a href=${linkTo(`/webhooks/${id}`)}><${When} at=${textAt(one, 'last_delivery', 'created_at')} /></a>`;
    },
  },
  { title: 'Do', width: '20rem', cell: (one) => html`<${EndpointActions} webhook=${one} />` },
];

type EndpointActionsProps = { readonly webhook: unknown };

function EndpointActions({ webhook }: EndpointActionsProps): VNode {
  const monitor = textAt(webhook, 'monitor_id');
  const [isAsking, setAsking] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  if (monitor === '') return html`<span class="faint">sent once, at the end of the job</span>`;
  const path = `/v1/monitors/${encodeURIComponent(monitor)}/webhook`;

  async function test(): Promise<void> {
    setBusy(true);
    const answer = await call('POST', `${path}/test`);
    setBusy(false);
    notify(
      answer.ok ? 'A test event is on its way: see Deliveries.' : answer.failure.message,
      answer.ok ? 'good' : 'bad',
    );
  }
  async function rotate(): Promise<void> {
    const answer = await call('POST', `${path}/rotate-secret`, { body: {} });
    if (answer.ok) setSecret(textAt(answer.body, 'webhook', 'secret'));
    else notify(answer.failure.message, 'bad');
  }
  const what = textAt(webhook, 'name') || monitor;
  const secretVerb = isTrueAt(webhook, 'secret_set') ? 'Rotate secret' : 'Make a secret';
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
        ? html`<${Confirm}
            title="A new secret?"
            verb="Rotate"
            onConfirm=${() => void rotate()}
            onClose=${() => setAsking(false)}
          >
            <p>Events are signed with the new secret too from now on; the old one holds for 24 hours more.</p>
          <//>`
        : null
    }
    ${
      secret === null
        ? null
        : html`<${Dialog} title="The new secret" onClose=${() => setSecret(null)}>
            <p>It is shown this once.</p>
            <${CodeBlock} text=${secret} label="Secret" isWrapped />
          <//>`
    }
  </span>`;
}
