const STOP_WORDS: ReadonlySet<string> = new Set('a an the of for in on to and or is s'.split(' '));
const MAX_WORDS = 40;

/** The lower-case words of a name or label: `publishedDate`, `published_date` and `Published date:` give the same two. */
export function splitNameWords(name: string): readonly string[] {
  return name
    .slice(0, 500)
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '' && !STOP_WORDS.has(word))
    .slice(0, MAX_WORDS);
}

/** One spelling for names of the same words in any order and case. */
export function toNameKey(name: string): string {
  return splitNameWords(name).toSorted().join(' ');
}
