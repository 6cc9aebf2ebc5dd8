import { z } from 'zod';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toLine, toArray, toText, toCleanUrl } from '#extract/values/raw.ts';
import {
  requestMore,
  buildPage,
  markPartial,
  type SiteAnswer,
  type SiteRecord,
  unusable,
} from '#sites/framework/answers.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import {
  AlbumSummary,
  CatalogSong,
  cleanUrl,
  parseArtworkTemplate,
  parseLookupAlbum,
  parseLookupSong,
  Storefront,
} from './shared.ts';
import { appleMusic } from './site.ts';

const TYPES = ['song', 'album', 'artist', 'playlist'] as const;

const SearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z
    .array(z.enum(TYPES))
    .min(1)
    .max(TYPES.length)
    .default(['song'])
    .describe('Types of results; with several types, each page lists its results type by type'),
  country: Storefront.default('US').describe('Storefront, ISO 3166-1'),
});

type SearchInput = z.output<typeof SearchInput>;

const Text = z.string().nullable();

const ArtistResult = z.object({
  type: z.literal('artist'),
  id: z.string(),
  name: z.string(),
  url: z.string(),
  genres: z.array(z.string()).readonly().nullable(),
});

const PlaylistResult = z.object({
  type: z.literal('playlist'),
  id: z.string(),
  name: z.string(),
  url: z.string(),
  curator: Text,
  artwork_url: Text,
  track_count: z.int().min(0).nullable(),
});

const CatalogResult = z.discriminatedUnion('type', [
  CatalogSong.extend({ type: z.literal('song') }),
  AlbumSummary.extend({ type: z.literal('album'), album_type: AlbumSummary.shape.type }),
  ArtistResult,
  PlaylistResult,
]);

type CatalogResult = z.output<typeof CatalogResult>;

const CatalogResults = z.object({ results: z.array(CatalogResult).readonly() });

/** The results of earlier steps, and whether a type has more of them. */
const EarlierResults = z.object({ step: z.int(), results: z.array(CatalogResult).readonly(), goesOn: z.boolean() });

type Found = z.output<typeof CatalogResults>;

export const appleMusicSearch = appleMusic({
  path: '/search',
  summary: 'Search songs, albums, artists or playlists',
  input: SearchInput,
  record: CatalogResults,
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], country: ['geo'], limit: ['per_page'] },
  list: 'results',
  limit: { default: 25, max: 200 },
  request: (input, site) => buildRequest(listSteps(input, site)[0] ?? 'song', input, site),
  parse: parseStep,
  expected: ['results.name', 'results.url', 'results.genres', 'results.artwork'],
  canary: { search: 'Jack Johnson' },
});

type ResultType = (typeof TYPES)[number];

type ResultRange = { readonly offset: number; readonly size: number };

/**
 * Results of each type in one page with several types. It does not depend on `limit`, so that a cursor always means
 * the same page.
 */
const RESULTS_PER_TYPE = 25;

/** Reads the range of a cursor. It includes the size, because a caller may change `limit` between pages. */
function readResultRange({ type }: SearchInput, { cursor, limit }: SiteContext): ResultRange {
  const [, offset, size] = /^(\d{1,6})x(\d{1,3})$/.exec(cursor ?? '') ?? [];
  if (offset !== undefined && size !== undefined) return { offset: Number(offset), size: Number(size) };
  return { offset: 0, size: type.length > 1 ? RESULTS_PER_TYPE : (limit ?? RESULTS_PER_TYPE) };
}

const ENTITIES = { song: 'song', album: 'album', artist: 'musicArtist' } as const;

/** Lists the types in the order of their requests. Playlists come last, and only in the first page. */
function listSteps({ type }: SearchInput, { cursor }: SiteContext): readonly ResultType[] {
  const others = [...new Set(type)].filter((one) => one !== 'playlist');
  return type.includes('playlist') && cursor === null ? [...others, 'playlist'] : others;
}

function buildRequest(type: ResultType, input: SearchInput, site: SiteContext): SiteRequest {
  const country = input.country.toLowerCase();
  if (type === 'playlist') return { origin: 'web', path: `/${country}/search`, query: { term: input.search } };
  const { offset, size } = readResultRange(input, site);
  const query = { term: input.search, media: 'music', entity: ENTITIES[type], limit: size, offset, country };
  return { origin: 'api', path: '/search', query };
}

