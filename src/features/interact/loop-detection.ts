import { createHash } from 'node:crypto';

/** The most repetitions of one action on one page. */
const MOST_SAME = 3;
/** The most repetitions of one action in a row on any page, which may change without it, such as a clock. */
const MOST_IN_A_ROW = 8;

/** Detects that a session goes round in circles. */
export type LoopDetector = {
  /** Notes an action on a page before it is done; true where it was done there too often already. */
  readonly isCircling: (action: string, shown: string) => boolean;
};

/** Remembers each action with its page, so that circles of any length are detected. */
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
