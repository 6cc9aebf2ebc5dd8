/** The set of words in some lines of text, where single spaces separate them. */
export function buildWordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
