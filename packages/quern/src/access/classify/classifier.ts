import {
  BODY_EVIDENCE,
  type BodyEvidence,
  SITE_BUILDER_HOSTS,
  CHALLENGE_URLS,
  EMPTY_CONTENT_ELEMENT,
  RENDER_FAILURE,
  MAX_BLOCK_PAGE_CHARS,
  HEADER_EVIDENCE,
  type HeaderEvidence,
  isLoginPath,
  LOADING_CLASSES,
  LOADING_WORDS,
  OUTAGE_WORDS,
  APP_SHELL,
} from './block-evidence.ts';
import { BROWSER_ERROR_PAGE, FRAMEWORK_FAILED } from '#access/failure.ts';
import { createMarkerSearch, MAX_SCANNED_BYTES, type PageScan, REFRESH_VALUE, scanPage } from './page-scan.ts';
import type { Classification, Outcome, Page, TierVisit, Visit } from '#access/page.ts';

/** The context in which a page is classified. */
export type ClassifyOptions = {
  /** The requested URL. */
  readonly requested: URL;
  /** Whether a browser has run the scripts of the page. */
  readonly rendered: boolean;
};

/** Markers that count on any page; the others are searched only on pages with little text. */
const ANY_PAGE_MARKERS = BODY_EVIDENCE.filter((one) => one.below === null).flatMap(({ markers = [] }) => markers);
const searchMarkers = createMarkerSearch(ANY_PAGE_MARKERS);

/** How much of the markup of a page with little text is searched. */
const MAX_SOURCE_BYTES = 256 * 1024;
/** A page with fewer visible characters counts as thin. */
const MIN_PAGE_CHARS = 200;
const MAX_LOADING_CHARS = 400;
/** Prose of this length (a sentence or two) does not occur on pages that scripts still have to fill. */
const MIN_PROSE_CHARS = 80;
const MANY_SCRIPTS = { visible: 1_000, scripts: 5 };
const MAX_BUILDER_SHELL_CHARS = 500;
/** Guesses count only on pages below this size, or with an error status. */
const MAX_SMALL_PAGE_BYTES = 10_240;
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 405, 406, 409, 418, 429, 500, 502, 503]);

/**
 * Determines the outcome of a page: by headers, by its URL after redirects, by evidence in its body, then by its status.
 * Scans the first MiB of the body as bytes, in linear time.
 */
export function classify(page: Page, { requested, rendered }: ClassifyOptions): Classification {
  const header = HEADER_EVIDENCE.find((one) => matchesHeaders(one, page));
  if (header !== undefined) return toClassification(header);
  const place = page.url === requested.href ? undefined : CHALLENGE_URLS.find(({ matches }) => matches.test(page.url));
  if (place !== undefined) return toClassification({ outcome: 'challenge', reason: place.reason });
  if (!isHtml(page)) return classifyByStatus(page, null);
  const look = scanBody(page);
  const shown = findBodyEvidence(page, look);
  if (shown !== null) return { ...toClassification(shown), visibleChars: look.visibleChars };
  if (page.status >= 400) return classifyByStatus(page, look);
  if (isLoginRedirect(page, requested))
    return { outcome: 'auth_required', visibleChars: look.visibleChars, mayImprove: false };
  return classifyByContent(page, look, rendered);
}

/** Classifies the pages of a visit; `rendered` holds for all of them. */
export function classifyVisits(visit: Visit, { rendered }: Pick<ClassifyOptions, 'rendered'>): TierVisit {
  return async (request, signal) => {
    const page = await visit(request, signal);
    return { page, classification: classify(page, { requested: request.url, rendered }) };
  };
}

/** The result of a scan, and the markup if the page has little text. */
type PageView = PageScan & { readonly source: string };

function scanBody({ body, contentType }: Page): PageView {
  const isXml = /^\s*application\/xhtml\+xml\b/i.test(contentType);
  const seen = scanPage(body, searchMarkers(body, Math.min(body.length, MAX_SCANNED_BYTES)), { isXml });
  const source = seen.text === '' && seen.visibleChars > 0 ? '' : toSource(body);
  return { ...seen, source };
}

