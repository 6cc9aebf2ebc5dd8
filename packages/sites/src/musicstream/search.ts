import { z } from 'zod';
import { StreamSearchInput } from './search-input.ts';
import { SearchResults, SearchTotals } from './search-results.ts';
import { drawn, graph, official, USUAL } from './search-sources.ts';
import { musicstream } from './site.ts';

export const streamSearch = musicstream({
  path: '/search',
  summary: 'Search tracks, artists, albums, playlists, podcasts and episodes',
  input: StreamSearchInput,
  record: z.object({
    results: SearchResults.describe('A list for each type that was asked for, null for the others'),
    totals: SearchTotals.describe('How many there are of each type'),
  }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], language: ['locale'], limit: ['per_page'] },
  list: 'results',
  limit: { default: USUAL, most: 50 },
  sources: [graph, official, drawn],
  expected: ['results.tracks.artists', 'results.tracks.album', 'results.albums.image_url', 'results.artists.images'],
  canary: { search: 'Daft Punk' },
});
