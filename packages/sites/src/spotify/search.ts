import { z } from 'zod';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseJsonValue } from '#extract/values/json.ts';
import { getPath, toBoolean, toInteger, toLine, toArray } from '#extract/values/raw.ts';
import { requestMore, buildPage, type SiteAnswer, type SiteRecord, unusable } from '#sites/framework/answers.ts';
import {
  buildBearerHeader,
  hasOAuthClient,
  parseAccessToken,
  buildTokenRequest,
  type SiteContext,
  type SourcePage,
} from '#sites/framework/request.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { parseApiPlaylist, parseGraphPlaylist, PlaylistRecord } from './playlist.ts';
import {
  Episode,
  parseApiEpisode,
  parseApiPodcast,
  parseEpisode,
  parseGraphPodcast,
  PodcastRecord,
} from './podcast.ts';
import {
  AlbumRef,
  ArtistRef,
  buildIdentity,
  Count,
  EntityInput,
  Flag,
  Images,
  parseAlbumRef,
  parseApiAlbumRef,
  parseApiArtists,
  parseApiTrack,
  parseArtists,
  parseGraphImages,
  parseId,
  parseImages,
  parseTrack,
  Text,
  Track,
} from './shared.ts';
import { spotify } from './site.ts';
import { buildGraphRequest, type GraphQuery, parseEmbed, parseGraph } from './sources.ts';

const TYPES = ['track', 'artist', 'album', 'playlist', 'podcast', 'episode'] as const;

const SearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z
    .array(z.enum(TYPES))
    .min(1)
    .max(TYPES.length)
    .default(['track', 'artist', 'album', 'playlist'])
    .describe('Types of results; each has its own list'),
  language: EntityInput.shape.language,
});

type SearchInput = z.output<typeof SearchInput>;

const AlbumResult = AlbumRef.extend({ artists: z.array(ArtistRef).readonly().nullable() });
const ArtistResult = z.object({
  id: z.string(),
  uri: z.string(),
  url: z.string(),
  name: z.string(),
  verified: Flag,
  images: Images,
});
const EpisodeResult = Episode.extend({
  podcast: z.object({ id: Text, uri: Text, name: Text, url: Text }).nullable(),
});

function defineList<T extends z.ZodType>(element: T) {
  return z.array(element).readonly().nullable();
}

/** The results of each requested type. Null for the other types. */
const SearchResults = z.object({
  tracks: defineList(Track),
  artists: defineList(ArtistResult),
  albums: defineList(AlbumResult),
  playlists: defineList(PlaylistRecord),
  podcasts: defineList(PodcastRecord),
  episodes: defineList(EpisodeResult),
});

type SearchResults = z.output<typeof SearchResults>;

const SearchTotals = z.object({
  tracks: Count,
  artists: Count,
  albums: Count,
  playlists: Count,
  podcasts: Count,
  episodes: Count,
});

type ResultList = { readonly results: SearchResults; readonly totals: z.output<typeof SearchTotals> };

type SearchSource = EndpointSource<typeof SearchInput, SearchAnswer>;

/** Results of each type in one answer. */
const DEFAULT_LIMIT = 20;

/** The search of the web player, with the visitor's token of an embedded player. */
const graphSource: SearchSource = {
  name: 'graph',
  request: ({ language }, site) => ({ origin: 'web', path: site.constants['token_path'] ?? '/', language }),
  parse: parseGraphAnswer,
};

/** The API, with the operator's credentials. */
const apiSource: SearchSource = {
  name: 'api',
  lacks: 'the documented interface has no play counts, and does not report whether artists are verified',
  when: hasOAuthClient,
  request: (_input, site) => buildTokenRequest(site, { origin: 'accounts', path: '/api/token' }),
  parse: parseApiAnswer,
};

/** The page of a search. A browser captures the answer to the query that the page sends. */
const browserSource: SearchSource = {
  name: 'browser',
  needs: 'browser',
  captures: [{ name: 'results', path: /\/pathfinder\/v\d+\/query$/ }],
  request: ({ search, language }) => ({ origin: 'web', path: `/search/${encodeURIComponent(search)}`, language }),
  parse(page, input, site) {
    if (site.cursor !== null) return unusable('the page of a search shows only the first results');
    const response = page.captures
      .map(({ text }) => getPath(parseJsonValue(text), 'data', 'searchV2'))
      .find((one) => getPath(one, 'tracksV2') !== undefined);
    return response === undefined
      ? unusable('the results of a search are missing')
      : parseGraphResults(response, input, site);
  },
};

export const spotifySearch = spotify({
  path: '/search',
  summary: 'Search tracks, artists, albums, playlists, podcasts and episodes',
  input: SearchInput,
  record: z.object({
    results: SearchResults.describe('A list for each requested type; null for the others'),
    totals: SearchTotals.describe('Total number of results of each type'),
  }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], language: ['locale'], limit: ['per_page'] },
  list: 'results',
  limit: { default: DEFAULT_LIMIT, max: 50 },
  sources: [graphSource, apiSource, browserSource],
  expected: ['results.tracks.artists', 'results.tracks.album', 'results.albums.image_url', 'results.artists.images'],
  canary: { search: 'Daft Punk' },
});

