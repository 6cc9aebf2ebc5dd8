import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { isTrueAt, listAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo } from '#console/app/router.ts';
import { CodeBlock } from '#console/parts/copy.ts';
import { Confirm, Dialog } from '#console/parts/dialog.ts';
import { Empty } from '#console/parts/empty.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { When } from '#console/parts/time.ts';
import { notify } from '#console/parts/toast.ts';

const OFTEN_MS = 5000;

/** The URLs that events are sent to, with what can be done about those of monitors. */
export function WebhookEndpoints(): VNode {
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
