import { z } from 'zod';
import { more, notFound } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import { at, line } from '#extract/values/raw.ts';
import { AdList, NONE, reachFor, readAds } from './ad-list.ts';
import { AdFilters, filterQuery, MORE_ADS } from './ad-library.ts';
import { embeddedPage } from './embed.ts';
import { askedProfileOf, embedFor } from './profile-input.ts';
import type { AskedProfile } from './profile-path.ts';
import { absent, socialnet } from './site.ts';

const input = z.object({
  page_id: z.string().min(1).max(30).optional().describe('Number of the page that advertises; wins over url'),
  url: z.url().max(2000).optional().describe('Address of the page that advertises'),
  active_status: z.enum(['active', 'inactive', 'all']).default('all').describe('Whether the ads still run'),
  ...AdFilters,
});

type CompanyInput = z.output<typeof input>;

function advertiserFor({ page_id: id, url }: CompanyInput, site: Pick<SiteView, 'locate'>): AskedProfile {
  if (id === undefined) return askedProfileOf({ url }, site);
  return /^\d{5,20}$/.test(id.trim()) ? { id: id.trim() } : refuseReference('page_id', 'is no number of a page');
}

/** The advertiser's number: as it was asked for, or as an earlier page found it. */
function numberOf(asked: CompanyInput, site: SiteView, carry?: unknown): string | null {
  const wanted = advertiserFor(asked, site);
  if ('id' in wanted) return wanted.id;
  return /^(\d+):/.exec(site.cursor ?? '')?.[1] ?? line(at(carry, 'page_id'));
}

function adsOf(pageId: string, filters: CompanyInput, site: SiteView): SiteRequest {
  return {
    origin: 'web',
    path: '/ads/library/',
    query: {
      active_status: filters.active_status,
      ...filterQuery(filters),
      search_type: 'page',
      view_all_page_id: pageId,
    },
    rounds: reachFor(site).rounds,
  };
}

/** An advertiser whom the library knows has none; any other is not there. */
function toNone(parsed: ParsedPage) {
  const known = objectsWith(parsed, 'ad_library_page_info').map((one) => at(one, 'ad_library_page_info', 'page_info'));
  return known.some((one) => typeof one === 'object' && one !== null)
    ? NONE
    : notFound('no page of that number advertises');
}

/** All advertisements of one page: those that its list in the library holds, and loads as it is scrolled. */
export const companyAds = socialnet({
  path: '/adLibrary/company/ads',
  summary: 'Every ad that one advertiser has run, in a browser session',
  input,
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
  request(asked, site) {
    const pageId = numberOf(asked, site);
    return pageId === null ? embedFor(advertiserFor(asked, site)) : adsOf(pageId, asked, site);
  },
  parse(page, asked, site) {
    const pageId = numberOf(asked, site, page.carry);
    if (pageId === null) {
      const shown = embeddedPage(parsePage(page.body, page.url), advertiserFor(asked, site));
      if (shown === null || shown.id === null) return absent(page, 'the number of the page');
      return more(adsOf(shown.id, asked, site), { page_id: shown.id });
    }
    const request = adsOf(pageId, asked, site);
    return readAds(page, { given: reachFor(site).given, request, pageId, prefix: `${pageId}:`, none: toNone });
  },
});
