/** The hotel sites, each with the member of its rates that identifies a property. */
export const PROPERTY_MEMBERS = { 'hotel-a': 'url', 'hotel-b': 'property_id' } as const;

export const HOTEL_PROVIDERS = ['hotel-a', 'hotel-b'] as const;

export type HotelProvider = (typeof HOTEL_PROVIDERS)[number];

/** The operation that gives the cheapest rate on a site. */
export function rateOperationOf(provider: HotelProvider): string {
  return `${provider}.rate`;
}
