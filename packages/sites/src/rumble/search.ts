import { z } from 'zod';
import { answerEmpty, requestMore, buildPage, markPartial, unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { findCanonicalUrl, readAttributeAt, readLineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { findNextPage, Owner, parsePath, readSummaries, VideoSummary } from './shared.ts';
import { rumble } from './site.ts';

const SearchInput = z.object({
  search: z.string().trim().min(1).max(1000).describe('Words to search for'),
  type: z.enum(['video', 'short', 'all']).default('all').describe('Type of results; others are removed from each page'),
  sort: z.enum(['relevance', 'newest', 'views']).default('relevance').describe('The order of the videos'),
  date: z.enum(['today', 'week', 'month', 'year']).optional().describe('Maximum age'),
  duration: z.enum(['short', 'long']).optional().describe('Only videos of this length'),
  license: z.enum(['now']).optional().describe('Only videos that can be licensed immediately'),
});

type SearchInput = z.output<typeof SearchInput>;

/** A search for videos; each call reads one page of the site. */
export const rumbleSearch = rumble({
  path: '/search',
  summary: 'Search videos and shorts',
  input: SearchInput,
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], sort: ['sort_by'] },
  record: z.object({ results: z.array(VideoSummary).readonly() }),
  list: 'results',
  expected: ['results.channel', 'results.published_at', 'results.view_count', 'results.thumbnail_url'],
  canary: { search: 'windmill' },
  request: (input, { cursor }) => ({ origin: 'web', path: '/search/video', query: buildQuery(input, cursor) }),
  parse(source, { search, type }, { cursor }) {
    if (source.carry !== undefined) return readChannelShorts(source);
    const page = parsePage(source.body, source.url);
    const address = findCanonicalUrl(page);
    const own = address === null ? null : parsePath(address);
    if (own !== null && !own.startsWith('/search')) return unusable(`no results of a search: ${own.slice(0, 100)}`);
    const shownWords = /^Search results for:\s*(.*)$/.exec(readLineAt(page, 'title') ?? '')?.[1];
    if (shownWords !== undefined && normalizeWords(shownWords) !== normalizeWords(search))
      return unusable(`results of another search: ${shownWords}`);
    const { shown, videos } = readSummaries(page, null);
    if (shown === 0)
      return readLineAt(page, '.main-and-sidebar')?.startsWith('No videos found') === true
        ? answerEmpty()
        : unusable('no results');
    if (videos.length === 0) return unusable('no readable results');
    const results = videos.filter((video) => type === 'all' || video.type === type);
    const next = findNextPage(page, cursor);
    if (type === 'short')
      return requestChannelShorts({ results, next }, cursor === null ? findMatchingChannels(videos, search) : []);
    const list = buildPage({ results }, next);
    return results.length < videos.length ? markPartial(list, 'type: shorts were left out of the page') : list;
  },
});

const ORDERS = { relevance: undefined, newest: 'date', views: 'views' } as const;
const DATES = { today: 'today', week: 'this-week', month: 'this-month', year: 'this-year' } as const;

/** Builds the site's query of a search. */
function buildQuery({ search, sort, date, duration, license }: SearchInput, cursor: string | null) {
  const since = date === undefined ? undefined : DATES[date];
  return { q: search, sort: ORDERS[sort], date: since, duration, license, page: cursor };
}

/** Normalizes words, to compare those of the page with the requested ones. */
function normalizeWords(text: string): string {
  return text.normalize('NFKC').toLowerCase().split(/\s+/).filter(Boolean).join(' ');
}

/** The results so far, stored while the shorts of a channel are requested. */
const ShortsState = z.object({
  results: z.array(VideoSummary),
  next: z.string().nullable(),
  /** The channel whose shorts are requested now; `channels` are the remaining ones. */
  channel: Owner,
  channels: z.array(Owner),
});

type ShortsState = z.output<typeof ShortsState>;

type ShortsPage = Pick<ShortsState, 'results' | 'next'>;

/** The number of channels whose shorts are requested for one search. */
const MAX_CHANNELS = 2;
const FILTER_GAP = 'type: the site cannot filter by type, so results of other types were removed from each page';

/** Finds the channels of results whose name matches the search. */
function findMatchingChannels(videos: readonly VideoSummary[], search: string): readonly Owner[] {
  const words = normalizeWords(search);
  const isCalled = ({ name, slug }: Owner) =>
    [name ?? '', slug].some((one) => normalizeWords(one).includes(words) || words.includes(slug.toLowerCase()));
  const channels = videos.flatMap(({ channel }) => (channel !== null && isCalled(channel) ? [channel] : []));
  return [...new Map(channels.map((channel) => [channel.url, channel])).values()].slice(0, MAX_CHANNELS);
}

/** Requests the shorts of the next matching channel; returns the results if there is none. */
function requestChannelShorts({ results, next }: ShortsPage, channels: readonly Owner[]) {
  const answer = markPartial(buildPage({ results }, next), FILTER_GAP);
  const [channel, ...others] = channels;
  if (channel === undefined) return answer;
  const state: ShortsState = { results: [...results], next, channel, channels: others };
  return requestMore({ origin: 'web', path: `${new URL(channel.url).pathname}/shorts` }, state, answer);
}

/** Adds the shorts of one channel to the results. Another page adds none. */
function readChannelShorts(source: SourcePage): ReturnType<typeof requestChannelShorts> {
  const { results, next, channel, channels } = ShortsState.parse(source.carry);
  const page = parsePage(source.body, source.url);
  const slug = readAttributeAt(page, '.media-subscribe-and-notify', 'data-slug');
  const isRequested = slug?.toLowerCase() === channel.slug.toLowerCase();
  const known = new Set(results.map(({ id }) => id));
  const shorts = isRequested
    ? readSummaries(page, channel).videos.filter(({ type, id }) => type === 'short' && !known.has(id))
    : [];
  return requestChannelShorts({ results: [...results, ...shorts], next }, channels);
}
