import { wallMinute } from './schedule.ts';
import type { Watch } from './watch.ts';

const MINUTE_MS = 60_000;

export type DigestRule = NonNullable<Watch['digest']>;

/** The time over which changes are sent together, ms. */
export type Window = { readonly from: number; readonly to: number };

/**
 * The window that an instant is in. Windows end whenever a clock on the wall, read in minutes since 1970, is a multiple of
 * the interval away from the time of day `at`: those of a day or a part of it at the same times every day. One whose end
 * the clocks skip ends after the gap.
 */
export function windowAt(
  { interval_minutes: interval, at }: DigestRule,
  wall: Intl.DateTimeFormat,
  now: number,
): Window {
  const [hours = 0, minutes = 0] = (at ?? '00:00').split(':').map(Number);
  const anchor = hours * 60 + minutes;
  const shown = wallMinute(now, wall);
  const slot = anchor + Math.floor((shown - anchor) / interval) * interval;
  const minute = Math.floor(now / MINUTE_MS);
  const toInstant = (wanted: number): number => {
    const guess = minute + wanted - shown;
    const mended = guess + wanted - wallMinute(guess * MINUTE_MS, wall);
    const isShown = wallMinute(mended * MINUTE_MS, wall) === wanted;
    return (isShown ? mended : Math.max(guess, mended)) * MINUTE_MS;
  };
  return { from: toInstant(slot), to: Math.max(toInstant(slot + interval), (minute + 1) * MINUTE_MS) };
}
