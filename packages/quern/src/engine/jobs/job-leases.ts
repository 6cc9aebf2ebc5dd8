import { z } from 'zod';
import type { Plan, Plans } from '#engine/identity/plans.ts';
import { LIST_START } from '#engine/results/result-reader.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import type { Results } from '#engine/results/results.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import { createActivity } from './slots.ts';
import { type ClaimFacts, claimJobs, findWaitingTenants, type JobChoice } from './job-claim.ts';
import { JobEnds, JobRecovery } from './job-ends.ts';
import type { JobOwner, MergedHooks } from './job-hooks.ts';
import type { Notifications } from './job-notifications.ts';
import { type JobInput, type JobRow, openInput } from './job-record.ts';
import {
  type ClaimedJob,
  ClosingReason,
  assertLease,
  type Lease,
  type PackedOutcome,
  type StepCounts,
  type JobStopped,
  retryUntilStored,
} from './lease.ts';

const IS_DUE: Readonly<Record<JobChoice, string>> = {
  all: "select id from jobs where status = 'queued' and due_at <= $1 limit 1",
  short: "select id from jobs where status = 'queued' and long_running = 0 and due_at <= $1 limit 1",
};
const BEAT = `update jobs set lease_until = $3
  where id = $1 and lease_token = $2 and status = 'running' returning cancel_requested`;
/** A job that has acted on a page cannot be repeated, so a suspension lets it finish. */
const STOPPED_OF = `select lease_token, cancel_requested from jobs
  where status = 'running' and worker_id = $1 and (cancel_requested = 1 or (effects = 0
    and exists (select 1 from tenants where tenants.id = jobs.tenant_id and suspended_at is not null)))`;
/** Has no effect if the same progress was already stored: the reply to the first statement may have been lost. */
const NOTE = `update jobs set discovered = $3, completed = $4, failed = $5, total = null, effects = 1,
    version = version + 1
  where id = $1 and lease_token = $2 and status = 'running'
    and (effects = 0
      or discovered + completed + failed < cast($3 as bigint) + cast($4 as bigint) + cast($5 as bigint)) returning id`;

/**
 * A lease ends if it is not renewed for this long. Expired leases are looked for every four seconds, so a dead worker
 * is noticed within 34 s.
 */
const LEASE_MS = 30_000;

const CancelRow = z.object({ cancel_requested: z.number() });
const StoppedRow = CancelRow.extend({ lease_token: z.string() });

export type LeaseParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly notifications: Notifications;
  readonly results: Results;
  /** A random number from 0 to 1. */
  readonly random: () => number;
  readonly hooks: MergedHooks;
  readonly observe: ObserveEvent;
  readonly plans: Plans;
};

/** The jobs that a claim may take, and how many of each tenant this worker accepts. */
export type ClaimFilter = { readonly choice: JobChoice; readonly getCapacity: (tenant: string) => number };

const ANY_JOB: ClaimFilter = { choice: 'all', getCapacity: () => Infinity };

/** Jobs as workers use them. Every statement with an effect checks the token of the lease. */
export class Leases {
  readonly #parts: LeaseParts;
  readonly #ends: JobEnds;
  readonly #packing: ResultPacker;
  readonly #recovery: JobRecovery;
  /** The tenant that this process served last. Each process has its own turns. */
  #lastTurn = '';

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    const ends = new JobEnds(parts);
    this.#ends = ends;
    this.#packing = new ResultPacker({ ...parts, ends });
    this.#recovery = new JobRecovery({ ...parts, ends });
  }

  /** Claims up to `most` due jobs, in turns of tenants. */
  async claim(worker: string, most: number, filter: ClaimFilter = ANY_JOB): Promise<readonly ClaimedJob[]> {
    const { db, inTurn, clock, notifications, plans } = this.#parts;
    const now = clock.now();
    // A read is cheaper than a transaction, and most claims find nothing.
    if ((await db.query(IS_DUE[filter.choice], [now])).length === 0) return [];
    const token = `${newId('lse', now)} `;
    const until = now + LEASE_MS;
    const facts: ClaimFacts = {
      ...filter,
      kind: db.kind,
      now,
      token,
      until,
      worker,
      limit: most,
      plans,
      after: this.#lastTurn,
    };
    const { rows, after } = await inTurn(
      { name: 'jobs' },
      async (tx) => claimJobs(tx, facts),
      // A lost claim leaves the job queued, and its lease is never used.
      { keep: 'redone' },
    );
    this.#lastTurn = after;
    const claimed = rows.map((row) => ({ row, token: token + row.id }));
    for (const { row } of claimed) notifications.notify(row.id);
    return claimed;
  }

  /** Lists up to 64 tenants after `after` with a due long-running job. */
  async findWaitingTenants(after: string): Promise<readonly string[]> {
    const { db, clock, plans } = this.#parts;
    return findWaitingTenants(db, { now: clock.now(), plans, after });
  }

  /** Decrypts the input of a job. Throws if it cannot be decrypted. */
  openInput(row: JobRow): JobInput | null {
    return openInput(this.#parts.sealer, row);
  }

  /** Renews a lease. Null if it is lost, otherwise whether the job is to be cancelled. */
  async renew({ row, token }: ClaimedJob): Promise<'goes on' | 'is cancelled' | null> {
    const { db, clock } = this.#parts;
    const flag = readRow(CancelRow, await db.query(BEAT, [row.id, token, clock.now() + LEASE_MS]));
    if (flag === null) return null;
    return flag.cancel_requested === 1 ? 'is cancelled' : 'goes on';
  }

  /** Lists the leases of a worker that must stop, by token: cancelled jobs, and jobs of suspended tenants. */
  async listStopped(worker: string): Promise<ReadonlyMap<string, JobStopped['reason']>> {
    const rows = readRows(StoppedRow, await this.#parts.db.query(STOPPED_OF, [worker]));
    return new Map(rows.map((row) => [row.lease_token, row.cancel_requested === 1 ? 'cancelled' : 'suspended']));
  }

  /** Builds the lease of a claimed job, valid until `signal` aborts. */
  buildLease(claimed: ClaimedJob, plan: Plan, signal: AbortSignal): Lease {
    const { results, clock } = this.#parts;
    const { row, token } = claimed;
    let effects = row.effects;
    const store = async <T>(work: () => Promise<T>): Promise<T> =>
      effects === 0 ? work() : retryUntilStored(work, { clock, signal });
    return {
      jobId: row.id,
      startedAt: (row.started_at ?? clock.now()) + row.paused_ms,
      maxCredits: row.max_credits,
      attempt: row.attempt,
      activity: createActivity(clock),
      closing: ClosingReason.safeParse(row.stop_reason).data ?? null,
      fence: async (tx) => assertLease(tx, claimed),
      reportProgress: async (elements, counts) => {
        effects = 1;
        await store(async () => {
          const packed = elements.length === 0 ? [] : await results.pack(row.id, elements);
          await this.#note(claimed, packed, counts);
        });
      },
      store,
      pack: async (body, list) => this.#packing.pack(claimed, { plan, body, list }),
      endAttempt: async (tx, failed) => {
        const reason: unknown = signal.reason;
        return this.#ends.endAttempt(tx, { row: { ...row, effects }, token }, { ...failed, plan, reason });
      },
    };
  }

  /**
   * Ends the attempts of dead workers and releases their reservations: jobs with an expired lease, or all jobs of
   * `worker` if it is known to be dead. `isRunning` tells whether the job of a token still runs in this process; then
   * its lease is only late, because the process was paused or a clock was changed.
   */
  async recover(
    worker: string | null,
    planOf: (tenant: string) => Promise<Plan>,
    isRunning: (token: string) => boolean = isNeverRunning,
  ): Promise<void> {
    await this.#recovery.recover(worker, planOf, isRunning);
  }

  async #note({ row, token }: ClaimedJob, packed: readonly Segment[], counts: StepCounts): Promise<void> {
    const { db, results, notifications } = this.#parts;
    try {
      await db.transaction(async (tx) => {
        const noted = await tx.query(NOTE, [row.id, token, counts.begun, counts.completed, counts.failed]);
        if (noted.length === 0) return assertLease(tx, { row, token });
        if (packed.length > 0) await results.append(tx, row.id, packed);
      });
    } catch (error) {
      await results.discard(packed, error);
      throw error;
    }
    notifications.notify(row.id);
  }
}

