import { z } from 'zod';
import type { Account } from '#engine/credits/billing.ts';
import { LeaseLost } from '#engine/jobs/lease.ts';
import type { Queryable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import type { PageEvents } from './page-events.ts';
import type { UrlRows } from './url-rows.ts';
import { type CrawlRow, type FrontierOptions, type RowFrontierParts, toRandomId } from './crawl-row.ts';

const JOIN = 'insert into crawl_members (crawl, member, process_id, lease_until) values ($1, $2, $3, $4)';
const RENEW = `update crawl_members set lease_until = $3
  where crawl = $1 and member = $2 and lease_until >= $4 returning member`;
const REMOVE_DEAD =
  'delete from crawl_members where crawl = $1 and (lease_until < $2 or process_id = $3) returning member';
const ANY_DEAD = 'select member from crawl_members where crawl = $1 and lease_until < $2 limit 1';
const LEAVE = 'delete from crawl_members where crawl = $1 and member = $2 returning member';

const LEASE_MS = 30_000;

const Member = z.object({ member: z.number() });

/** Key under which a member reserves credits for the pages that it claims. */
export function buildMemberKey(jobId: string, member: number): string {
  return `crawl:${jobId}:${member}`;
}

type CrawlRows = { readonly row: CrawlRow; readonly urls: UrlRows; readonly pageEvents: PageEvents | null };

/** Joins a crawl under a lease. Pages claimed by an earlier process with the same id are queued again. */
export async function joinCrawl(parts: RowFrontierParts, terms: FrontierOptions, rows: CrawlRows): Promise<Membership> {
  const membership = new Membership(parts, terms, rows);
  await membership.join();
  return membership;
}

/** The membership of this process in a crawl, under a lease. */
export class Membership {
  readonly member: number;
  /** Account under which credits are reserved for the pages that this member claims. */
  readonly account: Account;
  readonly #parts: RowFrontierParts;
  readonly #terms: FrontierOptions;
  readonly #row: CrawlRow;
  readonly #urls: UrlRows;
  readonly #pageEvents: PageEvents | null;

  constructor(parts: RowFrontierParts, terms: FrontierOptions, { row, urls, pageEvents }: CrawlRows) {
    this.#parts = parts;
    this.#terms = terms;
    this.#row = row;
    this.#urls = urls;
    this.#pageEvents = pageEvents;
    this.member = toRandomId(parts.random());
    this.account = this.#buildAccount(this.member);
  }

  async join(): Promise<void> {
    const { clock, processId } = this.#parts;
    await this.#row.together(async (tx) => {
      await this.#reapMembers(tx, processId);
      await tx.query(JOIN, [this.#row.crawl, this.member, processId, clock.now() + LEASE_MS]);
    });
  }

  /**
   * Renews the lease in the caller's transaction. Throws `LeaseLost` if another member has queued its pages again. A
   * helper's lease expires by the clock. The owner's lease is valid as long as it owns the job, even if it is renewed
   * late because its process was suspended or the clock was changed.
   */
  async fence(store: Queryable): Promise<void> {
    const { account } = this.#terms;
    const now = this.#parts.clock.now();
    const aliveSince = account.fence === undefined ? now : 0;
    const [alive] = await Promise.all([
      store.query(RENEW, [this.#row.crawl, this.member, now + LEASE_MS, aliveSince]),
      account.fence?.(store),
    ]);
    if (alive.length === 0) throw new LeaseLost('the crawl goes on without this member');
  }

  /** Renews the lease, and reaps dead members. */
  async renew(): Promise<void> {
    const { db, clock } = this.#parts;
    await this.fence(db);
    if ((await db.query(ANY_DEAD, [this.#row.crawl, clock.now()])).length === 0) return;
    await this.#row.together(async (tx) => this.#reapMembers(tx, null));
  }

  /** Releases claimed pages and runs `record` in the same transaction, unless the lease is lost. */
  async leave(record: (tx: Queryable) => Promise<void>): Promise<void> {
    await this.#row.together(async (tx) => {
      const before = await this.#row.lock(tx);
      if ((await tx.query(LEAVE, [this.#row.crawl, this.member])).length === 0) return;
      const back = await this.#urls.putBack(tx, this.member);
      await this.#row.count(tx, { ...before, active: before.active - back });
      await record(tx);
      await this.#parts.billing.releasePart(tx, this.account);
    });
  }

  /** Queues the pages of dead members and of earlier processes with the id `whose` again, or marks them as failed. */
  async #reapMembers(tx: Queryable, whose: string | null): Promise<void> {
    const { clock, billing } = this.#parts;
    const { counters, active, stored } = await this.#row.lock(tx);
    let [back, givenUp, { hasSuspects }] = [0, 0, counters];
    const dead = readRows(Member, await tx.query(REMOVE_DEAD, [this.#row.crawl, clock.now(), whose]));
    for (const deadMember of dead) {
      const reaped = await this.#urls.reap(tx, deadMember.member);
      back += reaped.hosts.length;
      givenUp += reaped.givenUp.length;
      await this.#pageEvents?.enqueueGivenUp(tx, reaped.givenUp);
      hasSuspects ||= reaped.hasSuspects;
      await billing.releasePart(tx, this.#buildAccount(deadMember.member));
    }
    if (back + givenUp === 0) return;
    const counts = {
      counters: {
        ...counters,
        failed: counters.failed + givenUp,
        failedForNow: counters.failedForNow + givenUp,
        hasSuspects,
      },
      stored,
      active: active - back - givenUp,
    };
    await this.#row.count(tx, counts);
    if (givenUp > 0) await this.#row.reportToJob(tx, counts);
  }

  #buildAccount(member: number): Account {
    const { account, jobId } = this.#terms;
    return { ...account, key: buildMemberKey(jobId, member) };
  }
}
