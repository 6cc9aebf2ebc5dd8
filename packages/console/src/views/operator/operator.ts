import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { isTrue, getList, getNumber, getRecord, getText, getValue } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { replaceQuery, type ViewProps } from '#console/app/router.ts';
import { session } from '#console/app/session.ts';
import { SearchBox } from '#console/parts/controls.ts';
import { EmptyState, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { formatCount, formatDuration, formatBytes, Timestamp } from '#console/parts/format.ts';
import { TenantTable } from './tenants.ts';

const REFRESH_MS = 10_000;

/** The instance for its operator: store and disk, access tiers, queue, tenants, plans and sites. */
export function OperatorView({ query }: ViewProps): VNode {
  const who = session.value;
  if (who === null || who === 'unknown' || !who.isOperator) {
    return html`<div class="view">
      <h1 tabIndex=${-1}>Operator</h1>
      <${EmptyState} title="This page is for operators of the service.">
        Your key belongs to a tenant. To create an operator key, run${' '}
        <code>quern keys create --operator</code>.
      <//>
    </div>`;
  }
  return html`<div class="view">
    <div class="view-head"><h1 tabIndex=${-1}>Operator</h1></div>
    <${InstanceFigures} />
    <${Tabs}
      label="Instance"
      open=${query['tab']}
      onOpen=${(tab: string) => replaceQuery({ tab })}
      tabs=${[
        { name: 'access', title: 'Access', show: () => html`<${AccessTiers} />` },
        { name: 'queue', title: 'Queue', show: () => html`<${QueuePanel} />` },
        { name: 'tenants', title: 'Tenants', show: () => html`<${TenantTable} />` },
        { name: 'plans', title: 'Plans', show: () => html`<${PlanTable} />` },
        { name: 'sites', title: 'Sites', show: () => html`<${SitesPanel} />` },
      ]}
    />
  </div>`;
}

function InstanceFigures(): VNode {
  const instance = useResource('/v1/admin/instance', { refreshMs: REFRESH_MS });
  const queue = useResource('/v1/admin/queue', { refreshMs: REFRESH_MS });
  const waits = getNumber(queue.body, 'oldest', 'waits_ms');
  return html`<${ResourceView} resource=${instance}>
    ${(body: unknown) => {
      const [bytes, free] = [getNumber(body, 'store', 'bytes'), getNumber(body, 'disk', 'free_bytes')];
      return html`<dl class="figures">
        <${InstanceFigure} name="Version" value=${getText(body, 'version')}>Node ${getText(body, 'node')}<//>
        <${InstanceFigure} name="Started" value=${html`<${Timestamp} at=${getText(body, 'started_at')} />`}>
          processes: ${formatCount(getList(body, 'processes').length)}
        <//>
        <${InstanceFigure} name="Store" value=${getText(body, 'store', 'kind')}>
          schema ${getNumber(body, 'store', 'schema')}${bytes === null ? '' : `, ${formatBytes(bytes)}`}
        <//>
        <${InstanceFigure} name="Disk free" value=${free === null ? '–' : formatBytes(free)}>
          ${`of ${formatBytes(getNumber(body, 'disk', 'total_bytes') ?? 0)}${describeStoredBytes(body)}`}
        <//>
        <${InstanceFigure} name="Queue" value=${formatCount(getNumber(queue.body, 'queued') ?? 0)}>
          ${`${formatCount(getNumber(queue.body, 'running') ?? 0)} running`}${waits === null ? '' : `, the oldest waiting for ${formatDuration(waits)}`}
        <//>
      </dl>`;
    }}
  <//>`;
}

/** Describes the size of stored results and of the cache; empty before they were first measured. */
function describeStoredBytes(instance: unknown): string {
  const kept = ['results', 'cache'].flatMap((name) => {
    const bytes = getNumber(instance, 'kept', name) ?? 0;
    return bytes === 0 ? [] : [`${name} ${formatBytes(bytes)}`];
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

function AccessTiers(): VNode {
  const capabilities = useResource('/v1/capabilities');
  return html`<${ResourceView} resource=${capabilities}>
    ${(body: unknown) => {
      const parts = [
        ...Object.entries(getRecord(body, 'tiers')),
        ...['model', 'search'].map((name): [string, unknown] => [name, getRecord(body, name)]),
      ];
      return html`<dl class="facts-list">
        ${parts.map(
          ([name, part]) =>
            html`<div>
              <dt>${name.replaceAll('_', ' ')}</dt>
              <dd>
                ${
                  isTrue(part, 'available')
                    ? html`<${Badge} word="available" tone="good" />`
                    : html`<${Badge} word="not available" tone="warn" />
                        <${UntrustedText} text=${getText(part, 'reason')} />`
                }
              </dd>
            </div>`,
        )}
      </dl>`;
    }}
  <//>`;
}

const PLAN_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Plan', width: 'minmax(8rem, 2fr)', cell: (plan) => getText(plan, 'name') },
  toLimitColumn('Credits per month', '9rem', 'credits_per_month'),
  toLimitColumn('Per day', '7rem', 'daily_cap'),
  toLimitColumn('Calls at once', '8rem', 'concurrent_requests'),
  toLimitColumn('Calls per minute', '8rem', 'requests_per_minute'),
  toLimitColumn('Pages per crawl', '8rem', 'crawl_pages'),
  toLimitColumn('Monitors', '6rem', 'active_monitors'),
  {
    title: 'Min. monitor interval',
    width: '9rem',
    isNumber: true,
    cell: (plan) => formatDuration(getNumber(plan, 'monitor_interval_ms') ?? 0),
  },
];

function toLimitColumn(title: string, width: string, member: string): TableColumn<unknown> {
  return {
    title,
    width,
    isNumber: true,
    cell: (plan) => {
      const limit = getNumber(plan, member);
      return limit === null ? 'no limit' : formatCount(limit);
    },
  };
}

/** The plans of the instance with their limits. */
function PlanTable(): VNode {
  const plans = useResource('/v1/admin/plans');
  return html`<${ResourceView} resource=${plans}>
    ${(body: unknown) =>
      html`<${DataTable}
        label="Plans"
        columns=${PLAN_COLUMNS}
        rows=${getList(body, 'data')}
        rowKey=${(plan: unknown) => getText(plan, 'name')}
      />`}
  <//>`;
}

const QUEUE_EVERY_MS = 5000;

const KIND_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Kind', width: 'minmax(10rem, 3fr)', cell: (row) => html`<code>${getText(row, 'kind')}</code>` },
  { title: 'Waiting', width: '8rem', isNumber: true, cell: (row) => formatCount(getNumber(row, 'queued') ?? 0) },
  { title: 'Running', width: '8rem', isNumber: true, cell: (row) => formatCount(getNumber(row, 'running') ?? 0) },
];

const JOB_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Kind', width: 'minmax(7rem, 1fr)', cell: (job) => html`<code>${getText(job, 'kind')}</code>` },
  { title: 'Job', width: 'minmax(10rem, 2fr)', cell: (job) => html`<code>${getText(job, 'id')}</code>` },
  { title: 'Tenant', width: 'minmax(10rem, 2fr)', cell: (job) => html`<code>${getText(job, 'tenant_id')}</code>` },
  { title: 'Process', width: 'minmax(6rem, 1fr)', cell: (job) => getText(job, 'worker') || '–' },
  { title: 'Attempt', width: '4rem', isNumber: true, cell: (job) => String(getNumber(job, 'attempt') ?? '') },
  { title: 'Since', width: '8rem', cell: (job) => html`<${Timestamp} at=${getText(job, 'started_at')} />` },
];

/** The queue of all tenants: waiting and running jobs by kind, and each running job with its process. */
function QueuePanel(): VNode {
  const queue = useResource('/v1/admin/queue', { refreshMs: QUEUE_EVERY_MS });
  return html`<${ResourceView} resource=${queue}>
    ${(body: unknown) =>
      getList(body, 'by_kind').length === 0
        ? html`<${EmptyState} title="The queue is empty.">Jobs of all tenants appear here while they wait and run.<//>`
        : html`<${DataTable}
              label="Queue by kind"
              columns=${KIND_COLUMNS}
              rows=${getList(body, 'by_kind')}
              rowKey=${(row: unknown) => getText(row, 'kind')}
            />
            <section aria-labelledby="running-jobs">
              <h2 id="running-jobs">Running</h2>
              <${DataTable}
                label="Running jobs"
                columns=${JOB_COLUMNS}
                rows=${getList(body, 'running_jobs')}
                rowKey=${(job: unknown) => getText(job, 'id')}
              />
            </section>`}
  <//>`;
}

