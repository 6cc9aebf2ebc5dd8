import { isJsonObject } from '#extract/values/json-object.ts';
import { readRich } from '#extract/dom/elements.ts';
import { readMoney } from '#extract/values/money.ts';
import { readInteger, readNumber } from '#extract/values/numbers.ts';
import { at, decimal, integer, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
import type { MarketReading } from './market-page.ts';
import { MARKET_HOME } from './site.ts';
import type { VehicleOffer } from './vehicle-record.ts';

const CONDITIONS: Readonly<Record<string, VehicleOffer['condition']>> = {
  N: 'new',
  U: 'used',
  D: 'demonstration',
  S: 'pre_registered',
  J: 'employee',
  O: 'classic',
  A: 'antique',
};

/** A vehicle as the data of a page have it, of a result as of its own page; null without an id and a name. */
export function readVehicle(raw: unknown, reading: MarketReading): VehicleOffer | null {
  const { home } = reading;
  const id = line(at(raw, 'id'));
  const car = at(raw, 'vehicle');
  const [make, model] = [line(at(car, 'make')), line(at(car, 'model'))];
  const version = line(at(car, 'modelVersionInput'));
  const title = [make, model, version].filter((part) => part !== null).join(' ');
  if (id === null || title === '') return null;
  const registered = registrationOf(raw);
  const dealer = line(at(raw, 'seller', 'type'))?.toLowerCase() ?? null;
  const description = text(at(raw, 'description'));
  const rich = description === null ? null : readRich(description, home);
  return {
    id,
    url: url(at(raw, 'webPage') ?? at(raw, 'url'), home) ?? `${MARKET_HOME}/offers/${id}`,
    title,
    make,
    model,
    variant: line(at(car, 'variant')) ?? version,
    year: registered === null ? integer(at(car, 'productionYear')) : Number(registered.slice(0, 4)),
    first_registration: registered,
    mileage: mileageOf(raw, reading),
    price: priceOf(raw, reading),
    condition: CONDITIONS[line(at(car, 'offerType')) ?? ''] ?? null,
    body: line(at(car, 'bodyType')),
    fuel: line(at(car, 'fuelCategory', 'formatted') ?? at(car, 'fuel')),
    transmission: line(at(car, 'transmissionType') ?? at(car, 'transmission')),
    ...powerOf(raw, reading),
    doors: natural(at(car, 'numberOfDoors')),
    seats: natural(at(car, 'numberOfSeats')),
    color: line(at(car, 'bodyColor') ?? at(car, 'bodyColorOriginal')),
    vin: line(at(car, 'vin') ?? at(raw, 'identifier', 'vin')),
    images: list(at(raw, 'images')).flatMap((one) => mediaUrl(one, home) ?? []),
    seller: {
      type: dealer === null ? null : dealer.startsWith('dealer') ? 'dealer' : 'private',
      name: dealer?.startsWith('dealer') === true ? line(at(raw, 'seller', 'companyName')) : null,
      rating: ratingOf(raw, reading),
      location: line(at(raw, 'location', 'city')),
    },
    location: {
      zip: line(at(raw, 'location', 'zip')),
      city: line(at(raw, 'location', 'city')),
      country: line(at(raw, 'location', 'countryCode')),
      latitude: decimal(at(raw, 'location', 'latitude')),
      longitude: decimal(at(raw, 'location', 'longitude')),
    },
    features: featuresOf(at(car, 'equipment')),
    description_html: rich?.html ?? null,
    description_text: rich?.text ?? null,
    listed_at: moment(at(raw, 'createdTimestampWithOffset')),
    is_sponsored: isSponsored(raw),
  };
}

/** `2022-10-01`, `05/2012` or `05-2012` as a month. */
function registrationOf(raw: unknown): string | null {
  const given =
    line(at(raw, 'vehicle', 'firstRegistrationDateRaw')) ??
    line(at(raw, 'vehicle', 'firstRegistrationDate')) ??
    line(at(raw, 'tracking', 'firstRegistration')) ??
    detailOf(raw, 'calendar');
  const [, year, month] = /^(\d{4})-(\d\d)/.exec(given ?? '') ?? [];
  if (year !== undefined) return `${year}-${month}`;
  const [, first, last] = /^(\d\d)[-/](\d{4})$/.exec(given ?? '') ?? [];
  return last === undefined ? null : `${last}-${first}`;
}

/** A line of those that a result shows, known by its picture. */
function detailOf(raw: unknown, ...icons: readonly string[]): string | null {
  const found = list(at(raw, 'vehicleDetails')).find((one) => icons.includes(line(at(one, 'iconName')) ?? ''));
  return line(at(found, 'data'));
}

/** The exact number, else the one that is shown. */
function mileageOf(raw: unknown, { locale }: MarketReading): VehicleOffer['mileage'] {
  const shown = line(at(raw, 'vehicle', 'mileageInKm')) ?? detailOf(raw, 'mileage_odometer', 'mileage_road');
  const exact = natural(at(raw, 'vehicle', 'mileageInKmRaw')) ?? natural(at(raw, 'tracking', 'mileage'));
  const value = exact ?? (shown === null ? null : readInteger(shown, locale));
  return value === null || value < 0 ? null : { value, unit: shown?.endsWith('mi') === true ? 'mi' : 'km' };
}

function priceOf(raw: unknown, { locale }: MarketReading): VehicleOffer['price'] {
  const shown = line(at(raw, 'price', 'priceFormatted') ?? at(raw, 'prices', 'public', 'price'));
  const read = shown === null ? null : readMoney(shown, { locale, currency: null });
  const exact = decimal(at(raw, 'prices', 'public', 'priceRaw')) ?? decimal(at(raw, 'price', 'priceRaw'));
  return { amount: exact ?? read?.amount ?? null, currency: read?.currency ?? null, text: shown };
}

/** `140 kW (190 PS)`: the unit of horses has a name of its own in each language. */
const KILOWATTS = /(\d[\d.,\s]{0,8}?)\s?(?:kW|кВт)/iu;
const HORSES = /(\d[\d.,\s]{0,8}?)\s?(?!kW|кВт)\p{L}/iu;

function powerOf(raw: unknown, { locale }: MarketReading): Pick<VehicleOffer, 'power_kw' | 'power_hp'> {
  const shown = detailOf(raw, 'speedometer') ?? '';
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

function ratingOf(raw: unknown, { locale }: MarketReading): number | null {
  const average = line(at(raw, 'ratings', 'ratingsAverage'));
  const exact = average === null ? null : readNumber(average, locale);
  const rating = exact ?? decimal(at(raw, 'ratings', 'ratingsStars'));
  return rating === null || rating <= 0 || rating > 5 ? null : rating;
}

/** Whether somebody pays for its place in a list; the offers that only stand higher for the plan of their dealer do not. */
function isSponsored(raw: unknown): boolean | null {
  const kind = line(at(raw, 'searchResultType'));
  if (kind === 'Organic') return false;
  const isMarked = list(at(raw, 'trackingParameters')).some(
    (one) => at(one, 'key') === 'relevance_adjustment' && at(one, 'value') === 'sponsored',
  );
  const isBoosted = at(raw, 'isListingBoost') === true;
  return isMarked || isBoosted || /sponsor|promot|spotlight|boost/i.test(kind ?? '') ? true : null;
}

function featuresOf(equipment: unknown): readonly string[] | null {
  if (!isJsonObject(equipment)) return null;
  const all = Object.values(equipment).flatMap((group) => list(group));
  return [...new Set(all.flatMap((one) => line(at(one, 'id')) ?? []))];
}
