import { createLazy } from '#kernel/lazy.ts';
import { detectLanguage, listFunctionWords } from './languages.ts';

/** Scripts without spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const UNSPACED_SCRIPTS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
/** Runs of these scripts including punctuation; segmenting each run without it separately takes three times as long. */
const UNSPACED_STRETCHES = new RegExp(`(?:${UNSPACED_SCRIPTS.source}+\\P{L}*)+`, 'gu');
/** Diacritics that people often omit (Latin, Greek, Cyrillic, Hebrew, Arabic) and emoji modifiers. Others, such as the kana voicing marks, change the letter. */
const ACCENTS = /[[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]&&[[\p{Mn}\p{Me}]--[\u3099\u309A]]]+/gv;
/** Letters with their marks, numbers, and private-use characters that fonts use as letters. */
export const WORD_PATTERN = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;
const ASCII = /^[\0-\x7F]*$/;

/** A zero-width space: an invisible word boundary. */
const WORD_BREAK = '\u200B';

/** Further words no longer affect ranking. */
const MAX_QUERY_WORDS = 32;

// Created on first use, because loading its dictionaries would slow down the start.
const segmenter = createLazy(() => new Intl.Segmenter('und', { granularity: 'word' }));

/** Inserts zero-width spaces after the words of scripts without spaces, so that a full-text index can split them. */
export function insertWordBreaks(text: string): string {
  if (!UNSPACED_SCRIPTS.test(text)) return text;
  return text.replace(UNSPACED_STRETCHES, (stretch) => {
    let withBreaks = '';
    for (const { segment } of segmenter().segment(stretch)) {
      withBreaks += segment;
      if (UNSPACED_SCRIPTS.test(segment)) withBreaks += WORD_BREAK;
    }
    return withBreaks;
  });
}

/** Undoes `insertWordBreaks`. */
export function removeWordBreaks(text: string): string {
  return text.replaceAll(WORD_BREAK, '');
}

/** The words of a text in order, in lower case and without accents. */
export function splitWords(text: string): readonly string[] {
  return splitWordsAtBreaks(insertWordBreaks(text));
}

/** Splits a text that went through `insertWordBreaks`: doing that once for the whole text is ten times faster than per sentence. */
export function splitWordsAtBreaks(text: string): readonly string[] {
  return foldText(text).match(WORD_PATTERN) ?? [];
}

/** Lower case without accents, as the index compares words. */
export function foldText(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC').toLowerCase();
}

/** Stop words, including question words, of the most frequent languages. */
const COMMON_WORDS = new Set(
  (
    'a an the of to in on at for and or is are was were be been being am do does did has have had must may might shall how what when where which ' +
    'who whom why can could should would will i me my you your it its this that these those there here such so but also with from by as about ' +
    'between into not no if then than their they we us our any some ' +
    'der die das ein eine und oder ist sind wie was wer wo warum le la les un une des et ou est sont comment que qui el los las y o es son como'
  ).split(' '),
);

/** Whether a word is not a stop word. */
export function isKeyword(word: string): boolean {
  return !COMMON_WORDS.has(word);
}

/** The words of a prompt without stop words and the function words of its language; all words if nothing else remains. */
export function findKeywords(prompt: string): readonly string[] {
  const words = [...new Set(splitWords(prompt))];
  const small = new Set(listFunctionWords(detectLanguage(prompt) ?? '').map(foldText));
  const telling = words.filter((word) => isKeyword(word) && !small.has(word));
  return telling.length === 0 ? words : telling;
}

/** A single word, or the words of a quoted phrase. */
type QueryPart = readonly string[];

/** The words that a page must contain, and the stop words that only affect its rank. */
export type WordQuery = { readonly required: readonly QueryPart[]; readonly optional: readonly QueryPart[] };

/** Parses a query. If it has only stop words, these are required. */
export function parseWordQuery(query: string): WordQuery {
  const parts: QueryPart[] = [];
  const optional: QueryPart[] = [];
  let left = MAX_QUERY_WORDS;
  const add = (words: QueryPart, isQuoted: boolean): void => {
    const part = words.slice(0, Math.max(0, left));
    left -= part.length;
    if (part.length > 0) (isQuoted || part.some(isKeyword) ? parts : optional).push(part);
  };
  for (const [at, piece] of query.split('"').entries()) {
    const words = splitWords(piece);
    const isQuoted = at % 2 === 1;
    if (isQuoted) add(words, true);
    else for (const word of words) add([word], false);
  }
  return parts.length === 0 ? { required: optional, optional: [] } : { required: parts, optional };
}

/** Two words are forms of one if they share this prefix and the longer adds no more than this ending. */
const MIN_STEM_CHARS = 4;
const MAX_ENDING_CHARS = 3;

/** Finds the query words of which a word of a text is an inflected form. */
export type FindForms = (word: string) => readonly string[];

/** Counts how often each query word occurs in a list of words, in any form. */
export function countForms(list: readonly string[], findForms: FindForms): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of list) {
    for (const keyword of findForms(word)) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  }
  return counts;
}

/** Indexes query words by prefix, because a prompt may have a thousand words and pages have hundreds of thousands. */
export function buildFormFinder(keywords: readonly string[]): FindForms {
  const byStem = Map.groupBy(keywords, (word) => word.slice(0, MIN_STEM_CHARS));
  const known = new Map<string, readonly string[]>();
  return (word) => {
    const before = known.get(word);
    if (before !== undefined) return before;
    const forms = (byStem.get(word.slice(0, MIN_STEM_CHARS)) ?? []).filter((one) => isSameWord(one, word));
    known.set(word, forms);
    return forms;
  };
}

/** With more query words, testing each prefix costs more than it saves. */
const MAX_PREFILTER_WORDS = 64;

/** Builds a cheap test for whether a folded text may contain a form of a query word, to avoid splitting it into words. */
export function buildPrefilter(keywords: readonly string[]): (folded: string) => boolean {
  if (keywords.length > MAX_PREFILTER_WORDS) return () => true;
  const beginnings = [...new Set(keywords.map((word) => word.slice(0, MIN_STEM_CHARS)))];
  return (folded) => beginnings.some((one) => folded.includes(one));
}

/** Whether two words are forms of the same word: "stop" and "stopped", "Mühle" and "Mühlen". */
function isSameWord(word: string, other: string): boolean {
  const [short, long] = word.length < other.length ? [word, other] : [other, word];
  return (
    long === short ||
    (short.length >= MIN_STEM_CHARS && long.length - short.length <= MAX_ENDING_CHARS && long.startsWith(short))
  );
}
