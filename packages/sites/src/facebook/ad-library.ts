import { z } from 'zod';
import {
  blocked,
  requestMore,
  buildPage,
  markPartial,
  type SiteAnswer,
  type SiteRecord,
  unusable,
} from '#sites/framework/answers.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { parseRichText } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith, parseEmbeddedJson } from '#extract/dom/scripts.ts';
import { findObjectsWith } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { parseConstant } from './shared.ts';
import { answerMissingRecord, parseSiteUrl, HOME } from './site.ts';

/** The path of the site's GraphQL interface. */
const INTERFACE_PATH = '/api/graphql/';

/** The response that the page of one ad loads when it shows the details. */
export const AD_DETAILS = { name: 'details', path: INTERFACE_PATH, operation: /^AdLibraryV3AdDetailsQuery$/, max: 3 };

/** The responses that a result page loads while it is scrolled, and for its first results if its HTML lacks them. */
export const MORE_ADS = {
  name: 'ads',
  path: INTERFACE_PATH,
  operation: /^AdLibrary\w*(?:Search|Pagination)\w*Query$/,
  max: 40,
};

/** Finds the objects with these members in the page, and after them in the responses captured by a rule. */
export function findAdData(
  { captures }: SourcePage,
  parsed: ParsedPage,
  { rule, members }: { readonly rule: string; readonly members: readonly [string, ...string[]] },
): readonly JsonObject[] {
  const loaded = captures.filter(({ name }) => name === rule).map(({ text: content }) => parseEmbeddedJson(content));
  return [...listObjectsWith(parsed, ...members), ...loaded.flatMap((one) => findObjectsWith(one, ...members))];
}

const DayFilter = z.iso.date().optional();

export const AdFilters = {
  country: z
    .string()
    .regex(/^(?:[A-Za-z]{2}|ALL)$/, 'must be two letters (ISO 3166-1), such as de, or ALL')
    .default('US')
    .describe('ISO 3166-1 code of the country where the ads are shown, or ALL'),
  ad_type: z.enum(['all', 'political_and_issue_ads']).default('all').describe('Only ads of this kind'),
  media_type: z
    .enum(['all', 'image', 'video', 'meme', 'none'])
    .default('all')
    .describe('Only ads with this kind of media'),
  platforms: z
    .array(z.enum(['facebook', 'instagram', 'messenger', 'audience_network', 'whatsapp', 'threads']))
    .max(6)
    .default([])
    .describe('Only ads on one of these platforms'),
  languages: z
    .array(z.string().regex(/^[a-z]{2,3}$/, 'must be a code of two or three letters (ISO 639), such as de'))
    .max(20)
    .default([])
    .describe('ISO 639 codes of the language of the text'),
  start_date_min: DayFilter.describe('First shown on this day or later'),
  start_date_max: DayFilter.describe('First shown on this day or earlier'),
  sort: z
    .enum(['total_impressions', 'relevancy_monthly_grouped'])
    .default('total_impressions')
    .describe('The order of the ads'),
} as const;

const FilterInput = z.object(AdFilters);

/** Converts the filters to the query parameters of the site. */
export function buildFilterQuery(filters: z.output<typeof FilterInput>) {
  const { country, ad_type: adType, media_type: mediaType, sort, platforms, languages } = filters;
  return {
    ad_type: adType,
    country: country.toUpperCase(),
    is_targeted_country: false,
    media_type: mediaType,
    ...numberParameters('publisher_platforms', platforms),
    ...numberParameters('content_languages', languages),
    'start_date[min]': filters.start_date_min,
    'start_date[max]': filters.start_date_max,
    'sort_data[mode]': sort,
    'sort_data[direction]': 'desc',
  };
}

function numberParameters(name: string, values: readonly string[]) {
  return Object.fromEntries(values.map((value, index) => [`${name}[${index}]`, value]));
}

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();
const Texts = z.array(z.string()).readonly().nullable();
const Flag = z.boolean().nullable();

