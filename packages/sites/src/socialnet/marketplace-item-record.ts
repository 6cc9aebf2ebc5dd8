import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, boolean, countOf, decimal, line, list, moment, text, url } from '#extract/values/raw.ts';
import { shownOf, titleOf, wordOf } from './listing.ts';
import { RealEstate, realEstateOf, Vehicle, vehicleOf } from './marketplace-vehicle.ts';
import { ShownImage, imageOf } from './media.ts';
import { SOCIAL_WEB } from './site.ts';

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const CONDITIONS = ['new', 'used_like_new', 'used_good', 'used_fair', 'used'] as const;

export const Listing = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  description: Text,
  price: z.number().nullable(),
  currency: Text,
  price_text: Text,
  original_price: z.number().nullable().describe('Before it was lowered'),
  category_id: Text,
  category_name: Text,
  condition: z.enum(CONDITIONS).nullable(),
  attributes: z
    .array(z.object({ name: z.string(), value: Text, label: Text }))
    .readonly()
    .nullable(),
  location_text: Text,
  city: Text,
  state: Text,
  country: Text.describe('ISO 3166-1 alpha-2'),
  latitude: z.number().nullable().describe('The site rounds it'),
  longitude: z.number().nullable().describe('The site rounds it'),
  created_at: Text,
  is_sold: Flag,
  is_pending: Flag,
  is_live: Flag,
  delivery_types: z.array(z.string()).readonly().nullable(),
  shipping_offered: Flag,
  images: z.array(ShownImage).readonly().nullable(),
  seller: z
    .object({
      id: Text,
      name: Text,
      joined_at: Text,
      rating: z.number().nullable(),
      rating_count: z.int().min(0).nullable(),
    })
    .nullable(),
  vehicle: Vehicle.nullable(),
  real_estate: RealEstate.nullable(),
});

export type Listing = z.input<typeof Listing>;

/** A listing of its own page, from its joined fragments; `renderable` is what the page draws it by. */
export function toItem(id: string, listing: JsonObject, renderable: unknown): Listing | null {
  const title = titleOf(listing);
  if (title === null) return null;
  return {
    id,
    title,
    url: url(`/marketplace/item/${id}/`, SOCIAL_WEB) ?? SOCIAL_WEB,
    description: text(at(listing, 'redacted_description', 'text')),
    ...shownOf(listing),
    category_name: categoryOf(renderable) ?? line(listing['marketplace_listing_category_name']),
    condition: conditionOf(listing),
    attributes: attributesOf(listing['attribute_data']),
    ...placeOf(listing),
    created_at: moment(listing['creation_time']),
    is_live: boolean(listing['is_live']),
    shipping_offered: boolean(listing['is_shipping_offered']) ?? boolean(listing['shipping_offered']),
    images: imagesOf(listing),
    seller: sellerOf(listing['marketplace_listing_seller']),
    vehicle: vehicleOf(listing),
    real_estate: realEstateOf(listing),
  };
}

function categoryOf(renderable: unknown): string | null {
  return (
    list(at(renderable, 'seo_virtual_category', 'taxonomy_path'))
      .map((one) => line(at(one, 'name')))
      .findLast((name) => name !== null) ?? null
  );
}

/** The listing's own word, `PC_` or not, or that of its attribute. */
function conditionOf(listing: JsonObject): Listing['condition'] {
  const attribute = list(listing['attribute_data']).find((one) => line(at(one, 'attribute_name')) === 'Condition');
  const told = [wordOf(listing['condition'])?.replace(/^pc_/, ''), wordOf(at(attribute, 'value'))];
  return CONDITIONS.find((one) => told.includes(one)) ?? null;
}

function attributesOf(raw: unknown): Listing['attributes'] {
  if (!Array.isArray(raw)) return null;
  return raw.flatMap((one) => {
    const name = line(at(one, 'attribute_name'));
    return name === null ? [] : [{ name, value: line(at(one, 'value')), label: line(at(one, 'label')) }];
  });
}

/** The page writes city and state as `Houston, TX`; the rest stands with the coordinates. */
function placeOf(listing: JsonObject) {
  const wording = line(at(listing, 'location_text', 'text'));
  const detailed = at(listing, 'location', 'reverse_geocode_detailed') ?? at(listing, 'location', 'reverse_geocode');
  const [, city = null, state = null] = /^([^,]{1,100}), ([A-Z]{2,3})$/.exec(wording ?? '') ?? [];
  return {
    location_text: wording,
    city: line(at(detailed, 'city')) ?? city,
    state: line(at(detailed, 'state')) ?? state,
    country: /^[A-Z]{2}$/.exec(line(at(detailed, 'country_alpha_two')) ?? '')?.[0] ?? null,
    latitude: decimal(at(listing, 'location', 'latitude')),
    longitude: decimal(at(listing, 'location', 'longitude')),
  };
}

function imagesOf(listing: JsonObject): Listing['images'] {
  const photos = listing['listing_photos'];
  if (Array.isArray(photos))
    return photos.flatMap((one) => imageOf(at(one, 'image'), at(one, 'accessibility_caption')) ?? []);
  const first = imageOf(at(listing, 'primary_listing_photo', 'listing_image'), null);
  return first === null ? null : [first];
}

/** Ratings that the seller keeps private are in the data all the same; they are not told. */
function sellerOf(raw: unknown): Listing['seller'] {
  const [id, name] = [line(at(raw, 'id')), line(at(raw, 'name'))];
  if (id === null && name === null) return null;
  const stats = at(raw, 'marketplace_ratings_stats_by_role');
  const told = at(stats, 'seller_ratings_are_private') === true ? null : at(stats, 'seller_stats');
  const count = countOf(at(told, 'five_star_total_rating_count_by_role'), null)?.value ?? null;
  const rating = count === 0 ? null : decimal(at(told, 'five_star_ratings_average'));
  return { id, name, joined_at: moment(at(raw, 'join_time')), rating, rating_count: count };
}
