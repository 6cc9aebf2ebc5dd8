import { classifyVisits } from '#access/classify/classifier.ts';
import { findAttemptFailure, buildFailure, buildTooManyRedirects, addFailureFacts } from '#access/failure.ts';
import type { IpAddress } from '#access/guard/addresses.ts';
import type { Guard } from '#access/guard/guard.ts';
import { MAX_UNCOUNTED_BYTES, type VisitLimits, removeFirstByteLimit } from '#access/limits.ts';
import {
  type ClassifiedPage,
  type Page,
  type PageRequest,
  type TierVisit,
  type Submission,
  type Visit,
  isSpent,
  runTimed,
} from '#access/page.ts';
import type { Upstream } from '#access/proxy/tunnel.ts';
import type { Clock } from '#kernel/clock.ts';
import { freeBuffer } from '#kernel/memory-budget.ts';
import { type WorkOwner, SERVICE_OWNER } from '#kernel/fair-queue.ts';
import type { Warning } from '#kernel/warnings.ts';
import { adaptProfile, type HeaderProfile, toRequestHeaders, overrideProfile } from './browser-headers.ts';
import { createConnectionPools } from './connection-pools.ts';
import { decodeContent, type DecodedBody, computeMaxDecodedBytes } from './content-decoding.ts';
import { createVisitCookies } from './cookies.ts';
import { isBrokenSocket, sendRequest, type ExchangeRequest } from './exchange.ts';
import type { Impersonation } from './impersonation.ts';
import { listRedirectWarnings, isRedirect, type RawResponse } from './response-head.ts';

export type HttpOptions = {
  readonly guard: Guard;
  readonly limits: VisitLimits;
  readonly profile: HeaderProfile;
  /** Certificate authorities (PEM) trusted in addition to the system's. */
  readonly authorities: readonly string[];
  readonly clock: Clock;
  /** Repeats a visit with a browser's TLS fingerprint if a target rejects ours; null to never do so. */
  readonly impersonation?: Impersonation | null;
};

/** Visits by HTTP, direct or through a proxy exit. */
export type Http = {
  readonly visit: Visit;
  /** The tier `http`: `visit`, repeated with impersonation if that may help. */
  readonly tier: TierVisit;
  /** As `tier` but through a proxy and without impersonation; may also fail with `proxy_error`. */
  readonly visitThrough: (upstream: Upstream) => TierVisit;
  readonly close: () => Promise<void>;
};

/**
 * Creates the tier `http`: requests with browser headers, each hop checked by the guard, no scripts. A visit throws
 * `target_unreachable`, `timeout`, `content_too_large` or `unusable_response`.
 */
export function createHttp({ guard, limits, profile, authorities, clock, impersonation = null }: HttpOptions): Http {
  const pools = createConnectionPools({ limits, authorities, clock });

  /** Sends the request of one hop, direct or through a proxy. */
  const sendBy =
    (upstream: Upstream | null): SendHop =>
    async ({ addresses, party = SERVICE_OWNER, insecureTls = false, ...hop }) => {
      const connections = pools.poolFor({ origin: hop.url.origin, addresses, upstream, insecureTls });
      // If the signal has fired, `sendRequest` throws the right error.
      const leave = await (hop.runUntimed ?? runTimed)(async () => connections.queue.acquire(party, hop.signal)).catch(
        () => releaseNothing,
      );
      return sendRequest(connections, hop).finally(leave);
    };

  async function travel(request: PageRequest, send: SendHop, signal: AbortSignal): Promise<Page> {
    const { challengeCookies, share, session, party, runUntimed } = request;
    const bounds = request.isLastTier === true ? removeFirstByteLimit(limits) : limits;
    const jar = createVisitCookies({ given: challengeCookies?.cookies ?? [], session, now: clock.now });
    const warnings: Warning[] = [];
    const visitor = overrideProfile(adaptProfile(profile, request.browser), challengeCookies?.headers ?? {});
    let { url } = request;
    let wireBytes = 0;
    let atHome = true;
    let { submission } = request;
    const way = { limits: bounds, clock, signal, share, party, runUntimed, insecureTls: request.insecureTls };
    for (let hop = 0; hop <= limits.redirects; hop += 1) {
      const addresses = await guard.resolve(url, signal);
      const cookie = jar.buildHeader(url, atHome ? request.cookies : []);
      const headers = toRequestHeaders(visitor, listOwnHeaders(request, { atHome, submission }), cookie);
      const seen = request.recorder?.({ url, headers });
      const answer = await send({ url, addresses, headers, submission, ...way, onReceived: seen });
      wireBytes += answer.wire.byteLength;
      jar.store(answer.setCookies, url);
      if (!isRedirect(answer.status))
        return toPage(answer, { url, wireBytes, warnings, limits, share, runUntimed, signal });
      const next = guard.parseRedirect(parseLocation(answer), url);
      if (next.hash === '') next.hash = url.hash;
      if ((await request.follows?.(next, signal)) === false)
        return toUnfollowedPage(answer, { url: next, wireBytes, warnings });
      warnings.push(...listRedirectWarnings(url, next));
      atHome &&= next.origin === request.url.origin;
      if (becomesGet(answer.status, submission)) submission = undefined;
      url = next;
    }
    throw buildTooManyRedirects(limits);
  }

  const by =
    (send: SendHop): Visit =>
    async (request, signal) =>
      travel(request, send, signal);
  const direct = by(sendBy(null));
  return {
    visit: direct,
    tier:
      impersonation === null
        ? classifyVisits(direct, UNRENDERED)
        : addImpersonation(classifyVisits(direct, UNRENDERED), classifyVisits(by(impersonation), UNRENDERED)),
    visitThrough: (upstream) => classifyVisits(by(sendBy(upstream)), UNRENDERED),
    close: pools.close,
  };
}

