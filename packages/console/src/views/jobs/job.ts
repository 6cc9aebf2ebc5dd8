import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import { call, send, toApiFailure } from '#console/app/api.ts';
import { useEvents } from '#console/app/event-stream.ts';
import { isRecord, isTrueAt, jsonIn, listAt, numberAt, recordAt, textAt } from '#console/app/json.ts';
import { useResource } from '#console/app/resource.ts';
import { goTo, linkTo, replaceQuery, type ViewProps } from '#console/app/router.ts';
import { doLater, second, serviceNow } from '#console/app/service-clock.ts';
import { Confirm } from '#console/parts/dialog.ts';
import { Empty, FailureNote, ResourceView } from '#console/parts/view-states.ts';
import { Foreign } from '#console/parts/untrusted.ts';
import { JsonTree } from '#console/parts/json-tree.ts';
import { Badge, ProgressBar } from '#console/parts/status.ts';
import { Tabs, type TabSpec } from '#console/parts/tabs.ts';
import { toCount, toDuration, When } from '#console/parts/format.ts';
import { notify } from '#console/parts/toast.ts';
import { AnswerTabs } from '#console/views/playground/answer-view.ts';
import { CrawlPages, SiteTree } from './crawl-pages.ts';
import { isEndedJob, targetOfJob } from './describe-job.ts';

/** One job: how far it is while it runs, what it found, and what can be done about it. */
export function JobDetail({ params, query }: ViewProps): VNode {
  const id = params['id'] ?? '';
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const read = useResource(path);
  const isFollowed = read.body !== undefined && !isEndedJob(read.body);
  const { state: live, failure } = useEvents<unknown>(
    isFollowed ? `${path}/events` : null,
    null,
    (_before, { data }) => data,
  );
  // What was read after a cancellation may be newer than the last event.
  const job = isFollowed ? (live ?? read.body) : read.body;
  return html`<div class="view" key=${id}>
    <div class="view-head">
      <h1 tabIndex=${-1}>${job === undefined ? 'Job' : textAt(job, 'kind')}</h1>
      ${isRecord(job) ? html`<${JobActions} job=${job} onChanged=${read.reload} />` : null}
    </div>
    ${failure === null ? null : html`<${FailureNote} failure=${failure} />`}
    <${ResourceView} of=${read}>${() => html`<${JobBody} job=${job} query=${query} />`}<//>
  </div>`;
}

type JobBodyProps = { readonly job: unknown; readonly query: Readonly<Record<string, string>> };

function JobBody({ job, query }: JobBodyProps): VNode {
  const isCrawl = textAt(job, 'kind') === 'crawl';
  const problem = textAt(job, 'error', 'message');
  const input: TabSpec = {
    name: 'input',
    title: 'Input',
    show: () => html`<${JsonTree} label="Input" value=${recordAt(job, 'input')} />`,
  };
  const result: TabSpec = { name: 'result', title: 'Result', show: () => html`<${JobResult} job=${job} />` };
  const pages: TabSpec = {
    name: 'pages',
    title: 'Pages',
    show: () => html`<${CrawlPages} job=${job} query=${query} />`,
  };
  const tree: TabSpec = { name: 'tree', title: 'Tree', show: () => html`<${SiteTree} job=${job} />` };
  return html`<p>
      <span role="status"><${Badge} word=${textAt(job, 'status')} /></span>${' '}
      <${Foreign} text=${targetOfJob(job)} most=${500} />
      <code class="faint"> ${textAt(job, 'id')}</code>
    </p>
    ${
      problem === ''
        ? null
        : html`<div class="note note-bad" role="alert">
            <p><strong dir="auto">${problem}</strong></p>
            <p class="faint"><code>${textAt(job, 'error', 'code')}</code></p>
          </div>`
    }
    <${JobProgress} job=${job} />
    <${Tabs}
      label="Of this job"
      tabs=${isCrawl ? [pages, tree, result, input] : [result, input]}
      open=${query['tab']}
      onOpen=${(name: string) => replaceQuery({ ...query, tab: name })}
    />
    ${
      isRecord(job) && isRecord(job['webhook'])
        ? html`<p><a href=${linkTo('/webhooks', { job_id: textAt(job, 'id') })}>Deliveries of its webhook</a></p>`
        : null
    }`;
}

type JobResultProps = { readonly job: unknown };

