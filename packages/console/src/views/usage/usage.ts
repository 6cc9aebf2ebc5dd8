import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isTrue, getList, getNumber, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { getServiceTime } from '#console/app/service-clock.ts';
import { replaceQuery, type ViewProps } from '#console/app/router.ts';
import { Chart } from '#console/parts/chart.ts';
import { SelectField } from '#console/parts/controls.ts';
import { EmptyState, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { CopyButton } from '#console/parts/code-block.ts';
import { Badge, ProgressBar } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { formatCount, Timestamp } from '#console/parts/format.ts';
import { RequestTable } from './request-log.ts';

const DAY_MS = 86_400_000;
const OFTEN_MS = 30_000;
const PERIODS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

/** Plan and remaining credits, spent credits by day and by operation, requests, keys, and addresses for other tools. */
export function UsageView({ query }: ViewProps): VNode {
  const days = PERIODS.find(([span]) => span === query['days'])?.[0] ?? '30';
  const account = useResource('/v1/usage', { refreshMs: OFTEN_MS });
  return html`<div class="view">
    <div class="view-head"><h1 tabIndex=${-1}>Usage</h1></div>
    <${ResourceView} resource=${account}>${(body: unknown) => html`<${PlanFigures} account=${body} />`}<//>
    <div class="toolbar">
      <${SelectField}
        label="Period"
        value=${days}
        options=${PERIODS}
        onChoose=${(span: string) => replaceQuery({ ...query, days: span })}
      />
    </div>
    <${DailyCredits} days=${Number(days)} />
    <${OperationCredits} days=${Number(days)} />
    <${RequestTable} query=${query} />
    <${OwnKeys} />
    <${Interfaces} />
  </div>`;
}

function PlanFigures({ account }: { readonly account: unknown }): VNode {
  const [left, granted] = [getNumber(account, 'credits_remaining'), getNumber(account, 'credits_granted')];
  const [cap, today] = [getNumber(account, 'daily_cap'), getNumber(account, 'daily_used') ?? 0];
  return html`<dl class="figures">
    <div>
      <dt>Plan</dt>
      <dd>
        <span class="figure">${getText(account, 'plan')}</span>
        <span class="faint">the cycle ends <${Timestamp} at=${getText(account, 'cycle', 'end')} mode="short" /></span>
      </dd>
    </div>
    <div>
      <dt>Credits remaining</dt>
      <dd>
        <span class="figure">${left === null ? 'no limit' : formatCount(left)}</span>
        <span class="faint"
          >${granted === null ? 'the plan has no limit' : `of ${formatCount(granted)} per month`}</span
        >
      </dd>
    </div>
    <div>
      <dt>Used today</dt>
      <dd>
        <span class="figure">${formatCount(today)}</span>
        ${
          cap === null
            ? html`<span class="faint">no daily cap</span>`
            : html`<${ProgressBar} label="Daily cap" done=${today} total=${cap} /><span class="faint"
                  >of ${formatCount(cap)}, resets <${Timestamp} at=${getText(account, 'daily_resets_at')}
                /></span>`
        }
      </dd>
    </div>
  </dl>`;
}

/** Computes the first day (UTC, `YYYY-MM-DD`) of a period of `days` that ends today. */
function computeFirstDay(days: number): string {
  return new Date(getServiceTime() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

type PeriodProps = { readonly days: number };

function DailyCredits({ days }: PeriodProps): VNode {
  const from = computeFirstDay(days);
  const history = useResource('/v1/usage/history', { query: { by: 'day', from, limit: 100 } });
  return html`<section aria-labelledby="by-day">
    <h2 id="by-day">Credits by day</h2>
    <${ResourceView} resource=${history}>
      ${(body: unknown) => {
        const spent = new Map(
          getList(body, 'data').map((row) => [getText(row, 'date'), getNumber(row, 'credits') ?? 0]),
        );
        const times = Array.from({ length: days }, (_, at) => Date.parse(from) / 1000 + (at * DAY_MS) / 1000);
        const values = times.map((time) => spent.get(new Date(time * 1000).toISOString().slice(0, 10)) ?? 0);
        return html`<${Chart}
          label="Credits by day"
          kind="bars"
          times=${times}
          series=${[{ name: 'Credits', values }]}
        />`;
      }}
    <//>
  </section>`;
}

const OPERATION_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Operation',
    width: 'minmax(10rem, 2fr)',
    cell: (row) => html`<code>${getText(row, 'operation')}</code>`,
  },
  { title: 'Calls', width: '8rem', isNumber: true, cell: (row) => formatCount(getNumber(row, 'calls') ?? 0) },
  { title: 'Credits', width: '8rem', isNumber: true, cell: (row) => formatCount(getNumber(row, 'credits') ?? 0) },
];

function OperationCredits({ days }: PeriodProps): VNode {
  const history = useResource('/v1/usage/history', {
    query: { by: 'operation', from: computeFirstDay(days), limit: 100 },
  });
  return html`<section aria-labelledby="by-operation">
    <h2 id="by-operation">Credits by operation</h2>
    <${ResourceView} resource=${history}>
      ${(body: unknown) => {
        const rows = getList(body, 'data').toSorted(
          (one, other) => (getNumber(other, 'credits') ?? 0) - (getNumber(one, 'credits') ?? 0),
        );
        return rows.length === 0
          ? html`<${EmptyState} title="Nothing was charged in this period.">Only successful calls are charged.<//>`
          : html`<${DataTable}
              label="Credits by operation"
              columns=${OPERATION_COLUMNS}
              rows=${rows}
              rowKey=${(row: unknown) => getText(row, 'operation')}
            />`;
      }}
    <//>
  </section>`;
}

const KEY_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Name',
    width: 'minmax(10rem, 2fr)',
    cell: (key) => html`<${UntrustedText} text=${getText(key, 'name')} maxLength=${100} />`,
  },
  { title: 'Begins with', width: '10rem', cell: (key) => html`<code>${getText(key, 'prefix') || '–'}</code>` },
  { title: 'Last used', width: '10rem', cell: (key) => html`<${Timestamp} at=${getText(key, 'last_used_at')} />` },
  {
    title: 'State',
    width: '8rem',
    cell: (key) =>
      getText(key, 'revoked_at') === ''
        ? html`<${Badge} word=${isTrue(key, 'operator') ? 'operator' : 'active'} tone="good" />`
        : html`<${Badge} word="revoked" tone="warn" />`,
  },
];

function OwnKeys(): VNode {
  const keys = useResource('/v1/keys');
  return html`<section aria-labelledby="keys">
    <h2 id="keys">Keys</h2>
    <${ResourceView} resource=${keys}>
      ${(body: unknown) =>
        html`<${DataTable}
          label="Keys"
          columns=${KEY_COLUMNS}
          rows=${getList(body, 'data')}
          rowKey=${(key: unknown) => getText(key, 'id')}
        />`}
    <//>
  </section>`;
}

/** The address to paste into a client; the service sends a path if it does not know its own URL. */
function getBaseUrl(served: unknown): string {
  const base = getText(served, 'base_url');
  return URL.canParse(base) ? base : `${location.origin}${base}`;
}

const INTERFACE_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'Interface', width: 'minmax(10rem, 1fr)', cell: (served) => getText(served, 'title') },
  {
    title: 'Base address',
    width: 'minmax(12rem, 2fr)',
    cell: (served) => html`<code>${getBaseUrl(served)}</code>`,
  },
  {
    title: 'Copy',
    width: '6rem',
    cell: (served) => html`<${CopyButton} text=${getBaseUrl(served)} what=${`${getText(served, 'title')} address`} />`,
  },
];

/** The interfaces of other services; nothing if the service answers none. */
function Interfaces(): VNode | null {
  const { body } = useResource('/v1/capabilities');
  const interfaces = getList(body, 'interfaces');
  if (interfaces.length === 0) return null;
  return html`<section aria-labelledby="interfaces">
    <h2 id="interfaces">Use with other tools</h2>
    <p>Paste an address into a tool that knows the interface, and one of your keys where it asks for an API key.</p>
    <${DataTable}
      label="Interfaces"
      columns=${INTERFACE_COLUMNS}
      rows=${interfaces}
      rowKey=${(served: unknown) => getText(served, 'name')}
    />
  </section>`;
}
