import { z } from 'zod';
import { notFound, markPartial, unusable } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { findOpenGraph } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { listObjectsWith } from '#extract/dom/scripts.ts';
import { mergeFragments } from '#extract/json/find-objects.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import {
  getPath,
  toBoolean,
  toCount,
  toNumber,
  toLine,
  toArray,
  toTimestamp,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { refuseAddress } from './addresses.ts';
import { Image, parseConstant, parseImage, parseListingFields, parseListingTitle } from './shared.ts';
import { answerMissingRecord, HOME, facebook } from './site.ts';

const ListingInput = z.object({
  id: z.string().min(1).max(30).optional().describe('Number of the listing; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the listing'),
});

const Text = z.string().nullable();
const Flag = z.boolean().nullable();
const CONDITIONS = ['new', 'used_like_new', 'used_good', 'used_fair', 'used'] as const;
const Count = z.int().min(0).nullable();

const Vehicle = z.object({
  make: Text,
  model: Text,
  trim: Text,
  odometer_value: Count,
  odometer_unit: z.enum(['kilometers', 'miles']).nullable(),
  transmission: Text,
  fuel: Text,
  exterior_color: Text,
  interior_color: Text,
  owners: Text.describe('Number of owners, in the words of the site'),
  seller_type: Text,
  vin: Text,
});

const RealEstate = z.object({
  bedrooms: Count,
  bathrooms: z.number().min(0).nullable(),
  rooms_text: Text,
  area_text: Text,
  address: Text,
  includes: z.array(z.string()).readonly().nullable().describe('What is included, in the words of the site'),
});

const Listing = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  description: Text,
  price: z.number().nullable(),
  currency: Text,
  price_text: Text,
  original_price: z.number().nullable().describe('Price before it was reduced'),
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
  latitude: z.number().nullable().describe('Rounded by the site'),
  longitude: z.number().nullable().describe('Rounded by the site'),
  created_at: Text,
  is_sold: Flag,
  is_pending: Flag,
  is_live: Flag,
  delivery_types: z.array(z.string()).readonly().nullable(),
  shipping_offered: Flag,
  images: z.array(Image).readonly().nullable(),
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

type Listing = z.input<typeof Listing>;

/** A listing of the marketplace. */
export const facebookMarketplaceItem = facebook({
  path: '/marketplace/item',
  summary: 'A marketplace listing by id or url',
  input: ListingInput,
  anyOf: ['id', 'url'],
  record: z.object({ item: Listing }),
  expected: [
    'item.price',
    'item.description',
    'item.location_text',
    'item.created_at',
    'item.images',
    'item.seller.id',
  ],
  canary: { id: '2089540198183457' },
  request: (input, site) => ({ origin: 'web', path: `/marketplace/item/${readItemId(input, site)}/` }),
  parse: (page, input, site) => readItem(page, readItemId(input, site)),
});

const ITEM_PATH = /^\/marketplace\/(?:[^/]+\/)?item\/(\d{5,20})\/?$/;

