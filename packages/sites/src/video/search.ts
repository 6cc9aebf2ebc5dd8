import { z } from 'zod';
import { empty, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { crawlOf } from '#sites/framework/list-crawl.ts';
import type { Sending, SiteRequest } from '#sites/framework/request.ts';
import { attributeAt, lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { variableOf } from '#extract/dom/scripts.ts';
import { findWith } from '#extract/json/search.ts';
import { tryParse } from '#extract/values/json.ts';
import { at, integer, line, list } from '#extract/values/raw.ts';
import { wording } from './playability.ts';
import { paramsOf, SearchInput } from './search-input.ts';
import { readSearchResults, SearchResult } from './search-results.ts';
import { sortByAge } from './search-order.ts';
import { video } from './site.ts';
import { contextOf } from './videos-input.ts';

const SearchPage = z.object({
  results: z.array(SearchResult).readonly(),
  corrected_query: z.string().nullable().describe('The words that the site searched for instead'),
  estimated_results: z.int().min(0).nullable(),
});

type SearchSource = EndpointSource<typeof SearchInput, typeof SearchPage>;

/** The result page; what follows its first page comes from the site's interface. */
const page: SearchSource = {
  name: 'page',
  request: (input, site) =>
    site.cursor === null
      ? {
          origin: 'web',
          path: '/results',
          query: {
            search_query: input.search,
            sp: paramsOf(input),
            hl: input.language,
            gl: input.country.toUpperCase(),
          },
          language: input.language,
        }
      : ask(input, site),
  parse(given, input, site) {
    if (site.cursor !== null) return readAnswer(given.body, input, site.cursor);
    const html = parsePage(given.body, given.url);
    const said = /^(.+) - [^-]+$/.exec(lineAt(html, 'title') ?? '')?.[1] ?? null;
    const locale = attributeAt(html, 'html', 'lang') ?? input.language;
    return readPage(variableOf(html, 'ytInitialData'), { input, locale, said, token: tokenIn(null) });
  },
};

/** The interface that the result page itself asks. */
const api: SearchSource = {
  name: 'interface',
  request: ask,
  parse: (given, input, { cursor }) => readAnswer(given.body, input, cursor),
};

function ask(input: SearchInput, site: Sending): SiteRequest {
  const { cursor } = site;
  const wanted =
    cursor === null
      ? { query: input.search, params: paramsOf(input) ?? undefined }
      : { continuation: tokenIn(cursor).token };
  return {
    origin: 'web',
    path: '/youtubei/v1/search',
    query: { prettyPrint: false },
    post: { json: { context: contextOf(input, site), ...wanted } },
    language: input.language,
  };
}

/** Where a search goes on: the words that the site searched for instead, what its last page held, and the site's token. */
type SearchToken = { readonly words: string | null; readonly seen: readonly string[]; readonly token: string };

/** A page of the site holds about twenty. */
const MAX_SEEN = 60;

function tokenIn(cursor: string | null): SearchToken {
  const [, words = '', seen = '', token = ''] = /^(?:(.*)\n(.*)\n)?(.*)$/.exec(cursor ?? '') ?? [];
  return { words: words === '' ? null : words, seen: seen.split(' ').filter(Boolean), token };
}

function toToken({ words, seen, token }: SearchToken): string {
  return [words?.replaceAll(/\s+/g, ' ') ?? '', seen.slice(-MAX_SEEN).join(' '), token].join('\n');
}

/** Reads an answer of the interface, which has no words of its own around its data. */
function readAnswer(body: string, input: SearchInput, cursor: string | null): ReturnType<SearchSource['parse']> {
  return readPage(tryParse(body), { input, locale: input.language, said: null, token: tokenIn(cursor) });
}

type SearchReading = {
  readonly input: SearchInput;
  readonly locale: string;
  /** The words that the page says it searched for, where it has them outside of its data. */
  readonly said: string | null;
  /** Where this page goes on. */
  readonly token: SearchToken;
};

function readPage(data: unknown, { input, locale, said, token }: SearchReading): ReturnType<SearchSource['parse']> {
  const sections = sectionsOf(data);
  if (sections === null) return unusable('the results of a search');
  const corrected =
    findWith(sections, 'correctedQuery')
      .map((one) => wording(one['correctedQuery']))
      .at(0) ?? token.words;
  const echoes = [...queriesOf(at(data, 'header')), ...queriesOf(subMenuOf(data)), ...(said === null ? [] : [said])];
  if (echoes.length > 0 && ![input.search, corrected ?? input.search].some((words) => echoes.some(isWords(words)))) {
    return unusable(`the results of another search: ${echoes[0]?.slice(0, 100)}`);
  }
  const read = readSearchResults(sections, locale);
  const following = line(
    sections
      .map((one) => at(one, 'continuationItemRenderer', 'continuationEndpoint', 'continuationCommand', 'token'))
      .find((one) => one !== undefined),
  );
  if (read.length === 0) return isEmpty(sections) ? empty() : unusable('results that can be read');
  // The site repeats a result of the page before.
  const results = read.filter(({ id }) => !token.seen.includes(id));
  const seen = read.map(({ id }) => id);
  const next =
    following === null ? null : toToken({ words: corrected, seen: [...token.seen, ...seen], token: following });
  const record = { results, corrected_query: corrected, estimated_results: integer(at(data, 'estimatedResults')) };
  const { sort_by: order } = input;
  if (order === 'rating') return partly(pageOf(record, next), 'sort_by: the site gives no ratings any more');
  if (order !== 'upload_date') return pageOf(record, next);
  const sorted = { ...record, results: sortByAge(results) };
  return partly(pageOf(sorted, next), 'sort_by: the site sorts by relevance; each of its pages is sorted by itself');
}

/** The sections of a first page, or of one that continues it; null for what is no page of results. */
function sectionsOf(data: unknown): readonly unknown[] | null {
  const first = at(
    data,
    'contents',
    'twoColumnSearchResultsRenderer',
    'primaryContents',
    'sectionListRenderer',
    'contents',
  );
  const more = list(at(data, 'onResponseReceivedCommands')).flatMap((one) =>
    list(at(one, 'appendContinuationItemsAction', 'continuationItems')),
  );
  if (Array.isArray(first)) return first;
  return more.length > 0 ? more : null;
}

function subMenuOf(data: unknown): unknown {
  return at(data, 'contents', 'twoColumnSearchResultsRenderer', 'primaryContents', 'sectionListRenderer', 'subMenu');
}

/** The words that the links of a menu search for. */
function queriesOf(menu: unknown): readonly string[] {
  return findWith(menu, 'searchEndpoint').flatMap((one) => line(at(one['searchEndpoint'], 'query')) ?? []);
}

function isWords(words: string): (other: string) => boolean {
  return (other) => toPlainWords(other) === toPlainWords(words);
}

function toPlainWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().replaceAll(/\s+/g, ' ').trim();
}

/** The site's own words for nothing found, or for no more. */
function isEmpty(sections: readonly unknown[]): boolean {
  return sections.some((section) =>
    list(at(section, 'itemSectionRenderer', 'contents')).some(
      (one) => at(one, 'backgroundPromoRenderer') !== undefined || at(one, 'messageRenderer') !== undefined,
    ),
  );
}

export const search = video({
  path: '/search',
  summary: 'Search videos, channels, playlists or shorts',
  input: SearchInput,
  record: SearchPage,
  aliases: {
    search: ['q', 'query', 'keyword', 'keywords'],
    country: ['geo'],
    language: ['locale'],
    limit: ['per_page'],
  },
  list: 'results',
  limit: { default: 20, most: 50 },
  sources: [page, api],
  expected: ['results.thumbnails', 'results.channel'],
  canary: { search: 'windmill' },
});

export const searchCrawl = crawlOf(search, {
  method: 'POST',
  summary: 'All videos that a search finds, as a job',
  by: 'id',
  bound: { name: 'max_results', default: 200, most: 1000 },
});
