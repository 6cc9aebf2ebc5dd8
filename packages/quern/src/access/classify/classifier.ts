import {
  BODY_EVIDENCE,
  type BodyEvidence,
  BUILDERS,
  CHALLENGE_PLACES,
  EMPTY_PLACE,
  FAILED_RENDER,
  FEW,
  HEADER_EVIDENCE,
  type HeaderEvidence,
  isLoginPlace,
  LOADING_CLASSES,
  LOADING_WORDS,
  OUTAGE,
  SHELL,
} from './block-evidence.ts';
import { ERROR_PAGE, FRAMEWORK } from '#access/failure.ts';
import { buildMarkerSearch } from './marker-search.ts';
import type { Classification, Outcome, Page, TierVisit, Visit } from '#access/page.ts';
import { LOOKED_AT, type PageScan, REFRESH, scanPage } from './page-scan.ts';

/** The circumstances that a page is classified under. */
export type ClassifyOptions = {
  /** The address asked for. */
  readonly requested: URL;
  /** Whether a browser has run the scripts of the page. */
  readonly rendered: boolean;
};

/** Markers that tell on any page, looked for in all of it; the others are looked for where there is little text. */
const ANY_PAGE = BODY_EVIDENCE.filter((one) => one.below === null).flatMap(({ markup = [] }) => markup);
const search = buildMarkerSearch(ANY_PAGE);

/** The beginning of a page with little text, where its markup is looked at. */
const SOURCE_BYTES = 256 * 1024;
/** Fewer visible characters than this are not yet a page. */
const THIN = 200;
const STILL_LOADING = 400;
/** So many characters are a sentence or two, which no page has that its scripts have yet to fill. */
const SOME_PROSE = 80;
const MANY_SCRIPTS = { visible: 1_000, scripts: 5 };
const BUILT = 500;
/** A guess counts on a page so small, or with a status that refuses. */
const SMALL_BYTES = 10_240;
const REFUSES: ReadonlySet<number> = new Set([400, 401, 403, 405, 406, 409, 418, 429, 500, 502, 503]);

/**
 * Decides the outcome of a page: by headers, by its address after redirects, by evidence in its body, and then by its status.
 * The body is looked at as bytes, the first MiB of it, in time that grows with its length alone.
 */
export function classify(page: Page, { requested, rendered }: ClassifyOptions): Classification {
  const header = HEADER_EVIDENCE.find((one) => isMet(one, page));
  if (header !== undefined) return settled(header);
  const place =
    page.url === requested.href ? undefined : CHALLENGE_PLACES.find(({ matches }) => matches.test(page.url));
  if (place !== undefined) return settled({ outcome: 'challenge', reason: place.reason });
  if (!isHtml(page)) return byStatus(page, null);
  const look = lookAt(page);
  const shown = byBody(page, look);
  if (shown !== null) return { ...settled(shown), visible: look.visible };
  if (page.status >= 400) return byStatus(page, look);
  if (wantsLogin(page, requested)) return { outcome: 'auth_required', visible: look.visible, mayGrow: false };
  return byContent(page, look, rendered);
}

/** Classifies the pages of a visit; `rendered` holds for all of them. */
export function classified(visit: Visit, { rendered }: Pick<ClassifyOptions, 'rendered'>): TierVisit {
  return async (request, signal) => {
    const page = await visit(request, signal);
    return { page, classification: classify(page, { requested: request.url, rendered }) };
  };
}

/** A scan, and the markup of a page with little text. */
type Look = PageScan & { readonly source: string };

function lookAt({ body, contentType }: Page): Look {
  const isXml = /^\s*application\/xhtml\+xml\b/i.test(contentType);
  const seen = scanPage(body, search(body, Math.min(body.length, LOOKED_AT)), { isXml });
  const source = seen.text === '' && seen.visible > 0 ? '' : toSource(body);
  return { ...seen, source };
}

function toSource(body: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, SOURCE_BYTES)).toString('latin1');
}

/** A body without a content type is HTML when it begins as HTML does; UTF-16 is not scanned. */
function isHtml({ contentType, body }: Page): boolean {
  if (body.length === 0 || (body[0] ?? 0) >= 0xfe) return false;
  if (/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)) return !/utf-?16/i.test(contentType);
  return contentType.trim() === '' && /^[\s\u00ef\u00bb\u00bf]*</.test(toSource(body.subarray(0, 512)));
}

function isMet({ statuses, header, matches, below = Infinity }: HeaderEvidence, page: Page): boolean {
  if (page.body.byteLength >= below) return false;
  if (statuses.length > 0 && !statuses.includes(page.status)) return false;
  return matches.test(page.headers[header] ?? '');
}

type Finding = { readonly outcome: Outcome; readonly reason: string };

function settled({ outcome, reason }: Finding): Classification {
  return { outcome, reason, visible: 0, mayGrow: true };
}

/** Evidence, or guesses that bear each other or the status out. */
function byBody(page: Page, look: Look): Finding | null {
  const isSuspect = page.body.length < SMALL_BYTES || page.status >= 400;
  const guesses: BodyEvidence[] = [];
  for (const one of BODY_EVIDENCE) {
    if ((one.grade === 'guess' && !isSuspect) || !shows(look, one)) continue;
    if (one.grade === 'evidence') return one;
    if (REFUSES.has(page.status)) return one;
    if (one.reason !== 'unnamed' && guesses.some(({ reason }) => reason === one.reason)) return one;
    guesses.push(one);
  }
  return null;
}

