import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import { toTlsFailure, toUnreached } from '#access/error-causes.ts';
import { EGRESS_HEADER } from '#access/egress/credentials.ts';
import { BLOCKS } from '#access/tiers/ladder-failure.ts';
import { failed, pageTooLarge, strayPage, strayRedirect, unreachable } from '#access/failure.ts';
import { classify } from '#access/classify/classifier.ts';
import type { VisitLimits } from '#access/limits.ts';
import type { ClassifiedPage, Outcome, Page, PageRequest, RenderOptions } from '#access/page.ts';
import { REFRESH } from '#access/classify/page-scan.ts';
import { DEFAULT_RENDER_OPTIONS } from './render-options.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Warning } from '#kernel/warnings.ts';
import type { BrowserKind } from './binaries.ts';
import { capture } from './capture.ts';
import { CAPTURE_BUFFER, watchCaptures } from './captures.ts';
import { handOn } from './clearance.ts';
import { BrowserGone } from './devtools.ts';
import { type MainDocument, watchDocument } from './document.ts';
import type { ResponseHead } from './interception.ts';
import { lendSession } from './lent-session.ts';
import { emulate } from './emulation.ts';
import { clear } from './freeze.ts';
import type { Exit } from './exit.ts';
import { BLOCKED_URLS } from './overlays.ts';
import { ACCEPT, type PageState, type SnapshotMode, take } from './scripts.ts';
import { ask, type Loading, waitAsAsked, waitUntilStill } from './stillness.ts';
import type { Tab } from './tab.ts';
import { watchTraffic } from './traffic.ts';

export type RenderVisitOptions = {
  readonly request: PageRequest;
  readonly kind: BrowserKind;
  readonly version: number;
  readonly limits: VisitLimits;
  readonly exit: Exit;
  readonly clock: Clock;
};

/** Everything that a page loads, over the size of one document. */
const LOADED_FACTOR = 2;
/** Documents in the main frame, one after the other. */
const MAX_DOCUMENTS = 20;
/** The limit for a challenge's own script to finish. */
export const MAX_CHALLENGE_MS = 12_000;
const POLL_MS = 250;
/** Kept for taking the page after the last wait for its text. */
const KEPT_MS = 1_000;
/** A page that shows less than this may be waiting for its visitor's consent. */
const LITTLE_CHARS = 600;

const CUT: Warning = {
  code: 'truncated',
  message: 'the target stopped before all of the page had come; this is what the browser shows of it',
};

/** Where a frame may go; renderers refuse the rest by themselves, and this does not rely on it. */
const SCHEMES: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'about:',
  'data:',
  'blob:',
  'javascript:',
  'chrome-error:',
]);

