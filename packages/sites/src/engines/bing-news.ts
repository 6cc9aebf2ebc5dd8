import { EngineRecord } from '#sites/engines/engine-record.ts';
import { EngineInput, inLanguage, shortLanguage } from './engine-input.ts';
import { isWholeFeed, readFeed } from './rss.ts';
import { engines, toAnswer } from './site.ts';

export const bingNews = engines({
  path: '/bing-news',
  summary: 'News of Bing',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.description', 'results.published'],
  canary: { search: 'windmill' },
  request: (input) => ({
    origin: 'bing',
    path: '/news/search',
    query: { q: input.search, format: 'rss', setlang: shortLanguage(input), cc: input.country?.toLowerCase() },
    ...inLanguage(input),
  }),
  parse(given) {
    const items = readFeed(given.body, given.url);
    const results = items.map(({ result, textOf }) => ({
      ...result,
      url: countedOf(result.url),
      url_shown: textOf('source') ?? '',
      image_url: textOf('image'),
    }));
    return toAnswer(given, results, { hasMore: false, isEmpty: () => isWholeFeed(given.body) });
  },
});

/** The article that a counted link names. */
function countedOf(link: string): string {
  const url = URL.parse(link);
  return (url?.pathname === '/news/apiclick.aspx' ? url.searchParams.get('url') : null) ?? link;
}
