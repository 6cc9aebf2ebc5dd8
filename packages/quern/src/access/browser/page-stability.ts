import { z } from 'zod';
import { buildFailure, SELECTOR_UNMATCHED } from '#access/failure.ts';
import type { LoadMore, RenderOptions } from '#access/page.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import {
  buildWaitForSelectorScript,
  buildClickScript,
  PAGE_STATE,
  type PageState,
  type Script,
  buildScrollScript,
  buildStableStateScript,
  SCROLL_TO_END,
} from './scripts.ts';
import type { Tab } from './tab.ts';

/** A page that is being loaded. */
export type LoadingPage = {
  readonly tab: Tab;
  readonly traffic: Traffic;
  /** Whether the document and its resources are loaded. */
  readonly isLoaded: () => boolean;
  /** Whether the document forbids scripts, so that our timers in it would not fire either. */
  readonly isStatic: () => boolean;
  /** Remaining time to wait for text on a nearly empty page, ms; 0 for no wait. */
  readonly getTextLeftMs: () => number;
  /** Remaining time of the visit, ms. */
  readonly getVisitLeftMs: () => number;
  /** Whether a `Refresh` header redirects after some time. */
  readonly isLeaving: () => boolean;
  /** Whether the current document is a block page, so that waiting does not help. */
  readonly isRefused: () => Promise<boolean>;
  readonly clock: Clock;
};

/** A page counts as stable after this time without a change. */
const STABLE_MS = 100;
/** Time limits for a page that keeps changing, and for one that never finishes loading. */
const MAX_CHANGING_MS = 3_000;
const MAX_LOADING_MS = 8_000;
/** Time limit for requests of a loaded page, and for a page that shows that it is loading. */
const MAX_PENDING_MS = 6_000;
const POLL_MS = 250;
/** A page with less text is nearly empty; the time limit for scripts to fill it after it is loaded. */
const MIN_CHARS = 200;
const MAX_EMPTY_MS = 5_000;
const EMPTY_POLL_MS = 100;
/** Limits of scrolling; after each step, a page needs a moment to show new content. */
const SCROLL_LIMITS = { stepMs: 80, mostMs: 8_000, mostPx: 100_000 };
/** Longest wait of one script in the page; longer waits are repeated. */
const MAX_WAIT_MS = 60_000;

/**
 * Waits until a page is complete: loaded, no pending requests, no DOM changes, no sign of loading, and some text if scripts may
 * add it.
 */
export async function waitUntilStable(loading: LoadingPage): Promise<PageState> {
  const { tab, traffic, isLoaded, isStatic, clock } = loading;
  // Do not wait again for requests that prevented the page from being loaded in time.
  const mostPendingMs = (await tab.waitUntil(isLoaded, MAX_LOADING_MS)) ? MAX_PENDING_MS : 0;
  if (isStatic()) return runScript(tab, PAGE_STATE);
  const began = clock.monotonic();
  const since = (): number => clock.monotonic() - began;
  let stirredMs = 0;
  let isRefused: boolean | null = null;
  let wasLacking = false;
  for (;;) {
    // The last response may change the page a moment later.
    await tab.waitUntil(() => traffic.inFlight() === 0, mostPendingMs - since());
    const leftMs = Math.min(stirredMs + MAX_CHANGING_MS, Math.max(mostPendingMs, MAX_CHANGING_MS)) - since();
    const look = await runScript(tab, buildStableStateScript(STABLE_MS, Math.max(0, leftMs)));
    if (since() >= mostPendingMs) return look;
    if (traffic.inFlight() > 0) continue;
    const mayFill = (look.isAlive || loading.isLeaving()) && loading.getTextLeftMs() > 0;
    const isLacking = mayFill && isNearlyEmpty(look) && !(isRefused ??= await loading.isRefused());
    // Text may become visible without a DOM change.
    if (!isLacking && !look.isLoading && !wasLacking) return look;
    if (isLacking || look.isLoading) await clock.sleep(isLacking ? EMPTY_POLL_MS : POLL_MS, tab.signal);
    wasLacking = isLacking;
    stirredMs = since();
  }
}

/** Whether a page has almost no text and was loaded so recently that more may appear. */
export function isNearlyEmpty({ chars, ageMs }: PageState): boolean {
  return chars < MIN_CHARS && ageMs < MAX_EMPTY_MS;
}

/** A page on which actions run; `captured` counts its captured responses. */
type ActivePage = LoadingPage & { readonly captured: () => number };

/** Runs the waits, clicks and scrolls of the request. Throws `timeout` only when the tab's signal fires. */
export async function runPageActions(loading: ActivePage, renderOptions: RenderOptions): Promise<void> {
  const { tab, clock } = loading;
  if (renderOptions.waitForSelector !== null) await waitForSelector(tab, renderOptions.waitForSelector);
  if (renderOptions.waitMs > 0) await clock.sleep(renderOptions.waitMs, tab.signal);
  for (const selector of renderOptions.click ?? []) {
    if (await runScript(tab, buildClickScript(selector))) await waitUntilStable(loading);
  }
  if (loading.isStatic()) return;
  if (renderOptions.more !== undefined) await loadMore(loading, renderOptions.more);
  if (!renderOptions.scroll) return;
  await runScript(tab, buildScrollScript(SCROLL_LIMITS));
  await waitUntilStable(loading);
}

