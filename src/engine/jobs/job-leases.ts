import { chargeKeyOf } from '#engine/credits/billing.ts';
import { attemptFailureOf } from '#access/failure.ts';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Statements } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import { openActivity } from './activity.ts';
import type { Activity } from './activity.ts';
import { claimNext } from './job-claim.ts';
import type { JobChoice } from './job-claim.ts';
import type { Defeat, JobOwner, JoinedHooks } from './job-hooks.ts';
import type { News } from './job-notifications.ts';
import { JobRow, openInput } from './job-record.ts';
import type { JobInput } from './job-record.ts';
import { keptUntil } from '#engine/identity/plans.ts';
import type { Plan, Plans } from '#engine/identity/plans.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { START } from '#engine/results/result-reader.ts';
import type { Results } from '#engine/results/results.ts';

/** Holds the row until the transaction ends, so that a check and what follows it are one. */
const FENCE = `with calls (job, token) as (values ($1, $2))
  update jobs set version = version from calls
  where id = job and lease_token = token and status = 'running' returning id`;
const IS_DUE: Readonly<Record<JobChoice, string>> = {
  all: "select id from jobs where status = 'queued' and due_at <= $1 limit 1",
  short: "select id from jobs where status = 'queued' and long_running = 0 and due_at <= $1 limit 1",
};
const BEAT = `update jobs set lease_until = $3
  where id = $1 and lease_token = $2 and status = 'running' returning cancel_requested`;
/** Pages and steps are counted as they come, and then no total is known; any other job is one piece of work. */
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
/** A walk that holds pages is begun once more, to tell what it has. */
const CLOSE = `update jobs set status = 'queued', due_at = $3, attempt = 0, stop_reason = $4,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running'
    and long_running = 1 and completed > 0 and owner_id is null and stop_reason is null returning id`;
const CANCEL = `update jobs set status = 'cancelled', finished_at = $3, expires_at = $4, stop_reason = 'cancelled',
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const NOTE = `update jobs set discovered = $3, completed = $4, failed = $5, total = null, effects = 1,
    version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
/** The owner of a job holds its outcome; only what the job stored on the way is left to retention. */
const DROP_ENDED = 'delete from jobs where id = $1 and stored = 0 returning id';
const EXPIRE_ENDED = "update jobs set status = 'expired', input = null, expires_at = $2 where id = $1";
const STORED = 'select segments from jobs where id = $1';
const IS_CANCELLED = 'select cancel_requested from jobs where id = $1';
const CANCELLED_OF = `select lease_token from jobs
  where status = 'running' and cancel_requested = 1 and worker_id = $1`;
const DEAD = "select * from jobs where status = 'running' and lease_until < $1 order by lease_until limit 100";
const DEAD_OF = "select * from jobs where status = 'running' and worker_id = $1 limit 100";
const DROP_HOLD = 'delete from reservations where key = $1 returning tenant_id, credits';
const UNRESERVE = 'update tenants set reserved = reserved - $2 where id = $1';

/** A lease that is not renewed for this long is dead; with a look for dead ones every four seconds, 34 s at most. */
export const LEASE_MS = 30_000;
const MOST_ATTEMPTS = 5;
/** Characters of a stored list that an owner reads; of a longer one its beginning. */
const MOST_READ = 4 * 1024 * 1024;
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 300_000;

const Flag = z.object({ cancel_requested: z.number() });
const Token = z.object({ lease_token: z.string() });
const Stored = z.object({ segments: z.number() });
const Hold = z.object({ tenant_id: z.string(), credits: z.number() });

/** Another worker has the job, or it has ended: whatever was done under this lease counts for nothing. */
export class LeaseLost extends Error {}

/** Why running work was told to stop; the `reason` of its signal. */
export class Stopped extends Error {
  readonly why: 'cancelled' | 'drained';
  constructor(why: Stopped['why']) {
    super(`the job was ${why}`);
    this.why = why;
  }
}

/** The cause of a failure that is kept with what its job has found, so that a second beginning would only say it again. */
export class FinalFailure extends Error {}

/** How far work that is done in steps has come: begun, done, and failed. */
export type StepCounts = { readonly begun: number; readonly completed: number; readonly failed: number };

/** A result made ready for the transaction that ends its job. */
export type Packing = {
  /** Ends the job with it, in the transaction of the charge; throws `Stopped` when it is to be cancelled. */
  readonly complete: (tx: Statements, usage: Usage) => Promise<void>;
  /** Deletes what was made for a transaction that ended with `error`. */
  readonly discard: (error: unknown) => Promise<void>;
};

