import { z } from 'zod';
import type { Loop, RunningLoop } from '#engine/call/feature.ts';
import type { Results } from '#engine/results/results.ts';
import { START } from '#engine/results/result-reader.ts';
import type { Copy, CopyPosition, PageCache } from '#engine/visits/page-cache.ts';
import type { PageReading, ReadRequest } from '#extract/reading.ts';
import { pause } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { changeInBatches } from '#store/batches.ts';
import type { Db } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { textOfResult, toTextRequest } from './page-text.ts';
import type { Advance, SearchIndex } from './search-index.ts';
import type { IndexText, SourcedText } from './put-pages.ts';
import { sourceOfCopy, sourceOfJob } from './sources.ts';
import type { IndexSources } from './sources.ts';

const TO_INDEX = `select id, tenant_id, kind, segments from jobs
  where indexed = 0 and stored = 1 and kind in ('crawl', 'fetch') and status in ('completed', 'failed', 'cancelled')
  order by id limit $1`;
const INDEXED = 'update jobs set indexed = 1 where id = $1';
const AGAIN = 'update jobs set indexed = 0 where id in (select id from jobs where indexed = 1 limit $1) returning id';

const LOOK_EVERY_MS = 1000;
const JOBS_AT_ONCE = 20;
/** Pages of one transaction of the index, and the characters of their results. */
const PAGES_AT_ONCE = 50;
const CHARS_AT_ONCE = 4_000_000;
/** Sources of one look for those that are gone. */
const SOURCES_AT_ONCE = 500;
/** Copies of one look, and those of the last minute that are remembered. */
const COPIES_AT_ONCE = 5000;
/** Longer than any process takes from the time of a copy to its row. */
const SETTLED_MS = 60_000;
/** Says that this index has begun; without it every job is to be indexed again. */
const BEGUN = 'begun';
const COPIES = 'copies:';

const JobRow = z.object({ id: z.string(), tenant_id: z.string(), kind: z.string(), segments: z.number() });
type JobRow = z.output<typeof JobRow>;

