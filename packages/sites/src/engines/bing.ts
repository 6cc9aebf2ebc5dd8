import { EngineRecord } from './shared.ts';
import { selectFirst } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import {
  EngineInput,
  type EngineSource,
  buildLanguageOption,
  computeOffset,
  formatTimeRange,
  getLanguageCode,
  readResultList,
  isCompleteFeed,
  readFeed,
} from './shared.ts';
import { engines, buildAnswer } from './site.ts';

const PAGE_SIZE = 10;

const rssSource: EngineSource = {
  name: 'rss',
  request: (input) => ({ ...buildRequest(input), query: { ...buildQuery(input), format: 'rss' } }),
  parse(source) {
    const items = readFeed(source.body, source.url);
    const results = items.map(({ result }) => result);
    return buildAnswer(source, results, {
      hasMore: results.length >= PAGE_SIZE,
      isEmpty: () => isCompleteFeed(source.body),
    });
  },
};

const htmlSource: EngineSource = {
  name: 'html',
  request: (input) => ({ ...buildRequest(input), query: buildQuery(input) }),
  parse(source) {
    const page = parsePage(source.body, source.url);
    const results = readResultList(page, {
      box: '#b_results > li.b_algo',
      link: 'h2 a',
      description: ['.b_caption p', '.b_algoSlug', '.b_lineclamp2'],
      shownUrl: 'cite',
      published: '.news_dt',
      resolveHref: decodeTarget,
    });
    const isEmpty = () => selectFirst(page, '#b_results .b_no') !== 0;
    return buildAnswer(source, results, { hasMore: selectFirst(page, 'a.sb_pagN') !== 0, isEmpty });
  },
};

function buildRequest(input: EngineInput) {
  return { origin: 'bing', path: '/search', ...buildLanguageOption(input) };
}

function buildQuery(input: EngineInput) {
  const first = computeOffset(input, PAGE_SIZE) + 1;
  const range = formatTimeRange(input, { day: '1', week: '2', month: '3' });
  return {
    q: input.search,
    adlt: input.safe,
    filters: range === null ? null : `ex1:"ez${range}"`,
    setlang: getLanguageCode(input),
    cc: input.country?.toLowerCase(),
    first: first === 1 ? null : first,
  };
}

/** Decodes the target of a click-tracking link, which contains it as base64. Any other link is returned as it is. */
function decodeTarget(href: string): string {
  const url = URL.parse(href);
  const coded = url?.pathname === '/ck/a' ? url.searchParams.get('u') : null;
  return coded?.startsWith('a1') === true ? Buffer.from(coded.slice(2), 'base64url').toString('utf8') : href;
}

export const bing = engines({
  path: '/bing',
  summary: 'Results of Bing',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  sources: [rssSource, htmlSource],
  expected: ['results.description'],
  canary: { search: 'windmill' },
});
