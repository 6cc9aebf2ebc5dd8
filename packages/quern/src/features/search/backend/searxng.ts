import { getMember, toList } from '#extract/values/json.ts';
import { BackendFailure, type SearchBackend } from './backend.ts';
import { SAFE_LEVELS } from '#sites/engines/shared.ts';
import { fetchJson, type RawResult, parseResults } from './results.ts';
import type { ApiParts } from './json-api.ts';

const MAX_PAGES = 50;

/**
 * The backend for a SearXNG instance, by its JSON API (https://docs.searxng.org/dev/search_api.html). Its setting
 * `search.formats` must include `json`, otherwise it responds with 403.
 */
export function buildSearxngBackend(
  name: string,
  { url }: { readonly url: string },
  { wire, mayVisit }: ApiParts,
): SearchBackend {
  const searchUrl = `${url.replace(/\/+$/, '')}/search`;
  return {
    name,
    kinds: ['organic', 'news'],
    maxPages: MAX_PAGES,
    async search({ search, language, page, safe, timeRange }, { signal }) {
      const target = new URL(searchUrl);
      target.searchParams.set('q', search);
      target.searchParams.set('format', 'json');
      target.searchParams.set('categories', 'general,news');
      target.searchParams.set('pageno', String(page));
      if (language !== null) target.searchParams.set('language', language);
      if (safe !== undefined) target.searchParams.set('safesearch', String(SAFE_LEVELS.indexOf(safe)));
      if (timeRange !== undefined) target.searchParams.set('time_range', timeRange);
      const answer = await fetchJson(wire, {
        url: target.href,
        headers: { accept: 'application/json' },
        body: null,
        signal,
      });
      const found = toList(getMember(answer, 'results'));
      const unresponsive = toList(getMember(answer, 'unresponsive_engines'));
      if (found.length === 0 && unresponsive.length > 0) {
        throw new BackendFailure(
          'error',
          `none of its engines responded: ${unresponsive.map(formatEngine).join(', ').slice(0, 200)}`,
        );
      }
      const organic = parseResults(found.filter((one) => !isNews(one)).map(toRawResult), mayVisit);
      const news = parseResults(found.filter(isNews).map(toRawResult), mayVisit);
      return {
        organic: organic.results,
        news: news.results,
        dropped: organic.dropped + news.dropped,
        hasMore: found.length > 0,
        total: null,
      };
    },
  };
}

function isNews(result: unknown): boolean {
  return getMember(result, 'category') === 'news';
}

function toRawResult(result: unknown): RawResult {
  const text = (name: string): string | null => {
    const value = getMember(result, name);
    return typeof value === 'string' ? value : null;
  };
  return {
    title: text('title'),
    url: text('url'),
    description: text('content'),
    published: text('publishedDate'),
    imageUrl: text('thumbnail') ?? text('img_src'),
  };
}

/** Formats an entry of `unresponsive_engines`: engine name and reason. */
function formatEngine(engine: unknown): string {
  return toList(engine)
    .filter((one) => typeof one === 'string')
    .join(' ');
}
