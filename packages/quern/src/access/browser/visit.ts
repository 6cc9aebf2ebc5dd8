import { z } from 'zod';
import { classify } from '#access/classify/classifier.ts';
import { REFRESH_VALUE } from '#access/classify/page-scan.ts';
import { EGRESS_HEADER } from '#access/egress/credentials.ts';
import {
  toTlsFailure,
  toConnectionFailure,
  buildFailure,
  buildPageTooLarge,
  buildInvalidNavigation,
  buildInvalidRedirect,
  buildUnreachable,
} from '#access/failure.ts';
import { isWithinDomain } from '#access/guard/local-names.ts';
import type { VisitLimits } from '#access/limits.ts';
import {
  type ChallengeCookies,
  type ClassifiedPage,
  type BlockKind,
  type Outcome,
  type Page,
  type PageRequest,
  type RenderOptions,
  DEFAULT_RENDER_OPTIONS,
} from '#access/page.ts';
import { BLOCK_OUTCOMES } from '#access/tiers/ladder-failure.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { BrowserKind } from './binaries.ts';
import { captureArtifacts } from './artifacts.ts';
import { CAPTURE_BUFFER, captureResponses } from './response-captures.ts';
import { BrowserGone } from './devtools.ts';
import { type MainDocument, watchDocument } from './document.ts';
import { applyEmulation } from './emulation.ts';
import type { EgressAccess } from './context.ts';
import { clearPage, type Tab } from './tab.ts';
import type { ResponseHead } from './interception.ts';
import { loadTabSession, readCookies } from './caller-session.ts';
import { listBlockedUrls } from './overlays.ts';
import { ACCEPT_CONSENT, type PageState, type SnapshotMode, buildReadPageScript } from './scripts.ts';
import { runScript, type LoadingPage, runPageActions, waitUntilStable, watchTraffic } from './page-stability.ts';

export type RenderVisitOptions = {
  readonly request: PageRequest;
  readonly kind: BrowserKind;
  readonly version: number;
  readonly limits: VisitLimits;
  readonly egress: EgressAccess;
  readonly clock: Clock;
};

/** Limit of everything that a page loads, as a multiple of the size limit of a document. */
const MAX_LOADED_FACTOR = 2;
/** Maximum successive documents in the main frame. */
const MAX_DOCUMENTS = 20;
/** Time limit for the script of a challenge. */
export const MAX_CHALLENGE_MS = 12_000;
const POLL_MS = 250;
/** Time reserved for reading the page after the last wait. */
const RESERVED_MS = 1_000;
/** A page with fewer characters may be waiting for consent. */
const MIN_TEXT_CHARS = 600;

const CUT_WARNING: Warning = {
  code: 'truncated',
  message: 'the target sent only a part of the page; the browser shows that part',
};

/** Schemes that frames may navigate to. Renderers block the rest too, but this check does not rely on it. */
const ALLOWED_SCHEMES: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'about:',
  'data:',
  'blob:',
  'javascript:',
  'chrome-error:',
]);

/** Schemes of the machine and the browser: a navigation to one ends the visit, even if it would not load. */
const BROWSER_SCHEMES: ReadonlySet<string> = new Set([
  'file:',
  'filesystem:',
  'content:',
  'chrome:',
  'chrome-extension:',
  'chrome-search:',
  'chrome-untrusted:',
  'devtools:',
  'view-source:',
  'ftp:',
]);

