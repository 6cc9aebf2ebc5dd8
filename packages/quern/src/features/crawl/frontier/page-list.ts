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

const PAGES_PER_QUERY = 1000;

/** The kinds of jobs that have a page list. */
export const PAGE_LIST_KINDS: ReadonlySet<string> = new Set(['crawl', 'fetch.batch']);

/** States of a page of a crawl, as its tenant sees them. */
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

/** A known page of a crawl. `ordinal` is its index in the result, null if it is not stored. */
export type ListedPage = z.output<typeof PageRow>;

/** State of a running crawl: its page limit, the stored pages, and the pages that ended last. */
export type CrawlState = {
  readonly maxPages: number;
  readonly stored: number;
  readonly latest: readonly z.output<typeof LatestPage>[];
};

/** The pages of a crawl in order of discovery, while it runs and as long as its result is kept. */
export class PageList {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Yields the pages after a sequence number, in batches. */
  async *readFrom(jobId: string, after: number, signal: AbortSignal): AsyncGenerator<readonly ListedPage[], void> {
    for (let last = after; ;) {
      const rows = await this.#next(jobId, last);
      if (rows.length > 0) yield rows;
      if (rows.length < PAGES_PER_QUERY) return;
      last = rows.at(-1)?.seq ?? last;
      await turn();
      signal.throwIfAborted();
    }
  }

  /** The state of a crawl whose job has not ended, null if there is none. */
  async readState(jobId: string): Promise<CrawlState | null> {
    const row = readRow(CrawlRow, await this.#db.query(CRAWL, [jobId]));
    if (row === null) return null;
    return { maxPages: row.max_pages, stored: row.stored, latest: row.counters.latest };
  }

  /** The frontier is read first, because the pages of an ended crawl are moved from there to the list. */
  async #next(jobId: string, after: number): Promise<readonly ListedPage[]> {
    const crawl = readRow(CrawlRow, await this.#db.query(CRAWL, [jobId]))?.crawl;
    const waiting = crawl === undefined ? [] : await this.#db.query(LIST_FRONTIER, [crawl, after, PAGES_PER_QUERY]);
    const endedRows = await this.#db.query(LIST_ENDED, [jobId, after, PAGES_PER_QUERY]);
    const rowsBySeq = new Map(readRows(PageRow, [...waiting, ...endedRows]).map((row) => [row.seq, row]));
    return [...rowsBySeq.values()].toSorted((one, other) => one.seq - other.seq).slice(0, PAGES_PER_QUERY);
  }
}
