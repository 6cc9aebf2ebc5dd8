import { z } from 'zod';
import { findAttemptFailure } from '#access/failure.ts';
import { toChargeKey } from '#engine/credits/billing.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { freeReservation } from '#engine/credits/reservations.ts';
import { computeExpiry, type Plan } from '#engine/identity/plans.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JobEvent, ObserveEvent } from '#kernel/events.ts';
import { type Db, type Queryable, StoreUnavailable, type SqlValue } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { JobFailure, MergedHooks } from './job-hooks.ts';
import type { Notifications } from './job-notifications.ts';
import { JobRow } from './job-record.ts';
import { buildEventBase } from './attempt-observer.ts';
import {
  type ClaimedJob,
  type ClosingReason,
  runUnderLease,
  assertLease,
  FinalFailure,
  LeaseLost,
  JobStopped,
  MAX_STORE_WAIT_MS,
} from './lease.ts';

/** A job that counts pages or steps has no total; any other job counts as 1 of 1. */
const COMPLETE = `with calls (job, token, ended, expires, spent, head) as (values ($1, $2, cast($3 as bigint),
    cast($4 as bigint), $5, cast($6 as bigint)))
  update jobs set status = 'completed', finished_at = ended, expires_at = expires, usage = spent,
    stored = case when head > 0 then 1 else stored end, result_bytes = result_bytes + head,
    completed = case when long_running = 0 and total is not null then 1 else completed end,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  from calls where id = job and lease_token = token and status = 'running' and cancel_requested = 0 returning id`;
const PUT_BACK = `update jobs set status = 'queued', due_at = $3, attempt = attempt - $4, paused_ms = paused_ms + $5,
    waits = $6, waiting_since = $7, waiting_for = $8, waiting_progress = $9, displaced_at = $10,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const FAIL = `update jobs set status = 'failed', finished_at = $3, expires_at = $4,
    failed = case when total is not null then 1 else failed end,
    error_code = $5, error_message = $6, usage = coalesce($7, usage),
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
/** A crawl with stored pages runs once more, only to return them. */
const CLOSE = `update jobs set status = 'queued', due_at = $3, attempt = 0, stop_reason = $4, waits = 0,
    waiting_since = null, lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running'
    and long_running = 1 and completed > 0 and owner_id is null and stop_reason is null returning id`;
