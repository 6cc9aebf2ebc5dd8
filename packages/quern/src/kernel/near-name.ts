import { distance } from 'fastest-levenshtein';

/** Longer names are compared by their beginning. */
const MAX_CHARS = 40;
/** The share of a name's letters that may differ in a name that is near. */
const MAX_TYPO_SHARE = 0.34;

/** The known name that an unknown one is a slip of, or that has it as one of its words; null where none is near. */
export function nearName(unknown: string, known: readonly string[]): string | null {
  const name = normalizeName(unknown.slice(0, MAX_CHARS));
  if (name === '') return null;
  const others = known.map((one) => normalizeName(one.slice(0, MAX_CHARS)));
  const shares = others.map((other) => countTypos(name, other) / Math.max(name.length, other.length));
  const least = Math.min(...shares);
  if (least <= MAX_TYPO_SHARE) return known[shares.indexOf(least)] ?? null;
  const holding = known.filter((one) => one.split(/[-_.]/).includes(name));
  return holding.length === 1 ? (holding[0] ?? null) : null;
}

/** A name without case and without what joins its words, so that `onlyMainContent` is `only_main_content`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** Letters that are wrong, missing, too many, or two in the wrong order. */
function countTypos(name: string, other: string): number {
  let fewest = distance(name, other);
  for (let at = 1; at < name.length; at += 1) {
    const swapped = name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1);
    fewest = Math.min(fewest, distance(swapped, other) + 1);
  }
  return fewest;
}
