import { html } from 'htm/preact';
import type { VNode } from 'preact';
import { isTrueAt, listAt, numberAt, textAt } from '#console/app/reading.ts';
import { second, serviceNow } from '#console/app/service-clock.ts';
import { Foreign } from '#console/parts/foreign.ts';
import { Badge, ProgressBar } from '#console/parts/status.ts';
import { toCount, toDuration, When } from '#console/parts/time.ts';
import { isEndedJob } from './job-target.ts';

type JobProgressProps = { readonly job: unknown };

/** Figures of a job and, while a crawl runs, its rate, what is left and its last pages. */
export function JobProgress({ job }: JobProgressProps): VNode {
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
