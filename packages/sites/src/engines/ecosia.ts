import { EngineRecord } from '#sites/engines/engine-record.ts';
import { lineAt, one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { EngineInput, inLanguage, rangeOf } from './engine-input.ts';
import { readResultList } from './result-list.ts';
import { engines, toAnswer } from './site.ts';

export const ecosia = engines({
  path: '/ecosia',
  summary: 'Results of Ecosia',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.description', 'results.url_shown'],
  canary: { search: 'windmill' },
  request: (input) => ({
    origin: 'ecosia',
    path: '/search',
    query: { method: 'index', q: input.search, p: input.page === 1 ? null : input.page - 1, age: rangeOf(input, {}) },
    ...inLanguage(input),
  }),
  parse(given) {
    const page = parsePage(given.body, given.url);
    const results = readResultList(page, {
      box: 'article[data-test-id="organic-result"]',
      link: 'a[data-test-id="result-link"]',
      title: '[data-test-id="result-title"]',
      description: ['[data-test-id="web-result-description"]', '[data-test-id="result-description"]'],
      shown: '[data-test-id="result-source"]',
    });
    const hasMore = one(page, '[data-test-id="next-button"]') !== 0;
    const isEmpty = () =>
      /find any results for/i.test(
        lineAt(page, '[data-test-id="mainline"]') ?? lineAt(page, 'main') ?? lineAt(page, 'body') ?? '',
      );
    return toAnswer(given, results, { hasMore, isEmpty });
  },
});
