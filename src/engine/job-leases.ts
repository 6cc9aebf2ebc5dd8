import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Statements } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import { claimNext } from './job-claim.ts';
import type { JobChoice } from './job-claim.ts';
import type { News } from './job-news.ts';
import { JobRow } from './job-record.ts';
import type { JobInput } from './job-record.ts';
import { keptUntil, openInput } from './jobs.ts';
import type { Plan } from './plans.ts';
import type { Usage } from './prices.ts';
import type { PackedResult, Results } from './results.ts';
import { DELIVERIES } from './webhooks/enqueue.ts';
import { tellOfEnd } from './webhooks/job-events.ts';

/** Holds the row until the transaction ends, so that a check and what follows it are one. */
const FENCE = `with calls (job, token) as (values ($1, $2))
  update jobs set version = version from calls
  where id = job and lease_token = token and status = 'running' returning id`;
const IS_DUE: Readonly<Record<JobChoice, string>> = {
  all: "select id from jobs where status = 'queued' and due_at <= $1 limit 1",
  short: "select id from jobs where status = 'queued' and walks = 0 and due_at <= $1 limit 1",
};
const BEAT = `update jobs set lease_until = $3
  where id = $1 and lease_token = $2 and status = 'running' returning cancel_requested`;
const COMPLETE = `with calls (job, token, ended, expires, spent) as (values ($1, $2, cast($3 as bigint),
    cast($4 as bigint), $5))
  update jobs set status = 'completed', finished_at = ended, expires_at = expires, usage = spent,
    completed = case when completed = 0 then 1 else completed end,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  from calls where id = job and lease_token = token and status = 'running' and cancel_requested = 0 returning id`;
