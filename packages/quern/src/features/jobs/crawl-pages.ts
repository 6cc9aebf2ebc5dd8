import type { RunnableControl } from '#engine/call/operation.ts';
import type { Cursors } from '#engine/call/cursor.ts';
import type { ResultReader } from '#engine/results/result-reader.ts';
import { type ListedPage, PageList } from '#features/crawl/frontier/page-list.ts';
import { refuseExpired } from '#engine/results/eviction.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import { CrawlTree } from './crawl-tree.ts';
import type { FoundView, JobViews } from './job-view.ts';
import { jobPages, jobTree } from './page-operations.ts';

/** Pages that one call looks through for those of its filters. */
const MAX_LOOKED_AT = 20_000;

/** What listed pages have in common; what is absent does not matter. */
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

/** Binds the lists of the pages of crawls. */
export function bindCrawlPages({ db, results, cursors }: CrawlPagesParts, views: JobViews): readonly RunnableControl[] {
  const pages = new PageList(db);

  async function demandCrawl(tenant: string, id: string): Promise<FoundView> {
    const found = await views.find(tenant, id);
    const { kind, status, evicted_for: why } = found.record;
    if (kind !== 'crawl') throw new ServiceError('invalid_request', `id: ${id} is a ${kind}; only crawls list pages`);
    if (status === 'expired') throw refuseExpired('result', id, why ?? null);
    return found;
  }

  async function toRows({ record, segments }: FoundView, listed: readonly ListedPage[]) {
    const ordinals = listed.flatMap(({ ordinal }) => ordinal ?? []);
    const places = await results.positionsOf({ jobId: record.id, segments }, ordinals);
    return listed.map(({ near, ordinal, ...page }) => {
      const place = ordinal === null ? undefined : places.get(ordinal);
      return { ...page, near_duplicate: near, place: place === undefined ? null : `${place.seq}.${place.at}` };
    });
  }

  return [
    jobPages.runs(async ({ id, limit, cursor, ...filters }, { caller: { tenant }, signal }) => {
      const found = await demandCrawl(tenant, id);
      const scope = { tenant, operation: 'jobs.pages', filters: { id, ...filters } };
      const data: ListedPage[] = [];
      let looked = 0;
      let last = Number(cursors.read(scope, cursor ?? null) ?? 0);
      for await (const some of pages.from(id, last, signal)) {
        for (const page of some) {
          const isFull = data.length === limit || looked === MAX_LOOKED_AT;
          if (isFull) return { data: await toRows(found, data), next_cursor: cursors.write(scope, String(last)) };
          looked += 1;
          last = page.seq;
          if (fits(page, filters)) data.push(page);
        }
      }
      return { data: await toRows(found, data), next_cursor: null };
    }),
    jobTree.runs(async ({ id, prefix = '' }, { caller, signal }) => {
      await demandCrawl(caller.tenant, id);
      const tree = new CrawlTree(prefix);
      for await (const some of pages.from(id, 0, signal)) for (const page of some) tree.add(page);
      return tree.toBody(id);
    }),
  ];
}

function fits(page: ListedPage, { state, status_code, depth, code, search, prefix, near_duplicate }: Filters): boolean {
  return (
    (state === undefined || state === page.state || (state === 'waiting' && page.state === 'visiting')) &&
    (status_code === undefined || status_code === page.status_code) &&
    (depth === undefined || depth === page.depth) &&
    (code === undefined || code === page.code) &&
    (near_duplicate === undefined || near_duplicate === page.near) &&
    (prefix === undefined || page.url.startsWith(prefix)) &&
    (search === undefined || has(page.url, search) || has(page.title ?? '', search))
  );
}

function has(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
