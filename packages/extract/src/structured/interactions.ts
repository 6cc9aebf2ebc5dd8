import { toList } from '#extract/values/json.ts';
import { at, integer, line } from '#extract/values/raw.ts';

/** The number of interactions of a kind (`LikeAction`) from schema.org interaction counters; null if unknown. */
export function interactionCount(counters: unknown, action: string): number | null {
  for (const counter of toList(counters)) {
    const kind = line(at(counter, 'interactionType', '@type')) ?? line(at(counter, 'interactionType')) ?? '';
    const value = integer(at(counter, 'userInteractionCount'));
    if (kind.split('/').at(-1) === action && value !== null && value >= 0) return value;
  }
  return null;
}
