import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import type { SourcePage } from '#sites/framework/request.ts';
import { at, integer, line, list, natural } from '#extract/values/raw.ts';
import { readMarketPage } from './market-page.ts';
import { readVehicle } from './read-vehicle.ts';
import { resultsPathFor, resultsPathIn, toSlug } from './search-input.ts';
import type { VehicleSearchInput } from './search-input.ts';
import type { VehicleOffer } from './vehicle-record.ts';

/** The site shows no more pages than these, however many there are. */
const LAST = 20;

/** Reads a page of results. */
export function readVehicles(source: SourcePage, input: VehicleSearchInput, page: number) {
  const { props, reading } = readMarketPage(source);
  const rows = at(props, 'listings');
  const total = natural(at(props, 'numberOfResults'));
  if (!Array.isArray(rows)) return unusable(tellOtherKind(source, props));
  const other = findOtherSearch(props, input);
  if (other !== null) return unusable(`the results of another search: ${other}`);
  if (rows.length === 0) {
    return total === 0 || page > (integer(at(props, 'numberOfPages')) ?? Infinity) ? empty() : unusable('vehicles');
  }
  const results = list(rows).flatMap((row) => readVehicle(row, reading) ?? []);
  if (results.length === 0) return unusable('vehicles that can be read');
  if (isOfOtherMakes(results, input)) return unusable('vehicles of the make asked for');
  const pages = Math.min(LAST, integer(at(props, 'numberOfPages')) ?? page);
  return pageOf({ results, total_results: total, page }, page < pages ? String(page + 1) : null);
}

/** What a page without results is. */
function tellOtherKind(source: SourcePage, props: unknown): string {
  if (at(props, 'listingDetails') !== undefined) return 'a list of vehicles: the page shows a single one';
  return 'a list of vehicles';
}

/** The path of the results that a page says it shows, where it names another make or model than asked for; else null. */
function findOtherSearch(props: unknown, input: VehicleSearchInput): string | null {
  const shown = resultsPathIn(line(at(props, 'pagePath')) ?? '');
  const asked = input.url === undefined ? resultsPathFor(input) : resultsPathIn(new URL(input.url).pathname);
  const names = (asked ?? '').toLowerCase().split('/');
  // Filters of the query may name them instead, so a shorter path is no other one.
  const isSame = shown
    ?.toLowerCase()
    .split('/')
    .every((name, index) => name === (names[index] ?? name));
  return isSame === false ? shown : null;
}

/** An address stands in the place of the filters. */
function isOfOtherMakes(results: readonly VehicleOffer[], { make, url }: VehicleSearchInput): boolean {
  if (url !== undefined || make === undefined) return false;
  return results.every((one) => one.make !== null && toSlug(one.make) !== toSlug(make));
}
