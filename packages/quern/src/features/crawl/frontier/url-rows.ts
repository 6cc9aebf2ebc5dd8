import { z } from 'zod';
import {
  type FailedPage,
  URL_SOURCES,
  type FoundUrl,
  type ListedUrl,
  type PageEnd,
  type StoredFate,
  getElement,
  toFailedPage,
} from '#features/crawl/crawl-page.ts';
import { formatSimhash } from '#features/crawl/dedupe/duplicates.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { URL_STATEMENTS, URL_STATES } from './url-statements.ts';
import type { AddedUrl } from './counters.ts';
import type { FrontierLimits } from './crawl-row.ts';
import type { UrlCount } from './frontier.ts';
import { createPatternLimit } from './url-patterns.ts';
import { type ReapedPages, reapPages } from './claim-statements.ts';

const { waiting, claimed, stored, failed, parked } = URL_STATES;
const LISTED_STATES = [waiting, claimed, stored, parked].join(', ');

const RESERVE_NUMBERS = 'update crawls set last_seq = last_seq + $2 where crawl = $1 returning last_seq';
const PUT_BACK = `update crawl_urls set state = ${waiting}, member = null
  where crawl = $1 and state = ${claimed} and member = $2 returning host`;
const UNPARK = `update crawl_urls set state = ${waiting}
  where crawl = $1 and state = ${parked} and depth < $2 returning host`;
const FIND_URL = 'select url from crawl_urls where crawl = $1 and seq = $2';
const LIST_URLS = `select url, depth, source, title, lastmod from crawl_urls
  where crawl = $1 and state in (${LISTED_STATES}) order by seq limit $2`;
const COUNT_URLS = `select source, depth, count(*) as count, sum(case when state = ${parked} then 1 else 0 end) as parked
  from crawl_urls where crawl = $1 and state in (${LISTED_STATES}) group by source, depth`;
const LIST_FAILED = `select url, status_code, code, message from crawl_urls
  where crawl = $1 and state = $2 order by seq limit $3`;

/** Value of `crawl_keys.seq` for a URL that was only found too deep. */
const TOO_DEEP = 0;

const KeyRow = z.object({ key: z.string() });
const LastSeqRow = z.object({ last_seq: z.number() });
const HostRow = z.object({ host: z.string() });
const UrlRow = z.object({ url: z.string() });
const FailedRow = z.object({
  url: z.string(),
  status_code: z.number().nullable(),
  code: z.string(),
  message: z.string(),
});
const ListedRow = z.object({
  url: z.string(),
  depth: z.number(),
  source: z.enum(URL_SOURCES),
  title: z.string().nullable(),
  lastmod: z.string().nullable(),
});
const StatsRow = ListedRow.pick({ source: true, depth: true }).extend({ count: z.number(), parked: z.number() });

/** A key, and the sequence number of the page that it identifies. */
export type NumberedKey = readonly [key: string, seq: number];

type NumberedUrl = FoundUrl & { readonly seq: number; readonly parent: number | null };
type LinkedUrl = FoundUrl & { readonly parent: number };

/** The rows of a crawl's known URLs and their states. Each host has a row that counts its queued URLs. */
export class UrlRows {
  readonly #db: Db;
  readonly #crawl: number;
  readonly #byLevel: boolean;
  readonly #recordsAll: boolean;
  readonly #statements: (typeof URL_STATEMENTS)[keyof typeof URL_STATEMENTS];
  readonly #limitPatterns: ReturnType<typeof createPatternLimit>;

  constructor(
    db: Db,
    crawl: number,
    { byLevel, maxPerPattern, recordsAll }: Pick<FrontierLimits, 'byLevel' | 'maxPerPattern' | 'recordsAll'>,
  ) {
    this.#db = db;
    this.#crawl = crawl;
    this.#byLevel = byLevel;
    this.#recordsAll = recordsAll;
    this.#statements = URL_STATEMENTS[db.kind];
    this.#limitPatterns = createPatternLimit(maxPerPattern);
  }

