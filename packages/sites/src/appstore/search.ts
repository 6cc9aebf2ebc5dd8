import { z } from 'zod';
import { empty, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { PLACE, PLACE_ALIASES } from './app-input.ts';
import { AppSummary, STORES, toAppSummary } from './app-record.ts';
import { askItunes, fromItunes, itunesResults } from './itunes.ts';
import { playCards } from './play-cards.ts';
import { appstore } from './site.ts';

const SearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
  store: z.enum(STORES).default('apple').describe('The store that is searched'),
  ...PLACE,
});

const SearchAnswer = z.object({ results: z.array(AppSummary).readonly() });

type SearchSource = EndpointSource<typeof SearchInput, typeof SearchAnswer>;

const MOST = 100;

const itunes: SearchSource = {
  name: 'itunes',
  when: (_, { store }) => store === 'apple',
  request: (input) => askItunes('/search', { term: input.search, entity: 'software', limit: MOST }, input),
  parse({ body }) {
    const found = itunesResults(body);
    if (found === null) return unusable('the results of a search');
    const results = found.flatMap((one) => fromItunes(one) ?? []).map((app) => toAppSummary(app));
    if (results.length > 0) return { results };
    return found.length === 0 ? empty() : unusable('apps that can be read');
  },
};

const NOTHING = /couldn.t find anything for your search|no results found/i;

const play: SearchSource = {
  name: 'play',
  lacks: 'the further results, which the store loads as one scrolls',
  when: (_, { store }) => store === 'play',
  request: ({ search, country, language }) => ({
    origin: 'play',
    path: '/store/search',
    query: { q: search, c: 'apps', hl: language, gl: country.toUpperCase() },
    language,
  }),
  parse({ body, url }) {
    const page = parsePage(body, url);
    const results = playCards(page);
    if (results.length > 0) return { results };
    return NOTHING.test(lineAt(page, 'body') ?? '') ? empty() : unusable('the results of a search');
  },
};

export const appstoreSearch = appstore({
  path: '/search',
  summary: 'Search the apps of a store',
  input: SearchInput,
  aliases: { search: ['q', 'query', 'term', 'keyword', 'keywords'], limit: ['per_page'], ...PLACE_ALIASES },
  record: SearchAnswer,
  list: 'results',
  limit: { default: 25, most: MOST },
  sources: [itunes, play],
  expected: ['results.developer', 'results.icon_url', 'results.is_free', 'results.category'],
  canary: { search: 'windmill' },
});
