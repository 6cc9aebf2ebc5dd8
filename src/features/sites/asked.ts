import type { SealedSource, SiteEndpoint } from './endpoint.ts';
import { toView } from './reading.ts';
import type { Sending } from './request.ts';
import type { SiteSettings } from './site.ts';

/** The sources that the operator's settings allow. */
export function usableOf(
  endpoint: Pick<SiteEndpoint, 'site' | 'sources'>,
  settings: SiteSettings,
): readonly SealedSource[] {
  const sending = sendingOf(endpoint, settings, { cursor: null, limit: null });
  return endpoint.sources.filter((source) => source.isUsable(sending));
}

/** The site facts and secrets that requests may use. */
export function sendingOf(
  { site }: Pick<SiteEndpoint, 'site'>,
  settings: SiteSettings,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number | null },
): Sending {
  return { ...toView(site, { settings, cursor, limit }), credentials: settings.credentials };
}
