import { z } from 'zod';
import type { Plan } from '#engine/identity/plans.ts';
import { MAX_CACHE_AGE_MS } from '#engine/visits/page-cache.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { ListLimit, EndpointParameters } from '#sites/framework/endpoint.ts';

/** The timeout parameter. */
export const TIMEOUT_FIELD = {
  timeout_ms: wholeNumber(1)
    .optional()
    .describe('Total time limit in ms; the default is the inline limit of the plan, above it the call becomes a job'),
};

/** Whether a call asks for more time than the plan allows inline; such a call becomes a job. */
export function isOverInlineTimeout(
  { timeout_ms: timeoutMs = 0 }: { readonly timeout_ms?: number | undefined },
  plan: Plan,
): boolean {
  return timeoutMs > plan.inline_timeout_ms;
}

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

/** Parameters that endpoints share. `cursor` and `limit` exist only for lists, the last two only for crawls of lists. */
export type CallOptions = Readonly<Partial<Record<(typeof NUMBER_OPTIONS)[number], number>>> & {
  readonly cursor?: string;
};

const NUMBER_OPTIONS = ['timeout_ms', 'max_age_ms', 'limit', 'max_results', 'max_pages'] as const;

/** Builds the shared parameters of an endpoint. `limit` is null if the site determines the length of the list. */
export function buildCallFields(isList: boolean, limit: ListLimit | null): z.ZodRawShape {
  if (!isList) return COMMON_FIELDS;
  if (limit === null) return { ...CURSOR_FIELD, ...COMMON_FIELDS };
  const elements = wholeNumber(1, limit.max).default(limit.default).describe('Most elements to return');
  return { limit: elements, ...CURSOR_FIELD, ...COMMON_FIELDS };
}

/** The validated input of an endpoint: its own parameters, and the shared options. */
export type EndpointCall = { readonly input: JsonObject; readonly options: CallOptions };

/** Splits the validated input of an endpoint. */
export function toEndpointCall({ shape }: Pick<EndpointParameters, 'shape'>, known: JsonObject): EndpointCall {
  const numbers: Partial<Record<(typeof NUMBER_OPTIONS)[number], number>> = {};
  for (const name of NUMBER_OPTIONS) {
    const value = known[name];
    if (typeof value === 'number') numbers[name] = value;
  }
  const { cursor } = known;
  return {
    input: Object.fromEntries(Object.entries(known).filter(([name]) => Object.hasOwn(shape, name))),
    options: { ...numbers, ...(typeof cursor === 'string' ? { cursor } : {}) },
  };
}
