import { countWords } from '#extract/metadata/word-count.ts';
import type { ContentFingerprint, PageText } from './content-fingerprint.ts';
import { computeDistance } from './simhash.ts';

/** Phrases for "page not found" by language: lower case, punctuation as spaces. */
const PHRASES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'page not found',
    'not found',
    'page cannot be found',
    'page can t be found',
    'page could not be found',
    'page couldn t be found',
    'page was not found',
    'page doesn t exist',
    'page does not exist',
    'page no longer exists',
    'page isn t available',
    'page is not available',
    'page is no longer available',
    'nothing found',
    'page missing',
    'can t find that page',
    'can t find the page',
    'couldn t find that page',
    'couldn t find the page',
    'requested url was not found',
    'file not found',
  ],
  de: [
    'seite nicht gefunden',
    'seite wurde nicht gefunden',
    'seite konnte nicht gefunden werden',
    'seite existiert nicht',
  ],
  fr: ['page introuvable', 'page non trouvée', 'page n existe pas', 'page n existe plus', 'page est introuvable'],
  es: [
    'página no encontrada',
    'pagina no encontrada',
    'página no existe',
    'no se encontró la página',
    'no se ha encontrado la página',
  ],
  pt: ['página não encontrada', 'pagina nao encontrada', 'página não existe', 'página não foi encontrada'],
  it: ['pagina non trovata', 'pagina non esiste', 'pagina non è stata trovata', 'pagina inesistente'],
  nl: ['pagina niet gevonden', 'pagina bestaat niet', 'pagina kon niet worden gevonden'],
  sv: ['sidan hittades inte', 'sidan kunde inte hittas', 'sidan finns inte', 'hittar inte sidan'],
  da: ['siden blev ikke fundet', 'siden findes ikke', 'siden kunne ikke findes'],
  no: ['siden ble ikke funnet', 'siden finnes ikke', 'fant ikke siden'],
  fi: ['sivua ei löydy', 'sivua ei löytynyt', 'sivua ei ole'],
  pl: ['nie znaleziono strony', 'strona nie została znaleziona', 'strona nie istnieje', 'strony nie znaleziono'],
  cs: ['stránka nenalezena', 'stránka nebyla nalezena', 'stránka neexistuje'],
  sk: ['stránka sa nenašla', 'stránka nebola nájdená', 'stránka neexistuje'],
  hu: ['az oldal nem található', 'oldal nem található', 'a keresett oldal nem található'],
  ro: ['pagina nu a fost găsită', 'pagina nu există', 'pagină negăsită'],
  tr: ['sayfa bulunamadı', 'aradığınız sayfa bulunamadı'],
  el: ['η σελίδα δεν βρέθηκε', 'σελίδα δεν βρέθηκε', 'δεν βρέθηκε η σελίδα'],
  ru: ['страница не найдена', 'страница не существует', 'страницы не существует', 'такой страницы нет'],
  uk: ['сторінку не знайдено', 'сторінка не знайдена', 'сторінки не існує'],
  bg: ['страницата не е намерена', 'страницата не съществува'],
  ar: ['الصفحة غير موجودة', 'لم يتم العثور على الصفحة'],
  he: ['הדף לא נמצא', 'העמוד לא נמצא'],
  fa: ['صفحه یافت نشد', 'صفحه مورد نظر یافت نشد', 'صفحه پیدا نشد'],
  hi: ['पृष्ठ नहीं मिला', 'पेज नहीं मिला'],
  th: ['ไม่พบหน้า'],
  vi: ['không tìm thấy trang', 'trang không tồn tại'],
  id: ['halaman tidak ditemukan'],
  ja: ['ページが見つかりません', 'ページは見つかりません', 'ページが見つかりませんでした', 'お探しのページは'],
  zh: ['页面不存在', '页面未找到', '找不到页面', '您访问的页面不存在', '頁面不存在', '找不到頁面', '找不到網頁'],
  ko: ['페이지를 찾을 수 없습니다', '존재하지 않는 페이지'],
};

