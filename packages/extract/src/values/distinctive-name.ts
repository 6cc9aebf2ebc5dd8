/** Scripts in which one character is a syllable or a word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const MIN_LETTERS = 4;
const MIN_SIGNS = 2;

/**
 * Whether a name is long enough to identify a page: four letters, or two characters in scripts where each is a syllable
 * or a word.
 */
export function isDistinctiveName(name: string): boolean {
  return name.length >= MIN_LETTERS || (name.length >= MIN_SIGNS && DENSE.test(name));
}
