import { z } from 'zod';
import { buildAliasReader } from '#engine/call/validation.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import type { InputReader } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { ListLimit, OwnParameters } from '#sites/framework/endpoint.ts';

/** The time of a call. */
export const CALL_TIME = {
  timeout_ms: wholeNumber(1)
    .optional()
    .describe('Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job'),
};

/** The options that every endpoint takes. */
export const COMMON = {
  ...CALL_TIME,
  max_age_ms: wholeNumber(0, MAX_CACHE_AGE_MS)
    .optional()
    .describe('Accept cached pages at most this old; 0 is always fresh'),
};

const CURSOR_FIELD = {
  cursor: z.string().min(1).max(4000).optional().describe('next_cursor of the answer before, with the same parameters'),
};

/** The parameters that endpoints share; a cursor and a limit only for those that take them. */
export type CallOptions = {
  readonly timeout_ms?: number | undefined;
  readonly max_age_ms?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

/** The options of an endpoint; `limit` is null for one whose list is as long as the site gives it. */
export function buildCallOptions(isList: boolean, limit: ListLimit | null): z.ZodObject & z.ZodType<CallOptions> {
  if (!isList) return z.strictObject(COMMON);
  if (limit === null) return z.strictObject({ ...CURSOR_FIELD, ...COMMON });
  const elements = wholeNumber(1, limit.most).default(limit.default).describe('Elements of one answer at most');
  return z.strictObject({ limit: elements, ...CURSOR_FIELD, ...COMMON });
}

/** One call of an endpoint, read once: what its sources get, and the options beside it. */
export type EndpointCall<O = CallOptions> = { readonly input: JsonObject; readonly options: O };

/** Gives the schema of an endpoint's parameters with options beside them, and the reader of such a call. */
export function withOptions<O extends z.ZodObject>(
  { shape, aliases, anyOf }: OwnParameters,
  options: O,
): { readonly schema: z.ZodObject; readonly read: InputReader<EndpointCall<z.output<O>>> } {
  const members = { ...shape, ...options.shape };
  const others = Object.fromEntries(Object.entries(aliases).filter(([name]) => Object.hasOwn(members, name)));
  const { shown, read: readCall } = buildAliasReader(z.intersection(z.strictObject(shape), options), members, others);
  return {
    schema: shown,
    read(sent, at = []) {
      const { input: known, deprecated } = readCall(sent, at);
      if (anyOf.length > 0 && anyOf.every((name) => known[name] === undefined)) {
        throw new ServiceError('invalid_request', `${[...at, anyOf.join(' or ')].join('.')}: one of them is required`);
      }
      const input = Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(shape, name)));
      return { input: { input, options: known }, deprecated };
    },
  };
}
