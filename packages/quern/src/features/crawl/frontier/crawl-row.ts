import { z } from 'zod';
import type { Account, Billing } from '#engine/credits/billing.ts';
import type { ReservationCeiling } from '#engine/credits/tenant-credits.ts';
import { type Price, sumUsage, addModelOutputs } from '#engine/credits/prices.ts';
import { LeaseLost, JobStopped } from '#engine/jobs/lease.ts';
import type { Results } from '#engine/results/results.ts';
import type { Queryable } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow } from '#store/rows.ts';
import type { ExchangeArchive } from '#features/crawl/archive/exchange-archive.ts';
import type { CrawlTracking } from '#features/crawl/page-changes.ts';
import type { CrawlProgress } from './frontier.ts';
import { type Counters, INITIAL_COUNTERS, parseCounters, toProgress } from './counters.ts';
import type { PageEventParts } from './page-events.ts';
import type { FilterPatterns } from './url-patterns.ts';

const ADD_CRAWL = `insert into crawls (crawl, job_id, max_pages, counters) values ($1, $2, $3, $4)
  on conflict (job_id) do nothing`;
const FIND = 'select * from crawls where job_id = $1';
/** Locks the row until the transaction ends. This serializes the claims and commits of a crawl. */
const LOCK = 'update crawls set active = active where crawl = $1 returning *';
const COUNT = 'update crawls set stored = $2, active = $3, counters = $4 where crawl = $1';
/**
 * Finds a job that is not finished: running, or queued for its next owner while a last commit arrives. A job with a
 * stop reason is finished.
 */
const IS_OPEN = `select cancel_requested from jobs
  where id = $1 and status in ('running', 'queued') and stop_reason is null`;
const REPORT = `update jobs set discovered = $2, completed = $3, failed = $4, total = null, usage = $5, pending = $6,
    attempt = case when status = 'running' then 1 else 0 end, version = version + 1
  where id = $1 and status in ('running', 'queued') and stop_reason is null returning id`;

const MAX_RANDOM_ID = 2 ** 48;

const Row = z.object({
  crawl: z.number(),
  max_pages: z.number(),
  last_seq: z.number(),
  stored: z.number(),
  active: z.number(),
  counters: z.string().transform(parseCounters),
});
const Job = z.object({ cancel_requested: z.number() });

export type RowFrontierParts = PageEventParts & {
  readonly inTurn: GroupedTransaction;
  readonly billing: Billing;
  readonly results: Results;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Id of this process. When it joins, pages claimed by an earlier process with the same id are queued again. */
  readonly processId: string;
};

/** The limits of a crawl. */
export type FrontierLimits = {
  readonly maxPages: number;
  readonly maxCredits: number | null;
  readonly patterns: FilterPatterns;
  /** Maximum number of links followed per path pattern. */
  readonly maxPerPattern: number;
  /** Whether one depth is finished before the next starts, so that each page has its least depth. */
  readonly byLevel: boolean;
  /** Credits that a page costs at least. */
  readonly minPageCredits: number;
  /** Whether every page ends with an element in the result, also those that are given up without a visit. */
  readonly recordsAll: boolean;
  /** Maximum number of claimed pages that have not ended, null for no limit. */
  readonly maxActive: number | null;
};

/** The job that a crawl belongs to, and its limits. */
export type FrontierOptions = FrontierLimits & {
  readonly jobId: string;
  readonly operation: string;
  readonly account: Account;
  readonly price: Price;
  /** The archive of exchanges, null for none. */
  readonly archive: ExchangeArchive | null;
  /** Compares pages with their last copies, null if they are not compared. */
  readonly tracking: CrawlTracking | null;
};

/** The counts stored in the row of a crawl. */
export type CrawlCounts = { readonly stored: number; readonly active: number; readonly counters: Counters };

export type CrawlRow = Awaited<ReturnType<typeof openCrawlRow>>;

/** Opens the row of a crawl, or creates it if the crawl is new. */
export async function openCrawlRow({ db, inTurn, random }: RowFrontierParts, terms: FrontierOptions) {
  const { jobId, account, maxPages, maxCredits, price } = terms;
  await db.query(ADD_CRAWL, [toRandomId(random()), jobId, maxPages, JSON.stringify(INITIAL_COUNTERS)]);
  const { crawl } = await find();

  async function find() {
    return Row.parse((await db.query(FIND, [jobId]))[0]);
  }

  return {
    /** Number of the crawl, which is part of all its rows. */
    crawl,

    /** Runs work in a transaction that may be shared with other work. The work of one job is serialized. */
    async together<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
      return inTurn({ tenant: account.tenant }, work, { key: account.key });
    },

    async lock(tx: Queryable) {
      const row = readRow(Row, await tx.query(LOCK, [crawl]));
      if (row === null) throw new LeaseLost('the crawl is gone');
      return row;
    },

    /** Credits that the crawl may still hold, null without a limit. Locks the row. */
    async ceiling(tx: Queryable): Promise<ReservationCeiling | null> {
      if (maxCredits === null) return null;
      const { counters } = await this.lock(tx);
      return { credits: maxCredits - counters.credits, key: account.key, parts: `crawl:${jobId}` };
    },

    async count(tx: Queryable, { stored, active, counters }: CrawlCounts): Promise<void> {
      await tx.query(COUNT, [crawl, stored, active, JSON.stringify(counters)]);
    },

    async progress(): Promise<CrawlProgress> {
      const row = await find();
      return toProgress(row.counters, row);
    },

    /** Throws `LeaseLost` if the job has ended, `Stopped` if it is cancelled. */
    async demandOpen(tx: Queryable): Promise<void> {
      const job = readRow(Job, await tx.query(IS_OPEN, [jobId]));
      if (job === null) throw new LeaseLost('the job has ended');
      if (job.cancel_requested === 1) throw new JobStopped('cancelled');
    },

    /** Writes the progress into the row of the job. Throws `LeaseLost` if the job has ended. */
    async reportToJob(tx: Queryable, { counters, stored }: Omit<CrawlCounts, 'active'>): Promise<void> {
      const usage = JSON.stringify(addModelOutputs(sumUsage(price, counters.tiers), price, counters.modelOutputs));
      const { discovered, failed, pending } = toProgress(counters, { stored, active: 0 });
      const open = await tx.query(REPORT, [jobId, discovered, stored, failed, usage, pending]);
      if (open.length === 0) throw new LeaseLost('the job has ended');
    },
  };
}

/** Converts a random number below 1 to the id of a crawl or of a member. */
export function toRandomId(random: number): number {
  return Math.floor(random * MAX_RANDOM_ID);
}
