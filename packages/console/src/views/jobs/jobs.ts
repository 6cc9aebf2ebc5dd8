import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useLiveList, useRowSearch, useKnownValues } from '#console/app/paged-list.ts';
import { getNumber, getText } from '#console/app/json.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { SelectField, SearchBox } from '#console/parts/controls.ts';
import { EmptyState, FailureNote } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { Badge } from '#console/parts/status.ts';
import { DataTable, type TableColumn } from '#console/parts/table.ts';
import { formatCount, Timestamp } from '#console/parts/format.ts';
import { describeJob } from './describe-job.ts';

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
    cell: (job) => html`<a href=${linkTo(`/jobs/${getText(job, 'id')}`)}>${getText(job, 'kind')}</a>`,
  },
  {
    title: 'What',
    width: 'minmax(12rem, 4fr)',
    cell: (job) => html`<${UntrustedText} text=${describeJob(job)} maxLength=${200} />`,
  },
  { title: 'State', width: '7rem', cell: (job) => html`<${Badge} word=${getText(job, 'status')} />` },
  {
    title: 'Done',
    width: '4.5rem',
    isNumber: true,
    cell: (job) => formatCount(getNumber(job, 'progress', 'completed') ?? 0),
  },
  {
    title: 'Failed',
    width: '4rem',
    isNumber: true,
    cell: (job) => formatCount(getNumber(job, 'progress', 'failed') ?? 0),
  },
  {
    title: 'Credits',
    width: '4.5rem',
    isNumber: true,
    cell: (job) => formatCount(getNumber(job, 'usage', 'credits') ?? 0),
  },
  { title: 'Submitted', width: '8rem', cell: (job) => html`<${Timestamp} at=${getText(job, 'created_at')} />` },
];

/** The jobs of the tenant, newest first; the newest are refreshed. */
export function JobList({ query }: ViewProps): VNode {
  const { kind = '', status = '', q = '' } = query;
  const list = useLiveList('/v1/jobs', { kind, status });
  const { rows, isLoaded, failure, loadMore, reload } = list;
  const { found, isCut } = useRowSearch(list, q, buildSearchText);
  const kinds = useKnownValues(rows, 'kind', kind);
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
            rowKey=${(job: unknown) => getText(job, 'id')}
            onOpen=${(job: unknown) => goTo(`/jobs/${getText(job, 'id')}`)}
            onEnd=${loadMore}
          />`
        : isLoaded
          ? html`<${EmptyState} title=${isFiltered ? 'No job matches.' : 'No jobs yet.'}>
              ${
                isFiltered
                  ? 'Remove a filter, or search for another kind, URL or id.'
                  : 'Crawls, maps and other long work run as jobs, which are listed here for 90 days.'
              }
            <//>`
          : html`<p class="loading" aria-busy="true">Loading …</p>`
    }
    ${isCut ? html`<p class="faint">Only the newest ${formatCount(rows.length)} jobs were searched.</p>` : null}
  </div>`;
}

/** Builds the text of a job that a search looks through. */
function buildSearchText(job: unknown): string {
  return `${getText(job, 'kind')} ${describeJob(job)} ${getText(job, 'id')}`;
}
