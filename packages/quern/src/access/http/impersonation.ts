import type { Clock } from '#kernel/clock.ts';
import { type RunUntimed, runTimed, type Submission } from '#access/page.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { MemoryShare } from '#kernel/memory-budget.ts';
import type { EgressProxy } from '#access/egress/egress-proxy.ts';
import { addHeader, isRedirect, type RawResponse } from './response-head.ts';
import { concatBytes } from './content-decoding.ts';
import { buildFailure, buildPageTooLarge, buildUnreachable } from '#access/failure.ts';
import type { VisitLimits } from '#access/limits.ts';

/** The browser of `browser-headers.ts`, by its name in the library. */
const EMULATED_BROWSER = 'chrome_149';

export type ImpersonatedRequest = {
  readonly url: URL;
  /** Alternating names and values, in the order to send. */
  readonly headers: readonly string[];
  /** Absent for a GET. */
  readonly submission?: Submission | undefined;
  /** Whether certificates of the target are accepted unchecked. */
  readonly insecureTls?: boolean | undefined;
  readonly limits: VisitLimits;
  readonly signal: AbortSignal;
  /** Memory share for the body. */
  readonly share?: MemoryShare;
  /** Waits for that memory while the time limit is paused; absent if there is none. */
  readonly runUntimed?: RunUntimed | undefined;
};

/** Sends a request with the TLS ClientHello and HTTP/2 settings of a browser. */
export type Impersonation = (request: ImpersonatedRequest) => Promise<RawResponse>;

/**
 * Creates an impersonation with a browser's TLS and HTTP/2 fingerprint. The library resolves names and connects by itself,
 * so each request goes through the egress proxy with its own credentials; an explicit proxy also makes it ignore proxies of
 * the environment. Throws what `sendRequest` throws.
 */
export function createImpersonation(
  egress: Pick<EgressProxy, 'url' | 'issueCredentials'>,
  clock: Clock,
): Impersonation {
  return async function send({
    url,
    headers,
    submission,
    insecureTls = false,
    limits,
    signal,
    share,
    runUntimed = runTimed,
  }) {
    // Native code of several megabytes that most instances never need.
    const { createTransport, fetch } = await import('wreq-js');
    const credentials = egress.issueCredentials(null);
    const proxy = new URL(egress.url);
    proxy.username = credentials.username;
    proxy.password = credentials.password;
    const patience = new AbortController();
    const tooLate = clock.after(limits.firstByteMs, () => patience.abort());
    const whole = AbortSignal.any([signal, patience.signal]);
    try {
      await using transport = await createTransport({
        browser: EMULATED_BROWSER,
        os: 'linux',
        proxy: proxy.href,
        insecure: insecureTls,
        emulation: { http1Options: { maxBufSize: limits.headerBytes } },
      });
      await submission?.once?.beforeSend();
      const response = await fetch(url, {
        transport,
        headers: toPairs(headers),
        method: submission?.method ?? 'GET',
        body: submission?.body ?? null,
        disableDefaultHeaders: true,
        redirect: 'manual',
        cookieMode: 'ephemeral',
        compress: false,
        timeout: 0,
        signal: whole,
      });
      tooLate.close();
      const head = buildHead(response.status, [...response.headers], response.headers.getSetCookie());
      if (countHeaderChars([...response.headers]) > limits.headerBytes) {
        throw buildFailure('unusable', 'the target sent a malformed answer', { reason: 'header_bytes' });
      }
      const most = isRedirect(head.status) ? limits.redirectBytes : limits.wireBytes;
      const wire = await readBody(response.body, {
        most,
        cuts: isRedirect(head.status),
        grow: async (piece) => runUntimed(async () => share?.grow(piece, whole)),
      });
      if (wire !== null) return { ...head, wire };
      throw buildPageTooLarge(limits.wireBytes, { reason: 'wire_bytes', status: head.status });
    } catch (error) {
      if (whole.aborted) throw buildFailure('timeout', 'the target did not answer in time', { reason: 'no_answer' });
      if (error instanceof ServiceError) throw error;
      throw credentials.failureOf(url) ?? buildUnreachable(error);
    } finally {
      tooLate.close();
      credentials.revoke();
    }
  };
}

/** The separator of the values of repeated fields. */
const JOIN_SEPARATOR = ', ';

type Pair = [name: string, value: string];

function toPairs(flat: readonly string[]): Pair[] {
  const pairs: Pair[] = [];
  for (let at = 0; at + 1 < flat.length; at += 2) pairs.push([flat[at] ?? '', flat[at + 1] ?? '']);
  return pairs;
}

function buildHead(status: number, fields: readonly Pair[], setCookies: readonly string[]): Omit<RawResponse, 'wire'> {
  const headers: Record<string, string> = {};
  for (const [name, value] of fields) {
    addHeader(headers, name, name.toLowerCase() === 'location' ? removeRepeatedLocation(value) : value);
  }
  return { status, headers, setCookies };
}

/** Removes a repeated Location: the library joins repeated headers, so two equal halves mean that it was sent twice. */
function removeRepeatedLocation(joined: string): string {
  const half = joined.slice(0, (joined.length - JOIN_SEPARATOR.length) / 2);
  return joined === half + JOIN_SEPARATOR + half ? half : joined;
}

function countHeaderChars(fields: readonly Pair[]): number {
  return fields.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
}

type ReadBodyOptions = {
  readonly most: number;
  readonly cuts: boolean;
  readonly grow: (piece: number) => Promise<void>;
};

/** Reads a body of up to `most` bytes; a longer one is truncated if `cuts` is set, else the result is null. */
async function readBody(
  body: AsyncIterable<Uint8Array> | null,
  { most, cuts, grow }: ReadBodyOptions,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    await grow(chunk.byteLength);
    bytes += chunk.byteLength;
    chunks.push(chunk);
    if (bytes > most && !cuts) return null;
    if (bytes > most) break;
  }
  return concatBytes(chunks, bytes);
}
