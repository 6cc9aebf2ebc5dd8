import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { callApi } from '#console/app/api.ts';
import { usePagedList } from '#console/app/paged-list.ts';
import { isTrue, getList, getNumber, getRecord, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { Chart, type ChartSeries } from '#console/parts/chart.ts';
import { ConfirmDialog, Dialog } from '#console/parts/dialog.ts';
import { EmptyState, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { formatCount, Timestamp } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { ChangeTimeline } from './change-timeline.ts';
import { MonitorEdit } from './monitor-edit.ts';
import { describeMonitor, formatValue } from './describe-monitor.ts';
import { MonitorBadge } from './monitors.ts';

const REFRESH_MS = 5000;

/** One monitor: its values over time, its changes and runs, and the actions on it. */
export function MonitorDetail({ params, query }: ViewProps): VNode {
  const path = `/v1/monitors/${encodeURIComponent(params['id'] ?? '')}`;
  const monitor = useResource(path, { refreshMs: REFRESH_MS });
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>
        <${UntrustedText}
          text=${getText(monitor.body, 'name') || describeMonitor(monitor.body ?? {}) || 'Monitor'}
          maxLength=${200}
        />
      </h1>
      ${
        monitor.body === undefined
          ? null
          : html`<${MonitorActions} path=${path} monitor=${monitor.body} onChanged=${monitor.reload} />`
      }
    </div>
    <${ResourceView} resource=${monitor}>
      ${(body: unknown) => html`<${MonitorBody} path=${path} monitor=${body} query=${query} />`}
    <//>
  </div>`;
}

type MonitorBodyProps = {
  readonly path: string;
  readonly monitor: unknown;
  readonly query: Readonly<Record<string, string>>;
};

function MonitorBody({ path, monitor, query }: MonitorBodyProps): VNode {
  const cron = getText(monitor, 'cron');
  const seen = getText(monitor, 'last_run_at');
  return html`<dl class="facts-list">
      <div>
        <dt>State</dt>
        <dd><${MonitorBadge} monitor=${monitor} /></dd>
      </div>
      <div>
        <dt>Watches</dt>
        <dd><${UntrustedText} text=${describeMonitor(monitor)} maxLength=${500} /></dd>
      </div>
      <div>
        <dt>When</dt>
        <dd>
          ${cron === '' ? 'only when triggered' : html`<code>${cron}</code> ${getText(monitor, 'timezone')}`}${' '}
          ${cron === '' ? null : html`· next <${Timestamp} at=${getText(monitor, 'next_run_at')} />`}
        </dd>
      </div>
      <div>
        <dt>Last run</dt>
        <dd>
          <${Timestamp} at=${seen} />${
            (getNumber(monitor, 'consecutive_failures') ?? 0) > 0
              ? ` · ${getNumber(monitor, 'consecutive_failures')} failed in a row`
              : ''
          }
        </dd>
      </div>
      <div>
        <dt>Cost</dt>
        <dd>about ${formatCount(getNumber(monitor, 'estimated_credits_per_month') ?? 0)} credits per month</dd>
      </div>
    </dl>
    <${MonitorCharts} path=${path} monitor=${monitor} lastRun=${seen} />
    <${Tabs}
      label="Monitor"
      open=${query['tab']}
      onOpen=${(tab: string) => replaceQuery({ ...query, tab })}
      tabs=${[
        {
          name: 'changes',
          title: 'Changes',
          show: () => html`<${ChangeTimeline} path=${path} lastChange=${getText(monitor, 'last_change_at')} />`,
        },
        { name: 'runs', title: 'Runs', show: () => html`<${MonitorRuns} path=${path} lastRun=${seen} />` },
        {
          name: 'definition',
          title: 'Definition',
          show: () => html`<${JsonTree} label="Definition" value=${monitor} />`,
        },
      ]}
    />
    ${
      hasWebhook(monitor)
        ? html`<p>
            <a href=${linkTo('/webhooks', { monitor_id: getText(monitor, 'id') })}>Webhook deliveries</a>
          </p>`
        : null
    }`;
}

function hasWebhook(monitor: unknown): boolean {
  return Object.keys(getRecord(monitor, 'webhook')).length > 0;
}

type MonitorActionsProps = { readonly path: string; readonly monitor: unknown; readonly onChanged: () => void };

function MonitorActions({ path, monitor, onChanged }: MonitorActionsProps): VNode {
  const [asked, setAsked] = useState<'delete' | 'edit' | null>(null);
  const isActive = isTrue(monitor, 'active');
  async function act(method: string, target: string, body: unknown, done: string): Promise<boolean> {
    const answer = await callApi(method, target, { body });
    notify(answer.ok ? done : answer.failure.message, answer.ok ? 'good' : 'bad');
    if (answer.ok) onChanged();
    return answer.ok;
  }
  return html`<div class="actions">
    <button type="button" onClick=${() => void act('POST', `${path}/trigger`, undefined, 'Check started.')}>
      Check now
    </button>
    <button
      type="button"
      onClick=${() => void act('PATCH', path, { active: !isActive }, isActive ? 'Paused.' : 'Resumed.')}
    >
      ${isActive ? 'Pause' : 'Resume'}
    </button>
    ${
      hasWebhook(monitor)
        ? html`<button
            type="button"
            onClick=${() => void act('POST', `${path}/webhook/test`, undefined, 'Test event sent.')}
          >
            Test webhook
          </button>`
        : null
    }
    <button type="button" onClick=${() => setAsked('edit')}>Edit</button>
    <button type="button" class="danger" onClick=${() => setAsked('delete')}>Delete</button>
    ${
      asked === 'edit'
        ? html`<${MonitorEdit}
            path=${path}
            monitor=${monitor}
            onClose=${() => setAsked(null)}
            onChanged=${onChanged}
          />`
        : null
    }
    ${
      asked === 'delete'
        ? html`<${ConfirmDialog}
            title="Delete the monitor?"
            verb="Delete"
            onConfirm=${async () => {
              if (await act('DELETE', path, undefined, 'Deleted.')) goTo('/monitors');
            }}
            onClose=${() => setAsked(null)}
          >
            <p>This also deletes its runs and changes. To stop it for a while, pause it.</p>
          <//>`
        : null
    }
  </div>`;
}

const RUN_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '10rem', cell: (run) => html`<${Timestamp} at=${getText(run, 'queued_at')} mode="short" />` },
  { title: 'Trigger', width: '7rem', cell: (run) => getText(run, 'trigger').replaceAll('_', ' ') },
  { title: 'State', width: '9rem', cell: (run) => html`<${Badge} word=${getText(run, 'status')} />` },
  {
    title: 'Values',
    width: 'minmax(12rem, 4fr)',
    cell: (run) => html`<${UntrustedText} text=${describeRun(run)} maxLength=${300} />`,
  },
  {
    title: 'Change',
    width: '6rem',
    cell: (run) => (isTrue(run, 'changed') ? html`<${Badge} word="changed" tone="busy" />` : ''),
  },
  {
    title: 'Credits',
    width: '5rem',
    isNumber: true,
    cell: (run) => String(getNumber(run, 'usage', 'credits') ?? 0),
  },
];

function describeRun(run: unknown): string {
  const problem = getText(run, 'error', 'message') || getText(run, 'skipped_reason').replaceAll('_', ' ');
  if (problem !== '') return problem;
  return Object.entries(getRecord(run, 'values'))
    .map(([name, value]) => `${name}: ${formatValue(value)}`)
    .join(', ');
}

type MonitorRunsProps = { readonly path: string; readonly lastRun: string };

/** The runs of a monitor, newest first, with the values and the cost of each. */
function MonitorRuns({ path, lastRun }: MonitorRunsProps): VNode {
  const { rows, isLoaded, failure, loadMore, reload } = usePagedList(`${path}/runs`);
  const [opened, setOpened] = useState<unknown>(null);
  useEffect(() => {
    if (lastRun !== '') reload();
  }, [lastRun]);
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (rows.length === 0)
    return isLoaded
      ? html`<${EmptyState} title="No run yet.">The first run starts when the monitor is created.<//>`
      : html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${DataTable}
      label="Runs"
      columns=${RUN_COLUMNS}
      rows=${rows}
      rowKey=${(run: unknown) => getText(run, 'id')}
      onOpen=${setOpened}
      onEnd=${loadMore}
    />
    ${
      opened === null
        ? null
        : html`<${Dialog} title="Run" onClose=${() => setOpened(null)} isWide>
            <${JsonTree} label="Run" value=${opened} />
          <//>`
    }`;
}

/** Fields of hotel monitors that share one chart. */
const CHANNEL_PRICE = /^channels\.(?<provider>[\w-]+)\.price$/;
const SPREAD = 'spread.abs';

/** Fields that share one chart. */
type ChartGroup = { readonly title: string; readonly fields: readonly unknown[]; readonly limit: number | null };

type MonitorChartsProps = { readonly path: string; readonly monitor: unknown; readonly lastRun: string };

/** Charts of the watched numbers, with changes as dots and failed runs as gaps. */
function MonitorCharts({ path, monitor, lastRun }: MonitorChartsProps): VNode | null {
  const series = useResource(lastRun === '' ? null : `${path}/series`, { query: { points: 300, to: undefined } });
  if (lastRun === '') return html`<p class="faint">The chart starts with the first run.</p>`;
  return html`<${ResourceView} resource=${series}>
    ${(body: unknown) =>
      groupCharts(getList(body, 'fields'), getNumber(monitor, 'watch', 'parity_threshold', 'abs')).map(
        (picture) =>
          html`<section key=${picture.title} aria-label=${picture.title}>
            <h2>${picture.title}</h2>
            <${FieldChart} picture=${picture} marks=${getList(body, 'marks')} />
          </section>`,
      )}
  <//>`;
}

function groupCharts(fields: readonly unknown[], parity: number | null): readonly ChartGroup[] {
  const channels = fields.filter((field) => CHANNEL_PRICE.test(getText(field, 'field')));
  const others = fields.filter((field) => !channels.includes(field));
  return [
    ...(channels.length > 0 ? [{ title: 'Prices by channel', fields: channels, limit: null }] : []),
    ...others.map((field) => {
      const name = getText(field, 'field');
      const unit = getText(field, 'unit');
      if (name === SPREAD) return { title: 'Spread of the prices', fields: [field], limit: parity };
      return { title: unit === '' ? name : `${name} (${unit})`, fields: [field], limit: null };
    }),
  ];
}

type FieldChartProps = { readonly picture: ChartGroup; readonly marks: readonly unknown[] };

function FieldChart({ picture: { title, fields, limit }, marks }: FieldChartProps): VNode {
  const failed = listMarkTimes(marks, 'failed');
  const times = [
    ...new Set([...fields.flatMap((field) => getList(field, 'points').map(parseSeconds)), ...failed]),
  ].toSorted((one, other) => one - other);
  const changed = listMarkTimes(marks, 'change');
  const series: ChartSeries[] = fields.map((field) => {
    const values = new Map(getList(field, 'points').map((point) => [parseSeconds(point), getNumber(point, 'value')]));
    const name = CHANNEL_PRICE.exec(getText(field, 'field'))?.groups?.['provider'] ?? getText(field, 'field');
    return {
      name,
      values: times.map((time) => values.get(time) ?? null),
      marks: findChangePositions(times, changed, values),
    };
  });
  if (limit !== null) series.push({ name: 'Alert at', values: times.map(() => limit) });
  return html`<${Chart} label=${title} kind="line" times=${times} series=${series} gaps=${failed} />
    <p class="help">${describeLegend(series, failed)}</p>`;
}

/** Finds the indexes at which a run reported a change and this number differs from the previous one. */
function findChangePositions(
  times: readonly number[],
  changed: readonly number[],
  values: ReadonlyMap<number, number | null>,
): readonly number[] {
  let before: number | null = null;
  return times.flatMap((time, at) => {
    const value = values.get(time) ?? null;
    const isOther = value !== null && before !== null && value !== before;
    before = value ?? before;
    return isOther && changed.includes(time) ? [at] : [];
  });
}

/** Describes the marks that a chart has. */
function describeLegend(series: readonly ChartSeries[], failed: readonly number[]): string {
  const hasChanges = series.some(({ marks = [] }) => marks.length > 0);
  return [
    hasChanges ? 'A dot marks a reported change.' : '',
    failed.length > 0 ? 'A dashed line marks a failed run without values.' : '',
  ].join(' ');
}

function listMarkTimes(marks: readonly unknown[], kind: string): readonly number[] {
  return marks.filter((mark) => getText(mark, 'kind') === kind).map(parseSeconds);
}

function parseSeconds(point: unknown): number {
  return Math.floor(Date.parse(getText(point, 'at')) / 1000);
}