const HEALTH_TONES = { good: 'good', degraded: 'warn', broken: 'bad' } as const;

/** Labels of `verified`; null is an endpoint that uses backends of the operator, which cannot be verified on a page. */
const VERIFIED_LABELS: ReadonlyMap<unknown, string> = new Map([
  [true, 'verified'],
  [false, 'unverified'],
  [null, 'backends'],
]);

/** Shown domains of an endpoint; shops have one for each country. */
const MAX_DOMAINS = 3;

const ENDPOINT_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Endpoint', width: 'minmax(11rem, 3fr)', cell: (one) => html`<code>${getText(one, 'endpoint')}</code>` },
  {
    title: 'Domains',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => getList(one, 'domains').slice(0, MAX_DOMAINS).map(String).join(', ') || '–',
  },
  {
    title: 'Health',
    width: '8rem',
    cell: (one) => {
      const level = getText(one, 'level');
      const tone = Object.entries(HEALTH_TONES).find(([name]) => name === level)?.[1] ?? 'calm';
      return html`<${Badge} word=${level} tone=${tone} />`;
    },
  },
  { title: 'Verified', width: '8rem', cell: (one) => VERIFIED_LABELS.get(getValue(one, 'verified')) ?? '–' },
  { title: 'Successes', width: '7rem', isNumber: true, cell: (one) => String(getNumber(one, 'served') ?? 0) },
  { title: 'Last success', width: '9rem', cell: (one) => html`<${Timestamp} at=${getText(one, 'last_success_at')} />` },
  {
    title: 'Failed in a row',
    width: '8rem',
    isNumber: true,
    cell: (one) => String(getNumber(one, 'failed_in_row') ?? 0),
  },
  {
    title: 'Last failure',
    width: 'minmax(9rem, 2fr)',
    cell: (one) => html`<${UntrustedText} text=${getText(one, 'last_failure')} maxLength=${160} />`,
  },
];

/** The endpoints of sites with the health of each. */
function SitesPanel(): VNode {
  const [search, setSearch] = useState('');
  const sites = useResource('/v1/admin/sites');
  return html`<div class="listed">
    <div class="toolbar"><${SearchBox} label="Search endpoints" value=${search} onInput=${setSearch} /></div>
    <${ResourceView} resource=${sites}>
      ${(body: unknown) =>
        html`<${DataTable}
          label="Endpoints of sites"
          columns=${ENDPOINT_COLUMNS}
          rows=${getList(body, 'data').filter((one) => matchesSearch(one, search.toLowerCase().trim()))}
          rowKey=${(one: unknown) => getText(one, 'endpoint')}
        />`}
    <//>
  </div>`;
}

/** Whether the name or a domain of an endpoint contains the search text. */
function matchesSearch(one: unknown, search: string): boolean {
  return [getText(one, 'endpoint'), ...getList(one, 'domains').map(String)].some((name) => name.includes(search));
}