/** Visits and classifies one page in an open tab: returns the rendered HTML, or the bytes of other documents. */
export async function visitPage(tab: Tab, options: RenderVisitOptions): Promise<ClassifiedPage> {
  const { request, clock } = options;
  const renderOptions = request.browser ?? DEFAULT_RENDER_OPTIONS;
  const lent = await loadTabSession(tab, request, clock);
  const { isLoaded, isCut, getLoadError } = watchFrames(tab);
  const captures = captureResponses(tab, request.captures);
  const [traffic, main] = await prepareTab(tab, options, renderOptions);
  const state = { main, isCut, getLoadError, wireBytes: traffic.wireBytes, egress: options.egress };
  const loading: LoadingPage = {
    tab,
    traffic,
    isLoaded: () => isLoaded() || main.getDownload() !== null,
    isStatic: () => forbidsScripts(main.getHead()),
    isLeaving: () => REFRESH_VALUE.test(main.getHead()?.headers['refresh'] ?? ''),
    isRefused: async () => BLOCK_OUTCOMES.has(await classifyCurrentPage(tab, { state, options })),
    getTextLeftMs() {
      // With `wait_for_selector`, the selector decides when the page is complete.
      if (main.getDownload() !== null || renderOptions.waitForSelector !== null) return 0;
      return (request.leftMs?.() ?? Infinity) - renderOptions.waitMs - RESERVED_MS;
    },
    getVisitLeftMs: () => request.leftMs?.() ?? Infinity,
    clock,
  };
  const since = clock.monotonic();
  await navigate(tab, main, options);
  assertDocumentLoaded(state);
  request.onAnswer?.(main.getHead()?.status ?? 200, since);
  const look = main.getDownload() === null ? await waitUntilStable(loading) : null;
  const waitsOut = main.getDownload() === null && options.kind === 'full';
  const challenge = waitsOut ? await waitOutChallenge(loading, { state, options }) : 'none';
  // A block page does not have the requested elements.
  const isRefused =
    challenge === 'stands' || (look !== null && renderOptions.waitForSelector !== null && (await loading.isRefused()));
  if (main.getDownload() === null && !isRefused)
    await runPageActions({ ...loading, captured: captures.count }, renderOptions);
  if (main.getDownload() === null && !isRefused && look !== null) await acceptConsent(loading, look);
  const shown = await readPage(tab, state, { limits: options.limits, mode: 'cleaned' });
  const classification = classify(shown, { requested: request.url, rendered: true });
  await lent?.collectChanges(main);
  if (main.getDownload() !== null) return { page: shown, classification };
  const page = request.captures === undefined ? shown : { ...shown, captures: await captures.listCaptured() };
  await reportChallengeCookies(tab, { request, main, page, classification, waited: challenge !== 'none' });
  const { artifacts, warnings } = await captureArtifacts(tab, renderOptions);
  if (artifacts.length + warnings.length === 0) return { page, classification };
  return { page: { ...page, artifacts, warnings: [...page.warnings, ...warnings] }, classification };
}

async function prepareTab(tab: Tab, options: RenderVisitOptions, renderOptions: RenderOptions) {
  const { request, kind, version, limits, egress } = options;
  const isLight = kind === 'shell';
  const { block = [] } = renderOptions;
  const urls = listBlockedUrls(request.url.hostname, { isLight, ads: block.includes('ads') });
  const [traffic, main] = await Promise.all([
    watchTraffic(
      tab,
      MAX_LOADED_FACTOR * limits.decodedBytes,
      request.captures === undefined ? undefined : CAPTURE_BUFFER,
    ),
    watchDocument(tab, { request, limits, egress, blockedTypes: listBlockedTypes(isLight ? LIGHT_BLOCKS : block) }),
    tab.setOnce('Page.enable'),
    tab.setOnce('Inspector.enable'),
    // The service worker of an earlier page would bypass the interception.
    tab.setOnce('Network.setBypassServiceWorker', { bypass: true }),
    applyEmulation(tab, { kind, version, renderOptions }),
    // Contexts are reused within one crawl only, so all of their pages have the same setting.
    ...(request.insecureTls === true ? [tab.setOnce('Security.setIgnoreCertificateErrors', { ignore: true })] : []),
    ...(urls.length > 0 ? [tab.setOnce('Network.setBlockedURLs', { urls })] : []),
  ]);
  return [traffic, main] as const;
}

/** The light browser draws nothing, so it loads nothing that is only seen. */
const LIGHT_BLOCKS: readonly BlockKind[] = ['images', 'media', 'fonts'];

/** Resource types of the browser by kind. Ads have no type of their own. */
const BLOCKED_TYPES: Readonly<Record<BlockKind, readonly string[]>> = {
  ads: [],
  images: ['Image'],
  fonts: ['Font'],
  media: ['Media'],
};