/** Why a walk that holds pages ended before its time. */
const Closing = z.enum(['timeout', 'credits_exhausted', 'daily_cap', 'interrupted']);

export type Closing = z.output<typeof Closing>;

const CLOSINGS_BY: Readonly<Partial<Record<ServiceError['code'], Closing>>> = {
  timeout: 'timeout',
  credits_exhausted: 'credits_exhausted',
  daily_credit_cap_exceeded: 'daily_cap',
};

/** What the gate does with the job whose work it runs; each throws `LeaseLost` when the job is not this lease's. */
export type Lease = {
  readonly jobId: string;
  /** When the job was first begun, ms. */
  readonly startedAt: number;
  readonly maxCredits: number | null;
  /** How often the job was begun, this time included. */
  readonly attempt: number;
  readonly activity: Activity;
  /** Why a walk is only to tell what it has; null where it goes on. */
  readonly closing: Closing | null;
  readonly fence: (tx: Statements) => Promise<void>;
  /** Adds elements to the list of the result and tells of steps; once one is begun, the job is not begun again. */
  readonly note: (elements: readonly unknown[], counts: StepCounts) => Promise<void>;
  /** Makes a result ready; `list` names the long list of the body, null when it has none. */
  readonly pack: (body: JobInput, list: string | null) => Promise<Packing>;
  /** Queues the job again or ends it, in the transaction that frees what it held; whether it has ended. */
  readonly giveUp: (tx: Statements, defeat: Defeat) => Promise<boolean>;
};

export type Claimed = { readonly row: JobRow; readonly token: string };

export type Leases = ReturnType<typeof buildLeases>;

export type LeaseParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly news: News;
  readonly results: Results;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly hooks: JoinedHooks;
  readonly plans: Plans;
};

/** Which jobs a claim is after, and how many of each tenant this worker has room for. */
export type Wish = { readonly choice: JobChoice; readonly roomOf: (tenant: string) => number };

/** The body of an answer; `list` names its long list, null when it has none. */
type Answered = { readonly body: JobInput; readonly list: string | null };
type Packed = Answered & { readonly plan: Plan };

type Retry = Defeat & { readonly plan: Plan; readonly waitMs: number; readonly most: number };

const ANY: Wish = { choice: 'all', roomOf: () => Infinity };