const Card = z.object({
  title: Text,
  text: Text,
  link_url: Text,
  cta_type: Text,
  image_url: Text,
  video_hd_url: Text,
  video_sd_url: Text,
});

/** An ad as result pages show it. Only its own page has more. */
const Ad = z.object({
  id: z.string(),
  url: z.string(),
  page: z.object({
    id: Text,
    name: Text,
    url: Text,
    likes: Count,
    categories: Texts,
    profile_image_url: Text,
    verified: Flag,
  }),
  is_active: Flag,
  start_date: Text.describe('The day on which it was first shown'),
  end_date: Text.describe('The last day on which it was shown; today if it is active'),
  platforms: Texts,
  display_format: Text.describe('Such as image, video, carousel, dco, dpa or text'),
  title: Text,
  text: Text,
  link_url: Text,
  link_caption: Text,
  link_description: Text,
  cta_type: Text,
  cta_text: Text,
  images: z.array(z.object({ original_url: Text, resized_url: Text })).readonly(),
  videos: z.array(z.object({ hd_url: Text, sd_url: Text, preview_url: Text })).readonly(),
  cards: z.array(Card).readonly(),
  variants_count: Count.describe('Number of ads with the same text and pictures'),
  collation_id: Text,
  currency: Text,
  spend_text: Text,
  impressions_text: Text,
  reach_estimate: Text,
  byline: Text.describe('Who paid for a political ad'),
  disclaimer: Text,
  categories: Texts,
  countries: Texts,
  contains_ai_media: Flag,
});

type Ad = z.input<typeof Ad>;

export const AdList = z.object({
  total_count: z.int().min(0).nullable().describe("The library's own count"),
  ads: z.array(Ad).readonly(),
});

type AdList = z.input<typeof AdList>;

/** The page contains at least this many ads, and each round of scrolling loads `ADS_PER_ROUND` more. */
const FIRST_ADS = 20;

const ADS_PER_ROUND = 10;

/** One visit loads no more. */
const MAX_ADS = 300;

/** About one response in four lacks its results, so the request is repeated. */
const MAX_TRIES = 3;

/** How many ads earlier answers had, and how often the page must be scrolled to show more than those. */
export function planScrolling({ cursor, limit }: Pick<SiteContext, 'cursor' | 'limit'>) {
  const offset = Number(/\d+$/.exec(cursor ?? '')?.[0] ?? 0);
  const wanted = Math.min(MAX_ADS, offset + (limit ?? FIRST_ADS));
  return { given: offset, rounds: Math.max(0, Math.ceil((wanted - FIRST_ADS) / ADS_PER_ROUND)) };
}

/** The answer if the library reports that there are no ads. */
export const NO_ADS: SiteRecord<AdList> = buildPage({ total_count: 0, ads: [] }, null);

type AdListContext = {
  readonly given: number;
  readonly request: SiteRequest;
  /** Only ads of the page with this id are included. */
  readonly pageId?: string;
  /** The start of the cursor of the next page. */
  readonly prefix: string;
  /** Builds the answer if there are no ads. */
  readonly none?: (parsed: ParsedPage) => SiteRecord<AdList> | SiteAnswer;
};

