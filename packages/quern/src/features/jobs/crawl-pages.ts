import type { Cursors } from '#engine/call/cursor.ts';
import { type BoundControl, bindControl } from '#engine/call/bound-operation.ts';
import { createExpiredError } from '#engine/results/artifacts.ts';
import type { ResultReader } from '#engine/results/result-reader.ts';
import { type CrawlPageState, type ListedPage, PAGE_LIST_KINDS, PageList } from '#features/crawl/frontier/page-list.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import type { FoundView, JobViews } from './job-view.ts';
import { listJobPages, showJobTree } from './page-operations.ts';

/** The most pages searched by one call. */
const MAX_SCANNED_PAGES = 20_000;

/** Filters of the page list. Absent filters match everything. */
type Filters = {
  readonly state?: string | undefined;
  readonly status_code?: number | undefined;
  readonly depth?: number | undefined;
  readonly code?: string | undefined;
  readonly search?: string | undefined;
  readonly prefix?: string | undefined;
  readonly near_duplicate?: boolean | undefined;
};

type CrawlPagesParts = {
  readonly db: Db;
  readonly results: ResultReader;
  readonly cursors: Cursors;
};

/** Binds the lists of pages of crawls. */
export function bindCrawlPages({ db, results, cursors }: CrawlPagesParts, views: JobViews): readonly BoundControl[] {
  const pages = new PageList(db);

  async function demandCrawl(tenant: string, id: string): Promise<FoundView> {
    const job = await views.read(tenant, id);
    const { kind, status, evicted_for: why } = job.record;
    if (!PAGE_LIST_KINDS.has(kind))
      throw new ServiceError('invalid_request', `id: ${id} is a ${kind}; only crawls and batches have a page list`);
    if (status === 'expired') throw createExpiredError('result', id, why ?? null);
    return job;
  }

  async function toRows({ record, segments }: FoundView, listed: readonly ListedPage[]) {
    const ordinals = listed.flatMap(({ ordinal }) => ordinal ?? []);
    const places = await results.findPositions({ jobId: record.id, segments }, ordinals);
    return listed.map(({ near, ordinal, ...page }) => {
      const place = ordinal === null ? undefined : places.get(ordinal);
      return { ...page, near_duplicate: near, place: place === undefined ? null : `${place.seq}.${place.at}` };
    });
  }

  return [
    bindControl(listJobPages, async ({ id, limit, cursor, ...filters }, { caller: { tenant }, signal }) => {
      const crawl = await demandCrawl(tenant, id);
      const scope = { tenant, operation: 'jobs.pages', filters: { id, ...filters } };
      const data: ListedPage[] = [];
      let looked = 0;
      let last = Number(cursors.read(scope, cursor ?? null) ?? 0);
      for await (const some of pages.readFrom(id, last, signal)) {
        for (const page of some) {
          const isFull = data.length === limit || looked === MAX_SCANNED_PAGES;
          if (isFull) return { data: await toRows(crawl, data), next_cursor: cursors.write(scope, String(last)) };
          looked += 1;
          last = page.seq;
          if (matchesFilters(page, filters)) data.push(page);
        }
      }
      return { data: await toRows(crawl, data), next_cursor: null };
    }),
    bindControl(showJobTree, async ({ id, prefix = '' }, { caller, signal }) => {
      await demandCrawl(caller.tenant, id);
      const tree = new CrawlTree(prefix);
      for await (const some of pages.readFrom(id, 0, signal)) for (const page of some) tree.add(page);
      return tree.toBody(id);
    }),
  ];
}

function matchesFilters(
  page: ListedPage,
  { state, status_code, depth, code, search, prefix, near_duplicate }: Filters,
): boolean {
  return (
    (state === undefined || state === page.state || (state === 'waiting' && page.state === 'visiting')) &&
    (status_code === undefined || status_code === page.status_code) &&
    (depth === undefined || depth === page.depth) &&
    (code === undefined || code === page.code) &&
    (near_duplicate === undefined || near_duplicate === page.near) &&
    (prefix === undefined || page.url.startsWith(prefix)) &&
    (search === undefined || containsText(page.url, search) || containsText(page.title ?? '', search))
  );
}

function containsText(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}

const MAX_CHILDREN = 1000;

type Tally = { stored: number; failed: number; skipped: number; waiting: number };
type Child = Tally & { readonly name: string; readonly prefix: string; readonly isLeaf: boolean };

/** Counts pages below a URL prefix by state and by the URL segment that follows the prefix. */
export class CrawlTree {
  readonly #prefix: string;
  readonly #tally = createTally();
  readonly #children = new Map<string, Child>();
  readonly #codes = new Map<string, number>();
  readonly #depths = new Map<number, number>();
  readonly #statuses = new Map<number, number>();
  #nearDuplicates = 0;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  add(page: ListedPage): void {
    if (!page.url.startsWith(this.#prefix)) return;
    countState(this.#tally, page.state);
    countState(this.#childOf(page.url), page.state);
    increment(this.#depths, page.depth);
    if (page.status_code !== null) increment(this.#statuses, page.status_code);
    if (page.code !== null) increment(this.#codes, page.code);
    if (page.near) this.#nearDuplicates += 1;
  }

  toBody(jobId: string) {
    const children = [...this.#children.values()].toSorted((one, other) => sumTally(other) - sumTally(one));
    const shown = children.slice(0, MAX_CHILDREN).toSorted((one, other) => (one.name < other.name ? -1 : 1));
    return {
      job_id: jobId,
      prefix: this.#prefix,
      counts: {
        total: sumTally(this.#tally),
        ...this.#tally,
        near_duplicates: this.#nearDuplicates,
        by_code: listEntries(this.#codes).map(([code, count]) => ({ code, count })),
        by_depth: listEntries(this.#depths).map(([depth, count]) => ({ depth, count })),
        by_status: listEntries(this.#statuses).map(([status, count]) => ({ status_code: status, count })),
      },
      children: shown.map(({ isLeaf, ...child }) => ({ ...child, is_leaf: isLeaf })),
      cut: children.length > MAX_CHILDREN,
    };
  }

  #childOf(url: string): Child {
    const part = this.#prefix === '' ? getOrigin(url) : getSegment(url.slice(this.#prefix.length));
    const known = this.#children.get(part);
    if (known !== undefined) return known;
    const isLeaf = !part.endsWith('/');
    const child = { name: isLeaf ? part : part.slice(0, -1), prefix: this.#prefix + part, isLeaf, ...createTally() };
    this.#children.set(part, child);
    return child;
  }
}

/** Returns the origin of a URL with a slash. */
function getOrigin(url: string): string {
  return /^[^/]*\/\/[^/?#]*\/?/.exec(url)?.[0] ?? url;
}

/** Returns the next segment of a URL up to and including its slash. A query is not split. */
function getSegment(rest: string): string {
  const query = rest.indexOf('?');
  const slash = rest.indexOf('/');
  return slash === -1 || (query !== -1 && query < slash) ? rest : rest.slice(0, slash + 1);
}

function createTally(): Tally {
  return { stored: 0, failed: 0, skipped: 0, waiting: 0 };
}

function countState(tally: Tally, state: CrawlPageState): void {
  tally[state === 'visiting' ? 'waiting' : state] += 1;
}

function increment<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function sumTally({ stored, failed, skipped, waiting }: Tally): number {
  return stored + failed + skipped + waiting;
}

function listEntries<K extends string | number>(counts: ReadonlyMap<K, number>): readonly (readonly [K, number])[] {
  return [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1));
}
