import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { useLiveList } from '#console/app/live-list.ts';
import { numberAt } from '#console/app/reading.ts';
import type { ViewProps } from '#console/app/router.ts';
import { Confirm } from '#console/parts/dialog.ts';
import { notify } from '#console/parts/toast.ts';
import { DeliveryTable } from './deliveries.ts';
import { WebhookEndpoints } from './endpoints.ts';

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
