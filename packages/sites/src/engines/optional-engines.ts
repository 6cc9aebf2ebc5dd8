import { readLineAt, selectFirst } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import {
  buildLanguageOption,
  computeOffset,
  EngineInput,
  EngineRecord,
  formatTimeRange,
  getLanguageCode,
  readResultList,
} from './shared.ts';
import { buildAnswer, engines } from './site.ts';

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
    query: {
      method: 'index',
      q: input.search,
      p: input.page === 1 ? null : input.page - 1,
      age: formatTimeRange(input, {}),
    },
    ...buildLanguageOption(input),
  }),
  parse(source) {
    const page = parsePage(source.body, source.url);
    const results = readResultList(page, {
      box: 'article[data-test-id="organic-result"]',
      link: 'a[data-test-id="result-link"]',
      title: '[data-test-id="result-title"]',
      description: ['[data-test-id="web-result-description"]', '[data-test-id="result-description"]'],
      shownUrl: '[data-test-id="result-source"]',
    });
    const hasMore = selectFirst(page, '[data-test-id="next-button"]') !== 0;
    const isEmpty = () =>
      /find any results for/i.test(
        readLineAt(page, '[data-test-id="mainline"]') ?? readLineAt(page, 'main') ?? readLineAt(page, 'body') ?? '',
      );
    return buildAnswer(source, results, { hasMore, isEmpty });
  },
});

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
      lang: getLanguageCode(input),
      p: input.page === 1 ? null : input.page - 1,
      family: input.safe === 'strict' ? 'yes' : null,
      within: formatTimeRange(input, {}),
    },
    ...buildLanguageOption(input),
  }),
  parse(source) {
    const page = parsePage(source.body, source.url);
    const results = readResultList(page, {
      box: 'li.serp-item',
      link: 'a.OrganicTitle-Link',
      title: '.OrganicTitleContentSpan',
      description: ['.OrganicTextContentSpan', '.OrganicText'],
      shownUrl: '.Organic-Path',
      // The box with the engine's own answer contains links, too.
      isOther: (_page, box) => selectFirst(page, '.Organic', box) === 0,
    });
    const hasMore = selectFirst(page, '.Pager-Item_type_next') !== 0;
    return buildAnswer(source, results, { hasMore, isEmpty: () => selectFirst(page, '.EmptySearchResults') !== 0 });
  },
});

const BAIDU_PAGE_SIZE = 10;
const DAY_SECONDS = 86_400;

export const baidu = engines({
  path: '/baidu',
  summary: 'Results of Baidu',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.description'],
  canary: { search: 'windmill' },
  request(input, { now }) {
    const days = formatTimeRange(input, { day: '1', week: '7', month: '30', year: '365' });
    const until = Math.floor(now / 1000);
    return {
      origin: 'baidu',
      path: '/s',
      query: {
        wd: input.search,
        ie: 'utf-8',
        rn: BAIDU_PAGE_SIZE,
        pn: input.page === 1 ? null : computeOffset(input, BAIDU_PAGE_SIZE),
        gpc: days === null ? null : `stf=${until - Number(days) * DAY_SECONDS},${until}|stftype=1`,
      },
      ...buildLanguageOption(input),
    };
  },
  parse(source) {
    const page = parsePage(source.body, source.url);
    const results = readResultList(page, {
      box: '.c-container',
      link: 'h3 a',
      description: [
        '[class*="summary-gap"]',
        '[class*="summary-text"]',
        '[class*="content-right"]',
        '.c-abstract',
        '.c-color-text',
      ],
      shownUrl: '.c-showurl',
      // Recommendations next to the results.
      isOther: (_page, box) => getAttribute(page.tree, box, 'tpl') === 'recommend_list',
      // The link is a click-tracking redirect. The box contains the target.
      findTarget: (box) => getAttribute(page.tree, box, 'mu'),
    });
    const hasMore = selectFirst(page, '#page a.n') !== 0;
    return buildAnswer(source, results, { hasMore, isEmpty: () => selectFirst(page, '.content_none .nors') !== 0 });
  },
});
