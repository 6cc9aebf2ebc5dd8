import { isErrorPage } from '#access/classify/error-page.ts';
import { type Page, type PageRequest, type Tier, TIERS } from '#access/page.ts';
import type { ServedTier } from '#engine/credits/prices.ts';
import {
  type Frame,
  isUnsafeUrl,
  buildCutFramesWarning,
  type FrameNote,
  buildUnreadFramesWarning,
} from '#extract/urls/find-frames.ts';
import { type FrameResults, DEFAULT_READ_OPTIONS, type PlacedDocument, type ReadRequest } from '#extract/reading.ts';
import { removeFragment } from '#extract/urls/url-parts.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Warning } from '#kernel/warnings.ts';

/** How deep frames are nested at most, and the most frames of a page. */
const MAX_FRAME_DEPTH = 3;
const MAX_FRAMES = 10;
/** Total bytes of all frames of a page. */
const MAX_FRAME_BYTES = 16 * 1024 * 1024;
/** Time limit for all frames of a page, and the share of the remaining time that they may use. */
const MAX_FRAMES_MS = 15_000;
const MAX_TIME_SHARE = 0.6;

/** Fetches the document of a frame. Throws a `ServiceError`, or the abort reason of the signal. */
export type LoadFrame = (url: string, conditions: FrameConditions) => Promise<Page>;

export type FrameConditions = { readonly withinMs: number; readonly signal: AbortSignal };

export type FrameParts<Q, R> = {
  readonly read: (request: Q) => Promise<R>;
  readonly load: LoadFrame;
  /** Remaining time of the page, ms. */
  readonly leftMs: number;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'deadline' | 'monotonic'>;
};

type FrameReading = FrameResults & { readonly warnings: readonly Warning[] };

/** The frames of one page while they are loaded. */
type FrameWork<Q, R> = FrameParts<Q, R> & {
  /** Aborts when the time limit of the frames is reached. */
  readonly ending: AbortSignal;
  readonly until: number;
  /** URLs that are already part of the page. */
  readonly met: Set<string>;
  readonly unread: FrameNote[];
  /** Frames whose documents were truncated. */
  readonly cut: FrameNote[];
  count: number;
  bytes: number;
};

/**
 * Parses a page with the documents of its frames at the positions of the frames, if requested. Each URL is included once, because
 * frames may be circular. A frame that cannot be loaded causes a warning.
 */
export async function readWithFrames<Q extends ReadRequest, R extends FrameReading>(
  request: Q,
  parts: FrameParts<Q, R>,
): Promise<R> {
  const reading = await parts.read(request);
  if (request.frames === undefined || request.frames === null || reading.frames.length === 0) return reading;
  const withinMs = Math.max(1, Math.min(MAX_FRAMES_MS, Math.floor(parts.leftMs * MAX_TIME_SHARE)));
  const work: FrameWork<Q, R> = {
    ...parts,
    ending: parts.clock.deadline(withinMs, parts.signal),
    until: parts.clock.monotonic() + withinMs,
    met: new Set([removeFragment(request.url)]),
    unread: [],
    cut: [],
    count: 0,
    bytes: 0,
  };
  const placed = await placeFrames(work, request, { frames: reading.frames, depth: 1 });
  const whole = placed.length === 0 ? reading : await parts.read({ ...request, frames: placed });
  const { unread, cut } = work;
  const warnings = [
    ...(cut.length === 0 ? [] : [buildCutFramesWarning(cut)]),
    ...(unread.length === 0 ? [] : [buildUnreadFramesWarning(unread)]),
  ];
  return warnings.length === 0 ? whole : { ...whole, warnings: [...whole.warnings, ...warnings] };
}

type FrameLevel = { readonly frames: readonly Frame[]; readonly depth: number };

async function placeFrames<Q extends ReadRequest, R extends FrameReading>(
  work: FrameWork<Q, R>,
  request: Q,
  { frames, depth }: FrameLevel,
): Promise<readonly PlacedDocument[]> {
  const read = await Promise.all(
    frames.map(async (frame, at): Promise<readonly PlacedDocument[]> => {
      try {
        const html = await readFrame(work, request, { frame, depth });
        return html === null ? [] : [{ at, html }];
      } catch (error) {
        work.signal.throwIfAborted();
        if (!(error instanceof ServiceError) && !work.ending.aborted) throw error;
        work.unread.push({ frame, reason: error instanceof ServiceError ? error.message : 'it takes too long' });
        return [];
      }
    }),
  );
  return read.flat();
}

