import { z } from 'zod';
import type { WorkOperation } from '#engine/call/operation.ts';
import { buildInputChecker } from '#engine/call/validation.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { buildCallFields, type EndpointCall, toEndpointCall } from '#features/schema/parameters.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { createLazy } from '#kernel/lazy.ts';
import type { EndpointParameters, SiteEndpoint, UntypedSource } from '#sites/framework/endpoint.ts';
import { createLazyEndpoint } from '#sites/framework/lazy-endpoint.ts';
import { SiteError } from '#sites/framework/site.ts';

/** A site endpoint as an operation of the service. */
export type ServedEndpoint = SiteEndpoint & {
  readonly operation: EndpointOperation;
  /** Validates the parameters of a call that another operation makes of its own input. Throws `invalid_request`. */
  readonly read: (raw: unknown, at?: readonly string[]) => EndpointCall;
};

type EndpointOperation = WorkOperation<z.ZodType<JsonObject>> & { readonly output: z.ZodObject };

/** Error codes of site endpoints in addition to those of every call. */
export const ENDPOINT_ERRORS: readonly ErrorCode[] = [
  'not_found',
  'target_rate_limited',
  'target_blocked',
  'target_unreachable',
  'unusable_response',
  'content_too_large',
  'backend_unavailable',
  'timeout',
];

const DEFAULT_PRICE = 15;

/** Converts an endpoint to an operation. `isVerified`: the parser was verified against a real page of the site. */
export function toServedEndpoint(endpoint: SiteEndpoint, isVerified = false): ServedEndpoint {
  const { about, id, path, summary, canary, parameters, list, limit, isInternal } = endpoint;
  const price = endpoint.price ?? DEFAULT_PRICE;
  const operation = buildEndpointOperation(
    {
      id,
      route: isInternal ? null : `GET /v1/${about.name}${path}`,
      summary,
      plan: 'starter',
      price: { base: price, cacheHit: price, perTier: false },
      errors: ENDPOINT_ERRORS,
      example: canary,
      canQueue: true,
      site: { ...about, verified: isVerified },
    },
    {
      parameters,
      shared: list !== null && limit !== null ? ['limit'] : [],
      buildFields: () => buildCallFields(list !== null, limit),
      buildOutput: () => buildOutput(endpoint),
    },
  );
  const checkInput = buildInputChecker(operation);
  const read: ServedEndpoint['read'] = (raw, at) => toEndpointCall(parameters, checkInput(raw, at).input);
  const served = createLazyEndpoint(endpoint, () => ({
    ...endpoint,
    sources: endpoint.sources.map(mapSourceErrors),
  }));
  return Object.assign(served, { operation, read });
}

type EndpointSchemas = {
  readonly parameters: EndpointParameters;
  /** Parameters with aliases besides those of the endpoint itself. */
  readonly shared: readonly string[];
  /** Builds the parameters besides those of the endpoint itself. */
  readonly buildFields: () => z.ZodRawShape;
  readonly buildOutput: () => z.ZodObject;
};

/** Builds an operation whose schemas are built at their first use, because most endpoints are never called. */
export function buildEndpointOperation(
  data: Omit<WorkOperation, 'kind' | 'input' | 'output'>,
  { parameters, shared, ...build }: EndpointSchemas,
): EndpointOperation {
  const { names, aliases, anyOf } = parameters;
  const input = createLazy(() => z.strictObject({ ...parameters.shape, ...build.buildFields() }));
  const output = createLazy(build.buildOutput);
  const isParameter = (name: string): boolean => names.includes(name) || shared.includes(name);
  return {
    ...data,
    kind: 'work',
    aliases: Object.fromEntries(
      Object.entries(aliases).flatMap(([name, others]) => (isParameter(name) && others ? [[name, others]] : [])),
    ),
    anyOf,
    get input() {
      return input();
    },
    get output() {
      return output();
    },
  };
}

/** Wraps a source so that its parameter errors become errors of the call. */
function mapSourceErrors(source: UntypedSource): UntypedSource {
  return {
    ...source,
    isUsable: (site, input) => mapSiteErrors(() => source.isUsable(site, input)),
    request: (input, site) => mapSiteErrors(() => source.request(input, site)),
  };
}

/** Builds the output schema of an endpoint, without `request_id` and `usage`. */
function buildOutput({ about, record, list, shape }: SiteEndpoint): z.ZodObject {
  const members = { provider: z.literal(about.name), ...record.shape };
  if (shape === 'closed') return z.strictObject(members);
  if (shape === 'plain') return z.object(members);
  return z.object({
    ...members,
    ...(list === null ? {} : { next_cursor: z.string().nullable().describe('Null at the end') }),
    source_url: z.string().describe('URL of the source page'),
    fetched_at: z.string().describe('When the page was fetched, ISO 8601 UTC'),
    partial: z.boolean().describe('Whether parts of the full record are missing; see warnings'),
    warnings: Warnings.optional(),
  });
}

/** Runs `build` and converts a `SiteError` to a `ServiceError`. */
export function mapSiteErrors<T>(build: () => T): T {
  try {
    return build();
  } catch (error) {
    throw error instanceof SiteError ? new ServiceError(error.code, error.message, { cause: error }) : error;
  }
}
