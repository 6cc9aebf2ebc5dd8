import type { SiteRequest } from './request.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** A record as it was read. */
export type ReadRecord = {
  readonly record: JsonObject;
  /** The site's own token of the next page, null at the end. */
  readonly next: string | null;
  /** Gaps of the record, a sentence each. */
  readonly lacks: readonly string[];
};

/** The result of reading one page; plain data, so that it can cross a thread. */
export type SiteVerdict =
  | ({ readonly kind: 'record' } & ReadRecord)
  /** `without` is the answer if the further page cannot be had, null where there is no answer without it. */
  | {
      readonly kind: 'more';
      readonly request: SiteRequest;
      readonly carry: unknown;
      readonly without: ReadRecord | null;
    }
  | { readonly kind: 'consent'; readonly cookies: Readonly<Record<string, string>> }
  | { readonly kind: 'not_found'; readonly reason: string; readonly isFinal: boolean }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'rate_limited'; readonly seconds: number | null }
  /** `isRefusal` where the status refuses and the site has no word for it. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly isRefusal: boolean };

/** Marks what is an answer about a page and no record; no JSON has it. */
const ANSWER = Symbol('answer');

/** Anything but a plain record. */
export type SiteAnswer = {
  readonly [ANSWER]:
    | Exclude<SiteVerdict, { readonly kind: 'record' | 'more' }>
    | { readonly kind: 'more'; readonly request: SiteRequest; readonly carry: unknown; readonly without: object | null }
    | { readonly kind: 'empty' };
};

/** A record with what is to be said of it. */
export type SiteRecord<T> = {
  readonly [ANSWER]: 'result';
  readonly record: T;
  readonly next: string | null;
  readonly lacks: readonly string[];
};

/** One page of a list with the site's own token of the next, null at the end. */
export function pageOf<T>(record: T, next: string | null): SiteRecord<T> {
  return { [ANSWER]: 'result', record, next, lacks: [] };
}

/** A record, or a page of a list, that lacks something that the full answer has: `what` is a sentence for the caller. */
export function partly<T extends object>(record: T | SiteRecord<T>, what: string): SiteRecord<T> {
  const { next, lacks, record: inner } = isSiteRecord(record) ? record : pageOf(record, null);
  return { [ANSWER]: 'result', record: inner, next, lacks: [...lacks, what] };
}

/** The site says that there is nothing: a list endpoint answers `[]` and null for the other members. */
export function empty(): SiteAnswer {
  return { [ANSWER]: { kind: 'empty' } };
}

/**
 * One further page belongs to the record; at most 4 a source. `carry` is plain data, found in its `page.carry`. `without` is
 * the answer if that page cannot be had; null where the page holds the record.
 */
export function more(request: SiteRequest, carry: unknown, without: object | null = null): SiteAnswer {
  return { [ANSWER]: { kind: 'more', request, carry, without } };
}

/** A consent page: the same request is sent once more with these cookies. */
export function consent(cookies: Readonly<Record<string, string>>): SiteAnswer {
  return { [ANSWER]: { kind: 'consent', cookies } };
}

/** Positively not there, gone, banned or private; no other source is asked. `reason` is a sentence for the caller. */
export function notFound(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'not_found', reason, isFinal: true } };
}

/** This source does not have it; another may. */
export function notHere(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'not_found', reason, isFinal: false } };
}

/** A login wall, challenge or block of the site: a stronger tier may do better. `reason` is a word for the log. */
export function blocked(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'blocked', reason } };
}

/** The site's own rate limit, with the seconds to wait where it says so. */
export function rateLimited(seconds: number | null = null): SiteAnswer {
  return { [ANSWER]: { kind: 'rate_limited', seconds } };
}

/** The page came and the record is not in it. `reason` says what is missing. */
export function unusable(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'unusable', reason, isRefusal: false } };
}

function isSiteRecord<T extends object>(value: T | SiteRecord<T>): value is SiteRecord<T> {
  return ANSWER in value && value[ANSWER] === 'result';
}

/** The result of a parse function by kind; a plain record is one page without a next. */
export function toOutcome(given: unknown): SiteAnswer[typeof ANSWER] | SiteRecord<unknown> {
  if (typeof given !== 'object' || given === null || !(ANSWER in given)) return pageOf(given, null);
  return isAnswer(given) ? given[ANSWER] : isUnknownRecord(given) ? given : pageOf(given, null);
}

function isAnswer(value: object): value is SiteAnswer {
  return ANSWER in value && typeof value[ANSWER] === 'object';
}

function isUnknownRecord(value: object): value is SiteRecord<unknown> {
  return ANSWER in value && value[ANSWER] === 'result';
}
