import { z } from 'zod';
import { failed, SELECTOR_UNMATCHED } from '#access/failure.ts';
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
  /** Whether the document and its resources have come. */
  readonly isLoaded: () => boolean;
  /** Whether no script runs in the document, so that no timer of ours would end. */
  readonly isStatic: () => boolean;
  /** The time that is left to wait for text where next to none is shown, ms; 0 for no wait. */
  readonly getTextLeftMs: () => number;
  /** The time that is left of the visit, ms. */
  readonly getVisitLeftMs: () => number;
  /** Whether the head of the document leads elsewhere after a while. */
  readonly isLeaving: () => boolean;
  /** Whether the document as it stands is a refusal, so that nothing better is to be waited for. */
  readonly isRefused: () => Promise<boolean>;
  readonly clock: Clock;
};

/** A page counts as still after this time without a change, ms. */
const STABLE_MS = 100;
/** The limits for a page that keeps changing, and for one whose images never end: it is taken as it is then. */
const MAX_CHANGING_MS = 3_000;
const MAX_LOADING_MS = 8_000;
/** The limit for requests of a loaded page, and for a page that shows that it is loading. */
const MAX_PENDING_MS = 6_000;
const POLL_MS = 250;
/** Below this a page shows next to no text; where scripts may fill it, the limit for that after it is loaded. */
const MIN_CHARS = 200;
const MAX_EMPTY_MS = 5_000;
const EMPTY_POLL_MS = 100;
/** An answer to a script's own question needs a moment to be shown. */
const SCROLL_LIMITS = { stepMs: 80, mostMs: 8_000, mostPx: 100_000 };
/** The longest that one question to a page waits; more is asked again. */
const MAX_WAIT_MS = 60_000;

/**
 * Waits until a page is complete: loaded, no request under way, its tree still, no sign that more comes, and
 * some text where it may fill itself.
 */
export async function waitUntilStable(loading: LoadingPage): Promise<PageState> {
  const { tab, traffic, isLoaded, isStatic, clock } = loading;
  // Requests that kept a page from being loaded for this time are not waited for again.
  const mostPendingMs = (await tab.waitUntil(isLoaded, MAX_LOADING_MS)) ? MAX_PENDING_MS : 0;
  if (isStatic()) return runScript(tab, PAGE_STATE);
  const began = clock.monotonic();
  const since = (): number => clock.monotonic() - began;
  let stirredMs = 0;
  let isRefused: boolean | null = null;
  let wasLacking = false;
  for (;;) {
    // The last answer changes the page a moment later.
    await tab.waitUntil(() => traffic.inFlight() === 0, mostPendingMs - since());
    const leftMs = Math.min(stirredMs + MAX_CHANGING_MS, Math.max(mostPendingMs, MAX_CHANGING_MS)) - since();
    const look = await runScript(tab, buildStableStateScript(STABLE_MS, Math.max(0, leftMs)));
    if (since() >= mostPendingMs) return look;
    if (traffic.inFlight() > 0) continue;
    const mayFill = (look.isAlive || loading.isLeaving()) && loading.getTextLeftMs() > 0;
    const isLacking = mayFill && isNearlyEmpty(look) && !(isRefused ??= await loading.isRefused());
    // Text may be shown without a change of the tree, and is then not seen to stir.
    if (!isLacking && !look.isLoading && !wasLacking) return look;
    if (isLacking || look.isLoading) await clock.sleep(isLacking ? EMPTY_POLL_MS : POLL_MS, tab.signal);
    wasLacking = isLacking;
    stirredMs = since();
  }
}

/** Whether a page shows next to no text and is young enough that more may come. */
export function isNearlyEmpty({ chars, ageMs }: PageState): boolean {
  return chars < MIN_CHARS && ageMs < MAX_EMPTY_MS;
}

/** A page that is used before it is taken; `captured` counts the answers of its own requests that are kept. */
type ActivePage = LoadingPage & { readonly captured: () => number };

/** Does the waits, clicks and scrolls of the request before the page is taken. Throws `timeout` by the tab's signal only. */
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

/** How long a round waits for a sign that more is loaded, and the time that must be left for one, ms. */
const MAX_RESPONSE_WAIT_MS = 1_500;
const MIN_ROUND_MS = 2_500;

/** Loads more of a page round by round, until one brings no answer and leaves the page as long as it was. */
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
    throw failed('timeout', 'nothing matched wait_for_selector in time', { reason: SELECTOR_UNMATCHED, cause: error });
  }
  if (isThere === null) {
    throw new ServiceError('invalid_request', 'wait_for_selector: is not a selector that a browser knows');
  }
}

/** Runs a script on the page. */
export async function runScript<T>(tab: Tab, { expression, result }: Script<T>): Promise<T> {
  return tab.evaluate(expression, result);
}

/** The traffic of a page. */
type Traffic = {
  /** Requests under way whose answers may change the visible page. */
  readonly inFlight: () => number;
  /** Bytes received on the wire by requests that have ended. */
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

/** Bytes of answers that the browser holds back, so that they can be asked for. */
type ResponseBufferSizes = { readonly maxTotalBufferSize: number; readonly maxResourceBufferSize: number };

const NO_BUFFER: ResponseBufferSizes = { maxTotalBufferSize: 0, maxResourceBufferSize: 0 };

/** Watches the traffic of a page, and ends the visit when it is more than `mostBytes`. */
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
  return failed('too_large', message, { reason: 'loaded_bytes', bytes: mostBytes });
}
