import { EngineRecord } from '#sites/engines/engine-record.ts';
import { one } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { attributeOf } from '#extract/html/tree.ts';
import { EngineInput, inLanguage, offsetOf, rangeOf } from './engine-input.ts';
import { readResultList } from './result-list.ts';
import { engines, toAnswer } from './site.ts';

const PAGE_SIZE = 10;
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
    const days = rangeOf(input, { day: '1', week: '7', month: '30', year: '365' });
    const until = Math.floor(now / 1000);
    return {
      origin: 'baidu',
      path: '/s',
      query: {
        wd: input.search,
        ie: 'utf-8',
        rn: PAGE_SIZE,
        pn: input.page === 1 ? null : offsetOf(input, PAGE_SIZE),
        gpc: days === null ? null : `stf=${until - Number(days) * DAY_SECONDS},${until}|stftype=1`,
      },
      ...inLanguage(input),
    };
  },
  parse(given) {
    const page = parsePage(given.body, given.url);
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
      shown: '.c-showurl',
      // What it recommends beside the results.
      isOther: (_page, box) => attributeOf(page.tree, box, 'tpl') === 'recommend_list',
      // The link is counted; the box says where it leads.
      targetOf: (box) => attributeOf(page.tree, box, 'mu'),
    });
    const hasMore = one(page, '#page a.n') !== 0;
    return toAnswer(given, results, { hasMore, isEmpty: () => one(page, '.content_none .nors') !== 0 });
  },
});
