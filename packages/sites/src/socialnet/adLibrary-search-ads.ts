import { z } from 'zod';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { AdFilters, AdList, buildFilterQuery, MORE_ADS, planScrolling, readAds } from './ad-library.ts';
import { socialnet } from './site.ts';

const SearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
  search_type: z
    .enum(['keyword_unordered', 'keyword_exact_phrase'])
    .default('keyword_unordered')
    .describe('Any order of the words, or as they stand'),
  active_status: z.enum(['active', 'inactive', 'all']).default('active').describe('Whether the ads still run'),
  ...AdFilters,
});

/** Ads by words: those in the result page, and those that it loads while it is scrolled. */
export const adSearch = socialnet({
  path: '/adLibrary/search/ads',
  summary: 'Advertisements of the ad library by words and filters, in a browser session',
  input: SearchInput,
  record: AdList,
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'ads',
  limit: { default: 20, most: 30 },
  expected: ['ads.page.id', 'ads.page.name', 'ads.start_date', 'ads.text', 'ads.display_format'],
  canary: { search: 'coffee', country: 'US' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [MORE_ADS],
  request: buildRequest,
  parse: (page, input, site) =>
    readAds(page, { given: planScrolling(site).given, request: buildRequest(input, site), prefix: '' }),
});

function buildRequest({ search, ...filters }: z.output<typeof SearchInput>, site: SiteView): SiteRequest {
  const { active_status: status, search_type: type } = filters;
  return {
    origin: 'web',
    path: '/ads/library/',
    query: { active_status: status, ...buildFilterQuery(filters), q: search, search_type: type },
    rounds: planScrolling(site).rounds,
  };
}