/** Jobs as workers see them. Every statement that has an effect names the token of its lease. */
export function buildLeases({ db, inTurn, clock, sealer, news, results, random, hooks, plans }: LeaseParts) {
  /** The tenant that had its turn last in this process; each process has turns of its own. */
  let lastTurn = '';

  /** Puts a job back into the queue; when it was begun often enough, to be closed if it holds pages, or else fails it. */
  async function retry(tx: Statements, { row, token }: Claimed, defeat: Retry): Promise<boolean> {
    const { plan, failure, waitMs, most } = defeat;
    const now = clock.now();
    const closing = CLOSINGS_BY[failure.code] ?? 'interrupted';
    const isLasting = failure.cause instanceof FinalFailure || attemptFailureOf(failure)?.facts.isPermanent === true;
    const owner = hooks.ownerOf(row);
    const isFinal = isLasting || owner?.isFinal(failure) === true || row.effects === 1;
    if (failure.retryable && !isFinal && row.attempt < most) {
      await demand(tx, PUT_BACK, [row.id, token, now + waitMs, 0]);
      return false;
    }
    if ((await tx.query(CLOSE, [row.id, token, now, closing])).length > 0) return false;
    await demand(tx, FAIL, [row.id, token, now, keptUntil(plan, now), failure.code, failure.message]);
    await hooks.end(tx, row, 'failed');
    if (owner === null) return true;
    await owner.fail(tx, row, defeat);
    await leave(tx, row, now);
    return true;
  }

  async function cancel(tx: Statements, { row, token }: Claimed, plan: Plan): Promise<void> {
    const now = clock.now();
    await demand(tx, CANCEL, [row.id, token, now, keptUntil(plan, now)]);
    const owner = hooks.ownerOf(row);
    if (owner === null) return;
    await owner.cancel(tx, row);
    await leave(tx, row, now);
  }

  /** Ends a job as completed; who was told that it will be cancelled is not charged for it. */
  async function complete(
    tx: Statements,
    { row, token }: Claimed,
    { plan, usage, keepsResult }: { readonly plan: Plan; readonly usage: Usage; readonly keepsResult: boolean },
  ): Promise<void> {
    const now = clock.now();
    const done = [row.id, token, now, keptUntil(plan, now), JSON.stringify(usage), Number(keepsResult)];
    if ((await tx.query(COMPLETE, done)).length > 0) return;
    await demand(tx, FENCE, [row.id, token]);
    throw new Stopped('cancelled');
  }

  /** The answer of a job whose long list is stored already, as far as it can be held at once. */
  async function wholeOf({ id, long_running }: JobRow, { body, list }: Answered): Promise<JobInput> {
    const stored = long_running === 1 && list !== null ? readRow(Stored, await db.query(STORED, [id])) : null;
    if (stored === null || list === null || stored.segments === 0) return body;
    const bounds = { from: START, limit: Infinity, mostChars: MOST_READ, least: 1 } as const;
    const { elements } = await results.page({ jobId: id, segments: stored.segments }, bounds);
    return { ...body, [list]: elements };
  }

  async function packForOwner(owner: JobOwner, claimed: Claimed, { plan, ...answered }: Packed): Promise<Packing> {
    const { row } = claimed;
    const record = await owner.prepare(row, await wholeOf(row, answered));
    return {
      async complete(tx, usage) {
        await complete(tx, claimed, { plan, usage, keepsResult: false });
        await record(tx, usage);
        await leave(tx, row, clock.now());
      },
      discard: async () => undefined,
    };
  }

  async function packResult(claimed: Claimed, { plan, body, list }: Packed): Promise<Packing> {
    const { id } = claimed.row;
    const result = await results.packResult(id, body, list);
    return {
      async complete(tx, usage) {
        await complete(tx, claimed, { plan, usage, keepsResult: true });
        await results.finish(tx, id, result);
        await hooks.end(tx, claimed.row, 'completed');
      },
      discard: async (error) => results.discard([result.head, ...result.segments], error),
    };
  }

  return {
    /** Due jobs, at most `most`, of tenants in turns; none when none is due. */
    async claim(worker: string, most: number, wish: Wish = ANY): Promise<readonly Claimed[]> {
      const now = clock.now();
      // A look costs less than a transaction, and most looks find nothing.
      if ((await db.query(IS_DUE[wish.choice], [now])).length === 0) return [];
      const token = `${newId('lse', now)} `;
      const until = now + LEASE_MS;
      const facts = { ...wish, kind: db.kind, now, token, until, worker, most, plans, after: lastTurn };
      const { rows, after } = await inTurn(
        { name: 'jobs' },
        async (tx) => claimNext(tx, facts),
        // A claim that is lost leaves the job queued, and its lease fences nothing any more.
        { keep: 'redone' },
      );
      lastTurn = after;
      const claimed = rows.map((row) => ({ row, token: token + row.id }));
      for (const { row } of claimed) news.spread(row.id);
      return claimed;
    },

    /** The input of a job; throws when it cannot be opened. */
    open: (row: JobRow): JobInput | null => openInput(sealer, row),

    /** Keeps a lease alive; null when it is lost, else whether the job is to be cancelled. */
    async beat({ row, token }: Claimed): Promise<'goes on' | 'is cancelled' | null> {
      const flag = readRow(Flag, await db.query(BEAT, [row.id, token, clock.now() + LEASE_MS]));
      if (flag === null) return null;
      return flag.cancel_requested === 1 ? 'is cancelled' : 'goes on';
    },

    /** The tokens of a worker's leases whose jobs are to be cancelled. */
    async cancelled(worker: string): Promise<ReadonlySet<string>> {
      return new Set(readRows(Token, await db.query(CANCELLED_OF, [worker])).map((row) => row.lease_token));
    },

    /** The lease under which the gate runs a claimed job of a tenant on `plan`, until `signal` fires. */
    leaseOf(claimed: Claimed, plan: Plan, signal: AbortSignal): Lease {
      const { row, token } = claimed;
      let effects = row.effects;
      return {
        jobId: row.id,
        startedAt: row.started_at ?? clock.now(),
        maxCredits: row.max_credits,
        attempt: row.attempt,
        activity: openActivity(clock),
        closing: Closing.safeParse(row.stop_reason).data ?? null,
        fence: async (tx) => demand(tx, FENCE, [row.id, token]),
        async note(elements, counts) {
          const packed = elements.length === 0 ? [] : await results.pack(row.id, elements);
          effects = 1;
          try {
            await db.transaction(async (tx) => {
              await demand(tx, NOTE, [row.id, token, counts.begun, counts.completed, counts.failed]);
              if (packed.length > 0) await results.append(tx, row.id, packed);
            });
          } catch (error) {
            await results.discard(packed, error);
            throw error;
          }
          news.spread(row.id);
        },
        async pack(body, list) {
          const owner = hooks.ownerOf(row);
          const packed = { plan, body, list };
          return owner === null ? packResult(claimed, packed) : packForOwner(owner, claimed, packed);
        },
        async giveUp(tx, defeat) {
          const reason: unknown = signal.reason;
          if (readRow(Flag, await tx.query(IS_CANCELLED, [row.id]))?.cancel_requested === 1) {
            await cancel(tx, claimed, plan);
            return true;
          }
          const isDrained = reason instanceof Stopped && reason.why === 'drained';
          if (isDrained && effects === 0) {
            await demand(tx, PUT_BACK, [row.id, token, clock.now(), 1]);
            return false;
          }
          const most = hooks.ownerOf(row)?.mostAttempts ?? MOST_ATTEMPTS;
          const why = isDrained ? { ...defeat, failure: cutOff() } : defeat;
          const waitMs = backoff(row.attempt, random());
          return retry(tx, { row: { ...row, effects }, token }, { ...why, plan, most, waitMs });
        },
      };
    },

    /**
     * Takes the jobs of dead workers away from them, with what they held: those whose lease ran out, or all of `worker`,
     * when it is known to be dead. `planOf` tells the plan of a tenant, `isRunning` of a token that its job runs here: its
     * lease is only late, because this process was stopped for a while, or a clock was set.
     */
    async recover(
      worker: string | null,
      planOf: (tenant: string) => Promise<Plan>,
      isRunning: (token: string) => boolean = runsNothing,
    ): Promise<void> {
      const rows = await db.query(worker === null ? DEAD : DEAD_OF, [worker ?? clock.now()]);
      for (const row of readRows(JobRow, rows)) {
        if (row.lease_token !== null && isRunning(row.lease_token)) continue;
        const plan = await planOf(row.tenant_id);
        const failure =
          row.effects === 1
            ? cutOff()
            : new ServiceError('internal_error', `the worker died, ${row.attempt} times in all`);
        const claimed = { row, token: row.lease_token ?? '' };
        const key = chargeKeyOf(row.id);
        await inTurn({ tenant: row.tenant_id }, async (tx) => end(tx, claimed, { plan, failure, attempts: 1 }), {
          key,
        }).catch(ignoreLost);
        news.spread(row.id);
        news.spread('queue');
        hooks.afterEnd(row);
      }
    },
  };

  async function end(tx: Statements, claimed: Claimed, defeat: Omit<Retry, 'waitMs' | 'most'>): Promise<void> {
    const { row } = claimed;
    if (row.cancel_requested === 1) await cancel(tx, claimed, defeat.plan);
    // It has waited for the end of its lease, and nothing says that the work itself failed.
    else await retry(tx, claimed, { ...defeat, waitMs: 0, most: MOST_ATTEMPTS });
    const hold = readRow(Hold, await tx.query(DROP_HOLD, [chargeKeyOf(row.id)]));
    if (hold !== null) await tx.query(UNRESERVE, [hold.tenant_id, hold.credits]);
  }
}

function cutOff(): ServiceError {
  const message = 'the job stopped after its first action; actions are never retried automatically';
  return new ServiceError('internal_error', message, { retryable: false });
}

async function leave(tx: Statements, { id }: JobRow, now: number): Promise<void> {
  if ((await tx.query(DROP_ENDED, [id])).length === 0) await tx.query(EXPIRE_ENDED, [id, now]);
}

/** 1, 2, 4 … s, ± 20 %, 5 min at most. */
function backoff(attempt: number, random: number): number {
  const ms = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  return Math.round(Math.min(ms * (0.8 + 0.4 * random), LONGEST_BACKOFF_MS));
}

async function demand(tx: Statements, sql: string, values: Parameters<Statements['query']>[1]): Promise<void> {
  if ((await tx.query(sql, values)).length === 0) throw new LeaseLost('the lease is not valid any more');
}

function runsNothing(): boolean {
  return false;
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}
