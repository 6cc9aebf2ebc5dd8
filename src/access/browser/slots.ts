import { waitIn } from '#kernel/waiting-line.ts';
import type { WaitingLine } from '#kernel/waiting-line.ts';

/** Slots for work; a caller that finds none waits, first come, first served. */
export type Slots = {
  /** Resolves when a place is there; throws the signal's reason when that fires first. */
  readonly take: (signal: AbortSignal) => Promise<void>;
  readonly free: () => void;
  /** Taken slots, and callers that wait for one. */
  readonly counts: () => { readonly taken: number; readonly waiting: number };
};

/** Opens `count` slots. */
export function openSlots(count: number): Slots {
  let left = count;
  const waiting: WaitingLine = new Set();
  return {
    async take(signal) {
      signal.throwIfAborted();
      if (left > 0) {
        left -= 1;
        return;
      }
      await waitIn(waiting, signal);
    },
    free() {
      const [next] = waiting;
      if (next === undefined) {
        left += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
    counts: () => ({ taken: count - left, waiting: waiting.size }),
  };
}