const NOT_FOUND_PHRASES: readonly string[] = Object.values(PHRASES).flat();

/** A page that may be a soft 404. */
export type SuspectPage = PageText & {
  /** The final URL. */
  readonly url: string;
  readonly print: ContentFingerprint;
};

/** A page that only says "not found" has fewer words than this. */
const MAX_SHORT_PAGE_WORDS = 120;
/** The characters at the start of the text in which the phrase is searched for. */
const OPENING_LENGTH = 300;
/** The letters that a title may have besides the phrase: an "Oops", the site's name. */
const MAX_EXTRA_LETTERS = 16;
const ERROR_PATH = /\/(?:404|error-?404|not-?found|page-?not-?found|error)(?:\.\w{1,5})?\/?(?:\?|$)/i;
/** The points at which a page counts as missing. Only a match with the site's response to a nonexistent URL suffices alone. */
const MIN_POINTS = 3;

type Signal = {
  readonly points: number;
  readonly matches: (page: SuspectPage, missing: ContentFingerprint | null) => boolean;
};

/** Strong and cheap signals first: the rest is skipped once it cannot change the result. */
const SIGNALS: readonly Signal[] = [
  { points: 3, matches: matchesMissingPage },
  { points: 2, matches: ({ title }) => isNotFoundTitle(fold((title ?? '').slice(0, OPENING_LENGTH))) },
  { points: 1, matches: ({ url }) => ERROR_PATH.test(url) },
  { points: 1, matches: ({ text }) => countWords(text.slice(0, OPENING_LENGTH * 10)) < MAX_SHORT_PAGE_WORDS },
  { points: 1, matches: ({ text }) => hasNotFoundPhrase(fold(text.slice(0, OPENING_LENGTH))) },
];

/**
 * Whether a page says "not found" although its status reports success. `missing` is the fingerprint of the site's
 * response to a URL that cannot exist (`buildProbeUrl`); null if the site correctly responds to that with an error.
 */
export function isSoft404(page: SuspectPage, missing: ContentFingerprint | null): boolean {
  let points = 0;
  let left = SIGNALS.reduce((sum, signal) => sum + signal.points, 0);
  for (const signal of SIGNALS) {
    if (points + left < MIN_POINTS || points >= MIN_POINTS) break;
    if (signal.matches(page, missing)) points += signal.points;
    left -= signal.points;
  }
  return points >= MIN_POINTS;
}

/** A URL on the site that cannot exist; `token` is random, of letters and digits. */
export function buildProbeUrl(siteHref: string, token: string): string {
  return new URL(`/${token}-${token.length}/`, siteHref).href;
}

/** The home page is never missing: a site may redirect all unknown URLs to it. */
function matchesMissingPage({ url, text, print }: SuspectPage, missing: ContentFingerprint | null): boolean {
  if (missing === null || new URL(url).pathname === '/') return false;
  if (print.simhash !== null && missing.simhash !== null) return computeDistance(print.simhash, missing.simhash) <= 3;
  // The shell of a web application has the same few words for every URL; only a browser sees the page.
  return print.digest !== null && print.digest === missing.digest && countWords(text) >= 5;
}

/** Whether a title is a "not found" phrase, apart from a few other letters. */
function isNotFoundTitle(title: string): boolean {
  if (/^(?:http |error |fehler |erreur )*404(?: error)?$/.test(title)) return true;
  return NOT_FOUND_PHRASES.some(
    (phrase) => title.includes(phrase) && title.length - phrase.length <= MAX_EXTRA_LETTERS,
  );
}

function hasNotFoundPhrase(text: string): boolean {
  return /(?:error|fehler|erreur|http) 404\b/.test(text) || NOT_FOUND_PHRASES.some((phrase) => text.includes(phrase));
}

/** Lower case, with punctuation as spaces. */
function fold(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();
}
