import { z } from 'zod';
import { readLineAt } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { getPath, toBoolean, toLine, toArray, toNatural } from '#extract/values/raw.ts';
import { requestMore, notFound, markPartial } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteContext } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import {
  AD_DETAILS,
  AdFilters,
  AdList,
  buildFilterQuery,
  findAdData,
  MORE_ADS,
  NO_ADS,
  parseAd,
  planScrolling,
  readAds,
  SingleAd,
} from './ad-library.ts';
import { buildEmbedRequest, type ProfileReference, readProfileReference, refuseAddress } from './addresses.ts';
import { findEmbeddedPage, parseConstant } from './shared.ts';
import { answerMissingRecord, facebook } from './site.ts';

const AdInput = z.object({
  id: z.string().min(1).max(30).optional().describe('Number of the ad in the library; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the ad in the library'),
});

/** An ad by its id in the library. */
export const facebookAd = facebook({
  path: '/adLibrary/ad',
  summary: 'A single ad of the ad library by its archive id, in a browser session',
  input: AdInput,
  anyOf: ['id', 'url'],
  record: z.object({ ad: SingleAd }),
  aliases: { id: ['ad_archive_id', 'archive_id'] },
  expected: ['ad.page.id', 'ad.page.name', 'ad.start_date', 'ad.text', 'ad.display_format'],
  canary: { id: '1162213025296847' },
  needs: 'browser',
  captures: [AD_DETAILS],
  request: (input, site) => ({ origin: 'web', path: '/ads/library/', query: { id: readAdId(input, site) } }),
  parse(page, input, site) {
    const wanted = readAdId(input, site);
    const parsed = parsePage(page.body, page.url);
    const candidates = [
      ...listObjectsWith(parsed, 'ad_archive_id', 'snapshot'),
      ...listObjectsWith(parsed, 'adArchiveID', 'snapshot'),
    ];
    const ad = candidates.flatMap((one) => parseAd(one) ?? []).find((one) => one.id === wanted);
    if (ad === undefined) {
      const message = readLineAt(parsed, '[role=main]') ?? readLineAt(parsed, 'body') ?? '';
      return candidates.length === 0 && GONE_TEXT.test(message)
        ? notFound('the library no longer shows it')
        : answerMissingRecord(page, 'the ad is missing');
    }
    const details = findAdData(page, parsed, { rule: AD_DETAILS.name, members: ['ad_details'] }).map(
      (one) => one['ad_details'],
    );
    const transparency = details.map(parseTransparency).find((one) => one !== null) ?? null;
    const record = { ad: { ...ad, transparency } };
    const needsTransparency = candidates.some(
      (one) => getPath(one, 'ad_archive_id') === wanted && getPath(one, 'is_aaa_eligible') === true,
    );
    return needsTransparency && details.length === 0
      ? markPartial(record, 'the page did not load the transparency data of the ad')
      : record;
  },
});

function readAdId({ id, url }: z.output<typeof AdInput>, site: Pick<SiteContext, 'locate'>): string {
  if (id !== undefined) return isId(id.trim()) ? id.trim() : refuseReference('id', 'is not the number of an ad');
  const place = URL.parse(site.locate(url ?? '')?.path ?? '', 'http://site');
  const adId = place?.pathname.startsWith('/ads/library') === true ? place.searchParams.get('id') : null;
  return isId(adId) ? adId : refuseAddress(site.locate(url ?? '')?.path ?? '', 'an ad of the library');
}

function isId(text: string | null): text is string {
  return /^\d{5,25}$/.test(text ?? '');
}

/** The message of the page if the ad does not exist. */
const GONE_TEXT = /no longer available|isn['’]t available|couldn['’]t find|no ads match/i;

type Transparency = NonNullable<SingleAd['transparency']>;

const MAX_ROWS = 1_000;

/** Parses the data that the law requires, from the details of an ad. Null if they contain none. */
function parseTransparency(details: unknown): SingleAd['transparency'] {
  const places = getPath(details, 'transparency_by_location');
  const [paid] = toArray(getPath(details, 'aaa_info', 'payer_beneficiary_data'));
  const transparency: Transparency = {
    eu: parseReach(getPath(places, 'eu_transparency'), 'eu_total_reach'),
    uk: parseReach(getPath(places, 'uk_transparency'), 'total_reach'),
    payer: toLine(getPath(paid, 'payer')),
    beneficiary: toLine(getPath(paid, 'beneficiary')),
  };
  return Object.values(transparency).every((one) => one === null) ? null : transparency;
}

function parseReach(raw: unknown, total: string): Transparency['eu'] {
  if (typeof raw !== 'object' || raw === null) return null;
  const locations = getPath(raw, 'location_audience');
  const breakdown = getPath(raw, 'age_country_gender_reach_breakdown');
  return {
    total_reach: toNatural(getPath(raw, total) ?? getPath(raw, 'total_reach')),
    age_min: toNatural(getPath(raw, 'age_audience', 'min')),
    age_max: toNatural(getPath(raw, 'age_audience', 'max')),
    gender: parseConstant(getPath(raw, 'gender_audience')),
    locations: Array.isArray(locations)
      ? locations.slice(0, MAX_ROWS).flatMap((one) => {
          const name = toLine(getPath(one, 'name'));
          return name === null
            ? []
            : [{ name, type: parseConstant(getPath(one, 'type')), excluded: toBoolean(getPath(one, 'excluded')) }];
        })
      : null,
    breakdown: Array.isArray(breakdown) ? breakdown.flatMap(parseReachRows).slice(0, MAX_ROWS) : null,
  };
}

