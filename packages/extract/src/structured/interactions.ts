import { toList } from '#extract/values/json.ts';
import { at, integer, line } from '#extract/values/raw.ts';

/** How often something of that kind (`LikeAction`) was done, by counters as schema.org has them; null where none says. */
export function interactionCount(counters: unknown, action: string): number | null {
  for (const counter of toList(counters)) {
    const kind = line(at(counter, 'interactionType', '@type')) ?? line(at(counter, 'interactionType')) ?? '';
    const value = integer(at(counter, 'userInteractionCount'));
    if (kind.split('/').at(-1) === action && value !== null && value >= 0) return value;
  }
  return null;
}