function toSource(body: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_SOURCE_BYTES)).toString('latin1');
}

/** Whether a body is HTML, by content type or, without one, by its beginning. UTF-16 is not scanned. */
function isHtml({ contentType, body }: Page): boolean {
  if (body.length === 0 || (body[0] ?? 0) >= 0xfe) return false;
  if (/^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType)) return !/utf-?16/i.test(contentType);
  return contentType.trim() === '' && /^[\s\u00ef\u00bb\u00bf]*</.test(toSource(body.subarray(0, 512)));
}

function matchesHeaders({ statuses, header, matches, below = Infinity }: HeaderEvidence, page: Page): boolean {
  if (page.body.byteLength >= below) return false;
  if (statuses.length > 0 && !statuses.includes(page.status)) return false;
  return matches.test(page.headers[header] ?? '');
}

type Finding = { readonly outcome: Outcome; readonly reason: string };

function toClassification({ outcome, reason }: Finding): Classification {
  return { outcome, reason, visibleChars: 0, mayImprove: true };
}

/** Finds evidence in the body, or guesses that are confirmed by the status or by another guess. */
function findBodyEvidence(page: Page, look: PageView): Finding | null {
  const isSuspect = page.body.length < MAX_SMALL_PAGE_BYTES || page.status >= 400;
  const guesses: BodyEvidence[] = [];
  for (const evidence of BODY_EVIDENCE) {
    if ((evidence.grade === 'guess' && !isSuspect) || !matchesBody(look, evidence)) continue;
    if (evidence.grade === 'evidence') return evidence;
    if (REFUSAL_STATUSES.has(page.status)) return evidence;
    if (evidence.reason !== 'unnamed' && guesses.some(({ reason }) => reason === evidence.reason)) return evidence;
    guesses.push(evidence);
  }
  return null;
}

function matchesBody(
  look: PageView,
  { markers = [], phrases = [], matches, below, within, withoutFields }: BodyEvidence,
): boolean {
  if (below === null)
    return look.markers.size > 0 && markers.every((one) => look.markers.has(ANY_PAGE_MARKERS.indexOf(one)));
  const isShort = look.visibleChars < below;
  if (!isShort && (phrases.length === 0 || look.text === '')) return false;
  if (withoutFields && look.fields > 0) return false;
  if (matches !== undefined && !matches.test(look.text) && !matches.test(look.headings)) return false;
  return (
    markers.every((marker) => hasMarker(look, marker, within)) &&
    (isShort ? hasPhrases(look, phrases) : hasHeadingPhrase(look, phrases))
  );
}

function hasMarker({ source, text }: PageView, marker: string, within: number): boolean {
  const at = source.indexOf(marker);
  return at >= 0 && at < within && !text.includes(marker.toLowerCase());
}

function hasPhrases({ text, headings }: PageView, says: readonly string[]): boolean {
  return says.every((phrase) => text.includes(phrase) || headings.includes(phrase));
}

/** On a page with more text than a block page, a heading must start with a phrase: other pages may quote it. */
function hasHeadingPhrase({ text, headings }: PageView, says: readonly string[]): boolean {
  const opens = headings.split('\n').some((heading) => says.some((phrase) => heading.startsWith(phrase)));
  return opens && says.every((phrase) => text.includes(phrase) || headings.includes(phrase));
}

function classifyByStatus({ status, headers }: Page, look: PageView | null): Classification {
  const known = { visibleChars: look?.visibleChars ?? 0, mayImprove: true };
  if (status === 429) return { outcome: 'rate_limited', ...known };
  if (status === 999 || status === 403) return { outcome: 'blocked', ...known };
  if (status === 401 && headers['www-authenticate'] !== undefined) return { outcome: 'auth_required', ...known };
  if (status === 451) return { outcome: 'geo_or_legal', ...known };
  if (status === 404 || status === 410) return { outcome: 'not_found', ...known };
  if (status < 400) return { outcome: 'ok', ...known };
  if (status === 503 && look !== null && isScriptedRefusal(headers, look)) return { outcome: 'challenge', ...known };
  return { outcome: 'http_error', ...known };
}

