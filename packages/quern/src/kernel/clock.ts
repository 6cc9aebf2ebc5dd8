import { setTimeout as wait } from 'node:timers/promises';

/** The time and the ways to wait for it; nothing else in `src` reads a clock or sets a timer, so a test can drive both. */
export type Clock = {
  /** The time of day, ms since 1970. Records carry it; it may be set back. */
  readonly now: () => number;
  /** Time since an arbitrary start, ms, never set back: for durations and lifetimes. */
  readonly monotonic: () => number;
  /** Resolves after `ms`; throws the reason of the signal when that fires first. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** Runs `work` once after `ms`. */
  readonly after: (ms: number, work: () => void) => Timer;
  /** Runs `work` every `ms`. */
  readonly every: (ms: number, work: () => void) => Timer;
  /** Fires with a `TimeoutError` after `ms`, or with the first of the signals that fires. */
  readonly deadline: (ms: number, ...signals: readonly AbortSignal[]) => AbortSignal;
};

/** A timer that is set. */
export type Timer = {
  readonly close: () => unknown;
  /** Counts from the beginning again. */
  readonly refresh: () => unknown;
  /** Lets the process end before it runs. */
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
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal).catch(() => undefined);
}

/** The calendar month of an instant in UTC, `2026-11`: the billing cycle. */
export function toMonth(now: number): string {
  return new Date(now).toISOString().slice(0, 7);
}

/** The day of an instant in UTC, `2026-11-21`. */
export function toDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}

/** The instant as the contract writes it: ISO 8601 UTC with `Z`. */
export function toTimestamp(now: number): string {
  return new Date(now).toISOString();
}

/** The first instant (ms) of the UTC day after `now`. */
export function nextDay(now: number): number {
  const at = new Date(now);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + 1);
}

/** The first instants (ms) of the UTC month of `now` and of the month after it. */
export function cycleOf(now: number): { readonly start: number; readonly end: number } {
  const at = new Date(now);
  const year = at.getUTCFullYear();
  const month = at.getUTCMonth();
  return { start: Date.UTC(year, month), end: Date.UTC(year, month + 1) };
}
