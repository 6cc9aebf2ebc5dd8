const FEWEST_LETTERS = 4;
const FEWEST_SIGNS = 2;
/** Scripts of which one sign is a syllable or a word. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** Whether a name says enough to tell one page from others: four letters, or two signs where each is a syllable or a word. */
export function isTellingName(name: string): boolean {
  return name.length >= FEWEST_LETTERS || (name.length >= FEWEST_SIGNS && DENSE.test(name));
}
