import { readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { OperatorError } from './errors.ts';

const READ_INTERVAL_MS = 1000;

/** A clock whose `now()` is the ISO time in a file, read every second. Throws `OperatorError` if the file has no valid time. */
export function createFileClock(file: string, clock: Clock): Clock & { readonly close: () => void } {
  let now = readTimeFile(file);
  if (now === null) throw new OperatorError(`QUERN_CLOCK_FILE ${file}: holds no ISO time`);
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