function parseReachRows(raw: unknown) {
  const country = toLine(getPath(raw, 'country'));
  return toArray(getPath(raw, 'age_gender_breakdowns')).map((one) => ({
    country,
    age_range: toLine(getPath(one, 'age_range')),
    male: toNatural(getPath(one, 'male')),
    female: toNatural(getPath(one, 'female')),
    unknown: toNatural(getPath(one, 'unknown')),
  }));
}

const SearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
  search_type: z
    .enum(['keyword_unordered', 'keyword_exact_phrase'])
    .default('keyword_unordered')
    .describe('Whether the words may be in any order, or must match as a phrase'),
  active_status: z.enum(['active', 'inactive', 'all']).default('active').describe('Whether the ads are still shown'),
  ...AdFilters,
});

/** Ads by words: those in the result page, and those that it loads while it is scrolled. */
export const facebookAdSearch = facebook({
  path: '/adLibrary/search/ads',
  summary: 'Advertisements of the ad library by words and filters, in a browser session',
  input: SearchInput,
  record: AdList,
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'ads',
  limit: { default: 20, max: 30 },
  expected: ['ads.page.id', 'ads.page.name', 'ads.start_date', 'ads.text', 'ads.display_format'],
  canary: { search: 'coffee', country: 'US' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [MORE_ADS],
  request: buildSearchRequest,
  parse: (page, input, site) =>
    readAds(page, { given: planScrolling(site).given, request: buildSearchRequest(input, site), prefix: '' }),
});

function buildSearchRequest({ search, ...filters }: z.output<typeof SearchInput>, site: SiteContext): SiteRequest {
  const { active_status: status, search_type: type } = filters;
  return {
    origin: 'web',
    path: '/ads/library/',
    query: { active_status: status, ...buildFilterQuery(filters), q: search, search_type: type },
    rounds: planScrolling(site).rounds,
  };
}

const CompanyInput = z.object({
  page_id: z.string().min(1).max(30).optional().describe("Number of the advertiser's page; takes precedence over url"),
  url: z.url().max(2000).optional().describe("Address of the advertiser's page"),
  active_status: z.enum(['active', 'inactive', 'all']).default('all').describe('Whether the ads are still shown'),
  ...AdFilters,
});

type CompanyInput = z.output<typeof CompanyInput>;

/** All ads of one page: those in its list in the library, and those that the list loads while it is scrolled. */
export const facebookCompanyAds = facebook({
  path: '/adLibrary/company/ads',
  summary: 'Every ad that one advertiser has run, in a browser session',
  input: CompanyInput,
  anyOf: ['page_id', 'url'],
  record: AdList,
  aliases: { page_id: ['id'], limit: ['per_page'] },
  list: 'ads',
  limit: { default: 20, max: 30 },
  expected: ['ads.page.name', 'ads.start_date', 'ads.text', 'ads.display_format'],
  canary: { page_id: '228735667216', country: 'ALL' },
  needs: 'browser',
  browser: { more: 'end' },
  captures: [MORE_ADS],
  request(input, site) {
    const pageId = findPageId(input, site);
    return pageId === null
      ? buildEmbedRequest(readAdvertiserReference(input, site))
      : buildAdsRequest(pageId, input, site);
  },
  parse(page, input, site) {
    const pageId = findPageId(input, site, page.carry);
    if (pageId === null) {
      const shown = findEmbeddedPage(parsePage(page.body, page.url), readAdvertiserReference(input, site));
      if (shown === null || shown.id === null) return answerMissingRecord(page, 'the number of the page is missing');
      return requestMore(buildAdsRequest(shown.id, input, site), { page_id: shown.id });
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

function readAdvertiserReference(
  { page_id: id, url }: CompanyInput,
  site: Pick<SiteContext, 'locate'>,
): ProfileReference {
  if (id === undefined) return readProfileReference({ url }, site);
  return /^\d{5,20}$/.test(id.trim()) ? { id: id.trim() } : refuseReference('page_id', 'is not the number of a page');
}

/** The advertiser's id, from the input, the cursor, or the page read before. */
function findPageId(input: CompanyInput, site: SiteContext, carry?: unknown): string | null {
  const wanted = readAdvertiserReference(input, site);
  if ('id' in wanted) return wanted.id;
  return /^(\d+):/.exec(site.cursor ?? '')?.[1] ?? toLine(getPath(carry, 'page_id'));
}

function buildAdsRequest(pageId: string, filters: CompanyInput, site: SiteContext): SiteRequest {
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
  const known = listObjectsWith(parsed, 'ad_library_page_info').map((one) =>
    getPath(one, 'ad_library_page_info', 'page_info'),
  );
  return known.some((one) => typeof one === 'object' && one !== null)
    ? NO_ADS
    : notFound('there is no advertiser with that number');
}
