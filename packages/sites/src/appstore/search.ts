import { z } from 'zod';
import { readLineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { answerEmpty, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { parsePlayCards } from './play.ts';
import {
  AppSummary,
  buildItunesRequest,
  LOCALE_ALIASES,
  LOCALE_INPUT,
  parseItunesApp,
  parseItunesResults,
  STORES,
  summarizeApp,
} from './shared.ts';
import { appstore } from './site.ts';

const SearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
  store: z.enum(STORES).default('apple').describe('The store to search'),
  ...LOCALE_INPUT,
});

const SearchAnswer = z.object({ results: z.array(AppSummary).readonly() });

type SearchSource = EndpointSource<typeof SearchInput, typeof SearchAnswer>;

const MAX_RESULTS = 100;

const itunesSource: SearchSource = {
  name: 'itunes',
  when: (_, { store }) => store === 'apple',
  request: (input) =>
    buildItunesRequest('/search', { term: input.search, entity: 'software', limit: MAX_RESULTS }, input),
  parse({ body }) {
    const found = parseItunesResults(body);
    if (found === null) return unusable('the results of a search are missing');
    const results = found.flatMap((one) => parseItunesApp(one) ?? []).map((app) => summarizeApp(app));
    if (results.length > 0) return { results };
    return found.length === 0 ? answerEmpty() : unusable('no readable apps');
  },
};

const playSource: SearchSource = {
  name: 'play',
  lacks: 'the page has only the first results; the store loads the others on scrolling',
  when: (_, { store }) => store === 'play',
  request: ({ search, country, language }) => ({
    origin: 'play',
    path: '/store/search',
    query: { q: search, c: 'apps', hl: language, gl: country.toUpperCase() },
    language,
  }),
  parse({ body, url }) {
    const page = parsePage(body, url);
    const results = parsePlayCards(page);
    if (results.length > 0) return { results };
    return NO_RESULTS.test(readLineAt(page, 'body') ?? '')
      ? answerEmpty()
      : unusable('the results of a search are missing');
  },
};

export const appstoreSearch = appstore({
  path: '/search',
  summary: 'Search the apps of a store',
  input: SearchInput,
  aliases: { search: ['q', 'query', 'term', 'keyword', 'keywords'], limit: ['per_page'], ...LOCALE_ALIASES },
  record: SearchAnswer,
  list: 'results',
  limit: { default: 25, max: MAX_RESULTS },
  sources: [itunesSource, playSource],
  expected: ['results.developer', 'results.icon_url', 'results.is_free', 'results.category'],
  canary: { search: 'windmill' },
});

const NO_RESULTS = /couldn.t find anything for your search|no results found/i;
