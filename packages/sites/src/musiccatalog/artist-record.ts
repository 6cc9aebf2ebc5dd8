import { z } from 'zod';
import { AlbumSummary, CatalogSong } from './album-record.ts';

const Text = z.string().nullable();

export const CatalogArtist = z.object({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  genres: z.array(z.string()).readonly().nullable(),
  image_url: Text.describe('From the page of the artist alone'),
  biography: Text.describe('From the page of the artist alone'),
  albums: z.array(AlbumSummary).readonly().nullable().describe('The newest first'),
  top_songs: z.array(CatalogSong).readonly().nullable(),
});

export type CatalogArtist = z.output<typeof CatalogArtist>;
