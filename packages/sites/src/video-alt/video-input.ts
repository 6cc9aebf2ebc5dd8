import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseAltAddress, videoAddressOf } from './address.ts';
import type { VideoAddress } from './address.ts';

export const AltVideoInput = z.object({
  url: z
    .string()
    .trim()
    .min(1)
    .max(2000)
    .describe('Address of a video, a short or an embedded player, or the id of a video'),
});

export type AltVideoInput = z.output<typeof AltVideoInput>;

/** The wanted video. Throws `not_found`, and `invalid_request` for another address. */
export function wantedVideo({ url }: AltVideoInput, { locate }: Pick<SiteView, 'locate'>): VideoAddress {
  const path = /^v[0-9a-z]+$/.test(url) ? `/${url}` : (locate(url)?.path ?? '');
  return videoAddressOf(path) ?? refuseAltAddress('url', path, 'a video');
}
