import { z } from 'zod';
import { buildAliasReader } from '#engine/call/validation.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import type { InputReader } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { ListLimit, EndpointParameters } from '#sites/framework/endpoint.ts';

/** The timeout parameter. */
export const TIMEOUT_FIELD = {
  timeout_ms: wholeNumber(1)
    .optional()
    .describe('Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job'),
};

/** Parameters of every endpoint. */
export const COMMON_FIELDS = {
  ...TIMEOUT_FIELD,
  max_age_ms: wholeNumber(0, MAX_CACHE_AGE_MS)
    .optional()
    .describe('Maximum age of cached pages in ms; 0 always fetches'),
};

const CURSOR_FIELD = {
  cursor: z
    .string()
    .min(1)
    .max(4000)
    .optional()
    .describe('next_cursor of the previous response, with the same parameters'),
};

/** Parameters shared by endpoints. `cursor` and `limit` exist only for lists. */
export type CallOptions = {
  readonly timeout_ms?: number | undefined;
  readonly max_age_ms?: number | undefined;
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
};

/** Builds the shared parameters of an endpoint. `limit` is null if the site determines the length of the list. */
export function buildCallOptions(isList: boolean, limit: ListLimit | null): z.ZodObject & z.ZodType<CallOptions> {
  if (!isList) return z.strictObject(COMMON_FIELDS);
  if (limit === null) return z.strictObject({ ...CURSOR_FIELD, ...COMMON_FIELDS });
  const elements = wholeNumber(1, limit.max).default(limit.default).describe('Most elements to return');
  return z.strictObject({ limit: elements, ...CURSOR_FIELD, ...COMMON_FIELDS });
}

/** The validated input of an endpoint: its own parameters, and the shared options. */
export type EndpointCall<O = CallOptions> = { readonly input: JsonObject; readonly options: O };

/** Builds the input schema of an endpoint from its own parameters and shared options, and its reader. */
export function buildEndpointInput<O extends z.ZodObject>(
  { shape, aliases, anyOf }: EndpointParameters,
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
        throw new ServiceError(
          'invalid_request',
          `${[...at, anyOf.join(' or ')].join('.')}: one of these parameters is required`,
        );
      }
      const input = Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(shape, name)));
      return { input: { input, options: known }, deprecated };
    },
  };
}
