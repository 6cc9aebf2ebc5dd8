import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { usePagedList, useRowSearch } from '#console/app/paged-list.ts';
import { getList, getNumber, getText, getValue } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { SearchBox, SelectField } from '#console/parts/controls.ts';
import { EmptyState, FailureNote } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Sparkline } from '#console/parts/chart.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { formatCount, Timestamp } from '#console/parts/format.ts';
import { useKeys } from '#console/app/keys.ts';
import { getMonitorState, describeMonitor, formatValue } from './describe-monitor.ts';

const SPARK_POINTS = 30;
const STATES = [
  ['', 'all'],
  ['true', 'active'],
  ['false', 'paused'],
] as const;

const COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Monitor',
    width: 'minmax(11rem, 3fr)',
    cell: (one) =>
      html`<a href=${linkTo(`/monitors/${getText(one, 'id')}`)}
        ><${UntrustedText} text=${getText(one, 'name') || describeMonitor(one)} maxLength=${120}
      /></a>`,
  },
  {
    title: 'State',
    width: '9rem',
    cell: (one) => html`<${MonitorBadge} monitor=${one} />`,
  },
  {
    title: 'Last value',
    width: 'minmax(13rem, 3fr)',
    cell: (one) => html`<${LastValue} id=${getText(one, 'id')} at=${getText(one, 'last_run_at')} />`,
  },
  { title: 'Changed', width: '8rem', cell: (one) => html`<${Timestamp} at=${getText(one, 'last_change_at')} />` },
  { title: 'Next run', width: '8rem', cell: (one) => html`<${Timestamp} at=${getText(one, 'next_run_at')} />` },
  {
    title: 'Credits / month',
    width: '8rem',
    isNumber: true,
    cell: (one) => formatCount(getNumber(one, 'estimated_credits_per_month') ?? 0),
  },
];

type MonitorBadgeProps = { readonly monitor: unknown };

/** The state of a monitor as a coloured badge. */
export function MonitorBadge({ monitor }: MonitorBadgeProps): VNode {
  const state = getMonitorState(monitor);
  const isActive = getValue(monitor, 'active') === true;
  return html`<${Badge}
    word=${state}
    tone=${!isActive ? 'calm' : state === 'failing' ? 'bad' : state === 'ok' ? 'good' : 'busy'}
  />`;
}

/** All monitors of the tenant with their last values. */
export function MonitorList({ query }: ViewProps): VNode {
  const { active = '', q = '' } = query;
  const list = usePagedList('/v1/monitors', { query: { active } });
  const { rows, isLoaded, failure, loadMore, reload } = list;
  useKeys({ n: () => goTo('/monitors/new') });
  const { found } = useRowSearch(list, q, (one) => `${getText(one, 'name')} ${describeMonitor(one)}`);
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Monitors</h1>
      <a class="button primary" href=${linkTo('/monitors/new')}>New monitor</a>
    </div>
    <div class="toolbar">
      <${SearchBox}
        label="Search monitors"
        value=${q}
        onInput=${(text: string) => replaceQuery({ ...query, q: text || undefined })}
      />
      <${SelectField}
        label="State"
        value=${active}
        options=${STATES}
        onChoose=${(word: string) => replaceQuery({ ...query, active: word || undefined })}
      />
    </div>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${
      found.length > 0
        ? html`<${DataTable}
            label="Monitors"
            columns=${COLUMNS}
            rows=${found}
            rowKey=${(one: unknown) => getText(one, 'id')}
            onOpen=${(one: unknown) => goTo(`/monitors/${getText(one, 'id')}`)}
            onEnd=${loadMore}
          />`
        : isLoaded
          ? html`<${EmptyState}
              title=${rows.length > 0 || active !== '' ? 'No monitor matches.' : 'There are no monitors yet.'}
            >
              <a href=${linkTo('/monitors/new')}>Watch a value</a>: enter a URL, pick the value on the page, and set a
              schedule.
            <//>`
          : html`<p class="loading" aria-busy="true">Loading …</p>`
    }
  </div>`;
}

type LastValueProps = { readonly id: string; readonly at: string };

/** The first watched value of the last run, with a sparkline for a number. */
function LastValue({ id, at }: LastValueProps): VNode {
  const path = `/v1/monitors/${encodeURIComponent(id)}`;
  const series = useResource(at === '' ? null : `${path}/series`, { query: { points: SPARK_POINTS } });
  const field = getList(series.body, 'fields')[0];
  const hasNumbers = getList(field, 'points').length > 0;
  const run = useResource(series.body !== undefined && !hasNumbers ? `${path}/runs/latest` : null);
  if (at === '') return html`<span class="faint">waiting for the first run</span>`;
  if (hasNumbers) {
    const values = getList(field, 'points').flatMap((point) => getNumber(point, 'value') ?? []);
    const last = values.at(-1);
    return html`<span class="last-value">
      <${Sparkline} label=${getText(field, 'field')} values=${values} />
      <span>${last === undefined ? '–' : `${last.toLocaleString('en')} ${getText(field, 'unit')}`}</span>
    </span>`;
  }
  const [name, value] = Object.entries(getValue(run.body, 'values') ?? {})[0] ?? ['', null];
  return name === ''
    ? html`<span class="faint">–</span>`
    : html`<${UntrustedText} text=${`${name}: ${formatValue(value)}`} maxLength=${160} />`;
}
