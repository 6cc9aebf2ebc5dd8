import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { buildIndexRequest, NewsItem, parseHits, parsePageToken } from './shared.ts';
import { technews } from './site.ts';

const DEFAULT_LIMIT = 20;

export const technewsSearch = technews({
  path: '/search',
  summary: 'Search stories and comments',
  input: z.object({
    search: z.string().trim().min(1).max(500).describe('Words to search for'),
    sort: z.enum(['relevance', 'date']).default('relevance').describe('The order of the results'),
    tags: z
      .enum(['story', 'comment', 'poll', 'job', 'ask_hn', 'show_hn', 'front_page'])
      .optional()
      .describe('What to look for; everything unless given'),
    author: z
      .string()
      .regex(/^[\w-]{1,30}$/, 'must be a user name of letters, digits, _ and -')
      .optional()
      .describe('Who wrote it'),
    page: wholeNumber(1, 100).default(1).describe('Which page of that many; cursor wins'),
  }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], limit: ['per_page'] },
  record: z.object({ results: z.array(NewsItem).readonly(), total: z.int().min(0).nullable() }),
  list: 'results',
  limit: { default: DEFAULT_LIMIT, most: 100 },
  expected: ['results.author', 'results.created_at', 'results.score'],
  canary: { search: 'windmill', tags: 'story' },
  request({ search, sort, tags, author, page }, { cursor, limit }) {
    const wanted = [tags, author === undefined ? undefined : `author_${author}`].filter((one) => one !== undefined);
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