function listBlockedTypes(kinds: readonly BlockKind[]): readonly string[] {
  return kinds.flatMap((kind) => BLOCKED_TYPES[kind]);
}

/** Whether a response forbids scripts (CSP level 3, `sandbox`). */
function forbidsScripts(head: ResponseHead | null): boolean {
  const directives = (head?.headers['content-security-policy'] ?? '').toLowerCase().split(/[;,]/);
  return directives.some((directive) => {
    const [name, ...allowed] = directive.trim().split(/\s+/);
    return name === 'sandbox' && !allowed.includes('allow-scripts');
  });
}

const FrameNavigated = z.object({
  frame: z.object({ url: z.string(), parentId: z.string().optional(), loaderId: z.string() }),
});
const LoadingFailed = z.object({
  requestId: z.string(),
  type: z.string().optional(),
  errorText: z.string().optional(),
  canceled: z.boolean().optional(),
});
const LoadingFinished = z.object({ requestId: z.string() });
const ResponseReceived = z.object({
  requestId: z.string(),
  frameId: z.string().optional(),
  type: z.string(),
  response: z.object({ status: z.number() }),
});
const NavigationStarted = z.object({ url: z.string() });
const LoadingStopped = z.object({ frameId: z.string() });

/** The state of the document in the main frame. */
type FrameState = {
  readonly isLoaded: () => boolean;
  /** Whether the document is incomplete. */
  readonly isCut: () => boolean;
  /** Chromium's error of the last document that failed to load; empty if there is none. */
  readonly getLoadError: () => string;
};

/** Watches the frames of a page: ends the visit at a forbidden scheme, and tracks the state of the main frame. */
function watchFrames(tab: Tab): FrameState {
  let isLoaded = false;
  let isCut = false;
  let lostBy = '';
  let documents = 0;
  let status = 0;
  let loaderId: string | null = null;
  /** The request of a document whose body is still loading. */
  let coming: string | null = null;
  tab.listen(({ method, params }) => {
    // Earlier events belong to the previous page of the context.
    const isOurs = documents > 0;
    if (method === 'Page.loadEventFired') isLoaded = isOurs;
    // A page that opens an external program while it is loading has no load event.
    if (method === 'Page.frameStoppedLoading' && LoadingStopped.parse(params).frameId === tab.id) isLoaded = isOurs;
    if (method === 'Page.frameStartedNavigating' || method === 'Page.frameRequestedNavigation') {
      // Links to external programs, such as mailto:, load nothing and are allowed.
      const { url } = NavigationStarted.parse(params);
      if (BROWSER_SCHEMES.has(URL.parse(url)?.protocol ?? '')) assertScheme(tab, url);
    }
    if (method === 'Network.responseReceived') {
      const { requestId, frameId, type, response } = ResponseReceived.parse(params);
      if (type === 'Document' && frameId === tab.id) {
        ({ status } = response);
        coming = requestId;
      }
    }
    if (method === 'Network.loadingFinished' && LoadingFinished.parse(params).requestId === coming) coming = null;
    if (method === 'Network.loadingFailed') {
      const { requestId, type, errorText = '', canceled } = LoadingFailed.parse(params);
      if (requestId === loaderId && canceled !== true) isCut = true;
      if (type === 'Document' && canceled !== true) lostBy = errorText;
    }
    if (method !== 'Page.frameNavigated') return;
    const { url, parentId, loaderId: loading } = FrameNavigated.parse(params).frame;
    assertScheme(tab, url);
    if (parentId !== undefined) return;
    isLoaded = false;
    isCut = false;
    loaderId = loading;
    documents += 1;
    if (documents > MAX_DOCUMENTS) tab.fail(buildReloadFailure(status));
  });
  return {
    isLoaded: () => isLoaded,
    isCut: () => isCut || (coming !== null && coming === loaderId),
    getLoadError: () => lostBy,
  };
}