const CANCEL = `update jobs set status = 'cancelled', finished_at = $3, expires_at = $4, stop_reason = 'cancelled',
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const STATE = `select cancel_requested, started_at, waits, waiting_since, waiting_for, waiting_progress, completed,
    discovered + completed + failed as progress from jobs where id = $1`;
/** The owner of a job stores its outcome, so the row is deleted, or left to retention if it has segments. */
const DROP_ENDED = 'delete from jobs where id = $1 and stored = 0 returning id';
const EXPIRE_ENDED = "update jobs set status = 'expired', input = null, expires_at = $2 where id = $1";

const MAX_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 300_000;
/**
 * A job that waits for the store is retried at least every minute, so that it continues soon after the store is back.
 */
const MAX_WAIT_MS = 60_000;

const StateRow = z.object({
  cancel_requested: z.number(),
  started_at: z.number().nullable(),
  waits: z.number(),
  waiting_since: z.number().nullable(),
  waiting_for: z.string().nullable(),
  waiting_progress: z.number().nullable(),
  completed: z.number(),
  progress: z.number(),
});
type StateRow = z.output<typeof StateRow>;

/** How often and since when a job has waited for the store, for which part, and its progress at that time. */
type StoreWait = Pick<StateRow, 'waits' | 'waiting_since' | 'waiting_for' | 'waiting_progress'>;

const NO_WAIT: StoreWait = { waits: 0, waiting_since: null, waiting_for: null, waiting_progress: null };

const CLOSING_BY_CODE: Readonly<Partial<Record<ServiceError['code'], ClosingReason>>> = {
  timeout: 'timeout',
  credits_exhausted: 'credits_exhausted',
  daily_credit_cap_exceeded: 'daily_cap',
};

export type JobEndsParts = {
  readonly clock: Clock;
  readonly hooks: MergedHooks;
  /** A random number from 0 to 1. */
  readonly random: () => number;
};

type WithPlan = { readonly plan: Plan };
/** `headBytes` is the compressed size of the head of the result; 0 if the result is not kept. */
type Completion = WithPlan & { readonly usage: Usage; readonly headBytes: number };
type RetryRequest = JobFailure &
  WithPlan & { readonly waitMs: number; readonly most: number; readonly wait: StoreWait };
type RequeueRequest = {
  readonly dueAt: number;
  readonly freed: 0 | 1;
  readonly pausedMs: number;
  readonly wait: StoreWait;
  /** When it was displaced by a job of another tenant, ms. */
  readonly displacedAt?: number | null;
};

/** Ends attempts of jobs: the job completes, fails, is cancelled, or returns to the queue. */
export class JobEnds {
  readonly #parts: JobEndsParts;

  constructor(parts: JobEndsParts) {
    this.#parts = parts;
  }

  /** Completes a job. Throws `Stopped` if it is to be cancelled, so that it is not charged. */
  async complete(tx: Queryable, claimed: ClaimedJob, { plan, usage, headBytes }: Completion): Promise<void> {
    const { row, token } = claimed;
    const now = this.#parts.clock.now();
    const done = [row.id, token, now, computeExpiry(plan, now), JSON.stringify(usage), headBytes];
    if ((await tx.query(COMPLETE, done)).length > 0) return;
    await assertLease(tx, claimed);
    throw new JobStopped('cancelled');
  }

  /** Ends an attempt that failed or was stopped for `reason`. Returns whether the job has ended. */
  async endAttempt(
    tx: Queryable,
    claimed: ClaimedJob,
    { reason, plan, ...failed }: JobFailure & WithPlan & { readonly reason: unknown },
  ): Promise<boolean> {
    const { clock, hooks, random } = this.#parts;
    const { row } = claimed;
    const state = readRow(StateRow, await tx.query(STATE, [row.id]));
    if (state?.cancel_requested === 1) {
      await this.#cancel(tx, claimed, plan);
      return true;
    }
    const isDrained = reason instanceof JobStopped && reason.reason !== 'cancelled';
    if (isDrained && row.effects === 0) {
      const now = clock.now();
      // A displaced job continues before other jobs of its tenant, and the time until then does not count.
      const isDisplaced = reason.reason === 'displaced';
      const dueAt = isDisplaced ? row.due_at : now;
      await requeue(tx, claimed, {
        dueAt,
        freed: 1,
        pausedMs: 0,
        wait: NO_WAIT,
        displacedAt: isDisplaced ? now : null,
      });
      return false;
    }
    const { cause } = failed.failure;
    const wait = state !== null && cause instanceof StoreUnavailable ? this.#waitFor(cause, state) : NO_WAIT;
    if (state !== null && wait.waiting_since !== null && row.effects === 0) {
      const now = clock.now();
      if (now - wait.waiting_since < MAX_STORE_WAIT_MS) {
        const dueAt = now + Math.min(computeBackoffMs(wait.waits, random()), MAX_WAIT_MS);
        // If nothing is stored, the next attempt starts over with its full time.
        const lostFrom = state.completed === 0 ? state.started_at : failed.failedAt;
        await requeue(tx, claimed, { dueAt, freed: 1, pausedMs: dueAt - (lostFrom ?? now), wait });
        return false;
      }
    }
    const most = hooks.ownerOf(row)?.maxAttempts ?? MAX_ATTEMPTS;
    const failure = isDrained ? createInterruptedError() : failed.failure;
    const waitMs = computeBackoffMs(row.attempt, random());
    return this.#retry(tx, claimed, { ...failed, failure, plan, most, waitMs, wait });
  }

  /** Ends the attempt of a worker that died. Returns the new state of the job. */
  async endDeadAttempt(tx: Queryable, claimed: ClaimedJob, plan: Plan): Promise<'cancelled' | 'failed' | 'again'> {
    const { row } = claimed;
    if (row.cancel_requested === 1) {
      await this.#cancel(tx, claimed, plan);
      return 'cancelled';
    }
    const died = new ServiceError('internal_error', `the worker died (attempt ${row.attempt})`);
    const failure = row.effects === 1 ? createInterruptedError() : died;
    // No backoff: the job has already waited for the end of its lease, and its work itself may be fine.
    const hasEnded = await this.#retry(tx, claimed, {
      failure,
      attempts: 1,
      plan,
      waitMs: 0,
      most: MAX_ATTEMPTS,
      wait: NO_WAIT,
    });
    return hasEnded ? 'failed' : 'again';
  }

  /** Removes the row of an ended job whose owner has stored the outcome. */
  async removeOwned(tx: Queryable, { id }: JobRow): Promise<void> {
    if ((await tx.query(DROP_ENDED, [id])).length === 0) await tx.query(EXPIRE_ENDED, [id, this.#parts.clock.now()]);
  }

  /** Counts another wait for the store, or the first one if the job has made progress since. */
  #waitFor({ part }: StoreUnavailable, state: StateRow): StoreWait {
    const isSame = state.waiting_since !== null && state.waiting_progress === state.progress;
    return {
      waits: isSame ? state.waits + 1 : 1,
      waiting_since: isSame ? state.waiting_since : this.#parts.clock.now(),
      waiting_for: part,
      waiting_progress: state.progress,
    };
  }

  /** Queues a job again. After its last attempt it is closed if it has stored pages, otherwise it fails. */
  async #retry(tx: Queryable, { row, token }: ClaimedJob, retry: RetryRequest): Promise<boolean> {
    const { clock, hooks } = this.#parts;
    const { plan, failure, usage, waitMs, most, wait } = retry;
    const now = clock.now();
    const owner = hooks.ownerOf(row);
    const isFinal = isPermanent(failure) || owner?.isFinal(failure) === true || row.effects === 1;
    if (failure.retryable && !isFinal && row.attempt < most) {
      await requeue(tx, { row, token }, { dueAt: now + waitMs, freed: 0, pausedMs: 0, wait });
      return false;
    }
    const closing = CLOSING_BY_CODE[failure.code] ?? 'interrupted';
    if ((await tx.query(CLOSE, [row.id, token, now, closing])).length > 0) return false;
    const spent = usage === undefined ? null : JSON.stringify(usage);
    await runUnderLease(tx, FAIL, [row.id, token, now, computeExpiry(plan, now), failure.code, failure.message, spent]);
    await hooks.end(tx, row, 'failed');
    if (owner === null) return true;
    await owner.fail(tx, row, retry);
    await this.removeOwned(tx, row);
    return true;
  }

  async #cancel(tx: Queryable, { row, token }: ClaimedJob, plan: Plan): Promise<void> {
    const { clock, hooks } = this.#parts;
    const now = clock.now();
    await runUnderLease(tx, CANCEL, [row.id, token, now, computeExpiry(plan, now)]);
    const owner = hooks.ownerOf(row);
    if (owner === null) return;
    await owner.cancel(tx, row);
    await this.removeOwned(tx, row);
  }
}

/** Queues a job again. `freed` is 1 if the attempt does not count. */
async function requeue(tx: Queryable, { row, token }: ClaimedJob, back: RequeueRequest) {
  const { dueAt, freed, pausedMs, wait, displacedAt = null } = back;
  const { waits, waiting_since: since, waiting_for: part, waiting_progress: progress } = wait;
  const stop = [waits, since, part, progress, displacedAt] as const;
  const values: readonly SqlValue[] = [row.id, token, dueAt, freed, pausedMs, ...stop];
  await runUnderLease(tx, PUT_BACK, values);
}

/** Whether another attempt would fail the same way. */
function isPermanent(failure: ServiceError): boolean {
  return failure.cause instanceof FinalFailure || findAttemptFailure(failure)?.facts.isPermanent === true;
}

function createInterruptedError(): ServiceError {
  const message =
    'the job stopped after its first action, which may have reached the target; actions on a page, and requests with a method other than GET, are never retried automatically';
  return new ServiceError('internal_error', message, { retryable: false });
}

/** Computes 1, 2, 4 … s ± 20 %, at most 5 min. */
function computeBackoffMs(attempt: number, random: number): number {
  const ms = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
  return Math.round(Math.min(ms * (0.8 + 0.4 * random), MAX_BACKOFF_MS));
}

const DEAD = "select * from jobs where status = 'running' and lease_until < $1 order by lease_until limit 100";
const DEAD_OF_WORKER = "select * from jobs where status = 'running' and worker_id = $1 limit 100";

type JobRecoveryParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  readonly notifications: Notifications;
  readonly hooks: MergedHooks;
  readonly ends: JobEnds;
  readonly observe: ObserveEvent;
};

/** Ends the attempts of dead workers and releases their reservations. */
export class JobRecovery {
  readonly #parts: JobRecoveryParts;

  constructor(parts: JobRecoveryParts) {
    this.#parts = parts;
  }

  /**
   * Recovers the jobs of `worker`, or all jobs with an expired lease if it is null, except those for which `isLive`
   * returns true.
   */
  async recover(
    worker: string | null,
    planOf: (tenant: string) => Promise<Plan>,
    isLive: (token: string) => boolean,
  ): Promise<void> {
    const { db, clock, notifications, hooks } = this.#parts;
    const rows = await db.query(worker === null ? DEAD : DEAD_OF_WORKER, [worker ?? clock.now()]);
    for (const row of readRows(JobRow, rows)) {
      if (row.lease_token !== null && isLive(row.lease_token)) continue;
      const plan = await planOf(row.tenant_id);
      const outcome = await this.#end({ row, token: row.lease_token ?? '' }, plan).catch(ignoreLostLease);
      if (outcome !== null) this.#parts.observe(this.#toEvent(row, outcome));
      notifications.notify(row.id);
      notifications.notify('queue');
      hooks.afterEnd(row);
    }
  }

  async #end(claimed: ClaimedJob, plan: Plan): Promise<DeadOutcome> {
    const { inTurn, ends } = this.#parts;
    const { id, tenant_id: tenant } = claimed.row;
    const key = toChargeKey(id);
    return inTurn(
      { tenant },
      async (tx) => {
        const outcome = await ends.endDeadAttempt(tx, claimed, plan);
        await freeReservation(tx, { key, tenant });
        return outcome;
      },
      { key },
    );
  }

  #toEvent(row: JobRow, outcome: DeadOutcome): JobEvent {
    const since = row.started_at ?? row.created_at;
    return {
      ...buildEventBase(row),
      outcome,
      code: outcome === 'failed' ? 'internal_error' : null,
      reason: 'worker_died',
      detail: null,
      host: null,
      durationMs: Math.max(0, this.#parts.clock.now() - since),
      waitedMs: 0,
    };
  }
}

type DeadOutcome = Awaited<ReturnType<JobEnds['endDeadAttempt']>>;

function ignoreLostLease(error: unknown): null {
  if (error instanceof LeaseLost) return null;
  throw error;
}
