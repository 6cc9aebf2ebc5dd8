import { z } from 'zod';
import { wholeNumber } from '#extract/schema/whole-number.ts';
import type { SiteRequest } from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';

const Price = z.number().min(0).max(1_000_000_000).optional();

export const MarketplaceSearchInput = z.object({
  search: z.string().trim().min(1).max(300).describe('Words to search for'),
  location: z
    .string()
    .regex(/^[A-Za-z0-9.-]{2,100}$/, 'must be the short name or number of a place on the site, such as houston')
    .optional()
    .describe('Short name or number of a place on the site, as houston; else the site decides by the network address'),
  latitude: z.number().min(-90).max(90).optional().describe('With longitude'),
  longitude: z.number().min(-180).max(180).optional().describe('With latitude'),
  radius_km: wholeNumber(1, 800).optional().describe('Around the place'),
  min_price: Price.describe('In whole units of the currency of the place'),
  max_price: Price.describe('In whole units of the currency of the place'),
  condition: z
    .array(z.enum(['new', 'used_like_new', 'used_good', 'used_fair']))
    .max(4)
    .default([])
    .describe('Only listings in one of these states'),
  days_listed: z.literal([1, 7, 30]).optional().describe('Listed within that many days'),
  delivery: z.enum(['local', 'shipping', 'all']).default('all').describe('How it gets to the buyer'),
  sort: z
    .enum(['best', 'newest', 'price_asc', 'price_desc', 'distance'])
    .default('best')
    .describe('The order of the listings'),
  exact: z.boolean().default(false).describe('Only what has the very words'),
});

export type MarketplaceSearchInput = z.output<typeof MarketplaceSearchInput>;

const SORTS = {
  best: null,
  newest: 'creation_time_descend',
  price_asc: 'price_ascend',
  price_desc: 'price_descend',
  distance: 'distance_ascend',
} as const;
const DELIVERIES = { local: 'local_pick_up', shipping: 'shipping', all: null } as const;

/** The page of results. Throws `invalid_request` for parameters that do not go together. */
export function requestOf(input: MarketplaceSearchInput): SiteRequest {
  const { search, location, latitude, longitude, min_price: from, max_price: to, condition } = input;
  if ((latitude === undefined) !== (longitude === undefined))
    return refuseParameter(latitude === undefined ? 'latitude' : 'longitude', 'is needed with the other coordinate');
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