/** The error for a page that keeps reloading; with status 403 it is a block. */
function buildReloadFailure(status: number): Error {
  if (status === 403) return buildFailure('blocked', 'the target blocked access', { reason: 'reloads', status });
  return buildFailure('unusable', 'the page keeps reloading', { reason: 'redirects', isPermanent: true });
}

function assertScheme(tab: Tab, url: string): void {
  const scheme = URL.parse(url)?.protocol;
  if (scheme === undefined || ALLOWED_SCHEMES.has(scheme)) return;
  tab.fail(buildInvalidNavigation());
}

const Navigation = z.object({ errorText: z.string().optional() });

async function navigate(tab: Tab, main: MainDocument, { request, egress }: RenderVisitOptions): Promise<void> {
  const url = request.arrived === undefined ? request.url : new URL(request.arrived.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InvariantError(`a browser was sent to ${url.protocol}`);
  // If only the fragment differs, the browser would stay on the current page.
  if (tab.page.isFrozen && url.hash !== '') await clearPage(tab);
  main.begin();
  const { errorText } = Navigation.parse(await tab.send('Page.navigate', { url: url.href }));
  tab.signal.throwIfAborted();
  if (errorText === undefined || main.getDownload() !== null || main.getHead() !== null) return;
  // A first navigation is aborted only if the page is closed.
  if (errorText === 'net::ERR_ABORTED') throw new BrowserGone('the page was closed');
  throw egress.failureOf(main.getRequestedUrl() ?? url) ?? toNavigationFailure(errorText);
}

/**
 * Throws the error of a document that failed to load: a response of the egress proxy itself has its header, and a document
 * without response leaves an error page of the browser.
 */
function assertDocumentLoaded({ main, egress, getLoadError }: VisitState, shown = ''): void {
  const head = main.getHead();
  if (head?.headers[EGRESS_HEADER] !== undefined) {
    const failure = egress.failureOf(new URL(head.url));
    if (failure !== null) throw failure;
  }
  const lost = shown.startsWith('chrome-error:') ? main.getUnansweredUrl() : null;
  if (lost !== null) throw egress.failureOf(lost) ?? toNavigationFailure(getLoadError());
}

/** Converts a net error of Chromium to an error for the caller. */
export function toNavigationFailure(error: string): Error {
  const facts = { reason: error.replace(/^net::ERR_/, '').toLowerCase() };
  if (/CERT|SSL/.test(error)) return toTlsFailure(error.replace(/^net::ERR_/, ''), {});
  if (/TIMED_OUT/.test(error)) return buildFailure('timeout', 'the target did not answer in time', facts);
  if (/ERR_PROXY|UNEXPECTED_PROXY/.test(error))
    return buildFailure('render_failed', 'the browser could not connect through its proxy', facts);
  if (/REDIRECT|URL_SCHEME/.test(error)) return buildInvalidRedirect(facts);
  if (/INVALID|HEADERS|DECODING|HTTP2|CONTENT_LENGTH|CHUNKED/.test(error)) {
    const isPermanent = /INVALID|HEADERS|DECODING/.test(error);
    return buildFailure('unusable', 'the target sent a malformed answer', { ...facts, isPermanent });
  }
  return toConnectionFailure(error.replace(/^net::/, ''), { cause: new Error(error) });
}

type VisitState = Pick<FrameState, 'isCut' | 'getLoadError'> & {
  readonly main: MainDocument;
  readonly wireBytes: () => number;
  readonly egress: EgressAccess;
};
type ChallengeWait = { readonly state: VisitState; readonly options: RenderVisitOptions };

/** Waits until the page is no longer a challenge, because its script finished, or the time is up. */
async function waitOutChallenge(
  loading: LoadingPage,
  { state, options }: ChallengeWait,
): Promise<'none' | 'cleared' | 'stands'> {
  const { tab, clock } = loading;
  const leftMs = (options.request.leftMs?.() ?? Infinity) - RESERVED_MS;
  const until = clock.monotonic() + Math.min(MAX_CHALLENGE_MS, leftMs);
  let waited = false;
  while (state.main.getDownload() === null && (await classifyCurrentPage(tab, { state, options })) === 'challenge') {
    waited = true;
    // Stop before the visit times out, so that it can be classified as a challenge.
    if (clock.monotonic() >= until) return 'stands';
    await clock.sleep(POLL_MS, tab.signal);
  }
  if (waited) await waitUntilStable(loading);
  return waited ? 'cleared' : 'none';
}

async function classifyCurrentPage(tab: Tab, { state, options }: ChallengeWait): Promise<Outcome> {
  const page = await readPage(tab, state, { limits: options.limits, mode: 'as it is' });
  return classify(page, { requested: options.request.url, rendered: true }).outcome;
}

/** Accepts a consent dialog if the page shows little text. */
async function acceptConsent(loading: LoadingPage, { chars }: PageState): Promise<void> {
  if (chars < MIN_TEXT_CHARS && (await runScript(loading.tab, ACCEPT_CONSENT))) await waitUntilStable(loading);
}

type ReadPageOptions = { readonly limits: VisitLimits; readonly mode: SnapshotMode };

async function readPage(tab: Tab, state: VisitState, { limits, mode }: ReadPageOptions): Promise<Page> {
  const { main, isCut, wireBytes } = state;
  const { decodedBytes } = limits;
  const taken = main.getDownload();
  const warnings = isCut() ? [...main.getWarnings(), CUT_WARNING] : main.getWarnings();
  if (taken !== null) {
    const { body, headers, ...head } = taken;
    return { ...head, headers, contentType: headers['content-type'] ?? '', body, wireBytes: body.byteLength, warnings };
  }
  const { url, html } = await runScript(tab, buildReadPageScript(decodedBytes, mode));
  assertDocumentLoaded(state, url);
  if (html === null) throw buildPageTooLarge(decodedBytes, { reason: 'decoded_bytes' });
  const head = main.getHead();
  if (head === null) throw buildUnreachable();
  const shown = toPageContent(head, url, html);
  return { ...shown, status: head.status, headers: head.headers, wireBytes: wireBytes(), warnings };
}

/** The content of the page; empty if the browser shows its own error page for a response without body. */
function toPageContent(head: ResponseHead, url: string, html: string) {
  if (url.startsWith('chrome-error:')) {
    return { url: head.url, contentType: head.headers['content-type'] ?? '', body: new Uint8Array() };
  }
  return { url, contentType: 'text/html; charset=utf-8', body: new Uint8Array(Buffer.from(html, 'utf8')) };
}

/** The headers that identify a browser. */
const BROWSER_NAME_HEADERS: ReadonlySet<string> = new Set([
  'user-agent',
  'sec-ch-ua',
  'sec-ch-ua-mobile',
  'sec-ch-ua-platform',
]);

type ChallengeResult = ClassifiedPage & {
  readonly request: PageRequest;
  readonly main: MainDocument;
  /** Whether the visit waited for a challenge. */
  readonly waited: boolean;
};

/** Reports the challenge cookies that the browser obtained from a host that blocks other visits, if the request wants them. */
async function reportChallengeCookies(
  tab: Tab,
  { request, main, page, classification, waited }: ChallengeResult,
): Promise<void> {
  const { previousOutcome, storeChallengeCookies } = request;
  if (
    storeChallengeCookies === undefined ||
    !(waited || (previousOutcome !== undefined && BLOCK_OUTCOMES.has(previousOutcome)))
  )
    return;
  if (BLOCK_OUTCOMES.has(classification.outcome)) return;
  const { cookies, headers } = await readChallengeCookies(tab, main);
  const hosts = [request.url.hostname, new URL(page.url).hostname];
  // Cookies of other hosts are useless here.
  const own = cookies.filter(({ domain }) => hosts.some((host) => isWithinDomain(host, domain)));
  storeChallengeCookies({ cookies: own, headers });
}

async function readChallengeCookies(tab: Tab, main: MainDocument): Promise<ChallengeCookies> {
  const cookies = await readCookies(tab);
  const named = Object.entries(main.getSentHeaders()).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { cookies, headers: Object.fromEntries(named.filter(([name]) => BROWSER_NAME_HEADERS.has(name))) };
}
