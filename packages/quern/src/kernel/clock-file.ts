import { readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';
import { OperatorError } from './errors.ts';

const READ_INTERVAL_MS = 1000;

/** A clock whose time of day is the ISO time in a file, read each second. Throws when the file has none at the start. */
export function openClockFile(file: string, clock: Clock): Clock & { readonly close: () => void } {
  let now = readTimeFile(file);
  if (now === null) throw new OperatorError(`QUERN_CLOCK_FILE ${file}: holds no ISO time`);
  const reading = clock
    .every(READ_INTERVAL_MS, () => {
      // While the file is being rewritten it may be empty: the last good time stays.
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
