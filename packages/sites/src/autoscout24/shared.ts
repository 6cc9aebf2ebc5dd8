import { z } from 'zod';
import type { SourcePage } from '#sites/framework/request.ts';
import { canonicalOf } from '#extract/dom/described.ts';
import { attributeAt, readRich } from '#extract/dom/elements.ts';
import { type ParsedPage, parsePage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { readMoney } from '#extract/values/money.ts';
import { readInteger, readNumber } from '#extract/values/numbers.ts';
import { at, decimal, integer, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
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
  const props = at(jsonScript(page, { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const culture = line(at(props, 'cultureInfo', 'isoCulture')) ?? line(at(props, 'isoCulture'));
  const domain = line(at(props, 'marketplace', 'etldPlusOne'));
  const hosts = [`www.${domain ?? ''}`, parseHost(canonicalOf(page)), parseHost(source.url)];
  const host = hosts.find((one) => one !== null && HOSTS.includes(one));
  return {
    page,
    props,
    reading: {
      locale: culture ?? attributeAt(page, 'html', 'lang') ?? 'en',
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
  const id = line(at(raw, 'id'));
  const car = at(raw, 'vehicle');
  const [make, model] = [line(at(car, 'make')), line(at(car, 'model'))];
  const version = line(at(car, 'modelVersionInput'));
  const title = [make, model, version].filter((part) => part !== null).join(' ');
  if (id === null || title === '') return null;
  const registered = readRegistration(raw);
  const dealer = line(at(raw, 'seller', 'type'))?.toLowerCase() ?? null;
  const description = text(at(raw, 'description'));
  const rich = description === null ? null : readRich(description, home);
  return {
    id,
    url: url(at(raw, 'webPage') ?? at(raw, 'url'), home) ?? `${HOME}/offers/${id}`,
    title,
    make,
    model,
    variant: line(at(car, 'variant')) ?? version,
    year: registered === null ? integer(at(car, 'productionYear')) : Number(registered.slice(0, 4)),
    first_registration: registered,
    mileage: readMileage(raw, reading),
    price: readPrice(raw, reading),
    condition: CONDITIONS[line(at(car, 'offerType')) ?? ''] ?? null,
    body: line(at(car, 'bodyType')),
    fuel: line(at(car, 'fuelCategory', 'formatted') ?? at(car, 'fuel')),
    transmission: line(at(car, 'transmissionType') ?? at(car, 'transmission')),
    ...readPower(raw, reading),
    doors: natural(at(car, 'numberOfDoors')),
    seats: natural(at(car, 'numberOfSeats')),
    color: line(at(car, 'bodyColor') ?? at(car, 'bodyColorOriginal')),
    vin: line(at(car, 'vin') ?? at(raw, 'identifier', 'vin')),
    images: list(at(raw, 'images')).flatMap((one) => mediaUrl(one, home) ?? []),
    seller: {
      type: dealer === null ? null : dealer.startsWith('dealer') ? 'dealer' : 'private',
      name: dealer?.startsWith('dealer') === true ? line(at(raw, 'seller', 'companyName')) : null,
      rating: readRating(raw, reading),
      location: line(at(raw, 'location', 'city')),
    },
    location: {
      zip: line(at(raw, 'location', 'zip')),
      city: line(at(raw, 'location', 'city')),
      country: line(at(raw, 'location', 'countryCode')),
      latitude: decimal(at(raw, 'location', 'latitude')),
      longitude: decimal(at(raw, 'location', 'longitude')),
    },
    features: listFeatures(at(car, 'equipment')),
    description_html: rich?.html ?? null,
    description_text: rich?.text ?? null,
    listed_at: moment(at(raw, 'createdTimestampWithOffset')),
    is_sponsored: isSponsored(raw),
  };
}

/** Reads `2022-10-01`, `05/2012` or `05-2012` as a month. */
function readRegistration(raw: unknown): string | null {
  const given =
    line(at(raw, 'vehicle', 'firstRegistrationDateRaw')) ??
    line(at(raw, 'vehicle', 'firstRegistrationDate')) ??
    line(at(raw, 'tracking', 'firstRegistration')) ??
    readDetail(raw, 'calendar');
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(given ?? '') ?? [];
  if (year !== undefined) return `${year}-${month}`;
  const [, first, last] = /^(\d\d)[-/](\d{4})$/.exec(given ?? '') ?? [];
  return last === undefined ? null : `${last}-${first}`;
}

/** Reads a detail line of a result, identified by its icon. */
function readDetail(raw: unknown, ...icons: readonly string[]): string | null {
  const found = list(at(raw, 'vehicleDetails')).find((one) => icons.includes(line(at(one, 'iconName')) ?? ''));
  return line(at(found, 'data'));
}

/** Reads the exact mileage, else the formatted one. */
function readMileage(raw: unknown, { locale }: MarketReading): VehicleOffer['mileage'] {
  const shown = line(at(raw, 'vehicle', 'mileageInKm')) ?? readDetail(raw, 'mileage_odometer', 'mileage_road');
  const exact = natural(at(raw, 'vehicle', 'mileageInKmRaw')) ?? natural(at(raw, 'tracking', 'mileage'));
  const value = exact ?? (shown === null ? null : readInteger(shown, locale));
  return value === null || value < 0 ? null : { value, unit: shown?.endsWith('mi') === true ? 'mi' : 'km' };
}

function readPrice(raw: unknown, { locale }: MarketReading): VehicleOffer['price'] {
  const shown = line(at(raw, 'price', 'priceFormatted') ?? at(raw, 'prices', 'public', 'price'));
  const read = shown === null ? null : readMoney(shown, { locale, currency: null });
  const exact = decimal(at(raw, 'prices', 'public', 'priceRaw')) ?? decimal(at(raw, 'price', 'priceRaw'));
  return { amount: exact ?? read?.amount ?? null, currency: read?.currency ?? null, text: shown };
}

/** `140 kW (190 PS)`. The unit of horsepower differs by language. */
const KILOWATTS = /(\d[\d.,\s]{0,8}?)\s?(?:kW|кВт)/iu;
const HORSES = /(\d[\d.,\s]{0,8}?)\s?(?!kW|кВт)\p{L}/iu;

function readPower(raw: unknown, { locale }: MarketReading): Pick<VehicleOffer, 'power_kw' | 'power_hp'> {
  const shown = readDetail(raw, 'speedometer') ?? '';
  const read = (pattern: RegExp): number | null => {
    const digits = pattern.exec(shown)?.[1];
    return digits === undefined ? null : readInteger(digits, locale);
  };
  const car = at(raw, 'vehicle');
  return {
    power_kw: natural(at(car, 'rawPowerInKw')) ?? read(KILOWATTS),
    power_hp: natural(at(car, 'rawPowerInHp')) ?? read(HORSES),
  };
}

function readRating(raw: unknown, { locale }: MarketReading): number | null {
  const average = line(at(raw, 'ratings', 'ratingsAverage'));
  const exact = average === null ? null : readNumber(average, locale);
  const rating = exact ?? decimal(at(raw, 'ratings', 'ratingsStars'));
  return rating === null || rating <= 0 || rating > 5 ? null : rating;
}

/** Checks whether the position in a list is paid for. Offers that rank higher because of their dealer plan do not count. */
function isSponsored(raw: unknown): boolean | null {
  const kind = line(at(raw, 'searchResultType'));
  if (kind === 'Organic') return false;
  const isMarked = list(at(raw, 'trackingParameters')).some(
    (one) => at(one, 'key') === 'relevance_adjustment' && at(one, 'value') === 'sponsored',
  );
  const isBoosted = at(raw, 'isListingBoost') === true;
  return isMarked || isBoosted || /sponsor|promot|spotlight|boost/i.test(kind ?? '') ? true : null;
}

function listFeatures(equipment: unknown): readonly string[] | null {
  if (!isJsonObject(equipment)) return null;
  const all = Object.values(equipment).flatMap((group) => list(group));
  return [...new Set(all.flatMap((one) => line(at(one, 'id')) ?? []))];
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
