import { distance } from 'fastest-levenshtein';

/** Only this many characters of a name are compared. */
const MAX_CHARS = 40;
/** Maximum share of wrong letters in a similar name. */
const MAX_TYPO_SHARE = 0.34;

/** The known name that was probably meant: a similar one, or the only one that contains the text as a word; else null. */
export function findSimilarName(unknown: string, known: readonly string[]): string | null {
  const name = normalizeName(unknown.slice(0, MAX_CHARS));
  if (name === '') return null;
  const others = known.map((one) => normalizeName(one.slice(0, MAX_CHARS)));
  const shares = others.map((other) => countTypos(name, other) / Math.max(name.length, other.length));
  const least = Math.min(...shares);
  if (least <= MAX_TYPO_SHARE) return known[shares.indexOf(least)] ?? null;
  const holding = known.filter((one) => one.split(/[-_.]/).includes(name));
  return holding.length === 1 ? (holding[0] ?? null) : null;
}

/** A name in lower case without separators, so that `onlyMainContent` equals `only_main_content`. */
export function normalizeName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_\s]/g, '');
}

/** Edit distance in which two swapped letters count as one typo. */
function countTypos(name: string, other: string): number {
  let fewest = distance(name, other);
  for (let at = 1; at < name.length; at += 1) {
    const swapped = name.slice(0, at - 1) + name.charAt(at) + name.charAt(at - 1) + name.slice(at + 1);
    fewest = Math.min(fewest, distance(swapped, other) + 1);
  }
  return fewest;
}
