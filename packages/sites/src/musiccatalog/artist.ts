import { z } from 'zod';
import { artistLookup } from './artist-lookup.ts';
import { artistPage } from './artist-page.ts';
import { CatalogArtist } from './artist-record.ts';
import { CatalogInput } from './catalog-input.ts';
import { musiccatalog } from './site.ts';

export const catalogArtist = musiccatalog({
  path: '/artist',
  summary: 'Artist detail, albums and top songs by id or url',
  input: CatalogInput,
  record: z.object({ artist: CatalogArtist }),
  anyOf: ['id', 'url'],
  aliases: { country: ['geo'] },
  sources: [artistLookup, artistPage],
  // Only the page has picture and biography.
  fill: true,
  expected: ['artist.genres', 'artist.albums.name', 'artist.top_songs.name', 'artist.image_url'],
  canary: { id: '136975' },
});