const PUT_BACK = `update jobs set status = 'queued', due_at = $3, attempt = attempt - $4,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const FAIL = `update jobs set status = 'failed', finished_at = $3, expires_at = $4, failed = 1,
    error_code = $5, error_message = $6,
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const CANCEL = `update jobs set status = 'cancelled', finished_at = $3, expires_at = $4, stop_reason = 'cancelled',
    lease_token = null, lease_until = null, worker_id = null, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
const NOTE = `update jobs set discovered = $3, completed = $4, failed = $5, version = version + 1
  where id = $1 and lease_token = $2 and status = 'running' returning id`;
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
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 300_000;

const Flag = z.object({ cancel_requested: z.number() });
const Token = z.object({ lease_token: z.string() });
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

/** How far work that is done in steps has come: begun, done, and failed. */
export type StepCounts = { readonly begun: number; readonly completed: number; readonly failed: number };

/** What the gate does with the job whose work it runs; each throws `LeaseLost` when the job is not this lease's. */
export type Lease = {
  readonly jobId: string;
  /** When the job was first begun, ms. */
  readonly startedAt: number;
  readonly maxCredits: number | null;
  /** How often the job was begun, this time included. */
  readonly attempt: number;
  readonly fence: (tx: Statements) => Promise<void>;
  /** Adds elements to the list of the result and tells of steps; once one is begun, the job is not begun again. */
  readonly note: (elements: readonly unknown[], counts: StepCounts) => Promise<void>;
  /** Makes a result ready for `complete`; `list` names the long list of the body, null when it has none. */
  readonly pack: (body: JobInput, list: string | null) => Promise<PackedResult>;
  /** Ends the job with its result, in the transaction of the charge; throws `Stopped` when it is to be cancelled. */
  readonly complete: (tx: Statements, end: { readonly result: PackedResult; readonly usage: Usage }) => Promise<void>;
  /** Deletes what `pack` made for a transaction that ended with `error`. */
  readonly discard: (result: PackedResult, error: unknown) => Promise<void>;
  /** Queues the job again or ends it, in the transaction that frees what it held; whether it has ended. */
  readonly giveUp: (tx: Statements, failure: ServiceError) => Promise<boolean>;
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
};

type Retry = { readonly plan: Plan; readonly failure: ServiceError; readonly waitMs: number };

/** Jobs as workers see them. Every statement that has an effect names the token of its lease. */
export function buildLeases({ db, inTurn, clock, sealer, news, results, random }: LeaseParts) {
  /** The tenant that had its turn last in this process; each process has turns of its own. */
  let lastTurn = '';

  /** Puts a job back into the queue, or fails it when it was begun often enough. */
  async function retry(tx: Statements, { row, token }: Claimed, { plan, failure, waitMs }: Retry): Promise<boolean> {
    const now = clock.now();
    if (failure.retryable && row.attempt < MOST_ATTEMPTS && !hasEffects(row)) {
      await demand(tx, PUT_BACK, [row.id, token, now + waitMs, 0]);
      return false;
    }
    await demand(tx, FAIL, [row.id, token, now, keptUntil(plan, now), failure.code, failure.message]);
    if (row.webhook === 1) await tellOfEnd(tx, row.id, { type: 'job.failed', sealer, now });
    return true;
  }

  async function claimOf(choice: JobChoice, worker: string, most: number): Promise<readonly Claimed[]> {
    const now = clock.now();
    // A look costs less than a transaction, and most looks find nothing.
    if ((await db.query(IS_DUE[choice], [now])).length === 0) return [];
    const token = `${newId('lse', now)} `;
    const until = now + LEASE_MS;
    const { rows, after } = await inTurn(
      'jobs',
      async (tx) => claimNext(tx, { kind: db.kind, choice, now, token, until, worker, most, after: lastTurn }),
      // A claim that is lost leaves the job queued, and its lease fences nothing any more.
      { keep: 'redone' },
    );
    lastTurn = after;
    const claimed = rows.map((row) => ({ row, token: token + row.id }));
    for (const { row } of claimed) news.spread(row.id);
    return claimed;
  }

  return {
    /** The jobs that are due longest, at most `most`; none when none is due. */
    claim: async (worker: string, most: number) => claimOf('all', worker, most),

    /** The same of the jobs that walk through no site. */
    claimShort: async (worker: string, most: number) => claimOf('short', worker, most),

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
      let begun = row.discovered;
      return {
        jobId: row.id,
        startedAt: row.started_at ?? clock.now(),
        maxCredits: row.max_credits,
        attempt: row.attempt,
        fence: async (tx) => demand(tx, FENCE, [row.id, token]),
        async note(elements, counts) {
          const packed = elements.length === 0 ? [] : await results.pack(row.id, elements);
          begun = counts.begun;
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
        pack: async (body, list) => results.packResult(row.id, body, list),
        async complete(tx, { result, usage }) {
          const now = clock.now();
          const done = [row.id, token, now, keptUntil(plan, now), JSON.stringify(usage)];
          if ((await tx.query(COMPLETE, done)).length === 0) {
            await demand(tx, FENCE, [row.id, token]);
            // Who was told that the job will be cancelled is not charged for it.
            throw new Stopped('cancelled');
          }
          await results.finish(tx, row.id, result);
          if (row.webhook === 1) await tellOfEnd(tx, row.id, { type: 'job.completed', sealer, now });
        },
        discard: async ({ head, segments }, error) => results.discard([head, ...segments], error),
        async giveUp(tx, failure) {
          const now = clock.now();
          const reason: unknown = signal.reason;
          if (readRow(Flag, await tx.query(IS_CANCELLED, [row.id]))?.cancel_requested === 1) {
            await demand(tx, CANCEL, [row.id, token, now, keptUntil(plan, now)]);
            return true;
          }
          const isDrained = reason instanceof Stopped && reason.why === 'drained';
          if (isDrained && !hasEffects({ walks: row.walks, discovered: begun })) {
            await demand(tx, PUT_BACK, [row.id, token, now, 1]);
            return false;
          }
          const why = isDrained ? cutOff() : failure;
          return retry(tx, begunAs(claimed, begun), { plan, failure: why, waitMs: backoff(row.attempt, random()) });
        },
      };
    },

    /**
     * Takes the jobs of dead workers away from them, with what they held: those whose lease ran out, or all of `worker`,
     * when it is known to be dead. `planOf` tells the plan of a tenant.
     */
    async recover(worker: string | null, planOf: (tenant: string) => Promise<Plan>): Promise<void> {
      const rows = await db.query(worker === null ? DEAD : DEAD_OF, [worker ?? clock.now()]);
      for (const row of readRows(JobRow, rows)) {
        const plan = await planOf(row.tenant_id);
        const failure = hasEffects(row)
          ? cutOff()
          : new ServiceError('internal_error', `the worker died, ${row.attempt} times in all`);
        const claimed = { row, token: row.lease_token ?? '' };
        const key = chargeKeyOf(row.id);
        await inTurn(`tenant ${row.tenant_id}`, async (tx) => end(tx, claimed, { plan, failure }), { key }).catch(
          ignoreLost,
        );
        news.spread(row.id);
        news.spread('queue');
        if (row.webhook === 1) news.spread(DELIVERIES);
      }
    },
  };

  async function end(tx: Statements, claimed: Claimed, facts: Omit<Retry, 'waitMs'>): Promise<void> {
    const { row, token } = claimed;
    const now = clock.now();
    if (row.cancel_requested === 1) await demand(tx, CANCEL, [row.id, token, now, keptUntil(facts.plan, now)]);
    // It has waited for the end of its lease, and nothing says that the work itself failed.
    else await retry(tx, claimed, { ...facts, waitMs: 0 });
    const hold = readRow(Hold, await tx.query(DROP_HOLD, [chargeKeyOf(row.id)]));
    if (hold !== null) await tx.query(UNRESERVE, [hold.tenant_id, hold.credits]);
  }
}

/** Whether a job that is done in steps has begun one: what it did to its target cannot be done a second time. */
function hasEffects({ walks, discovered }: Pick<JobRow, 'walks' | 'discovered'>): boolean {
  return walks === 0 && discovered > 0;
}

function begunAs({ row, token }: Claimed, begun: number): Claimed {
  return { row: row.walks === 0 ? { ...row, discovered: begun } : row, token };
}

function cutOff(): ServiceError {
  const message = 'it was cut off after its first action, and what acts on a page is not repeated by itself';
  return new ServiceError('internal_error', message, { retryable: false });
}

/** The key under which a job reserves and is charged, however often it is begun. */
export function chargeKeyOf(jobId: string): string {
  return `job:${jobId}`;
}

/** 1, 2, 4 … s, ± 20 %, 5 min at most. */
function backoff(attempt: number, random: number): number {
  const ms = Math.min(FIRST_BACKOFF_MS * 2 ** (attempt - 1), LONGEST_BACKOFF_MS);
  return Math.round(Math.min(ms * (0.8 + 0.4 * random), LONGEST_BACKOFF_MS));
}

async function demand(tx: Statements, sql: string, values: Parameters<Statements['query']>[1]): Promise<void> {
  if ((await tx.query(sql, values)).length === 0) throw new LeaseLost('the lease is not valid any more');
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof LeaseLost)) throw error;
}