/** Reads the results in a page of the library and its captured responses, without those of earlier answers. */
export function readAds(page: SourcePage, reading: AdListContext): SiteRecord<AdList> | SiteAnswer {
  const { given: offset, request, pageId, prefix, none = () => NO_ADS } = reading;
  if (!new URL(page.url).pathname.startsWith('/ads/library'))
    return answerMissingRecord(page, 'the page of the library is missing');
  const parsed = parsePage(page.body, page.url);
  const connections = findAdData(page, parsed, { rule: MORE_ADS.name, members: ['search_results_connection'] }).map(
    (one) => one['search_results_connection'],
  );
  const carried = isJsonObject(page.carry) ? page.carry : {};
  const tries = toNatural(carried['tries']) ?? 1;
  if (connections.length === 0 && tries < MAX_TRIES && isLibrary(page))
    return requestMore(request, { ...carried, tries: tries + 1 });
  if (connections.length === 0) return answerMissingRecord(page, 'the results of a search are missing');
  const results = connections.flatMap((one) =>
    toArray(getPath(one, 'edges')).flatMap((edge) => toArray(getPath(edge, 'node', 'collated_results'))),
  );
  const ads = results
    .flatMap((one) => parseAd(one) ?? [])
    .filter((ad) => pageId === undefined || ad.page.id === pageId);
  const all = [...new Map(ads.map((ad) => [ad.id, ad])).values()];
  const [count = null] = connections.flatMap((one) => toNatural(getPath(one, 'count')) ?? []);
  if (all.length === 0) {
    if (results.length > 0) return unusable('no advertisement of the results');
    // The library withholds its results from visitors whom it does not trust.
    return count === 0 ? none(parsed) : blocked('results_withheld');
  }
  const hasMore = getPath(connections.at(-1), 'page_info', 'has_next_page') === true;
  if (all.length <= offset && hasMore) return unusable(`no advertisements after the first ${offset}`);
  // The site updates its count later than its list.
  const total = count === null ? null : Math.max(count, all.length);
  const record = { total_count: total, ads: all.slice(offset) };
  if (hasMore && all.length >= MAX_ADS)
    return markPartial(buildPage(record, null), `one visit loads no more than ${MAX_ADS} of them`);
  return buildPage(record, hasMore ? `${prefix}${all.length}` : null);
}

/** Whether this is the page of the library, and not one that the site shows before it. */
function isLibrary({ body }: SourcePage): boolean {
  return /ad_library_main|AdLibrary/.test(body);
}

const Reach = z
  .object({
    total_reach: Count,
    age_min: Count,
    age_max: Count,
    gender: Text,
    locations: z
      .array(z.object({ name: z.string(), type: Text, excluded: Flag }))
      .readonly()
      .nullable(),
    breakdown: z
      .array(z.object({ country: Text, age_range: Text, male: Count, female: Count, unknown: Count }))
      .readonly()
      .nullable(),
  })
  .nullable();

/** An ad with the data that the law requires the library to publish. */
export const SingleAd = Ad.extend({
  transparency: z
    .object({ eu: Reach, uk: Reach, payer: Text, beneficiary: Text })
    .nullable()
    .describe('Data that the law of the European Union or the United Kingdom requires; null if the page has none'),
});

export type SingleAd = z.input<typeof SingleAd>;

/** A bound for the pictures, videos and cards of one ad. */
const MAX_MEDIA = 100;

/** Parses an ad. Null if it has no id or no content. */
export function parseAd(raw: unknown): Ad | null {
  const id = toLine(getPath(raw, 'ad_archive_id')) ?? toLine(getPath(raw, 'adArchiveID'));
  const shown = getPath(raw, 'snapshot');
  if (id === null || !/^\d{5,25}$/.test(id) || !isJsonObject(shown)) return null;
  return {
    id,
    url: `${HOME}/ads/library/?id=${id}`,
    page: parseAdvertiser(raw, shown),
    is_active: toBoolean(getPath(raw, 'is_active')),
    start_date: parseDay(getPath(raw, 'start_date')),
    end_date: parseDay(getPath(raw, 'end_date')),
    platforms: parseConstants(getPath(raw, 'publisher_platform')),
    display_format: parseConstant(shown['display_format']),
    title: toText(shown['title']),
    text:
      toText(getPath(shown, 'body', 'text')) ??
      toText(parseRichText(toText(getPath(shown, 'body', 'markup', '__html')) ?? '', HOME)?.text),
    link_url: toCleanUrl(shown['link_url'], HOME),
    link_caption: toLine(shown['caption']),
    link_description: toText(shown['link_description']),
    cta_type: parseConstant(shown['cta_type']),
    cta_text: toLine(shown['cta_text']),
    ...parseMedia(shown),
    variants_count: toNatural(getPath(raw, 'collation_count')),
    collation_id: toLine(getPath(raw, 'collation_id')),
    currency: parseCurrency(getPath(raw, 'currency')),
    spend_text: toLine(getPath(raw, 'spend')),
    impressions_text: toLine(getPath(raw, 'impressions_with_index', 'impressions_text')),
    reach_estimate: toLine(getPath(raw, 'reach_estimate')),
    byline: toLine(shown['byline']),
    disclaimer: toLine(shown['disclaimer_label']),
    categories: parseConstants(getPath(raw, 'categories')),
    countries: parseNames(getPath(raw, 'targeted_or_reached_countries')),
    contains_ai_media: toBoolean(getPath(raw, 'contains_digital_created_media')),
  };
}