function shows(look: Look, { markup = [], says = [], matches, below, within, withoutFields }: BodyEvidence): boolean {
  if (below === null) return look.marked.size > 0 && markup.every((one) => look.marked.has(ANY_PAGE.indexOf(one)));
  const isShort = look.visible < below;
  if (!isShort && (says.length === 0 || look.text === '')) return false;
  if (withoutFields && look.fields > 0) return false;
  if (matches !== undefined && !matches.test(look.text) && !matches.test(look.headings)) return false;
  return markup.every((marker) => holds(look, marker, within)) && (isShort ? reads(look, says) : isHeaded(look, says));
}

function holds({ source, text }: Look, marker: string, within: number): boolean {
  const at = source.indexOf(marker);
  return at >= 0 && at < within && !text.includes(marker.toLowerCase());
}

function reads({ text, headings }: Look, says: readonly string[]): boolean {
  return says.every((phrase) => text.includes(phrase) || headings.includes(phrase));
}

/** On a page with more text than a block page, a heading must begin with the phrase: other pages write about it. */
function isHeaded({ text, headings }: Look, says: readonly string[]): boolean {
  const opens = headings.split('\n').some((heading) => says.some((phrase) => heading.startsWith(phrase)));
  return opens && says.every((phrase) => text.includes(phrase) || headings.includes(phrase));
}

function byStatus({ status, headers }: Page, look: Look | null): Classification {
  const known = { visible: look?.visible ?? 0, mayGrow: true };
  if (status === 429) return { outcome: 'rate_limited', ...known };
  if (status === 999 || status === 403) return { outcome: 'blocked', ...known };
  if (status === 401 && headers['www-authenticate'] !== undefined) return { outcome: 'auth_required', ...known };
  if (status === 451) return { outcome: 'geo_or_legal', ...known };
  if (status === 404 || status === 410) return { outcome: 'not_found', ...known };
  if (status < 400) return { outcome: 'ok', ...known };
  if (status === 503 && look !== null && isScriptedRefusal(headers, look)) return { outcome: 'challenge', ...known };
  return { outcome: 'http_error', ...known };
}

/** A 503 that has a script to run and does not speak of an outage wants to see a browser. */
function isScriptedRefusal(headers: Page['headers'], { visible, scripts, text, headings }: Look): boolean {
  if (headers['retry-after'] !== undefined || scripts === 0 || visible >= FEW) return false;
  return !OUTAGE.test(text) && !OUTAGE.test(headings);
}

/** A redirect that ends at a login, asked for elsewhere. */
function wantsLogin({ url }: Page, requested: URL): boolean {
  if (url === requested.href || isLoginPlace(requested.pathname)) return false;
  return isLoginPlace(new URL(url).pathname);
}

/** Whether a good answer holds the page, or only the scripts that a browser would build it with. */
function byContent(page: Page, look: Look, rendered: boolean): Classification {
  const { visible } = look;
  if (rendered) return ofRendered(page, look);
  const known = { visible, mayGrow: true };
  if (lacksScripts(page, look)) return { outcome: 'js_required', ...known };
  if (visible >= THIN || holdsText(look)) return { outcome: 'ok', ...known };
  const suspicion = BODY_EVIDENCE.find((one) => shows(look, one));
  if (suspicion !== undefined) return { outcome: 'thin', reason: suspicion.reason, ...known };
  return { outcome: look.scripts > 0 ? 'thin' : 'ok', ...known };
}

function lacksScripts({ url, headers }: Page, look: Look): boolean {
  const { visible, scripts, refreshes, withoutScript } = look;
  if ((refreshes || REFRESH.test(headers['refresh'] ?? '')) && visible < FEW) return true;
  if (scripts === 0 || look.spare >= FEW) return false;
  if (visible < THIN && SHELL.test(look.source)) return true;
  if (visible < FEW && /java-?script/.test(withoutScript)) return true;
  if (visible < MANY_SCRIPTS.visible && EMPTY_PLACE.test(look.source)) return true;
  if (visible < BUILT && BUILDERS.test(new URL(url).hostname)) return true;
  return visible < MANY_SCRIPTS.visible && scripts >= MANY_SCRIPTS.scripts && !holdsText(look);
}

/** Whether a page has text of its own, however short: it does not wait for more of it. */
function holdsText({ visible, prose, spare, text }: Look): boolean {
  if (spare >= FEW) return true;
  return prose >= SOME_PROSE && !(visible < STILL_LOADING && LOADING_WORDS.test(text));
}

/** After a browser, text that is still missing will not come. */
function ofRendered(page: Page, look: Look): Classification {
  const { visible, text, source } = look;
  const known = { visible, mayGrow: false };
  if (page.url.startsWith('chrome-error:')) return { outcome: 'render_failed', reason: ERROR_PAGE, ...known };
  if (visible < FEW && FAILED_RENDER.test(source)) return { outcome: 'thin', reason: FRAMEWORK, ...known };
  if (visible < STILL_LOADING && LOADING_WORDS.test(text)) return { outcome: 'thin', reason: 'loading', ...known };
  if (visible >= THIN) return { outcome: 'ok', ...known };
  if (LOADING_CLASSES.test(source)) return { outcome: 'thin', reason: 'loading', ...known };
  return { outcome: look.scripts > 0 ? 'thin' : 'ok', ...known };
}
