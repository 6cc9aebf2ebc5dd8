import { z } from 'zod';
import type { Billing } from '#engine/credits/billing.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import { createKnownKeys, type KnownKeys, filterUnknown } from '#features/crawl/dedupe/known-keys.ts';
import type { Queryable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { PageClaims } from './page-claims.ts';
import { PageCommits, loadNearDuplicates } from './page-commits.ts';
import { buildCounterUpdate, type CounterUpdate, toProgress } from './counters.ts';
import { type CrawlRow, type FrontierOptions, openCrawlRow, type RowFrontierParts } from './crawl-row.ts';
import type { CrawlProgress, Frontier } from './frontier.ts';
import { joinCrawl, buildMemberKey, type Membership } from './members.ts';
import { openPageEvents, type PageEvents } from './page-events.ts';
import { UrlRows } from './url-rows.ts';

/** Sequence number of the first seed. */
const SEED_SEQ = 1;

/**
 * Joins a crawl whose frontier is in the database, or opens it if it is new. The result of a page, its links, its
 * charge and the counts are written in one transaction. A claimed page has the number of its member: once that member's
 * lease is lost, others take the page, and commits of the old member match no row.
 */
export async function joinRowFrontier(parts: RowFrontierParts, terms: FrontierOptions): Promise<Frontier> {
  const { db, billing, results } = parts;
  const { jobId, archive } = terms;
  const row = await openCrawlRow(parts, terms);
  const urls = new UrlRows(db, row.crawl, terms);
  const nearDuplicates = await loadNearDuplicates(db, row.crawl, urls);
  const pageEvents = await openPageEvents(parts, terms);
  const membership = await joinCrawl(parts, terms, { row, urls, pageEvents });
  const known = createKnownKeys();
  const count = buildCounterUpdate(terms);
  const joined = { db, billing, results, row, urls, membership, known, nearDuplicates, count, pageEvents };
  const claims = new PageClaims(joined, terms);
  const commits = new PageCommits(joined, terms);

  /** Packs exchanges that belong to the site and not to one of its pages. */
  async function exchangesOfSite(): Promise<readonly Segment[]> {
    return archive === null ? [] : archive.pack([]);
  }

  return {
    ...buildFrontierReader(row, urls),
    holdCredits: buildCreditHold(billing, terms, row),
    isKnown: known.hasFound,
    isDuplicate: known.has,
    async seed(found) {
      await row.together(async (tx) => addSeeds(tx, joined, filterUnknown(found, known)));
      pageEvents?.notify();
    },

    async add(newUrls) {
      const archived = await exchangesOfSite();
      return addFileUrls(joined, newUrls, async (tx) => results.appendArchive(tx, jobId, archived));
    },

    async unpark(depth) {
      return row.together(async (tx) => {
        await row.lock(tx);
        await membership.fence(tx);
        return urls.unpark(tx, depth);
      });
    },

    claim: async (demand) => row.together(async (tx) => claims.claim(tx, demand)),
    commit: async (ends) => commits.commit(ends),

    async raiseHold(credits) {
      return row.together(async (tx) => {
        await membership.fence(tx);
        const ceiling = await row.ceiling(tx);
        return (await billing.reserveShares(tx, membership.account, { each: credits, most: 1, ceiling })).refused;
      });
    },

    renew: async () => membership.renew(),

    async leave() {
      const archived = await exchangesOfSite();
      await membership.leave(async (tx) => results.appendArchive(tx, jobId, archived));
    },
  };
}

type SeedRows = { readonly row: CrawlRow; readonly urls: UrlRows; readonly count: CounterUpdate };

async function addSeeds(
  tx: Queryable,
  { row, urls, count, pageEvents }: SeedRows & { readonly pageEvents: PageEvents | null },
  seeds: readonly FoundUrl[],
): Promise<void> {
  const before = await row.lock(tx);
  if (before.last_seq > 0) return;
  const added = await urls.add(
    tx,
    seeds.map((one) => ({ ...one, parent: null })),
  );
  await row.count(tx, { ...before, counters: count(before.counters, [], added) });
  await pageEvents?.enqueueStart(tx, seeds.length);
}

/** Adds URLs of sitemaps and feeds as links of the seed, and runs `record` in the same transaction. */
async function addFileUrls(
  { row, urls, membership, known, count }: SeedRows & { readonly membership: Membership; readonly known: KnownKeys },
  newUrls: readonly FoundUrl[],
  record: (tx: Queryable) => Promise<void>,
): Promise<CrawlProgress> {
  const unknown = filterUnknown(newUrls, known);
  const progress = await row.together(async (tx) => {
    const before = await row.lock(tx);
    await membership.fence(tx);
    await urls.park(
      tx,
      newUrls.filter(({ isParked, skip }) => isParked && skip === null),
    );
    const added = await urls.add(
      tx,
      unknown.map((one) => ({ ...one, parent: SEED_SEQ })),
    );
    const counts = { ...before, counters: count(before.counters, [], added) };
    await row.count(tx, counts);
    await row.reportToJob(tx, counts);
    await record(tx);
    return toProgress(counts.counters, counts);
  });
  for (const one of unknown) known.addFound(one);
  return progress;
}

const DISMISS_MEMBERS = 'delete from crawl_members where crawl = $1 returning member';

const Member = z.object({ member: z.number() });

/** The frontier of a closed crawl. */
export type ClosedFrontier = Pick<Frontier, 'progress' | 'listFailedPages' | 'listUrls' | 'countUrls' | 'holdCredits'>;

/** Removes all members of a crawl that ends, and releases their pages and credits. Its results can still be read. */
export async function closeRowFrontier(parts: RowFrontierParts, terms: FrontierOptions): Promise<ClosedFrontier> {
  const { db, billing } = parts;
  const { account, jobId } = terms;
  const row = await openCrawlRow(parts, terms);
  const urls = new UrlRows(db, row.crawl, terms);

  async function dismiss(tx: Queryable): Promise<void> {
    const before = await row.lock(tx);
    await account.fence?.(tx);
    for (const { member } of readRows(Member, await tx.query(DISMISS_MEMBERS, [row.crawl]))) {
      await urls.putBack(tx, member);
      await billing.releasePart(tx, { ...account, key: buildMemberKey(jobId, member) });
    }
    await row.count(tx, { ...before, active: 0 });
  }

  await row.together(dismiss);
  return { ...buildFrontierReader(row, urls), holdCredits: buildCreditHold(billing, terms, row) };
}

/** Builds the read-only part of a frontier. */
function buildFrontierReader(row: CrawlRow, urls: UrlRows): Omit<ClosedFrontier, 'holdCredits'> {
  return {
    progress: async () => row.progress(),
    listFailedPages: async (most) => urls.listFailedPages(most),
    listUrls: async (most) => urls.listUrls(most),
    countUrls: async () => urls.countUrls(),
  };
}

/** Builds the function that reserves credits for the job itself. */
function buildCreditHold(billing: Billing, { account }: FrontierOptions, row: CrawlRow): Frontier['holdCredits'] {
  return async (each, most) =>
    row.together(async (tx) => {
      await account.fence?.(tx);
      return billing.reserveShares(tx, account, { each, most, ceiling: await row.ceiling(tx) });
    });
}
