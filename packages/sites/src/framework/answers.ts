import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getMember } from '#extract/values/json.ts';
import type { SiteRequest } from './request.ts';

/** A parsed record. */
export type ParsedRecord = {
  readonly record: JsonObject;
  /** The site's own token of the next page; null on the last page. */
  readonly next: string | null;
  /** Descriptions of missing data, one sentence each. */
  readonly lacks: readonly string[];
};

/** The result of parsing one page. It is plain data, so that a worker thread can return it. */
export type SiteVerdict =
  | ({ readonly kind: 'record' } & ParsedRecord)
  /** A further page is needed. `without` is the result if that page cannot be fetched; null if there is none without it. */
  | {
      readonly kind: 'more';
      readonly request: SiteRequest;
      readonly carry: unknown;
      readonly without: ParsedRecord | null;
    }
  | { readonly kind: 'consent'; readonly cookies: Readonly<Record<string, string>> }
  | { readonly kind: 'not_found'; readonly reason: string; readonly isFinal: boolean }
  | { readonly kind: 'blocked'; readonly reason: string }
  | { readonly kind: 'rate_limited'; readonly seconds: number | null }
  /** `isRefusal` is true for an error status that the site's `classify` does not explain. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly isRefusal: boolean };

/** The key that distinguishes an answer from a record. JSON data cannot contain a symbol. */
const ANSWER = Symbol('answer');

/** The result of a parser that is not a record: an error, an empty list, or a request for a further page. */
export type SiteAnswer = {
  readonly [ANSWER]:
    | Exclude<SiteVerdict, { readonly kind: 'record' | 'more' }>
    | { readonly kind: 'more'; readonly request: SiteRequest; readonly carry: unknown; readonly without: object | null }
    | { readonly kind: 'empty' };
};

/** A record with the token of the next page and descriptions of missing data. */
export type SiteRecord<T> = {
  readonly [ANSWER]: 'result';
  readonly record: T;
  readonly next: string | null;
  readonly lacks: readonly string[];
};

/** Wraps one page of a list with the site's own token of the next page; null on the last page. */
export function buildPage<T>(record: T, next: string | null): SiteRecord<T> {
  return { [ANSWER]: 'result', record, next, lacks: [] };
}

/** Marks a record or list page as incomplete. `what` is a sentence for the caller that says what is missing. */
export function markPartial<T extends object>(record: T | SiteRecord<T>, what: string): SiteRecord<T> {
  const { next, lacks, record: inner } = isSiteRecord(record) ? record : buildPage(record, null);
  return { [ANSWER]: 'result', record: inner, next, lacks: [...lacks, what] };
}

/** The site reports an empty list. The endpoint returns `[]`, and null for all other fields. */
export function answerEmpty(): SiteAnswer {
  return { [ANSWER]: { kind: 'empty' } };
}

/**
 * Requests one further page for the record; at most 4 per source. `carry` is plain data that the parser of that page gets as
 * `page.carry`. `without` is the result if that page cannot be fetched; null if the record needs it.
 */
export function requestMore(request: SiteRequest, carry: unknown, without: object | null = null): SiteAnswer {
  return { [ANSWER]: { kind: 'more', request, carry, without } };
}

/** The page is a consent page. The same request is repeated with these cookies. */
export function acceptConsent(cookies: Readonly<Record<string, string>>): SiteAnswer {
  return { [ANSWER]: { kind: 'consent', cookies } };
}

/** The record does not exist, or is deleted, banned or private. No other source is tried. `reason` is a sentence for the caller. */
export function notFound(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'not_found', reason, isFinal: true } };
}

/** This source does not have the record, but another source may. */
export function notInSource(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'not_found', reason, isFinal: false } };
}

/** The page is a login wall, a challenge or a block. A stronger tier may get past it. `reason` is a short code for the log. */
export function blocked(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'blocked', reason } };
}

/** The site's own rate limit. `seconds` is the time to wait; null if the site does not specify it. */
export function rateLimited(seconds: number | null = null): SiteAnswer {
  return { [ANSWER]: { kind: 'rate_limited', seconds } };
}

/** The page does not contain the record. `reason` says why, such as `the requested video is missing`. */
export function unusable(reason: string): SiteAnswer {
  return { [ANSWER]: { kind: 'unusable', reason, isRefusal: false } };
}

function isSiteRecord<T extends object>(value: T | SiteRecord<T>): value is SiteRecord<T> {
  return ANSWER in value && value[ANSWER] === 'result';
}

/** Converts the return value of a parser to an answer or a record. A plain record is the last page. */
export function toOutcome(given: unknown): SiteAnswer[typeof ANSWER] | SiteRecord<unknown> {
  if (typeof given !== 'object' || given === null || !(ANSWER in given)) return buildPage(given, null);
  return isAnswer(given) ? given[ANSWER] : isUnknownRecord(given) ? given : buildPage(given, null);
}

function isAnswer(value: object): value is SiteAnswer {
  return ANSWER in value && typeof value[ANSWER] === 'object';
}

function isUnknownRecord(value: object): value is SiteRecord<unknown> {
  return ANSWER in value && value[ANSWER] === 'result';
}

/** Whether the record has no value at one of the dotted paths. */
export function hasMissingValues(record: JsonObject, paths: readonly string[]): boolean {
  return paths.some((path) => !hasValueAt(record, path));
}

/** Whether there is a value other than null at a dotted path. In a list, one element with a value is enough. */
export function hasValueAt(value: unknown, path: string): boolean {
  if (Array.isArray(value)) return value.some((one) => hasValueAt(one, path));
  if (path === '') return value !== null && value !== undefined;
  const [name = '', ...rest] = path.split('.');
  return hasValueAt(getMember(value, name), rest.join('.'));
}

/** Replaces the null fields of a record with the values of another record, also in nested objects. Lists are not merged. */
export function fillNulls(record: JsonObject, other: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => {
      const more = getMember(other, name);
      if (value === null) return [name, more ?? null];
      return [name, isJsonObject(value) && isJsonObject(more) ? fillNulls(value, more) : value];
    }),
  );
}
