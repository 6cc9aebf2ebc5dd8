import { z } from 'zod';
import { more, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView, SourcePage } from '#sites/framework/request.ts';
import { CatalogResult, CatalogSearchInput, resultStretchOf } from './search-record.ts';
import type { CatalogType } from './search-record.ts';
import { fromSearch, fromSearchPage } from './search-results.ts';
import { musiccatalog } from './site.ts';

const CatalogResults = z.object({ results: z.array(CatalogResult).readonly() });

/** What was found before the page at hand: results, and whether a type has more of them. */
const Carried = z.object({ step: z.int(), results: z.array(CatalogResult).readonly(), goesOn: z.boolean() });

const ENTITIES = { song: 'song', album: 'album', artist: 'musicArtist' } as const;

/** The types in the order of their requests: playlists, which only the first page has, last. */
function stepsOf({ type }: CatalogSearchInput, { cursor }: SiteView): readonly CatalogType[] {
  const others = [...new Set(type)].filter((one) => one !== 'playlist');
  return type.includes('playlist') && cursor === null ? [...others, 'playlist'] : others;
}

function requestFor(type: CatalogType, input: CatalogSearchInput, site: SiteView): SiteRequest {
  const country = input.country.toLowerCase();
  if (type === 'playlist') return { origin: 'web', path: `/${country}/search`, query: { term: input.search } };
  const { offset, size } = resultStretchOf(input, site);
  const query = { term: input.search, media: 'music', entity: ENTITIES[type], limit: size, offset, country };
  return { origin: 'api', path: '/search', query };
}

/** Reads the answer of one step, and asks for the next. */
function readStep(page: SourcePage, input: CatalogSearchInput, site: SiteView): SiteRecord<Found> | SiteAnswer {
  const steps = stepsOf(input, site);
  const carried = Carried.safeParse(page.carry);
  const before = carried.success ? carried.data : { step: 0, results: [], goesOn: false };
  const type = steps[before.step] ?? 'song';
  const found = type === 'playlist' ? fromSearchPage(page) : fromSearch(page, type);
  if (found === null) return unusable(`${type}s that can be read`);
  const { offset, size } = resultStretchOf(input, site);
  const results = [...before.results, ...found.results];
  const goesOn = before.goesOn || found.count >= size;
  const record = pageOf({ results }, goesOn ? `${offset + size}x${size}` : null);
  const next = steps[before.step + 1];
  if (next === undefined) return record;
  const alone = partly(record, `the ${next}s that were found are missing`);
  const carry = { step: before.step + 1, results, goesOn };
  return more(requestFor(next, input, site), carry, next === 'playlist' ? alone : null);
}

type Found = z.output<typeof CatalogResults>;

export const catalogSearch = musiccatalog({
  path: '/search',
  summary: 'Search songs, albums, artists or playlists',
  input: CatalogSearchInput,
  record: CatalogResults,
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], country: ['geo'], limit: ['per_page'] },
  list: 'results',
  limit: { default: 25, most: 200 },
  request: (input, site) => requestFor(stepsOf(input, site)[0] ?? 'song', input, site),
  parse: readStep,
  expected: ['results.name', 'results.url', 'results.genres', 'results.artwork'],
  canary: { search: 'Jack Johnson' },
});
