import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { USAGE_PATH } from '#console/app/early-requests.ts';
import { getList, getNumber, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, type ViewProps } from '#console/app/router.ts';
import { EmptyState, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge, ProgressBar } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { formatCount, Timestamp } from '#console/parts/format.ts';
import { describeJob } from './jobs/describe-job.ts';

const OFTEN_MS = 5000;
const SELDOM_MS = 30_000;
const MAX_ROWS = 8;

/** Credits, running jobs and recent failures; for a new tenant also the first steps. */
export function Overview(_props: ViewProps): VNode {
  const usage = useResource(USAGE_PATH, { refreshMs: SELDOM_MS });
  const running = useResource('/v1/jobs', { query: { status: 'running', limit: MAX_ROWS }, refreshMs: OFTEN_MS });
  const queued = useResource('/v1/jobs', { query: { status: 'queued', limit: MAX_ROWS }, refreshMs: OFTEN_MS });
  const requests = useResource('/v1/requests', { query: { limit: 100 }, refreshMs: SELDOM_MS });
  const isNew = requests.body !== undefined && getList(requests.body, 'data').length === 0;
  return html`<div class="view">
    <h1 tabIndex=${-1}>Overview</h1>
    ${isNew ? html`<${FirstSteps} />` : null}
    <section aria-labelledby="credits">
      <h2 id="credits">Credits</h2>
      <${ResourceView} resource=${usage}>${(body: unknown) => html`<${Balance} usage=${body} />`}<//>
    </section>
    <section aria-labelledby="running">
      <h2 id="running">Running now</h2>
      <${ResourceView} resource=${running}>
        ${(body: unknown) => html`<${Jobs} jobs=${[...getList(body, 'data'), ...getList(queued.body, 'data')]} />`}
      <//>
    </section>
    <section aria-labelledby="failures">
      <h2 id="failures">Last failures</h2>
      <${ResourceView} resource=${requests}
        >${(body: unknown) => html`<${Failures} requests=${getList(body, 'data')} />`}<//
      >
    </section>
  </div>`;
}

function FirstSteps(): VNode {
  return html`<section class="first-steps" aria-labelledby="first">
    <h2 id="first">First steps</h2>
    <ol>
      <li><a href=${linkTo('/playground/fetch')}>Fetch a page</a> and see it as Markdown, text, links or a picture.</li>
      <li><a href=${linkTo('/playground/crawl')}>Crawl a site</a> and watch its pages arrive.</li>
      <li>
        <a href=${linkTo('/monitors/new')}>Watch a value</a> by picking it on the page, and be notified when it changes.
      </li>
    </ol>
  </section>`;
}

function Balance({ usage }: { readonly usage: unknown }): VNode {
  const remaining = getNumber(usage, 'credits_remaining');
  const used = getNumber(usage, 'credits_used') ?? 0;
  const reserved = getNumber(usage, 'credits_reserved') ?? 0;
  const cap = getNumber(usage, 'daily_cap');
  const today = getNumber(usage, 'daily_used') ?? 0;
  return html`<dl class="figures">
    <${Figure} name="Remaining" value=${remaining === null ? 'no limit' : formatCount(remaining)}>
      ${remaining === null ? null : html`<${ProgressBar} label="Credits used" done=${used} total=${used + remaining} />`}
    <//>
    <${Figure} name="Used in this cycle" value=${formatCount(used)}>
      until <${Timestamp} at=${getText(usage, 'cycle', 'end')} mode="short" />
    <//>
    <${Figure} name="Used today" value=${formatCount(today)}>
      ${cap === null ? 'no daily cap' : `of ${formatCount(cap)} a day`}
    <//>
    <${Figure} name="Reserved" value=${formatCount(reserved)}>by running calls<//>
  </dl>`;
}

type FigureProps = { readonly name: string; readonly value: string; readonly children?: unknown };

function Figure({ name, value, children }: FigureProps): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd><span class="figure">${value}</span><span class="faint">${children}</span></dd>
  </div>`;
}

const JOB_COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Job',
    width: 'minmax(8rem, 1fr)',
    cell: (job) => html`<a href=${linkTo(`/jobs/${getText(job, 'id')}`)}>${getText(job, 'kind')}</a>`,
  },
  {
    title: 'What',
    width: 'minmax(12rem, 3fr)',
    cell: (job) => html`<${UntrustedText} text=${describeJob(job)} maxLength=${300} />`,
  },
  { title: 'State', width: '8rem', cell: (job) => html`<${Badge} word=${getText(job, 'status')} />` },
  {
    title: 'Done',
    width: '8rem',
    isNumber: true,
    cell: (job) => {
      const total = getNumber(job, 'progress', 'total') ?? getNumber(job, 'progress', 'discovered');
      return `${formatCount(getNumber(job, 'progress', 'completed') ?? 0)}${total === null ? '' : ` / ${formatCount(total)}`}`;
    },
  },
  {
    title: 'Since',
    width: '9rem',
    cell: (job) => html`<${Timestamp} at=${getText(job, 'started_at') || getText(job, 'created_at')} />`,
  },
];

function Jobs({ jobs }: { readonly jobs: readonly unknown[] }): VNode {
  if (jobs.length === 0)
    return html`<${EmptyState} title="Nothing is running.">
      Crawls, maps and other jobs appear here while they run.
    <//>`;
  return html`<${DataTable}
    label="Running jobs"
    columns=${JOB_COLUMNS}
    rows=${jobs}
    rowKey=${(job: unknown) => getText(job, 'id')}
    onOpen=${(job: unknown) => goTo(`/jobs/${getText(job, 'id')}`)}
  />`;
}

const FAILURE_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '9rem', cell: (one) => html`<${Timestamp} at=${getText(one, 'at')} />` },
  { title: 'Operation', width: 'minmax(8rem, 2fr)', cell: (one) => getText(one, 'operation') },
  {
    title: 'URL',
    width: 'minmax(10rem, 3fr)',
    cell: (one) =>
      getText(one, 'url') === '' ? '–' : html`<${UntrustedText} text=${getText(one, 'url')} maxLength=${300} />`,
  },
  { title: 'Failure', width: 'minmax(10rem, 2fr)', cell: (one) => html`<code>${getText(one, 'code')}</code>` },
  { title: 'Status', width: '5rem', isNumber: true, cell: (one) => String(getNumber(one, 'status') ?? '') },
  {
    title: 'Request',
    width: 'minmax(12rem, 3fr)',
    cell: (one) =>
      html`<a href=${linkTo('/usage', { request: getText(one, 'id') })}><code>${getText(one, 'id')}</code></a>`,
  },
];

function Failures({ requests }: { readonly requests: readonly unknown[] }): VNode {
  const failed = requests.filter((one) => getText(one, 'code') !== '').slice(0, MAX_ROWS);
  if (failed.length === 0)
    return html`<${EmptyState} title="Nothing failed in the last 24 hours."
      >Failed calls cost nothing and are listed here with their error.<//
    >`;
  return html`<${DataTable}
    label="Last failures"
    columns=${FAILURE_COLUMNS}
    rows=${failed}
    rowKey=${(one: unknown) => getText(one, 'id')}
    onOpen=${(one: unknown) => goTo('/usage', { request: getText(one, 'id') })}
  />`;
}
