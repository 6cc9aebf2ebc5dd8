import { z } from 'zod';
import { attemptFailureOf } from '#access/failure.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Statements } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { keptUntil } from '#engine/identity/plans.ts';
import type { Plan } from '#engine/identity/plans.ts';
import type { JobFailure, JoinedHooks } from './job-hooks.ts';
import type { JobRow } from './job-record.ts';
import { demandLease, fence, FinalFailure, Stopped } from './lease.ts';
import type { Claimed, Closing } from './lease.ts';

/** Jobs that count pages or steps have no known total; any other job counts as one piece of work. */
const COMPLETE = `with calls (job, token, ended, expires, spent, keeps) as (values ($1, $2, cast($3 as bigint),
    cast($4 as bigint), $5, cast($6 as bigint)))
  update jobs set status = 'completed', finished_at = ended, expires_at = expires, usage = spent,
    stored = case when keeps = 1 then 1 else stored end,
    completed = case when long_running = 0 and total is not null then 1 else completed end,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  from calls where id = job and lease_token = token and status = 'running' and cancel_requested = 0 returning id`;
const PUT_BACK = `update jobs set status = 'queued', due_at = $3, attempt = attempt - $4,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const FAIL = `update jobs set status = 'failed', finished_at = $3, expires_at = $4,
    failed = case when total is not null then 1 else failed end,
    error_code = $5, error_message = $6,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
/** A crawl with stored pages runs once more, only to answer them. */
const CLOSE = `update jobs set status = 'queued', due_at = $3, attempt = 0, stop_reason = $4,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running'
    and long_running = 1 and completed > 0 and owner_id is null and stop_reason is null returning id`;
