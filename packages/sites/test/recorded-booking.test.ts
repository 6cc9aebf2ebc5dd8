import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { agodaRate } from '#sites/agoda/rate.ts';
import { bookingRate } from '#sites/booking/rate.ts';
import { readSource } from '#sites/read-source.ts';
import { assertFields, buildReadRequest, assertRecord } from '#testkit/sites/recorded-pages.ts';

const FILE = join(process.env['QUERN_CORPUS'] ?? '', 'sites/hotel-b/search/scrapfly-search-results.json');
const skip = process.env['QUERN_CORPUS'] === undefined || !existsSync(FILE);
const STAY = { check_in: '2027-03-01', check_out: '2027-03-03' };

/** Builds the page of a search from recorded results. */
function buildSearchPage(results: readonly unknown[]): string {
  const store = { ROOT_QUERY: { searchQueries: { 'search({})': { results } } } };
  const data = JSON.stringify(store).replaceAll('<', String.raw`\u003c`);
  return `<!doctype html><html><script type="application/json" data-capla-store-data="apollo">${data}</script></html>`;
}

function readRate(property: string, body: string): unknown {
  const input = { property_id: property, ...STAY };
  return assertRecord(readSource(buildReadRequest(bookingRate, { input, body, source: 'search' })))['rate'];
}

test('parses all fields of a recorded search result', { skip }, () => {
  const body = buildSearchPage(toArray(JSON.parse(readFileSync(FILE, 'utf8'))));
  const rate = readRate('mt/central-suites', body);
  assertFields(rate, {
    property_id: 'mt/central-suites',
    hotel_name: 'Central Suites',
    available: true,
    price: 339.86,
    price_per_night: 169.93,
    currency: 'USD',
    price_basis: 'total_excl_taxes',
    taxes_and_fees: 4.03,
    original_price: 373.78,
    room_name: 'Comfort One-Bedroom Apartment',
    room_id: '173797201',
    board: null,
    cancellation: null,
    max_occupancy: 2,
    rooms_left: 1,
  });
});

test('finds each recorded result only by its own name, with price, currency and room', { skip }, () => {
  const results = toArray(JSON.parse(readFileSync(FILE, 'utf8')));
  assert.equal(results.length, 50);
  let rooms = 0;
  for (const [index, raw] of results.entries()) {
    const body = buildSearchPage([results[index - 1] ?? results[1], raw]);
    const segment = toLine(getPath(raw, 'basicPropertyData', 'pageName')) ?? '';
    const rate = readRate(`mt/${segment}`, body);
    assert.equal(getPath(rate, 'hotel_name'), getPath(raw, 'displayName', 'text'));
    const cents = Number(getPath(raw, 'blocks', 0, 'finalPrice', 'amount')) * 100;
    assert.ok(Math.abs(Number(getPath(rate, 'price')) * 100 - cents) < 1, segment);
    assert.equal(getPath(rate, 'currency'), 'USD');
    assert.equal(getPath(rate, 'board') === 'breakfast', getPath(raw, 'mealPlanIncluded') !== undefined);
    rooms += toLine(getPath(rate, 'room_name')) === null ? 0 : 1;
  }
  assert.ok(rooms >= 48, `${rooms} of 50 rooms have a name`);
  const body = buildSearchPage(results);
  const other = buildReadRequest(bookingRate, {
    input: { property_id: 'mt/central', ...STAY },
    body,
    source: 'search',
  });
  assert.equal(readSource(other).kind, 'unusable');
});

function readInn(body: string): ReturnType<typeof readSource> {
  return readSource(buildReadRequest(bookingRate, { input: { property_id: 'gb/harrow-mill-inn', ...STAY }, body }));
}

test('rejects a truncated page of a property, even if its table has offers', () => {
  const head = `<html lang="en-us"><head><link rel="canonical" href="https://www.booking.com/hotel/gb/harrow-mill-inn.html">`;
  const row = `<tr data-block-id="1_1"><td><a class="hprt-roomtype-icon-link">Double</a></td>
    <td class="hprt-occupancy-occupancy-info">Max. people: 2</td><td class="bui-price-display__value">£1,180</td></tr>`;
  const part = `${head}</head><body><h2 class="pp-header__title">Harrow Mill Inn</h2><table id="hprt-table">${row}`;
  assert.deepEqual(readInn(part), { kind: 'unusable', reason: 'the page is cut short', isRefusal: false });
  assert.equal(getPath(assertRecord(readInn(`${part}</table></body></html>`)), 'rate', 'price'), 1180);
});

test('rejects addresses of hotel sites that are not properties', () => {
  const others = [
    'https://www.booking.com/searchresults.html?ss=x',
    'https://www.booking.com/city/gb/london.html',
    'https://www.booking.com/',
  ];
  for (const property_id of others)
    assert.throws(
      () => buildReadRequest(bookingRate, { input: { property_id, ...STAY }, body: '' }),
      /property_id: is not the path/,
    );
  for (const path of ['city/london-gb.html', 'search?city=1', '', 'the-mill/reviews/london-gb.html'])
    assert.throws(
      () => buildReadRequest(agodaRate, { input: { url: `https://www.agoda.com/${path}`, ...STAY }, body: '' }),
      /url: is not the page of a property/,
    );
});
