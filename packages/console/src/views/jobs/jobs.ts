import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLiveList, useSearchedRows, useSeenWords } from '#console/app/paged-list.ts';
import { numberAt, textAt } from '#console/app/json.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { SelectField, SearchBox } from '#console/parts/controls.ts';
import { Empty, FailureNote } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { toCount, When } from '#console/parts/format.ts';
import { targetOfJob } from './describe-job.ts';

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
    width: 'minmax(6rem, 1fr)',
    cell: (job) => html`<a href=${linkTo(`/jobs/${textAt(job, 'id')}`)}>${textAt(job, 'kind')}</a>`,
  },
  {
    title: 'What',
    width: 'minmax(12rem, 4fr)',
    cell: (job) => html`<${Foreign} text=${targetOfJob(job)} most=${200} />`,
  },
  { title: 'State', width: '7rem', cell: (job) => html`<${Badge} word=${textAt(job, 'status')} />` },
  {
    title: 'Done',
    width: '4.5rem',
    isNumber: true,
    cell: (job) => toCount(numberAt(job, 'progress', 'completed') ?? 0),
  },
  {
    title: 'Failed',
    width: '4rem',
    isNumber: true,
    cell: (job) => toCount(numberAt(job, 'progress', 'failed') ?? 0),
  },
  {
    title: 'Credits',
    width: '4.5rem',
    isNumber: true,
    cell: (job) => toCount(numberAt(job, 'usage', 'credits') ?? 0),
  },
  { title: 'Submitted', width: '8rem', cell: (job) => html`<${When} at=${textAt(job, 'created_at')} />` },
];

/** The jobs of the tenant, newest first; the newest are read again while one looks. */
export function JobList({ query }: ViewProps): VNode {
  const { kind = '', status = '', q = '' } = query;
  const list = useLiveList('/v1/jobs', { kind, status });
  const { rows, isRead, failure, readMore, reload } = list;
  const { found, isCut } = useSearchedRows(list, q, toJobText);
  const kinds = useSeenWords(rows, 'kind', kind);
  const isFiltered = kind !== '' || status !== '' || q !== '';
  return html`<div class="view">
    <div class="view-head">
      <h1 tabIndex=${-1}>Jobs</h1>
      <a class="button primary" href=${linkTo('/playground/crawl')}>New crawl</a>
    </div>
    <div class="toolbar">
      <${SearchBox}
        label="Search kinds and targets"
        value=${q}
        onInput=${(text: string) => replaceQuery({ ...query, q: text || undefined })}
      />
      <${SelectField}
        label="Kind"
        value=${kind}
        options=${[['', 'any'], ...kinds.map((one) => [one, one])]}
        onChoose=${(word: string) => replaceQuery({ ...query, kind: word || undefined })}
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
      found.length > 0
        ? html`<${DataTable}
            label="Jobs"
            columns=${COLUMNS}
            rows=${found}
            keyOf=${(job: unknown) => textAt(job, 'id')}
            onOpen=${(job: unknown) => goTo(`/jobs/${textAt(job, 'id')}`)}
            onEnd=${readMore}
          />`
        : isRead
          ? html`<${Empty} title=${isFiltered ? 'No job fits.' : 'No jobs yet.'}>
              ${
                isFiltered
                  ? 'Take a filter away, or search for other words of the kind, the URL or the id.'
                  : 'Crawls, maps and whatever else may take long run as jobs and are kept here for 90 days.'
              }
            <//>`
          : html`<p class="loading" aria-busy="true">Loading …</p>`
    }
    ${isCut ? html`<p class="faint">Only the newest ${toCount(rows.length)} jobs were searched.</p>` : null}
  </div>`;
}

/** What a search looks for in a job. */
function toJobText(job: unknown): string {
  return `${textAt(job, 'kind')} ${targetOfJob(job)} ${textAt(job, 'id')}`;
}
