import { EngineInput, EngineRecord, buildLanguageOption, isCompleteFeed, readFeed, getLanguageCode } from './shared.ts';
import { engines, buildAnswer } from './site.ts';

export const googleNews = engines({
  path: '/google-news',
  summary: 'Results of Google News',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.published'],
  canary: { search: 'windmill' },
  request(input) {
    const { search, country = 'US', language = 'en' } = input;
    const edition = `${country}:${language.split('-')[0] ?? language}`;
    const hl = language.includes('-') ? language : `${language}-${country}`;
    return {
      origin: 'google-news',
      path: '/rss/search',
      query: { q: search, hl, gl: country, ceid: edition },
      ...buildLanguageOption(input),
    };
  },
  parse(source) {
    const items = readFeed(source.body, source.url);
    // The description only repeats the title and the name of the paper. The title ends with that name.
    const results = items.map(({ result, readText }) => {
      const paper = readText('source');
      const title = paper === null ? result.title : result.title.replace(` - ${paper}`, '');
      return { ...result, title, url_shown: paper ?? '', description: '' };
    });
    return buildAnswer(source, results, { hasMore: false, isEmpty: () => isCompleteFeed(source.body) });
  },
});

export const bingNews = engines({
  path: '/bing-news',
  summary: 'Results of Bing News',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.description', 'results.published'],
  canary: { search: 'windmill' },
  request: (input) => ({
    origin: 'bing',
    path: '/news/search',
    query: { q: input.search, format: 'rss', setlang: getLanguageCode(input), cc: input.country?.toLowerCase() },
    ...buildLanguageOption(input),
  }),
  parse(source) {
    const items = readFeed(source.body, source.url);
    const results = items.map(({ result, readText }) => ({
      ...result,
      url: resolveClickUrl(result.url),
      url_shown: readText('source') ?? '',
      image_url: readText('image'),
    }));
    return buildAnswer(source, results, { hasMore: false, isEmpty: () => isCompleteFeed(source.body) });
  },
});

/** Resolves a click-tracking link to the article; any other link is returned as it is. */
function resolveClickUrl(link: string): string {
  const url = URL.parse(link);
  return (url?.pathname === '/news/apiclick.aspx' ? url.searchParams.get('url') : null) ?? link;
}
