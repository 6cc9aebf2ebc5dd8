import { z } from 'zod';
import type { Loop, RunningLoop } from '#engine/call/feature.ts';
import { LIST_START } from '#engine/results/result-reader.ts';
import type { Results } from '#engine/results/results.ts';
import type { CachedCopy, PageCache } from '#engine/visits/page-cache.ts';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readAhead } from '#kernel/read-ahead.ts';
import { MAX_BATCH_ROWS, toBatchResult, repeatUntilEmpty } from '#store/batches.ts';
import { type Queryable, StoreUnavailable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { TextReader, type TextReaderParts } from './page-text.ts';
import type { IndexProgress, PreparedBatch, ProgressStep, SearchIndex } from './search-index.ts';
import { toJobSource } from './index-sources.ts';

const SELECT_JOBS = `select id, tenant_id, kind, segments from jobs
  where indexed = 0 and stored = 1 and kind in ('crawl', 'fetch', 'fetch.batch') and status in ('completed', 'failed', 'cancelled')
  and id > $1 order by id limit $2`;
const MARK_JOB = 'update jobs set indexed = 1 where id = $1';
/** Goes through jobs and copies in the order of their keys, so that none is updated twice. */
const UNMARK_ALL = [
  `update jobs set indexed = 0 where id in
    (select id from jobs where id > $1 and indexed = 1 order by id limit $2) returning id as name`,
  `update cached_pages set indexed = 0 where file in
    (select file from cached_pages where file > $1 and indexed = 1 order by file limit $2) returning file as name`,
];

const POLL_INTERVAL_MS = 1000;
const JOBS_AT_ONCE = 20;
/** Limits of one index transaction: pages, and characters of their results. */
const PAGES_AT_ONCE = 50;
const CHARS_AT_ONCE = 4_000_000;
/** Cached copies per run. */
const COPIES_AT_ONCE = 5000;
/** Progress entry that exists once indexing has begun; without it, all jobs and copies are indexed again. */
const BEGUN_SOURCE = 'begun';
const COPIES_TASK = 'copies';

const EMPTY_BATCH: PreparedBatch = { tenant: '', pages: [], batch: { tenant: '', rows: [], words: null, now: 0 } };

const JobRow = z.object({ id: z.string(), tenant_id: z.string(), kind: z.string(), segments: z.number() });
type JobRow = z.output<typeof JobRow>;
const NameRow = z.object({ name: z.string() });

type ResultPosition = { readonly seq: number; readonly at: number };
type BatchWithProgress = { readonly part: PreparedBatch; readonly after: IndexProgress };
type ResultPart = { readonly elements: readonly unknown[]; readonly next: ResultPosition };

/** Errors are passed to `report`, and the loop continues. */
export type IndexBuilderParts = TextReaderParts & {
  readonly db: Queryable;
  readonly index: SearchIndex;
  readonly results: Pick<Results, 'readHead' | 'readPage'>;
  readonly pageCache: Pick<PageCache, 'listUnindexed' | 'markIndexed'>;
  readonly clock: Clock;
};

/** The background loop that adds crawled and fetched pages to the index; it resumes after a crash. */
export function buildIndexLoop(parts: IndexBuilderParts): Loop {
  return { beside: 'jobs', start: () => startLoop(parts) };
}

function startLoop(parts: IndexBuilderParts): RunningLoop {
  const closing = new AbortController();
  const builder = new IndexBuilder(parts, closing.signal);

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      const hasMore = await builder.indexPending().catch((error: unknown) => {
        if (!closing.signal.aborted) parts.report(error);
        return false;
      });
      if (!hasMore) await sleepUnlessAborted(parts.clock, POLL_INTERVAL_MS, closing.signal);
    }
  }

  const looping = loop();
  return {
    metrics: [],
    async close() {
      closing.abort();
      await looping;
    },
  };
}

