import { EngineRecord } from '#sites/engines/engine-record.ts';
import { one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { EngineInput, inLanguage, rangeOf, shortLanguage } from './engine-input.ts';
import { readResultList } from './result-list.ts';
import { engines, toAnswer } from './site.ts';

export const yandex = engines({
  path: '/yandex',
  summary: 'Results of Yandex',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.description', 'results.url_shown'],
  canary: { search: 'windmill' },
  request: (input) => ({
    origin: 'yandex',
    path: '/search/',
    query: {
      text: input.search,
      lang: shortLanguage(input),
      p: input.page === 1 ? null : input.page - 1,
      family: input.safe === 'strict' ? 'yes' : null,
      within: rangeOf(input, {}),
    },
    ...inLanguage(input),
  }),
  parse(given) {
    const page = parsePage(given.body, given.url);
    const results = readResultList(page, {
      box: 'li.serp-item',
      link: 'a.OrganicTitle-Link',
      title: '.OrganicTitleContentSpan',
      description: ['.OrganicTextContentSpan', '.OrganicText'],
      shown: '.Organic-Path',
      // Its own answer names pages too.
      isOther: (_page, box) => one(page, '.Organic', box) === 0,
    });
    const hasMore = one(page, '.Pager-Item_type_next') !== 0;
    return toAnswer(given, results, { hasMore, isEmpty: () => one(page, '.EmptySearchResults') !== 0 });
  },
});
