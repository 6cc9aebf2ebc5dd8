import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { at, countOf, decimal, line, list } from '#extract/values/raw.ts';
import { wordOf } from './listing.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

export const Vehicle = z.object({
  make: Text,
  model: Text,
  trim: Text,
  odometer_value: Count,
  odometer_unit: z.enum(['kilometers', 'miles']).nullable(),
  transmission: Text,
  fuel: Text,
  exterior_color: Text,
  interior_color: Text,
  owners: Text.describe('How many it had, in the words of the site'),
  seller_type: Text,
  vin: Text,
});

export const RealEstate = z.object({
  bedrooms: Count,
  bathrooms: z.number().min(0).nullable(),
  rooms_text: Text,
  area_text: Text,
  address: Text,
  includes: z.array(z.string()).readonly().nullable().describe('What belongs to it, in the words of the site'),
});

/** What only vehicles have; null for any other listing, and for one of which nothing of it is told. */
export function vehicleOf(listing: JsonObject): z.input<typeof Vehicle> | null {
  const unit = wordOf(at(listing, 'vehicle_odometer_data', 'unit'));
  return unlessBare({
    make: line(listing['vehicle_make_display_name']),
    model: line(listing['vehicle_model_display_name']),
    trim: line(listing['vehicle_trim_display_name']),
    odometer_value: countOf(at(listing, 'vehicle_odometer_data', 'value'), null)?.value ?? null,
    odometer_unit: unit === 'kilometers' || unit === 'miles' ? unit : null,
    transmission: wordOf(listing['vehicle_transmission_type']),
    fuel: wordOf(listing['vehicle_fuel_type']),
    exterior_color: line(listing['vehicle_exterior_color']),
    interior_color: line(listing['vehicle_interior_color']),
    owners: wordOf(listing['vehicle_number_of_owners']),
    seller_type: wordOf(listing['vehicle_seller_type']),
    vin: line(listing['vehicle_identification_number']),
  });
}

/** What only homes have; null for any other listing. */
export function realEstateOf(listing: JsonObject): z.input<typeof RealEstate> | null {
  const rooms = line(listing['unit_room_info']);
  const sections = list(listing['pdp_display_sections']);
  const included = sections.find((one) => line(at(one, 'section_type')) === 'UNIT_INCLUDES');
  return unlessBare({
    bedrooms: countIn(rooms, /(\d{1,3})\s?(?:beds?|bedrooms?|br)\b/i),
    bathrooms: countIn(rooms, /(\d{1,3}(?:\.5)?)\s?(?:baths?|bathrooms?|ba)\b/i),
    rooms_text: rooms,
    area_text: line(listing['unit_area_info']),
    address: line(at(listing, 'home_address', 'street')) ?? line(listing['listing_address']),
    includes:
      included === undefined
        ? null
        : list(at(included, 'pdp_fields')).flatMap((field) => line(at(field, 'display_label')) ?? []),
  });
}

function countIn(text: string | null, pattern: RegExp): number | null {
  return decimal(pattern.exec(text ?? '')?.[1]);
}

function unlessBare<T extends object>(record: T): T | null {
  return Object.values(record).every((value) => value === null) ? null : record;
}
