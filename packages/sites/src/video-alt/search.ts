import { z } from 'zod';
import { empty, pageOf, partly, unusable } from '#sites/framework/answers.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { lineAt } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { linkedPath } from './address.ts';
import { matchingChannels, readChannelShorts, withChannelShorts } from './channel-shorts.ts';
import { altQueryOf, AltSearchInput, toPlainSearch } from './search-input.ts';
import { videoAlt } from './site.ts';
import { nextPage, readSummaries } from './summaries.ts';
import { VideoSummary } from './summary-record.ts';

/** Videos by words, a page of the site a call. */
export const videoAltSearch = videoAlt({
  path: '/search',
  summary: 'Search videos and shorts',
  input: AltSearchInput,
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], sort: ['sort_by'] },
  record: z.object({ results: z.array(VideoSummary).readonly() }),
  list: 'results',
  expected: ['results.channel', 'results.published_at', 'results.view_count', 'results.thumbnail_url'],
  canary: { search: 'windmill' },
  request: (input, { cursor }) => ({ origin: 'web', path: '/search/video', query: altQueryOf(input, cursor) }),
  parse(given, { search, type }, { cursor }) {
    if (given.carry !== undefined) return readChannelShorts(given);
    const page = parsePage(given.body, given.url);
    const address = canonicalOf(page);
    const own = address === null ? null : linkedPath(address);
    if (own !== null && !own.startsWith('/search')) return unusable(`no results of a search: ${own.slice(0, 100)}`);
    const said = /^Search results for:\s*(.*)$/.exec(lineAt(page, 'title') ?? '')?.[1];
    if (said !== undefined && toPlainSearch(said) !== toPlainSearch(search))
      return unusable(`the results of another search: ${said}`);
    const { shown, videos } = readSummaries(page, null);
    if (shown === 0)
      return lineAt(page, '.main-and-sidebar')?.startsWith('No videos found') === true ? empty() : unusable('results');
    if (videos.length === 0) return unusable('results that can be read');
    const results = videos.filter((video) => type === 'all' || video.type === type);
    const next = nextPage(page, cursor);
    if (type === 'short')
      return withChannelShorts({ results, next }, cursor === null ? matchingChannels(videos, search) : []);
    const list = pageOf({ results }, next);
    return results.length < videos.length ? partly(list, 'type: shorts were left out of the page') : list;
  },
});
