import type { z } from 'zod';
import { bearing, hasApplication, tokenIn, tokenRequest } from '#sites/framework/application.ts';
import { more, pageOf, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import type { SiteView } from '#sites/framework/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, line } from '#extract/values/raw.ts';
import { readEmbed } from './embed.ts';
import { readGraph, toGraphRequest } from './graph.ts';
import type { GraphQuestion } from './graph.ts';
import type { StreamSearchInput } from './search-input.ts';
import { GRAPH, LISTS, OFFICIAL, readLists } from './search-results.ts';
import type { RawLists, Readers, SearchResults, SearchTotals } from './search-results.ts';

type SearchAnswer = z.ZodObject<{ results: typeof SearchResults; totals: typeof SearchTotals }>;
type SearchSource = EndpointSource<typeof StreamSearchInput, SearchAnswer>;
type ResultPage = SiteRecord<z.input<SearchAnswer>> | SiteAnswer;

/** Results of one type in one answer where the caller does not say. */
export const USUAL = 20;

function questionOf({ search, language }: StreamSearchInput, { cursor, limit }: SiteView): GraphQuestion {
  const variables = {
    searchTerm: search,
    offset: Number(cursor ?? 0),
    limit: limit ?? USUAL,
    numberOfTopResults: 5,
    includeAudiobooks: true,
    includeArtistHasConcertsField: false,
    includePreReleases: true,
    includeAuthors: false,
    includeEpisodeContentRatingsV2: false,
  };
  return { query: 'searchDesktop', variables, language };
}

/** The search of the web player, with the token that an embedded player has for every visitor. */
export const graph: SearchSource = {
  name: 'graph',
  request: ({ language }, site) => ({ origin: 'web', path: site.constants['token_path'] ?? '/', language }),
  parse(page, input, site) {
    const embedded = page.carry === undefined ? readEmbed(parsePage(page.body, page.url)) : null;
    if (embedded?.token === null) return unusable('the token of a visitor');
    if (embedded !== null) {
      const request = toGraphRequest(questionOf(input, site), embedded.token, site);
      return more(request, 'search');
    }
    const read = readGraph(page.body, 'searchV2');
    return 'answer' in read ? read.answer : fromGraph(read.found, input, site);
  },
};

function fromGraph(raw: unknown, input: StreamSearchInput, site: SiteView): ResultPage {
  const lists = {
    tracks: at(raw, 'tracksV2'),
    artists: at(raw, 'artists'),
    albums: at(raw, 'albumsV2'),
    playlists: at(raw, 'playlists'),
    podcasts: at(raw, 'podcasts'),
    episodes: at(raw, 'episodes'),
  };
  return toPage(lists, GRAPH, input, site);
}

/** The documented interface, with the operator's application. */
export const official: SearchSource = {
  name: 'api',
  lacks: 'the documented interface gives no play counts, and of artists not whether they are verified',
  when: hasApplication,
  request: (_input, site) => tokenRequest(site, { origin: 'accounts', path: '/api/token' }),
  parse(page, input, site) {
    const token = page.carry === undefined ? tokenIn(page) : null;
    if (token !== null) {
      const type = input.type.map((one) => (one === 'podcast' ? 'show' : one)).join(',');
      const query = { q: input.search, type, limit: site.limit ?? USUAL, offset: site.cursor ?? 0, market: 'US' };
      return more({ origin: 'api', path: '/v1/search', query, headers: bearing(token) }, 'search');
    }
    const raw = tryParse(page.body);
    const words = input.type.flatMap((one) => wordsOf(at(raw, LISTS[one], 'href')) ?? []);
    if (words.some((one) => one !== input.search)) return unusable('the results of another search');
    const lists = {
      tracks: at(raw, 'tracks'),
      artists: at(raw, 'artists'),
      albums: at(raw, 'albums'),
      playlists: at(raw, 'playlists'),
      podcasts: at(raw, 'shows'),
      episodes: at(raw, 'episodes'),
    };
    return toPage(lists, OFFICIAL, input, site);
  },
};

/** The words that a list of the documented interface says it was asked for. */
function wordsOf(href: unknown): string | null {
  const query = URL.parse(line(href) ?? '')?.searchParams;
  return query?.get('query') ?? query?.get('q') ?? null;
}

/** The page of a search, which asks for its results itself; a browser sees the answer. */
export const drawn: SearchSource = {
  name: 'browser',
  needs: 'browser',
  captures: [{ name: 'results', path: /\/pathfinder\/v\d+\/query$/ }],
  request: ({ search, language }) => ({ origin: 'web', path: `/search/${encodeURIComponent(search)}`, language }),
  parse(page, input, site) {
    if (site.cursor !== null) return unusable('the page of a search shows only the first results');
    const found = page.captures
      .map(({ text }) => at(tryParse(text), 'data', 'searchV2'))
      .find((one) => at(one, 'tracksV2') !== undefined);
    return found === undefined ? unusable('the results of a search') : fromGraph(found, input, site);
  },
};

/** One page of every list; it goes on while one of them does. */
function toPage(
  lists: RawLists,
  readers: Readers,
  { type }: StreamSearchInput,
  { cursor, limit }: SiteView,
): ResultPage {
  const found = readLists(lists, readers, type);
  if (typeof found === 'string') return unusable(found);
  const next = Number(cursor ?? 0) + (limit ?? USUAL);
  const hasMore = Object.values(found.totals).some((total) => total !== null && total > next);
  const isEnd = Object.values(found.results).every((one) => one === null || one.length === 0);
  return pageOf(found, hasMore && !isEnd ? String(next) : null);
}
