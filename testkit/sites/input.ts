import { toServedEndpoint } from '#features/sites/endpoint.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** Parses the parameters of a caller to the input of an endpoint's sources. Throws `invalid_request`. */
export function parseInput(endpoint: SiteEndpoint, sent: unknown): JsonObject {
  return toServedEndpoint(endpoint).read(sent).input;
}
