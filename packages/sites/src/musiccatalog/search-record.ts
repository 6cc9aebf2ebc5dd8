import { z } from 'zod';
import type { SiteView } from '#sites/framework/request.ts';
import { AlbumSummary, CatalogSong } from './album-record.ts';
import { Storefront } from './catalog-input.ts';

const TYPES = ['song', 'album', 'artist', 'playlist'] as const;

export type CatalogType = (typeof TYPES)[number];

export const CatalogSearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z
    .array(z.enum(TYPES))
    .min(1)
    .max(TYPES.length)
    .default(['song'])
    .describe('What to look for; of several, the results of each page come type by type'),
  country: Storefront.default('US').describe('Storefront, ISO 3166-1'),
});

export type CatalogSearchInput = z.output<typeof CatalogSearchInput>;

const Text = z.string().nullable();

const FoundArtist = z.object({
  type: z.literal('artist'),
  id: z.string(),
  name: z.string(),
  url: z.string(),
  genres: z.array(z.string()).readonly().nullable(),
});

const FoundPlaylist = z.object({
  type: z.literal('playlist'),
  id: z.string(),
  name: z.string(),
  url: z.string(),
  curator: Text,
  artwork_url: Text,
  track_count: z.int().min(0).nullable(),
});

export const CatalogResult = z.discriminatedUnion('type', [
  CatalogSong.extend({ type: z.literal('song') }),
  AlbumSummary.extend({ type: z.literal('album'), album_type: AlbumSummary.shape.type }),
  FoundArtist,
  FoundPlaylist,
]);

export type CatalogResult = z.output<typeof CatalogResult>;

/** The results of one type from an offset on. */
export type ResultStretch = { readonly offset: number; readonly size: number };

/** Results of each type in one page where there are several, whatever the limit, so that a page can be had again. */
const OF_EACH = 25;

/** The stretch that a token stands for. The size belongs to it, because a caller may change `limit`. */
export function resultStretchOf({ type }: CatalogSearchInput, { cursor, limit }: SiteView): ResultStretch {
  const [, offset, size] = /^(\d{1,6})x(\d{1,3})$/.exec(cursor ?? '') ?? [];
  if (offset !== undefined && size !== undefined) return { offset: Number(offset), size: Number(size) };
  return { offset: 0, size: type.length > 1 ? OF_EACH : (limit ?? OF_EACH) };
}
