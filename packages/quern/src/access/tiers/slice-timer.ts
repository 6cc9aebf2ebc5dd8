import type { Untimed } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';

/** The time of one attempt, from which waits for this machine are left out: they say nothing about the target. */
export type SliceTimer = {
  /** Time left, ms. */
  readonly leftMs: () => number;
  readonly untimed: Untimed;
  readonly close: () => void;
};

/** Starts the time of an attempt; `onEnd` is called when `sliceMs` are used up. */
export function startSlice(clock: Clock, sliceMs: number, onEnd: () => void): SliceTimer {
  let left = sliceMs;
  let since = clock.monotonic();
  let waits = 0;
  let isClosed = false;
  let timer = clock.after(sliceMs, onEnd);

  function stop(): void {
    waits += 1;
    if (waits > 1) return;
    timer.close();
    left -= clock.monotonic() - since;
  }

  function goOn(): void {
    waits -= 1;
    if (waits > 0 || isClosed) return;
    since = clock.monotonic();
    timer = clock.after(Math.max(0, left), onEnd);
  }

  return {
    leftMs: () => (waits > 0 ? left : left - (clock.monotonic() - since)),
    async untimed(wait) {
      stop();
      return wait().finally(goOn);
    },
    close() {
      isClosed = true;
      timer.close();
    },
  };
}
