import { unescaped } from '#extract/values/unescaped.ts';

/** Characters of a title that are looked at. */
export const MAX_TITLE_LENGTH = 2000;

/** Separators between the pieces of a title. */
export const TITLE_SEPARATORS = /\s[|–—·•»«:\-~/]{1,2}\s|\s?[|»•]\s?/gu;

/** Letters and digits only, without case, so that punctuation and spacing do not matter. */
export function foldTitle(text: string): string {
  return text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

/** Least shares of a title that a match must cover, at one of its ends and within; less is a word that both happen to hold. */
const MIN_SHARE_AT_END = 0.3;
const MIN_SHARE_WITHIN = 0.5;

/** Whether a title has the heading as most of it, or as a piece of its own; the last piece is the site or the book. */
export function titleHasHeading(title: string, heading: string): boolean {
  const plain = title.slice(0, MAX_TITLE_LENGTH);
  const whole = foldTitle(plain);
  const part = foldTitle(heading);
  if (part === '' || !whole.includes(part)) return false;
  const pieces = plain.split(TITLE_SEPARATORS).map(foldTitle);
  if (pieces.length > 1 && pieces.at(-1) === part) return false;
  const atAnEnd = whole.startsWith(part) || whole.endsWith(part);
  return (
    pieces.slice(0, -1).includes(part) || part.length >= (atAnEnd ? MIN_SHARE_AT_END : MIN_SHARE_WITHIN) * whole.length
  );
}

/** Fewer words than these in common are a coincidence. */
const MIN_SHARED_WORDS = 4;
const MIN_SHARE_OF_SHORTER = 1 / 2;
/** Least share of the longer text that a match must cover; less is the common words of a language. */
const MIN_SHARE_OF_LONGER = 1 / 3;

/** Whether a title and a heading are two wordings of the same, by the words that they share. */
export function isSimilarTitle(title: string, heading: string): boolean {
  // What a title has letter by letter is one of its pieces, of which another rule decides.
  if (foldTitle(title).includes(foldTitle(heading))) return false;
  const words = splitWords(title);
  const others = splitWords(heading);
  const shared = others.intersection(words).size;
  if (shared < MIN_SHARED_WORDS || shared < MIN_SHARE_OF_SHORTER * Math.min(words.size, others.size)) return false;
  return shared >= MIN_SHARE_OF_LONGER * Math.max(words.size, others.size);
}

/** Whether two titles have more than one word in common. */
export function shareWords(title: string, other: string): boolean {
  return splitWords(title).intersection(splitWords(other)).size > 1;
}

/** Words without case; pairs of characters where a script writes no spaces. */
function splitWords(text: string): ReadonlySet<string> {
  const runs =
    text
      .slice(0, MAX_TITLE_LENGTH)
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return new Set(runs.flatMap((run) => (UNSPACED.test(run) ? splitPairs(run) : [run])));
}

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

function splitPairs(run: string): readonly string[] {
  return Array.from({ length: Math.max(1, run.length - 1) }, (_, at) => run.slice(at, at + 2));
}

/** Fewer words than these are in an address by chance. */
const MIN_URL_WORDS = 3;
const MIN_SHARE_OF_TITLE = 0.8;
const MIN_SHARE_OF_URL = 0.5;

/** Whether the address of a page is made of a title: it has most of the words, or the title all of its own. */
export function matchesUrlWords(title: string, address: ReadonlySet<string>): boolean {
  const words = splitWords(title);
  const shared = words.intersection(address).size;
  if (shared >= MIN_URL_WORDS && shared >= MIN_SHARE_OF_TITLE * words.size && shared >= MIN_SHARE_OF_URL * address.size)
    return true;
  return shared > MIN_URL_WORDS && shared === address.size;
}

/** The words of the last part of a URL's path that is no number or mark. */
export function listUrlWords(url: string): ReadonlySet<string> {
  const parts = new URL(url).pathname.slice(-MAX_TITLE_LENGTH).split('/');
  const named = parts
    .map((part) => unescaped(part).replace(/\.\w{2,5}$/, ''))
    .findLast((part) => /\p{L}{3}/u.test(part));
  return splitWords(named ?? '');
}
