import { memberOf, toList } from '#extract/values/json.ts';
import { BackendFailure, type SearchBackend } from './backend.ts';
import { SAFE_LEVELS } from '#sites/engines/names.ts';
import { askForJson } from './http-answer.ts';
import type { ApiParts } from './json-api.ts';
import { type RawResult, readFoundResults } from './results.ts';

const MAX_PAGES = 50;

/**
 * A SearXNG instance of the operator by its JSON (https://docs.searxng.org/dev/search_api.html); `json` must stand among
 * its `search.formats`, else it answers 403.
 */
export function buildSearxng(
  name: string,
  { url }: { readonly url: string },
  { wire, mayVisit }: ApiParts,
): SearchBackend {
  const place = `${url.replace(/\/+$/, '')}/search`;
  return {
    name,
    kinds: ['organic', 'news'],
    mostPages: MAX_PAGES,
    async search({ search, language, page, safe, timeRange }, { signal }) {
      const target = new URL(place);
      target.searchParams.set('q', search);
      target.searchParams.set('format', 'json');
      target.searchParams.set('categories', 'general,news');
      target.searchParams.set('pageno', String(page));
      if (language !== null) target.searchParams.set('language', language);
      if (safe !== undefined) target.searchParams.set('safesearch', String(SAFE_LEVELS.indexOf(safe)));
      if (timeRange !== undefined) target.searchParams.set('time_range', timeRange);
      const answer = await askForJson(wire, {
        url: target.href,
        headers: { accept: 'application/json' },
        body: null,
        signal,
      });
      const found = toList(memberOf(answer, 'results'));
      const silent = toList(memberOf(answer, 'unresponsive_engines'));
      if (found.length === 0 && silent.length > 0) {
        throw new BackendFailure(
          'error',
          `none of its engines answered: ${silent.map(modelNamed).join(', ').slice(0, 200)}`,
        );
      }
      const organic = readFoundResults(found.filter((one) => !isNews(one)).map(toRaw), mayVisit);
      const news = readFoundResults(found.filter(isNews).map(toRaw), mayVisit);
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
  return memberOf(result, 'category') === 'news';
}

function toRaw(result: unknown): RawResult {
  const text = (name: string): string | null => {
    const value = memberOf(result, name);
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

/** An engine that did not answer: its name and why. */
function modelNamed(engine: unknown): string {
  return toList(engine)
    .filter((one) => typeof one === 'string')
    .join(' ');
}