/** Parses the advertiser. The content of a partnership ad names the partner, and `branded_content` the advertiser. */
function parseAdvertiser(raw: unknown, shown: JsonObject): Ad['page'] {
  const id = toLine(getPath(raw, 'page_id')) ?? toLine(shown['page_id']);
  const advertisers = [shown, shown['branded_content']].filter(isJsonObject);
  const own =
    advertisers.find((one) => toLine(one['page_id']) === id) ?? (toLine(shown['page_id']) === null ? shown : {});
  const likes = toCount(own['page_like_count'], 'en-US');
  return {
    id,
    name: toLine(getPath(raw, 'page_name')) ?? toLine(own['page_name']),
    url: parseSiteUrl(own['page_profile_uri']),
    likes: likes?.value ?? null,
    categories: parseNames(own['page_categories']),
    profile_image_url: toMediaUrl(own['page_profile_picture_url'] ?? own['page_profile_pic_url'], HOME),
    verified: toBoolean(own['page_is_verified']) ?? toBoolean(getPath(raw, 'page_is_verified')),
  };
}

function parseMedia(shown: JsonObject): Pick<Ad, 'images' | 'videos' | 'cards'> {
  const media = (name: string): readonly unknown[] => toArray(shown[name]).slice(0, MAX_MEDIA);
  return {
    images: media('images').map((one) => ({
      original_url: parseMediaUrl(one, 'original_image_url'),
      resized_url: parseMediaUrl(one, 'resized_image_url'),
    })),
    videos: media('videos').map((one) => ({
      hd_url: parseMediaUrl(one, 'video_hd_url'),
      sd_url: parseMediaUrl(one, 'video_sd_url'),
      preview_url: parseMediaUrl(one, 'video_preview_image_url'),
    })),
    cards: media('cards').map((one) => ({
      title: toText(getPath(one, 'title')),
      text: toText(getPath(one, 'body')) ?? toText(getPath(one, 'body', 'text')),
      link_url: toCleanUrl(getPath(one, 'link_url'), HOME),
      cta_type: parseConstant(getPath(one, 'cta_type')),
      image_url: parseMediaUrl(one, 'original_image_url') ?? parseMediaUrl(one, 'resized_image_url'),
      video_hd_url: parseMediaUrl(one, 'video_hd_url'),
      video_sd_url: parseMediaUrl(one, 'video_sd_url'),
    })),
  };
}

function parseMediaUrl(media: unknown, name: string): string | null {
  return toMediaUrl(getPath(media, name), HOME);
}

/** The library writes a day as the timestamp at which it begins in its time zone. */
function parseDay(raw: unknown): string | null {
  return toTimestamp(raw)?.slice(0, 10) ?? null;
}

function parseConstants(raw: unknown): readonly string[] | null {
  return Array.isArray(raw)
    ? raw.flatMap((one) => parseConstant(one) ?? []).filter((word) => word !== 'unknown')
    : null;
}

function parseNames(raw: unknown): readonly string[] | null {
  return Array.isArray(raw) ? raw.flatMap((one) => toLine(one) ?? []) : null;
}

/** The currency is empty if the library does not publish the spend. */
function parseCurrency(raw: unknown): string | null {
  const code = toLine(raw);
  return code !== null && /^[A-Z]{3}$/.test(code) ? code : null;
}
