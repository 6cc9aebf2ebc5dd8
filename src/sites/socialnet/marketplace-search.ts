import { z } from 'zod';
import { empty, unusable } from '#features/sites/answers.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { objectsWith } from '#extract/dom/scripts.ts';
import type { JsonObject } from '#kernel/json.ts';
import { isJsonObject } from '#kernel/json.ts';
import { at, line, list, mediaUrl, moment, url } from '#extract/values/raw.ts';
import { shownOf, titleOf } from './listing.ts';
import { MarketplaceSearchInput, requestOf } from './marketplace-search-input.ts';
import { absent, heldBy, socialnet, SOCIAL_WEB } from './site.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();

const FoundItem = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  price: z.number().nullable(),
  currency: Text.describe('Null where the sign of the price is that of several'),
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

type FoundItem = z.input<typeof FoundItem>;

/** Listings of the marketplace: those that the page of a search holds. */
export const marketplaceSearch = socialnet({
  path: '/marketplace/search',
  summary: 'Marketplace listings by words, place and filters',
  input: MarketplaceSearchInput,
  record: z.object({ items: z.array(FoundItem).readonly() }),
  aliases: { search: ['query', 'q', 'keyword', 'keywords'], limit: ['per_page'] },
  list: 'items',
  limit: { default: 24, most: 24 },
  expected: ['items.price', 'items.location_text', 'items.image_url', 'items.seller'],
  canary: { search: 'bicycle', location: 'houston' },
  request: requestOf,
  parse(page, input) {
    const parsed = parsePage(page.body, page.url);
    const asked = objectsWith(parsed, 'bqf').flatMap((one) => line(at(one, 'bqf', 'query')) ?? []);
    const isOther = asked.length > 0 && !asked.some((words) => words.toLowerCase() === input.search.toLowerCase());
    if (isOther) return unusable(`the results of another search: ${asked[0]?.slice(0, 100)}`);
    const feeds = objectsWith(parsed, 'marketplace_search').map((one) => at(one, 'marketplace_search', 'feed_units'));
    const edges = feeds.flatMap((feed) => list(at(feed, 'edges')));
    const hasMore = feeds.some((feed) => at(feed, 'page_info', 'has_next_page') === true);
    const items = new Map(edges.flatMap((edge) => toFound(at(edge, 'node', 'listing')) ?? []));
    if (items.size === 0) {
      const isNothing = edges.length === 0 && !hasMore && feeds.some((feed) => Array.isArray(at(feed, 'edges')));
      // Without the frame of a search the site has only held its results back.
      return isNothing && FRAME.test(page.body) ? empty() : absent(page, 'the listings of a search');
    }
    return heldBy({ items: [...items.values()] }, hasMore);
  },
});

/** Parts that draw the page of a search, whatever it found. */
const FRAME = /CometMarketplaceSearchContentContainer|MarketplaceFilterField|marketplace_seo_page/;

/** A listing by its number; null for an advertisement or another unit of the feed. */
function toFound(listing: unknown): readonly [readonly [string, FoundItem]] | null {
  const id = line(at(listing, 'id'));
  if (!isJsonObject(listing) || id === null) return null;
  const title = titleOf(listing);
  if (title === null) return null;
  const subtitles = listing['custom_sub_titles_with_rendering_flags'];
  const item = {
    id,
    title,
    url: url(`/marketplace/item/${id}/`, SOCIAL_WEB) ?? SOCIAL_WEB,
    ...shownOf(listing),
    location_text: placeOf(listing),
    created_at: moment(listing['creation_time']),
    image_url: mediaUrl(at(listing, 'primary_listing_photo', 'image', 'uri'), SOCIAL_WEB),
    seller: sellerOf(listing['marketplace_listing_seller']),
    subtitles: Array.isArray(subtitles) ? subtitles.flatMap((one) => line(at(one, 'subtitle')) ?? []) : null,
  };
  return [[id, item]];
}

/** The page of the city says where it is; the city beside it may be a smaller one. */
function placeOf(listing: JsonObject): string | null {
  const place = at(listing, 'location', 'reverse_geocode');
  const named = [line(at(place, 'city')), line(at(place, 'state'))].filter((one) => one !== null).join(', ');
  return line(at(place, 'city_page', 'display_name')) ?? (named === '' ? null : named);
}

function sellerOf(raw: unknown): FoundItem['seller'] {
  const [id, name] = [line(at(raw, 'id')), line(at(raw, 'name'))];
  return id === null && name === null ? null : { id, name };
}