  /** Adds the URLs that are not known yet, in the given order. Returns the new ones. */
  async add(
    tx: Queryable,
    urls: readonly (FoundUrl & { readonly parent: number | null })[],
  ): Promise<readonly AddedUrl[]> {
    if (urls.length === 0) return [];
    const last = readRow(LastSeqRow, await tx.query(RESERVE_NUMBERS, [this.#crawl, urls.length]))?.last_seq ?? 0;
    const numbered = urls.map((one, at) => ({ ...one, seq: last - urls.length + 1 + at }));
    const fresh = await this.#addKeys(
      tx,
      numbered.map(({ key, seq, skip }) => [key, skip === 'depth' ? TOO_DEEP : seq]),
    );
    const nearer = numbered.filter(({ key, skip }) => skip === null && !fresh.has(key));
    const raised = await this.#raiseKeys(
      tx,
      nearer.map(({ key, seq }) => [key, seq]),
    );
    const added = this.#limitPatterns(numbered.filter(({ key }) => fresh.has(key) || raised.has(key)));
    const admitted = added.filter(({ skip }) => skip === null);
    if (admitted.length > 0) {
      await tx.query(this.#statements.addUrls, [this.#crawl, JSON.stringify(admitted.map(toUrlCells))]);
      const queued = admitted.filter(({ isParked }) => !isParked).map(({ host }) => host);
      await this.#queue(tx, queued);
    }
    return added.map((one) => ({ ...one, wasTooDeep: raised.has(one.key) }));
  }

  /** Assigns keys to pages. Returns the keys that other pages already have. */
  async takeKeys(tx: Queryable, wanted: readonly NumberedKey[]): Promise<readonly string[]> {
    if (wanted.length === 0) return [];
    const got = await this.#addKeys(tx, wanted);
    const raised = await this.#raiseKeys(
      tx,
      wanted.filter(([key]) => !got.has(key)),
    );
    return wanted.map(([key]) => key).filter((key) => !got.has(key) && !raised.has(key));
  }

  /**
   * Reduces the depth of unvisited URLs to that of the shortest path found, and queues parked URLs that are no longer
   * too deep.
   */
  async lessenDepths(tx: Queryable, urls: readonly LinkedUrl[]): Promise<void> {
    const nearest = new Map<string, LinkedUrl>();
    for (const one of urls) if (one.depth < (nearest.get(one.key)?.depth ?? Infinity)) nearest.set(one.key, one);
    if (nearest.size === 0 || !this.#byLevel) return;
    const paths = [...nearest.values()];
    const unparking = paths.filter(({ isParked }) => !isParked);
    const hosts = readHosts(await tx.query(this.#statements.unparkNearer, [this.#crawl, formatPathRows(unparking)]));
    if (hosts.length > 0) await this.#queue(tx, hosts);
    await tx.query(this.#statements.lessenDepth, [this.#crawl, formatPathRows(paths)]);
  }

  /** Parks queued URLs, and writes the titles and dates given for known ones. */
  async park(tx: Queryable, urls: readonly FoundUrl[]): Promise<void> {
    if (urls.length === 0) return;
    const rows = JSON.stringify(urls.map(({ key, title, lastmod }) => [key, title, lastmod]));
    const hosts = readHosts(await tx.query(this.#statements.park, [this.#crawl, rows]));
    await this.unqueue(tx, hosts);
    await tx.query(this.#statements.describe, [this.#crawl, rows]);
  }

  /** Queues the parked URLs above this depth. Returns their number. */
  async unpark(tx: Queryable, depth: number): Promise<number> {
    const hosts = readHosts(await tx.query(UNPARK, [this.#crawl, depth]));
    await this.#queue(tx, hosts);
    return hosts.length;
  }

  /** Queues the pages that a member has claimed again. Returns their number. */
  async putBack(tx: Queryable, member: number): Promise<number> {
    const hosts = readHosts(await tx.query(PUT_BACK, [this.#crawl, member]));
    if (hosts.length > 0) await this.#queue(tx, hosts);
    return hosts.length;
  }

  /**
   * Queues the pages that a dead member had claimed again, except those that too many members died with if not all
   * pages are recorded.
   */
  async reap(tx: Queryable, member: number): Promise<ReapedPages> {
    const reaped = await reapPages(tx, { crawl: this.#crawl, member, givesUp: !this.#recordsAll });
    if (reaped.hosts.length > 0) await this.#queue(tx, reaped.hosts);
    return reaped;
  }

  /**
   * Writes the ends of pages that a member has claimed. Returns how many of them it still owned. `listed` is the number
   * of pages already in the result.
   */
  async end(tx: Queryable, member: number, ends: readonly PageEnd[], listed: number): Promise<number> {
    let next = listed;
    const assignOrdinal = (end: PageEnd): number | null => (getElement(end) === null ? null : next++);
    const cells = JSON.stringify(ends.map((end) => toEndCells(end, assignOrdinal(end))));
    const ended = (await tx.query(this.#statements.end, [this.#crawl, member, cells])).length;
    const again = ends.filter(({ fate }) => fate.kind === 'deferred').map(({ claim }) => claim.host);
    if (again.length > 0) await this.#queue(tx, again);
    return ended;
  }

  /** Counts URLs as no longer queued, by their hosts. */
  async unqueue(tx: Queryable, hosts: readonly string[]): Promise<void> {
    if (hosts.length > 0) await tx.query(this.#statements.unqueueAtHosts, [this.#crawl, formatHostRows(hosts)]);
  }

  async findUrl(seq: number): Promise<string | null> {
    return readRow(UrlRow, await this.#db.query(FIND_URL, [this.#crawl, seq]))?.url ?? null;
  }

  async listUrls(most: number): Promise<readonly ListedUrl[]> {
    return readRows(ListedRow, await this.#db.query(LIST_URLS, [this.#crawl, most]));
  }

  async countUrls(): Promise<readonly UrlCount[]> {
    return readRows(StatsRow, await this.#db.query(COUNT_URLS, [this.#crawl]));
  }

  async listFailedPages(most: number): Promise<readonly FailedPage[]> {
    const rows = readRows(FailedRow, await this.#db.query(LIST_FAILED, [this.#crawl, failed, most]));
    return rows.map(({ url, status_code: statusCode, code, message }) =>
      toFailedPage(url, { statusCode, code, message }),
    );
  }

  /** Counts URLs as queued, by their hosts. */
  async #queue(tx: Queryable, hosts: readonly string[]): Promise<void> {
    await tx.query(this.#statements.queueAtHosts, [this.#crawl, formatHostRows(hosts)]);
  }

  /** Adds keys that no page has. Returns the added keys. */
  async #addKeys(tx: Queryable, keys: readonly NumberedKey[]): Promise<ReadonlySet<string>> {
    const rows = readRows(KeyRow, await tx.query(this.#statements.addKeys, [this.#crawl, JSON.stringify(keys)]));
    return new Set(rows.map(({ key }) => key));
  }

  /** Assigns keys that were only found too deep. Returns these keys. */
  async #raiseKeys(tx: Queryable, keys: readonly NumberedKey[]): Promise<ReadonlySet<string>> {
    if (keys.length === 0 || !this.#byLevel) return new Set();
    const rows = readRows(KeyRow, await tx.query(this.#statements.raiseKeys, [this.#crawl, JSON.stringify(keys)]));
    return new Set(rows.map(({ key }) => key));
  }
}

function readHosts(rows: Parameters<typeof readRows>[1]): readonly string[] {
  return readRows(HostRow, rows).map(({ host }) => host);
}

function toUrlCells({ seq, host, url, depth, parent, source, title, lastmod, isParked }: NumberedUrl) {
  return [seq, host, url, depth, parent, isParked ? parked : waiting, source, title, lastmod];
}

function formatPathRows(paths: readonly LinkedUrl[]): string {
  return JSON.stringify(paths.map(({ key, depth, parent }) => [key, depth, parent]));
}

function toEndCells({ claim, fate }: PageEnd, ordinal: number | null): readonly (string | number | null)[] {
  const { seq, tries } = claim;
  const rest = [null, null, null, null, 0];
  if (fate.kind === 'deferred') return [seq, waiting, null, null, null, ...rest, tries + 1];
  const cells = [seq, URL_STATES[fate.kind]] as const;
  if (fate.kind === 'failed') {
    const size = measureElement(fate.element ?? null);
    return [...cells, fate.statusCode, fate.code, fate.message, null, null, ordinal, ...size, tries];
  }
  if (fate.kind === 'skipped') return [...cells, null, fate.reason, null, ...rest, tries];
  const { simhash, title, element } = fate;
  const hash = simhash === null ? null : formatSimhash(simhash);
  return [...cells, getStatusCode(element), null, null, hash, title, ordinal, ...measureElement(element), tries];
}

function getStatusCode(element: StoredFate['element']): number | null {
  const status = element?.head['status_code'];
  return typeof status === 'number' ? status : null;
}

/** Bytes of a page in the result (null if it has no element), and 1 for a near-duplicate, else 0. */
function measureElement(element: StoredFate['element']): readonly [number | null, number] {
  if (element === null) return [null, 0];
  return [element.members.byteLength, element.tail['near_duplicate_of'] === undefined ? 0 : 1];
}

/** Formats rows of hosts with the number of their occurrences, sorted by host. */
function formatHostRows(hosts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const host of hosts) counts.set(host, (counts.get(host) ?? 0) + 1);
  return JSON.stringify([...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
