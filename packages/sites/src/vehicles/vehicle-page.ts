import { notFound, partly, unusable } from '#sites/framework/answers.ts';
import type { SiteAnswer, SiteRecord } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { readRich } from '#extract/dom/elements.ts';
import { canonicalOf, things } from '#extract/dom/described.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { statedAmount, at, line, mediaUrl, natural, text, url } from '#extract/values/raw.ts';
import { readMarketPage } from './market-page.ts';
import { readVehicle } from './read-vehicle.ts';
import { MARKET_HOME } from './site.ts';
import { vehicleIdIn } from './vehicle-input.ts';
import type { VehicleOffer } from './vehicle-record.ts';

type VehicleAnswer = { readonly vehicle: VehicleOffer };

/** Reads the page of a vehicle: the data that it is drawn from, else what it describes of itself. */
export function readVehiclePage(
  source: SourcePage,
  wanted: string,
): VehicleAnswer | SiteRecord<VehicleAnswer> | SiteAnswer {
  const { page, props, reading } = readMarketPage(source);
  const vehicle = readVehicle(at(props, 'listingDetails'), reading);
  if (vehicle !== null) return vehicle.id === wanted ? { vehicle } : unusable(`another vehicle: ${vehicle.id}`);
  // What is sold leads to a list of the like.
  if (/^(?:\/[a-z]{2})?\/lst\b/.test(new URL(source.url).pathname)) return notFound('it is no longer offered');
  if (Array.isArray(at(props, 'listings'))) return unusable('a vehicle: the page is a list of results');
  const described = describedIn(page, wanted);
  if (described === null) return unusable('a vehicle');
  return partly({ vehicle: described }, 'only what the page describes for search engines is there');
}

/** Kilometres, unless the page says miles by their code or in words. */
function mileageIn(raw: unknown): VehicleOffer['mileage'] {
  const value = natural(at(raw, 'value'));
  const unit = line(at(raw, 'unitCode')) ?? line(at(raw, 'unitText')) ?? '';
  return value === null ? null : { value, unit: /^(?:SMI|mi|miles?)$/i.test(unit) ? 'mi' : 'km' };
}

/** What the page says of its vehicle for search engines. */
function describedIn(page: ParsedPage, id: string): VehicleOffer | null {
  if (vehicleIdIn(canonicalOf(page) ?? page.url) !== id) return null;
  for (const { members } of things(page, 'Car', 'Vehicle', 'Product')) {
    const title = line(at(members, 'name'));
    const offer = toList(at(members, 'offers'))[0];
    if (title === null || offer === undefined) continue;
    const description = text(at(members, 'description'));
    const rich = description === null ? null : readRich(description, page.url);
    return {
      ...NOTHING,
      id,
      url: url(canonicalOf(page), page.url) ?? `${MARKET_HOME}/offers/${id}`,
      title,
      make: line(at(members, 'brand', 'name') ?? at(members, 'manufacturer')),
      model: line(at(members, 'model', 'name') ?? at(members, 'model')),
      mileage: mileageIn(at(members, 'mileageFromOdometer')),
      price: { amount: statedAmount(at(offer, 'price')), currency: line(at(offer, 'priceCurrency')), text: null },
      fuel: line(at(members, 'vehicleEngine', 'fuelType') ?? at(members, 'fuelType')),
      transmission: line(at(members, 'vehicleTransmission')),
      body: line(at(members, 'bodyType')),
      color: line(at(members, 'color')),
      vin: line(at(members, 'vehicleIdentificationNumber')),
      doors: natural(at(members, 'numberOfDoors')),
      seats: natural(at(members, 'seatingCapacity') ?? at(members, 'vehicleSeatingCapacity')),
      images: toList(at(members, 'image')).flatMap((one) => mediaUrl(at(one, 'contentUrl') ?? one, page.url) ?? []),
      description_html: rich?.html ?? null,
      description_text: rich?.text ?? null,
    };
  }
  return null;
}

const NOTHING = {
  variant: null,
  year: null,
  first_registration: null,
  condition: null,
  power_kw: null,
  power_hp: null,
  seller: { type: null, name: null, rating: null, location: null },
  location: { zip: null, city: null, country: null, latitude: null, longitude: null },
  features: null,
  listed_at: null,
  is_sponsored: null,
} as const;
