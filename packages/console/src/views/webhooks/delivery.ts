import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { call } from '#console/app/api.ts';
import { listAt, numberAt, jsonIn, recordAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { linkTo, type ViewProps } from '#console/app/router.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { ResourceView } from '#console/parts/view-states.ts';
import { Badge } from '#console/parts/status.ts';
import { toDuration, When } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { DeliveryBadge } from './deliveries.ts';

const OFTEN_MS = 5000;
/** Statuses after which nothing more happens by itself. */
const ENDED = ['succeeded', 'exhausted', 'cancelled'];

/** One delivery: what was sent, what was answered each time, and when it is tried next. */
export function DeliveryView({ params }: ViewProps): VNode {
  const path = `/v1/deliveries/${encodeURIComponent(params['id'] ?? '')}`;
  const delivery = useResource(path, { everyMs: OFTEN_MS });

  async function redeliver(): Promise<void> {
    const answer = await call('POST', `${path}/redeliver`);
    notify(answer.ok ? 'It is sent again.' : answer.failure.message, answer.ok ? 'good' : 'bad');
    delivery.reload();
  }

  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Delivery</h1>
      <button type="button" onClick=${() => void redeliver()}>Send again</button>
    </div>
    <${ResourceView} of=${delivery}>${(body: unknown) => html`<${DeliveryBody} delivery=${body} />`}<//>
  </div>`;
}

type DeliveryBodyProps = { readonly delivery: unknown };

function DeliveryBody({ delivery }: DeliveryBodyProps): VNode {
  const [monitor, job] = [textAt(delivery, 'monitor_id'), textAt(delivery, 'job_id')];
  const [status, next] = [textAt(delivery, 'status'), textAt(delivery, 'next_attempt_at')];
  const sent = recordAt(delivery, 'request');
  const body = textAt(sent, 'body');
  return html`<dl class="facts-list">
      <div>
        <dt>Event</dt>
        <dd><code>${textAt(delivery, 'type')}</code> <code class="faint">${textAt(delivery, 'event_id')}</code></dd>
      </div>
      <div>
        <dt>Of</dt>
        <dd>
          ${monitor === '' ? html`<a href=${linkTo(`/jobs/${job}`)}>${job}</a>` : html`<a href=${linkTo(`/monitors/${monitor}`)}>${monitor}</a>`}
        </dd>
      </div>
      <div>
        <dt>To</dt>
        <dd><${Foreign} text=${textAt(delivery, 'url')} most=${2000} /></dd>
      </div>
      <div>
        <dt>State</dt>
        <dd>
          <${DeliveryBadge} status=${status} />
          ${ENDED.includes(status) || next === '' ? null : html`· next attempt <${When} at=${next} />`}
        </dd>
      </div>
    </dl>
    <section aria-labelledby="attempts">
      <h2 id="attempts">Attempts</h2>
      ${
        listAt(delivery, 'attempts').length === 0
          ? html`<p>None yet.</p>`
          : html`<ol class="lines">
              ${listAt(delivery, 'attempts').map((one) => html`<${DeliveryAttempt} attempt=${one} />`)}
            </ol>`
      }
    </section>
    ${
      body === ''
        ? null
        : html`<section aria-labelledby="sent">
            <h2 id="sent">What was sent</h2>
            <table class="plain">
              <tbody>
                ${Object.entries(recordAt(sent, 'headers')).map(
                  ([name, value]) =>
                    html`<tr>
                      <th scope="row"><code>${name}</code></th>
                      <td><${Foreign} text=${String(value)} most=${500} /></td>
                    </tr>`,
                )}
              </tbody>
            </table>
            <${JsonTree} label="Body" value=${jsonIn(body) ?? body} />
          </section>`
    }`;
}

type DeliveryAttemptProps = { readonly attempt: unknown };

function DeliveryAttempt({ attempt }: DeliveryAttemptProps): VNode {
  const code = numberAt(attempt, 'status_code');
  const isGood = code !== null && code >= 200 && code < 300;
  const excerpt = textAt(attempt, 'response_excerpt');
  return html`<li>
    <${Badge}
      word=${code === null ? textAt(attempt, 'error') || 'no answer' : String(code)}
      tone=${isGood ? 'good' : 'bad'}
    />
    <${When} at=${textAt(attempt, 'at')} mode="full" />
    <span class="faint">${toDuration(numberAt(attempt, 'duration_ms') ?? 0)}</span>
    ${excerpt === '' ? null : html`<pre class="foreign">${excerpt}</pre>`}
  </li>`;
}
