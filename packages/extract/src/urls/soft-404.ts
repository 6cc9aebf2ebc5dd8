import { countWords } from '#extract/metadata/words.ts';
import type { ContentPrint, PageText } from './content-print.ts';
import { NOT_FOUND_PHRASES } from './not-found-phrases.ts';
import { computeDistance } from './simhash.ts';

export type SuspectPage = PageText & {
  /** The final URL. */
  readonly url: string;
  readonly print: ContentPrint;
};

/** Words that a page which says no more than "not found" stays below. */
const MAX_SHORT_PAGE_WORDS = 120;
/** Characters of the text in which it would say so. */
const OPENING_LENGTH = 300;
/** Letters that may stand around the phrase in a title: an "Oops", the name of the site. */
const MAX_EXTRA_LETTERS = 16;
const ERROR_PATH = /\/(?:404|error-?404|not-?found|page-?not-?found|error)(?:\.\w{1,5})?\/?(?:\?|$)/i;
/** Points from which a page counts as missing: no signal is enough alone but the answer to a made-up address. */
const MIN_POINTS = 3;

type Signal = {
  readonly points: number;
  readonly matches: (page: SuspectPage, missing: ContentPrint | null) => boolean;
};

/** The strong and the cheap ones first: where the rest cannot reach the points, it is not looked at. */
const SIGNALS: readonly Signal[] = [
  { points: 3, matches: matchesMissingPage },
  { points: 2, matches: ({ title }) => isNotFoundTitle(fold((title ?? '').slice(0, OPENING_LENGTH))) },
  { points: 1, matches: ({ url }) => ERROR_PATH.test(url) },
  { points: 1, matches: ({ text }) => countWords(text.slice(0, OPENING_LENGTH * 10)) < MAX_SHORT_PAGE_WORDS },
  { points: 1, matches: ({ text }) => hasNotFoundPhrase(fold(text.slice(0, OPENING_LENGTH))) },
];

/**
 * Whether a page that answered with success says that there is none. `missing` is the print of what the site answers
 * to an address that cannot exist (`missingUrl`), or null when it answers that with an error, as it should.
 */
export function isSoft404(page: SuspectPage, missing: ContentPrint | null): boolean {
  let points = 0;
  let left = SIGNALS.reduce((sum, signal) => sum + signal.points, 0);
  for (const signal of SIGNALS) {
    if (points + left < MIN_POINTS || points >= MIN_POINTS) break;
    if (signal.matches(page, missing)) points += signal.points;
    left -= signal.points;
  }
  return points >= MIN_POINTS;
}

/** An address of the site that nobody can have made; `token` is random, of letters and digits. */
export function missingUrl(siteHref: string, token: string): string {
  return new URL(`/${token}-${token.length}/`, siteHref).href;
}

/** A site may send whoever is lost to its first page, which is not missing for that. */
function matchesMissingPage({ url, text, print }: SuspectPage, missing: ContentPrint | null): boolean {
  if (missing === null || new URL(url).pathname === '/') return false;
  if (print.simhash !== null && missing.simhash !== null) return computeDistance(print.simhash, missing.simhash) <= 3;
  // The shell of an application says a word or two whatever is asked, and only a browser sees the page.
  return print.digest !== null && print.digest === missing.digest && countWords(text) >= 5;
}

/** Whether a title is such a phrase, give or take a number and a word. */
function isNotFoundTitle(title: string): boolean {
  if (/^(?:http |error |fehler |erreur )*404(?: error)?$/.test(title)) return true;
  return NOT_FOUND_PHRASES.some(
    (phrase) => title.includes(phrase) && title.length - phrase.length <= MAX_EXTRA_LETTERS,
  );
}

function hasNotFoundPhrase(text: string): boolean {
  return /(?:error|fehler|erreur|http) 404\b/.test(text) || NOT_FOUND_PHRASES.some((phrase) => text.includes(phrase));
}

/** Lower case, marks and punctuation as spaces. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
