import { lazy } from '#kernel/lazy.ts';

/** Scripts that write no spaces between words: Chinese, Japanese, Thai, Lao, Khmer, Burmese. */
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const UNSPACED_RUNS = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]+/gu;
/** Signs on letters of Latin, Greek, Cyrillic, Hebrew and Arabic, which many leave out, and on emoji; others make another letter. */
const ACCENTS = /[[\p{sc=Zinh}\p{sc=Hebr}\p{sc=Arab}]&&[[\p{Mn}\p{Me}]--[\u3099\u309A]]]+/gv;
/** Letters with the signs that belong to them, numbers, and what a font makes letters of. */
export const WORDS = /[\p{L}\p{M}\p{N}\p{Co}]+/gu;
const ASCII = /^[\0-\x7F]*$/;

/** Ends a word without being seen. */
const BREAK = '\u200B';

/** Words of one query at most; what is after them changes the order of results no more. */
const MOST_WORDS = 32;

// Its data of words take a moment to read, which a start does without.
const segmenter = lazy(() => new Intl.Segmenter('und', { granularity: 'word' }));

/** A text whose words a full-text index can tell apart: those of scripts without spaces get an invisible end. */
export function withWordBreaks(text: string): string {
  if (!UNSPACED.test(text)) return text;
  return text.replace(UNSPACED_RUNS, (run) =>
    [...segmenter().segment(run)]
      .map(({ segment }) => segment)
      .join(BREAK)
      .concat(BREAK),
  );
}

/** The text as it was before `withWordBreaks`. */
export function withoutWordBreaks(text: string): string {
  return text.replaceAll(BREAK, '');
}

/** The words of a text in their order, in lower case and without accents. */
export function wordsIn(text: string): readonly string[] {
  return foldedOf(withWordBreaks(text)).match(WORDS) ?? [];
}

/** Lower case without accents, as the index compares. */
export function foldedOf(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replaceAll(ACCENTS, '').normalize('NFC').toLowerCase();
}

/** A query: each part is a word, or a phrase of several that stood in quotes. */
export function partsOf(query: string): readonly (readonly string[])[] {
  const parts: (readonly string[])[] = [];
  for (const [at, piece] of query.split('"').entries()) {
    const words = wordsIn(piece);
    const isQuoted = at % 2 === 1;
    if (isQuoted && words.length > 0) parts.push(words);
    if (!isQuoted) parts.push(...words.map((word) => [word]));
  }
  let left = MOST_WORDS;
  return parts.flatMap((part) => {
    const kept = part.slice(0, Math.max(0, left));
    left -= kept.length;
    return kept.length === 0 ? [] : [kept];
  });
}