function releaseNothing(): void {}

/** Whether a redirect changes the method to GET (Fetch standard, HTTP-redirect fetch). */
function becomesGet(status: number, submission: Submission | undefined): boolean {
  return status === 303 || ((status === 301 || status === 302) && submission?.method === 'POST');
}

/** The headers of the caller for one hop, and the content type of the body. */
function listOwnHeaders(
  { headers }: PageRequest,
  { atHome, submission }: { readonly atHome: boolean; readonly submission: Submission | undefined },
): Readonly<Record<string, string>> {
  const own = atHome ? headers : {};
  const contentType = submission?.contentType ?? null;
  return contentType === null ? own : { ...own, 'content-type': contentType };
}

const UNRENDERED = { rendered: false };

type HopRequest = ExchangeRequest & {
  readonly addresses: readonly IpAddress[];
  readonly party: WorkOwner | undefined;
  readonly insecureTls: boolean | undefined;
};
type SendHop = (hop: HopRequest) => Promise<RawResponse>;

const TRUNCATED_WARNING: Warning = {
  code: 'truncated',
  message: 'the compressed page was truncated or damaged; the result contains the readable part',
};

const INCOMPLETE_WARNING: Warning = {
  code: 'truncated',
  message: 'the target sent only a part of the page; the result contains that part',
};

type HopState = {
  readonly url: URL;
  readonly wireBytes: number;
  readonly warnings: readonly Warning[];
};

type DecodeOptions = Pick<PageRequest, 'share' | 'runUntimed'> & {
  readonly limits: VisitLimits;
  readonly signal: AbortSignal;
};

function toUnfollowedPage({ status, headers }: RawResponse, { url, wireBytes, warnings }: HopState): Page {
  return { url: url.href, status, headers, contentType: '', body: new Uint8Array(), wireBytes, warnings };
}

async function toPage(
  answer: RawResponse,
  { url, wireBytes, warnings, ...decoding }: HopState & DecodeOptions,
): Promise<Page> {
  const { status, headers, wire, failure } = answer;
  const { body, truncated } = await decodeWithinMemory(wire, headers['content-encoding'] ?? '', decoding).catch(
    (error: unknown) => {
      throw addFailureFacts(error, { status, bytes: wireBytes });
    },
  );
  const { byteLength } = wire;
  const page = (all: readonly Warning[]): Page => ({
    url: url.href,
    status,
    headers,
    contentType: headers['content-type'] ?? '',
    body,
    wireBytes,
    warnings: all,
  });
  if (body !== wire) freeBuffer(wire);
  if (body !== wire && byteLength > MAX_UNCOUNTED_BYTES) decoding.share?.shrink(byteLength);
  if (failure !== undefined) throw addFailureFacts(failure, { partial: page([...warnings, INCOMPLETE_WARNING]) });
  return page(truncated ? [...warnings, TRUNCATED_WARNING] : warnings);
}

/** Decodes a body; a large result is decoded only when there is memory for its maximum size. */
async function decodeWithinMemory(
  wire: RawResponse['wire'],
  coding: string,
  { limits, share, runUntimed = runTimed, signal }: DecodeOptions,
): Promise<DecodedBody> {
  if (coding === '' || share === undefined) return decodeContent(wire, coding, limits);
  const small = { ...limits, decodedBytes: Math.min(limits.decodedBytes, MAX_UNCOUNTED_BYTES) };
  try {
    return await decodeContent(wire, coding, small);
  } catch (error) {
    if (findAttemptFailure(error)?.outcome !== 'too_large') throw error;
  }
  const most = computeMaxDecodedBytes(wire, limits);
  await runUntimed(async () => share.grow(most, signal));
  const decoded = await decodeContent(wire, coding, limits);
  share.shrink(most - decoded.body.byteLength);
  return decoded;
}

/** The Location header. Header bytes arrive as Latin-1; like browsers, this reads them as UTF-8 if they are valid. */
function parseLocation({ headers, status }: RawResponse): string {
  const location = headers['location'];
  if (location === undefined) {
    const message = 'the target redirects without a Location header';
    throw buildFailure('unusable', message, { reason: 'redirect', status, isPermanent: true });
  }
  const bytes = Buffer.from(location, 'latin1');
  const text = bytes.toString('utf8');
  return text.includes('\ufffd') ? location : text;
}

/**
 * Repeats a visit once with the TLS handshake of a browser if the first one was probably rejected for its handshake: the
 * connection was closed before a response, or the response was a bare 403. If the second one is not better, the first result
 * is returned.
 */
export function addImpersonation(visit: TierVisit, impersonated: TierVisit): TierVisit {
  return async function visitTwice(request, signal) {
    const first = await visit(request, signal).catch((error: unknown) => {
      if (request.url.protocol === 'https:' && isBrokenSocket(error) && !isSpent(request)) return { error };
      throw error;
    });
    if (!('error' in first) && (!isBareRefusal(first, request) || isSpent(request))) return first;
    const second = await impersonated(request, signal).catch(() => null);
    if (second !== null && !isBareRefusal(second, request)) {
      const wireBytes = getWireBytes(first) + second.page.wireBytes;
      return { ...second, page: { ...second.page, wireBytes } };
    }
    if ('error' in first) throw first.error;
    return first;
  };
}

/** A 403 without a known vendor and without scripts for a browser. */
function isBareRefusal({ page, classification: { outcome, reason } }: ClassifiedPage, { url }: PageRequest): boolean {
  return page.status === 403 && url.protocol === 'https:' && outcome === 'blocked' && reason === undefined;
}

function getWireBytes(first: ClassifiedPage | { readonly error: unknown }): number {
  return 'error' in first ? 0 : first.page.wireBytes;
}
