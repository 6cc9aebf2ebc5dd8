import { z } from 'zod';
import { empty, pageOf, partly, unusable } from '#features/sites/answers.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { videoAlt } from './site.ts';
import { nextPage, readSummaries } from './summaries.ts';
import { VideoSummary } from './summary-record.ts';

const ORDERS = { relevance: undefined, newest: 'date', views: 'views' } as const;
const DATES = { today: 'today', week: 'this-week', month: 'this-month', year: 'this-year' } as const;

/** Videos by words, a page of the site a call. */
export const videoAltSearch = videoAlt({
  path: '/search',
  summary: 'Search videos and shorts',
  input: z.object({
    search: z.string().trim().min(1).max(1000).describe('Words to search for'),
    type: z.enum(['video', 'short', 'all']).default('all').describe('What to keep of each page of results'),
    sort: z.enum(['relevance', 'newest', 'views']).default('relevance'),
    date: z.enum(['today', 'week', 'month', 'year']).optional().describe('Published within'),
    duration: z.enum(['short', 'long']).optional(),
    license: z.enum(['now']).optional().describe('Only what can be licensed at once'),
  }),
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], sort: ['sort_by'] },
  record: z.object({ results: z.array(VideoSummary).readonly() }),
  list: 'results',
  expected: ['results.channel', 'results.published_at', 'results.view_count', 'results.thumbnail_url'],
  canary: { search: 'windmill' },
  request: ({ search, sort, date, duration, license }, { cursor }) => ({
    origin: 'web',
    path: '/search/video',
    query: {
      q: search,
      sort: ORDERS[sort],
      date: date === undefined ? undefined : DATES[date],
      duration,
      license,
      page: cursor,
    },
  }),
  parse(given, { search, type }, { cursor }) {
    const page = parsePage(given.body, given.url);
    const said = /^Search results for:\s*(.*)$/.exec(lineAt(page, 'title') ?? '')?.[1];
    if (said !== undefined && toWords(said) !== toWords(search))
      return unusable(`the results of another search: ${said}`);
    const { shown, videos } = readSummaries(page, null);
    if (shown === 0)
      return lineAt(page, '.main-and-sidebar')?.startsWith('No videos found') ? empty() : unusable('results');
    if (videos.length === 0) return unusable('results that can be read');
    const results = videos.filter((video) => type === 'all' || video.type === type);
    // Of half a page the rest may hold what is wanted.
    if (results.length === 0 && !/<\/(?:main|body|html)>/i.test(given.body)) return unusable('the end of the page');
    const list = pageOf({ results }, nextPage(page, cursor));
    return type === 'short' || results.length < videos.length
      ? partly(list, `type: the site's search cannot ask for it; each of its pages is kept but for what is another`)
      : list;
  },
});

function toWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ');
}
