import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { at, line, mediaUrl, moment, url } from '#extract/values/raw.ts';
import { shownOf, titleOf } from './listing.ts';
import { SOCIAL_WEB } from './site.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();

export const FoundItem = z.object({
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

export type FoundItem = z.input<typeof FoundItem>;

/** A listing by its number; null for an advertisement or another unit of the feed. */
export function toFound(listing: unknown): readonly [readonly [string, FoundItem]] | null {
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
