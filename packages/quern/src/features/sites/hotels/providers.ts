/** The hotel sites, with the parameter that identifies a property in their rate endpoint. */
export const PROPERTY_PARAMETERS = { 'hotel-a': 'url', 'hotel-b': 'property_id' } as const;

export const HOTEL_PROVIDERS = ['hotel-a', 'hotel-b'] as const;

export type HotelProvider = (typeof HOTEL_PROVIDERS)[number];

/** Returns the id of the operation for the cheapest rate on a site. */
export function toRateOperationId(provider: HotelProvider): string {
  return `${provider}.rate`;
}
