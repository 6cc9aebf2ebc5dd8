import { z } from 'zod';
import type { Plan, Plans } from '#engine/identity/plans.ts';
import { START } from '#engine/results/result-reader.ts';
import type { Segment } from '#engine/results/result-segments.ts';
import type { Results } from '#engine/results/results.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Observe } from '#kernel/events.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import { createActivity } from './activity.ts';
import { type ClaimFacts, claimJobs, findWaitingTenants, type JobChoice } from './job-claim.ts';
import { JobEnds, JobRecovery } from './job-ends.ts';
import type { JobOwner, MergedHooks } from './job-hooks.ts';
import type { Notifications } from './job-notifications.ts';
import { type JobInput, type JobRow, openInput } from './job-record.ts';
import {
  type Claimed,
  Closing,
  assertLease,
  type Lease,
  type PackedOutcome,
  type StepCounts,
  type Stopped,
  retryUntilStored,
} from './lease.ts';

const IS_DUE: Readonly<Record<JobChoice, string>> = {
  all: "select id from jobs where status = 'queued' and due_at <= $1 limit 1",
  short: "select id from jobs where status = 'queued' and long_running = 0 and due_at <= $1 limit 1",
};
const BEAT = `update jobs set lease_until = $3
  where id = $1 and lease_token = $2 and status = 'running' returning cancel_requested`;
/** What has acted on a page could not be repeated, so a suspension lets it end. */
const STOPPED_OF = `select lease_token, cancel_requested from jobs
  where status = 'running' and worker_id = $1 and (cancel_requested = 1 or (effects = 0
    and exists (select 1 from tenants where tenants.id = jobs.tenant_id and suspended_at is not null)))`;
/** Changes nothing where the same was noted already: the first answer may have been lost. */
const NOTE = `update jobs set discovered = $3, completed = $4, failed = $5, total = null, effects = 1,
    version = version + 1
  where id = $1 and lease_token = $2 and status = 'running'
    and (effects = 0
      or discovered + completed + failed < cast($3 as bigint) + cast($4 as bigint) + cast($5 as bigint)) returning id`;

/** A lease that is not renewed for this long is dead; dead ones are looked for every four seconds, so after 34 s at most. */
const LEASE_MS = 30_000;

const CancelRow = z.object({ cancel_requested: z.number() });
const StoppedRow = CancelRow.extend({ lease_token: z.string() });

export type LeaseParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  readonly sealer: Sealer;
  readonly notifications: Notifications;
  readonly results: Results;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly hooks: MergedHooks;
  readonly observe: Observe;
  readonly plans: Plans;
};

/** The jobs that a claim may take, and how many of each tenant this worker has room for. */
export type ClaimFilter = { readonly choice: JobChoice; readonly getCapacity: (tenant: string) => number };

const ANY_JOB: ClaimFilter = { choice: 'all', getCapacity: () => Infinity };

/** Jobs as workers see them. Every statement that has an effect names the token of its lease. */
export class Leases {
  readonly #parts: LeaseParts;
  readonly #ends: JobEnds;
  readonly #packing: ResultPacker;
  readonly #recovery: JobRecovery;
  /** The tenant that was served last by this process; each process has turns of its own. */
  #lastTurn = '';

  constructor(parts: LeaseParts) {
    this.#parts = parts;
    const ends = new JobEnds(parts);
    this.#ends = ends;
    this.#packing = new ResultPacker({ ...parts, ends });
    this.#recovery = new JobRecovery({ ...parts, ends });
  }

