import { EngineRecord } from './shared.ts';
import { blocked } from '#sites/framework/answers.ts';
import { selectAll, readLineAt, readSingleLine } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import {
  EngineInput,
  buildLanguageOption,
  computeOffset,
  formatTimeRange,
  getLanguageCode,
  readResultList,
} from './shared.ts';
import { engines, buildAnswer } from './site.ts';

const PAGE_SIZE = 10;

export const mojeek = engines({
  path: '/mojeek',
  summary: 'Results of Mojeek',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  expected: ['results.description', 'results.url_shown'],
  canary: { search: 'windmill' },
  request: (input) => ({
    origin: 'mojeek',
    path: '/search',
    query: {
      q: input.search,
      lb: getLanguageCode(input),
      arc: input.country?.toLowerCase(),
      safe: input.safe === undefined ? null : Number(input.safe !== 'off'),
      since: formatTimeRange(input, { day: 'day', month: 'month', year: 'year' }),
      // The number of the page's first result, counted from 1. The first page has none.
      s: input.page === 1 ? null : computeOffset(input, PAGE_SIZE) + 1,
    },
    ...buildLanguageOption(input),
  }),
  parse(source) {
    if (/sending automated queries/i.test(source.body)) return blocked('captcha');
    const page = parsePage(source.body, source.url);
    const results = readResultList(page, {
      box: 'ul.results-standard > li',
      link: 'h2 a',
      description: ['p.s'],
      shownUrl: 'p.i',
    });
    const hasMore = selectAll(page, '.pagination a').some((link) => readSingleLine(page, link) === 'Next');
    const readMessage = () => readLineAt(page, '.results') ?? readLineAt(page, 'main') ?? '';
    return buildAnswer(source, results, { hasMore, isEmpty: () => /no pages found matching/i.test(readMessage()) });
  },
});
