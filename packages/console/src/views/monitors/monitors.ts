import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { usePagedList, useSearchedRows } from '#console/app/paged-list.ts';
import { listAt, numberAt, textAt, valueAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { SearchBox, SelectField } from '#console/parts/controls.ts';
import { Empty, FailureNote } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Sparkline } from '#console/parts/chart.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/format.ts';
import { useKeys } from '#console/app/keys.ts';
import { stateOfMonitor, targetOfMonitor, toValueText } from './describe-monitor.ts';

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
      html`<a href=${linkTo(`/monitors/${textAt(one, 'id')}`)}
        ><${Foreign} text=${textAt(one, 'name') || targetOfMonitor(one)} most=${120}
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
    cell: (one) => html`<${LastValue} id=${textAt(one, 'id')} at=${textAt(one, 'last_run_at')} />`,
  },
  { title: 'Changed', width: '8rem', cell: (one) => html`<${When} at=${textAt(one, 'last_change_at')} />` },
  { title: 'Next run', width: '8rem', cell: (one) => html`<${When} at=${textAt(one, 'next_run_at')} />` },
  {
    title: 'Credits / month',
    width: '8rem',
    isNumber: true,
    cell: (one) => toCount(numberAt(one, 'estimated_credits_per_month') ?? 0),
  },
];

type MonitorBadgeProps = { readonly monitor: unknown };

/** The state of a monitor in its colour. */
export function MonitorBadge({ monitor }: MonitorBadgeProps): VNode {
  const state = stateOfMonitor(monitor);
  const isActive = valueAt(monitor, 'active') === true;
  return html`<${Badge}
    word=${state}
    tone=${!isActive ? 'calm' : state === 'failing' ? 'bad' : state === 'ok' ? 'good' : 'busy'}
  />`;
}

/** All monitors of the tenant with what they saw last. */
export function MonitorList({ query }: ViewProps): VNode {
  const { active = '', q = '' } = query;
  const list = usePagedList('/v1/monitors', { query: { active } });
  const { rows, isRead, failure, readMore, reload } = list;
  useKeys({ n: () => goTo('/monitors/new') });
  const { found } = useSearchedRows(list, q, (one) => `${textAt(one, 'name')} ${targetOfMonitor(one)}`);
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
            keyOf=${(one: unknown) => textAt(one, 'id')}
            onOpen=${(one: unknown) => goTo(`/monitors/${textAt(one, 'id')}`)}
            onEnd=${readMore}
          />`
        : isRead
          ? html`<${Empty} title=${rows.length > 0 || active !== '' ? 'No monitor fits.' : 'Nothing is watched yet.'}>
              <a href=${linkTo('/monitors/new')}>Watch a value</a>: give a URL, pick the value on the page, say when to
              look.
            <//>`
          : html`<p class="loading" aria-busy="true">Loading …</p>`
    }
  </div>`;
}

type LastValueProps = { readonly id: string; readonly at: string };

/** The first watched value of the last run and, of a number, how it went. */
function LastValue({ id, at }: LastValueProps): VNode {
  const path = `/v1/monitors/${encodeURIComponent(id)}`;
  const series = useResource(at === '' ? null : `${path}/series`, { query: { points: SPARK_POINTS } });
  const field = listAt(series.body, 'fields')[0];
  const hasNumbers = listAt(field, 'points').length > 0;
  const run = useResource(series.body !== undefined && !hasNumbers ? `${path}/runs/latest` : null);
  if (at === '') return html`<span class="faint">waits for its first run</span>`;
  if (hasNumbers) {
    const values = listAt(field, 'points').flatMap((point) => numberAt(point, 'value') ?? []);
    const last = values.at(-1);
    return html`<span class="last-value">
      <${Sparkline} label=${textAt(field, 'field')} values=${values} />
      <span>${last === undefined ? '–' : `${last.toLocaleString('en')} ${textAt(field, 'unit')}`}</span>
    </span>`;
  }
  const [name, value] = Object.entries(valueAt(run.body, 'values') ?? {})[0] ?? ['', null];
  return name === ''
    ? html`<span class="faint">–</span>`
    : html`<${Foreign} text=${`${name}: ${toValueText(value)}`} most=${160} />`;
}
