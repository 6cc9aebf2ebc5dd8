import { groupBy } from '#extract/values/collections.ts';

/** Bits for the meaning of an element's class and ID names. */
export const CLASS_MARK = {
  author: 1,
  dated: 2,
  /** Contains metadata of the page, which may include dates, but is not named after dates. */
  pageInfo: 4,
  /** May belong to something other than the page's own subject. */
  maybeUnrelated: 8,
  /** Certainly belongs to something other than the page's own subject. */
  unrelated: 16,
  modified: 32,
  /** Is named after a publication date. */
  published: 64,
  /** Is named after a forum user. */
  user: 128,
  /** The footer of the page or of an article. */
  footer: 256,
  /** A comment, a reply or a copyright notice. */
  commentOrNotice: 512,
} as const;

/** Words that set marks wherever they occur in a name. */
const WORDS: readonly (readonly [number, string])[] = [
  [CLASS_MARK.dated, 'date publish posted datum fecha byline'],
  [CLASS_MARK.maybeUnrelated, 'recent'],
  [CLASS_MARK.maybeUnrelated | CLASS_MARK.unrelated, 'related teaser calendar'],
  [CLASS_MARK.maybeUnrelated | CLASS_MARK.unrelated | CLASS_MARK.commentOrNotice, 'comment copyright reply'],
  [CLASS_MARK.modified, 'modif update edited revised'],
  [CLASS_MARK.published, 'publi posted pubdate'],
  [CLASS_MARK.footer, 'footer'],
];
/** Marks that depend on the context of a word. `words` is a prefilter: without any of them the pattern is not tested. */
type Phrase = { readonly mark: number; readonly words: string; readonly pattern: RegExp };
const PHRASES: readonly Phrase[] = [
  {
    mark: CLASS_MARK.author,
    words: 'author auteur autor verfasser byline by-line writer ributor',
    pattern:
      /(?:^|[-_ ])(?:author|byline|by-line|writer|contributor|auteur|autor(?:e|en)?|verfasser)(?:$|[-_ ]|s\b|name|text|link)/,
  },
  { mark: CLASS_MARK.dated, words: 'time meta', pattern: /time(?!line)|(?:entry|post|article)-meta/ },
  { mark: CLASS_MARK.pageInfo, words: 'meta info', pattern: /(?:^|[-_ ])(?:meta|info)(?:$|[-_ ])/ },
  {
    // Pages with a sidebar often have a body class such as "with-sidebar".
    mark: CLASS_MARK.maybeUnrelated,
    words: 'sidebar widget',
    pattern: /(?<!(?:with|has|no|without)[-_]?)(?:sidebar|widget)/,
  },
  { mark: CLASS_MARK.published, words: 'entry', pattern: /entry-date/ },
  { mark: CLASS_MARK.user, words: 'user', pattern: /(?:^|[-_ ])user-?name(?:$|[-_ ])/ },
];
/** Bits below this one are marks, the others are phrases to test. */
const FIRST_PHRASE = 1024;
const TRIGRAM = 0x7fff;

/** A word, and the bits of its marks and of the phrases to test. */
type MarkWord = { readonly word: string; readonly bits: number };

const MARK_WORDS: readonly MarkWord[] = [
  ...WORDS.flatMap(([bits, words]) => words.split(' ').map((word) => ({ word, bits }))),
  ...PHRASES.flatMap(({ words }, at) => words.split(' ').map((word) => ({ word, bits: FIRST_PHRASE << at }))),
];
const { place: PLACE, lists: LISTS } = groupByTrigram(MARK_WORDS);

/** Groups words by their first three letters: `place` maps the code of three letters to an index in `lists`. */
function groupByTrigram(words: readonly MarkWord[]): {
  readonly place: Uint8Array;
  readonly lists: readonly (readonly MarkWord[])[];
} {
  const begun = groupBy(words, ({ word }) =>
    [0, 1, 2].reduce((trigram, at) => nextTrigram(trigram, word.charCodeAt(at)), 0),
  );
  const place = new Uint8Array(TRIGRAM + 1);
  for (const [at, trigram] of [...begun.keys()].entries()) place[trigram] = at + 1;
  return { place, lists: [[], ...begun.values()] };
}

/** Shifts a character into the code of the last three characters, ignoring case. The code starts at 0. */
function nextTrigram(trigram: number, code: number): number {
  return ((trigram << 5) | (code & 31)) & TRIGRAM;
}

/** The marks of a `class` or `id` value, which is `source[start, end)`. Camel case separates words like hyphens do. */
export function readMarks(source: string, start: number, end: number): number {
  let found = 0;
  let trigram = 0;
  for (let at = start; at < end; at++) {
    trigram = nextTrigram(trigram, source.charCodeAt(at));
    const place = PLACE[trigram] ?? 0;
    if (place !== 0) found |= readBitsAt(LISTS[place] ?? [], source, at - 2, end);
  }
  return found < FIRST_PHRASE ? found : (found & (FIRST_PHRASE - 1)) | readPhraseMarks(found, source.slice(start, end));
}

/** The bits of the words that occur at a position. */
function readBitsAt(words: readonly MarkWord[], source: string, start: number, end: number): number {
  let found = 0;
  for (const { word, bits } of words) {
    if (start + word.length <= end && matchesAt(word, source, start)) found |= bits;
  }
  return found;
}

function matchesAt(word: string, source: string, start: number): boolean {
  let small = false;
  for (let at = 0; at < word.length; at++) {
    const code = source.charCodeAt(start + at);
    const capital = code >= 65 && code <= 90;
    if ((code | 32) !== word.charCodeAt(at) || (capital && small)) return false;
    small = !capital;
  }
  return true;
}

function readPhraseMarks(found: number, name: string): number {
  const words = name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '-').toLowerCase();
  let marks = 0;
  for (const [at, { mark, pattern }] of PHRASES.entries()) {
    if ((found & (FIRST_PHRASE << at)) !== 0 && pattern.test(words)) marks |= mark;
  }
  return marks;
}
