import type { Warning } from '#kernel/warnings.ts';
import type { Witness } from './witness.ts';

/** The access levels, cheapest first. */
export const TIERS = ['http', 'browser', 'proxy', 'proxy_browser'] as const;

export type Tier = (typeof TIERS)[number];

/** What one attempt came to. */
export const OUTCOMES = [
  'ok',
  'thin',
  'js_required',
  'challenge',
  'blocked',
  'rate_limited',
  'auth_required',
  'geo_or_legal',
  'not_found',
  'http_error',
  'unreachable',
  'tls_error',
  'timeout',
  'proxy_error',
  'render_failed',
  'too_large',
  'unusable',
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** One step of the ladder, as the answer and the request log show it. */
export type Attempt = {
  readonly tier: Tier;
  readonly outcome: Outcome;
  readonly status_code?: number;
  readonly reason?: string;
  readonly duration_ms: number;
  /** Bytes received on the wire, headers aside. */
  readonly bytes: number;
};

export type Cookie = { readonly name: string; readonly value: string };

/** What to get. `url` has passed `readTarget`; caller headers and cookies leave only to its own origin. */
export type PageRequest = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly Cookie[];
  /** The country (ISO 3166, lower case) from which a proxy is to ask; absent for any. */
  readonly country?: string;
  /** Asked before a redirect is followed, whether it is; what it throws ends the visit. */
  readonly follows?: (to: URL, signal: AbortSignal) => Promise<boolean>;
  /** Told of each exchange on the way, for those who keep them. */
  readonly witness?: Witness;
  /** What a cheaper tier came to: after a block the browser that people use is sent, with nothing of that visit. */
  readonly after?: Outcome;
  /** The answer to a cheaper tier that only lacks what its scripts bring; a browser may start from it. */
  readonly arrived?: Page;
};

/**
 * What came back: decoded bytes, and where they came from after redirects. Of a redirect that was not to be followed it
 * has the status, no bytes, and where it leads.
 */
export type Page = {
  readonly url: string;
  readonly status: number;
  /** Lower-case names; repeated fields joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
  readonly wireBytes: number;
  readonly warnings: readonly Warning[];
};

/** Gets one page or throws a `ServiceError`; ends when the signal fires. */
export type Visit = (request: PageRequest, signal: AbortSignal) => Promise<Page>;