function parseGraphAnswer(page: SourcePage, input: SearchInput, site: SiteContext): ReturnType<SearchSource['parse']> {
  const embedded = page.carry === undefined ? parseEmbed(parsePage(page.body, page.url)) : null;
  if (embedded?.token === null) return unusable('the token of a visitor is missing');
  if (embedded !== null) {
    const request = buildGraphRequest(buildQuery(input, site), embedded.token, site);
    return requestMore(request, 'search');
  }
  const read = parseGraph(page.body, 'searchV2');
  return 'answer' in read ? read.answer : parseGraphResults(read.found, input, site);
}

function parseApiAnswer(page: SourcePage, input: SearchInput, site: SiteContext): ReturnType<SearchSource['parse']> {
  const token = page.carry === undefined ? parseAccessToken(page) : null;
  if (token !== null) {
    const type = input.type.map((one) => (one === 'podcast' ? 'show' : one)).join(',');
    const query = {
      q: input.search,
      type,
      limit: site.limit ?? DEFAULT_LIMIT,
      offset: site.cursor ?? 0,
      market: 'US',
    };
    return requestMore({ origin: 'api', path: '/v1/search', query, headers: buildBearerHeader(token) }, 'search');
  }
  const raw = parseJsonValue(page.body);
  const words = input.type.flatMap((one) => parseSearchWords(getPath(raw, LISTS[one], 'href')) ?? []);
  if (words.some((one) => one !== input.search)) return unusable('results of another search');
  const lists = {
    tracks: getPath(raw, 'tracks'),
    artists: getPath(raw, 'artists'),
    albums: getPath(raw, 'albums'),
    playlists: getPath(raw, 'playlists'),
    podcasts: getPath(raw, 'shows'),
    episodes: getPath(raw, 'episodes'),
  };
  return buildResultPage(lists, API_PARSERS, input, site);
}

type SearchType = (typeof TYPES)[number];

/** Names of the lists by result type. */
const LISTS = {
  track: 'tracks',
  artist: 'artists',
  album: 'albums',
  playlist: 'playlists',
  podcast: 'podcasts',
  episode: 'episodes',
} as const satisfies Readonly<Record<SearchType, keyof SearchResults>>;

type ResultParser<K extends keyof SearchResults> = (raw: unknown) => NonNullable<SearchResults[K]>[number] | null;
type ResultParsers = { readonly [K in keyof SearchResults]: ResultParser<K> };

function buildEntityRequest(raw: unknown, kind: 'playlist' | 'show') {
  const id = parseId(getPath(raw, 'uri'), kind) ?? '';
  return { id, uri: '', language: '', cursor: null, limit: null };
}

/** Parsers for the web player's search. */
const GRAPH_PARSERS: ResultParsers = {
  tracks: (raw) => parseTrack(getPath(raw, 'item', 'data')),
  artists: (raw) => parseFoundArtist(getPath(raw, 'data')),
  albums: (raw) => addArtists(parseAlbumRef(getPath(raw, 'data')), parseArtists(getPath(raw, 'data', 'artists'))),
  playlists: (raw) => parseGraphPlaylist(getPath(raw, 'data'), buildEntityRequest(getPath(raw, 'data'), 'playlist')),
  podcasts: (raw) => parseGraphPodcast(getPath(raw, 'data'), buildEntityRequest(getPath(raw, 'data'), 'show')),
  episodes(raw) {
    const show = getPath(raw, 'data', 'podcastV2', 'data');
    const id = parseId(getPath(show, 'uri'), 'show');
    const episode = parseEpisode(getPath(raw, 'data'));
    if (episode === null) return null;
    return {
      ...episode,
      podcast: id === null ? null : { ...buildIdentity('show', id), name: toLine(getPath(show, 'name')) },
    };
  },
};

/** Parsers for the API's search. */
const API_PARSERS: ResultParsers = {
  tracks: parseApiTrack,
  artists(raw) {
    const id = parseId(getPath(raw, 'uri'), 'artist');
    const name = toLine(getPath(raw, 'name'));
    if (id === null || name === null) return null;
    return { ...buildIdentity('artist', id), name, verified: null, images: parseImages(getPath(raw, 'images')) };
  },
  albums: (raw) => addArtists(parseApiAlbumRef(raw), parseApiArtists(getPath(raw, 'artists'))),
  playlists: (raw) => parseApiPlaylist(raw, buildEntityRequest(raw, 'playlist')),
  podcasts: (raw) => parseApiPodcast(raw, buildEntityRequest(raw, 'show')),
  episodes(raw) {
    const episode = parseApiEpisode(raw);
    return episode === null ? null : { ...episode, podcast: null };
  },
};

