import { isJsonObject } from '#kernel/json.ts';
import { readRich } from '#extract/dom/elements.ts';
import { readMoney } from '#extract/values/money.ts';
import { readInteger } from '#extract/values/numbers.ts';
import { at, decimal, integer, line, list, mediaUrl, moment, natural, text, url } from '#extract/values/raw.ts';
import { MARKET_HOME } from './site.ts';
import type { VehicleOffer } from './vehicle-record.ts';

const LOCALE = 'en';
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
export function readVehicle(raw: unknown): VehicleOffer | null {
  const id = line(at(raw, 'id'));
  const car = at(raw, 'vehicle');
  const [make, model] = [line(at(car, 'make')), line(at(car, 'model'))];
  const version = line(at(car, 'modelVersionInput'));
  const title = [make, model, version].filter((part) => part !== null).join(' ');
  if (id === null || title === '') return null;
  const registered = registrationOf(raw);
  const dealer = line(at(raw, 'seller', 'type'))?.toLowerCase() ?? null;
  const description = text(at(raw, 'description'));
  const rich = description === null ? null : readRich(description, MARKET_HOME);
  const tier = line(at(raw, 'searchResultType'));
  return {
    id,
    url: url(at(raw, 'webPage') ?? at(raw, 'url'), MARKET_HOME) ?? `${MARKET_HOME}/offers/${id}`,
    title,
    make,
    model,
    variant: line(at(car, 'variant')) ?? version,
    year: registered === null ? integer(at(car, 'productionYear')) : Number(registered.slice(0, 4)),
    first_registration: registered,
    mileage: mileageOf(raw),
    price: priceOf(raw),
    condition: CONDITIONS[line(at(car, 'offerType')) ?? ''] ?? null,
    body: line(at(car, 'bodyType')),
    fuel: line(at(car, 'fuelCategory', 'formatted') ?? at(car, 'fuel')),
    transmission: line(at(car, 'transmissionType') ?? at(car, 'transmission')),
    ...powerOf(raw),
    doors: natural(at(car, 'numberOfDoors')),
    seats: natural(at(car, 'numberOfSeats')),
    color: line(at(car, 'bodyColor')),
    vin: line(at(car, 'vin') ?? at(raw, 'identifier', 'vin')),
    images: list(at(raw, 'images')).flatMap((one) => mediaUrl(one, MARKET_HOME) ?? []),
    seller: {
      type: dealer === null ? null : dealer.startsWith('dealer') ? 'dealer' : 'private',
      name: dealer?.startsWith('dealer') === true ? line(at(raw, 'seller', 'companyName')) : null,
      rating: ratingOf(raw),
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
    is_sponsored: tier === 'Organic' ? false : /sponsor|promot|spotlight|boost/i.test(tier ?? '') ? true : null,
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
function detailOf(raw: unknown, icon: string): string | null {
  return line(
    at(
      list(at(raw, 'vehicleDetails')).find((one) => line(at(one, 'iconName')) === icon),
      'data',
    ),
  );
}

function mileageOf(raw: unknown): VehicleOffer['mileage'] {
  const shown = line(at(raw, 'vehicle', 'mileageInKm')) ?? detailOf(raw, 'mileage_road');
  const value = integer(at(raw, 'vehicle', 'mileageInKmRaw')) ?? (shown === null ? null : readInteger(shown, LOCALE));
  return value === null || value < 0 ? null : { value, unit: shown?.endsWith('mi') === true ? 'mi' : 'km' };
}

function priceOf(raw: unknown): VehicleOffer['price'] {
  const shown = line(at(raw, 'price', 'priceFormatted') ?? at(raw, 'prices', 'public', 'price'));
  const read = shown === null ? null : readMoney(shown, { locale: LOCALE, currency: null });
  const exact = decimal(at(raw, 'prices', 'public', 'priceRaw'));
  return { amount: exact ?? read?.amount ?? null, currency: read?.currency ?? null, text: shown };
}

function powerOf(raw: unknown): Pick<VehicleOffer, 'power_kw' | 'power_hp'> {
  const shown = detailOf(raw, 'speedometer') ?? '';
  const read = (unit: string): number | null => integer(new RegExp(`([\\d,]{1,9}) ?${unit}`, 'i').exec(shown)?.[1]);
  const car = at(raw, 'vehicle');
  return {
    power_kw: natural(at(car, 'rawPowerInKw')) ?? read('kW'),
    power_hp: natural(at(car, 'rawPowerInHp')) ?? read('hp'),
  };
}

function ratingOf(raw: unknown): number | null {
  const given = line(at(raw, 'ratings', 'ratingsAverage'))?.replace(',', '.') ?? at(raw, 'ratings', 'ratingsStars');
  const rating = decimal(given);
  return rating === null || rating <= 0 || rating > 5 ? null : rating;
}

function featuresOf(equipment: unknown): readonly string[] | null {
  if (!isJsonObject(equipment)) return null;
  const all = Object.values(equipment).flatMap((group) => list(group));
  return [...new Set(all.flatMap((one) => line(at(one, 'id')) ?? []))];
}
