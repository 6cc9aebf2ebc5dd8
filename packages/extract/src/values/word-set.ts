/** The words of some lines of text, each between single spaces. */
export function buildWordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.flatMap((line) => line.split(' ')));
}