const CANCEL = `update jobs set status = 'cancelled', finished_at = $3, expires_at = $4, stop_reason = 'cancelled',
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const IS_CANCELLED = 'select cancel_requested from jobs where id = $1';
/** The owner of a job stores its outcome; only the segments that the job has stored are left to retention. */
const DROP_ENDED = 'delete from jobs where id = $1 and stored = 0 returning id';
const EXPIRE_ENDED = "update jobs set status = 'expired', input = null, expires_at = $2 where id = $1";

const MOST_ATTEMPTS = 5;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 300_000;

const Flag = z.object({ cancel_requested: z.number() });

const CLOSINGS_BY: Readonly<Partial<Record<ServiceError['code'], Closing>>> = {
  timeout: 'timeout',
  credits_exhausted: 'credits_exhausted',
  daily_credit_cap_exceeded: 'daily_cap',
};

export type JobEndsParts = {
  readonly clock: Clock;
  readonly hooks: JoinedHooks;
  /** From 0 to 1. */
  readonly random: () => number;
};

type OnPlan = { readonly plan: Plan };
type Completion = OnPlan & { readonly usage: Usage; readonly keepsResult: boolean };
type Retry = JobFailure & OnPlan & { readonly waitMs: number; readonly most: number };

/** The ends of an attempt: the job completes, fails, is cancelled, or returns to the queue. */
export class JobEnds {
  readonly #parts: JobEndsParts;

  constructor(parts: JobEndsParts) {
    this.#parts = parts;
  }

  /** Completes a job; one that is to be cancelled throws `Stopped`, so that it is not charged. */
  async complete(tx: Statements, claimed: Claimed, { plan, usage, keepsResult }: Completion): Promise<void> {
    const { row, token } = claimed;
    const now = this.#parts.clock.now();
    const done = [row.id, token, now, keptUntil(plan, now), JSON.stringify(usage), Number(keepsResult)];
    if ((await tx.query(COMPLETE, done)).length > 0) return;
    await fence(tx, claimed);
    throw new Stopped('cancelled');
  }

  /** Ends an attempt that failed or was stopped for `reason`; answers whether the job has ended. */
  async giveUp(
    tx: Statements,
    claimed: Claimed,
    { reason, plan, ...failed }: JobFailure & OnPlan & { readonly reason: unknown },
  ): Promise<boolean> {
    const { clock, hooks, random } = this.#parts;
    const { row, token } = claimed;
    if (readRow(Flag, await tx.query(IS_CANCELLED, [row.id]))?.cancel_requested === 1) {
      await this.#cancel(tx, claimed, plan);
      return true;
    }
    const isDrained = reason instanceof Stopped && reason.why !== 'cancelled';
    if (isDrained && row.effects === 0) {
      await demandLease(tx, PUT_BACK, [row.id, token, clock.now(), 1]);
      return false;
    }
    const most = hooks.ownerOf(row)?.mostAttempts ?? MOST_ATTEMPTS;
    const failure = isDrained ? stoppedActing() : failed.failure;
    const waitMs = backoff(row.attempt, random());
    return this.#retry(tx, claimed, { ...failed, failure, plan, most, waitMs });
  }

  /** Ends the attempt of a worker that died; answers what became of the job. */
  async endDead(tx: Statements, claimed: Claimed, plan: Plan): Promise<'cancelled' | 'failed' | 'again'> {
    const { row } = claimed;
    if (row.cancel_requested === 1) {
      await this.#cancel(tx, claimed, plan);
      return 'cancelled';
    }
    const died = new ServiceError('internal_error', `the worker died, ${row.attempt} times in all`);
    const failure = row.effects === 1 ? stoppedActing() : died;
    // The job has waited for the end of its lease, and its work itself may be fine.
    const hasEnded = await this.#retry(tx, claimed, { failure, attempts: 1, plan, waitMs: 0, most: MOST_ATTEMPTS });
    return hasEnded ? 'failed' : 'again';
  }

  /** Removes the row of an ended job whose owner has stored the outcome. */
  async leave(tx: Statements, { id }: JobRow): Promise<void> {
    if ((await tx.query(DROP_ENDED, [id])).length === 0) await tx.query(EXPIRE_ENDED, [id, this.#parts.clock.now()]);
  }

  /** Queues a job again; after its last attempt, closes it if it has stored pages, and fails it if not. */
  async #retry(tx: Statements, { row, token }: Claimed, retry: Retry): Promise<boolean> {
    const { clock, hooks } = this.#parts;
    const { plan, failure, waitMs, most } = retry;
    const now = clock.now();
    const owner = hooks.ownerOf(row);
    const isFinal = isLasting(failure) || owner?.isFinal(failure) === true || row.effects === 1;
    if (failure.retryable && !isFinal && row.attempt < most) {
      await demandLease(tx, PUT_BACK, [row.id, token, now + waitMs, 0]);
      return false;
    }
    const closing = CLOSINGS_BY[failure.code] ?? 'interrupted';
    if ((await tx.query(CLOSE, [row.id, token, now, closing])).length > 0) return false;
    await demandLease(tx, FAIL, [row.id, token, now, keptUntil(plan, now), failure.code, failure.message]);
    await hooks.end(tx, row, 'failed');
    if (owner === null) return true;
    await owner.fail(tx, row, retry);
    await this.leave(tx, row);
    return true;
  }

  async #cancel(tx: Statements, { row, token }: Claimed, plan: Plan): Promise<void> {
    const { clock, hooks } = this.#parts;
    const now = clock.now();
    await demandLease(tx, CANCEL, [row.id, token, now, keptUntil(plan, now)]);
    const owner = hooks.ownerOf(row);
    if (owner === null) return;
    await owner.cancel(tx, row);
    await this.leave(tx, row);
  }
}

/** Whether another attempt would fail the same way. */
function isLasting(failure: ServiceError): boolean {
  return failure.cause instanceof FinalFailure || attemptFailureOf(failure)?.facts.isPermanent === true;
}

function stoppedActing(): ServiceError {
  const message = 'the job stopped after its first action; actions are never retried automatically';
  return new ServiceError('internal_error', message, { retryable: false });
}

/** 1, 2, 4 … s, ± 20 %, 5 min at most. */
function backoff(attempt: number, random: number): number {
  const ms = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  return Math.round(Math.min(ms * (0.8 + 0.4 * random), LONGEST_BACKOFF_MS));
}
