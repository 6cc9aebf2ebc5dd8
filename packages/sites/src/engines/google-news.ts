import { EngineRecord } from '#sites/engines/engine-record.ts';
import { EngineInput, inLanguage } from './engine-input.ts';
import { isWholeFeed, readFeed } from './rss.ts';
import { engines, toAnswer } from './site.ts';

export const googleNews = engines({
  path: '/google-news',
  summary: 'News of Google News',
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
      ...inLanguage(input),
    };
  },
  parse(given) {
    const items = readFeed(given.body, given.url);
    // The description only repeats the headline and the paper, which ends the headline.
    const results = items.map(({ result, textOf }) => {
      const paper = textOf('source');
      const title = paper === null ? result.title : result.title.replace(` - ${paper}`, '');
      return { ...result, title, url_shown: paper ?? '', description: '' };
    });
    return toAnswer(given, results, { hasMore: false, isEmpty: () => isWholeFeed(given.body) });
  },
});
