import { z } from 'zod';
import type { Account, Billing, Ceiling } from '#engine/billing.ts';
import { sumOf, withModel } from '#engine/prices.ts';
import type { Price } from '#engine/prices.ts';
import { LeaseLost, Stopped } from '#engine/job-leases.ts';
import type { Results } from '#engine/results.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Statements } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import type { Archiving } from './archiving.ts';
import type { Standing } from './frontier.ts';
import { EMPTY_TALLY, Tally, toStanding } from './tally.ts';

const OPEN = `insert into crawls (crawl, job_id, max_pages, tally) values ($1, $2, $3, $4)
  on conflict (job_id) do nothing`;
const FIND = 'select * from crawls where job_id = $1';
/** Holds the row until the commit: the claims and commits of one crawl come one after the other. */
const LOCK = 'update crawls set active = active where crawl = $1 returning *';
const COUNT = 'update crawls set stored = $2, active = $3, tally = $4 where crawl = $1';
/**
 * A job that somebody works on; a commit on it may come while the next owner is still to claim it. What has its stop reason
 * already goes on no more.
 */
const IS_OPEN = `select cancel_requested from jobs
  where id = $1 and status in ('running', 'queued') and stop_reason is null`;
const PROGRESS = `update jobs set discovered = $2, completed = $3, failed = $4, total = null, usage = $5, pending = $6,
    attempt = case when status = 'running' then 1 else 0 end, version = version + 1
  where id = $1 and status in ('running', 'queued') and stop_reason is null returning id`;

const LARGEST_NUMBER = 2 ** 48;

const Row = z.object({
  crawl: z.number(),
  max_pages: z.number(),
  last_seq: z.number(),
  stored: z.number(),
  active: z.number(),
  tally: z.string().transform((text) => Tally.parse(JSON.parse(text))),
});
const Job = z.object({ cancel_requested: z.number() });

export type RowsParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly billing: Billing;
  readonly results: Results;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** The id of this process; whatever it held in an earlier life is free when it joins. */
  readonly holder: string;
};

/** Whose crawl it is, and what bounds it. */
export type Crawling = {
  readonly jobId: string;
  readonly operation: string;
  readonly account: Account;
  readonly maxPages: number;
  readonly maxCredits: number | null;
  /** Links of one pattern of paths that are taken in. */
  readonly mostPerPattern: number;
  /** Whether a depth is ended before the next begins, so that each page has its least depth. */
  readonly byLevel: boolean;
  readonly price: Price;
  /** What is exchanged with the site, null where nobody keeps it. */
  readonly archive: Archiving | null;
  /** Credits of the cheapest outcome that a page can have. */
  readonly cheapest: number;
};

/** What the row of a crawl counts. */
export type Counts = Pick<z.output<typeof Row>, 'stored' | 'active' | 'tally'>;

export type CrawlRow = Awaited<ReturnType<typeof openCrawlRow>>;

/** The row of a crawl, and what it says in the row of its job; opens the crawl when it is new. */
export async function openCrawlRow({ db, inTurn, random }: RowsParts, crawling: Crawling) {
  const { jobId, account, maxPages, maxCredits, price } = crawling;
  await db.query(OPEN, [toNumber(random()), jobId, maxPages, JSON.stringify(EMPTY_TALLY)]);
  const { crawl } = await find();

  async function find() {
    return Row.parse((await db.query(FIND, [jobId]))[0]);
  }

  return {
    /** The number of the crawl, which all of its rows carry. */
    crawl,

    /** Runs work in a transaction with other work of the moment, one piece of this job after the other. */
    async together<T>(work: (tx: Statements) => Promise<T>): Promise<T> {
      return inTurn(`tenant ${account.tenant}`, work, { key: account.key });
    },

    async lock(tx: Statements) {
      const row = readRow(Row, await tx.query(LOCK, [crawl]));
      if (row === null) throw new LeaseLost('the crawl is gone');
      return row;
    },

    /** What all of the crawl may have set aside beside what it has paid, null without a ceiling; holds the row. */
    async ceiling(tx: Statements): Promise<Ceiling | null> {
      if (maxCredits === null) return null;
      const { tally } = await this.lock(tx);
      return { credits: maxCredits - tally.credits, key: account.key, parts: `crawl:${jobId}` };
    },

    async count(tx: Statements, { stored, active, tally }: Counts): Promise<void> {
      await tx.query(COUNT, [crawl, stored, active, JSON.stringify(tally)]);
    },

    async standing(): Promise<Standing> {
      const row = await find();
      return toStanding(row.tally, row);
    },

    /** Throws `LeaseLost` when the job has ended, and `Stopped` when it is to end. */
    async demandOpen(tx: Statements): Promise<void> {
      const job = readRow(Job, await tx.query(IS_OPEN, [jobId]));
      if (job === null) throw new LeaseLost('the job has ended');
      if (job.cancel_requested === 1) throw new Stopped('cancelled');
    },

    /** Writes into the row of the job how far the crawl is; throws `LeaseLost` when the job has ended. */
    async progress(tx: Statements, { tally, stored }: Omit<Counts, 'active'>): Promise<void> {
      const usage = JSON.stringify(withModel(sumOf(price, tally.tiers), price, tally.made));
      const { discovered, failed, pending } = toStanding(tally, { stored, active: 0 });
      const open = await tx.query(PROGRESS, [jobId, discovered, stored, failed, usage, pending]);
      if (open.length === 0) throw new LeaseLost('the job has ended');
    },
  };
}

/** A number that names a crawl or a member of one. */
export function toNumber(random: number): number {
  return Math.floor(random * LARGEST_NUMBER);
}
