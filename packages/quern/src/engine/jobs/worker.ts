import { type Clock, sleepUnlessAborted, type Timer } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import { StoreUnavailable } from '#store/db.ts';
import { toBackendUnavailable } from '#store/store-failure.ts';
import { type Billing, toChargeKey } from '#engine/credits/billing.ts';
import type { MergedHooks } from './job-hooks.ts';
import type { Leases } from './job-leases.ts';
import type { JobInput } from './job-record.ts';
import type { Notifications } from './job-notifications.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { AttemptObserver } from './attempt-observer.ts';
import { type ClaimedJob, type Lease, LeaseLost, JobStopped } from './lease.ts';
import {
  findDisplaced,
  holdsSlot,
  isFullOfLongRunning,
  computeFairShare,
  computeCapacity,
  type Slot,
} from './slots.ts';

const RENEW_EVERY_MS = 10_000;
/** Poll intervals of the queue, and of cancellations and suspensions while jobs run. */
const POLL_QUEUE_MS = 2000;
const POLL_STOPS_MS = 2000;
const FAIR_SHARE_EVERY_MS = 50;
const DISPLACE_EVERY_MS = 250;
const IDLE_MS = 60_000;
const RECOVER_EVERY_MS = 4000;
const PAUSE_AFTER_FAILURE_MS = 1000;
/** After the store was unavailable, other workers need time to renew their leases before they are considered dead. */
const RECOVER_AFTER_FAILURE_MS = 15_000;

/** The call of a claimed job. */
export type JobCall = {
  readonly kind: string;
  readonly input: JobInput;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly lease: Lease;
};

/** Runs a job; null if this version has no such operation. */
export type PerformJob = (ask: JobCall) => Promise<unknown> | null;

export type WorkerParts = {
  /** The id of this worker in its leases. */
  readonly id: string;
  /** Concurrent jobs, not counting those that only wait. */
  readonly slots: number;
  readonly perform: PerformJob;
  readonly hooks: Pick<MergedHooks, 'afterEnd'>;
  readonly leases: Leases;
  readonly billing: Billing;
  readonly notifications: Notifications;
  readonly clock: Clock;
  readonly readPlan: (tenant: string) => Promise<Plan>;
  readonly observe: ObserveEvent;
  /** Receives errors that are not failures of a job. The loop continues. */
  readonly report: (error: unknown) => void;
};

type RunningJob = Slot & {
  readonly claimed: ClaimedJob;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
  /** Null until the plan of its tenant is known. */
  lease: Lease | null;
};

/** An attempt that ended while the store was unavailable. Its lease is held until the end is written. */
type UnwrittenEnd = Pick<RunningJob, 'claimed' | 'stop' | 'lease'> & {
  readonly error: StoreUnavailable;
  readonly failedAt: number;
};

/**
 * Numbers of running jobs, of those that hold a slot, and of ended attempts not yet written because the store is
 * unavailable.
 */
export type WorkerCounts = { readonly running: number; readonly busy: number; readonly owed: number };

export type Worker = {
  /** Whether the loop is running. */
  readonly isAlive: () => boolean;
  readonly counts: () => WorkerCounts;
  /** Puts running jobs back into the queue and stops. Resolves once the worker no longer writes anything. */
  readonly drain: () => Promise<void>;
};

/** Starts a loop that claims and runs jobs. It wakes when a job is queued, and polls every two seconds. */
export function startWorker(parts: WorkerParts): Worker {
  const worker = new WorkerLoop(parts);
  return { isAlive: () => worker.isAlive, counts: () => worker.counts(), drain: async () => worker.drain() };
}

class WorkerLoop {
  readonly #parts: WorkerParts;
  /** By lease token. */
  readonly #running = new Map<string, RunningJob>();
  readonly #owed = new Map<string, UnwrittenEnd>();
  readonly #closing = new AbortController();
  readonly #loops: Promise<unknown>;
  readonly #beating: Repetition;
  readonly #recovering: Repetition;
  /** The pause between two claims by fair share, and whether one was requested meanwhile. */
  #partsPause: { readonly timer: Timer; isAsked: boolean } | null = null;
  #displacedAt = Number.NEGATIVE_INFINITY;
  /** The tenant after which the next search for waiting tenants continues. */
  #waitingAfter = '';
  #isAlive = true;
  /** When the store failed last; null if it never did. */
  #storeFailedAt: number | null = null;

