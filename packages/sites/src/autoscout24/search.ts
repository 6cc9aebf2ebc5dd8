import { z } from 'zod';
import { answerEmpty, buildPage, unusable } from '#sites/framework/answers.ts';
import type { SiteRequest, SiteContext, SourcePage } from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { getPath, toInteger, toLine, toArray, toNatural } from '#extract/values/raw.ts';
import { describePage, readMarketPage, readVehicle, VehicleOffer } from './shared.ts';
import { autoScout } from './site.ts';

const listKeys = <T extends string>(table: Readonly<Record<T, unknown>>) =>
  Object.keys(table).filter((key): key is T => Object.hasOwn(table, key));

const COUNTRIES = { DE: 'D', AT: 'A', BE: 'B', ES: 'E', FR: 'F', IT: 'I', LU: 'L', NL: 'NL' } as const;

const Whole = z.int().min(0).max(10_000_000).optional();
const Year = z.int().min(1900).max(2100).optional();

const FUELS = {
  gasoline: 'B',
  diesel: 'D',
  electric: 'E',
  hybrid: '2',
  diesel_hybrid: '3',
  lpg: 'L',
  cng: 'C',
  hydrogen: 'H',
  ethanol: 'M',
  other: 'O',
} as const;
const GEARS = { automatic: 'A', manual: 'M', semi_automatic: 'S' } as const;
const CONDITIONS = { new: 'N', used: 'U' } as const;
const SORTS = {
  standard: ['standard', '0'],
  price_asc: ['price', '0'],
  price_desc: ['price', '1'],
  mileage_asc: ['mileage', '0'],
  mileage_desc: ['mileage', '1'],
  year_asc: ['year', '0'],
  year_desc: ['year', '1'],
  newest: ['age', '1'],
} as const;

const SearchInput = z.object({
  make: z.string().trim().min(1).max(60).optional().describe('Make, such as volkswagen or mercedes-benz'),
  model: z.string().trim().min(1).max(60).optional().describe('Model, such as golf; requires make'),
  search: z.string().trim().min(1).max(100).optional().describe('Words of the version, such as gti; requires make'),
  country: z.enum(listKeys(COUNTRIES)).optional().describe('Country of the offer; by default all'),
  zip: z.string().trim().min(2).max(12).optional().describe('Postal code of the place to search around'),
  radius: z.int().min(1).max(400).optional().describe('Kilometres around zip'),
  price_min: Whole.describe('Minimum price'),
  price_max: Whole.describe('Maximum price'),
  year_min: Year.describe('Earliest year of registration'),
  year_max: Year.describe('Latest year of registration'),
  mileage_max: Whole.describe('Maximum mileage in kilometres'),
  fuel: z.enum(listKeys(FUELS)).optional().describe('Fuel'),
  transmission: z.enum(listKeys(GEARS)).optional().describe('Transmission'),
  condition: z.enum(listKeys(CONDITIONS)).optional().describe('Condition'),
  sort: z.enum(listKeys(SORTS)).default('standard').describe('The order of the offers'),
  page: z.int().min(1).max(20).default(1).describe('Number of the result page'),
  url: z.url().max(4000).optional().describe('Address of a result page, instead of all other parameters but page'),
});

type SearchInput = z.output<typeof SearchInput>;

export const autoScoutSearch = autoScout({
  path: '/search',
  summary: 'Search new and used cars for sale, one page of results per request',
  input: SearchInput,
  record: z.object({
    results: z.array(VehicleOffer).readonly(),
    total_results: z.int().min(0).nullable(),
    page: z.int().min(1).nullable(),
  }),
  anyOf: ['make', 'url', 'country', 'zip'],
  aliases: { search: ['q', 'query', 'keyword', 'keywords'], country: ['geo'] },
  list: 'results',
  expected: ['results.price.amount', 'results.mileage', 'results.first_registration', 'results.images', 'results.fuel'],
  canary: { make: 'volkswagen', model: 'golf' },
  request: (input, site) => buildSearchRequest(input, findPage(input, site.cursor), site),
  parse: (source, input, site) => readVehicles(source, input, findPage(input, site.cursor)),
});

/** Builds the request of one page of results. Throws `invalid_request`. */
function buildSearchRequest(input: SearchInput, page: number, site: Pick<SiteContext, 'locate'>): SiteRequest {
  if (input.url !== undefined) return buildAddressRequest(input.url, page, site);
  const { make, model, search, zip, radius } = input;
  if (make === undefined && (model ?? search) !== undefined)
    refuseParameter('make', 'is required with model and search, which the site looks up within a make');
  if (radius !== undefined && zip === undefined) refuseParameter('zip', 'is required with radius');
  checkRange('price_min', input.price_min, input.price_max);
  checkRange('year_min', input.year_min, input.year_max);
  const [sort, desc] = SORTS[input.sort];
  return {
    origin: 'web',
    path: buildResultsPath(input),
    query: {
      atype: 'C',
      cy: input.country === undefined ? Object.values(COUNTRIES).join(',') : COUNTRIES[input.country],
      desc,
      sort,
      ustate: 'N,U',
      version0: search,
      zip,
      zipr: radius,
      pricefrom: input.price_min,
      priceto: input.price_max,
      fregfrom: input.year_min,
      fregto: input.year_max,
      kmto: input.mileage_max,
      fuel: input.fuel === undefined ? null : FUELS[input.fuel],
      gear: input.transmission === undefined ? null : GEARS[input.transmission],
      offer: input.condition === undefined ? null : CONDITIONS[input.condition],
      page,
    },
  };
}

