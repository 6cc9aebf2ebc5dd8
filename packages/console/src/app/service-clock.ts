import { signal } from '@preact/signals';

const TICK_MS = 1000;

/** How far the clock of the service is ahead of the browser's, in ms, by the `Date` header of its responses. */
let clockOffsetMs = 0;

/** Counts seconds. Components that read it render again every second. */
export const second = signal(0);

/** Updates the clock offset from a `Date` header. Differences below two seconds are ignored, since the header has whole seconds. */
export function updateServiceClock(header: string | null): void {
  const date = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(date)) return;
  const offsetMs = date - Date.now();
  clockOffsetMs = Math.abs(offsetMs) < 2 * TICK_MS ? 0 : offsetMs;
}

/** Returns the current time of the service, ms since 1970. */
export function getServiceTime(): number {
  return Date.now() + clockOffsetMs;
}

/** Starts to count seconds; the count stops while the page is hidden. */
export function startSecondsTick(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') second.value += 1;
  }, TICK_MS);
}

/** Returns the time of the browser's clock, ms since 1970, to measure durations. */
export function getLocalTime(): number {
  return Date.now();
}

/** Runs an action after `ms` milliseconds. Returns a function that cancels it. */
export function runAfter(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/** Creates a signal that fires after `ms` milliseconds. */
export function createTimeoutSignal(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}