/** Reads the id of the wanted listing. Throws `not_found`, and `invalid_request` for an address of another kind. */
function readItemId({ id, url: link }: z.output<typeof ListingInput>, site: SiteContext): string {
  if (id !== undefined)
    return /^\d{5,20}$/.test(id.trim()) ? id.trim() : refuseReference('id', 'is not the number of a listing');
  const path = site.locate(link ?? '')?.path ?? '';
  return ITEM_PATH.exec(path.replace(/[?#].*$/s, ''))?.[1] ?? refuseAddress(path, 'a listing');
}

/** The member that contains the fragments of the listing. Other objects of the same type are suggestions. */
const DETAILS = 'marketplace_product_details_page';

/** Reads the wanted listing. */
function readItem(page: SourcePage, wanted: string) {
  const parsed = parsePage(page.body, page.url);
  const pages = listObjectsWith(parsed, DETAILS).map((one) => one[DETAILS]);
  const own = pages.filter((one) => toLine(getPath(one, 'target', 'id')) === wanted);
  if (own.length === 0) return readSharedData(parsed, wanted) ?? answerMissing(page, wanted, pages);
  const targets = own.map((one) => getPath(one, 'target')).filter(isJsonObject);
  const renderable = own.map((one) => getPath(one, 'marketplace_listing_renderable_target')).find(isJsonObject);
  const read = parseItem(wanted, mergeFragments(targets), renderable);
  return read === null ? answerMissingRecord(page, 'the title of the listing is missing') : { item: read };
}

/** Reads the Open Graph data, if the page has nothing else. */
function readSharedData(page: ParsedPage, wanted: string) {
  const address = URL.parse(findOpenGraph(page, 'og:url') ?? '', page.url);
  if (ITEM_PATH.exec(address?.pathname ?? '')?.[1] !== wanted) return null;
  const read = parseItem(
    wanted,
    {
      marketplace_listing_title: findOpenGraph(page, 'og:title'),
      redacted_description: { text: findOpenGraph(page, 'og:description') },
      primary_listing_photo: { listing_image: { uri: findOpenGraph(page, 'og:image') } },
    },
    null,
  );
  return read === null ? null : markPartial({ item: read }, 'the page had only its Open Graph data');
}

/** A removed listing redirects to the marketplace, or is null in the data of its page. */
function answerMissing(page: SourcePage, wanted: string, pages: readonly unknown[]) {
  const { pathname } = new URL(page.url);
  const shown = ITEM_PATH.exec(pathname)?.[1];
  if (shown !== undefined ? shown !== wanted : pathname.startsWith('/marketplace'))
    return notFound('the site redirects to another page');
  if (pages.some((one) => getPath(one, 'target') !== undefined)) return unusable(`another listing than ${wanted}`);
  return pages.length > 0
    ? notFound('there is no such listing, or it is not public')
    : answerMissingRecord(page, `no listing ${wanted} in the page`);
}

/** Parses a listing from its merged fragments. `renderable` is the object that the page renders. */
function parseItem(id: string, listing: JsonObject, renderable: unknown): Listing | null {
  const title = parseListingTitle(listing);
  if (title === null) return null;
  return {
    id,
    title,
    url: toCleanUrl(`/marketplace/item/${id}/`, HOME) ?? HOME,
    description: toText(getPath(listing, 'redacted_description', 'text')),
    ...parseListingFields(listing),
    category_name: parseCategory(renderable) ?? toLine(listing['marketplace_listing_category_name']),
    condition: parseCondition(listing),
    attributes: parseAttributes(listing['attribute_data']),
    ...parsePlace(listing),
    created_at: toTimestamp(listing['creation_time']),
    is_live: toBoolean(listing['is_live']),
    shipping_offered: toBoolean(listing['is_shipping_offered']) ?? toBoolean(listing['shipping_offered']),
    images: parseImages(listing),
    seller: parseSeller(listing['marketplace_listing_seller']),
    vehicle: parseVehicle(listing),
    real_estate: parseRealEstate(listing),
  };
}

function parseCategory(renderable: unknown): string | null {
  return (
    toArray(getPath(renderable, 'seo_virtual_category', 'taxonomy_path'))
      .map((one) => toLine(getPath(one, 'name')))
      .findLast((name) => name !== null) ?? null
  );
}

/** Parses the condition of the listing, with or without the prefix `PC_`, or that in its attributes. */
function parseCondition(listing: JsonObject): Listing['condition'] {
  const attribute = toArray(listing['attribute_data']).find(
    (one) => toLine(getPath(one, 'attribute_name')) === 'Condition',
  );
  const conditions = [
    parseConstant(listing['condition'])?.replace(/^pc_/, ''),
    parseConstant(getPath(attribute, 'value')),
  ];
  return CONDITIONS.find((one) => conditions.includes(one)) ?? null;
}

function parseAttributes(raw: unknown): Listing['attributes'] {
  if (!Array.isArray(raw)) return null;
  return raw.flatMap((one) => {
    const name = toLine(getPath(one, 'attribute_name'));
    return name === null ? [] : [{ name, value: toLine(getPath(one, 'value')), label: toLine(getPath(one, 'label')) }];
  });
}

/** City and state are written as `Houston, TX`. The rest of the place is next to the coordinates. */
function parsePlace(listing: JsonObject) {
  const wording = toLine(getPath(listing, 'location_text', 'text'));
  const detailed =
    getPath(listing, 'location', 'reverse_geocode_detailed') ?? getPath(listing, 'location', 'reverse_geocode');
  const [, city = null, state = null] = /^([^,]{1,100}), ([A-Z]{2,3})$/.exec(wording ?? '') ?? [];
  return {
    location_text: wording,
    city: toLine(getPath(detailed, 'city')) ?? city,
    state: toLine(getPath(detailed, 'state')) ?? state,
    country: /^[A-Z]{2}$/.exec(toLine(getPath(detailed, 'country_alpha_two')) ?? '')?.[0] ?? null,
    latitude: toNumber(getPath(listing, 'location', 'latitude')),
    longitude: toNumber(getPath(listing, 'location', 'longitude')),
  };
}

function parseImages(listing: JsonObject): Listing['images'] {
  const photos = listing['listing_photos'];
  if (Array.isArray(photos))
    return photos.flatMap((one) => parseImage(getPath(one, 'image'), getPath(one, 'accessibility_caption')) ?? []);
  const first = parseImage(getPath(listing, 'primary_listing_photo', 'listing_image'), null);
  return first === null ? null : [first];
}

/** The data contains even ratings that the seller has made private. Those are left out. */
function parseSeller(raw: unknown): Listing['seller'] {
  const [id, name] = [toLine(getPath(raw, 'id')), toLine(getPath(raw, 'name'))];
  if (id === null && name === null) return null;
  const stats = getPath(raw, 'marketplace_ratings_stats_by_role');
  const ratings = getPath(stats, 'seller_ratings_are_private') === true ? null : getPath(stats, 'seller_stats');
  const count = toCount(getPath(ratings, 'five_star_total_rating_count_by_role'), null)?.value ?? null;
  const rating = count === 0 ? null : toNumber(getPath(ratings, 'five_star_ratings_average'));
  return { id, name, joined_at: toTimestamp(getPath(raw, 'join_time')), rating, rating_count: count };
}

/** Parses the fields that only vehicles have. Null if the listing has none of them. */
function parseVehicle(listing: JsonObject): z.input<typeof Vehicle> | null {
  const unit = parseConstant(getPath(listing, 'vehicle_odometer_data', 'unit'));
  return dropIfEmpty({
    make: toLine(listing['vehicle_make_display_name']),
    model: toLine(listing['vehicle_model_display_name']),
    trim: toLine(listing['vehicle_trim_display_name']),
    odometer_value: toCount(getPath(listing, 'vehicle_odometer_data', 'value'), null)?.value ?? null,
    odometer_unit: unit === 'kilometers' || unit === 'miles' ? unit : null,
    transmission: parseConstant(listing['vehicle_transmission_type']),
    fuel: parseConstant(listing['vehicle_fuel_type']),
    exterior_color: toLine(listing['vehicle_exterior_color']),
    interior_color: toLine(listing['vehicle_interior_color']),
    owners: parseConstant(listing['vehicle_number_of_owners']),
    seller_type: parseConstant(listing['vehicle_seller_type']),
    vin: toLine(listing['vehicle_identification_number']),
  });
}

/** Parses the fields that only homes have. Null if the listing has none of them. */
function parseRealEstate(listing: JsonObject): z.input<typeof RealEstate> | null {
  const rooms = toLine(listing['unit_room_info']);
  const sections = toArray(listing['pdp_display_sections']);
  const included = sections.find((one) => toLine(getPath(one, 'section_type')) === 'UNIT_INCLUDES');
  return dropIfEmpty({
    bedrooms: parseNumberIn(rooms, /(\d{1,3})\s?(?:beds?|bedrooms?|br)\b/i),
    bathrooms: parseNumberIn(rooms, /(\d{1,3}(?:\.5)?)\s?(?:baths?|bathrooms?|ba)\b/i),
    rooms_text: rooms,
    area_text: toLine(listing['unit_area_info']),
    address: toLine(getPath(listing, 'home_address', 'street')) ?? toLine(listing['listing_address']),
    includes:
      included === undefined
        ? null
        : toArray(getPath(included, 'pdp_fields')).flatMap((field) => toLine(getPath(field, 'display_label')) ?? []),
  });
}

function parseNumberIn(content: string | null, pattern: RegExp): number | null {
  return toNumber(pattern.exec(content ?? '')?.[1]);
}

function dropIfEmpty<T extends object>(record: T): T | null {
  return Object.values(record).every((value) => value === null) ? null : record;
}
