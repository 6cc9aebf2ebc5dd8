import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { usePagedList } from '#console/app/paged-list.ts';
import { listAt, numberAt, textAt } from '#console/app/reading.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery } from '#console/app/router.ts';
import type { ViewProps } from '#console/app/router.ts';
import { SelectField, SearchBox } from '#console/parts/choices.ts';
import { Empty } from '#console/parts/empty.ts';
import { FailureNote } from '#console/parts/failure.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable } from '#console/parts/table.ts';
import type { TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/time.ts';
import { targetOfJob } from './job-target.ts';

const OFTEN_MS = 4000;
const NEWEST = 30;
const STATUSES = [
  ['', 'any'],
  ['queued', 'queued'],
  ['running', 'running'],
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['expired', 'expired'],
] as const;

const COLUMNS: readonly TableColumn<unknown>[] = [
  {
    title: 'Job',
    width: 'minmax(8rem, 1fr)',
    cell: (job) => html`<a href=${linkTo(`/jobs/${textAt(job, 'id')}`)}>${textAt(job, 'kind')}</a>`,
  },
  {
    title: 'What',
    width: 'minmax(12rem, 4fr)',
    cell: (job) => html`<${Foreign} text=${targetOfJob(job)} most=${200} />`,
  },
  { title: 'State', width: '8rem', cell: (job) => html`<${Badge} word=${textAt(job, 'status')} />` },
  {
    title: 'Done',
    width: '6rem',
    isNumber: true,
    cell: (job) => toCount(numberAt(job, 'progress', 'completed') ?? 0),
  },
  {
    title: 'Failed',
    width: '6rem',
    isNumber: true,
    cell: (job) => toCount(numberAt(job, 'progress', 'failed') ?? 0),
  },
  {
    title: 'Credits',
    width: '6rem',
    isNumber: true,
    cell: (job) => toCount(numberAt(job, 'usage', 'credits') ?? 0),
  },
  { title: 'Submitted', width: '9rem', cell: (job) => html`<${When} at=${textAt(job, 'created_at')} />` },
];

/** The jobs of the tenant, newest first; the newest are read again while one looks. */
export function JobList({ query }: ViewProps): VNode {
  const { kind = '', status = '' } = query;
  const { rows, isRead, failure, readMore, reload } = usePagedList('/v1/jobs', { query: { kind, status } });
  const newest = useResource('/v1/jobs', { query: { kind, status, limit: NEWEST }, everyMs: OFTEN_MS });
  const shown = mergeNewest(rows, listAt(newest.body, 'data'));
  const isFiltered = kind !== '' || status !== '';
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Jobs</h1>
      <a class="button primary" href=${linkTo('/playground/crawl')}>New crawl</a>
    </div>
    <div class="toolbar">
      <${SearchBox}
        label="Kind, such as crawl"
        value=${kind}
        onInput=${(text: string) => replaceQuery({ ...query, kind: text.trim() || undefined })}
      />
      <${SelectField}
        label="State"
        value=${status}
        options=${STATUSES}
        onChoose=${(word: string) => replaceQuery({ ...query, status: word || undefined })}
      />
    </div>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} onRetry=${reload} />`}
    ${
      shown.length > 0
        ? html`<${DataTable}
            label="Jobs"
            columns=${COLUMNS}
            rows=${shown}
            keyOf=${(job: unknown) => textAt(job, 'id')}
            onOpen=${(job: unknown) => goTo(`/jobs/${textAt(job, 'id')}`)}
            onEnd=${readMore}
          />`
        : isRead
          ? html`<${Empty} title=${isFiltered ? 'No job fits.' : 'No jobs yet.'}>
              ${
                isFiltered
                  ? 'A kind is the whole id of an operation, such as crawl or video.search.'
                  : 'Crawls, maps and whatever else may take long run as jobs and are kept here for 90 days.'
              }
            <//>`
          : html`<p class="loading" aria-busy="true">Loading …</p>`
    }
  </div>`;
}

/** The rows with the newest records in them: what is new comes first, what is known is replaced. */
function mergeNewest(rows: readonly unknown[], newest: readonly unknown[]): readonly unknown[] {
  if (newest.length === 0) return rows;
  const fresh = new Map(newest.map((job) => [textAt(job, 'id'), job]));
  const known = new Set(rows.map((job) => textAt(job, 'id')));
  return [
    ...newest.filter((job) => !known.has(textAt(job, 'id'))),
    ...rows.map((job) => fresh.get(textAt(job, 'id')) ?? job),
  ];
}
