import { z } from 'zod';
import { url } from '#extract/values/raw.ts';
import { LAUNCHES_HOME } from './site.ts';

/** A place elsewhere that belongs to a product or a person. */
export const ProfileLink = z.object({
  type: z.string().describe('website, or the site that it is on'),
  url: z.string(),
});

export type ProfileLink = z.output<typeof ProfileLink>;

const SITES: Readonly<Record<string, string>> = {
  'twitter.com': 'twitter',
  'x.com': 'twitter',
  'github.com': 'github',
  'linkedin.com': 'linkedin',
  'facebook.com': 'facebook',
  'instagram.com': 'instagram',
  'threads.net': 'threads',
  'threads.com': 'threads',
  'youtube.com': 'youtube',
  'medium.com': 'medium',
  'dribbble.com': 'dribbble',
  'bsky.app': 'bluesky',
  'apps.apple.com': 'app_store',
  'play.google.com': 'play_store',
};

/** An address elsewhere without the mark that the site puts on it. */
export function toOutside(raw: unknown): string | null {
  const address = URL.parse(url(raw, LAUNCHES_HOME) ?? '');
  if (address?.searchParams.get('ref') === 'producthunt') address.searchParams.delete('ref');
  return address?.href ?? null;
}

/** Links by what they lead to, each once; what is no address is left out. */
export function toLinks(addresses: readonly unknown[]): readonly ProfileLink[] {
  const found = addresses.flatMap((address) => toOutside(address) ?? []);
  return [...new Set(found)].map((one) => ({
    type: SITES[new URL(one).hostname.replace(/^(?:www|m)\./, '')] ?? 'website',
    url: one,
  }));
}
