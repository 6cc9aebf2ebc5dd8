import { z } from 'zod';
import { more, notFound } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at, line } from '#extract/values/raw.ts';
import { AdFilters, AdList, buildFilterQuery, MORE_ADS, NO_ADS, planScrolling, readAds } from './ad-library.ts';
import { buildEmbedRequest, type ProfileReference, readProfileReference } from './addresses.ts';
import { findEmbeddedPage } from './shared.ts';
import { answerAbsent, socialnet } from './site.ts';

const CompanyInput = z.object({
  page_id: z.string().min(1).max(30).optional().describe('Number of the page that advertises; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the page that advertises'),
  active_status: z.enum(['active', 'inactive', 'all']).default('all').describe('Whether the ads still run'),
  ...AdFilters,
});

type CompanyInput = z.output<typeof CompanyInput>;

/** All ads of one page: those in its list in the library, and those that the list loads while it is scrolled. */
export const companyAds = socialnet({
  path: '/adLibrary/company/ads',
  summary: 'Every ad that one advertiser has run, in a browser session',
  input: CompanyInput,
  anyOf: ['page_id', 'url'],
  record: AdList,
  aliases: { page_id: ['id'], limit: ['per_page'] },
  list: 'ads',
  limit: { default: 20, most: 30 },
  expected: ['ads.page.name', 'ads.start_date', 'ads.text', 'ads.display_format'],
  canary: { page_id: '228735667216', country: 'ALL' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [MORE_ADS],
  request(input, site) {
    const pageId = findPageId(input, site);
    return pageId === null ? buildEmbedRequest(readAdvertiser(input, site)) : buildAdsRequest(pageId, input, site);
  },
  parse(page, input, site) {
    const pageId = findPageId(input, site, page.carry);
    if (pageId === null) {
      const shown = findEmbeddedPage(parsePage(page.body, page.url), readAdvertiser(input, site));
      if (shown === null || shown.id === null) return answerAbsent(page, 'the number of the page');
      return more(buildAdsRequest(shown.id, input, site), { page_id: shown.id });
    }
    const request = buildAdsRequest(pageId, input, site);
    return readAds(page, {
      given: planScrolling(site).given,
      request,
      pageId,
      prefix: `${pageId}:`,
      none: answerNoAds,
    });
  },
});

function readAdvertiser({ page_id: id, url }: CompanyInput, site: Pick<SiteView, 'locate'>): ProfileReference {
  if (id === undefined) return readProfileReference({ url }, site);
  return /^\d{5,20}$/.test(id.trim()) ? { id: id.trim() } : refuseReference('page_id', 'is no number of a page');
}

/** The advertiser's id, from the input, the cursor, or the page read before. */
function findPageId(input: CompanyInput, site: SiteView, carry?: unknown): string | null {
  const wanted = readAdvertiser(input, site);
  if ('id' in wanted) return wanted.id;
  return /^(\d+):/.exec(site.cursor ?? '')?.[1] ?? line(at(carry, 'page_id'));
}

function buildAdsRequest(pageId: string, filters: CompanyInput, site: SiteView): SiteRequest {
  return {
    origin: 'web',
    path: '/ads/library/',
    query: {
      active_status: filters.active_status,
      ...buildFilterQuery(filters),
      search_type: 'page',
      view_all_page_id: pageId,
    },
    rounds: planScrolling(site).rounds,
  };
}

/** An advertiser whom the library knows has no ads. Any other does not exist. */
function answerNoAds(parsed: ParsedPage) {
  const known = objectsWith(parsed, 'ad_library_page_info').map((one) => at(one, 'ad_library_page_info', 'page_info'));
  return known.some((one) => typeof one === 'object' && one !== null)
    ? NO_ADS
    : notFound('no page of that number advertises');
}
