import type { Clock } from '#kernel/clock.ts';

/** A job that has just begun is taken to work for so long, ms. */
const BEGUN_MS = 1000;
/** So long after a visit that ended soon, ms: a host that answers so keeps its job at work. */
const STEP_MS = 250;
/** A visit that takes longer was waited for, ms. */
const SOON_MS = 1000;

/** Whether a job does something itself, or only waits for hosts that are slow or have to be left alone. */
export type Activity = {
  /** Counts as work while it lasts. */
  readonly reading: <T>(work: Promise<T>) => Promise<T>;
  /** Counts as work when it ends soon. */
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