export type BuildingParts = {
  readonly db: Db;
  readonly index: SearchIndex;
  readonly sources: IndexSources;
  readonly results: Pick<Results, 'head' | 'page'>;
  readonly pageCache: Pick<PageCache, 'after'>;
  /** The folder whose copies this process can read. */
  readonly folder: string;
  readonly read: (request: ReadRequest, signal: AbortSignal) => Promise<PageReading>;
  readonly mostBytes: number;
  readonly clock: Clock;
  /** Told of what goes wrong; the loop goes on. */
  readonly report: (error: unknown) => void;
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
  /** Files of copies of the last minute that were added. */
  readonly #recent = new Set<string>();

  constructor(parts: BuildingParts, signal: AbortSignal) {
    this.#parts = parts;
    this.#signal = signal;
  }

  /** Adds what is there to add for a while; answers whether there may be more. */
  async look(): Promise<boolean> {
    await this.#begin();
    const { db } = this.#parts;
    const jobs = readRows(JobRow, await db.query(TO_INDEX, [JOBS_AT_ONCE]));
    for (const job of jobs) {
      this.#signal.throwIfAborted();
      if (!(await this.#addJob(job))) continue;
      await db.query(INDEXED, [job.id]);
      await this.#parts.index.forget(sourceOfJob(job.id), this.#signal);
    }
    const copies = await this.#addCopies();
    return jobs.length === JOBS_AT_ONCE || copies >= COPIES_AT_ONCE;
  }

  /** Removes the pages of jobs and copies that are gone, and what the index holds beyond its bound. */
  async tidy(): Promise<void> {
    const { index, sources, mostBytes } = this.#parts;
    let last = '';
    for (;;) {
      const some = await index.sourcesAfter(last, SOURCES_AT_ONCE, this.#signal);
      const there = await sources.there(some);
      await index.drop(
        some.filter((source) => !there.has(source)),
        this.#signal,
      );
      last = some.at(-1) ?? last;
      if (some.length < SOURCES_AT_ONCE) break;
    }
    await index.trim(mostBytes, this.#signal);
  }

  /** An index that was lost is filled again from everything that is kept. */
  async #begin(): Promise<void> {
    const { db, index } = this.#parts;
    if ((await index.progressOf(BEGUN, this.#signal)) !== null) return;
    await changeInBatches(db, { sql: AGAIN, values: [] }, this.#signal);
    this.#signal.throwIfAborted();
    await this.#advance({ source: BEGUN, before: null, after: { seq: 1, at: '' } });
  }

  /** Whether all of a job is in the index; false where another process is at it. */
  async #addJob(job: JobRow): Promise<boolean> {
    const { index, results } = this.#parts;
    const { id, tenant_id: tenant, segments } = job;
    const source = sourceOfJob(id);
    if (job.kind === 'fetch') {
      const head = await results.head(id).catch(unlessExpired);
      if (head !== null)
        await index.add({ tenant, pages: await this.#textsOf(source, [JSON.parse(head)]) }, this.#signal);
      return true;
    }
    for (;;) {
      const before = await index.progressOf(source, this.#signal);
      const from = before === null ? START : { seq: before.seq, at: Number(before.at) };
      const bounds = { from, limit: PAGES_AT_ONCE, mostChars: CHARS_AT_ONCE, least: 1 as const };
      const part =
        from.seq > segments ? null : await results.page({ jobId: id, segments }, bounds).catch(unlessExpired);
      if (part === null) return true;
      const pages = await this.#textsOf(source, part.elements);
      const after = part.more ? { seq: part.next.seq, at: String(part.next.at) } : { seq: segments + 1, at: '0' };
      if (!(await index.addPart({ tenant, pages }, { source, before, after }, this.#signal))) return false;
    }
  }

  /**
   * Adds the next copies of pages that were fetched without a job; answers how many it looked at. A copy may become visible
   * after one that was kept later, so those of the last minute are looked through again, and each is read once.
   */
  async #addCopies(): Promise<number> {
    const { index, pageCache, folder, clock } = this.#parts;
    const source = COPIES + folder;
    const before = await index.progressOf(source, this.#signal);
    let last: CopyPosition = { at: before?.seq ?? 0, file: before?.at ?? '' };
    let settled: CopyPosition | null = null;
    let looked = 0;
    for (let more = true; more && looked < COPIES_AT_ONCE;) {
      const copies = await pageCache.after(last, PAGES_AT_ONCE);
      await this.#addAll(copies.filter(({ file }) => !this.#recent.has(file)));
      for (const { at, file } of copies) {
        last = { at, file };
        if (at > clock.now() - SETTLED_MS) this.#recent.add(file);
        else settled = last;
      }
      looked += copies.length;
      more = copies.length === PAGES_AT_ONCE;
    }
    if (settled === null) return 0;
    await this.#advance({ source, before, after: { seq: settled.at, at: settled.file } });
    if (this.#recent.size > COPIES_AT_ONCE) this.#recent.clear();
    return looked;
  }

  async #addAll(copies: readonly Copy[]): Promise<void> {
    for (const tenant of new Set(copies.map((copy) => copy.tenant))) {
      const pages = await this.#readCopies(copies.filter((copy) => copy.tenant === tenant));
      await this.#parts.index.add({ tenant, pages }, this.#signal);
    }
  }

  async #advance(progress: Advance): Promise<void> {
    await this.#parts.index.addPart({ tenant: '', pages: [] }, progress, this.#signal);
  }

  async #readCopies(copies: readonly Copy[]): Promise<readonly SourcedText[]> {
    const read: SourcedText[] = [];
    for (const { file, open } of copies) {
      const page = await open();
      const text = page === null ? null : await this.#textOf(toTextRequest(page));
      if (text !== null) read.push({ ...text, source: sourceOfCopy(file) });
    }
    return read;
  }

  async #textsOf(source: string, elements: readonly unknown[]): Promise<readonly SourcedText[]> {
    const texts: SourcedText[] = [];
    for (const element of elements) {
      const found = textOfResult(element);
      if (found === null) continue;
      const { page, html } = found;
      const bytes = html === null ? null : new TextEncoder().encode(html);
      const read =
        bytes === null ? null : await this.#textOf(toTextRequest({ body: bytes, contentType: HTML, url: page.url }));
      texts.push({ ...page, body: read?.body ?? page.body, source });
    }
    return texts;
  }

  /** The text of a page; null for one that cannot be read. */
  async #textOf(request: ReadRequest): Promise<IndexText | null> {
    const { url } = request;
    try {
      const { outputs, metadata } = await this.#parts.read(request, this.#signal);
      const { title, description, language, published_at: at, published_date: day } = metadata;
      const body = outputs.text ?? '';
      if (title === null && body === '') return null;
      return { url, title: title ?? '', description: description ?? '', body, language, publishedAt: at ?? day };
    } catch (error) {
      if (error instanceof ServiceError) return null;
      throw error;
    }
  }
}

const HTML = 'text/html; charset=utf-8';

/** Results may expire while they are read. */
function unlessExpired(error: unknown): null {
  if (error instanceof ServiceError && error.code === 'result_expired') return null;
  throw error;
}
