import type { Clock } from '#kernel/clock.ts';

/** A job counts as working for this long after its start, ms. */
const BEGUN_MS = 1000;
/** The same after a fast visit, ms: a host that answers fast keeps its job working. */
const STEP_MS = 250;
/** A visit that takes longer counts as waiting, ms. */
const SOON_MS = 1000;

/** Whether a job works, or only waits for hosts that are slow or visited at a pace. */
export type Activity = {
  /** Counts as work while it lasts. */
  readonly reading: <T>(work: Promise<T>) => Promise<T>;
  /** Counts as work when it is fast. */
  readonly visiting: <T>(work: Promise<T>) => Promise<T>;
  readonly isWaiting: () => boolean;
};

export function openActivity({ monotonic: now }: Pick<Clock, 'monotonic'>): Activity {
  let readings = 0;
  let until = now() + BEGUN_MS;

  return {
    async reading<T>(work: Promise<T>): Promise<T> {
      readings += 1;
      try {
        return await work;
      } finally {
        readings -= 1;
      }
    },

    async visiting<T>(work: Promise<T>): Promise<T> {
      const began = now();
      try {
        return await work;
      } finally {
        if (now() - began <= SOON_MS) until = Math.max(until, now() + STEP_MS);
      }
    },

    isWaiting: () => readings === 0 && now() >= until,
  };
}
