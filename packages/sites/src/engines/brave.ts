import { EngineRecord } from './shared.ts';
import { selectAll, selectFirst } from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import { EngineInput, buildLanguageOption, formatTimeRange, readResultList } from './shared.ts';
import { engines, buildAnswer } from './site.ts';

const NO_RESULTS_TEXT = /<(?:div|p|h\d)[^>]*\bid="?no-results\b|Not many great matches came back for your search/;

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
      tf: formatTimeRange(input, { day: 'pd', week: 'pw', month: 'pm', year: 'py' }),
    },
    cookies: {
      useLocation: '0',
      summarizer: '0',
      ...(input.safe === undefined ? {} : { safesearch: input.safe }),
      ...(input.country === undefined ? {} : { country: input.country.toLowerCase() }),
    },
    ...buildLanguageOption(input),
  }),
  parse(source) {
    const page = parsePage(source.body, source.url);
    const found = readResultList(page, {
      box: 'div.snippet',
      link: 'a[href]',
      title: '.title',
      description: ['.snippet-description', '.generic-snippet .content', '.content'],
      shownUrl: 'cite',
      published: '.t-secondary',
      isOther: (_page, box) => !/^(?:web)?$/.test(getAttribute(page.tree, box, 'data-type') ?? ''),
    });
    // The text begins with the publication date and a dash.
    const results = found.map(({ published, description, ...rest }) => ({
      ...rest,
      description:
        published === null || !description.startsWith(published)
          ? description
          : description.slice(published.length).trim(),
      published: published?.replace(/ -$/, '') ?? null,
    }));
    const hasMore = selectAll(page, '#pagination a').length > 0;
    return buildAnswer(source, results, {
      hasMore,
      isEmpty: () => selectFirst(page, '#no-results') !== 0 || NO_RESULTS_TEXT.test(source.body),
    });
  },
});
