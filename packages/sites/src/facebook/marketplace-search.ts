import { z } from 'zod';
import { answerEmpty, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { getPath, toLine, toArray, toMediaUrl, toTimestamp, toCleanUrl } from '#extract/values/raw.ts';
import { parseListingFields, parseListingTitle } from './shared.ts';
import { answerMissingList, markIncomplete, HOME, facebook } from './site.ts';

const Price = z.number().min(0).max(1_000_000_000).optional();

const MarketplaceSearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
  location: z
    .string()
    .regex(/^[A-Za-z0-9.-]{2,100}$/, 'must be the short name or number of a place on the site, such as houston')
    .optional()
    .describe(
      'Short name or number of a place on the site, such as houston; by default the site chooses one by the IP address',
    ),
  latitude: z.number().min(-90).max(90).optional().describe('Latitude of the place; requires longitude'),
  longitude: z.number().min(-180).max(180).optional().describe('Longitude of the place; requires latitude'),
  radius_km: wholeNumber(1, 800).optional().describe('Radius around the place'),
  min_price: Price.describe('In whole units of the currency of the place'),
  max_price: Price.describe('In whole units of the currency of the place'),
  condition: z
    .array(z.enum(['new', 'used_like_new', 'used_good', 'used_fair']))
    .max(4)
    .default([])
    .describe('Only listings in one of these states'),
  days_listed: z.literal([1, 7, 30]).optional().describe('Listed within that many days'),
  delivery: z.enum(['local', 'shipping', 'all']).default('all').describe('Local pickup, shipping or both'),
  sort: z
    .enum(['best', 'newest', 'price_asc', 'price_desc', 'distance'])
    .default('best')
    .describe('The order of the listings'),
  exact: z.boolean().default(false).describe('Only listings with exactly these words'),
});

type MarketplaceSearchInput = z.output<typeof MarketplaceSearchInput>;

const Text = z.string().nullable();
const Flag = z.boolean().nullable();

const ListingResult = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  price: z.number().nullable(),
  currency: Text.describe('Null if the currency sign of the price is ambiguous'),
  price_text: Text,
  original_price: z.number().nullable(),
  location_text: Text,
  created_at: Text,
  is_sold: Flag,
  is_pending: Flag,
  delivery_types: z.array(z.string()).readonly().nullable(),
  category_id: Text,
  image_url: Text,
  seller: z.object({ id: Text, name: Text }).nullable(),
  subtitles: z.array(z.string()).readonly().nullable(),
});

type ListingResult = z.input<typeof ListingResult>;

/** Listings of the marketplace: those in the result page. */
export const facebookMarketplaceSearch = facebook({
  path: '/marketplace/search',
  summary: 'Things for sale on the marketplace, new or used: listings by words, place and filters',
  input: MarketplaceSearchInput,
  record: z.object({ items: z.array(ListingResult).readonly() }),
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'items',
  limit: { default: 24, max: 24 },
  expected: ['items.price', 'items.location_text', 'items.image_url', 'items.seller'],
  canary: { search: 'bicycle', location: 'houston' },
  request: buildRequest,
  parse(page, input) {
    const parsed = parsePage(page.body, page.url);
    const queries = listObjectsWith(parsed, 'bqf').flatMap((one) => toLine(getPath(one, 'bqf', 'query')) ?? []);
    const isOther = queries.length > 0 && !queries.some((words) => words.toLowerCase() === input.search.toLowerCase());
    if (isOther) return unusable(`results of another search: ${queries[0]?.slice(0, 100)}`);
    const feeds = listObjectsWith(parsed, 'marketplace_search').map((one) =>
      getPath(one, 'marketplace_search', 'feed_units'),
    );
    const edges = feeds.flatMap((feed) => toArray(getPath(feed, 'edges')));
    const hasMore = feeds.some((feed) => getPath(feed, 'page_info', 'has_next_page') === true);
    const items = new Map(edges.flatMap((edge) => parseItem(getPath(edge, 'node', 'listing')) ?? []));
    if (items.size === 0) {
      const isNothing = edges.length === 0 && !hasMore && feeds.some((feed) => Array.isArray(getPath(feed, 'edges')));
      // Without the frame of a result page, the site has withheld the results.
      return isNothing && SEARCH_FRAME.test(page.body)
        ? answerEmpty()
        : answerMissingList(page, 'the listings of a search are missing');
    }
    return markIncomplete({ items: [...items.values()] }, hasMore);
  },
});

/** Components of every result page, even one without results. */
const SEARCH_FRAME = /CometMarketplaceSearchContentContainer|MarketplaceFilterField|marketplace_seo_page/;

const SORTS = {
  best: null,
  newest: 'creation_time_descend',
  price_asc: 'price_ascend',
  price_desc: 'price_descend',
  distance: 'distance_ascend',
} as const;

const DELIVERIES = { local: 'local_pick_up', shipping: 'shipping', all: null } as const;

/** Builds the request for the result page. Throws `invalid_request` for parameters that exclude each other. */
function buildRequest(input: MarketplaceSearchInput): SiteRequest {
  const { search, location, latitude, longitude, min_price: from, max_price: to, condition } = input;
  if ((latitude === undefined) !== (longitude === undefined))
    return refuseParameter(latitude === undefined ? 'latitude' : 'longitude', 'is required with the other coordinate');
  if (from !== undefined && to !== undefined && from > to) return refuseParameter('max_price', 'is below min_price');
  return {
    origin: 'web',
    path: location === undefined ? '/marketplace/search/' : `/marketplace/${location}/search/`,
    query: {
      query: search,
      minPrice: from,
      maxPrice: to,
      daysSinceListed: input.days_listed,
      latitude,
      longitude,
      radius: input.radius_km,
      itemCondition: condition.length === 0 ? null : condition.join(','),
      deliveryMethod: DELIVERIES[input.delivery],
      sortBy: SORTS[input.sort],
      exact: input.exact,
    },
  };
}

/** Parses a listing, as an entry keyed by its id. Null for an ad or another unit of the feed. */
function parseItem(listing: unknown): readonly [readonly [string, ListingResult]] | null {
  const id = toLine(getPath(listing, 'id'));
  if (!isJsonObject(listing) || id === null) return null;
  const title = parseListingTitle(listing);
  if (title === null) return null;
  const subtitles = listing['custom_sub_titles_with_rendering_flags'];
  const item = {
    id,
    title,
    url: toCleanUrl(`/marketplace/item/${id}/`, HOME) ?? HOME,
    ...parseListingFields(listing),
    location_text: parsePlace(listing),
    created_at: toTimestamp(listing['creation_time']),
    image_url: toMediaUrl(getPath(listing, 'primary_listing_photo', 'image', 'uri'), HOME),
    seller: parseSeller(listing['marketplace_listing_seller']),
    subtitles: Array.isArray(subtitles) ? subtitles.flatMap((one) => toLine(getPath(one, 'subtitle')) ?? []) : null,
  };
  return [[id, item]];
}

/** Parses the place. The name of the city's page comes first, because `city` may be a smaller place. */
function parsePlace(listing: JsonObject): string | null {
  const place = getPath(listing, 'location', 'reverse_geocode');
  const named = [toLine(getPath(place, 'city')), toLine(getPath(place, 'state'))]
    .filter((one) => one !== null)
    .join(', ');
  return toLine(getPath(place, 'city_page', 'display_name')) ?? (named === '' ? null : named);
}

function parseSeller(raw: unknown): ListingResult['seller'] {
  const [id, name] = [toLine(getPath(raw, 'id')), toLine(getPath(raw, 'name'))];
  return id === null && name === null ? null : { id, name };
}