type FrameAt = { readonly frame: Frame; readonly depth: number };

/** Returns the HTML of a frame; null if its document is already part of the page. */
async function readFrame<Q extends ReadRequest, R extends FrameReading>(
  work: FrameWork<Q, R>,
  page: Q,
  { frame, depth }: FrameAt,
): Promise<string | null> {
  if (frame.kind === 'address' && !addIfNew(work.met, frame.url)) return null;
  if (frame.kind === 'address') assertSafe(frame.url);
  if (depth > MAX_FRAME_DEPTH) throw createSkippedError(`deeper than ${MAX_FRAME_DEPTH} frames`);
  work.count += 1;
  if (work.count > MAX_FRAMES) throw createSkippedError(`only ${MAX_FRAMES} frames of a page are loaded`);
  const { warnings, ...document } = await loadDocument(work, frame);
  const request: Q = { ...page, ...FRAME_OPTIONS, ...document };
  work.bytes += request.body.byteLength;
  if (work.bytes > MAX_FRAME_BYTES)
    throw createSkippedError(`the frames of a page may have at most ${MAX_FRAME_BYTES / 2 ** 20} MiB in all`);
  work.met.add(removeFragment(request.url));
  const first = await work.read(request);
  work.cut.push(
    ...[...warnings, ...first.warnings].flatMap(({ code, message }) =>
      code === 'truncated' ? [{ frame, reason: message }] : [],
    ),
  );
  const placed = await placeFrames(work, request, { frames: first.frames, depth: depth + 1 });
  const whole = placed.length === 0 ? first : await work.read({ ...request, frames: placed });
  return whole.frameHtml ?? null;
}

function addIfNew(met: Set<string>, url: string): boolean {
  const address = removeFragment(url);
  if (met.has(address)) return false;
  met.add(address);
  return true;
}

/** A frame is only parsed for its HTML. */
const FRAME_OPTIONS = {
  ...DEFAULT_READ_OPTIONS,
  reports: false,
  wholeMarkdown: false,
  frames: [],
  isFrame: true,
} as const satisfies Partial<ReadRequest>;

/** The document of a frame, and the warnings of its visit. */
type FrameDocument = Pick<ReadRequest, 'body' | 'contentType' | 'url'> & { readonly warnings: readonly Warning[] };

async function loadDocument<Q, R>(
  { load, ending, until, clock }: FrameWork<Q, R>,
  frame: Frame,
): Promise<FrameDocument> {
  if (frame.kind === 'srcdoc') {
    const body = new TextEncoder().encode(frame.html);
    return { body, contentType: 'text/html; charset=utf-8', url: frame.baseUrl, warnings: [] };
  }
  const withinMs = Math.max(1, Math.floor(until - clock.monotonic()));
  const page = await load(frame.url, { withinMs, signal: ending });
  if (isErrorPage(page))
    throw createSkippedError(page.status >= 400 ? `it returned status ${page.status}` : 'it is empty');
  const { body, contentType, url, warnings } = page;
  return { body, contentType, url, warnings };
}

function createSkippedError(reason: string): ServiceError {
  return new ServiceError('target_blocked', reason);
}

/** Builds the request of a frame: like that of the page, without waits and files. */
export function buildFrameRequest(
  { browser, country }: Pick<PageRequest, 'browser' | 'country'>,
  url: URL,
): Pick<PageRequest, 'url' | 'browser' | 'country' | 'follows'> {
  const plain = { waitForSelector: null, waitMs: 0, scroll: false, screenshot: null, pdf: false };
  return {
    url,
    async follows(to) {
      assertSafe(to.href);
      return true;
    },
    ...(country === undefined ? {} : { country }),
    ...(browser === undefined ? {} : { browser: { ...browser, ...plain } }),
  };
}

function assertSafe(url: string): void {
  if (isUnsafeUrl(url)) throw createSkippedError('its URL may log out or change something');
}

/** Chooses the tiers for frames: none more expensive than the tier that served the page. */
export function chooseFrameTiers(tiers: readonly Tier[], served: ServedTier): readonly Tier[] {
  const costliest = served === 'cache' ? 'http' : served;
  return tiers.filter((tier) => TIERS.indexOf(tier) <= TIERS.indexOf(costliest));
}
