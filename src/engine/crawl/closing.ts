import { z } from 'zod';
import type { Billing } from '#engine/billing.ts';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { buildAddressRows } from './address-rows.ts';
import type { AddressRows } from './address-rows.ts';
import { openCrawlRow } from './crawl-row.ts';
import type { CrawlRow, Crawling, RowsParts } from './crawl-row.ts';
import type { Frontier } from './frontier.ts';
import { memberKeyOf } from './members.ts';

const DISMISS = 'delete from crawl_members where crawl = $1 returning member';

const Member = z.object({ member: z.number() });

/** A frontier that nobody works on any more. */
export type ClosedFrontier = Pick<Frontier, 'standing' | 'troubles' | 'listed' | 'survey' | 'hold'>;

/** Takes a crawl that goes on no more from all of its members, with what they hold; what it has is read and not added to. */
export async function closeRows(parts: RowsParts, crawling: Crawling): Promise<ClosedFrontier> {
  const { db, billing } = parts;
  const { account, jobId } = crawling;
  const row = await openCrawlRow(parts, crawling);
  const addresses = buildAddressRows(db, { ...crawling, crawl: row.crawl });

  async function dismiss(tx: Statements): Promise<void> {
    const before = await row.lock(tx);
    await account.fence?.(tx);
    for (const { member } of readRows(Member, await tx.query(DISMISS, [row.crawl]))) {
      await addresses.putBack(tx, member);
      await billing.unhold(tx, { ...account, key: memberKeyOf(jobId, member) });
    }
    await row.count(tx, { ...before, active: 0 });
  }

  await row.together(dismiss);
  return { ...readingOf(row, addresses), hold: buildHold(billing, crawling, row) };
}

/** What is told of a crawl. */
export function readingOf(row: CrawlRow, addresses: AddressRows): Omit<ClosedFrontier, 'hold'> {
  return {
    standing: async () => row.standing(),
    troubles: async (most) => addresses.troubles(most),
    listed: async (most) => addresses.listed(most),
    survey: async () => addresses.survey(),
  };
}

/** What sets credits aside for the job itself. */
export function buildHold(billing: Billing, { account }: Crawling, row: CrawlRow): Frontier['hold'] {
  return async (each, most) =>
    row.together(async (tx) => {
      await account.fence?.(tx);
      return billing.holdUpTo(tx, account, { each, most, ceiling: await row.ceiling(tx) });
    });
}
