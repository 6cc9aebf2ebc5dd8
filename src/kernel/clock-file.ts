import { readFileSync } from 'node:fs';
import type { Clock } from './clock.ts';

const READ_EVERY_MS = 1000;

export const systemClock: Clock = { now: () => Date.now() };

/** A clock for rehearsals: the ISO time in a file, read each second. Throws when the file has none at the start. */
export function openClockFile(file: string): Clock & { readonly close: () => void } {
  let now = readTime(file);
  if (now === null) throw new Error(`QUERN_CLOCK_FILE ${file}: holds no ISO time`);
  const timer = setInterval(() => {
    // While the file is being rewritten it may be empty: the last good time stays.
    now = readTime(file) ?? now;
  }, READ_EVERY_MS);
  timer.unref();
  return { now: () => now ?? 0, close: () => clearInterval(timer) };
}

function readTime(file: string): number | null {
  try {
    const time = Date.parse(readFileSync(file, 'utf8').trim());
    return Number.isNaN(time) ? null : time;
  } catch {
    return null;
  }
}
