import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isTrueAt, listAt, numberAt, recordAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { replaceQuery, type ViewProps } from '#console/app/router.ts';
import { session } from '#console/app/session.ts';
import { Empty } from '#console/parts/empty.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { ResourceView } from '#console/parts/resource-view.ts';
import { Badge } from '#console/parts/status.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { toCount, toDuration, toSize, When } from '#console/parts/time.ts';
import { PlanTable } from './plan-table.ts';
import { QueuePanel } from './queue-panel.ts';
import { SitesPanel } from './site-health.ts';
import { TenantTable } from './tenant-table.ts';

const OFTEN_MS = 10_000;

/** The instance as its operator sees it: what is available, the queue, store and disk, tenants, plans and sites. */
export function OperatorView({ query }: ViewProps): VNode {
  const who = session.value;
  if (who === null || who === 'unknown' || !who.isOperator) {
    return html`<div class="view">
      <h1 tabIndex=${-1}>Operator</h1>
      <${Empty} title="This page is for operators of the service.">
        Your key belongs to a tenant. An operator makes an operator key with${' '}
        <code>quern keys create --operator</code>.
      <//>
    </div>`;
  }
  return html`<div class="view">
    <div class="view-head"><h1 tabIndex=${-1}>Operator</h1></div>
    <${InstanceFigures} />
    <${Tabs}
      label="Of the instance"
      open=${query['tab']}
      onOpen=${(tab: string) => replaceQuery({ tab })}
      tabs=${[
        { name: 'access', title: 'Access', show: () => html`<${Available} />` },
        { name: 'queue', title: 'Queue', show: () => html`<${QueuePanel} />` },
        { name: 'tenants', title: 'Tenants', show: () => html`<${TenantTable} />` },
        { name: 'plans', title: 'Plans', show: () => html`<${PlanTable} />` },
        { name: 'sites', title: 'Sites', show: () => html`<${SitesPanel} />` },
      ]}
    />
  </div>`;
}

function InstanceFigures(): VNode {
  const instance = useResource('/v1/admin/instance', { everyMs: OFTEN_MS });
  const queue = useResource('/v1/admin/queue', { everyMs: OFTEN_MS });
  const waits = numberAt(queue.body, 'oldest', 'waits_ms');
  return html`<${ResourceView} of=${instance}>
    ${(body: unknown) => {
      const [bytes, free] = [numberAt(body, 'store', 'bytes'), numberAt(body, 'disk', 'free_bytes')];
      return html`<dl class="figures">
        <${InstanceFigure} name="Version" value=${textAt(body, 'version')}>Node ${textAt(body, 'node')}<//>
        <${InstanceFigure} name="Started" value=${html`<${When} at=${textAt(body, 'started_at')} />`}>
          processes: ${toCount(listAt(body, 'processes').length)}
        <//>
        <${InstanceFigure} name="Store" value=${textAt(body, 'store', 'kind')}>
          schema ${numberAt(body, 'store', 'schema')}${bytes === null ? '' : `, ${toSize(bytes)}`}
        <//>
        <${InstanceFigure} name="Disk free" value=${free === null ? '–' : toSize(free)}>
          ${`of ${toSize(numberAt(body, 'disk', 'total_bytes') ?? 0)}${keptWords(body)}`}
        <//>
        <${InstanceFigure} name="Queue" value=${toCount(numberAt(queue.body, 'queued') ?? 0)}>
          ${`${toCount(numberAt(queue.body, 'running') ?? 0)} run`}${waits === null ? '' : `, the oldest waits for ${toDuration(waits)}`}
        <//>
      </dl>`;
    }}
  <//>`;
}

/** What takes room in the data folder; nothing before it was first counted. */
function keptWords(instance: unknown): string {
  const kept = ['results', 'cache'].flatMap((name) => {
    const bytes = numberAt(instance, 'kept', name) ?? 0;
    return bytes === 0 ? [] : [`${name} ${toSize(bytes)}`];
  });
  return kept.length === 0 ? '' : `; ${kept.join(', ')}`;
}

type InstanceFigureProps = { readonly name: string; readonly value: unknown; readonly children?: unknown };

function InstanceFigure({ name, value, children }: InstanceFigureProps): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd><span class="figure">${value}</span><span class="faint">${children}</span></dd>
  </div>`;
}

function Available(): VNode {
  const capabilities = useResource('/v1/capabilities');
  return html`<${ResourceView} of=${capabilities}>
    ${(body: unknown) => {
      const parts = [
        ...Object.entries(recordAt(body, 'tiers')),
        ...['model', 'search'].map((name): [string, unknown] => [name, recordAt(body, name)]),
      ];
      return html`<dl class="facts-list">
        ${parts.map(
          ([name, part]) =>
            html`<div>
              <dt>${name.replaceAll('_', ' ')}</dt>
              <dd>
                ${
                  isTrueAt(part, 'available')
                    ? html`<${Badge} word="available" tone="good" />`
                    : html`<${Badge} word="not available" tone="warn" /> <${Foreign} text=${textAt(part, 'reason')} />`
                }
              </dd>
            </div>`,
        )}
      </dl>`;
    }}
  <//>`;
}
