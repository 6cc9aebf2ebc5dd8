import type { Party } from '#kernel/turns.ts';
import type { SAFE_LEVELS, TIME_RANGES } from '#sites/engines/names.ts';

/** A query as every backend takes it. */
export type SearchQuery = {
  readonly search: string;
  /** ISO 3166-1 alpha-2, upper case; null where the caller says none. */
  readonly country: string | null;
  /** BCP 47; null where the caller says none. */
  readonly language: string | null;
  /** From 1. */
  readonly page: number;
  readonly safe?: (typeof SAFE_LEVELS)[number] | undefined;
  readonly timeRange?: (typeof TIME_RANGES)[number] | undefined;
};

/** The lists that a backend can fill. */
export const RESULT_KINDS = ['organic', 'news'] as const;

export type ResultKind = (typeof RESULT_KINDS)[number];

/** One result as a backend gives it; text is plain. */
export type FoundResult = {
  readonly title: string;
  /** http or https. */
  readonly url: string;
  readonly description: string;
  /** A day or an instant, ISO 8601; null where it is not said. */
  readonly publishedAt: string | null;
  readonly language: string | null;
  readonly imageUrl: string | null;
  /** The whole text of the page, where the backend has it. */
  readonly text: string | null;
};

/** What a backend gave for one page of a query. */
export type BackendAnswer = {
  readonly organic: readonly FoundResult[];
  readonly news: readonly FoundResult[];
  /** What is paid for, where the backend has such. */
  readonly paid?: readonly FoundResult[];
  /** Results that were left out: addresses that are none, or that no caller may visit. */
  readonly dropped: number;
  readonly hasMore: boolean;
  /** All results as the backend counts them; null where it does not. */
  readonly total: number | null;
};

export const ENGINE_STATUSES = ['ok', 'empty', 'blocked', 'timeout', 'error', 'skipped'] as const;

export type EngineStatus = (typeof ENGINE_STATUSES)[number];

/**
 * A page of a backend that is no answer; `captcha` and `limited` say how long it is to be left alone. `query` speaks of what
 * was asked, and not of the backend.
 */
export class BackendFailure extends Error {
  readonly status: 'blocked' | 'timeout' | 'error';
  readonly why: 'captcha' | 'limited' | 'query' | 'other';
  /** Seconds that the backend itself asks for, null where it does not. */
  readonly waitSeconds: number | null;

  constructor(
    status: BackendFailure['status'],
    message: string,
    { why = 'other', waitSeconds = null, cause }: FailureFacts = {},
  ) {
    super(message, { cause });
    this.status = status;
    this.why = why;
    this.waitSeconds = waitSeconds;
  }
}

type FailureFacts = {
  readonly why?: BackendFailure['why'];
  readonly waitSeconds?: number | null;
  readonly cause?: unknown;
};

/** One call of a backend. */
export type BackendCall = Party & { readonly signal: AbortSignal };

/** Something that answers queries: an engine, an API, or the pages that this instance has. */
export type SearchBackend = {
  readonly name: string;
  /** The lists that it fills. */
  readonly kinds: readonly ResultKind[];
  /** Pages that it has at most; beyond them it is not asked. */
  readonly mostPages: number;
  /** Throws `BackendFailure`, or the reason of the signal. */
  readonly search: (query: SearchQuery, call: BackendCall) => Promise<BackendAnswer>;
};
