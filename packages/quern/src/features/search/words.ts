import { lazy } from '#kernel/lazy.ts';
import { languageOf, smallWordsOf } from './languages.ts';

/** Scripts that write no spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** Runs of them with the signs between: to part each run alone takes three times as long. */
const UNSPACED_STRETCHES = new RegExp(`(?:${UNSPACED.source}+\\P{L}*)+`, 'gu');
/** Signs on letters of Latin, Greek, Cyrillic, Hebrew and Arabic, which many leave out, and on emoji; others make another letter. */
const ACCENTS = /[[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]&&[[\p{Mn}\p{Me}]--[\u3099\u309A]]]+/gv;
/** Letters with the signs that belong to them, numbers, and what a font makes letters of. */
export const WORDS = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;
const ASCII = /^[\0-\x7F]*$/;

/** Ends a word without being seen. */
const BREAK = '\u200B';

/** Words of one query at most; what is after them changes the order of results no more. */
const MAX_WORDS = 32;

// Its data of words take a moment to read, which a start does without.
const segmenter = lazy(() => new Intl.Segmenter('und', { granularity: 'word' }));

/** A text whose words a full-text index can tell apart: those of scripts without spaces get an invisible end. */
export function withWordBreaks(text: string): string {
  if (!UNSPACED.test(text)) return text;
  return text.replace(UNSPACED_STRETCHES, (stretch) => {
    let parted = '';
    for (const { segment } of segmenter().segment(stretch)) {
      parted += segment;
      if (UNSPACED.test(segment)) parted += BREAK;
    }
    return parted;
  });
}

/** The text as it was before `withWordBreaks`. */
export function withoutWordBreaks(text: string): string {
  return text.replaceAll(BREAK, '');
}

/** The words of a text in their order, in lower case and without accents. */
export function wordsIn(text: string): readonly string[] {
  return wordsOfParted(withWordBreaks(text));
}

/** The words of a text that has its breaks (`withWordBreaks`): to part a long text once is ten times faster than each sentence. */
export function wordsOfParted(text: string): readonly string[] {
  return foldedOf(text).match(WORDS) ?? [];
}

/** Lower case without accents, as the index compares. */
export function foldedOf(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC').toLowerCase();
}

/** Words so common, above all in questions, that they tell nothing of what is asked. */
const COMMON = new Set(
  (
    'a an the of to in on at for and or is are was were be been being am do does did has have had must may might shall how what when where which ' +
    'who whom why can could should would will i me my you your it its this that these those there here such so but also with from by as about ' +
    'between into not no if then than their they we us our any some ' +
    'der die das ein eine und oder ist sind wie was wer wo warum le la les un une des et ou est sont comment que qui el los las y o es son como'
  ).split(' '),
);

/** Whether a word tells what a text is about. */
export function isTellingWord(word: string): boolean {
  return !COMMON.has(word);
}

/** The words of a prompt that tell what is asked, and not how it is asked in its language; all of them where none does. */
export function tellingWords(prompt: string): readonly string[] {
  const words = [...new Set(wordsIn(prompt))];
  const small = new Set(smallWordsOf(languageOf(prompt) ?? '').map(foldedOf));
  const telling = words.filter((word) => isTellingWord(word) && !small.has(word));
  return telling.length === 0 ? words : telling;
}

/** A word, or a phrase of several that stood in quotes. */
type QueryPart = readonly string[];

/** What a page is to hold, and the common words that only count for its place. */
export type WordQuery = { readonly asked: readonly QueryPart[]; readonly beside: readonly QueryPart[] };

/** Reads a query; where it has but common words, these are asked for. */
export function readWordQuery(query: string): WordQuery {
  const parts: QueryPart[] = [];
  const beside: QueryPart[] = [];
  let left = MAX_WORDS;
  const add = (words: QueryPart, isQuoted: boolean): void => {
    const part = words.slice(0, Math.max(0, left));
    left -= part.length;
    if (part.length > 0) (isQuoted || part.some(isTellingWord) ? parts : beside).push(part);
  };
  for (const [at, piece] of query.split('"').entries()) {
    const words = wordsIn(piece);
    const isQuoted = at % 2 === 1;
    if (isQuoted) add(words, true);
    else for (const word of words) add([word], false);
  }
  return parts.length === 0 ? { asked: beside, beside: [] } : { asked: parts, beside };
}
