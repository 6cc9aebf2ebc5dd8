import { z } from 'zod';
import type { SiteView } from '#features/sites/request.ts';
import { refuseParameter } from '#features/sites/site.ts';

export const AlbumInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('Number of the album, or its address; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the album'),
  country: z
    .string()
    .regex(/^[A-Za-z]{2}$/, 'must be a code of two letters')
    .optional()
    .describe('Storefront, ISO 3166-1; that of the address, else US'),
});

export type AlbumInput = z.output<typeof AlbumInput>;

/** An album and where it is looked for: first in `country`, then, where the address says so, in `other`. */
export type Album = { readonly id: string; readonly country: string; readonly other: string | null };

const NUMBER = /^(?:id)?(\d{1,15})$/;
const IN_PATH = /^\/(?:([a-z]{2})\/)?album\/(?:[^/?]{1,500}\/)?(?:id)?(\d{1,15})\/?(?:\?|$)/;

/** The album that is meant. Throws `invalid_request`. */
export function albumOf({ id, url, country }: AlbumInput, site: SiteView): Album {
  const asked = country?.toLowerCase() ?? null;
  const number = NUMBER.exec(id?.trim() ?? '')?.[1];
  if (number !== undefined) return { id: number, country: asked ?? 'us', other: null };
  const place = site.locate((id ?? url ?? '').trim());
  const [, own = null, named] = IN_PATH.exec(place?.path ?? '') ?? [];
  if (named === undefined) return refuseParameter(id === undefined ? 'url' : 'id', 'is no album of this site');
  return { id: named, country: asked ?? own ?? 'us', other: asked === null || asked === own ? null : own };
}

/** The number of the album that an address of any host leads to; null when it is none. */
export function albumIn(address: string): string | null {
  const url = URL.parse(address);
  return url === null ? null : (IN_PATH.exec(url.pathname)?.[2] ?? null);
}
