import { z } from 'zod';
import { selectAll, readAttributeAt, selectFirst } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { answerEmpty, buildPage, unusable } from '#sites/framework/answers.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { buildIndexRequest, NewsItem, parseHits, parsePageToken, parseStoryRow } from './shared.ts';
import { hackerNews } from './site.ts';

const FrontInput = z.object({
  list: z.enum(['top', 'new', 'best', 'ask', 'show', 'job']).default('top').describe('List of the forum'),
  page: wholeNumber(1, 50).default(1).describe('Number of the page, with 30 stories each; cursor takes precedence'),
});

type FrontInput = z.output<typeof FrontInput>;

const FrontAnswer = z.object({ items: z.array(NewsItem).readonly() });

type FrontSource = EndpointSource<typeof FrontInput, typeof FrontAnswer>;

const PAGE_SIZE = 30;

/** The page of the list. Lists by time continue from an item and have no page numbers. */
const pageSource: FrontSource = {
  name: 'page',
  request({ list, page: number }, { cursor }) {
    if (cursor !== null) return { origin: 'web', path: `/${cursor}` };
    if (number > 1 && (list === 'new' || list === 'job'))
      refuseParameter('page', `${list} can only be continued with cursor`);
    return { origin: 'web', path: `/${PATHS[list]}`, query: { p: number === 1 ? null : number } };
  },
  parse: ({ body, url }) => parseFrontPage(body, url),
};

const indexSource: FrontSource = {
  name: 'index',
  lacks: 'the search index sorts the lists by time, and the list of top stories in its own order',
  when: (_, { list }) => TAGS[list] !== null,
  request: ({ list, page: number }, { cursor }) =>
    buildIndexRequest(
      { tags: TAGS[list] ?? '', byDate: list !== 'top', query: null },
      parsePageToken(cursor) ?? { page: number, size: PAGE_SIZE },
    ),
  parse({ body }) {
    const hits = parseHits(body, null);
    return 'refusal' in hits ? hits.refusal : hits.toPage((items) => ({ items }));
  },
};

export const hackerNewsFront = hackerNews({
  path: '/front',
  summary: 'A list of stories: top, new, best, ask, show or jobs',
  input: FrontInput,
  record: FrontAnswer,
  aliases: { limit: ['per_page'] },
  list: 'items',
  limit: { default: PAGE_SIZE, max: 100 },
  sources: [pageSource, indexSource],
  expected: ['items.title', 'items.author', 'items.score', 'items.created_at', 'items.comment_count'],
  canary: { list: 'top' },
});

const PATHS = { top: 'news', new: 'newest', best: 'best', ask: 'ask', show: 'show', job: 'jobs' } as const;
/** The index's tags for the lists. It has none for the best stories. */
const TAGS = { top: 'front_page', new: 'story', best: null, ask: 'ask_hn', show: 'show_hn', job: 'job' } as const;

/** Addresses of further pages, in the forum's own form. */
const NEXT_PAGE = /^(?:news|newest|best|ask|show|shownew|jobs)\?[\w=&]{1,100}$/;

/** Bounds of a page. A usual page has 30 rows in about 40,000 characters. */
const MAX_ROWS = 200;
const MAX_CHARACTERS = 600_000;

/** Parses the stories of a list's page, and the address of the next page. */
function parseFrontPage(body: string, address: string) {
  const page = parsePage(body.slice(0, MAX_CHARACTERS), address);
  const rows = selectAll(page, 'tr.athing').slice(0, MAX_ROWS);
  const items = rows.flatMap((row) => parseStoryRow(page, row) ?? []);
  if (items.length === 0) {
    const isWhole = selectFirst(page, '#hnmain') !== 0 && selectFirst(page, '.yclinks') !== 0;
    return rows.length === 0 && isWhole ? answerEmpty() : unusable('no list of stories');
  }
  const next = readAttributeAt(page, 'a.morelink', 'href')?.replace(/^\?/, `${new URL(address).pathname.slice(1)}?`);
  return buildPage({ items }, next !== undefined && NEXT_PAGE.test(next) ? next : null);
}

const DEFAULT_LIMIT = 20;

export const hackerNewsSearch = hackerNews({
  path: '/search',
  summary: 'Search stories and comments',
  input: z.object({
    search: z.string().trim().min(1).max(500).describe('Words to search for'),
    sort: z.enum(['relevance', 'date']).default('relevance').describe('The order of the results'),
    tags: z
      .enum(['story', 'comment', 'poll', 'job', 'ask_hn', 'show_hn', 'front_page'])
      .optional()
      .describe('Type of results; by default all'),
    author: z
      .string()
      .regex(/^[\w-]{1,30}$/, 'must be a user name of letters, digits, _ and -')
      .optional()
      .describe('User name of the author'),
    page: wholeNumber(1, 100).default(1).describe('Number of the page, by limit; cursor takes precedence'),
  }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  record: z.object({ results: z.array(NewsItem).readonly(), total: z.int().min(0).nullable() }),
  list: 'results',
  limit: { default: DEFAULT_LIMIT, max: 100 },
  expected: ['results.author', 'results.created_at', 'results.score'],
  canary: { search: 'windmill', tags: 'story' },
  request({ search, sort, tags, author, page }, { cursor, limit }) {
    const wanted = [tags, author === undefined ? undefined : `author_${author}`].filter((tag) => tag !== undefined);
    return buildIndexRequest(
      { query: search, tags: wanted.length === 0 ? null : wanted.join(','), byDate: sort === 'date' },
      parsePageToken(cursor) ?? { page, size: limit ?? DEFAULT_LIMIT },
    );
  },
  parse({ body }, { search }) {
    const hits = parseHits(body, search);
    return 'refusal' in hits ? hits.refusal : hits.toPage((results, total) => ({ results, total }));
  },
});