function buildAddressRequest(url: string, page: number, site: Pick<SiteContext, 'locate'>): SiteRequest {
  const place = site.locate(url);
  if (place === null) refuseParameter('url', 'is not a result page of this site');
  const [pathname = '', query = ''] = place.path.split('?');
  const path = parseResultsPath(pathname);
  if (path === null) refuseParameter('url', `is ${describePage(pathname)} of this site, not a result page`);
  // A filter can occur several times, once for each value.
  const words = new Map([...new URLSearchParams(query).keys()].map((name) => [name, readValues(query, name)]));
  return { origin: place.origin, path, query: { ...Object.fromEntries(words), page } };
}

/** Builds the path of the results for a make and a model. */
function buildResultsPath({ make, model }: Pick<SearchInput, 'make' | 'model'>): string {
  const parts = [make, model].flatMap((part) => (part === undefined ? [] : [toSlug(part)]));
  return ['/lst', ...parts].join('/');
}

/** Parses `/lst/bmw/320` of a page of results, without the language that some countries put first; null for any other page. */
function parseResultsPath(path: string): string | null {
  return /^(?:\/[a-z]{2})?(\/lst(?:\/[^/?]+)*)\/?(?:\?|$)/.exec(path)?.[1] ?? null;
}

function readValues(query: string, name: string): readonly string[] {
  return new URLSearchParams(query).getAll(name);
}

function checkRange(name: string, least: number | undefined, most: number | undefined): void {
  if (least !== undefined && most !== undefined && least > most) refuseParameter(name, 'is above its maximum');
}

/** Converts a name to its form in addresses of the site. */
function toSlug(name: string): string {
  return encodeURIComponent(name.toLowerCase().replaceAll(/[\s_/]+/g, '-'));
}

/** Finds the page of the cursor, else the requested one. */
function findPage({ page }: SearchInput, cursor: string | null): number {
  return cursor !== null && /^\d{1,2}$/.test(cursor) ? Number(cursor) : page;
}

/** The site shows at most this many pages. */
const MAX_PAGE = 20;

/** Reads a page of results. */
function readVehicles(source: SourcePage, input: SearchInput, page: number) {
  const { props, reading } = readMarketPage(source);
  const rows = getPath(props, 'listings');
  const total = toNatural(getPath(props, 'numberOfResults'));
  if (!Array.isArray(rows)) return unusable(describeOtherPage(source, props));
  const other = findOtherSearch(props, input);
  if (other !== null) return unusable(`results of another search: ${other}`);
  if (rows.length === 0) {
    return total === 0 || page > (toInteger(getPath(props, 'numberOfPages')) ?? Infinity)
      ? answerEmpty()
      : unusable('no vehicles');
  }
  const results = toArray(rows).flatMap((row) => readVehicle(row, reading) ?? []);
  if (results.length === 0) return unusable('no readable vehicles');
  if (hasOtherMakes(results, input)) return unusable('no vehicles of the requested make');
  const pages = Math.min(MAX_PAGE, toInteger(getPath(props, 'numberOfPages')) ?? page);
  return buildPage({ results, total_results: total, page }, page < pages ? String(page + 1) : null);
}

/** Describes a page without a list of results. */
function describeOtherPage(source: SourcePage, props: unknown): string {
  if (getPath(props, 'listingDetails') !== undefined) return 'a list of vehicles: the page shows a single one';
  return 'a list of vehicles';
}

/** Finds the path of the shown results if its make or model differs from the requested one; else null. */
function findOtherSearch(props: unknown, input: SearchInput): string | null {
  const shown = parseResultsPath(toLine(getPath(props, 'pagePath')) ?? '');
  const requested = input.url === undefined ? buildResultsPath(input) : parseResultsPath(new URL(input.url).pathname);
  const names = (requested ?? '').toLowerCase().split('/');
  // The query can contain make and model instead, so a shorter path is accepted.
  const isSame = shown
    ?.toLowerCase()
    .split('/')
    .every((name, index) => name === (names[index] ?? name));
  return isSame === false ? shown : null;
}

/** Checks that no result has the requested make. An address replaces the filters, so it is not checked. */
function hasOtherMakes(results: readonly VehicleOffer[], { make, url }: SearchInput): boolean {
  if (url !== undefined || make === undefined) return false;
  return results.every((one) => one.make !== null && toSlug(one.make) !== toSlug(make));
}