function isNeverRunning(): boolean {
  return false;
}

const STORED = 'select segments from jobs where id = $1';

/** The most characters of a stored list that an owner gets. A longer list is cut. */
const MAX_READ_CHARS = 4 * 1024 * 1024;

const StoredRow = z.object({ segments: z.number() });

type JobPackingParts = {
  readonly db: Db;
  readonly results: Results;
  readonly hooks: MergedHooks;
  readonly ends: JobEnds;
};

/** A response body. `list` is the name of its long list; null if it has none. */
type AnswerBody = { readonly body: JobInput; readonly list: string | null };
type PackRequest = AnswerBody & { readonly plan: Plan };

/**
 * Prepares response bodies for the transaction that completes their job: as a result, or as an outcome stored by the
 * owner.
 */
class ResultPacker {
  readonly #parts: JobPackingParts;

  constructor(parts: JobPackingParts) {
    this.#parts = parts;
  }

  async pack(claimed: ClaimedJob, packed: PackRequest): Promise<PackedOutcome> {
    const owner = this.#parts.hooks.ownerOf(claimed.row);
    return owner === null ? this.#packResult(claimed, packed) : this.#packForOwner(owner, claimed, packed);
  }

  async #packResult(claimed: ClaimedJob, { plan, body, list }: PackRequest): Promise<PackedOutcome> {
    const { results, hooks, ends } = this.#parts;
    const { id } = claimed.row;
    const result = await results.packResult(id, body, list);
    return {
      async complete(tx, usage) {
        await ends.complete(tx, claimed, { plan, usage, headBytes: result.head.packed_bytes });
        await results.finish(tx, id, result);
        await hooks.end(tx, claimed.row, 'completed');
      },
      discard: async (error) => results.discard([result.head, ...result.segments], error),
    };
  }

  async #packForOwner(
    owner: JobOwner,
    claimed: ClaimedJob,
    { plan, ...answered }: PackRequest,
  ): Promise<PackedOutcome> {
    const { ends } = this.#parts;
    const { row } = claimed;
    const record = await owner.prepare(row, await this.#wholeOf(row, answered));
    return {
      async complete(tx, usage) {
        await ends.complete(tx, claimed, { plan, usage, headBytes: 0 });
        await record(tx, usage);
        await ends.removeOwned(tx, row);
      },
      discard: async () => undefined,
    };
  }

  /** Adds the stored list to a body, as far as it fits into memory. */
  async #wholeOf({ id, long_running }: JobRow, { body, list }: AnswerBody): Promise<JobInput> {
    const { db, results } = this.#parts;
    const stored = long_running === 1 && list !== null ? readRow(StoredRow, await db.query(STORED, [id])) : null;
    if (stored === null || list === null || stored.segments === 0) return body;
    const bounds = { from: LIST_START, limit: Infinity, mostChars: MAX_READ_CHARS, least: 1 } as const;
    const { elements } = await results.readPage({ jobId: id, segments: stored.segments }, bounds);
    return { ...body, [list]: elements };
  }
}
