import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { USAGE_PATH } from '#console/app/early-requests.ts';
import { listAt, numberAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, type ViewProps } from '#console/app/router.ts';
import { Empty, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge, ProgressBar } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/format.ts';
import { targetOfJob } from './jobs/describe-job.ts';

const OFTEN_MS = 5000;
const SELDOM_MS = 30_000;
const MAX_ROWS = 8;

/** What matters now: credits, what runs, what failed lately, and for a new tenant what to do first. */
export function Overview(_props: ViewProps): VNode {
  const usage = useResource(USAGE_PATH, { everyMs: SELDOM_MS });
  const running = useResource('/v1/jobs', { query: { status: 'running', limit: MAX_ROWS }, everyMs: OFTEN_MS });
  const queued = useResource('/v1/jobs', { query: { status: 'queued', limit: MAX_ROWS }, everyMs: OFTEN_MS });
  const requests = useResource('/v1/requests', { query: { limit: 100 }, everyMs: SELDOM_MS });
  const isNew = requests.body !== undefined && listAt(requests.body, 'data').length === 0;
  return html`<div class="view">
    <h1 tabIndex=${-1}>Overview</h1>
    ${isNew ? html`<${FirstSteps} />` : null}
    <section aria-labelledby="credits">
      <h2 id="credits">Credits</h2>
      <${ResourceView} of=${usage}>${(body: unknown) => html`<${Balance} usage=${body} />`}<//>
    </section>
    <section aria-labelledby="running">
      <h2 id="running">Running now</h2>
      <${ResourceView} of=${running}>
        ${(body: unknown) => html`<${Jobs} jobs=${[...listAt(body, 'data'), ...listAt(queued.body, 'data')]} />`}
      <//>
    </section>
    <section aria-labelledby="failures">
      <h2 id="failures">Last failures</h2>
      <${ResourceView} of=${requests}>${(body: unknown) => html`<${Failures} requests=${listAt(body, 'data')} />`}<//>
    </section>
  </div>`;
}

function FirstSteps(): VNode {
  return html`<section class="first-steps" aria-labelledby="first">
    <h2 id="first">What to do first</h2>
    <ol>
      <li><a href=${linkTo('/playground/fetch')}>Fetch a page</a> and see it as Markdown, text, links or a picture.</li>
      <li><a href=${linkTo('/playground/crawl')}>Crawl a site</a> and watch its pages come.</li>
      <li>
        <a href=${linkTo('/monitors/new')}>Watch a value</a> by picking it on the page, and be told when it changes.
      </li>
    </ol>
  </section>`;
}

function Balance({ usage }: { readonly usage: unknown }): VNode {
  const remaining = numberAt(usage, 'credits_remaining');
  const used = numberAt(usage, 'credits_used') ?? 0;
  const reserved = numberAt(usage, 'credits_reserved') ?? 0;
  const cap = numberAt(usage, 'daily_cap');
  const today = numberAt(usage, 'daily_used') ?? 0;
  return html`<dl class="figures">
    <${Figure} name="Left" value=${remaining === null ? 'no limit' : toCount(remaining)}>
      ${remaining === null ? null : html`<${ProgressBar} label="Credits used" done=${used} total=${used + remaining} />`}
    <//>
    <${Figure} name="Used in this cycle" value=${toCount(used)}>
      until <${When} at=${textAt(usage, 'cycle', 'end')} mode="short" />
    <//>
    <${Figure} name="Used today" value=${toCount(today)}>
      ${cap === null ? 'no daily cap' : `of ${toCount(cap)} a day`}
    <//>
    <${Figure} name="Reserved" value=${toCount(reserved)}>by running calls<//>
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
    cell: (job) => html`<a href=${linkTo(`/jobs/${textAt(job, 'id')}`)}>${textAt(job, 'kind')}</a>`,
  },
  {
    title: 'What',
    width: 'minmax(12rem, 3fr)',
    cell: (job) => html`<${Foreign} text=${targetOfJob(job)} most=${300} />`,
  },
  { title: 'State', width: '8rem', cell: (job) => html`<${Badge} word=${textAt(job, 'status')} />` },
  {
    title: 'Done',
    width: '8rem',
    isNumber: true,
    cell: (job) => {
      const total = numberAt(job, 'progress', 'total') ?? numberAt(job, 'progress', 'discovered');
      return `${toCount(numberAt(job, 'progress', 'completed') ?? 0)}${total === null ? '' : ` / ${toCount(total)}`}`;
    },
  },
  {
    title: 'Since',
    width: '9rem',
    cell: (job) => html`<${When} at=${textAt(job, 'started_at') || textAt(job, 'created_at')} />`,
  },
];

function Jobs({ jobs }: { readonly jobs: readonly unknown[] }): VNode {
  if (jobs.length === 0)
    return html`<${Empty} title="Nothing runs.">
      Crawls, maps and whatever you submit as a job appear here while they work.
    <//>`;
  return html`<${DataTable}
    label="Running jobs"
    columns=${JOB_COLUMNS}
    rows=${jobs}
    keyOf=${(job: unknown) => textAt(job, 'id')}
    onOpen=${(job: unknown) => goTo(`/jobs/${textAt(job, 'id')}`)}
  />`;
}

const FAILURE_COLUMNS: readonly TableColumn<unknown>[] = [
  { title: 'When', width: '9rem', cell: (one) => html`<${When} at=${textAt(one, 'at')} />` },
  { title: 'Operation', width: 'minmax(8rem, 2fr)', cell: (one) => textAt(one, 'operation') },
  {
    title: 'URL',
    width: 'minmax(10rem, 3fr)',
    cell: (one) => (textAt(one, 'url') === '' ? '–' : html`<${Foreign} text=${textAt(one, 'url')} most=${300} />`),
  },
  { title: 'Failure', width: 'minmax(10rem, 2fr)', cell: (one) => html`<code>${textAt(one, 'code')}</code>` },
  { title: 'Status', width: '5rem', isNumber: true, cell: (one) => String(numberAt(one, 'status') ?? '') },
  {
    title: 'Request',
    width: 'minmax(12rem, 3fr)',
    cell: (one) =>
      html`<a href=${linkTo('/usage', { request: textAt(one, 'id') })}><code>${textAt(one, 'id')}</code></a>`,
  },
];

function Failures({ requests }: { readonly requests: readonly unknown[] }): VNode {
  const failed = requests.filter((one) => textAt(one, 'code') !== '').slice(0, MAX_ROWS);
  if (failed.length === 0)
    return html`<${Empty} title="Nothing failed in the last 24 hours."
      >Failed calls cost nothing and stand here with their cause.<//
    >`;
  return html`<${DataTable}
    label="Last failures"
    columns=${FAILURE_COLUMNS}
    rows=${failed}
    keyOf=${(one: unknown) => textAt(one, 'id')}
    onOpen=${(one: unknown) => goTo('/usage', { request: textAt(one, 'id') })}
  />`;
}
