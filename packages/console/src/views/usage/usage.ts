import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isTrueAt, listAt, numberAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { serviceNow } from '#console/app/service-clock.ts';
import { replaceQuery, type ViewProps } from '#console/app/router.ts';
import { Chart } from '#console/parts/chart.ts';
import { SelectField } from '#console/parts/controls.ts';
import { Empty, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge, ProgressBar } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/format.ts';
import { RequestTable } from './request-log.ts';

const DAY_MS = 86_400_000;
const OFTEN_MS = 30_000;
const SPANS = [
  ['7', '7 days'],
  ['30', '30 days'],
  ['90', '90 days'],
] as const;

/** What was spent and is left: the plan, credits by day and by operation, requests and keys. */
export function UsageView({ query }: ViewProps): VNode {
  const days = SPANS.find(([span]) => span === query['days'])?.[0] ?? '30';
  const account = useResource('/v1/usage', { everyMs: OFTEN_MS });
  return html`<div class="view">
    <div class="view-head"><h1 tabIndex=${-1}>Usage</h1></div>
    <${ResourceView} of=${account}>${(body: unknown) => html`<${PlanFigures} account=${body} />`}<//>
    <div class="toolbar">
      <${SelectField}
        label="Period"
        value=${days}
        options=${SPANS}
        onChoose=${(span: string) => replaceQuery({ ...query, days: span })}
      />
    </div>
    <${DailyCredits} days=${Number(days)} />
    <${OperationCredits} days=${Number(days)} />
    <${RequestTable} query=${query} />
    <${OwnKeys} />
  </div>`;
}

function PlanFigures({ account }: { readonly account: unknown }): VNode {
  const [left, granted] = [numberAt(account, 'credits_remaining'), numberAt(account, 'credits_granted')];
  const [cap, today] = [numberAt(account, 'daily_cap'), numberAt(account, 'daily_used') ?? 0];
  return html`<dl class="figures">
    <div>
      <dt>Plan</dt>
      <dd>
        <span class="figure">${textAt(account, 'plan')}</span>
        <span class="faint">the month ends <${When} at=${textAt(account, 'cycle', 'end')} mode="short" /></span>
      </dd>
    </div>
    <div>
      <dt>Credits left</dt>
      <dd>
        <span class="figure">${left === null ? 'no limit' : toCount(left)}</span>
        <span class="faint">${granted === null ? 'the plan sets none' : `of ${toCount(granted)} a month`}</span>
      </dd>
    </div>
    <div>
      <dt>Used today</dt>
      <dd>
        <span class="figure">${toCount(today)}</span>
        ${
          cap === null
            ? html`<span class="faint">no daily cap</span>`
            : html`<${ProgressBar} label="Daily cap" done=${today} total=${cap} /><span class="faint"
                  >of ${toCount(cap)}, counted anew <${When} at=${textAt(account, 'daily_resets_at')}
                /></span>`
        }
      </dd>
    </div>
  </dl>`;
}

/** The first day of a period that ends today, UTC. */
function firstDay(days: number): string {
  return new Date(serviceNow() - (days - 1) * DAY_MS).toISOString().slice(0, 10);
}

type PeriodProps = { readonly days: number };

function DailyCredits({ days }: PeriodProps): VNode {
  const from = firstDay(days);
  const history = useResource('/v1/usage/history', { query: { by: 'day', from, limit: 100 } });
  return html`<section aria-labelledby="by-day">
    <h2 id="by-day">Credits by day</h2>
    <${ResourceView} of=${history}>
      ${(body: unknown) => {
        const spent = new Map(listAt(body, 'data').map((row) => [textAt(row, 'date'), numberAt(row, 'credits') ?? 0]));
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
    cell: (row) => html`<code>${textAt(row, 'operation')}</code>`,
  },
  { title: 'Calls', width: '8rem', isNumber: true, cell: (row) => toCount(numberAt(row, 'calls') ?? 0) },
  { title: 'Credits', width: '8rem', isNumber: true, cell: (row) => toCount(numberAt(row, 'credits') ?? 0) },
];

function OperationCredits({ days }: PeriodProps): VNode {
  const history = useResource('/v1/usage/history', { query: { by: 'operation', from: firstDay(days), limit: 100 } });
  return html`<section aria-labelledby="by-operation">
    <h2 id="by-operation">Credits by operation</h2>
    <${ResourceView} of=${history}>
      ${(body: unknown) => {
        const rows = listAt(body, 'data').toSorted(
          (one, other) => (numberAt(other, 'credits') ?? 0) - (numberAt(one, 'credits') ?? 0),
        );
        return rows.length === 0
          ? html`<${Empty} title="Nothing was charged in this period.">Only what succeeds is charged.<//>`
          : html`<${DataTable}
              label="Credits by operation"
              columns=${OPERATION_COLUMNS}
              rows=${rows}
              keyOf=${(row: unknown) => textAt(row, 'operation')}
            />`;
      }}
    <//>
  </section>`;
}

const KEY_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Name',
    width: 'minmax(10rem, 2fr)',
    cell: (key) => html`<${Foreign} text=${textAt(key, 'name')} most=${100} />`,
  },
  { title: 'Begins with', width: '10rem', cell: (key) => html`<code>${textAt(key, 'prefix') || '–'}</code>` },
  { title: 'Last used', width: '10rem', cell: (key) => html`<${When} at=${textAt(key, 'last_used_at')} />` },
  {
    title: 'State',
    width: '8rem',
    cell: (key) =>
      textAt(key, 'revoked_at') === ''
        ? html`<${Badge} word=${isTrueAt(key, 'operator') ? 'operator' : 'active'} tone="good" />`
        : html`<${Badge} word="revoked" tone="warn" />`,
  },
];

function OwnKeys(): VNode {
  const keys = useResource('/v1/keys');
  return html`<section aria-labelledby="keys">
    <h2 id="keys">Keys</h2>
    <${ResourceView} of=${keys}>
      ${(body: unknown) =>
        html`<${DataTable}
          label="Keys"
          columns=${KEY_COLUMNS}
          rows=${listAt(body, 'data')}
          keyOf=${(key: unknown) => textAt(key, 'id')}
        />`}
    <//>
  </section>`;
}
