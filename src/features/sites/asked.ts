import type { SealedSource, SiteEndpoint } from './endpoint.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { toView } from './reading.ts';
import type { Sending } from './request.ts';
import type { SiteSettings } from './site.ts';

/** The sources that the operator's settings and the parameters allow. */
export function usableOf(
  endpoint: Pick<SiteEndpoint, 'site' | 'sources'>,
  { input }: Pick<EndpointCall, 'input'>,
  settings: SiteSettings,
  now: number,
): readonly SealedSource[] {
  const sending = sendingOf(endpoint, settings, { cursor: null, limit: null, now });
  return endpoint.sources.filter((source) => source.isUsable(sending, input));
}

/** The site facts and secrets that requests may use. */
export function sendingOf(
  { site }: Pick<SiteEndpoint, 'site'>,
  settings: SiteSettings,
  { cursor, limit, now }: Pick<Sending, 'cursor' | 'limit' | 'now'>,
): Sending {
  return { ...toView(site, { settings, cursor, limit }), credentials: settings.credentials, now };
}