/** How long a round waits for a new request or response, and the minimum remaining time for a round. */
const MAX_RESPONSE_WAIT_MS = 1_500;
const MIN_ROUND_MS = 2_500;

/** Loads more content round by round, until a round causes no request and does not change the height of the page. */
async function loadMore(loading: ActivePage, { rounds, click: selector }: LoadMore): Promise<void> {
  const { tab, traffic, captured } = loading;
  let height = -1;
  for (let round = 0; round < rounds && loading.getVisitLeftMs() > MIN_ROUND_MS; round += 1) {
    const before = captured();
    const clicked = selector !== null && (await runScript(tab, buildClickScript(selector)));
    const now = await runScript(tab, SCROLL_TO_END);
    if (selector !== null && !clicked && now === height) return;
    const isMoving = await tab.waitUntil(() => captured() > before || traffic.inFlight() > 0, MAX_RESPONSE_WAIT_MS);
    await waitUntilStable(loading);
    if (!isMoving && (await runScript(tab, SCROLL_TO_END)) === now) return;
    height = now;
  }
}

async function waitForSelector(tab: Tab, selector: string): Promise<void> {
  let isThere: boolean | null = false;
  try {
    while (isThere === false) isThere = await runScript(tab, buildWaitForSelectorScript(selector, MAX_WAIT_MS));
  } catch (error) {
    if (!tab.signal.aborted || tab.signal.reason instanceof ServiceError) throw error;
    throw buildFailure('timeout', 'nothing matched wait_for_selector in time', {
      reason: SELECTOR_UNMATCHED,
      cause: error,
    });
  }
  if (isThere === null) {
    throw new ServiceError('invalid_request', 'wait_for_selector: is not a valid CSS selector');
  }
}

/** Runs a script on the page. */
export async function runScript<T>(tab: Tab, { expression, result }: Script<T>): Promise<T> {
  return tab.evaluate(expression, result);
}

/** The traffic of a page. */
type Traffic = {
  /** Number of pending requests that may change the visible page. */
  readonly inFlight: () => number;
  /** Bytes received on the wire by completed requests. */
  readonly wireBytes: () => number;
};

/** Resource types that may change the text; an image does not, and a socket never ends. */
const VISIBLE_TYPES: ReadonlySet<string> = new Set(['Document', 'Stylesheet', 'Script', 'XHR', 'Fetch']);

const RequestSent = z.object({
  requestId: z.string(),
  loaderId: z.string(),
  type: z.string().optional(),
});
const DataReceived = z.object({ dataLength: z.number() });
const LoadingFinished = z.object({ requestId: z.string(), encodedDataLength: z.number() });
const LoadingFailed = z.object({ requestId: z.string() });

/** Sizes of the buffers in which the browser keeps responses. */
type ResponseBufferSizes = { readonly maxTotalBufferSize: number; readonly maxResourceBufferSize: number };

const NO_BUFFER: ResponseBufferSizes = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

/** Watches the traffic of a page and ends the visit if it exceeds `mostBytes`. */
export async function watchTraffic(
  tab: Tab,
  mostBytes: number,
  buffer: ResponseBufferSizes = NO_BUFFER,
): Promise<Traffic> {
  const open = new Set<string>();
  let wireBytes = 0;
  let bytes = 0;
  tab.listen(({ method, params }) => {
    if (method === 'Network.requestWillBeSent') {
      const { requestId, loaderId, type = '' } = RequestSent.parse(params);
      // The script of a worker has no document that loads it, and its end is an event of the worker's own session.
      if (VISIBLE_TYPES.has(type) && loaderId !== '') open.add(requestId);
    } else if (method === 'Network.dataReceived') {
      bytes += DataReceived.parse(params).dataLength;
      if (bytes > mostBytes) tab.fail(buildTooLarge(mostBytes));
    } else if (method === 'Network.loadingFinished') {
      const { requestId, encodedDataLength } = LoadingFinished.parse(params);
      open.delete(requestId);
      wireBytes += Math.max(0, encodedDataLength);
    } else if (method === 'Network.loadingFailed') {
      open.delete(LoadingFailed.parse(params).requestId);
    }
  });
  await tab.setOnce('Network.enable', buffer);
  return { inFlight: () => open.size, wireBytes: () => wireBytes };
}

function buildTooLarge(mostBytes: number): Error {
  const message = `the page loads more than ${mostBytes / 2 ** 20} MiB`;
  return buildFailure('too_large', message, { reason: 'loaded_bytes', bytes: mostBytes });
}
