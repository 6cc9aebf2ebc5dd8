import type { SealedSource, SiteEndpoint, Wishes } from './endpoint.ts';
import { toView } from './reading.ts';
import type { Sending } from './request.ts';
import type { SiteSettings } from './site.ts';

type Body = Readonly<Record<string, unknown>>;

/** One call: the endpoint's own parameters with all others, and what every endpoint understands. */
export type Asked = { readonly raw: Body; readonly wishes: Wishes };

/** The sources that the operator's settings allow. */
export function usableOf(endpoint: SiteEndpoint, settings: SiteSettings): readonly SealedSource[] {
  const sending = sendingOf(endpoint, settings, { cursor: null, limit: null });
  return endpoint.sources.filter((source) => source.isUsable(sending));
}

/** What requests see of their site. */
export function sendingOf(
  { site }: Pick<SiteEndpoint, 'site'>,
  settings: SiteSettings,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number | null },
): Sending {
  return { ...toView(site, { settings, cursor, limit }), credentials: settings.credentials };
}
