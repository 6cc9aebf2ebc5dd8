import { empty, pageOf, unusable } from '#features/sites/answers.ts';
import type { SourcePage } from '#features/sites/request.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { jsonScript } from '#extract/dom/scripts.ts';
import { at, integer, list, natural } from '#extract/values/raw.ts';
import { readVehicle } from './read-vehicle.ts';
import { toSlug } from './search-input.ts';
import type { VehicleSearchInput } from './search-input.ts';

/** The site shows no more pages than these, however many there are. */
const LAST = 20;

/** Reads a page of results. */
export function readVehicles(source: SourcePage, { make, url }: VehicleSearchInput, page: number) {
  const props = at(jsonScript(parsePage(source.body, source.url), { id: '__NEXT_DATA__' }), 'props', 'pageProps');
  const rows = at(props, 'listings');
  const total = natural(at(props, 'numberOfResults'));
  if (!Array.isArray(rows)) return unusable('a list of vehicles');
  if (rows.length === 0) {
    return total === 0 || page > (integer(at(props, 'numberOfPages')) ?? Infinity) ? empty() : unusable('vehicles');
  }
  const results = list(rows).flatMap((row) => readVehicle(row) ?? []);
  if (results.length === 0) return unusable('vehicles that can be read');
  // An address stands in the place of the filters.
  const isMeant = url === undefined && make !== undefined;
  const isOther = isMeant && results.every((one) => one.make !== null && toSlug(one.make) !== toSlug(make));
  if (isOther) return unusable('vehicles of the make asked for');
  const pages = Math.min(LAST, integer(at(props, 'numberOfPages')) ?? page);
  return pageOf({ results, total_results: total, page }, page < pages ? String(page + 1) : null);
}
