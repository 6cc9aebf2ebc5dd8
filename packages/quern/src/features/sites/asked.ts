import type { SealedSource } from '#sites/framework/endpoint.ts';
import type { ServedEndpoint } from './endpoint.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { toView } from '#sites/framework/reading.ts';
import type { Sending } from '#sites/framework/request.ts';
import type { SiteSettings } from '#sites/framework/site.ts';

/** Lists the sources that the operator's settings and the parameters allow. */
export function listUsableSources(
  endpoint: Pick<ServedEndpoint, 'site' | 'sources'>,
  { input }: Pick<EndpointCall, 'input'>,
  settings: SiteSettings,
  now: number,
): readonly SealedSource[] {
  const sending = sendingOf(endpoint, settings, { cursor: null, limit: null, now });
  return endpoint.sources.filter((source) => source.isUsable(sending, input));
}

/** Builds the site facts and secrets that requests may use. */
export function sendingOf(
  { site }: Pick<ServedEndpoint, 'site'>,
  settings: SiteSettings,
  { cursor, limit, now }: Pick<Sending, 'cursor' | 'limit' | 'now'>,
): Sending {
  return { ...toView(site, { settings, cursor, limit }), credentials: settings.credentials, now };
}
