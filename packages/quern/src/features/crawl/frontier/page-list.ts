import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { LatestPage, parseCounters } from './counters.ts';
import { URL_STATES } from './url-statements.ts';

const COLUMNS = 'seq, url, depth, state, status_code, title, bytes, near, code, message, ordinal';
const CRAWL = 'select crawl, max_pages, stored, counters from crawls where job_id = $1';
const LIST_FRONTIER = `select ${COLUMNS} from crawl_urls where crawl = $1 and seq > $2 order by seq limit $3`;
const LIST_ENDED = `select ${COLUMNS} from crawl_pages where job_id = $1 and seq > $2 order by seq limit $3`;

/** Pages that are read at once; what else waits has its turn in between. */
const PAGES_PER_QUERY = 1000;

/** The states of a page of a crawl, as its tenant sees them. */
export const PAGE_STATES = ['waiting', 'visiting', 'stored', 'failed', 'skipped'] as const;

export type CrawlPageState = (typeof PAGE_STATES)[number];

const STATES: ReadonlyMap<number, CrawlPageState> = new Map([
  [URL_STATES.waiting, 'waiting'],
  [URL_STATES.parked, 'waiting'],
  [URL_STATES.claimed, 'visiting'],
  [URL_STATES.stored, 'stored'],
  [URL_STATES.failed, 'failed'],
  [URL_STATES.skipped, 'skipped'],
]);

const CrawlRow = z.object({
  crawl: z.number(),
  max_pages: z.number(),
  stored: z.number(),
  counters: z.string().transform(parseCounters),
});
const PageRow = z.object({
  seq: z.number(),
  url: z.string(),
  depth: z.number(),
  state: z.number().transform((state) => STATES.get(state) ?? 'waiting'),
  status_code: z.number().nullable(),
  title: z.string().nullable(),
  bytes: z.number().nullable(),
  near: z.number().transform((near) => near === 1),
  code: z.string().nullable(),
  message: z.string().nullable(),
  ordinal: z.number().nullable(),
});

/** A known page of a crawl; `ordinal` is its number in the result. */
export type ListedPage = z.output<typeof PageRow>;

/** How far a running crawl is: what it may store, what it has, and what ended last. */
export type CrawlState = {
  readonly maxPages: number;
  readonly stored: number;
  readonly latest: readonly z.output<typeof LatestPage>[];
};

/** The pages of a crawl that runs, or has ended and still has its result, in the order in which they were found. */
export class PageList {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** The pages after a number, some at a time. */
  async *from(jobId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly ListedPage[], void> {
    for (let last = after; ;) {
      const rows = await this.#next(jobId, last);
      if (rows.length > 0) yield rows;
      if (rows.length < PAGES_PER_QUERY) return;
      last = rows.at(-1)?.seq ?? last;
      await turn();
      signal.throwIfAborted();
    }
  }

  /** The state of a crawl whose job has not ended, null for none. */
  async state(jobId: string): Promise<CrawlState | null> {
    const row = readRow(CrawlRow, await this.#db.query(CRAWL, [jobId]));
    if (row === null) return null;
    return { maxPages: row.max_pages, stored: row.stored, latest: row.counters.latest };
  }

  /** Pages of an ended crawl go from its frontier to its list, so the frontier is read first. */
  async #next(jobId: string, after: number): Promise<readonly ListedPage[]> {
    const crawl = readRow(CrawlRow, await this.#db.query(CRAWL, [jobId]))?.crawl;
    const waiting = crawl === undefined ? [] : await this.#db.query(LIST_FRONTIER, [crawl, after, PAGES_PER_QUERY]);
    const kept = await this.#db.query(LIST_ENDED, [jobId, after, PAGES_PER_QUERY]);
    const found = new Map(readRows(PageRow, [...waiting, ...kept]).map((row) => [row.seq, row]));
    return [...found.values()].toSorted((one, other) => one.seq - other.seq).slice(0, PAGES_PER_QUERY);
  }
}
