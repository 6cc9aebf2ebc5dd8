import { toServed } from '#features/sites/endpoint.ts';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** The parameters of an endpoint as its sources get them, from what a caller sends; throws `invalid_request`. */
export function parseInput(endpoint: SiteEndpoint, sent: unknown): JsonObject {
  return toServed(endpoint).read(sent).input.input;
}
