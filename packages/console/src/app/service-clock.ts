import { signal } from '@preact/signals';

const TICK_MS = 1000;

/** How far the service's clock is ahead of the reader's, by the `Date` of its answers. */
let aheadMs = 0;

/** Counts seconds; what reads it is drawn again with each. */
export const second = signal(0);

/** Reads the clock of the service from an answer. A header names whole seconds, so that smaller differences are none. */
export function noteServiceDate(header: string | null): void {
  const date = header === null ? Number.NaN : Date.parse(header);
  if (Number.isNaN(date)) return;
  const ahead = date - Date.now();
  aheadMs = Math.abs(ahead) < 2 * TICK_MS ? 0 : ahead;
}

/** The instant by the clock of the service. */
export function serviceNow(): number {
  return Date.now() + aheadMs;
}

/** Starts the seconds; they stand still while nobody looks. */
export function startSeconds(): void {
  setInterval(() => {
    if (document.visibilityState === 'visible') second.value += 1;
  }, TICK_MS);
}

/** The instant by the clock of the reader, to measure how long something takes. */
export function readerNow(): number {
  return Date.now();
}

/** Does something after a time, unless what it answers is called before. */
export function doLater(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms);
  return () => clearTimeout(timer);
}

/** A signal that fires after a time. */
export function timeLimit(ms: number): AbortSignal {
  return AbortSignal.timeout(ms);
}
