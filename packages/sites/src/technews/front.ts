import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { EndpointSource } from '#sites/framework/endpoint.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { readFrontPage } from './front-page.ts';
import { askIndex, pageTokenOf, readHits } from './hits.ts';
import { NewsItem } from './item-record.ts';
import { technews } from './site.ts';

const FrontInput = z.object({
  list: z.enum(['top', 'new', 'best', 'ask', 'show', 'job']).default('top').describe('Which list of the forum'),
  page: wholeNumber(1, 50).default(1).describe('Which page of 30; cursor wins'),
});

type FrontInput = z.output<typeof FrontInput>;

const FrontAnswer = z.object({ items: z.array(NewsItem).readonly() });

type FrontSource = EndpointSource<typeof FrontInput, typeof FrontAnswer>;

const PATHS = { top: 'news', new: 'newest', best: 'best', ask: 'ask', show: 'show', job: 'jobs' } as const;
/** What the index calls the lists; it has no list of the best. */
const TAGS = { top: 'front_page', new: 'story', best: null, ask: 'ask_hn', show: 'show_hn', job: 'job' } as const;
const SIZE = 30;

/** The page of the list. Lists by time go on at an item and have no numbered pages. */
const page: FrontSource = {
  name: 'page',
  request({ list, page: number }, { cursor }) {
    if (cursor !== null) return { origin: 'web', path: `/${cursor}` };
    if (number > 1 && (list === 'new' || list === 'job')) refuseParameter('page', `${list} goes on by cursor alone`);
    return { origin: 'web', path: `/${PATHS[list]}`, query: { p: number === 1 ? null : number } };
  },
  parse: ({ body, url }) => readFrontPage(body, url),
};

const index: FrontSource = {
  name: 'index',
  lacks: 'the index of the forum orders its lists by time, and the first of them as it finds them',
  when: (_, { list }) => TAGS[list] !== null,
  request: ({ list, page: number }, { cursor }) =>
    askIndex(
      { tags: TAGS[list] ?? '', byDate: list !== 'top', query: null },
      pageTokenOf(cursor) ?? { page: number, size: SIZE },
    ),
  parse({ body }) {
    const read = readHits(body, null);
    return 'refusal' in read ? read.refusal : read.toPage((items) => ({ items }));
  },
};

export const technewsFront = technews({
  path: '/front',
  summary: 'A list of stories: top, new, best, ask, show or jobs',
  input: FrontInput,
  record: FrontAnswer,
  aliases: { limit: ['per_page'] },
  list: 'items',
  limit: { default: SIZE, most: 100 },
  sources: [page, index],
  expected: ['items.title', 'items.author', 'items.score', 'items.created_at', 'items.comment_count'],
  canary: { list: 'top' },
});
