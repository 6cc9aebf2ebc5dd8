import { z } from 'zod';
import type { Account } from '#engine/billing.ts';
import { LeaseLost } from '#engine/job-leases.ts';
import type { Statements } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import type { AddressRows } from './address-rows.ts';
import { toNumber } from './crawl-row.ts';
import type { CrawlRow, Crawling, RowsParts } from './crawl-row.ts';

const JOIN = 'insert into crawl_members (crawl, member, holder_id, lease_until) values ($1, $2, $3, $4)';
const BEAT = `update crawl_members set lease_until = $3
  where crawl = $1 and member = $2 and lease_until >= $4 returning member`;
const DEAD = 'delete from crawl_members where crawl = $1 and (lease_until < $2 or holder_id = $3) returning member';
const ANY_DEAD = 'select member from crawl_members where crawl = $1 and lease_until < $2 limit 1';
const LEAVE = 'delete from crawl_members where crawl = $1 and member = $2 returning member';

const LEASE_MS = 30_000;

const Member = z.object({ member: z.number() });

export type Membership = Awaited<ReturnType<typeof joinCrawl>>;

/** The key under which a member sets credits aside for the pages that it claims. */
export function memberKeyOf(jobId: string, member: number): string {
  return `crawl:${jobId}:${member}`;
}

/** Joins a crawl under a lease; what an earlier life of this process had claimed of it waits again. */
export async function joinCrawl(
  { db, billing, clock, random, holder }: RowsParts,
  { jobId, account }: Crawling,
  { row, addresses }: { readonly row: CrawlRow; readonly addresses: AddressRows },
) {
  const { crawl } = row;
  const member = toNumber(random());
  const own = accountOf(member);

  function accountOf(whose: number): Account {
    return { ...account, key: memberKeyOf(jobId, whose) };
  }

  /** Gives the pages of dead members, and of earlier lives of `whose`, back to the queue, or up. */
  async function bury(tx: Statements, whose: string | null): Promise<void> {
    const { tally, active, stored } = await row.lock(tx);
    let [back, givenUp, { hasSuspects }] = [0, 0, tally];
    const dead = readRows(Member, await tx.query(DEAD, [crawl, clock.now(), whose]));
    for (const one of dead) {
      const buried = await addresses.bury(tx, one.member);
      back += buried.hosts.length;
      givenUp += buried.givenUp;
      hasSuspects ||= buried.hasSuspects;
      await billing.unhold(tx, accountOf(one.member));
    }
    if (back + givenUp === 0) return;
    const counts = {
      tally: { ...tally, failed: tally.failed + givenUp, hasSuspects },
      stored,
      active: active - back - givenUp,
    };
    await row.count(tx, counts);
    if (givenUp > 0) await row.progress(tx, counts);
  }

  /**
   * Holds the lease for longer; throws `LeaseLost` when others have given its pages back. The lease of a helper counts by
   * the clock. That of the owner may be late, since its process was stopped for a while or a clock was set: it counts as
   * long as the job is its own.
   */
  async function renew(store: Statements): Promise<void> {
    const now = clock.now();
    const aliveSince = account.fence === undefined ? now : 0;
    const [alive] = await Promise.all([
      store.query(BEAT, [crawl, member, now + LEASE_MS, aliveSince]),
      account.fence?.(store),
    ]);
    if (alive.length === 0) throw new LeaseLost('the crawl goes on without this member');
  }

  await row.together(async (tx) => {
    await bury(tx, holder);
    await tx.query(JOIN, [crawl, member, holder, clock.now() + LEASE_MS]);
  });
  return {
    member,
    /** What the member sets aside for the pages that it claims. */
    account: own,
    fence: renew,

    /** Goes on being a member, and buries those who died. */
    async beat(): Promise<void> {
      await renew(db);
      if ((await db.query(ANY_DEAD, [crawl, clock.now()])).length === 0) return;
      await row.together(async (tx) => bury(tx, null));
    },

    /** Gives back what is claimed, and writes what belongs with that, unless the lease is over. */
    async leave(record: (tx: Statements) => Promise<void>): Promise<void> {
      await row.together(async (tx) => {
        const before = await row.lock(tx);
        if ((await tx.query(LEAVE, [crawl, member])).length === 0) return;
        const back = await addresses.putBack(tx, member);
        await row.count(tx, { ...before, active: before.active - back });
        await record(tx);
        await billing.unhold(tx, own);
      });
    },
  };
}
