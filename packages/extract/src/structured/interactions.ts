import { toList } from '#extract/values/json.ts';
import { getPath, toInteger, toLine } from '#extract/values/raw.ts';

/** The number of interactions of a kind (`LikeAction`) from schema.org interaction counters; null if unknown. */
export function findInteractionCount(counters: unknown, action: string): number | null {
  for (const counter of toList(counters)) {
    const kind =
      toLine(getPath(counter, 'interactionType', '@type')) ?? toLine(getPath(counter, 'interactionType')) ?? '';
    const value = toInteger(getPath(counter, 'userInteractionCount'));
    if (kind.split('/').at(-1) === action && value !== null && value >= 0) return value;
  }
  return null;
}
