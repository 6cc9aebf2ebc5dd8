import { z } from 'zod';
import type { Billing } from '#engine/credits/billing.ts';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { type CrawlRow, type FrontierTerms, openCrawlRow, type RowFrontierParts } from './crawl-row.ts';
import type { Frontier } from './frontier.ts';
import { memberKeyOf } from './members.ts';
import { UrlRows } from './url-rows.ts';

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
export function readerOf(row: CrawlRow, urls: UrlRows): Omit<ClosedFrontier, 'hold'> {
  return {
    progress: async () => row.progress(),
    failedPages: async (most) => urls.failedPages(most),
    listed: async (most) => urls.listed(most),
    stats: async () => urls.stats(),
  };
}

/** Builds the function that sets credits aside for the job itself. */
export function buildHold(billing: Billing, { account }: FrontierTerms, row: CrawlRow): Frontier['hold'] {
  return async (each, most) =>
    row.together(async (tx) => {
      await account.fence?.(tx);
      return billing.holdUpTo(tx, account, { each, most, ceiling: await row.ceiling(tx) });
    });
}
