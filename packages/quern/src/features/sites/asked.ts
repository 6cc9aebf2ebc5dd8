import type { UntypedSource } from '#sites/framework/endpoint.ts';
import type { ServedEndpoint } from './endpoint.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { buildSiteContext } from '#sites/framework/source-reader.ts';
import type { RequestContext } from '#sites/framework/request.ts';
import type { SiteSettings } from '#sites/framework/site.ts';

/** Lists the sources that the operator's settings and the parameters allow. */
export function listUsableSources(
  endpoint: Pick<ServedEndpoint, 'site' | 'sources'>,
  { input }: Pick<EndpointCall, 'input'>,
  settings: SiteSettings,
  now: number,
): readonly UntypedSource[] {
  const sending = buildSending(endpoint, settings, { cursor: null, limit: null, now });
  return endpoint.sources.filter((source) => source.isUsable(sending, input));
}

/** Builds the site facts and secrets that requests may use. */
export function buildSending(
  { site }: Pick<ServedEndpoint, 'site'>,
  settings: SiteSettings,
  { cursor, limit, now }: Pick<RequestContext, 'cursor' | 'limit' | 'now'>,
): RequestContext {
  return { ...buildSiteContext(site, { settings, cursor, limit }), credentials: settings.credentials, now };
}
