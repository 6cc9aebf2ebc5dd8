import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { callApi } from '#console/app/api.ts';
import { getList, getNumber, parseJson, getRecord, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, type ViewProps } from '#console/app/router.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { ResourceView } from '#console/parts/view-states.ts';
import { Badge } from '#console/parts/status.ts';
import { formatDuration, Timestamp } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { DeliveryBadge } from './deliveries.ts';

const OFTEN_MS = 5000;
/** Statuses after which there is no further automatic attempt. */
const FINAL_STATUSES = ['succeeded', 'exhausted', 'cancelled'];

/** One delivery: the request that was sent, the response of each attempt, and the time of the next attempt. */
export function DeliveryView({ params }: ViewProps): VNode {
  const path = `/v1/deliveries/${encodeURIComponent(params['id'] ?? '')}`;
  const delivery = useResource(path, { refreshMs: OFTEN_MS });

  async function redeliver(): Promise<void> {
    const answer = await callApi('POST', `${path}/redeliver`);
    notify(answer.ok ? 'Sending again.' : answer.failure.message, answer.ok ? 'good' : 'bad');
    delivery.reload();
  }

  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Delivery</h1>
      <button type="button" onClick=${() => void redeliver()}>Send again</button>
    </div>
    <${ResourceView} resource=${delivery}>${(body: unknown) => html`<${DeliveryBody} delivery=${body} />`}<//>
  </div>`;
}

type DeliveryBodyProps = { readonly delivery: unknown };

function DeliveryBody({ delivery }: DeliveryBodyProps): VNode {
  const [monitor, job] = [getText(delivery, 'monitor_id'), getText(delivery, 'job_id')];
  const [status, next] = [getText(delivery, 'status'), getText(delivery, 'next_attempt_at')];
  const sent = getRecord(delivery, 'request');
  const body = getText(sent, 'body');
  return html`<dl class="facts-list">
      <div>
        <dt>Event</dt>
        <dd><code>${getText(delivery, 'type')}</code> <code class="faint">${getText(delivery, 'event_id')}</code></dd>
      </div>
      <div>
        <dt>Source</dt>
        <dd>
          ${monitor === '' ? html`<a href=${linkTo(`/jobs/${job}`)}>${job}</a>` : html`<a href=${linkTo(`/monitors/${monitor}`)}>${monitor}</a>`}
        </dd>
      </div>
      <div>
        <dt>To</dt>
        <dd><${UntrustedText} text=${getText(delivery, 'url')} maxLength=${2000} /></dd>
      </div>
      <div>
        <dt>State</dt>
        <dd>
          <${DeliveryBadge} status=${status} />
          ${FINAL_STATUSES.includes(status) || next === '' ? null : html`· next attempt <${Timestamp} at=${next} />`}
        </dd>
      </div>
    </dl>
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      ${
        getList(delivery, 'attempts').length === 0
          ? html`<p>None yet.</p>`
          : html`<ol class="lines">
              ${getList(delivery, 'attempts').map((one) => html`<${DeliveryAttempt} attempt=${one} />`)}
            </ol>`
      }
    </section>
    ${
      body === ''
        ? null
        : html`<section aria-labelledby="sent">
            <h2 id="sent">Request</h2>
            <table class="plain">
              <tbody>
                ${Object.entries(getRecord(sent, 'headers')).map(
                  ([name, value]) =>
                    html`<tr>
                      <th scope="row"><code>${name}</code></th>
                      <td><${UntrustedText} text=${String(value)} maxLength=${500} /></td>
                    </tr>`,
                )}
              </tbody>
            </table>
            <${JsonTree} label="Body" value=${parseJson(body) ?? body} />
          </section>`
    }`;
}

type DeliveryAttemptProps = { readonly attempt: unknown };

function DeliveryAttempt({ attempt }: DeliveryAttemptProps): VNode {
  const code = getNumber(attempt, 'status_code');
  const isGood = code !== null && code >= 200 && code < 300;
  const excerpt = getText(attempt, 'response_excerpt');
  return html`<li>
    <${Badge}
      word=${code === null ? getText(attempt, 'error') || 'no response' : String(code)}
      tone=${isGood ? 'good' : 'bad'}
    />
    <${Timestamp} at=${getText(attempt, 'at')} mode="full" />
    <span class="faint">${formatDuration(getNumber(attempt, 'duration_ms') ?? 0)}</span>
    ${excerpt === '' ? null : html`<pre class="foreign">${excerpt}</pre>`}
  </li>`;
}
