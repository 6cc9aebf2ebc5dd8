import { z } from 'zod';
import type { Loop, RunningLoop } from '#engine/call/feature.ts';
import type { Results } from '#engine/results/results.ts';
import { START } from '#engine/results/result-reader.ts';
import type { Copy, PageCache } from '#engine/visits/page-cache.ts';
import { type Clock, pause } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readAhead } from '#kernel/read-ahead.ts';
import { BATCH, moreOf, untilEmpty } from '#store/batches.ts';
import { type Statements, StoreUnavailable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { TextReader, type TextReaderParts } from './read-texts.ts';
import { Retries } from './retries.ts';
import type { Advance, IndexProgress, ReadyPart, SearchIndex } from './search-index.ts';
import { sourceOfJob } from './sources.ts';

const TO_INDEX = `select id, tenant_id, kind, segments from jobs
  where indexed = 0 and stored = 1 and kind in ('crawl', 'fetch') and status in ('completed', 'failed', 'cancelled')
  and id > $1 order by id limit $2`;
const INDEXED = 'update jobs set indexed = 1 where id = $1';
/** Jobs and copies are walked through by what names them, so that none is marked twice. */
const AGAIN = [
  `update jobs set indexed = 0 where id in
    (select id from jobs where id > $1 and indexed = 1 order by id limit $2) returning id as name`,
  `update cached_pages set indexed = 0 where file in
    (select file from cached_pages where file > $1 and indexed = 1 order by file limit $2) returning file as name`,
];

const LOOK_EVERY_MS = 1000;
const JOBS_AT_ONCE = 20;
/** Pages of one transaction of the index, and the characters of their results. */
const PAGES_AT_ONCE = 50;
const CHARS_AT_ONCE = 4_000_000;
/** Copies of one look. */
const COPIES_AT_ONCE = 5000;
/** Says that this index has begun; without it every job and copy is to be indexed again. */
const BEGUN = 'begun';
const COPIES = 'copies';

const NOTHING: ReadyPart = { tenant: '', pages: [], steps: [] };

const JobRow = z.object({ id: z.string(), tenant_id: z.string(), kind: z.string(), segments: z.number() });
type JobRow = z.output<typeof JobRow>;
const Named = z.object({ name: z.string() });

type Place = { readonly seq: number; readonly at: number };
type ReadPart = { readonly part: ReadyPart; readonly after: IndexProgress };
type ResultPart = { readonly elements: readonly unknown[]; readonly next: Place };

/** `report` is told of what goes wrong; the loop goes on. */
export type BuildingParts = TextReaderParts & {
  readonly db: Statements;
  readonly index: SearchIndex;
  readonly results: Pick<Results, 'head' | 'page'>;
  readonly pageCache: Pick<PageCache, 'toIndex' | 'markIndexed'>;
  readonly clock: Clock;
};

/** The loop that adds what was crawled and fetched to the index, in the background and again after a crash. */
export function buildingLoop(parts: BuildingParts): Loop {
  return { beside: 'jobs', start: () => start(parts) };
}

function start(parts: BuildingParts): RunningLoop {
  const closing = new AbortController();
  const builder = new IndexBuilder(parts, closing.signal);

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      const hasMore = await builder.look().catch((error: unknown) => {
        if (!closing.signal.aborted) parts.report(error);
        return false;
      });
      if (!hasMore) await pause(parts.clock, LOOK_EVERY_MS, closing.signal);
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

/** Reads results and copies into an index, part by part; a part that was added is known after any crash. */
export class IndexBuilder {
  readonly #parts: BuildingParts;
  readonly #signal: AbortSignal;
  readonly #texts: TextReader;
  readonly #retries: Retries;
  /** The job that was looked at last, so that one that cannot be indexed keeps none from it. */
  #lastJob = '';
  /** Whether pages were added since the index was settled. */
  #isUnsettled = false;

  constructor(parts: BuildingParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
    this.#texts = new TextReader(parts, signal);
    this.#retries = new Retries(parts.clock);
  }

  /** Adds what is there to add for a while; answers whether there may be more. */
  async look(): Promise<boolean> {
    await this.#begin();
    const { db } = this.#parts;
    const jobs = readRows(JobRow, await db.query(TO_INDEX, [this.#lastJob, JOBS_AT_ONCE]));
    for (const job of jobs) {
      this.#signal.throwIfAborted();
      await this.#unlessResting(job.id, async () => this.#indexJob(job));
      this.#lastJob = job.id;
    }
    if (jobs.length < JOBS_AT_ONCE) this.#lastJob = '';
    const copies = await this.#unlessResting(COPIES, async () => this.#addCopies());
    const hasMore = jobs.length === JOBS_AT_ONCE || (copies ?? 0) >= COPIES_AT_ONCE;
    if (this.#isUnsettled && !hasMore) {
      await this.#parts.index.settle(this.#signal);
      this.#isUnsettled = false;
    }
    return hasMore;
  }

  /** Does a part of the work, unless it failed before and is left alone still; what goes wrong keeps no other part. */
  async #unlessResting<T>(id: string, work: () => Promise<T>): Promise<T | null> {
    if (this.#retries.rests(id)) return null;
    try {
      const done = await work();
      this.#retries.succeed(id);
      return done;
    } catch (error) {
      this.#signal.throwIfAborted();
      // A store that cannot be reached is the fault of none of its jobs.
      if (error instanceof StoreUnavailable) throw error;
      this.#retries.fail(id);
      this.#parts.report(error);
      return null;
    }
  }

  /** An index that was lost is filled again from everything that is kept. */
  async #begin(): Promise<void> {
    const { db, index } = this.#parts;
    if ((await index.progressOf(BEGUN, this.#signal)) !== null) return;
    for (const sql of AGAIN) {
      let last = '';
      await untilEmpty(async () => {
        const rows = readRows(Named, await db.query(sql, [last, BATCH]));
        for (const { name } of rows) if (name > last) last = name;
        return moreOf(rows);
      }, this.#signal);
      this.#signal.throwIfAborted();
    }
    await this.#put(NOTHING, { source: BEGUN, before: null, after: { seq: 1, at: '' } });
  }

  async #indexJob(job: JobRow): Promise<void> {
    if (!(await this.#addJob(job))) return;
    await this.#parts.db.query(INDEXED, [job.id]);
    await this.#parts.index.forget(sourceOfJob(job.id), this.#signal);
  }

  /** Whether all of a job is in the index; false where another process is at it. */
  async #addJob(job: JobRow): Promise<boolean> {
    const source = sourceOfJob(job.id);
    let before = await this.#parts.index.progressOf(source, this.#signal);
    for await (const { part, after } of readAhead(this.#partsOf(job, before))) {
      if (!(await this.#put(part, { source, before, after }))) return false;
      before = after;
    }
    return true;
  }

  /** The parts of a job from where its reading was, each with how far that is then. */
  async *#partsOf(job: JobRow, reached: IndexProgress | null): AsyncGenerator<ReadPart> {
    let from: Place = reached === null ? START : { seq: reached.seq, at: Number(reached.at) };
    for (;;) {
      const part = await this.#partOf(job, from).catch(unlessExpired);
      if (part === null) return;
      const pages = await this.#texts.textsOfResults(sourceOfJob(job.id), part.elements);
      from = part.next;
      const ready = await this.#parts.index.ready({ tenant: job.tenant_id, pages });
      yield { part: ready, after: { seq: from.seq, at: String(from.at) } };
    }
  }

  /** The pages of a result from a place on, and the place after them; null at its end. */
  async #partOf({ id, kind, segments }: JobRow, from: Place): Promise<ResultPart | null> {
    const { results } = this.#parts;
    if (kind === 'fetch') {
      const head = from.seq > START.seq ? null : await results.head(id);
      return head === null ? null : { elements: [JSON.parse(head)], next: { seq: START.seq + 1, at: 0 } };
    }
    if (from.seq > segments) return null;
    const bounds = { from, limit: PAGES_AT_ONCE, mostChars: CHARS_AT_ONCE, least: 1 as const };
    const { elements, more, next } = await results.page({ jobId: id, segments }, bounds);
    return { elements, next: more ? next : { seq: segments + 1, at: 0 } };
  }

  /**
   * Adds pages and says how far their source was read; each page alone where they are refused together. One that is refused
   * alone is told of and passed over. False where another process was faster.
   */
  async #put(part: ReadyPart, step: Advance | null): Promise<boolean> {
    const { index, report } = this.#parts;
    const { tenant, pages } = part;
    if (pages.length > 0) this.#isUnsettled = true;
    const add = async (some: ReadyPart, reached: Advance | null): Promise<boolean> => {
      if (reached !== null) return index.addPart(some, reached, this.#signal);
      await index.add(some, this.#signal);
      return true;
    };
    try {
      return await add(part, step);
    } catch (error) {
      this.#signal.throwIfAborted();
      if (error instanceof StoreUnavailable || pages.length === 0) throw error;
      const refused: Error[] = [];
      for (const page of pages) {
        await add(await index.ready({ tenant, pages: [page] }), null).catch((cause: unknown) => {
          this.#signal.throwIfAborted();
          refused.push(new Error(`${page.url} is passed over`, { cause }));
        });
      }
      // Where all are refused it is not they that are at fault.
      if (refused.length === pages.length && pages.length > 1) throw error;
      const isDone = await add(NOTHING, step);
      for (const one of refused) report(one);
      return isDone;
    }
  }

  /** Adds the next copies of pages that were fetched without a job; answers how many it looked at. */
  async #addCopies(): Promise<number> {
    const { pageCache } = this.#parts;
    for (let looked = 0; ;) {
      const copies = await pageCache.toIndex(PAGES_AT_ONCE);
      await this.#addAll(copies);
      if (copies.length > 0) await pageCache.markIndexed(copies);
      looked += copies.length;
      if (copies.length < PAGES_AT_ONCE || looked >= COPIES_AT_ONCE) return looked;
    }
  }

  async #addAll(copies: readonly Copy[]): Promise<void> {
    for (const tenant of new Set(copies.map((copy) => copy.tenant))) {
      const pages = await this.#texts.textsOfCopies(copies.filter((copy) => copy.tenant === tenant));
      await this.#put(await this.#parts.index.ready({ tenant, pages }), null);
    }
  }
}

/** Results may expire while they are read. */
function unlessExpired(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'result_expired') return null;
  throw error;
}
