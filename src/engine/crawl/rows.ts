import type { Segment } from '#engine/result-segments.ts';
import { buildAddressRows } from './address-rows.ts';
import { buildClaiming } from './claiming.ts';
import { buildHold, readingOf } from './closing.ts';
import { buildCommitting, recallNear } from './committing.ts';
import { openCrawlRow } from './crawl-row.ts';
import type { Crawling, RowsParts } from './crawl-row.ts';
import type { Frontier } from './frontier.ts';
import { buildKnown, onlyUnknown } from './known.ts';
import { joinCrawl } from './members.ts';
import { addTo, toStanding } from './tally.ts';

/** The number of the first seed. */
const SEED = 1;

/**
 * Joins a crawl whose frontier is rows as one of its members; opens it when it is new. Whatever a page brings is one
 * transaction with its charge: its result, the addresses that it links to, and the counts. A page that is claimed
 * carries the number of its member: when the lease of that is over, others take the page, and its commits find nothing.
 */
export async function joinRows(parts: RowsParts, crawling: Crawling): Promise<Frontier> {
  const { db, billing, results } = parts;
  const { jobId, archive, byLevel, mostPerPattern } = crawling;
  const row = await openCrawlRow(parts, crawling);
  const addresses = buildAddressRows(db, { crawl: row.crawl, byLevel, mostPerPattern });
  const near = await recallNear(db, row.crawl, async (seq) => addresses.urlOf(db, seq));
  const membership = await joinCrawl(parts, crawling, { row, addresses });
  const known = buildKnown();

  /** What was exchanged beside the pages. */
  async function exchanges(): Promise<readonly Segment[]> {
    return archive === null ? [] : archive.pack([]);
  }

  return {
    ...readingOf(row, addresses),
    hold: buildHold(billing, crawling, row),
    isKnown: known.hasFound,
    isTaken: known.has,

    async seed(found) {
      await row.together(async (tx) => {
        const before = await row.lock(tx);
        if (before.last_seq > 0) return;
        const added = await addresses.add(
          tx,
          found.map((one) => ({ ...one, parent: null })),
        );
        await row.count(tx, { ...before, tally: addTo(before.tally, [], added) });
      });
    },

    async add(found) {
      const unknown = onlyUnknown(found, known);
      const kept = await exchanges();
      const standing = await row.together(async (tx) => {
        const before = await row.lock(tx);
        await membership.fence(tx);
        await addresses.settle(
          tx,
          found.filter(({ rests, skip }) => rests && skip === null),
        );
        const added = await addresses.add(
          tx,
          unknown.map((one) => ({ ...one, parent: SEED })),
        );
        const counts = { ...before, tally: addTo(before.tally, [], added) };
        await row.count(tx, counts);
        await row.progress(tx, counts);
        await results.appendArchive(tx, jobId, kept);
        return toStanding(counts.tally, counts);
      });
      for (const one of unknown) known.addFound(one);
      return standing;
    },

    async wake(depth) {
      return row.together(async (tx) => {
        await row.lock(tx);
        await membership.fence(tx);
        return addresses.wake(tx, depth);
      });
    },

    claim: buildClaiming(parts, crawling, { row, addresses, membership }),
    commit: buildCommitting(parts, crawling, { row, addresses, membership, known, near }),

    async raise(credits) {
      return row.together(async (tx) => {
        await membership.fence(tx);
        const ceiling = await row.ceiling(tx);
        return (await billing.holdUpTo(tx, membership.account, { each: credits, most: 1, ceiling })).refused;
      });
    },

    beat: async () => membership.beat(),

    async leave() {
      const kept = await exchanges();
      await membership.leave(async (tx) => results.appendArchive(tx, jobId, kept));
    },
  };
}