/** Schemes of the machine and of the browser itself: a page that navigates to one is left, whether it would load or not. */
const OWN_SCHEMES: ReadonlySet<string> = new Set([
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

/** Gets and classifies one page in an open tab: the rendered HTML, or the bytes of what is not HTML. */
export async function visitIn(tab: Tab, options: RenderVisitOptions): Promise<ClassifiedPage> {
  const { request, clock } = options;
  const renderOptions = request.browser ?? DEFAULT_RENDER_OPTIONS;
  const lent = await lendSession(tab, request, clock);
  const { isShown, isCut, lostBy } = watchFrames(tab);
  const captures = watchCaptures(tab, request.captures);
  const [traffic, main] = await prepare(tab, options, renderOptions);
  const arrival = { main, isCut, lostBy, wireBytes: traffic.wireBytes, exit: options.exit };
  const loading: Loading = {
    tab,
    traffic,
    isLoaded: () => isShown() || main.taken() !== null,
    isStatic: () => isSandboxed(main.head()),
    isLeaving: () => REFRESH.test(main.head()?.headers['refresh'] ?? ''),
    isRefused: async () => BLOCKS.has(await outcomeOf(tab, { arrival, options })),
    leftMs() {
      // A selector says when the page is complete.
      if (main.taken() !== null || renderOptions.waitForSelector !== null) return 0;
      return (request.leftMs?.() ?? Infinity) - renderOptions.waitMs - KEPT_MS;
    },
    visitLeftMs: () => request.leftMs?.() ?? Infinity,
    clock,
  };
  const since = clock.monotonic();
  await navigate(tab, main, options);
  refuseLost(arrival);
  request.onAnswer?.(main.head()?.status ?? 200, since);
  const look = main.taken() === null ? await waitUntilStill(loading) : null;
  const waitsOut = main.taken() === null && options.kind === 'full';
  const challenge = waitsOut ? await waitOutChallenge(loading, { arrival, options }) : 'none';
  // A page that refuses does not have the requested elements.
  const isRefused =
    challenge === 'stands' || (look !== null && renderOptions.waitForSelector !== null && (await loading.isRefused()));
  if (main.taken() === null && !isRefused) await waitAsAsked({ ...loading, captured: captures.count }, renderOptions);
  if (main.taken() === null && !isRefused && look !== null) await openUp(loading, look);
  const shown = await toPage(tab, arrival, { limits: options.limits, mode: 'cleaned' });
  const classification = classify(shown, { requested: request.url, rendered: true });
  await lent?.takeBack(main);
  if (main.taken() !== null) return { page: shown, classification };
  const page = request.captures === undefined ? shown : { ...shown, captures: await captures.taken() };
  await handOn(tab, { request, main, page, classification, waited: challenge !== 'none' });
  const { artifacts, warnings } = await capture(tab, renderOptions);
  if (artifacts.length === 0) return { page, classification };
  return { page: { ...page, artifacts, warnings: [...page.warnings, ...warnings] }, classification };
}

async function prepare(tab: Tab, options: RenderVisitOptions, renderOptions: RenderOptions) {
  const { request, kind, version, limits, exit } = options;
  const isLight = kind === 'shell';
  const [traffic, main] = await Promise.all([
    watchTraffic(tab, LOADED_FACTOR * limits.decodedBytes, request.captures === undefined ? undefined : CAPTURE_BUFFER),
    watchDocument(tab, { request, limits, exit, without: isLight ? ['Image', 'Media', 'Font'] : [] }),
    tab.set('Page.enable'),
    tab.set('Inspector.enable'),
    // The service worker of an earlier page would fetch this one outside of the interception.
    tab.set('Network.setBypassServiceWorker', { bypass: true }),
    emulate(tab, { kind, version, renderOptions }),
    ...(isLight ? [tab.set('Network.setBlockedURLs', { urls: BLOCKED_URLS })] : []),
  ]);
  return [traffic, main] as const;
}

/** Whether an answer says that its scripts may not run (CSP level 3, `sandbox`). */
function isSandboxed(head: ResponseHead | null): boolean {
  const directives = (head?.headers['content-security-policy'] ?? '').toLowerCase().split(/[;,]/);
  return directives.some((directive) => {
    const [name, ...allowed] = directive.trim().split(/\s+/);
    return name === 'sandbox' && !allowed.includes('allow-scripts');
  });
}

const Frame = z.object({
  frame: z.object({ url: z.string(), parentId: z.string().optional(), loaderId: z.string() }),
});
const Lost = z.object({
  requestId: z.string(),
  type: z.string().optional(),
  errorText: z.string().optional(),
  canceled: z.boolean().optional(),
});
const Ended = z.object({ requestId: z.string() });
const Answered = z.object({
  requestId: z.string(),
  frameId: z.string().optional(),
  type: z.string(),
  response: z.object({ status: z.number() }),
});
const Going = z.object({ url: z.string() });
const Stopped = z.object({ frameId: z.string() });

/** The state of the document that the main frame shows. */
type Shown = {
  readonly isShown: () => boolean;
  /** Whether it ended before it was all there, or still comes. */
  readonly isCut: () => boolean;
  /** Chromium's error of the last document that did not come. */
  readonly lostBy: () => string;
};

/** Follows the frames of a page: ends the visit where one may not go, and tells whether the main one is loaded. */
function watchFrames(tab: Tab): Shown {
  let isLoaded = false;
  let isCut = false;
  let lostBy = '';
  let documents = 0;
  let status = 0;
  let loaderId: string | null = null;
  /** The request of a document whose body still comes. */
  let coming: string | null = null;
  tab.listen(({ method, params }) => {
    // Before that, events are of the page that the context showed last.
    const isOurs = documents > 0;
    if (method === 'Page.loadEventFired') isLoaded = isOurs;
    // A page that opens an external program while it is loading stops there, and has no load event.
    if (method === 'Page.frameStoppedLoading' && Stopped.parse(params).frameId === tab.id) isLoaded = isOurs;
    if (method === 'Page.frameStartedNavigating' || method === 'Page.frameRequestedNavigation') {
      // Links to programs of a visitor, such as mailto:, load nothing.
      const { url } = Going.parse(params);
      if (OWN_SCHEMES.has(URL.parse(url)?.protocol ?? '')) refuseScheme(tab, url);
    }
    if (method === 'Network.responseReceived') {
      const { requestId, frameId, type, response } = Answered.parse(params);
      if (type === 'Document' && frameId === tab.id) {
        ({ status } = response);
        coming = requestId;
      }
    }
    if (method === 'Network.loadingFinished' && Ended.parse(params).requestId === coming) coming = null;
    if (method === 'Network.loadingFailed') {
      const { requestId, type, errorText = '', canceled } = Lost.parse(params);
      if (requestId === loaderId && canceled !== true) isCut = true;
      if (type === 'Document' && canceled !== true) lostBy = errorText;
    }
    if (method !== 'Page.frameNavigated') return;
    const { url, parentId, loaderId: loading } = Frame.parse(params).frame;
    refuseScheme(tab, url);
    if (parentId !== undefined) return;
    isLoaded = false;
    isCut = false;
    loaderId = loading;
    documents += 1;
    if (documents > MAX_DOCUMENTS) tab.fail(neverStays(status));
  });
  return {
    isShown: () => isLoaded,
    isCut: () => isCut || (coming !== null && coming === loaderId),
    lostBy: () => lostBy,
  };
}

/** A page that refuses and loads itself again is a wall that lets nobody in. */
function neverStays(status: number): Error {
  if (status === 403) return failed('blocked', 'the target blocked access', { reason: 'reloads', status });
  return failed('unusable', 'the page never stays', { reason: 'redirects', isPermanent: true });
}

function refuseScheme(tab: Tab, url: string): void {
  const scheme = URL.parse(url)?.protocol;
  if (scheme === undefined || SCHEMES.has(scheme)) return;
  tab.fail(strayPage());
}

const Navigation = z.object({ errorText: z.string().optional() });

async function navigate(tab: Tab, main: MainDocument, { request, exit }: RenderVisitOptions): Promise<void> {
  const url = request.arrived === undefined ? request.url : new URL(request.arrived.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw new InvariantError(`a browser was sent to ${url.protocol}`);
  // Where nothing but the fragment differs a browser would stay at the page that it shows.
  if (tab.shown.isFrozen && url.hash !== '') await clear(tab);
  main.begin();
  const { errorText } = Navigation.parse(await tab.send('Page.navigate', { url: url.href }));
  tab.signal.throwIfAborted();
  if (errorText === undefined || main.taken() !== null || main.head() !== null) return;
  // Only the end of the page aborts a first navigation.
  if (errorText === 'net::ERR_ABORTED') throw new BrowserGone('the page was closed');
  throw exit.failureOf(main.asked() ?? url) ?? toFailure(errorText);
}

/**
 * Throws the error of a document that did not come: an answer of the egress proxy itself has its mark, and a document
 * without an answer leaves a page of the browser's own.
 */
function refuseLost({ main, exit, lostBy }: Arrival, shown = ''): void {
  const head = main.head();
  if (head?.headers[EGRESS_HEADER] !== undefined) {
    const failure = exit.failureOf(new URL(head.url));
    if (failure !== null) throw failure;
  }
  const lost = shown.startsWith('chrome-error:') ? main.unanswered() : null;
  if (lost !== null) throw exit.failureOf(lost) ?? toFailure(lostBy());
}

/** The error for the caller by Chromium's (its list of net errors). */
export function toFailure(error: string): Error {
  const facts = { reason: error.replace(/^net::ERR_/, '').toLowerCase() };
  if (/CERT|SSL/.test(error)) return toTlsFailure(error.replace(/^net::ERR_/, ''), {});
  if (/TIMED_OUT/.test(error)) return failed('timeout', 'the target did not answer in time', facts);
  if (/ERR_PROXY|UNEXPECTED_PROXY/.test(error)) return failed('render_failed', 'the browser found no way out', facts);
  if (/REDIRECT|URL_SCHEME/.test(error)) return strayRedirect(facts);
  if (/INVALID|HEADERS|DECODING|HTTP2|CONTENT_LENGTH|CHUNKED/.test(error)) {
    const isPermanent = /INVALID|HEADERS|DECODING/.test(error);
    return failed('unusable', 'the target sent a malformed answer', { ...facts, isPermanent });
  }
  return toUnreached(error.replace(/^net::/, ''), { cause: new Error(error) });
}

type Arrival = Pick<Shown, 'isCut' | 'lostBy'> & {
  readonly main: MainDocument;
  readonly wireBytes: () => number;
  readonly exit: Exit;
};
type Wait = { readonly arrival: Arrival; readonly options: RenderVisitOptions };

/** Lets a challenge's own script run, until the page is no longer a challenge or the time is up. */
async function waitOutChallenge(loading: Loading, { arrival, options }: Wait): Promise<'none' | 'cleared' | 'stands'> {
  const { tab, clock } = loading;
  const leftMs = (options.request.leftMs?.() ?? Infinity) - KEPT_MS;
  const until = clock.monotonic() + Math.min(MAX_CHALLENGE_MS, leftMs);
  let waited = false;
  while (arrival.main.taken() === null && (await outcomeOf(tab, { arrival, options })) === 'challenge') {
    waited = true;
    // A visit that ends here is classified as a challenge, and one whose time is up could not be.
    if (clock.monotonic() >= until) return 'stands';
    await clock.sleep(POLL_MS, tab.signal);
  }
  if (waited) await waitUntilStill(loading);
  return waited ? 'cleared' : 'none';
}

async function outcomeOf(tab: Tab, { arrival, options }: Wait): Promise<Outcome> {
  const page = await toPage(tab, arrival, { limits: options.limits, mode: 'as it is' });
  return classify(page, { requested: options.request.url, rendered: true }).outcome;
}

/** Agrees for a page that shows little before its visitor does. */
async function openUp(loading: Loading, { chars }: PageState): Promise<void> {
  if (chars < LITTLE_CHARS && (await ask(loading.tab, ACCEPT))) await waitUntilStill(loading);
}

type Taking = { readonly limits: VisitLimits; readonly mode: SnapshotMode };

async function toPage(tab: Tab, arrival: Arrival, { limits, mode }: Taking): Promise<Page> {
  const { main, isCut, wireBytes } = arrival;
  const { decodedBytes } = limits;
  const taken = main.taken();
  const warnings = isCut() ? [...main.warnings(), CUT] : main.warnings();
  if (taken !== null) {
    const { body, headers, ...head } = taken;
    return { ...head, headers, contentType: headers['content-type'] ?? '', body, wireBytes: body.byteLength, warnings };
  }
  const { url, html } = await ask(tab, take(decodedBytes, mode));
  refuseLost(arrival, url);
  if (html === null) throw pageTooLarge(decodedBytes, { reason: 'decoded_bytes' });
  const head = main.head();
  if (head === null) throw unreachable();
  const shown = toShown(head, url, html);
  return { ...shown, status: head.status, headers: head.headers, wireBytes: wireBytes(), warnings };
}

/** An answer without a body shows a page of the browser's own, which is not the target's. */
function toShown(head: ResponseHead, url: string, html: string) {
  if (url.startsWith('chrome-error:')) {
    return { url: head.url, contentType: head.headers['content-type'] ?? '', body: new Uint8Array() };
  }
  return { url, contentType: 'text/html; charset=utf-8', body: new Uint8Array(Buffer.from(html, 'utf8')) };
}
