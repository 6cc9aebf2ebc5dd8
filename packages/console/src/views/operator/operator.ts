import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isTrueAt, listAt, numberAt, recordAt, textAt, valueAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { replaceQuery, type ViewProps } from '#console/app/router.ts';
import { session } from '#console/app/session.ts';
import { SearchBox } from '#console/parts/controls.ts';
import { Empty, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { toCount, toDuration, toSize, When } from '#console/parts/format.ts';
import { TenantTable } from './tenants.ts';

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

const PLAN_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Plan', width: 'minmax(8rem, 2fr)', cell: (plan) => textAt(plan, 'name') },
  toLimitColumn('Credits a month', '9rem', 'credits_per_month'),
  toLimitColumn('A day', '7rem', 'daily_cap'),
  toLimitColumn('Calls at once', '8rem', 'concurrent_requests'),
  toLimitColumn('Calls a minute', '8rem', 'requests_per_minute'),
  toLimitColumn('Pages a crawl', '8rem', 'crawl_pages'),
  toLimitColumn('Monitors', '6rem', 'active_monitors'),
  {
    title: 'Monitors every',
    width: '9rem',
    isNumber: true,
    cell: (plan) => toDuration(numberAt(plan, 'monitor_interval_ms') ?? 0),
  },
];

function toLimitColumn(title: string, width: string, member: string): TableColumn<unknown> {
  return {
    title,
    width,
    isNumber: true,
    cell: (plan) => {
      const limit = numberAt(plan, member);
      return limit === null ? 'no limit' : toCount(limit);
    },
  };
}

/** The plans of the instance with their limits. */
function PlanTable(): VNode {
  const plans = useResource('/v1/admin/plans');
  return html`<${ResourceView} of=${plans}>
    ${(body: unknown) =>
      html`<${DataTable}
        label="Plans"
        columns=${PLAN_COLUMNS}
        rows=${listAt(body, 'data')}
        keyOf=${(plan: unknown) => textAt(plan, 'name')}
      />`}
  <//>`;
}

const QUEUE_EVERY_MS = 5000;

const KIND_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Kind', width: 'minmax(10rem, 3fr)', cell: (row) => html`<code>${textAt(row, 'kind')}</code>` },
  { title: 'Waiting', width: '8rem', isNumber: true, cell: (row) => toCount(numberAt(row, 'queued') ?? 0) },
  { title: 'Running', width: '8rem', isNumber: true, cell: (row) => toCount(numberAt(row, 'running') ?? 0) },
];

const JOB_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Kind', width: 'minmax(7rem, 1fr)', cell: (job) => html`<code>${textAt(job, 'kind')}</code>` },
  { title: 'Job', width: 'minmax(10rem, 2fr)', cell: (job) => html`<code>${textAt(job, 'id')}</code>` },
  { title: 'Tenant', width: 'minmax(10rem, 2fr)', cell: (job) => html`<code>${textAt(job, 'tenant_id')}</code>` },
  { title: 'Process', width: 'minmax(6rem, 1fr)', cell: (job) => textAt(job, 'worker') || '–' },
  { title: 'Try', width: '4rem', isNumber: true, cell: (job) => String(numberAt(job, 'attempt') ?? '') },
  { title: 'Since', width: '8rem', cell: (job) => html`<${When} at=${textAt(job, 'started_at')} />` },
];

/** The queue of all tenants: how much of each kind waits and runs, and what runs where. */
function QueuePanel(): VNode {
  const queue = useResource('/v1/admin/queue', { everyMs: QUEUE_EVERY_MS });
  return html`<${ResourceView} of=${queue}>
    ${(body: unknown) =>
      listAt(body, 'by_kind').length === 0
        ? html`<${Empty} title="The queue is empty.">Jobs of all tenants stand here while they wait and run.<//>`
        : html`<${DataTable}
              label="Queue by kind"
              columns=${KIND_COLUMNS}
              rows=${listAt(body, 'by_kind')}
              keyOf=${(row: unknown) => textAt(row, 'kind')}
            />
            <section aria-labelledby="running-jobs">
              <h2 id="running-jobs">Running</h2>
              <${DataTable}
                label="Running jobs"
                columns=${JOB_COLUMNS}
                rows=${listAt(body, 'running_jobs')}
                keyOf=${(job: unknown) => textAt(job, 'id')}
              />
            </section>`}
  <//>`;
}

const TONES = { good: 'good', degraded: 'warn', broken: 'bad' } as const;

/** What answers by backends of the operator has no page to be proven on. */
const VERIFIED: ReadonlyMap<unknown, string> = new Map([
  [true, 'verified'],
  [false, 'unverified'],
  [null, 'backends'],
]);

/** Shops have a domain for each country. */
const MAX_DOMAINS = 3;

const ENDPOINT_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Endpoint', width: 'minmax(11rem, 3fr)', cell: (one) => html`<code>${textAt(one, 'endpoint')}</code>` },
  {
    title: 'Reads',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => listAt(one, 'domains').slice(0, MAX_DOMAINS).map(String).join(', ') || '–',
  },
  {
    title: 'Health',
    width: '8rem',
    cell: (one) => {
      const level = textAt(one, 'level');
      const tone = Object.entries(TONES).find(([name]) => name === level)?.[1] ?? 'calm';
      return html`<${Badge} word=${level} tone=${tone} />`;
    },
  },
  { title: 'Verified', width: '8rem', cell: (one) => VERIFIED.get(valueAt(one, 'verified')) ?? '–' },
  { title: 'Answered', width: '7rem', isNumber: true, cell: (one) => String(numberAt(one, 'served') ?? 0) },
  { title: 'Last success', width: '9rem', cell: (one) => html`<${When} at=${textAt(one, 'last_success_at')} />` },
  {
    title: 'Failed in a row',
    width: '8rem',
    isNumber: true,
    cell: (one) => String(numberAt(one, 'failed_in_row') ?? 0),
  },
  {
    title: 'Last failure',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => html`<${Foreign} text=${textAt(one, 'last_failure')} most=${160} />`,
  },
];

/** The endpoints of sites with how their last calls went. */
function SitesPanel(): VNode {
  const [search, setSearch] = useState('');
  const sites = useResource('/v1/admin/sites');
  return html`<div class="listed">
    <div class="toolbar"><${SearchBox} label="Search endpoints" value=${search} onInput=${setSearch} /></div>
    <${ResourceView} of=${sites}>
      ${(body: unknown) =>
        html`<${DataTable}
          label="Endpoints of sites"
          columns=${ENDPOINT_COLUMNS}
          rows=${listAt(body, 'data').filter((one) => isFound(one, search.toLowerCase().trim()))}
          keyOf=${(one: unknown) => textAt(one, 'endpoint')}
        />`}
    <//>
  </div>`;
}

/** Whether an endpoint is of the name, or of the domain, that is searched for. */
function isFound(one: unknown, search: string): boolean {
  return [textAt(one, 'endpoint'), ...listAt(one, 'domains').map(String)].some((name) => name.includes(search));
}
