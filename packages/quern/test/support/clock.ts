import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, SYSTEM_CLOCK, type Timer } from '#kernel/clock.ts';

/** The system clock with another time of day. */
export type TestClock = Clock & { readonly set: (iso: string) => void; readonly pass: (ms: number) => void };

/** A clock whose time of day a test sets; durations are real ones plus the time that was advanced. */
export function openTestClock(iso: string): TestClock {
  const start = Date.parse(iso);
  let now = start;
  return {
    ...SYSTEM_CLOCK,
    now: () => now,
    monotonic: () => SYSTEM_CLOCK.monotonic() + Math.max(0, now - start),
    set: (next) => void (now = Date.parse(next)),
    pass: (ms) => void (now += ms),
  };
}

/** A clock that reads the time of the test, and waits in real time. */
export function clockAt(read: () => number): Clock {
  return { ...SYSTEM_CLOCK, now: read, monotonic: read };
}

/** The same clock with every sleep a hundred times shorter. */
export function withShortSleep<C extends Clock>(clock: C): C {
  return { ...clock, sleep: async (ms: number, signal?: AbortSignal) => clock.sleep(ms / 100, signal) };
}

/** The system clock sped up by a factor; its durations and deadlines stay real. */
export function fasterClock(times: number): Clock {
  const start = SYSTEM_CLOCK.now();
  return {
    ...SYSTEM_CLOCK,
    now: () => start + (SYSTEM_CLOCK.now() - start) * times,
    sleep: async (ms, signal) => SYSTEM_CLOCK.sleep(ms / times, signal),
  };
}

/** Longer timers are deadlines of calls. */
const MAX_SHORTENED_MS = 10_000;

/** The same clock with timers shortened by a factor. */
export function withSoonTimers<C extends Clock>(clock: C, times: number): C {
  return {
    ...clock,
    after: (ms: number, work: () => void) => clock.after(ms > MAX_SHORTENED_MS ? ms : ms / times, work),
  };
}

/** A clock that is stopped until a test advances it, and then runs due timers. */
export type DrivenClock = Clock & {
  /** Runs all timers due within `ms`, the earliest first, each at its own time, with I/O in between. */
  readonly advance: (ms: number) => Promise<void>;
  /** The number of pending timers and sleeps. */
  readonly pending: () => number;
};

type Due = { at: number; readonly everyMs: number | null; readonly work: () => void };

/** Event loop rounds for the work that a timer started. */
const ROUNDS = 8;

async function goOn(): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) await turn();
}

export function driveClock(iso = '2026-11-21T12:00:00Z'): DrivenClock {
  const start = Date.parse(iso);
  let elapsed = 0;
  const waiting = new Set<Due>();

  function add(ms: number, everyMs: number | null, work: () => void): Timer {
    const due: Due = { at: elapsed + Math.max(0, ms), everyMs, work };
    waiting.add(due);
    const timer: Timer = {
      close: () => waiting.delete(due),
      refresh: () => (due.at = elapsed + ms),
      unref: () => timer,
    };
    return timer;
  }

  function earliest(until: number): Due | undefined {
    let first: Due | undefined;
    for (const due of waiting) if (due.at <= until && (first === undefined || due.at < first.at)) first = due;
    return first;
  }

  return {
    now: () => start + elapsed,
    monotonic: () => elapsed,
    async sleep(ms, signal) {
      signal?.throwIfAborted();
      const woken = Promise.withResolvers<void>();
      const timer = add(ms, null, woken.resolve);
      const onAbort = (): void => woken.reject(signal?.reason);
      signal?.addEventListener('abort', onAbort, { once: true });
      await woken.promise.finally(() => {
        timer.close();
        signal?.removeEventListener('abort', onAbort);
      });
    },
    after: (ms, work) => add(ms, null, work),
    every: (ms, work) => add(ms, ms, work),
    deadline(ms, ...signals) {
      const controller = new AbortController();
      add(ms, null, () => controller.abort(new DOMException('time is up', 'TimeoutError')));
      return AbortSignal.any([...signals, controller.signal]);
    },
    async advance(ms) {
      const until = elapsed + ms;
      await goOn();
      for (let due = earliest(until); due !== undefined; due = earliest(until)) {
        elapsed = due.at;
        if (due.everyMs === null) waiting.delete(due);
        else due.at += due.everyMs;
        due.work();
        await goOn();
      }
      elapsed = until;
    },
    pending: () => waiting.size,
  };
}
