import { EngineRecord } from './shared.ts';
import { requestMore, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { selectAll, readAttributeAt, selectFirst } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { getAttribute } from '#extract/html/tree.ts';
import {
  EngineInput,
  type EngineSource,
  buildLanguageOption,
  formatTimeRange,
  type ResultSelectors,
  readResultList,
} from './shared.ts';
import { engines, buildAnswer } from './site.ts';

/** The selectors of the page for browsers without scripts. */
const PLAIN_SELECTORS: ResultSelectors = {
  box: '.result',
  link: 'a.result__a',
  description: ['.result__snippet'],
  shownUrl: '.result__url',
  resolveHref: resolveRedirect,
  isOther: (page, box) => /\bresult--(?:ad|no-result)\b/.test(getAttribute(page.tree, box, 'class') ?? ''),
};
/** The selectors of the page that scripts render. */
const SCRIPTED_SELECTORS: ResultSelectors = {
  box: 'article[data-testid="result"]',
  link: 'a[data-testid="result-title-a"]',
  description: ['[data-result="snippet"]'],
  shownUrl: 'a[data-testid="result-extras-url-link"]',
};
const FIRST_PAGE_SIZE = 10;
const LATER_PAGE_SIZE = 15;

const htmlSource: EngineSource = {
  name: 'html',
  request: (input) => buildRequest(input, { q: input.search, b: '', kl: formatRegion(input), ...buildFilters(input) }),
  parse(source, input) {
    const page = parsePage(source.body, source.url);
    // A further page is requested with a token from the first page.
    if (input.page > 1 && source.carry === undefined) {
      const fields = readNextPageForm(page);
      if (fields['vqd'] !== undefined) {
        const s = FIRST_PAGE_SIZE + (input.page - 2) * LATER_PAGE_SIZE;
        return requestMore(buildRequest(input, { ...fields, q: input.search, s: String(s), dc: String(s + 1) }), true);
      }
    }
    const plain = readResultList(page, PLAIN_SELECTORS);
    const results = plain.length > 0 ? plain : readResultList(page, SCRIPTED_SELECTORS);
    if (input.page > 1 && source.carry === undefined && results.length > 0)
      return unusable('the token of the next page is missing');
    const hasMore = readNextPageForm(page)['vqd'] !== undefined || selectFirst(page, '#more-results') !== 0;
    const isEmpty = () => selectFirst(page, '.no-results') !== 0 || selectFirst(page, '.result--no-result') !== 0;
    return buildAnswer(source, results, { hasMore, isEmpty });
  },
};

function buildRequest(input: EngineInput, form: Readonly<Record<string, string>>): SiteRequest {
  return { origin: 'duckduckgo', path: '/html/', post: { form }, ...buildLanguageOption(input) };
}

/** Resolves a redirect of the engine, even to an invalid target, so that the caller drops it instead of keeping the redirect. */
function resolveRedirect(href: string): string {
  return URL.parse(href, 'https://duckduckgo.com')?.searchParams.get('uddg') ?? href;
}

/** Formats the region for the engine: `de-de`, or `wt-wt` for the whole world. */
function formatRegion({ country, language }: EngineInput): string {
  if (country === undefined) return 'wt-wt';
  return `${country.toLowerCase()}-${language?.split('-')[0]?.toLowerCase() ?? 'en'}`;
}

function buildFilters(input: EngineInput): Readonly<Record<string, string>> {
  const range = formatTimeRange(input, { day: 'd', week: 'w', month: 'm', year: 'y' });
  return {
    ...(range === null ? {} : { df: range }),
    ...(input.safe === undefined ? {} : { kp: { off: '-2', moderate: '-1', strict: '1' }[input.safe] }),
  };
}

/** Reads the form that requests the next page, as field values by name. An empty object if there is no next page. */
function readNextPageForm(page: ParsedPage): Readonly<Record<string, string>> {
  const form = selectAll(page, '.nav-link form').find(
    (at) => readAttributeAt(page, 'input[name="vqd"]', 'value', at) !== null,
  );
  if (form === undefined) return {};
  return Object.fromEntries(
    selectAll(page, 'input[name]', form).map((field) => [
      getAttribute(page.tree, field, 'name') ?? '',
      getAttribute(page.tree, field, 'value') ?? '',
    ]),
  );
}

export const duckduckgo = engines({
  path: '/duckduckgo',
  summary: 'Results of DuckDuckGo',
  internal: true,
  input: EngineInput,
  record: EngineRecord,
  list: 'results',
  sources: [htmlSource],
  expected: ['results.description', 'results.url_shown'],
  canary: { search: 'windmill' },
});
