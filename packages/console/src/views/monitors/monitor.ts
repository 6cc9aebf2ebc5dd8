import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { call } from '#console/app/api.ts';
import { usePagedList } from '#console/app/paged-list.ts';
import { isTrueAt, listAt, numberAt, recordAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { Chart, type ChartSeries } from '#console/parts/chart.ts';
import { Confirm, Dialog } from '#console/parts/dialog.ts';
import { Empty, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { Tabs } from '#console/parts/tabs.ts';
import { toCount, When } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { ChangeTimeline } from './change-timeline.ts';
import { MonitorEdit } from './monitor-edit.ts';
import { targetOfMonitor, toValueText } from './describe-monitor.ts';
import { MonitorBadge } from './monitors.ts';

const OFTEN_MS = 5000;

/** One monitor: its values over time, its changes and runs, and what can be done about it. */
export function MonitorDetail({ params, query }: ViewProps): VNode {
  const path = `/v1/monitors/${encodeURIComponent(params['id'] ?? '')}`;
  const monitor = useResource(path, { everyMs: OFTEN_MS });
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>
        <${Foreign}
          text=${textAt(monitor.body, 'name') || targetOfMonitor(monitor.body ?? {}) || 'Monitor'}
          most=${200}
        />
      </h1>
      ${
        monitor.body === undefined
          ? null
          : html`<${MonitorActions} path=${path} monitor=${monitor.body} onChanged=${monitor.reload} />`
      }
    </div>
    <${ResourceView} of=${monitor}>
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
  const cron = textAt(monitor, 'cron');
  const seen = textAt(monitor, 'last_run_at');
  return html`<dl class="facts-list">
      <div>
        <dt>State</dt>
        <dd><${MonitorBadge} monitor=${monitor} /></dd>
      </div>
      <div>
        <dt>Watches</dt>
        <dd><${Foreign} text=${targetOfMonitor(monitor)} most=${500} /></dd>
      </div>
      <div>
        <dt>When</dt>
        <dd>
          ${cron === '' ? 'when it is triggered' : html`<code>${cron}</code> ${textAt(monitor, 'timezone')}`}${' '}
          ${cron === '' ? null : html`· next <${When} at=${textAt(monitor, 'next_run_at')} />`}
        </dd>
      </div>
      <div>
        <dt>Last run</dt>
        <dd>
          <${When} at=${seen} />${
            (numberAt(monitor, 'consecutive_failures') ?? 0) > 0
              ? ` · ${numberAt(monitor, 'consecutive_failures')} failed in a row`
              : ''
          }
        </dd>
      </div>
      <div>
        <dt>Costs</dt>
        <dd>about ${toCount(numberAt(monitor, 'estimated_credits_per_month') ?? 0)} credits a month</dd>
      </div>
    </dl>
    <${MonitorCharts} path=${path} monitor=${monitor} lastRun=${seen} />
    <${Tabs}
      label="Of this monitor"
      open=${query['tab']}
      onOpen=${(tab: string) => replaceQuery({ ...query, tab })}
      tabs=${[
        {
          name: 'changes',
          title: 'Changes',
          show: () => html`<${ChangeTimeline} path=${path} lastChange=${textAt(monitor, 'last_change_at')} />`,
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
            <a href=${linkTo('/webhooks', { monitor_id: textAt(monitor, 'id') })}>Deliveries of its webhook</a>
          </p>`
        : null
    }`;
}

function hasWebhook(monitor: unknown): boolean {
  return Object.keys(recordAt(monitor, 'webhook')).length > 0;
}

type MonitorActionsProps = { readonly path: string; readonly monitor: unknown; readonly onChanged: () => void };

function MonitorActions({ path, monitor, onChanged }: MonitorActionsProps): VNode {
  const [asked, setAsked] = useState<'delete' | 'edit' | null>(null);
  const isActive = isTrueAt(monitor, 'active');
  async function act(method: string, target: string, body: unknown, done: string): Promise<boolean> {
    const answer = await call(method, target, { body });
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
            onClick=${() => void act('POST', `${path}/webhook/test`, undefined, 'A test event is on its way.')}
          >
            Test webhook
          </button>`
        : null
    }
    <button type="button" onClick=${() => setAsked('edit')}>Change</button>
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
        ? html`<${Confirm}
            title="Delete the monitor?"
            verb="Delete"
            onConfirm=${async () => {
              if (await act('DELETE', path, undefined, 'Deleted.')) goTo('/monitors');
            }}
            onClose=${() => setAsked(null)}
          >
            <p>Its runs and changes go with it. To stop it for a while, pause it.</p>
          <//>`
        : null
    }
  </div>`;
}

const COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '10rem', cell: (run) => html`<${When} at=${textAt(run, 'queued_at')} mode="short" />` },
  { title: 'By', width: '7rem', cell: (run) => textAt(run, 'trigger').replaceAll('_', ' ') },
  { title: 'State', width: '9rem', cell: (run) => html`<${Badge} word=${textAt(run, 'status')} />` },
  {
    title: 'What it saw',
    width: 'minmax(12rem, 4fr)',
    cell: (run) => html`<${Foreign} text=${toSeenText(run)} most=${300} />`,
  },
  {
    title: 'Change',
    width: '6rem',
    cell: (run) => (isTrueAt(run, 'changed') ? html`<${Badge} word="changed" tone="busy" />` : ''),
  },
  {
    title: 'Credits',
    width: '5rem',
    isNumber: true,
    cell: (run) => String(numberAt(run, 'usage', 'credits') ?? 0),
  },
];

function toSeenText(run: unknown): string {
  const problem = textAt(run, 'error', 'message') || textAt(run, 'skipped_reason').replaceAll('_', ' ');
  if (problem !== '') return problem;
  return Object.entries(recordAt(run, 'values'))
    .map(([name, value]) => `${name}: ${toValueText(value)}`)
    .join(', ');
}

type MonitorRunsProps = { readonly path: string; readonly lastRun: string };

/** The runs of a monitor, newest first, with what each saw and cost. */
function MonitorRuns({ path, lastRun }: MonitorRunsProps): VNode {
  const { rows, isRead, failure, readMore, reload } = usePagedList(`${path}/runs`);
  const [opened, setOpened] = useState<unknown>(null);
  useEffect(() => {
    if (lastRun !== '') reload();
  }, [lastRun]);
  if (failure !== null) return html`<${FailureNote} failure=${failure} onRetry=${reload} />`;
  if (rows.length === 0)
    return isRead
      ? html`<${Empty} title="No run yet.">The first begins when the monitor is made.<//>`
      : html`<p class="loading" aria-busy="true">Loading …</p>`;
  return html`<${DataTable}
      label="Runs"
      columns=${COLUMNS}
      rows=${rows}
      keyOf=${(run: unknown) => textAt(run, 'id')}
      onOpen=${setOpened}
      onEnd=${readMore}
    />
    ${
      opened === null
        ? null
        : html`<${Dialog} title="Run" onClose=${() => setOpened(null)} isWide>
            <${JsonTree} label="Run" value=${opened} />
          <//>`
    }`;
}

/** Fields of hotel monitors that belong into one picture. */
const CHANNEL_PRICE = /^channels\.(?<provider>[\w-]+)\.price$/;
const SPREAD = 'spread.abs';

/** Fields drawn together. */
type Picture = { readonly title: string; readonly fields: readonly unknown[]; readonly limit: number | null };

type MonitorChartsProps = { readonly path: string; readonly monitor: unknown; readonly lastRun: string };

/** Each number that a monitor watches over time, with its changes as dots and failed runs as gaps. */
function MonitorCharts({ path, monitor, lastRun }: MonitorChartsProps): VNode | null {
  const series = useResource(lastRun === '' ? null : `${path}/series`, { query: { points: 300, to: undefined } });
  if (lastRun === '') return html`<p class="faint">The picture begins with the first run.</p>`;
  return html`<${ResourceView} of=${series}>
    ${(body: unknown) =>
      toPictures(listAt(body, 'fields'), numberAt(monitor, 'watch', 'parity_threshold', 'abs')).map(
        (picture) =>
          html`<section key=${picture.title} aria-label=${picture.title}>
            <h2>${picture.title}</h2>
            <${FieldChart} picture=${picture} marks=${listAt(body, 'marks')} />
          </section>`,
      )}
  <//>`;
}

