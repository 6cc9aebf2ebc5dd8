import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { OperatorError } from './errors.ts';

/** The current time and timers. Nothing else in `src` reads a clock or sets a timer, so that tests can replace both. */
export type Clock = {
  /** Wall-clock time, ms since 1970, for timestamps. It may jump back. */
  readonly now: () => number;
  /** Monotonic time since an arbitrary start, ms: for durations and lifetimes. */
  readonly monotonic: () => number;
  /** Resolves after `ms`; throws the signal's reason if the signal fires first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Runs `work` once after `ms`. */
  readonly after: (ms: number, work: () => void) => Timer;
  /** Runs `work` every `ms`. */
  readonly every: (ms: number, work: () => void) => Timer;
  /** A signal that fires with a `TimeoutError` after `ms`, or as soon as one of `signals` fires. */
  readonly deadline: (ms: number, ...signals: readonly AbortSignal[]) => AbortSignal;
};

/** A running timer. */
export type Timer = {
  readonly close: () => unknown;
  /** Restarts the timer. */
  readonly refresh: () => unknown;
  /** Lets the process exit while the timer is pending. */
  readonly unref: () => Timer;
};

/** The clock of this machine. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    await wait(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
  },
  after: (ms, work) => setTimeout(work, ms),
  every: (ms, work) => setInterval(work, ms),
  deadline(ms, ...signals) {
    const timeout = AbortSignal.timeout(ms);
    return signals.length === 0 ? timeout : AbortSignal.any([...signals, timeout]);
  },
};

/** Resolves after `ms` or when the signal fires, whichever is first. */
export async function sleepUnlessAborted(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => undefined);
}

/** The UTC month of an instant, such as `2026-11`; it is the billing cycle. */
export function toMonth(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

/** The UTC day of an instant, such as `2026-11-21`. */
export function toDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** An instant as the API writes it: ISO 8601 in UTC with `Z`. */
export function toTimestamp(now: number): string {
  return new Date(now).toISOString();
}

/** The first instant (ms) of the UTC day after `now`. */
export function computeNextDay(now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
}

/** The start of the UTC month of `now` and the start of the next month, ms. */
export function computeBillingCycle(now: number): { readonly start: number; readonly end: number } {
  const at = new Date(now);
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}

const READ_INTERVAL_MS = 1000;

/** A clock whose `now()` is the ISO time in a file, read every second. Throws `OperatorError` if the file has no valid time. */
export function createFileClock(file: string, clock: Clock): Clock & { readonly close: () => void } {
  let now = readTimeFile(file);
  if (now === null) throw new OperatorError(`QUERN_CLOCK_FILE ${file}: does not contain an ISO time`);
  const reading = clock
    .every(READ_INTERVAL_MS, () => {
      // The file may be empty while it is rewritten: keep the last valid time.
      now = readTimeFile(file) ?? now;
    })
    .unref();
  return { ...clock, now: () => now ?? 0, close: () => reading.close() };
}

function readTimeFile(file: string): number | null {
  try {
    const time = Date.parse(readFileSync(file, 'utf8').trim());
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
}
