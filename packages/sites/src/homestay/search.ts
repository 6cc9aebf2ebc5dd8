import { z } from 'zod';
import { empty, pageOf, unusable } from '#sites/framework/answers.ts';
import { at, line, list } from '#extract/values/raw.ts';
import { readLocale, pageOfStay, statesOf } from './page-state.ts';
import { readFoundStay } from './read-results.ts';
import { homestay } from './site.ts';
import { requestStays, StaySearchInput } from './stay-input.ts';
import { FoundStay } from './stay-record.ts';

/** The token after that of this page: the site gives them all. */
function nextOf(info: unknown, cursor: string | null): string | null {
  const tokens = list(at(info, 'pageCursors')).flatMap((token) => line(token) ?? []);
  const here = cursor === null ? 0 : tokens.indexOf(cursor);
  const named = line(at(info, 'nextPageCursor'));
  return named ?? (here === -1 ? null : (tokens[here + 1] ?? null));
}

export const staySearch = homestay({
  path: '/search',
  summary: 'Homes that are let around a place, one page of results a request',
  input: StaySearchInput,
  record: z.object({ listings: z.array(FoundStay).readonly() }),
  aliases: { location: ['search', 'query', 'q'], check_in: ['checkin'], check_out: ['checkout'], locale: ['language'] },
  list: 'listings',
  expected: ['listings.name', 'listings.price.text', 'listings.images', 'listings.latitude'],
  canary: { location: 'Lisbon, Portugal' },
  request: (input, site) => requestStays(input, site.cursor),
  parse(source, { locale, currency }, site) {
    const page = pageOfStay(source);
    const [state] = statesOf(page, 'StaysSearch');
    const results = at(state?.value, 'data', 'presentation', 'staysSearch', 'results');
    const rows = at(results, 'searchResults');
    if (!Array.isArray(rows)) return unusable('the results of a search');
    const reading = { locale: readLocale(page, locale), currency: currency.toUpperCase() };
    const found = list(rows).flatMap((row) => readFoundStay(row, reading) ?? []);
    const listings = [...new Map(found.map((one) => [one.id, one])).values()];
    const info = at(results, 'paginationInfo');
    if (listings.length > 0) return pageOf({ listings }, nextOf(info, site.cursor));
    return rows.length === 0 && Array.isArray(at(info, 'pageCursors')) ? empty() : unusable('homes that can be read');
  },
});
