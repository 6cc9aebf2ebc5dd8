import type { WorkOwner } from '#kernel/fair-queue.ts';
import type { SAFE_LEVELS, TIME_RANGES } from '#sites/engines/shared.ts';

/** A query for any backend. */
export type SearchQuery = {
  readonly search: string;
  /** ISO 3166-1 alpha-2, upper case; null if the caller gave none. */
  readonly country: string | null;
  /** BCP 47; null if the caller gave none. */
  readonly language: string | null;
  /** From 1. */
  readonly page: number;
  readonly safe?: (typeof SAFE_LEVELS)[number] | undefined;
  readonly timeRange?: (typeof TIME_RANGES)[number] | undefined;
};

/** The kinds of results that a backend can return. */
export const RESULT_KINDS = ['organic', 'news'] as const;

export type ResultKind = (typeof RESULT_KINDS)[number];

/** One result of a backend; all texts are plain text. */
export type SearchResult = {
  readonly title: string;
  /** http or https. */
  readonly url: string;
  readonly description: string;
  /** ISO 8601 date or timestamp; null if unknown. */
  readonly publishedAt: string | null;
  readonly language: string | null;
  readonly imageUrl: string | null;
  /** The full text of the page; null if the backend does not have it. */
  readonly text: string | null;
};

/** The response of a backend for one result page. */
export type BackendResults = {
  readonly organic: readonly SearchResult[];
  readonly news: readonly SearchResult[];
  /** Ads, if the backend reports them. */
  readonly paid?: readonly SearchResult[];
  /** Number of results dropped because their URL is invalid or may not be visited. */
  readonly dropped: number;
  readonly hasMore: boolean;
  /** Total number of results; null if the backend does not report it. */
  readonly total: number | null;
};

export const ENGINE_STATUSES = ['ok', 'empty', 'blocked', 'timeout', 'error', 'skipped'] as const;

export type EngineStatus = (typeof ENGINE_STATUSES)[number];

/**
 * A failed backend request. `why` determines how long the backend is paused: `captcha` and `limited` longest, `query` not at
 * all, because the fault is in the query.
 */
export class BackendFailure extends Error {
  readonly status: 'blocked' | 'timeout' | 'error';
  readonly why: 'captcha' | 'limited' | 'query' | 'other';
  /** Seconds to wait according to the backend (Retry-After); null if it gave none. */
  readonly waitSeconds: number | null;

  constructor(
    status: BackendFailure['status'],
    message: string,
    { why = 'other', waitSeconds = null, cause }: BackendFailureDetails = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.why = why;
    this.waitSeconds = waitSeconds;
  }
}

type BackendFailureDetails = {
  readonly why?: BackendFailure['why'];
  readonly waitSeconds?: number | null;
  readonly cause?: unknown;
};

/** The caller of a backend, and the abort signal of the call. */
export type BackendCall = WorkOwner & { readonly signal: AbortSignal };

/** A source of search results: an engine, an API, or the built-in index. */
export type SearchBackend = {
  readonly name: string;
  /** The kinds of results that it returns. */
  readonly kinds: readonly ResultKind[];
  /** Number of the last result page; it is not queried for later pages. */
  readonly maxPages: number;
  /** Throws `BackendFailure`, or the abort reason of the signal. */
  readonly search: (query: SearchQuery, call: BackendCall) => Promise<BackendResults>;
};