/** Adds job results and cached copies to the index in batches. Progress is stored with each batch, so that nothing is lost or repeated after a crash. */
export class IndexBuilder {
  readonly #parts: IndexBuilderParts;
  readonly #signal: AbortSignal;
  readonly #texts: TextReader;
  readonly #retries: RetryDelays;
  /** The last job that was processed, so that a job that cannot be indexed does not block those after it. */
  #lastJob = '';

  constructor(parts: IndexBuilderParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#texts = new TextReader(parts, signal);
    this.#retries = new RetryDelays(parts.clock);
  }

  /** Indexes a limited number of pending jobs and copies; returns whether there may be more. */
  async indexPending(): Promise<boolean> {
    await this.#begin();
    const { db } = this.#parts;
    const jobs = readRows(JobRow, await db.query(SELECT_JOBS, [this.#lastJob, JOBS_AT_ONCE]));
    for (const job of jobs) {
      this.#signal.throwIfAborted();
      await this.#runUnlessDelayed(job.id, async () => this.#indexJob(job));
      this.#lastJob = job.id;
    }
    if (jobs.length < JOBS_AT_ONCE) this.#lastJob = '';
    const copies = await this.#runUnlessDelayed(COPIES_TASK, async () => this.#addCopies());
    return jobs.length === JOBS_AT_ONCE || (copies ?? 0) >= COPIES_AT_ONCE;
  }

  /** Runs a task unless it failed recently. A failure is reported and does not affect other tasks; returns null then. */
  async #runUnlessDelayed<T>(id: string, work: () => Promise<T>): Promise<T | null> {
    if (this.#retries.isWaiting(id)) return null;
    try {
      const done = await work();
      this.#retries.succeed(id);
      return done;
    } catch (error) {
      this.#signal.throwIfAborted();
      // An unavailable store is not a fault of the job.
      if (error instanceof StoreUnavailable) throw error;
      this.#retries.fail(id);
      this.#parts.report(error);
      return null;
    }
  }

  /** Marks all jobs and copies for indexing if the index is new or was deleted. */
  async #begin(): Promise<void> {
    const { db, index } = this.#parts;
    if ((await index.findProgress(BEGUN_SOURCE, this.#signal)) !== null) return;
    for (const sql of UNMARK_ALL) {
      let last = '';
      await repeatUntilEmpty(async () => {
        const rows = readRows(NameRow, await db.query(sql, [last, MAX_BATCH_ROWS]));
        for (const { name } of rows) if (name > last) last = name;
        return toBatchResult(rows);
      }, this.#signal);
      this.#signal.throwIfAborted();
    }
    await this.#put(EMPTY_BATCH, { source: BEGUN_SOURCE, before: null, after: { seq: 1, at: '' } });
  }

  async #indexJob(job: JobRow): Promise<void> {
    if (!(await this.#addJob(job))) return;
    await this.#parts.db.query(MARK_JOB, [job.id]);
    await this.#parts.index.forget(toJobSource(job.id), this.#signal);
  }

  /** Adds the pages of a job; returns false if another process is indexing it. */
  async #addJob(job: JobRow): Promise<boolean> {
    const source = toJobSource(job.id);
    let before = await this.#parts.index.findProgress(source, this.#signal);
    for await (const { part, after } of readAhead(this.#readBatches(job, before))) {
      if (!(await this.#put(part, { source, before, after }))) return false;
      before = after;
    }
    return true;
  }

  /** Batches of a job from its stored progress on, each with the progress after it. */
  async *#readBatches(job: JobRow, progress: IndexProgress | null): AsyncGenerator<BatchWithProgress> {
    let from: ResultPosition = progress === null ? LIST_START : { seq: progress.seq, at: Number(progress.at) };
    for (;;) {
      const part = await this.#readResultPart(job, from).catch(ignoreExpired);
      if (part === null) return;
      const pages = await this.#texts.readResults(toJobSource(job.id), part.elements);
      from = part.next;
      const ready = await this.#parts.index.prepare({ tenant: job.tenant_id, pages });
      yield { part: ready, after: { seq: from.seq, at: String(from.at) } };
    }
  }

  /** Pages of a result from a position on, and the position after them; null at the end. */
  async #readResultPart({ id, kind, segments }: JobRow, from: ResultPosition): Promise<ResultPart | null> {
    const { results } = this.#parts;
    if (kind === 'fetch') {
      const head = from.seq > LIST_START.seq ? null : await results.readHead(id);
      return head === null ? null : { elements: [JSON.parse(head)], next: { seq: LIST_START.seq + 1, at: 0 } };
    }
    if (from.seq > segments) return null;
    const bounds = { from, limit: PAGES_AT_ONCE, mostChars: CHARS_AT_ONCE, least: 1 as const };
    const { elements, hasMore, next } = await results.readPage({ jobId: id, segments }, bounds);
    return { elements, next: hasMore ? next : { seq: segments + 1, at: 0 } };
  }

  /**
   * Adds a batch and stores the progress of its source. If the batch fails, each page is added alone; pages that fail are
   * reported and skipped. Returns false if another process was faster.
   */
  async #put(part: PreparedBatch, step: ProgressStep | null): Promise<boolean> {
    const { index, report } = this.#parts;
    const { tenant, pages } = part;
    const add = async (some: PreparedBatch, reached: ProgressStep | null): Promise<boolean> => {
      if (reached !== null) return index.addWithProgress(some, reached, this.#signal);
      await index.add(some, this.#signal);
      return true;
    };
    try {
      return await add(part, step);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof StoreUnavailable || pages.length === 0) throw error;
      const failures: Error[] = [];
      for (const page of pages) {
        await add(await index.prepare({ tenant, pages: [page] }), null).catch((cause: unknown) => {
          this.#signal.throwIfAborted();
          failures.push(new Error(`${page.url} was not indexed`, { cause }));
        });
      }
      // If all pages fail, the pages are not the cause.
      if (failures.length === pages.length && pages.length > 1) throw error;
      const isDone = await add(EMPTY_BATCH, step);
      for (const one of failures) report(one);
      return isDone;
    }
  }

  /** Indexes cached copies of pages that were fetched without a job; returns how many were processed. */
  async #addCopies(): Promise<number> {
    const { pageCache } = this.#parts;
    for (let looked = 0; ;) {
      const copies = await pageCache.listUnindexed(PAGES_AT_ONCE);
      await this.#addAll(copies);
      if (copies.length > 0) await pageCache.markIndexed(copies);
      looked += copies.length;
      if (copies.length < PAGES_AT_ONCE || looked >= COPIES_AT_ONCE) return looked;
    }
  }

  async #addAll(copies: readonly CachedCopy[]): Promise<void> {
    for (const tenant of new Set(copies.map((copy) => copy.tenant))) {
      const pages = await this.#texts.readCopies(copies.filter((copy) => copy.tenant === tenant));
      await this.#put(await this.#parts.index.prepare({ tenant, pages }), null);
    }
  }
}

/** Turns `result_expired` into null: results may expire while they are read. */
function ignoreExpired(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'result_expired') return null;
  throw error;
}

const FIRST_DELAY_MS = 60_000;
const MAX_DELAY_MS = 3_600_000;
const MAX_KNOWN = 10_000;

/** Retry delays of failed tasks: one minute at first, doubled each time, up to an hour. */
class RetryDelays {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #failed = new Map<string, { readonly restMs: number; readonly until: number }>();

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  isWaiting(id: string): boolean {
    const { until = 0 } = this.#failed.get(id) ?? {};
    return this.#clock.monotonic() < until;
  }

  fail(id: string): void {
    const restMs = Math.min(MAX_DELAY_MS, 2 * (this.#failed.get(id)?.restMs ?? FIRST_DELAY_MS / 2));
    this.#failed.delete(id);
    this.#failed.set(id, { restMs, until: this.#clock.monotonic() + restMs });
    const [oldest = ''] = this.#failed.keys();
    if (this.#failed.size > MAX_KNOWN) this.#failed.delete(oldest);
  }

  succeed(id: string): void {
    this.#failed.delete(id);
  }
}
