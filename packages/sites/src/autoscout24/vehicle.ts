import { z } from 'zod';
import { notFound, markPartial, type SiteAnswer, type SiteRecord, unusable } from '#sites/framework/answers.ts';
import type { SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseReference } from '#sites/framework/site.ts';
import { findCanonicalUrl, listEntities, parseRichText } from '#extract/dom/elements.ts';
import type { ParsedPage } from '#extract/dom/parsed-page.ts';
import { toList } from '#extract/values/json.ts';
import { getPath, toLine, toMediaUrl, toNatural, parseAmount, toText, toCleanUrl } from '#extract/values/raw.ts';
import { describePage, readMarketPage, readVehicle, VehicleOffer } from './shared.ts';
import { HOME, autoScout } from './site.ts';

const VehicleInput = z.object({
  id: z.string().min(1).max(2000).optional().describe('The id of the offer, or its address; takes precedence over url'),
  url: z.url().max(2000).optional().describe('Address of the offer'),
});

type VehicleInput = z.output<typeof VehicleInput>;

export const autoScoutVehicle = autoScout({
  path: '/vehicle',
  summary: 'A vehicle for sale by id or url',
  input: VehicleInput,
  record: z.object({ vehicle: VehicleOffer }),
  anyOf: ['id', 'url'],
  expected: ['vehicle.price.amount', 'vehicle.mileage', 'vehicle.first_registration', 'vehicle.images', 'vehicle.fuel'],
  canary: { id: '117b7cf9-f7e8-449c-bfdd-cfd449484f99' },
  request: (input, site) => ({ origin: 'web', path: `/offers/${findVehicleId(input, site)}` }),
  parse: (page, input, site) => readVehiclePage(page, findVehicleId(input, site)),
});

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i;

/** Parses the id at the end of the address of an offer; null without one. */
function parseVehicleId(address: string): string | null {
  const [path = ''] = address.split(/[?#]/);
  return new RegExp(`${ID.source}/?$`, 'i').exec(path)?.[0].replace('/', '').toLowerCase() ?? null;
}

/** Finds the id of the requested offer. Throws `not_found`, and `invalid_request` for another address. */
function findVehicleId(input: VehicleInput, site: Pick<SiteContext, 'locate'>): string {
  const { id } = input;
  const reference = (id ?? input.url ?? '').trim();
  if (new RegExp(`^${ID.source}$`, 'i').test(reference)) return reference.toLowerCase();
  const place = site.locate(reference);
  const vehicleId = parseVehicleId(place?.path ?? '');
  const why =
    place === null ? 'is not an offer of this site' : `is ${describePage(place.path)} of this site, not an offer`;
  return vehicleId ?? refuseReference(id === undefined ? 'url' : 'id', why);
}

type VehicleAnswer = { readonly vehicle: VehicleOffer };

/** Reads the page of a vehicle from its properties, else from structured data. */
function readVehiclePage(source: SourcePage, wanted: string): VehicleAnswer | SiteRecord<VehicleAnswer> | SiteAnswer {
  const { page, props, reading } = readMarketPage(source);
  const offer = readVehicle(getPath(props, 'listingDetails'), reading);
  if (offer !== null) return offer.id === wanted ? { vehicle: offer } : unusable(`another vehicle: ${offer.id}`);
  // The address of a sold vehicle redirects to a list of similar ones.
  if (/^(?:\/[a-z]{2})?\/lst\b/.test(new URL(source.url).pathname)) return notFound('it is no longer offered');
  if (Array.isArray(getPath(props, 'listings'))) return unusable('no vehicle: the page is a list of results');
  const described = readStructuredData(page, wanted);
  if (described === null) return unusable('no vehicle');
  return markPartial({ vehicle: described }, 'the page had only its structured data');
}

/** Reads the mileage in kilometres, unless the unit is miles. */
function readMarkedMileage(raw: unknown): VehicleOffer['mileage'] {
  const value = toNatural(getPath(raw, 'value'));
  const unit = toLine(getPath(raw, 'unitCode')) ?? toLine(getPath(raw, 'unitText')) ?? '';
  return value === null ? null : { value, unit: /^(?:SMI|mi|miles?)$/i.test(unit) ? 'mi' : 'km' };
}

/** Reads a vehicle from structured data. */
function readStructuredData(page: ParsedPage, id: string): VehicleOffer | null {
  if (parseVehicleId(findCanonicalUrl(page) ?? page.url) !== id) return null;
  for (const { members } of listEntities(page, 'Car', 'Vehicle', 'Product')) {
    const title = toLine(getPath(members, 'name'));
    const offer = toList(getPath(members, 'offers'))[0];
    if (title === null || offer === undefined) continue;
    const description = toText(getPath(members, 'description'));
    const rich = description === null ? null : parseRichText(description, page.url);
    return {
      ...EMPTY_OFFER,
      id,
      url: toCleanUrl(findCanonicalUrl(page), page.url) ?? `${HOME}/offers/${id}`,
      title,
      make: toLine(getPath(members, 'brand', 'name') ?? getPath(members, 'manufacturer')),
      model: toLine(getPath(members, 'model', 'name') ?? getPath(members, 'model')),
      mileage: readMarkedMileage(getPath(members, 'mileageFromOdometer')),
      price: {
        amount: parseAmount(getPath(offer, 'price')),
        currency: toLine(getPath(offer, 'priceCurrency')),
        text: null,
      },
      fuel: toLine(getPath(members, 'vehicleEngine', 'fuelType') ?? getPath(members, 'fuelType')),
      transmission: toLine(getPath(members, 'vehicleTransmission')),
      body: toLine(getPath(members, 'bodyType')),
      color: toLine(getPath(members, 'color')),
      vin: toLine(getPath(members, 'vehicleIdentificationNumber')),
      doors: toNatural(getPath(members, 'numberOfDoors')),
      seats: toNatural(getPath(members, 'seatingCapacity') ?? getPath(members, 'vehicleSeatingCapacity')),
      images: toList(getPath(members, 'image')).flatMap(
        (one) => toMediaUrl(getPath(one, 'contentUrl') ?? one, page.url) ?? [],
      ),
      description_html: rich?.html ?? null,
      description_text: rich?.text ?? null,
    };
  }
  return null;
}

const EMPTY_OFFER = {
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