/** What a job answered, the beginning of its list where that is long. */
function JobResult({ job }: JobResultProps): VNode {
  const isEnded = isEndedJob(job);
  const hasResult = ['completed', 'cancelled'].includes(textAt(job, 'status'));
  const query = textAt(job, 'kind') === 'crawl' ? { outline: 'true', limit: 50 } : { partial: 'true' };
  const result = useResource(hasResult ? `/v1/jobs/${encodeURIComponent(textAt(job, 'id'))}/result` : null, {
    query: textAt(job, 'status') === 'cancelled' ? { ...query, partial: 'true' } : query,
  });
  if (!hasResult) {
    return html`<${Empty} title=${isEnded ? 'There is no result.' : 'Not yet.'}>
      ${isEnded ? 'What the job says above names the reason.' : 'It stands here when the job has ended.'}
    <//>`;
  }
  return html`<${ResourceView} of=${result}>
    ${(body: unknown) => html`<${AnswerTabs} body=${isRecord(body) ? body : {}} />`}
  <//>`;
}

type JobProgressProps = { readonly job: unknown };

/** Figures of a job and, while a crawl runs, its rate, what is left and its last pages. */
function JobProgress({ job }: JobProgressProps): VNode {
  const isEnded = isEndedJob(job);
  const isCrawl = textAt(job, 'kind') === 'crawl';
  const [completed, failed] = [numberAt(job, 'progress', 'completed') ?? 0, numberAt(job, 'progress', 'failed') ?? 0];
  const pending = numberAt(job, 'progress', 'pending');
  const total = numberAt(job, 'progress', 'total');
  const rate = numberAt(job, 'live', 'pages_per_minute');
  const eta = numberAt(job, 'live', 'eta_seconds');
  return html`<section class="view" aria-label="Progress">
    ${isEnded ? null : html`<${ProgressBar} label="Progress" done=${completed + (isCrawl ? 0 : failed)} total=${isCrawl ? expectedPages(job) : total} />`}
    <dl class="figures">
      <${JobFigure} name="Done" value=${toCount(completed)} note=${total === null ? '' : `of ${toCount(total)}`} />
      <${JobFigure} name="Failed" value=${toCount(failed)} note="" />
      ${pending === null ? null : html`<${JobFigure} name=${isEnded ? 'Not visited' : 'In the queue'} value=${toCount(pending)} note="" />`}
      <${JobFigure} name="Credits" value=${toCount(numberAt(job, 'usage', 'credits') ?? 0)} note="" />
      ${rate === null || isEnded ? null : html`<${JobFigure} name="Pages a minute" value=${toCount(Math.round(rate))} note="" />`}
      ${eta === null || isEnded ? null : html`<${JobFigure} name="Left" value=${toDuration(eta * 1000)} note="at this rate" />`}
      <${JobFigure}
        name=${isEnded ? 'Took' : 'Running for'}
        value=${toRunTime(job, second.value)}
        note=${stopWord(job)}
      />
    </dl>
    ${isEnded ? html`<${Times} job=${job} />` : html`<${LatestPages} pages=${listAt(job, 'live', 'latest')} />`}
  </section>`;
}

/** The pages that a crawl will have as far as is known: what it has and what waits, and no more than it may store. */
function expectedPages(job: unknown): number | null {
  const waiting = numberAt(job, 'progress', 'pending');
  if (waiting === null) return null;
  const known = (numberAt(job, 'progress', 'completed') ?? 0) + waiting;
  return Math.min(known, numberAt(job, 'input', 'max_pages') ?? known);
}

type JobFigureProps = { readonly name: string; readonly value: string; readonly note: string };

function JobFigure({ name, value, note }: JobFigureProps): VNode {
  return html`<div>
    <dt>${name}</dt>
    <dd><span class="figure">${value}</span><span class="faint">${note}</span></dd>
  </div>`;
}

/** From start to end, or until now; the second that is passed keeps the figure going. */
function toRunTime(job: unknown, _second: number): string {
  const [start, end] = [Date.parse(textAt(job, 'started_at')), Date.parse(textAt(job, 'finished_at'))];
  if (Number.isNaN(start)) return '–';
  return toDuration(Math.max(0, (Number.isNaN(end) ? serviceNow() : end) - start));
}

/** Why the work ended before all was done; a crawl says it in its result. */
function stopWord(job: unknown): string {
  const ofCrawl = isTrueAt(job, 'result', 'complete') ? '' : textAt(job, 'result', 'stop_reason');
  const reason = textAt(job, 'stop_reason') || ofCrawl;
  return reason === '' ? '' : `stopped by ${reason}`;
}

function expiryText(job: unknown): string {
  const why = textAt(job, 'evicted_for');
  if (why === 'plan')
    return 'Its result is gone: it was among your oldest, and your plan keeps no more bytes of results.';
  if (why === 'disk') return 'Its result is gone: the disk of the service was full.';
  return 'Its result has expired or was deleted.';
}

