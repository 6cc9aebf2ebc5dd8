import { SYSTEM_CLOCK, pause } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Billing } from '#engine/credits/billing.ts';
import type { JoinedHooks } from './job-hooks.ts';
import { LeaseLost, Stopped } from './job-leases.ts';
import type { Claimed, Lease, Leases } from './job-leases.ts';
import type { JobInput } from './job-record.ts';
import type { News } from './job-notifications.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Plan } from '#engine/identity/plans.ts';
import { roomIn } from './slots.ts';
import type { Slot } from './slots.ts';

const BEAT_EVERY_MS = 10_000;
const LOOK_EVERY_MS = 2000;
const CANCELLED_EVERY_MS = 2000;
const RECOVER_EVERY_MS = 4000;
const IDLE_MS = 60_000;
const PAUSE_AFTER_FAILURE_MS = 1000;

/** The work of a claimed job. */
export type JobAsk = {
  readonly kind: string;
  readonly input: JobInput;
  readonly caller: Caller;
  readonly requestId: string;
  readonly signal: AbortSignal;
  readonly lease: Lease;
};

/** Runs the work of a job through the gate; null where this version has no such operation. */
export type PerformJob = (ask: JobAsk) => Promise<unknown> | null;

export type WorkerParts = {
  /** Names this worker in its leases. */
  readonly id: string;
  /** Jobs at once, those that only wait not counted. */
  readonly slots: number;
  readonly perform: PerformJob;
  readonly hooks: Pick<JoinedHooks, 'afterEnd'>;
  readonly leases: Leases;
  readonly billing: Billing;
  readonly news: News;
  readonly planOf: (tenant: string) => Promise<Plan>;
  /** Told of what goes wrong beside the jobs themselves; the loop goes on. */
  readonly report: (error: unknown) => void;
};

type Running = Slot & { readonly claimed: Claimed; readonly stop: AbortController; readonly ended: Promise<void> };

export type Worker = {
  /** Whether the loop still turns. */
  readonly isAlive: () => boolean;
  /** Puts running jobs back into the queue and ends; resolves when nothing of it writes any more. */
  readonly drain: () => Promise<void>;
};

/** Starts the loop that claims jobs and runs them; it wakes on news of the queue and looks for itself every two seconds. */
export function startWorker(parts: WorkerParts): Worker {
  const { id, slots, perform, hooks, leases, billing, news, planOf, report } = parts;
  const running = new Map<string, Running>();
  const closing = new AbortController();
  let alive = true;

  async function runJob(claimed: Claimed, signal: AbortSignal): Promise<void> {
    const { row } = claimed;
    const plan = await planOf(row.tenant_id);
    const lease = leases.leaseOf(claimed, plan, signal);
    const slot = running.get(claimed.token);
    if (slot !== undefined) slot.activity = lease.activity;
    const caller = { tenant: row.tenant_id, keyId: id, plan };
    const input = open(claimed);
    const work =
      input instanceof ServiceError
        ? null
        : perform({ kind: row.kind, input, caller, requestId: row.request_id, signal, lease });
    if (work !== null) {
      await work;
      return;
    }
    const failure = input instanceof ServiceError ? input : unknownKind(row.kind);
    const account = { key: row.id, tenant: row.tenant_id, plan, fence: lease.fence };
    await billing.release(account, async (tx) => void (await lease.giveUp(tx, { failure, attempts: 0 })));
  }

  /** The input of a claimed job, or why it can never run. */
  function open({ row }: Claimed): JobInput | ServiceError {
    try {
      return leases.open(row) ?? unknownKind(row.kind);
    } catch (error) {
      const why = 'the input cannot be opened: QUERN_SECRET_KEY is not the one that sealed it';
      return new ServiceError('internal_error', why, { cause: error, retryable: false });
    }
  }

  function begin(claimed: Claimed): void {
    const stop = new AbortController();
    const ended = runJob(claimed, stop.signal)
      .catch((error: unknown) => {
        // The gate has written a failure of the work into the record, and lost leases are another worker's.
        if (!(error instanceof ServiceError || error instanceof LeaseLost)) report(error);
      })
      .finally(() => {
        running.delete(claimed.token);
        news.spread(claimed.row.id);
        news.tell('queue');
        hooks.afterEnd(claimed.row);
      });
    const { tenant_id: tenant, long_running: longRunning } = claimed.row;
    running.set(claimed.token, { claimed, stop, ended, tenant, isLongRunning: longRunning === 1, activity: null });
    news.tell('begun');
  }

  async function beat(): Promise<void> {
    for (const { claimed, stop } of running.values()) {
      const state = await leases.beat(claimed);
      if (state === null) stop.abort(new LeaseLost('the lease ran out'));
      if (state === 'is cancelled') stop.abort(new Stopped('cancelled'));
    }
  }

  async function recover(): Promise<void> {
    await leases.recover(null, planOf, (token) => running.has(token));
  }

  async function look(): Promise<void> {
    if (running.size === 0) return;
    for (const token of await leases.cancelled(id)) running.get(token)?.stop.abort(new Stopped('cancelled'));
  }

  /** First of all jobs, and for the slots that long-running jobs may not have, of the others. */
  async function claim(): Promise<readonly Claimed[]> {
    for (const choice of ['all', 'short'] as const) {
      const room = roomIn(slots, [...running.values()], choice);
      const claimed = room.most > 0 ? await leases.claim(id, room.most, { choice, roomOf: room.of }) : [];
      if (claimed.length > 0) return claimed;
    }
    return [];
  }

  /** Fills the free slots. */
  async function fill(): Promise<void> {
    while (!closing.signal.aborted) {
      const claimed = await claim();
      if (claimed.length === 0) return;
      for (const one of claimed) begin(one);
    }
  }

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      // Asked for first, since what is told while the places are filled would be missed.
      const woken = news.next('queue', LOOK_EVERY_MS, closing.signal);
      try {
        await fill();
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) report(error);
        await pause(SYSTEM_CLOCK, PAUSE_AFTER_FAILURE_MS, closing.signal);
      }
      await woken;
    }
    alive = false;
  }

  async function watchCancellations(): Promise<void> {
    while (!closing.signal.aborted) {
      await look().catch(report);
      // Nothing can be cancelled while nothing runs.
      if (running.size === 0) await news.next('begun', IDLE_MS, closing.signal);
      else await news.next('cancelled', CANCELLED_EVERY_MS, closing.signal);
    }
  }

  const beating = every(BEAT_EVERY_MS, beat, report);
  const recovering = every(RECOVER_EVERY_MS, recover, report);
  const loops = Promise.all([loop(), watchCancellations()]);
  return {
    isAlive: () => alive,
    async drain() {
      closing.abort();
      await Promise.all([loops, beating.close(), recovering.close()]);
      const left = [...running.values()];
      for (const { stop } of left) stop.abort(new Stopped('drained'));
      await Promise.all(left.map(async ({ ended }) => ended));
    },
  };
}

function unknownKind(kind: string): ServiceError {
  return new ServiceError('internal_error', `this version has no operation ${kind}`, { retryable: false });
}

/** Repeats work on a timer, never two rounds at once. */
function every(ms: number, work: () => Promise<void>, report: (error: unknown) => void) {
  let last: Promise<void> = Promise.resolve();
  const timer = SYSTEM_CLOCK.every(ms, () => {
    last = last.then(work).catch(report);
  });
  return {
    async close(): Promise<void> {
      timer.close();
      await last;
    },
  };
}
