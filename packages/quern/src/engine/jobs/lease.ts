import { z } from 'zod';
import type { Usage } from '#engine/credits/prices.ts';
import { type Clock, pause } from '#kernel/clock.ts';
import { type Statements, StoreUnavailable, type Value } from '#store/db.ts';
import type { Activity } from './activity.ts';
import type { JobFailure } from './job-hooks.ts';
import type { JobInput, JobRow } from './job-record.ts';

/** Locks the row until the transaction ends, so that a check and the statements after it see the same job. */
const FENCE = `with calls (job, token) as (values ($1, $2))
  update jobs set version = version from calls
  where id = job and lease_token = token and status = 'running' returning id`;

/** Another worker has the job, or it has ended: nothing that is done under this lease has an effect. */
export class LeaseLost extends Error {}

/** Running work was told to stop; the `reason` of its signal. `displaced` made room for a job of another tenant. */
export class Stopped extends Error {
  readonly reason: 'cancelled' | 'drained' | 'suspended' | 'displaced';
  constructor(why: Stopped['reason']) {
    super(`the job was ${why}`);
    this.reason = why;
  }
}

/** The cause of a failure that is stored with the findings of its job, so that another attempt would only repeat it. */
export class FinalFailure extends Error {}

/** The cause of a failure that is charged all the same, since its work had an effect outside. */
export class ChargedFailure extends Error {
  readonly usage: Usage;

  constructor(usage: Usage) {
    super('the work had an effect');
    this.usage = usage;
  }
}

/** Progress of work that is done in steps: started, done, and failed. */
export type StepCounts = { readonly begun: number; readonly completed: number; readonly failed: number };

/** A result prepared for the transaction that ends its job. */
export type PackedOutcome = {
  /** Ends the job with it, in the transaction of the charge; throws `Stopped` when the job is to be cancelled. */
  readonly complete: (tx: Statements, usage: Usage) => Promise<void>;
  /** Deletes the objects of a transaction that ended with `error`. */
  readonly discard: (error: unknown) => Promise<void>;
};

/** The reason why a crawl with stored pages ends early. */
export const Closing = z.enum(['timeout', 'credits_exhausted', 'daily_cap', 'interrupted']);

export type Closing = z.output<typeof Closing>;

/** The right to run a job for a while, as the gate uses it; each function throws `LeaseLost` when it is lost. */
export type Lease = {
  readonly jobId: string;
  /** The start of the first attempt, ms. */
  readonly startedAt: number;
  readonly maxCredits: number | null;
  /** The number of attempts, this one included. */
  readonly attempt: number;
  readonly activity: Activity;
  /** The reason why a crawl only answers what it has stored; null while it continues. */
  readonly closing: Closing | null;
  readonly fence: (tx: Statements) => Promise<void>;
  /** Adds elements to the list of the result, and progress; once a step has started, the job is not tried again. */
  readonly reportProgress: (elements: readonly unknown[], counts: StepCounts) => Promise<void>;
  /**
   * Runs work that writes to the store. Once a step has started, the job cannot begin again, so the work is repeated until
   * a store that is away takes it.
   */
  readonly store: <T>(work: () => Promise<T>) => Promise<T>;
  /** Prepares a result; `list` names the long list of the body, null when it has none. */
  readonly pack: (body: JobInput, list: string | null) => Promise<PackedOutcome>;
  /** Queues the job again or ends it, in the transaction that frees its reservation; answers whether it has ended. */
  readonly endAttempt: (tx: Statements, failed: JobFailure) => Promise<boolean>;
};

/** A job that a worker has taken, and the token that proves its lease. */
export type Claimed = { readonly row: JobRow; readonly token: string };

/** Checks a lease inside a transaction; throws `LeaseLost`. */
export async function assertLease(tx: Statements, { row, token }: Claimed): Promise<void> {
  await runUnderLease(tx, FENCE, [row.id, token]);
}

/** Runs a statement that returns a row only under a valid lease; throws `LeaseLost`. */
export async function runUnderLease(tx: Statements, sql: string, values: readonly Value[]): Promise<void> {
  if ((await tx.query(sql, values)).length === 0) throw new LeaseLost('the lease is not valid any more');
}

/** A store that cannot be used for this long is waited for no longer. */
export const MAX_STORE_WAIT_MS = 3_600_000;

const MIN_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

type RetryParts = { readonly clock: Clock; readonly signal: AbortSignal };

/** Runs work, again and again while the store cannot be used, for an hour or until the signal fires. */
export async function retryUntilStored<T>(work: () => Promise<T>, { clock, signal }: RetryParts): Promise<T> {
  const begun = clock.monotonic();
  for (let waitMs = MIN_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      const isOver = signal.aborted || clock.monotonic() - begun > MAX_STORE_WAIT_MS;
      if (!(error instanceof StoreUnavailable) || isOver) throw error;
      await pause(clock, waitMs, signal);
    }
  }
}