function Times({ job }: JobProgressProps): VNode {
  if (textAt(job, 'status') === 'expired') return html`<p class="note">${expiryText(job)}</p>`;
  return html`<p class="faint">
    Ended <${When} at=${textAt(job, 'finished_at')} />, its result is kept until${' '}
    <${When} at=${textAt(job, 'expires_at')} mode="short" />.
  </p>`;
}

type LatestPagesProps = { readonly pages: readonly unknown[] };

function LatestPages({ pages }: LatestPagesProps): VNode | null {
  if (pages.length === 0) return null;
  return html`<section aria-labelledby="latest">
    <h2 id="latest">Last pages</h2>
    <ol class="lines">
      ${pages.map(
        (page) =>
          html`<li key=${textAt(page, 'url')}>
            <${Badge}
              word=${String(numberAt(page, 'status_code') ?? (textAt(page, 'code') || textAt(page, 'state')))}
              tone=${textAt(page, 'state') === 'stored' ? 'good' : 'bad'}
            />
            <${Foreign} text=${textAt(page, 'title') || textAt(page, 'url')} most=${90} />
          </li>`,
      )}
    </ol>
  </section>`;
}

/** What stands for a secret in the input of a record. */
const MASK = '********';
/** How long a browser may take to begin saving a file. */
const KEPT_MS = 60_000;

type JobActionsProps = { readonly job: unknown; readonly onChanged: () => void };

/** Cancel, run again, download and delete. */
function JobActions({ job, onChanged }: JobActionsProps): VNode {
  const [asked, setAsked] = useState<'cancel' | 'delete' | null>(null);
  const [id, kind] = [textAt(job, 'id'), textAt(job, 'kind')];
  const path = `/v1/jobs/${encodeURIComponent(id)}`;
  const isEnded = isEndedJob(job);
  const hasResult = ['completed', 'cancelled'].includes(textAt(job, 'status'));
  const input = recordAt(job, 'input');

  async function remove(): Promise<void> {
    const answer = await call('DELETE', path);
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    if (isEnded) goTo('/jobs');
    else onChanged();
    notify(isEnded ? 'The result is deleted.' : 'The job is told to stop.', 'good');
  }
  async function runAgain(): Promise<void> {
    if (JSON.stringify(input).includes(MASK)) {
      notify('Its input has secrets that are not shown: enter them again.', 'warn');
      return goTo(`/playground/${kind}`, { input: JSON.stringify(input) });
    }
    const answer = await call('POST', '/v1/jobs', { body: { kind, input } });
    if (!answer.ok) return notify(answer.failure.message, 'bad');
    goTo(`/jobs/${textAt(answer.body, 'id')}`);
    notify('It runs again.', 'good');
  }

  return html`<div class="actions">
    ${
      hasResult
        ? html`<button type="button" onClick=${() => void download(`${path}/result?format=jsonl`, `${id}.jsonl`)}>
            Download JSONL
          </button>`
        : null
    }
    ${
      hasResult && isTrueAt(input, 'archive')
        ? html`<button type="button" onClick=${() => void download(`${path}/result?format=warc`, `${id}.warc.gz`)}>
            Download WARC
          </button>`
        : null
    }
    ${isEnded ? html`<button type="button" onClick=${() => void runAgain()}>Run again</button>` : null}
    <a class="button" href=${linkTo(`/playground/${kind}`, { input: JSON.stringify(input) })}>Edit and run again</a>
    <button type="button" class="danger" onClick=${() => setAsked(isEnded ? 'delete' : 'cancel')}>
      ${isEnded ? 'Delete' : 'Cancel'}
    </button>
    ${
      asked === null
        ? null
        : html`<${Confirm}
            title=${asked === 'delete' ? 'Delete the result?' : 'Cancel the job?'}
            verb=${asked === 'delete' ? 'Delete' : 'Cancel the job'}
            onConfirm=${() => void remove()}
            onClose=${() => setAsked(null)}
          >
            <p>
              ${
                asked === 'delete'
                  ? 'Its pages and files are gone after that; what it cost stays charged.'
                  : 'What it has done so far is kept and charged; nothing more is fetched.'
              }
            </p>
          <//>`
    }
  </div>`;
}

/** Saves what a path answers as a file: the header of the console cannot be sent by a link. */
async function download(path: string, name: string): Promise<void> {
  notify('The download is being made …');
  const response = await send('GET', path, { timeoutMs: Infinity });
  if (!(response instanceof Response)) return notify(response.message, 'bad');
  if (!response.ok) return notify(toApiFailure(response, jsonIn(await response.text())).message, 'bad');
  const url = URL.createObjectURL(await response.blob());
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  doLater(KEPT_MS, () => URL.revokeObjectURL(url));
}
