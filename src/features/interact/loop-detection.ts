import { createHash } from 'node:crypto';

/** The same action on the same page so often leads nowhere. */
const MOST_SAME = 3;
/** And so often in a row whatever the page shows, which may tick by itself. */
const MOST_IN_A_ROW = 8;

/** What tells that a session goes round in circles. */
export type LoopDetector = {
  /** Notes what is about to be done on what is shown; true where it was done there too often already. */
  readonly isCircling: (action: string, shown: string) => boolean;
};

/** Remembers what was done where, so that circles of any length are noticed. */
export function buildLoopDetector(): LoopDetector {
  const times = new Map<string, number>();
  let last = '';
  let inARow = 0;
  return {
    isCircling(action, shown) {
      const key = createHash('sha256').update(`${action}\n${shown}`).digest('base64');
      const seen = (times.get(key) ?? 0) + 1;
      times.set(key, seen);
      inARow = action === last ? inARow + 1 : 1;
      last = action;
      return seen > MOST_SAME || inARow > MOST_IN_A_ROW;
    },
  };
}