  constructor(parts: WorkerParts) {
    this.#parts = parts;
    this.#beating = repeat(parts, RENEW_EVERY_MS, async () => this.#beat().catch((error) => this.#report(error)));
    this.#recovering = repeat(parts, RECOVER_EVERY_MS, async () =>
      this.#recover().catch((error) => this.#report(error)),
    );
    this.#loops = Promise.all([this.#claimJobs(), this.#watchStops()]);
  }

  get isAlive(): boolean {
    return this.#isAlive;
  }

  counts(): WorkerCounts {
    const slots = [...this.#running.values()];
    return { running: slots.length, busy: slots.filter(holdsSlot).length, owed: this.#owed.size };
  }

  async drain(): Promise<void> {
    this.#closing.abort();
    this.#partsPause?.timer.close();
    await Promise.all([this.#loops, this.#beating.close(), this.#recovering.close()]);
    const left = [...this.#running.values()];
    for (const { stop } of left) stop.abort(new JobStopped('drained'));
    await Promise.all(left.map(async ({ ended }) => ended));
    // If the store is still unavailable, other workers take these jobs once their leases have expired.
    await this.#writeOwed().catch((error: unknown) => this.#report(error));
  }

  async #claimJobs(): Promise<void> {
    const { notifications, clock } = this.#parts;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      // Subscribed before the slots are filled, so that no notification is missed.
      const woken = notifications.next('queue', POLL_QUEUE_MS, signal);
      try {
        await this.#fill();
      } catch (error) {
        this.#report(error);
        await sleepUnlessAborted(clock, PAUSE_AFTER_FAILURE_MS, signal);
      }
      await woken;
    }
    this.#isAlive = false;
  }

  /** Fills the free slots. */
  async #fill(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      const claimed = await this.#claim();
      if (claimed.length === 0) return this.#makeRoom();
      for (const job of claimed) this.#start(job);
    }
  }

  async #claim(): Promise<readonly ClaimedJob[]> {
    const claimed = await this.#claimBy(computeCapacity);
    return claimed.length > 0 || !this.#mayClaimParts() ? claimed : this.#claimBy(computeFairShare);
  }

  /** Claims any jobs first, then short ones for the slots reserved from long-running jobs. */
  async #claimBy(rule: typeof computeCapacity | typeof computeFairShare): Promise<readonly ClaimedJob[]> {
    const { id, slots, leases } = this.#parts;
    for (const choice of ['all', 'short'] as const) {
      const room = rule(slots, [...this.#running.values()], choice);
      const hasRoom = room !== null && room.max > 0;
      const claimed = hasRoom ? await leases.claim(id, room.max, { choice, getCapacity: room.forTenant }) : [];
      if (claimed.length > 0) return claimed;
    }
    return [];
  }

  /**
   * If all slots are taken, stops a long-running job in favour of a tenant with fewer jobs. It continues later where
   * it stopped. One at a time, because freed slots are assigned first.
   */
  async #makeRoom(): Promise<void> {
    const { slots, clock, leases } = this.#parts;
    const now = clock.monotonic();
    if (now - this.#displacedAt < DISPLACE_EVERY_MS) return;
    if (!isFullOfLongRunning(slots, [...this.#running.values()])) return;
    this.#displacedAt = now;
    const waiting = await leases.findWaitingTenants(this.#waitingAfter);
    this.#waitingAfter = waiting.at(-1) ?? '';
    const displaced = findDisplaced([...this.#running.values()], waiting);
    displaced?.stop.abort(new JobStopped('displaced'));
  }

  /** Whether to claim jobs by fair share now. It is rate-limited, because after most jobs it would find nothing. */
  #mayClaimParts(): boolean {
    const { slots, clock, notifications } = this.#parts;
    if (computeFairShare(slots, [...this.#running.values()], 'short') === null) return false;
    if (this.#partsPause !== null) {
      this.#partsPause.isAsked = true;
      return false;
    }
    const timer = clock.after(FAIR_SHARE_EVERY_MS, () => {
      const isAsked = this.#partsPause?.isAsked === true;
      this.#partsPause = null;
      if (isAsked) notifications.notifyHere('queue');
    });
    this.#partsPause = { timer, isAsked: false };
    return true;
  }

  #start(claimed: ClaimedJob): void {
    const { notifications, clock, observe, report } = this.#parts;
    const stop = new AbortController();
    const watch = new AttemptObserver(claimed, clock);
    const ended = this.#runJob(claimed, watch, stop.signal)
      .then((failure) => observe(watch.toEvent(failure, stop.signal.reason)))
      .catch((error: unknown) => {
        observe(watch.toEvent(error, stop.signal.reason));
        if (error instanceof StoreUnavailable) {
          const lease = this.#running.get(claimed.token)?.lease ?? null;
          this.#owed.set(claimed.token, { claimed, stop, lease, error, failedAt: clock.now() });
          return;
        }
        // A failure of the work is already stored, and a job whose lease is lost belongs to another worker.
        if (!(error instanceof ServiceError || error instanceof LeaseLost)) report(error);
      })
      .finally(() => {
        this.#running.delete(claimed.token);
        this.#announceEnd(claimed);
      });
    const { tenant_id: tenant, long_running: longRunning } = claimed.row;
    const slot = { claimed, stop, ended, tenant, isLongRunning: longRunning === 1, activity: null, lease: null };
    this.#running.set(claimed.token, slot);
    notifications.notifyHere('begun');
  }

  /** Returns the error of a job that cannot run at all, else null. Throws if the work fails. */
  async #runJob(claimed: ClaimedJob, watch: AttemptObserver, signal: AbortSignal): Promise<ServiceError | null> {
    const { id, perform, leases, billing, readPlan } = this.#parts;
    const { row } = claimed;
    const plan = await readPlan(row.tenant_id);
    const lease = watch.wrapLease(leases.buildLease(claimed, plan, signal));
    const slot = this.#running.get(claimed.token);
    if (slot !== undefined) {
      slot.activity = lease.activity;
      slot.lease = lease;
    }
    const caller = { tenant: row.tenant_id, keyId: id, plan };
    const input = this.#open(claimed);
    if (!(input instanceof ServiceError)) watch.readHost(input);
    const work =
      input instanceof ServiceError
        ? null
        : perform({ kind: row.kind, input, caller, requestId: row.request_id, signal, lease });
    if (work !== null) {
      await work;
      return null;
    }
    const failure = input instanceof ServiceError ? input : createUnknownKindError(row.kind);
    const account = { key: toChargeKey(row.id), tenant: row.tenant_id, plan, fence: lease.fence };
    await billing.release(account, async (tx) => void (await lease.endAttempt(tx, { failure, attempts: 0 })));
    return failure;
  }

  /** Returns the input of a claimed job, or the error why it can never run. */
  #open({ row }: ClaimedJob): JobInput | ServiceError {
    try {
      return this.#parts.leases.openInput(row) ?? createUnknownKindError(row.kind);
    } catch (error) {
      const why = 'the input cannot be decrypted; QUERN_SECRET_KEY has changed';
      return new ServiceError('internal_error', why, { cause: error, retryable: false });
    }
  }

  async #beat(): Promise<void> {
    for (const { claimed, stop } of [...this.#running.values(), ...this.#owed.values()]) {
      const state = await this.#parts.leases.renew(claimed);
      if (state === null) {
        stop.abort(new LeaseLost('the lease ran out'));
        this.#owed.delete(claimed.token);
      }
      if (state === 'is cancelled') stop.abort(new JobStopped('cancelled'));
    }
  }

  async #recover(): Promise<void> {
    const { leases, readPlan, clock } = this.#parts;
    await this.#writeOwed();
    const failedAt = this.#storeFailedAt;
    if (failedAt !== null && clock.monotonic() - failedAt < RECOVER_AFTER_FAILURE_MS) return;
    await leases.recover(null, readPlan, (token) => this.#running.has(token) || this.#owed.has(token));
  }

  /**
   * Writes the ends of attempts that ended while the store was unavailable. Throws `StoreUnavailable` if it still is.
   */
  async #writeOwed(): Promise<void> {
    for (const owed of this.#owed.values()) {
      try {
        await this.#writeEnd(owed);
      } catch (error) {
        if (error instanceof StoreUnavailable) throw error;
        // Another worker has the job, or takes it once the lease has expired.
        if (!(error instanceof LeaseLost)) this.#report(error);
      }
      this.#owed.delete(owed.claimed.token);
      this.#announceEnd(owed.claimed);
    }
  }

  async #writeEnd({ claimed, stop, lease, error, failedAt }: UnwrittenEnd): Promise<void> {
    const { leases, billing, readPlan } = this.#parts;
    const { id, tenant_id: tenant } = claimed.row;
    const plan = await readPlan(tenant);
    const { fence, endAttempt } = lease ?? leases.buildLease(claimed, plan, stop.signal);
    const failed = { failure: toBackendUnavailable(error), attempts: 0, failedAt };
    await billing.release(
      { key: toChargeKey(id), tenant, plan, fence },
      async (tx) => void (await endAttempt(tx, failed)),
    );
  }

  #announceEnd({ row }: ClaimedJob): void {
    const { hooks, notifications } = this.#parts;
    notifications.notify(row.id);
    notifications.notifyHere('queue');
    hooks.afterEnd(row);
  }

  /** Reports an error, unless the store is unavailable. */
  #report(error: unknown): void {
    if (error instanceof StoreUnavailable) this.#storeFailedAt = this.#parts.clock.monotonic();
    else this.#parts.report(error);
  }

  async #watchStops(): Promise<void> {
    const { notifications } = this.#parts;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      await this.#stopTold().catch((error: unknown) => this.#report(error));
      // Nothing can be stopped while no job runs.
      if (this.#running.size === 0) await notifications.next('begun', IDLE_MS, signal);
      else await notifications.next('cancelled', POLL_STOPS_MS, signal);
    }
  }

  async #stopTold(): Promise<void> {
    const { id, leases } = this.#parts;
    if (this.#running.size === 0) return;
    for (const [token, why] of await leases.listStopped(id)) this.#running.get(token)?.stop.abort(new JobStopped(why));
  }
}

function createUnknownKindError(kind: string): ServiceError {
  return new ServiceError('internal_error', `this version has no operation ${kind}`, { retryable: false });
}

type Repetition = { readonly close: () => Promise<void> };

/** Repeats work on a timer, never two runs at once. */
function repeat({ clock, report }: WorkerParts, ms: number, work: () => Promise<void>): Repetition {
  let last: Promise<void> = Promise.resolve();
  const timer = clock.every(ms, () => {
    last = last.then(work).catch(report);
  });
  return {
    async close(): Promise<void> {
      timer.close();
      await last;
    },
  };
}
