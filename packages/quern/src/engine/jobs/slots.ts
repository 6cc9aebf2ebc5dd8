import type { Clock } from '#kernel/clock.ts';

/** A job counts as active for this long after its start. */
const START_MS = 1000;
/** A job counts as active for this long after a fast visit. */
const FAST_VISIT_MS = 250;
/** A visit that takes longer counts as waiting. */
const MAX_FAST_VISIT_MS = 1000;

/** Tracks whether a job is active, or only waits for slow or rate-limited hosts. */
export type Activity = {
  /** The job is active while `work` runs. */
  readonly trackReading: <T>(work: Promise<T>) => Promise<T>;
  /** The job is active after `work` if it was fast. */
  readonly trackVisit: <T>(work: Promise<T>) => Promise<T>;
  readonly isWaiting: () => boolean;
};

export function createActivity({ monotonic: now }: Pick<Clock, 'monotonic'>): Activity {
  let readings = 0;
  let until = now() + START_MS;

  return {
    async trackReading<T>(work: Promise<T>): Promise<T> {
      readings += 1;
      try {
        return await work;
      } finally {
        readings -= 1;
      }
    },

    async trackVisit<T>(work: Promise<T>): Promise<T> {
      const began = now();
      try {
        return await work;
      } finally {
        if (now() - began <= MAX_FAST_VISIT_MS) until = Math.max(until, now() + FAST_VISIT_MS);
      }
    },

    isWaiting: () => readings === 0 && now() >= until,
  };
}

/** Running jobs per slot, including those that only wait. */
const RUNNING_PER_SLOT = 4;

/** A running job of a worker. */
export type Slot = {
  readonly tenant: string;
  readonly isLongRunning: boolean;
  /** Null before it has started. */
  activity: Activity | null;
};

/** How many more jobs may start, in total and for each tenant. */
type Capacity = { readonly max: number; readonly forTenant: (tenant: string) => number };

/**
 * Computes how many more jobs a worker may start. A job that only waits for hosts holds no slot, up to four jobs per
 * slot. With several slots, long-running jobs leave one slot to other jobs, and those of one tenant leave one more to
 * other tenants. A quarter of all slots is reserved from long-running jobs, and a quarter from each tenant.
 */
export function computeCapacity(slots: number, running: readonly Slot[], choice: 'all' | 'short'): Capacity {
  const most = slots * RUNNING_PER_SLOT;
  const longRunning = running.filter((one) => one.isLongRunning);
  const free = slots - running.filter(holdsSlot).length;
  if (choice === 'short') {
    return {
      max: Math.min(free, most - running.length),
      forTenant: (tenant) => most - slots - countTenantJobs(running, tenant),
    };
  }
  const mostLongRunning = computeMaxLongRunning(slots);
  const busy = longRunning.filter(holdsSlot);
  return {
    max: Math.min(free, mostLongRunning - busy.length, most - slots - longRunning.length),
    forTenant: (tenant) =>
      Math.min(
        most - slots - countTenantJobs(running, tenant),
        most - 2 * slots - countTenantJobs(longRunning, tenant),
        Math.max(1, mostLongRunning - 1) - countTenantJobs(busy, tenant),
      ),
  };
}

/**
 * Computes how many jobs each tenant may start up to its fair share although no slot is free; null if a slot is free.
 * Without this, jobs of other tenants could hold all slots for a long time.
 */
export function computeFairShare(slots: number, running: readonly Slot[], choice: 'all' | 'short'): Capacity | null {
  const busy = running.filter(holdsSlot);
  const isFull = busy.length >= slots || busy.filter((one) => one.isLongRunning).length >= computeMaxLongRunning(slots);
  if (!isFull) return null;
  const places = slots * RUNNING_PER_SLOT;
  const free = places - running.length;
  const freeForLongRunning = places - slots - running.filter((one) => one.isLongRunning).length;
  return {
    max: choice === 'short' ? free : Math.min(free, freeForLongRunning),
    forTenant(tenant) {
      const tenants = new Set(busy.map((one) => one.tenant)).add(tenant).size;
      return Math.max(1, Math.floor(slots / tenants)) - countTenantJobs(busy, tenant);
    },
  };
}

/** Whether long-running jobs occupy all slots that they may have, so that others would wait for hours. */
export function isFullOfLongRunning(slots: number, running: readonly Slot[]): boolean {
  const longRunning = running.filter((one) => one.isLongRunning);
  return longRunning.length >= slots * (RUNNING_PER_SLOT - 1);
}

/**
 * Finds the long-running job to stop in favour of a waiting tenant: the newest job of the tenant with the most. Null if
 * the waiting tenant would not have fewer jobs even with one more.
 */
export function findDisplaced<T extends Slot>(running: readonly T[], waiting: readonly string[]): T | null {
  const longRunning = running.filter((one) => one.isLongRunning);
  const counts = new Map<string, number>();
  for (const { tenant } of longRunning) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  const fewest = Math.min(...waiting.map((tenant) => counts.get(tenant) ?? 0));
  const most = Math.max(0, ...counts.values());
  if (fewest + 1 >= most) return null;
  return longRunning.findLast(({ tenant }) => counts.get(tenant) === most) ?? null;
}

/** Whether a job holds a slot. A job that only waits for hosts does not. */
export function holdsSlot({ activity }: Slot): boolean {
  return activity === null || !activity.isWaiting();
}

function computeMaxLongRunning(slots: number): number {
  return Math.max(1, slots - 1);
}

function countTenantJobs(those: readonly Slot[], tenant: string): number {
  return those.filter((one) => one.tenant === tenant).length;
}