/** Parses the answer of one step, and requests the next. */
function parseStep(page: SourcePage, input: SearchInput, site: SiteContext): SiteRecord<Found> | SiteAnswer {
  const steps = listSteps(input, site);
  const carried = EarlierResults.safeParse(page.carry);
  const before = carried.success ? carried.data : { step: 0, results: [], goesOn: false };
  const type = steps[before.step] ?? 'song';
  const found = type === 'playlist' ? parseSearchPage(page) : parseSearchResults(page, type);
  if (found === null) return unusable(`no readable ${type}s`);
  const { offset, size } = readResultRange(input, site);
  const results = [...before.results, ...found.results];
  const hasMore = before.goesOn || found.count >= size;
  const record = buildPage({ results }, hasMore ? `${offset + size}x${size}` : null);
  const next = steps[before.step + 1];
  if (next === undefined) return record;
  const alone = markPartial(record, `the ${next}s that were found are missing`);
  const carry = { step: before.step + 1, results, goesOn: hasMore };
  return requestMore(buildRequest(next, input, site), carry, next === 'playlist' ? alone : null);
}

/** The results of one type in one answer. */
type TypeResults = { readonly results: readonly CatalogResult[]; readonly count: number };

function parseSearchResults(page: SourcePage, type: Exclude<ResultType, 'playlist'>): TypeResults | null {
  const found = getPath(parseJsonValue(page.body), 'results');
  if (!Array.isArray(found)) return null;
  const results = found.flatMap((one: unknown) => parseResult(one, type, page.url) ?? []);
  return results.length === 0 && found.length > 0 ? null : { results, count: found.length };
}

/** The API's name of each type. Apps and films have the same members as songs. */
const WRAPPERS = { song: 'track', album: 'collection', artist: 'artist' } as const;

function parseResult(raw: unknown, type: Exclude<ResultType, 'playlist'>, base: string): CatalogResult | null {
  if ((toLine(getPath(raw, 'wrapperType')) ?? WRAPPERS[type]) !== WRAPPERS[type]) return null;
  if (type === 'song') {
    const song = parseLookupSong(raw, base);
    return song === null ? null : { ...song, type };
  }
  if (type === 'album') {
    const album = parseLookupAlbum(raw, base);
    return album === null ? null : { ...album, type, album_type: album.type };
  }
  const id = toText(getPath(raw, 'artistId'));
  const name = toLine(getPath(raw, 'artistName'));
  const address = cleanUrl(getPath(raw, 'artistLinkUrl') ?? getPath(raw, 'artistViewUrl'), base);
  const genre = toLine(getPath(raw, 'primaryGenreName'));
  if (id === null || name === null || address === null) return null;
  return { type, id, name, url: address, genres: genre === null ? null : [genre] };
}

const PLAYLIST = /\/playlist\/(?:[^/?]{1,500}\/)?(pl\.[\w.-]{1,100})/;

/** Parses the playlists on the page of a search. Null if the page shows no results at all. */
function parseSearchPage(source: SourcePage): TypeResults | null {
  const page = parsePage(source.body, source.url);
  const shown = findObjectsWith(findJsonScript(page, { id: 'serialized-server-data' }), 'contentDescriptor');
  if (shown.length === 0) return null;
  const resultsById = new Map<string, CatalogResult>();
  for (const result of shown) {
    const address = toCleanUrl(getPath(result, 'contentDescriptor', 'url'), page.url);
    const id = PLAYLIST.exec(address ?? '')?.[1];
    const name = toLine(result['title']) ?? toLine(getPath(result['titleLinks'], 0, 'title'));
    if (address === null || id === undefined || name === null || resultsById.has(id)) continue;
    resultsById.set(id, {
      type: 'playlist',
      id,
      name,
      url: address,
      curator: parseCurator(result),
      artwork_url:
        parseArtworkTemplate(getPath(result, 'artwork', 'dictionary') ?? getPath(result, 'artwork'))?.url ?? null,
      track_count: null,
    });
  }
  return { results: [...resultsById.values()], count: 0 };
}

/** The subtitle is `Playlist · Apple Music Pop` for the first results, and only the name for the others. */
function parseCurator(raw: unknown): string | null {
  const [linked] = toArray(getPath(raw, 'subtitleLinks')).flatMap((one) => toLine(getPath(one, 'title')) ?? []);
  const subtitle = linked ?? toLine(getPath(raw, 'subtitle'));
  return subtitle?.split(' · ').at(-1) ?? null;
}
