import { z } from 'zod';
import type { Billing } from '#engine/credits/billing.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import type { FoundUrl } from '#features/crawl/crawl-page.ts';
import { buildKnownKeys, type KnownKeys, onlyUnknown } from '#features/crawl/dedupe/known-keys.ts';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { PageClaims } from './page-claims.ts';
import { PageCommits, recallNearDuplicates } from './page-commits.ts';
import { buildCounting, type Counting, toProgress } from './counters.ts';
import { type CrawlRow, type FrontierTerms, openCrawlRow, type RowFrontierParts } from './crawl-row.ts';
import type { CrawlProgress, Frontier } from './frontier.ts';
import { joinCrawl, memberKeyOf, type Membership } from './members.ts';
import { UrlRows } from './url-rows.ts';

/** The number of the first seed. */
const SEED = 1;

/**
 * Joins a crawl whose frontier is rows; opens it when it is new. Everything that a page brings is one transaction with its
 * charge: its result, its links and the counts. A claimed page carries the number of its member: once that member's lease
 * is over, others take the page, and its commits find nothing.
 */
export async function joinRows(parts: RowFrontierParts, terms: FrontierTerms): Promise<Frontier> {
  const { db, billing, results } = parts;
  const { jobId, archive } = terms;
  const row = await openCrawlRow(parts, terms);
  const urls = new UrlRows(db, row.crawl, terms);
  const nearDuplicates = await recallNearDuplicates(db, row.crawl, urls);
  const membership = await joinCrawl(parts, terms, { row, urls });
  const known = buildKnownKeys();
  const count = buildCounting(terms);
  const joined = { db, billing, results, row, urls, membership, known, nearDuplicates, count };
  const claims = new PageClaims(joined, terms);
  const commits = new PageCommits(joined, terms);

  /** Exchanges that belong to the site and to none of its pages. */
  async function exchangesOfSite(): Promise<readonly Segment[]> {
    return archive === null ? [] : archive.pack([]);
  }

  return {
    ...readerOf(row, urls),
    hold: buildHold(billing, terms, row),
    isKnown: known.hasFound,
    isDuplicate: known.has,
    seed: async (found) => row.together(async (tx) => seedRows(tx, { row, urls, count }, onlyUnknown(found, known))),

    async add(found) {
      const archived = await exchangesOfSite();
      return addRows(joined, found, async (tx) => results.appendArchive(tx, jobId, archived));
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

    async raise(credits) {
      return row.together(async (tx) => {
        await membership.fence(tx);
        const ceiling = await row.ceiling(tx);
        return (await billing.holdUpTo(tx, membership.account, { each: credits, most: 1, ceiling })).refused;
      });
    },

    renew: async () => membership.renew(),

    async leave() {
      const archived = await exchangesOfSite();
      await membership.leave(async (tx) => results.appendArchive(tx, jobId, archived));
    },
  };
}

type Rows = { readonly row: CrawlRow; readonly urls: UrlRows; readonly count: Counting };

async function seedRows(tx: Statements, { row, urls, count }: Rows, found: readonly FoundUrl[]): Promise<void> {
  const before = await row.lock(tx);
  if (before.last_seq > 0) return;
  const added = await urls.add(
    tx,
    found.map((one) => ({ ...one, parent: null })),
  );
  await row.count(tx, { ...before, counters: count(before.counters, [], added) });
}

/** Adds URLs as links of the seed, and runs `record` in the same transaction. */
async function addRows(
  { row, urls, membership, known, count }: Rows & { readonly membership: Membership; readonly known: KnownKeys },
  found: readonly FoundUrl[],
  record: (tx: Statements) => Promise<void>,
): Promise<CrawlProgress> {
  const unknown = onlyUnknown(found, known);
  const progress = await row.together(async (tx) => {
    const before = await row.lock(tx);
    await membership.fence(tx);
    await urls.park(
      tx,
      found.filter(({ isParked, skip }) => isParked && skip === null),
    );
    const added = await urls.add(
      tx,
      unknown.map((one) => ({ ...one, parent: SEED })),
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

const DISMISS = 'delete from crawl_members where crawl = $1 returning member';

const Member = z.object({ member: z.number() });

/** A frontier without members. */
export type ClosedFrontier = Pick<Frontier, 'progress' | 'failedPages' | 'listed' | 'stats' | 'hold'>;

/** Dismisses all members of a crawl that ends, and releases what they hold; what it found can still be read. */
export async function closeRows(parts: RowFrontierParts, terms: FrontierTerms): Promise<ClosedFrontier> {
  const { db, billing } = parts;
  const { account, jobId } = terms;
  const row = await openCrawlRow(parts, terms);
  const urls = new UrlRows(db, row.crawl, terms);

  async function dismiss(tx: Statements): Promise<void> {
    const before = await row.lock(tx);
    await account.fence?.(tx);
    for (const { member } of readRows(Member, await tx.query(DISMISS, [row.crawl]))) {
      await urls.putBack(tx, member);
      await billing.unhold(tx, { ...account, key: memberKeyOf(jobId, member) });
    }
    await row.count(tx, { ...before, active: 0 });
  }

  await row.together(dismiss);
  return { ...readerOf(row, urls), hold: buildHold(billing, terms, row) };
}

/** The readable part of a frontier. */
function readerOf(row: CrawlRow, urls: UrlRows): Omit<ClosedFrontier, 'hold'> {
  return {
    progress: async () => row.progress(),
    failedPages: async (most) => urls.failedPages(most),
    listed: async (most) => urls.listed(most),
    stats: async () => urls.stats(),
  };
}

/** Builds the function that sets credits aside for the job itself. */
function buildHold(billing: Billing, { account }: FrontierTerms, row: CrawlRow): Frontier['hold'] {
  return async (each, most) =>
    row.together(async (tx) => {
      await account.fence?.(tx);
      return billing.holdUpTo(tx, account, { each, most, ceiling: await row.ceiling(tx) });
    });
}
