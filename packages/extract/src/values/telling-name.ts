const MIN_LETTERS = 4;
const MIN_SIGNS = 2;
/** Scripts of which one sign is a syllable or a word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether a name says enough to tell one page from others: four letters, or two signs where each is a syllable or a word. */
export function isTellingName(name: string): boolean {
  return name.length >= MIN_LETTERS || (name.length >= MIN_SIGNS && DENSE.test(name));
}
