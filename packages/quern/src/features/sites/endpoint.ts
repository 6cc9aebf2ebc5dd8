import { z } from 'zod';
import { defineWork, type InputReader, type WorkOperation } from '#engine/call/operation.ts';
import { Warnings } from '#features/schema/page-outputs.ts';
import { buildCallOptions, buildEndpointInput, type EndpointCall } from '#features/schema/parameters.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import type { SiteEndpoint, UntypedSource } from '#sites/framework/endpoint.ts';
import { describeSite, SiteError } from '#sites/framework/site.ts';

/** A site endpoint as an operation of the service. */
export type ServedEndpoint = SiteEndpoint & {
  readonly operation: WorkOperation;
  /** Validates the parameters of a call. Throws `invalid_request`. */
  readonly read: InputReader<EndpointCall>;
};

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
  const { site, id, path, summary, canary, parameters, list, limit, isInternal } = endpoint;
  const { schema, read } = buildEndpointInput(parameters, buildCallOptions(list !== null, limit));
  const price = endpoint.price ?? site.price ?? DEFAULT_PRICE;
  const operation = defineWork(
    {
      id,
      route: isInternal ? null : `GET /v1/${site.name}${path}`,
      summary,
      plan: 'starter',
      price: { base: price, cacheHit: price, perTier: false },
      errors: ENDPOINT_ERRORS,
      input: schema,
      output: buildOutput(endpoint),
      example: canary,
      list: null,
      isLongRunning: false,
      canQueue: true,
      site: { ...describeSite(site), verified: isVerified },
    },
    read,
  );
  return { ...endpoint, sources: endpoint.sources.map(mapSourceErrors), operation, read };
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
function buildOutput({ site, record, list, shape }: SiteEndpoint): z.ZodObject {
  const members = { provider: z.literal(site.name), ...record.shape };
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