function parseFoundArtist(raw: unknown): z.output<typeof ArtistResult> | null {
  const id = parseId(getPath(raw, 'uri'), 'artist');
  const name = toLine(getPath(raw, 'profile', 'name'));
  if (id === null || name === null) return null;
  const verified =
    toBoolean(getPath(raw, 'profile', 'verified')) ??
    toBoolean(getPath(raw, 'onPlatformReputationTrait', 'verification', 'isVerified'));
  return {
    ...buildIdentity('artist', id),
    name,
    verified,
    images: parseGraphImages(getPath(raw, 'visuals', 'avatarImage')),
  };
}

function addArtists(album: AlbumRef | null, artists: z.output<typeof AlbumResult>['artists']) {
  return album === null ? null : { ...album, artists };
}

/** The unparsed lists of one answer. */
type RawLists = Readonly<Record<keyof SearchResults, unknown>>;

/** Parses the requested results. Returns a reason if a list is missing, or if no element of it can be parsed. */
function parseLists(lists: RawLists, readers: ResultParsers, types: readonly SearchType[]): ResultList | string {
  const wanted = types.map((type) => LISTS[type]);
  const missing = wanted.find((name) => !Array.isArray(getPath(lists[name], 'items')));
  if (missing !== undefined) return `no list of ${missing}`;
  function parseList<T>(name: keyof SearchResults, read: (raw: unknown) => T | null): readonly T[] | null {
    return wanted.includes(name) ? toArray(getPath(lists[name], 'items')).flatMap((one) => read(one) ?? []) : null;
  }
  const results = {
    tracks: parseList('tracks', readers.tracks),
    artists: parseList('artists', readers.artists),
    albums: parseList('albums', readers.albums),
    playlists: parseList('playlists', readers.playlists),
    podcasts: parseList('podcasts', readers.podcasts),
    episodes: parseList('episodes', readers.episodes),
  };
  // The API's lists of playlists contain null elements.
  const blind = wanted.find(
    (name) => results[name]?.length === 0 && toArray(getPath(lists[name], 'items')).some(isJsonObject),
  );
  if (blind !== undefined) return `no readable ${blind}`;
  const total = (name: keyof SearchResults) => (wanted.includes(name) ? parseTotal(lists[name]) : null);
  const totals = {
    tracks: total('tracks'),
    artists: total('artists'),
    albums: total('albums'),
    playlists: total('playlists'),
    podcasts: total('podcasts'),
    episodes: total('episodes'),
  };
  return { results, totals };
}

function parseTotal(raw: unknown): number | null {
  return toInteger(getPath(raw, 'totalCount')) ?? toInteger(getPath(raw, 'total'));
}

type SearchAnswer = z.ZodObject<{ results: typeof SearchResults; totals: typeof SearchTotals }>;

type ResultPage = SiteRecord<z.input<SearchAnswer>> | SiteAnswer;

function buildQuery({ search, language }: SearchInput, { cursor, limit }: SiteContext): GraphQuery {
  const variables = {
    searchTerm: search,
    offset: Number(cursor ?? 0),
    limit: limit ?? DEFAULT_LIMIT,
    numberOfTopResults: 5,
    includeAudiobooks: true,
    includeArtistHasConcertsField: false,
    includePreReleases: true,
    includeAuthors: false,
    includeEpisodeContentRatingsV2: false,
  };
  return { query: 'searchDesktop', variables, language };
}

function parseGraphResults(raw: unknown, input: SearchInput, site: SiteContext): ResultPage {
  const lists = {
    tracks: getPath(raw, 'tracksV2'),
    artists: getPath(raw, 'artists'),
    albums: getPath(raw, 'albumsV2'),
    playlists: getPath(raw, 'playlists'),
    podcasts: getPath(raw, 'podcasts'),
    episodes: getPath(raw, 'episodes'),
  };
  return buildResultPage(lists, GRAPH_PARSERS, input, site);
}

/** Parses the search text in the URL of an API list. */
function parseSearchWords(href: unknown): string | null {
  const query = URL.parse(toLine(href) ?? '')?.searchParams;
  return query?.get('query') ?? query?.get('q') ?? null;
}

/** Builds one page of all lists. There is a next page while one of the lists has more. */
function buildResultPage(
  lists: RawLists,
  readers: ResultParsers,
  { type }: SearchInput,
  { cursor, limit }: SiteContext,
): ResultPage {
  const found = parseLists(lists, readers, type);
  if (typeof found === 'string') return unusable(found);
  const next = Number(cursor ?? 0) + (limit ?? DEFAULT_LIMIT);
  const hasMore = Object.values(found.totals).some((total) => total !== null && total > next);
  const isEnd = Object.values(found.results).every((one) => one === null || one.length === 0);
  return buildPage(found, hasMore && !isEnd ? String(next) : null);
}
