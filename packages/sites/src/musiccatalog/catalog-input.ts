import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import type { PlaceKinds } from '#sites/place-kinds.ts';
import { refusePlace } from '#sites/place-kinds.ts';

/** The storefront that is asked. */
export const Storefront = z.string().regex(/^[A-Za-z]{2}$/, 'must be a code of two letters');

export const CatalogInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('Its number, or its address; wins over url'),
  url: z.url().max(2000).optional().describe('Its address'),
  country: Storefront.optional().describe('Storefront, ISO 3166-1; that of the address, else US'),
});

export type CatalogInput = z.output<typeof CatalogInput>;

/** The kinds of things of the catalogue that have a number. */
export type CatalogKind = 'album' | 'song' | 'artist';

/** A thing and where it is looked for: first in `country`, then, where the address says so, in `other`. */
export type CatalogThing = { readonly id: string; readonly country: string; readonly other: string | null };

const WANTED = { album: 'an album', song: 'a song', artist: 'an artist' } as const;
/** What the paths of the catalogue lead to. */
const PLACES: PlaceKinds = [
  [/^\/(?:[a-z]{2}\/)?album\/.*[?&]i=\d/, 'a song'],
  [/^\/(?:[a-z]{2}\/)?album\//, 'an album'],
  [/^\/(?:[a-z]{2}\/)?song\//, 'a song'],
  [/^\/(?:[a-z]{2}\/)?artist\//, 'an artist'],
  [/^\/(?:[a-z]{2}\/)?playlist\//, 'a playlist'],
  [/^\/(?:[a-z]{2}\/)?music-video\//, 'a music video'],
  [/^\/(?:[a-z]{2}\/)?station\//, 'a station'],
  [/^\/(?:[a-z]{2}\/)?curator\//, 'a curator'],
  [/^\/(?:[a-z]{2}\/)?podcast\//, 'a podcast'],
  [/^\/(?:[a-z]{2}\/)?search(?:[/?]|$)/, 'a search'],
];

const NUMBER = /^(?:id)?(\d{1,15})$/;
const IN_PATH = /^\/(?:([a-z]{2})\/)?(album|song|artist)\/(?:[^/?]{1,500}\/)?(?:id)?(\d{1,15})\/?(?:\?|$)/;
/** A song is shown in the page of its album. */
const IN_ALBUM = /[?&]i=(\d{1,15})(?:&|$)/;

/** The thing of that kind that is meant. Throws `not_found`, and `invalid_request` for another address. */
export function thingOf(kind: CatalogKind, { id, url, country }: CatalogInput, site: SiteView): CatalogThing {
  const asked = country?.toLowerCase() ?? null;
  const number = NUMBER.exec(id?.trim() ?? '')?.[1];
  if (number !== undefined) return { id: number, country: asked ?? 'us', other: null };
  const place = site.locate((id ?? url ?? '').trim());
  const path = place?.path ?? '';
  const named = numberIn(kind, path);
  if (named === null && place === null && id !== undefined) return refuseReference('id', `is no ${kind} of this site`);
  if (named === null)
    return refusePlace({ parameter: id === undefined ? 'url' : 'id', place, kinds: PLACES, wanted: WANTED[kind] });
  const own = IN_PATH.exec(path)?.[1] ?? null;
  return { id: named, country: asked ?? own ?? 'us', other: asked === null || asked === own ? null : own };
}

/** The number of the thing of that kind that an address of any host leads to; null when it is none. */
export function thingIn(kind: CatalogKind, address: string): string | null {
  const url = URL.parse(address);
  return url === null ? null : numberIn(kind, `${url.pathname}${url.search}`);
}

function numberIn(kind: CatalogKind, path: string): string | null {
  const [, , found, number = null] = IN_PATH.exec(path) ?? [];
  if (kind === 'song' && found === 'album') return IN_ALBUM.exec(path)?.[1] ?? null;
  return found === kind ? number : null;
}
