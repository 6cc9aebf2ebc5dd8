import type { Pace } from './crawler.ts';

/** A fixed gap between two starts at one host, and so many visits at once. */
export function fixedPace(gapMs: number, most: number): Pace {
  let next = 0;
  return {
    most: () => most,
    waitMs: (now) => Math.max(0, next - now),
    begin(now) {
      next = Math.max(next, now) + gapMs;
    },
  };
}