/** Whether a 503 is a challenge: it has scripts and does not mention an outage. */
function isScriptedRefusal(headers: Page['headers'], { visibleChars, scripts, text, headings }: PageView): boolean {
  if (headers['retry-after'] !== undefined || scripts === 0 || visibleChars >= MAX_BLOCK_PAGE_CHARS) return false;
  return !OUTAGE_WORDS.test(text) && !OUTAGE_WORDS.test(headings);
}

/** Whether a redirect ended at a login page that was not requested. */
function isLoginRedirect({ url }: Page, requested: URL): boolean {
  if (url === requested.href || isLoginPath(requested.pathname)) return false;
  return isLoginPath(new URL(url).pathname);
}

/** Whether a page with a good status has its content, or only the scripts that build it. */
function classifyByContent(page: Page, look: PageView, rendered: boolean): Classification {
  const { visibleChars } = look;
  if (rendered) return classifyRendered(page, look);
  const known = { visibleChars, mayImprove: true };
  if (needsScripts(page, look)) return { outcome: 'js_required', ...known };
  if (visibleChars >= MIN_PAGE_CHARS || hasOwnText(look)) return { outcome: 'ok', ...known };
  const suspicion = BODY_EVIDENCE.find((one) => matchesBody(look, one));
  if (suspicion !== undefined) return { outcome: 'thin', reason: suspicion.reason, ...known };
  return { outcome: look.scripts > 0 ? 'thin' : 'ok', ...known };
}

function needsScripts({ url, headers }: Page, look: PageView): boolean {
  const { visibleChars, scripts, refreshes, withoutScript } = look;
  if ((refreshes || REFRESH_VALUE.test(headers['refresh'] ?? '')) && visibleChars < MAX_BLOCK_PAGE_CHARS) return true;
  if (scripts === 0 || look.noscriptChars >= MAX_BLOCK_PAGE_CHARS) return false;
  if (visibleChars < MIN_PAGE_CHARS && APP_SHELL.test(look.source)) return true;
  if (visibleChars < MAX_BLOCK_PAGE_CHARS && /java-?script/.test(withoutScript)) return true;
  if (visibleChars < MANY_SCRIPTS.visible && EMPTY_CONTENT_ELEMENT.test(look.source)) return true;
  if (visibleChars < MAX_BUILDER_SHELL_CHARS && SITE_BUILDER_HOSTS.test(new URL(url).hostname)) return true;
  return visibleChars < MANY_SCRIPTS.visible && scripts >= MANY_SCRIPTS.scripts && !hasOwnText(look);
}

/** Whether a page has its own text, even if short, so that scripts need not add any. */
function hasOwnText({ visibleChars, proseChars, noscriptChars, text }: PageView): boolean {
  if (noscriptChars >= MAX_BLOCK_PAGE_CHARS) return true;
  return proseChars >= MIN_PROSE_CHARS && !(visibleChars < MAX_LOADING_CHARS && LOADING_WORDS.test(text));
}

/** Classifies a rendered page, on which missing text will not appear any more. */
function classifyRendered(page: Page, look: PageView): Classification {
  const { visibleChars, text, source } = look;
  const known = { visibleChars, mayImprove: false };
  if (page.url.startsWith('chrome-error:')) return { outcome: 'render_failed', reason: BROWSER_ERROR_PAGE, ...known };
  if (visibleChars < MAX_BLOCK_PAGE_CHARS && RENDER_FAILURE.test(source))
    return { outcome: 'thin', reason: FRAMEWORK_FAILED, ...known };
  if (visibleChars < MAX_LOADING_CHARS && LOADING_WORDS.test(text))
    return { outcome: 'thin', reason: 'loading', ...known };
  if (visibleChars >= MIN_PAGE_CHARS) return { outcome: 'ok', ...known };
  if (LOADING_CLASSES.test(source)) return { outcome: 'thin', reason: 'loading', ...known };
  return { outcome: look.scripts > 0 ? 'thin' : 'ok', ...known };
}
