import { z } from 'zod';
import type { SiteRequest, SiteView } from '#sites/framework/request.ts';
import { refuseParameter } from '#sites/framework/site.ts';
import { describeMarketPage } from './page-kinds.ts';

const Whole = z.int().min(0).max(10_000_000).optional();
const Year = z.int().min(1900).max(2100).optional();

const COUNTRIES = { DE: 'D', AT: 'A', BE: 'B', ES: 'E', FR: 'F', IT: 'I', LU: 'L', NL: 'NL' } as const;
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

const keysOf = <T extends string>(table: Readonly<Record<T, unknown>>) =>
  Object.keys(table).filter((key): key is T => Object.hasOwn(table, key));

export const VehicleSearchInput = z.object({
  make: z.string().trim().min(1).max(60).optional().describe('As volkswagen or mercedes-benz'),
  model: z.string().trim().min(1).max(60).optional().describe('As golf; with make'),
  search: z.string().trim().min(1).max(100).optional().describe('Words of the version, as gti; with make'),
  country: z.enum(keysOf(COUNTRIES)).optional().describe('Where it is offered; all of them unless given'),
  zip: z.string().trim().min(2).max(12).optional().describe('Where they are, by its postal code'),
  radius: z.int().min(1).max(400).optional().describe('Kilometres around zip'),
  price_min: Whole.describe('The lowest price'),
  price_max: Whole.describe('The highest price'),
  year_min: Year.describe('The first year of registration'),
  year_max: Year.describe('The last year of registration'),
  mileage_max: Whole.describe('Kilometres'),
  fuel: z.enum(keysOf(FUELS)).optional().describe('What drives them'),
  transmission: z.enum(keysOf(GEARS)).optional().describe('How they shift'),
  condition: z.enum(keysOf(CONDITIONS)).optional().describe('New, used or between'),
  sort: z.enum(keysOf(SORTS)).default('standard').describe('The order of the offers'),
  page: z.int().min(1).max(20).default(1).describe('The page of results'),
  url: z.url().max(4000).optional().describe('A page of results instead of all of these but page'),
});

export type VehicleSearchInput = z.output<typeof VehicleSearchInput>;

/** The request of one page of results. Throws `invalid_request`. */
export function requestVehicles(input: VehicleSearchInput, page: number, site: Pick<SiteView, 'locate'>): SiteRequest {
  if (input.url !== undefined) return requestAddress(input.url, page, site);
  const { make, model, search, zip, radius } = input;
  if (make === undefined && (model ?? search) !== undefined)
    refuseParameter('make', 'is needed with model and search: the site looks for both within a make');
  if (radius !== undefined && zip === undefined) refuseParameter('zip', 'is needed with radius');
  refuseTurned('price_min', input.price_min, input.price_max);
  refuseTurned('year_min', input.year_min, input.year_max);
  const [sort, desc] = SORTS[input.sort];
  return {
    origin: 'web',
    path: resultsPathFor(input),
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

function requestAddress(url: string, page: number, site: Pick<SiteView, 'locate'>): SiteRequest {
  const place = site.locate(url);
  if (place === null) refuseParameter('url', 'is no page of results of this site');
  const [given = '', query = ''] = place.path.split('?');
  const path = resultsPathIn(given);
  if (path === null) refuseParameter('url', `is ${describeMarketPage(given)} of this site, and no page of results`);
  // A filter may be there several times, once for each of its values.
  const words = new Map([...new URLSearchParams(query).keys()].map((name) => [name, valuesOf(query, name)]));
  return { origin: place.origin, path, query: { ...Object.fromEntries(words), page } };
}

/** The path of the results for a make and a model. */
export function resultsPathFor({ make, model }: Pick<VehicleSearchInput, 'make' | 'model'>): string {
  const parts = [make, model].flatMap((part) => (part === undefined ? [] : [toSlug(part)]));
  return ['/lst', ...parts].join('/');
}

/** `/lst/bmw/320` of the path of a page of results, in which countries of several languages name one; null for another page. */
export function resultsPathIn(path: string): string | null {
  return /^(?:\/[a-z]{2})?(\/lst(?:\/[^/?]+)*)\/?(?:\?|$)/.exec(path)?.[1] ?? null;
}

function valuesOf(query: string, name: string): readonly string[] {
  return new URLSearchParams(query).getAll(name);
}

function refuseTurned(name: string, least: number | undefined, most: number | undefined): void {
  if (least !== undefined && most !== undefined && least > most) refuseParameter(name, 'is above its maximum');
}

/** A name as the site's addresses have it. */
export function toSlug(name: string): string {
  return encodeURIComponent(name.toLowerCase().replaceAll(/[\s_/]+/g, '-'));
}
