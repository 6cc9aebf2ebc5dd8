import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { ownerOf, refuseAltAddress } from './address.ts';

export const ChannelInput = z.object({
  channel: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('Its name in addresses, also as @name, c/name or user/name; wins over url'),
  url: z.url().max(2000).optional().describe('Its page'),
  type: z.enum(['video', 'short', 'livestream', 'all']).default('all').describe('Which of its lists'),
});

export type ChannelInput = z.output<typeof ChannelInput>;

const NAMED = /^(?:\/?(c|user)\/|@)?([\w.-]{1,100})$/;

/** The wanted channel or person. Throws `not_found`, and `invalid_request` for another address. */
export function wantedChannel(
  { channel, url }: ChannelInput,
  { locate }: Pick<SiteView, 'locate'>,
): { readonly kind: 'c' | 'user'; readonly slug: string } {
  if (channel === undefined || channel.includes('://')) {
    const place = locate(channel ?? url ?? '');
    const name = channel === undefined ? 'url' : 'channel';
    return ownerOf(place?.path ?? '') ?? refuseAltAddress(name, place?.path ?? '', 'a channel');
  }
  const [, kind, slug] = NAMED.exec(channel.trim()) ?? [];
  if (slug === undefined) return refuseReference('channel', 'is no channel of this site');
  return { kind: kind === 'user' ? 'user' : 'c', slug };
}
