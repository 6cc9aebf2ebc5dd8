import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { callApi, sendRequest, toApiFailure } from '#console/app/api.ts';
import { useEventStream } from '#console/app/event-stream.ts';
import { isRecord, isTrue, parseJson, getList, getNumber, getRecord, getText } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { runAfter, second, getServiceTime } from '#console/app/service-clock.ts';
import { SelectField } from '#console/parts/controls.ts';
import { ConfirmDialog } from '#console/parts/dialog.ts';
import { EmptyState, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { UntrustedText } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { Badge, ProgressBar } from '#console/parts/status.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import { formatCount, formatDuration, Timestamp } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { AnswerTabs } from '#console/views/playground/answer-view.ts';
import { CrawlPages, SiteTree } from './crawl-pages.ts';
import { isJobEnded, describeJob } from './describe-job.ts';

/** One job: its progress, its result, and the actions on it. */
export function JobDetail({ params, query }: ViewProps): VNode {
  const id = params['id'] ?? '';
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const read = useResource(path);
  const isFollowed = read.body !== undefined && !isJobEnded(read.body);
  const { state: live, failure } = useEventStream<unknown>(
    isFollowed ? `${path}/events` : null,
    null,
    (_before, { data }) => data,
  );
  // After a cancellation, the loaded job may be newer than the last event.
  const job = isFollowed ? (live ?? read.body) : read.body;
  return html`<div class="view" key=${id}>
    <div class="view-head">
      <h1 tabIndex=${-1}>${job === undefined ? 'Job' : getText(job, 'kind')}</h1>
      ${isRecord(job) ? html`<${JobActions} job=${job} onChanged=${read.reload} />` : null}
    </div>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
    <${ResourceView} resource=${read}>${() => html`<${JobBody} job=${job} query=${query} />`}<//>
  </div>`;
}

type JobBodyProps = { readonly job: unknown; readonly query: Readonly<Record<string, string>> };

function JobBody({ job, query }: JobBodyProps): VNode {
  const isCrawl = getText(job, 'kind') === 'crawl';
  const problem = getText(job, 'error', 'message');
  const input: TabSpec = {
    name: 'input',
    title: 'Input',
    show: () => html`<${JsonTree} label="Input" value=${getRecord(job, 'input')} />`,
  };
  const result: TabSpec = { name: 'result', title: 'Result', show: () => html`<${JobResult} job=${job} />` };
  const pages: TabSpec = {
    name: 'pages',
    title: 'Pages',
    show: () => html`<${CrawlPages} job=${job} query=${query} />`,
  };
  const tree: TabSpec = { name: 'tree', title: 'Tree', show: () => html`<${SiteTree} job=${job} />` };
  return html`<p>
      <span role="status"><${Badge} word=${getText(job, 'status')} /></span>${' '}
      <${UntrustedText} text=${describeJob(job)} maxLength=${500} />
      <code class="faint"> ${getText(job, 'id')}</code>
    </p>
    ${
      problem === ''
        ? null
        : html`<div class="note note-bad" role="alert">
            <p><strong dir="auto">${problem}</strong></p>
            <p class="faint"><code>${getText(job, 'error', 'code')}</code></p>
          </div>`
    }
    <${JobProgress} job=${job} />
    <${Tabs}
      label="Job"
      tabs=${isCrawl ? [pages, tree, result, input] : [result, input]}
      open=${query['tab']}
      onOpen=${(name: string) => replaceQuery({ ...query, tab: name })}
    />
    ${
      isRecord(job) && isRecord(job['webhook'])
        ? html`<p><a href=${linkTo('/webhooks', { job_id: getText(job, 'id') })}>Webhook deliveries</a></p>`
        : null
    }`;
}

type JobResultProps = { readonly job: unknown };

/** The result of a job; only the start of a long list. */
function JobResult({ job }: JobResultProps): VNode {
  const isEnded = isJobEnded(job);
  const hasResult = ['completed', 'cancelled'].includes(getText(job, 'status'));
  const query = getText(job, 'kind') === 'crawl' ? { outline: 'true', limit: 50 } : { partial: 'true' };
  const result = useResource(hasResult ? `/v1/jobs/${encodeURIComponent(getText(job, 'id'))}/result` : null, {
    query: getText(job, 'status') === 'cancelled' ? { ...query, partial: 'true' } : query,
  });
  if (!hasResult) {
    return html`<${EmptyState} title=${isEnded ? 'There is no result.' : 'Not yet.'}>
      ${isEnded ? 'The reason is shown above.' : 'The result appears here when the job has ended.'}
    <//>`;
  }
  return html`<${ResourceView} resource=${result}>
    ${(body: unknown) => html`<${AnswerTabs} body=${isRecord(body) ? body : {}} />`}
  <//>`;
}

type JobProgressProps = { readonly job: unknown };

/** Figures of a job and, while a crawl runs, its rate, its remaining time and its latest pages. */
function JobProgress({ job }: JobProgressProps): VNode {
  const isEnded = isJobEnded(job);
  const isCrawl = getText(job, 'kind') === 'crawl';
  const [completed, failed] = [getNumber(job, 'progress', 'completed') ?? 0, getNumber(job, 'progress', 'failed') ?? 0];
  const pending = getNumber(job, 'progress', 'pending');
  const total = getNumber(job, 'progress', 'total');
  const rate = getNumber(job, 'live', 'pages_per_minute');
  const eta = getNumber(job, 'live', 'eta_seconds');
  return html`<section class="view" aria-label="Progress">
    ${isEnded ? null : html`<${ProgressBar} label="Progress" done=${completed + (isCrawl ? 0 : failed)} total=${isCrawl ? computeExpectedPages(job) : total} />`}
    <dl class="figures">
      <${JobFigure}
        name="Done"
        value=${formatCount(completed)}
        note=${total === null ? '' : `of ${formatCount(total)}`}
      />
      <${JobFigure} name="Failed" value=${formatCount(failed)} note="" />
      ${pending === null ? null : html`<${JobFigure} name=${isEnded ? 'Not visited' : 'In the queue'} value=${formatCount(pending)} note="" />`}
      <${JobFigure} name="Credits" value=${formatCount(getNumber(job, 'usage', 'credits') ?? 0)} note="" />
      ${rate === null || isEnded ? null : html`<${JobFigure} name="Pages per minute" value=${formatCount(Math.round(rate))} note="" />`}
      ${eta === null || isEnded ? null : html`<${JobFigure} name="Remaining" value=${formatDuration(eta * 1000)} note="at this rate" />`}
      <${JobFigure}
        name=${isEnded ? 'Took' : 'Running for'}
        value=${formatRunTime(job, second.value)}
        note=${describeStop(job)}
      />
    </dl>
    ${isEnded ? html`<${Times} job=${job} />` : html`<${LatestPages} pages=${getList(job, 'live', 'latest')} />`}
  </section>`;
}

/** Computes the expected number of pages: completed and pending ones, at most `max_pages`; null if unknown. */
function computeExpectedPages(job: unknown): number | null {
  const waiting = getNumber(job, 'progress', 'pending');
  if (waiting === null) return null;
  const known = (getNumber(job, 'progress', 'completed') ?? 0) + waiting;
  return Math.min(known, getNumber(job, 'input', 'max_pages') ?? known);
}

type JobFigureProps = { readonly name: string; readonly value: string; readonly note: string };

function JobFigure({ name, value, note }: JobFigureProps): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd><span class="figure">${value}</span><span class="faint">${note}</span></dd>
  </div>`;
}

/** Formats the time from start to end, or until now. `_second` is passed so that the caller renders every second. */
function formatRunTime(job: unknown, _second: number): string {
  const [start, end] = [Date.parse(getText(job, 'started_at')), Date.parse(getText(job, 'finished_at'))];
  if (Number.isNaN(start)) return '–';
  return formatDuration(Math.max(0, (Number.isNaN(end) ? getServiceTime() : end) - start));
}

/** Describes why a job stopped early; a crawl reports it in its result. Empty if it did not. */
function describeStop(job: unknown): string {
  const ofCrawl = isTrue(job, 'result', 'complete') ? '' : getText(job, 'result', 'stop_reason');
  const reason = getText(job, 'stop_reason') || ofCrawl;
  return reason === '' ? '' : `stopped by ${reason}`;
}

function describeExpiry(job: unknown): string {
  const why = getText(job, 'evicted_for');
  if (why === 'plan')
    return 'Its result was deleted: it was among your oldest, and your results exceeded the storage of your plan.';
  if (why === 'disk') return 'Its result was deleted: the disk of the service was full.';
  return 'Its result has expired or was deleted.';
}

function Times({ job }: JobProgressProps): VNode {
  if (getText(job, 'status') === 'expired') return html`<p class="note">${describeExpiry(job)}</p>`;
  return html`<p class="faint">
    Ended <${Timestamp} at=${getText(job, 'finished_at')} />; its result is stored until${' '}
    <${Timestamp} at=${getText(job, 'expires_at')} mode="short" />.
  </p>`;
}

type LatestPagesProps = { readonly pages: readonly unknown[] };

function LatestPages({ pages }: LatestPagesProps): VNode | null {
  if (pages.length === 0) return null;
  return html`<section aria-labelledby="latest">
    <h2 id="latest">Latest pages</h2>
    <ol class="lines">
      ${pages.map(
        (page) =>
          html`<li key=${getText(page, 'url')}>
            <${Badge}
              word=${String(getNumber(page, 'status_code') ?? (getText(page, 'code') || getText(page, 'state')))}
              tone=${getText(page, 'state') === 'stored' ? 'good' : 'bad'}
            />
            <${UntrustedText} text=${getText(page, 'title') || getText(page, 'url')} maxLength=${90} />
          </li>`,
      )}
    </ol>
  </section>`;
}

/** Replaces a secret in the input of a job. */
const MASK = '********';
/** How long the URL of a download stays valid, so that the browser can start to save it. */
const DOWNLOAD_URL_MS = 60_000;

/** The formats of a whole result, and how they are named. */
const DOWNLOADS: readonly (readonly [format: string, title: string])[] = [
  ['jsonl', 'JSONL'],
  ['csv', 'CSV'],
  ['parquet', 'Parquet'],
  ['zip', 'ZIP of Markdown files'],
  ['llms.txt', 'llms.txt'],
  ['llms-full.txt', 'llms-full.txt'],
];
const ARCHIVE_DOWNLOAD = ['warc', 'WARC'] as const;

function listDownloads(input: Readonly<Record<string, unknown>>): readonly (readonly [string, string])[] {
  return isTrue(input, 'archive') ? [...DOWNLOADS, ARCHIVE_DOWNLOAD] : DOWNLOADS;
}

/** The name of the file that a job is downloaded to. */
function getFileName(id: string, format: string): string {
  if (format === 'warc') return `${id}.warc.gz`;
  return format.startsWith('llms') ? `${id}-${format}` : `${id}.${format}`;
}

type JobActionsProps = { readonly job: unknown; readonly onChanged: () => void };

/** Cancel, run again, download and delete. */
function JobActions({ job, onChanged }: JobActionsProps): VNode {
  const [asked, setAsked] = useState<'cancel' | 'delete' | null>(null);
  const [exported, setExported] = useState('');
  const [id, kind] = [getText(job, 'id'), getText(job, 'kind')];
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const isEnded = isJobEnded(job);
  const hasResult = ['completed', 'cancelled'].includes(getText(job, 'status'));
  const input = getRecord(job, 'input');

  /** Downloads the result; the field shows the format meanwhile. */
  async function exportAs(format: string): Promise<void> {
    if (format === '') return;
    setExported(format);
    await download(`${path}/result?partial=true&format=${format}`, getFileName(id, format));
    setExported('');
  }
  async function remove(): Promise<void> {
    const answer = await callApi('DELETE', path);
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    if (isEnded) goTo('/jobs');
    else onChanged();
    notify(isEnded ? 'Result deleted.' : 'Cancelling the job.', 'good');
  }
  async function runAgain(): Promise<void> {
    if (JSON.stringify(input).includes(MASK)) {
      notify('The input contains hidden secrets: enter them again.', 'warn');
      return goTo(`/playground/${kind}`, { input: JSON.stringify(input) });
    }
    const answer = await callApi('POST', '/v1/jobs', { body: { kind, input } });
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    goTo(`/jobs/${getText(answer.body, 'id')}`);
    notify('Job started again.', 'good');
  }

  return html`<div class="actions">
    ${
      hasResult
        ? html`<${SelectField}
            label="Download"
            value=${exported}
            options=${[['', 'as …'], ...listDownloads(input)]}
            onChoose=${(format: string) => void exportAs(format)}
          />`
        : null
    }
    ${isEnded ? html`<button type="button" onClick=${() => void runAgain()}>Run again</button>` : null}
    <a class="button" href=${linkTo(`/playground/${kind}`, { input: JSON.stringify(input) })}>Edit & rerun</a>
    <button type="button" class="danger" onClick=${() => setAsked(isEnded ? 'delete' : 'cancel')}>
      ${isEnded ? 'Delete' : 'Cancel'}
    </button>
    ${
      asked === null
        ? null
        : html`<${ConfirmDialog}
            title=${asked === 'delete' ? 'Delete the result?' : 'Cancel the job?'}
            verb=${asked === 'delete' ? 'Delete' : 'Cancel the job'}
            onConfirm=${() => void remove()}
            onClose=${() => setAsked(null)}
          >
            <p>
              ${
                asked === 'delete'
                  ? 'This deletes its pages and files; its cost is not refunded.'
                  : 'Pages fetched so far are stored and charged; nothing more is fetched.'
              }
            </p>
          <//>`
    }
  </div>`;
}

/** Saves the response of a path as a file. A plain link cannot send the header of the session. */
async function download(path: string, name: string): Promise<void> {
  notify('Preparing the download …');
  const response = await sendRequest('GET', path, { timeoutMs: Infinity });
  if (!(response instanceof Response)) return notify(response.message, 'bad');
  if (!response.ok) return notify(toApiFailure(response, parseJson(await response.text())).message, 'bad');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  runAfter(DOWNLOAD_URL_MS, () => URL.revokeObjectURL(url));
}
