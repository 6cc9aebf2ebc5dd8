import { z } from 'zod';
import type { SourcePage } from '#sites/framework/request.ts';
import { findCanonicalUrl, readAttributeAt, parseRichText } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript } from '#extract/dom/scripts.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { parseMoneyText } from '#extract/values/money.ts';
import { parseInteger, parseNumber } from '#extract/values/numbers.ts';
import {
  getPath,
  toNumber,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNatural,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { HOME, HOSTS } from './site.ts';

const Text = z.string().nullable();
const Count = z.int().min(0).nullable();

/** A vehicle for sale. The record does not contain the name of a private seller. */
export const VehicleOffer = z.object({
  id: z.string(),
  url: z.string(),
  title: z.string(),
  make: Text,
  model: Text,
  variant: Text,
  year: Count,
  first_registration: Text.describe('A month: 2012-05'),
  mileage: z.object({ value: Count, unit: z.enum(['km', 'mi']) }).nullable(),
  price: z.object({ amount: z.number().nullable(), currency: Text, text: Text }),
  condition: z.enum(['new', 'used', 'demonstration', 'pre_registered', 'employee', 'classic', 'antique']).nullable(),
  body: Text,
  fuel: Text,
  transmission: Text,
  power_kw: Count,
  power_hp: Count,
  doors: Count,
  seats: Count,
  color: Text,
  vin: Text,
  images: z.array(z.string()).readonly(),
  seller: z.object({
    type: z.enum(['dealer', 'private']).nullable(),
    name: Text.describe('Name of the dealer; null for a private seller'),
    rating: z.number().min(0).max(5).nullable(),
    location: Text,
  }),
  location: z.object({
    zip: Text,
    city: Text,
    country: Text,
    latitude: z.number().nullable(),
    longitude: z.number().nullable(),
  }),
  features: z
    .array(z.string())
    .readonly()
    .nullable()
    .describe('Null in search results: only the page of the vehicle has them'),
  description_html: Text,
  description_text: Text,
  listed_at: Text,
  is_sponsored: z.boolean().nullable(),
});

export type VehicleOffer = z.output<typeof VehicleOffer>;

/** How to read the values of a page: the language of its numbers and the base of its links. */
type MarketReading = { readonly locale: string; readonly home: string };

/** A page of the market in any country. */
type MarketPage = {
  readonly page: ParsedPage;
  /** The properties that the page was rendered from; undefined without them. */
  readonly props: unknown;
  readonly reading: MarketReading;
};

export function readMarketPage(source: SourcePage): MarketPage {
  const page = parsePage(source.body, source.url);
  const props = getPath(findJsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const culture = toLine(getPath(props, 'cultureInfo', 'isoCulture')) ?? toLine(getPath(props, 'isoCulture'));
  const domain = toLine(getPath(props, 'marketplace', 'etldPlusOne'));
  const hosts = [`www.${domain ?? ''}`, parseHost(findCanonicalUrl(page)), parseHost(source.url)];
  const host = hosts.find((one) => one !== null && HOSTS.includes(one));
  return {
    page,
    props,
    reading: {
      locale: culture ?? readAttributeAt(page, 'html', 'lang') ?? 'en',
      home: typeof host === 'string' ? `https://${host}` : HOME,
    },
  };
}

function parseHost(address: string | null): string | null {
  return URL.parse(address ?? '')?.host ?? null;
}

const CONDITIONS: Readonly<Record<string, VehicleOffer['condition']>> = {
  N: 'new',
  U: 'used',
  D: 'demonstration',
  S: 'pre_registered',
  J: 'employee',
  O: 'classic',
  A: 'antique',
};

/** Reads a vehicle of a list or of its own page; null without an id or a name. */
export function readVehicle(raw: unknown, reading: MarketReading): VehicleOffer | null {
  const { home } = reading;
  const id = toLine(getPath(raw, 'id'));
  const car = getPath(raw, 'vehicle');
  const [make, model] = [toLine(getPath(car, 'make')), toLine(getPath(car, 'model'))];
  const version = toLine(getPath(car, 'modelVersionInput'));
  const title = [make, model, version].filter((part) => part !== null).join(' ');
  if (id === null || title === '') return null;
  const registered = readRegistration(raw);
  const dealer = toLine(getPath(raw, 'seller', 'type'))?.toLowerCase() ?? null;
  const description = toText(getPath(raw, 'description'));
  const rich = description === null ? null : parseRichText(description, home);
  return {
    id,
    url: toCleanUrl(getPath(raw, 'webPage') ?? getPath(raw, 'url'), home) ?? `${HOME}/offers/${id}`,
    title,
    make,
    model,
    variant: toLine(getPath(car, 'variant')) ?? version,
    year: registered === null ? toInteger(getPath(car, 'productionYear')) : Number(registered.slice(0, 4)),
    first_registration: registered,
    mileage: readMileage(raw, reading),
    price: readPrice(raw, reading),
    condition: CONDITIONS[toLine(getPath(car, 'offerType')) ?? ''] ?? null,
    body: toLine(getPath(car, 'bodyType')),
    fuel: toLine(getPath(car, 'fuelCategory', 'formatted') ?? getPath(car, 'fuel')),
    transmission: toLine(getPath(car, 'transmissionType') ?? getPath(car, 'transmission')),
    ...readPower(raw, reading),
    doors: toNatural(getPath(car, 'numberOfDoors')),
    seats: toNatural(getPath(car, 'numberOfSeats')),
    color: toLine(getPath(car, 'bodyColor') ?? getPath(car, 'bodyColorOriginal')),
    vin: toLine(getPath(car, 'vin') ?? getPath(raw, 'identifier', 'vin')),
    images: toArray(getPath(raw, 'images')).flatMap((one) => toMediaUrl(one, home) ?? []),
    seller: {
      type: dealer === null ? null : dealer.startsWith('dealer') ? 'dealer' : 'private',
      name: dealer?.startsWith('dealer') === true ? toLine(getPath(raw, 'seller', 'companyName')) : null,
      rating: readRating(raw, reading),
      location: toLine(getPath(raw, 'location', 'city')),
    },
    location: {
      zip: toLine(getPath(raw, 'location', 'zip')),
      city: toLine(getPath(raw, 'location', 'city')),
      country: toLine(getPath(raw, 'location', 'countryCode')),
      latitude: toNumber(getPath(raw, 'location', 'latitude')),
      longitude: toNumber(getPath(raw, 'location', 'longitude')),
    },
    features: listFeatures(getPath(car, 'equipment')),
    description_html: rich?.html ?? null,
    description_text: rich?.text ?? null,
    listed_at: toTimestamp(getPath(raw, 'createdTimestampWithOffset')),
    is_sponsored: isSponsored(raw),
  };
}

/** Reads `2022-10-01`, `05/2012` or `05-2012` as a month. */
function readRegistration(raw: unknown): string | null {
  const given =
    toLine(getPath(raw, 'vehicle', 'firstRegistrationDateRaw')) ??
    toLine(getPath(raw, 'vehicle', 'firstRegistrationDate')) ??
    toLine(getPath(raw, 'tracking', 'firstRegistration')) ??
    readDetail(raw, 'calendar');
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(given ?? '') ?? [];
  if (year !== undefined) return `${year}-${month}`;
  const [, first, last] = /^(\d\d)[-/](\d{4})$/.exec(given ?? '') ?? [];
  return last === undefined ? null : `${last}-${first}`;
}

/** Reads a detail line of a result, identified by its icon. */
function readDetail(raw: unknown, ...icons: readonly string[]): string | null {
  const detail = toArray(getPath(raw, 'vehicleDetails')).find((entry) =>
    icons.includes(toLine(getPath(entry, 'iconName')) ?? ''),
  );
  return toLine(getPath(detail, 'data'));
}

/** Reads the exact mileage, else the formatted one. */
function readMileage(raw: unknown, { locale }: MarketReading): VehicleOffer['mileage'] {
  const shown = toLine(getPath(raw, 'vehicle', 'mileageInKm')) ?? readDetail(raw, 'mileage_odometer', 'mileage_road');
  const exact = toNatural(getPath(raw, 'vehicle', 'mileageInKmRaw')) ?? toNatural(getPath(raw, 'tracking', 'mileage'));
  const value = exact ?? (shown === null ? null : parseInteger(shown, locale));
  return value === null || value < 0 ? null : { value, unit: shown?.endsWith('mi') === true ? 'mi' : 'km' };
}

function readPrice(raw: unknown, { locale }: MarketReading): VehicleOffer['price'] {
  const shown = toLine(getPath(raw, 'price', 'priceFormatted') ?? getPath(raw, 'prices', 'public', 'price'));
  const read = shown === null ? null : parseMoneyText(shown, { locale, currency: null });
  const exact = toNumber(getPath(raw, 'prices', 'public', 'priceRaw')) ?? toNumber(getPath(raw, 'price', 'priceRaw'));
  return { amount: exact ?? read?.amount ?? null, currency: read?.currency ?? null, text: shown };
}

/** `140 kW (190 PS)`. The unit of horsepower differs by language. */
const KILOWATTS = /(\d[\d.,\s]{0,8}?)\s?(?:kW|кВт)/iu;
const HORSES = /(\d[\d.,\s]{0,8}?)\s?(?!kW|кВт)\p{L}/iu;

function readPower(raw: unknown, { locale }: MarketReading): Pick<VehicleOffer, 'power_kw' | 'power_hp'> {
  const shown = readDetail(raw, 'speedometer') ?? '';
  const read = (pattern: RegExp): number | null => {
    const digits = pattern.exec(shown)?.[1];
    return digits === undefined ? null : parseInteger(digits, locale);
  };
  const car = getPath(raw, 'vehicle');
  return {
    power_kw: toNatural(getPath(car, 'rawPowerInKw')) ?? read(KILOWATTS),
    power_hp: toNatural(getPath(car, 'rawPowerInHp')) ?? read(HORSES),
  };
}

function readRating(raw: unknown, { locale }: MarketReading): number | null {
  const average = toLine(getPath(raw, 'ratings', 'ratingsAverage'));
  const exact = average === null ? null : parseNumber(average, locale);
  const rating = exact ?? toNumber(getPath(raw, 'ratings', 'ratingsStars'));
  return rating === null || rating <= 0 || rating > 5 ? null : rating;
}

/** Checks whether the position in a list is paid for. Offers that rank higher because of their dealer plan do not count. */
function isSponsored(raw: unknown): boolean | null {
  const kind = toLine(getPath(raw, 'searchResultType'));
  if (kind === 'Organic') return false;
  const isMarked = toArray(getPath(raw, 'trackingParameters')).some(
    (one) => getPath(one, 'key') === 'relevance_adjustment' && getPath(one, 'value') === 'sponsored',
  );
  const isBoosted = getPath(raw, 'isListingBoost') === true;
  return isMarked || isBoosted || /sponsor|promot|spotlight|boost/i.test(kind ?? '') ? true : null;
}

function listFeatures(equipment: unknown): readonly string[] | null {
  if (!isJsonObject(equipment)) return null;
  const all = Object.values(equipment).flatMap((group) => toArray(group));
  return [...new Set(all.flatMap((one) => toLine(getPath(one, 'id')) ?? []))];
}

const OFFER_PATH = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\/?$/i;
/** The paths of dealer pages: international, German and Dutch. */
const DEALER_PATH = /^\/(?:dealerinfo|haendler|autobedrijven)(?:\/|$)/i;

/** Describes the kind of a page by its path, for error messages. */
export function describePage(path: string): string {
  const [plain = ''] = path.split(/[?#]/);
  if (OFFER_PATH.test(plain)) return 'an offer';
  if (/^(?:\/[a-z]{2})?\/lst(?:\/|$)/i.test(plain)) return 'a page of results';
  if (DEALER_PATH.test(plain)) return 'the page of a dealer';
  return /^(?:\/[a-z]{2})?\/?$/i.test(plain) ? 'the home page' : 'a page of another kind';
}
