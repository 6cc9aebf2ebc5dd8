import { z } from 'zod';
import type { Usage } from '#engine/credits/prices.ts';
import { type Clock, sleepUnlessAborted } from '#kernel/clock.ts';
import { type Queryable, StoreUnavailable, type SqlValue } from '#store/db.ts';
import type { Activity } from './slots.ts';
import type { JobFailure } from './job-hooks.ts';
import type { JobInput, JobRow } from './job-record.ts';

/** Locks the row until the transaction ends, so that the check and the following statements see the same job. */
const FENCE = `with calls (job, token) as (values ($1, $2))
  update jobs set version = version from calls
  where id = job and lease_token = token and status = 'running' returning id`;

/** Another worker has the job, or it has ended. Nothing done under this lease has an effect. */
export class LeaseLost extends Error {}

/**
 * The abort reason of running work. `displaced`: it makes room for a job of another tenant. `drained`: the worker shuts
 * down.
 */
export class JobStopped extends Error {
  readonly reason: 'cancelled' | 'drained' | 'suspended' | 'displaced';
  constructor(why: JobStopped['reason']) {
    super(`the job was ${why}`);
    this.reason = why;
  }
}

/** The cause of a failure that must not be retried, because another attempt would fail the same way. */
export class FinalFailure extends Error {}

/** The cause of a failure after the target may have got a request that must not be sent again. */
export class SpentFailure extends FinalFailure {}

/** The cause of a failure that is charged anyway, because the work had external effects. */
export class ChargedFailure extends Error {
  readonly usage: Usage;

  constructor(usage: Usage) {
    super('the work had an effect');
    this.usage = usage;
  }
}

/** Progress of work in steps: started, completed and failed ones. */
export type StepCounts = { readonly begun: number; readonly completed: number; readonly failed: number };

/** A result prepared for the transaction that completes its job. */
export type PackedOutcome = {
  /** Completes the job, in the transaction of the charge. Throws `Stopped` if the job is to be cancelled. */
  readonly complete: (tx: Queryable, usage: Usage) => Promise<void>;
  /** Deletes the stored objects after the transaction failed with `error`. */
  readonly discard: (error: unknown) => Promise<void>;
};

/** Why a crawl with stored pages ends early. */
export const ClosingReason = z.enum(['timeout', 'credits_exhausted', 'daily_cap', 'interrupted']);

export type ClosingReason = z.output<typeof ClosingReason>;

/** The temporary right to run a job. Each function throws `LeaseLost` if it is lost. */
export type Lease = {
  readonly jobId: string;
  /** The start of the first attempt, ms, plus paused time. */
  readonly startedAt: number;
  readonly maxCredits: number | null;
  /** The number of attempts, including this one. */
  readonly attempt: number;
  readonly activity: Activity;
  /** Why a crawl only returns the pages it has stored; null while it still fetches pages. */
  readonly closing: ClosingReason | null;
  readonly fence: (tx: Queryable) => Promise<void>;
  /**
   * Adds elements to the list of the result and updates the progress. Once a step has started, the job is not retried.
   */
  readonly reportProgress: (elements: readonly unknown[], counts: StepCounts) => Promise<void>;
  /**
   * Runs work that writes to the store. Once a step has started the job cannot be retried, so the write is repeated
   * until the store is available.
   */
  readonly store: <T>(work: () => Promise<T>) => Promise<T>;
  /** Prepares a result. `list` is the name of the long list of the body; null if it has none. */
  readonly pack: (body: JobInput, list: string | null) => Promise<PackedOutcome>;
  /**
   * Queues the job again or ends it, in the transaction that releases its reservation. Returns whether it has ended.
   */
  readonly endAttempt: (tx: Queryable, failed: JobFailure) => Promise<boolean>;
};

/** A job claimed by a worker, and the token of its lease. */
export type ClaimedJob = { readonly row: JobRow; readonly token: string };

/** Checks a lease inside a transaction. Throws `LeaseLost`. */
export async function assertLease(tx: Queryable, { row, token }: ClaimedJob): Promise<void> {
  await runUnderLease(tx, FENCE, [row.id, token]);
}

/** Runs a statement that returns a row only if the lease is valid. Throws `LeaseLost` if it does not. */
export async function runUnderLease(tx: Queryable, sql: string, values: readonly SqlValue[]): Promise<void> {
  if ((await tx.query(sql, values)).length === 0) throw new LeaseLost('the lease is not valid any more');
}

/** How long an unavailable store is waited for. */
export const MAX_STORE_WAIT_MS = 3_600_000;

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

type RetryParts = { readonly clock: Clock; readonly signal: AbortSignal };

/** Runs work and retries it while the store is unavailable, for up to an hour or until the signal aborts. */
export async function retryUntilStored<T>(work: () => Promise<T>, { clock, signal }: RetryParts): Promise<T> {
  const begun = clock.monotonic();
  for (let waitMs = MIN_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      const isOver = signal.aborted || clock.monotonic() - begun > MAX_STORE_WAIT_MS;
      if (!(error instanceof StoreUnavailable) || isOver) throw error;
      await sleepUnlessAborted(clock, waitMs, signal);
    }
  }
}
