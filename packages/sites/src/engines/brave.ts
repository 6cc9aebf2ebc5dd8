import { EngineRecord } from '#sites/engines/engine-record.ts';
import { all, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { EngineInput, inLanguage, rangeOf } from './engine-input.ts';
import { readResultList } from './result-list.ts';
import { engines, toAnswer } from './site.ts';

const NOTHING = /<(?:div|p|h\d)[^>]*\bid="?no-results\b|Not many great matches came back for your search/;

export const brave = engines({
  path: '/brave',
  summary: 'Results of Brave Search',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.description', 'results.url_shown'],
  canary: { search: 'windmill' },
  request: (input) => ({
    origin: 'brave',
    path: '/search',
    query: {
      q: input.search,
      source: 'web',
      offset: input.page === 1 ? null : input.page - 1,
      tf: rangeOf(input, { day: 'pd', week: 'pw', month: 'pm', year: 'py' }),
    },
    cookies: {
      useLocation: '0',
      summarizer: '0',
      ...(input.safe === undefined ? {} : { safesearch: input.safe }),
      ...(input.country === undefined ? {} : { country: input.country.toLowerCase() }),
    },
    ...inLanguage(input),
  }),
  parse(given) {
    const page = parsePage(given.body, given.url);
    const found = readResultList(page, {
      box: 'div.snippet',
      link: 'a[href]',
      title: '.title',
      description: ['.snippet-description', '.generic-snippet .content', '.content'],
      shown: 'cite',
      published: '.t-secondary',
      isOther: (_page, box) => !/^(?:web)?$/.test(attributeOf(page.tree, box, 'data-type') ?? ''),
    });
    // The text begins with the day, and a dash.
    const results = found.map(({ published, description, ...rest }) => ({
      ...rest,
      description:
        published === null || !description.startsWith(published)
          ? description
          : description.slice(published.length).trim(),
      published: published?.replace(/ -$/, '') ?? null,
    }));
    const hasMore = all(page, '#pagination a').length > 0;
    return toAnswer(given, results, {
      hasMore,
      isEmpty: () => one(page, '#no-results') !== 0 || NOTHING.test(given.body),
    });
  },
});