  /** Due jobs, at most `most`, of tenants in turns; none when none is due. */
  async claim(worker: string, most: number, filter: ClaimFilter = ANY_JOB): Promise<readonly Claimed[]> {
    const { db, inTurn, clock, notifications, plans } = this.#parts;
    const now = clock.now();
    // A read costs less than a transaction, and most claims find nothing.
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
      // A claim that is lost leaves the job queued, and its lease is never used.
      { keep: 'redone' },
    );
    this.#lastTurn = after;
    const claimed = rows.map((row) => ({ row, token: token + row.id }));
    for (const { row } of claimed) notifications.notify(row.id);
    return claimed;
  }

  /** Tenants that wait with a long-running job that is due, from the one after `after` on; at most 64. */
  async findWaitingTenants(after: string): Promise<readonly string[]> {
    const { db, clock, plans } = this.#parts;
    return findWaitingTenants(db, { now: clock.now(), plans, after });
  }

  /** The input of a job; throws when it cannot be opened. */
  open(row: JobRow): JobInput | null {
    return openInput(this.#parts.sealer, row);
  }

  /** Keeps a lease alive; null when it is lost, else whether the job is to be cancelled. */
  async renew({ row, token }: Claimed): Promise<'goes on' | 'is cancelled' | null> {
    const { db, clock } = this.#parts;
    const flag = readRow(CancelRow, await db.query(BEAT, [row.id, token, clock.now() + LEASE_MS]));
    if (flag === null) return null;
    return flag.cancel_requested === 1 ? 'is cancelled' : 'goes on';
  }

  /** The leases of a worker that are to stop, by their tokens: to be cancelled, or to rest while their tenant is suspended. */
  async listStopped(worker: string): Promise<ReadonlyMap<string, Stopped['reason']>> {
    const rows = readRows(StoppedRow, await this.#parts.db.query(STOPPED_OF, [worker]));
    return new Map(rows.map((row) => [row.lease_token, row.cancel_requested === 1 ? 'cancelled' : 'suspended']));
  }

  /** The lease under which the gate runs a claimed job of a tenant on `plan`, until `signal` fires. */
  leaseOf(claimed: Claimed, plan: Plan, signal: AbortSignal): Lease {
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
      closing: Closing.safeParse(row.stop_reason).data ?? null,
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
   * Takes the jobs of dead workers away from them, and frees their reservations: the jobs whose lease ran out, or all of
   * `worker`, when it is known to be dead. `isRunning` answers whether the job of a token runs in this process: its lease is
   * only late, because the process was stopped for a while, or a clock was set.
   */
  async recover(
    worker: string | null,
    planOf: (tenant: string) => Promise<Plan>,
    isRunning: (token: string) => boolean = isNeverRunning,
  ): Promise<void> {
    await this.#recovery.recover(worker, planOf, isRunning);
  }

  async #note({ row, token }: Claimed, packed: readonly Segment[], counts: StepCounts): Promise<void> {
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

/** Characters of a stored list that an owner reads; of a longer one its beginning. */
const MAX_READ_CHARS = 4 * 1024 * 1024;

const StoredRow = z.object({ segments: z.number() });

type JobPackingParts = {
  readonly db: Db;
  readonly results: Results;
  readonly hooks: MergedHooks;
  readonly ends: JobEnds;
};

/** The body of an answer; `list` names its long list, null when it has none. */
type AnswerBody = { readonly body: JobInput; readonly list: string | null };
type PackRequest = AnswerBody & { readonly plan: Plan };

/** Answers prepared for the transaction that completes their job: a result, or the outcome that the owner stores. */
class ResultPacker {
  readonly #parts: JobPackingParts;

  constructor(parts: JobPackingParts) {
    this.#parts = parts;
  }

  async pack(claimed: Claimed, packed: PackRequest): Promise<PackedOutcome> {
    const owner = this.#parts.hooks.ownerOf(claimed.row);
    return owner === null ? this.#packResult(claimed, packed) : this.#packForOwner(owner, claimed, packed);
  }

  async #packResult(claimed: Claimed, { plan, body, list }: PackRequest): Promise<PackedOutcome> {
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

  async #packForOwner(owner: JobOwner, claimed: Claimed, { plan, ...answered }: PackRequest): Promise<PackedOutcome> {
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

  /** The answer with its long list, where that is stored already, as far as it can be held at once. */
  async #wholeOf({ id, long_running }: JobRow, { body, list }: AnswerBody): Promise<JobInput> {
    const { db, results } = this.#parts;
    const stored = long_running === 1 && list !== null ? readRow(StoredRow, await db.query(STORED, [id])) : null;
    if (stored === null || list === null || stored.segments === 0) return body;
    const bounds = { from: START, limit: Infinity, mostChars: MAX_READ_CHARS, least: 1 } as const;
    const { elements } = await results.page({ jobId: id, segments: stored.segments }, bounds);
    return { ...body, [list]: elements };
  }
}
