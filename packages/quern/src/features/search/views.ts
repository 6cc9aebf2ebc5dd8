import type { CommandView } from '#engine/call/command-view.ts';
import { READS_WEB, type ToolView } from '#engine/call/tool-view.ts';

/** `quern search` for `quern fast-search`. */
export const FAST_SEARCH_VIEW: CommandView = { aliases: [{ words: ['search'], adds: [] }] };

/** The tool that searches. */
export const FAST_SEARCH_TOOL: ToolView = {
  tool: {
    name: 'search',
    title: 'Search the web',
    task: 'pages about something, by words',
    about:
      'Use this to find pages when no address is known. It answers titles, addresses and passages; read a page by fetch.',
    hints: READS_WEB,
  },
  members: {
    search: 'Words; "a phrase" in quotes',
    country_code: null,
    language: null,
    page: null,
  },
  toShown: ({ organic_results: results, news_results: news, meta_data: meta }) => ({
    results,
    ...(Array.isArray(news) && news.length > 0 ? { news } : {}),
    meta_data: meta,
  }),
};