function toPictures(fields: readonly unknown[], parity: number | null): readonly Picture[] {
  const channels = fields.filter((field) => CHANNEL_PRICE.test(textAt(field, 'field')));
  const others = fields.filter((field) => !channels.includes(field));
  return [
    ...(channels.length > 0 ? [{ title: 'Prices by channel', fields: channels, limit: null }] : []),
    ...others.map((field) => {
      const name = textAt(field, 'field');
      const unit = textAt(field, 'unit');
      if (name === SPREAD) return { title: 'Spread of the prices', fields: [field], limit: parity };
      return { title: unit === '' ? name : `${name} (${unit})`, fields: [field], limit: null };
    }),
  ];
}

type FieldChartProps = { readonly picture: Picture; readonly marks: readonly unknown[] };

function FieldChart({ picture: { title, fields, limit }, marks }: FieldChartProps): VNode {
  const failed = instantsOf(marks, 'failed');
  const times = [
    ...new Set([...fields.flatMap((field) => listAt(field, 'points').map(toSeconds)), ...failed]),
  ].toSorted((one, other) => one - other);
  const changed = instantsOf(marks, 'change');
  const series: ChartSeries[] = fields.map((field) => {
    const values = new Map(listAt(field, 'points').map((point) => [toSeconds(point), numberAt(point, 'value')]));
    const name = CHANNEL_PRICE.exec(textAt(field, 'field'))?.groups?.['provider'] ?? textAt(field, 'field');
    return {
      name,
      values: times.map((time) => values.get(time) ?? null),
      marks: changesAt(times, changed, values),
    };
  });
  if (limit !== null) series.push({ name: 'Alert at', values: times.map(() => limit) });
  return html`<${Chart} label=${title} kind="line" times=${times} series=${series} gaps=${failed} />
    <p class="help">${toLegend(series, failed)}</p>`;
}

/** Positions at which a run reported a change and this number is another than before. */
function changesAt(
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

/** What the signs of a picture mean, of those that it has. */
function toLegend(series: readonly ChartSeries[], failed: readonly number[]): string {
  const hasChanges = series.some(({ marks = [] }) => marks.length > 0);
  return [
    hasChanges ? 'A dot is a reported change.' : '',
    failed.length > 0 ? 'A dashed line is a run that failed: nothing is known of that time.' : '',
  ].join(' ');
}

function instantsOf(marks: readonly unknown[], kind: string): readonly number[] {
  return marks.filter((mark) => textAt(mark, 'kind') === kind).map(toSeconds);
}

function toSeconds(point: unknown): number {
  return Math.floor(Date.parse(textAt(point, 'at')) / 1000);
}
