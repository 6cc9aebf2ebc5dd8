import type { FormsOf } from './word-forms.ts';

/** How questions after the meaning of a thing begin, or end, in the languages that most pages are written in. */
const ASKS_MEANING =
  /^\P{L}*(?:wh(?:at|o)(?:['’]s|\s+(?:is|are|was|were))|wa[st]\s+(?:ist|sind|is|zijn)|wer\s+(?:ist|sind|war)|qu['’]est[-\s]ce\s+qu|qui\s+(?:est|sont)|qu[eé]\s+(?:es|son)|qui[eé]n(?:es)?\s+(?:es|son)|o\s+que\s+(?:é|são)|cos['’]?\s?(?:è|sono)|che\s+cos['’]?\s?(?:è|sono)|что\s+такое|кто\s+так|co\s+to\s+jest)(?!\p{L})|(?:とは|什么是|什麼是|是什么|是什麼|무엇입니까|nedir)/iu;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Words that stand between a thing and what it is, without accents. */
const MEANING = setOf(
  'means refers denotes describes provides are were bedeutet bezeichnet sind waren designe signifie sont significa son sono sao zijn ' +
    'это является называется означает は 是 指',
);
/** Words that do so where an article comes after them: what is done to a thing is not what it is. */
const BEING = setOf('is was ist war est es era e');
const ARTICLES = setOf(
  'a an the one another any ein eine einer der die das un une le la les l una el il lo um uma o het een de',
);

/** Words of a thing at most: a longer question asks for more than its meaning. */
const MAX_ASKED = 4;
/** Words before the thing, such as an article, and between it and the linking word, such as its long name. */
const MAX_BEFORE = 2;
const MAX_BETWEEN = 8;

/** Gives for a prompt whether a sentence, by its words, says what the thing is that is asked for, given its telling words; none does for other prompts. */
export function readDefinitionQuestion(
  prompt: string,
  { asked, formsOf }: { readonly asked: readonly string[]; readonly formsOf: FormsOf },
): (sentence: readonly string[]) => boolean {
  if (asked.length > MAX_ASKED || !ASKS_MEANING.test(prompt)) return () => false;
  return (sentence) => {
    const begins = sentence.findIndex((word) => formsOf(word).length > 0);
    if (begins < 0 || begins > MAX_BEFORE) return false;
    const named = new Set<string>();
    let ends = begins;
    for (let at = begins; at < begins + 2 * MAX_ASKED && named.size < asked.length; at += 1) {
      for (const word of formsOf(sentence[at] ?? '')) {
        named.add(word);
        ends = at;
      }
    }
    const after = sentence.slice(ends + 1, ends + 1 + MAX_BETWEEN);
    const isSaid = after.some(
      (word, at) => MEANING.has(word) || (BEING.has(word) && ARTICLES.has(after[at + 1] ?? '')),
    );
    return named.size === asked.length && isSaid;
  };
}
