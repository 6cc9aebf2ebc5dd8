/** Runs of white space, and white space other than a space. Single spaces, the common case, do not match. */
const UNEVEN_SPACE = /\s\s+|[^\S ]/g;
/** Testing first is cheaper than replacing nothing. */
const HAS_UNEVEN_SPACE = /\s\s|[^\S ]/;

/** Replaces runs of white space by one space, and trims. */
export function collapseSpace(text: string): string {
  const trimmed = text.trim();
  return HAS_UNEVEN_SPACE.test(trimmed) ? trimmed.replaceAll(UNEVEN_SPACE, ' ') : trimmed;
}

/** The set of words in some lines of text, where single spaces separate them. */
export function buildWordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
