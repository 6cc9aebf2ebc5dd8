import type { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';

/** Makes a member optional: absent and null both mean that it is not set. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((value) => value ?? undefined)
    .optional();
}

/** Reads the members of a posted form; null if the body is none. */
export function readForm(body: unknown): URLSearchParams | null {
  return body instanceof Uint8Array ? new URLSearchParams(Buffer.from(body).toString('utf8')) : null;
}

/** Lists the names of the members that are set: not null, false or empty. */
export function listSet(members: JsonObject): readonly string[] {
  return Object.keys(members).filter((name) => {
    const value = members[name];
    const isEmpty = value === '' || (Array.isArray(value) && value.length === 0);
    return value !== undefined && value !== null && value !== false && !isEmpty;
  });
}

/** Throws `invalid_request` if a member is set that would change the result and is not honoured. */
export function refuseUnserved(members: JsonObject, what: string): void {
  const names = listSet(members);
  if (names.length > 0)
    throw new ServiceError('invalid_request', `${names.join(', ')}: not served for ${what}; leave it out`);
}

/** Drops the members that are undefined. Operations refuse names that they do not know, whatever their value. */
export function dropUnset(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/**
 * Writes a regular expression of other services, on the path or the whole URL, as a pattern of a crawl. There a path has no
 * query, so the end of the path may be followed by one here.
 */
export function toUrlPattern(expression: string, isOnUrl = false): string {
  return isOnUrl ? `url:${expression}` : `re:${expression.replace(/(?<!\\)\$$/, '(?:\\?|$)')}`;
}
