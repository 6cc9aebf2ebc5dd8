import { z } from 'zod';
import { AlbumInput } from './album-input.ts';
import { lookup } from './album-lookup.ts';
import { albumPage } from './album-page.ts';
import { AlbumRecord } from './album-record.ts';
import { musiccatalog } from './site.ts';

export const album = musiccatalog({
  path: '/album',
  summary: 'Album detail and tracklist by id or url',
  input: AlbumInput,
  record: z.object({ album: AlbumRecord }),
  anyOf: ['id', 'url'],
  aliases: { country: ['geo'] },
  sources: [lookup, albumPage],
  expected: ['album.artist_name', 'album.release_date', 'album.artwork', 'album.tracks.duration_ms'],
  canary: { id: '1440857781' },
});
