import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { SiteEndpoint } from '#sites/framework/endpoint.ts';
import { hasValueAt } from '#sites/framework/answers.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { readSource } from '#sites/read-source.ts';
import { autoScoutSearch } from '#sites/autoscout24/search.ts';
import { autoScoutVehicle } from '#sites/autoscout24/vehicle.ts';
import {
  assertFields,
  buildReadRequest,
  readTruncated,
  readInstead,
  assertRecord,
  findReading,
} from '#testkit/sites/recorded-pages.ts';
import { listReadings } from '#testkit/sites/readings.ts';

const FOLDER = join(process.env['QUERN_CORPUS'] ?? '', 'sites/vehicle-market');
const skip = process.env['QUERN_CORPUS'] === undefined || !existsSync(FOLDER);

const GERMAN_SEARCH = 'search-de-2026-07.html';
const GERMAN_OFFER = 'listing-de-2026-07.html';
const DUTCH_OFFER = 'detail-nl-2026-03.json';
const WALL = '<html><head><title>Access Denied</title></head><body>Reference #18.1</body></html>';
const ERROR_PAGE = '<!doctype html><html><head><title>Error</title></head><body>Something went wrong.</body></html>';

/** Loads recordings that have only the data of a page, and builds the page around them. */
function buildPage(props: object): string {
  return `<!doctype html><html lang="en-GB"><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
    props: { pageProps: props },
  }).replaceAll('<', String.raw`\u003c`)}</script></html>`;
}

function loadExcerpt(path: string): readonly unknown[] {
  return toArray(JSON.parse(readFileSync(join(FOLDER, path), 'utf8')));
}

test('parses all fields of the recorded German results', { skip }, () => {
  const { verdict } = findReading(autoScoutSearch.id, GERMAN_SEARCH);
  const record = assertRecord(verdict);
  assert.equal(record['total_results'], 2093);
  assert.equal(record['page'], 1);
  assert.equal(verdict.kind === 'record' ? verdict.next : null, '2');
  const results = toArray(record['results']);
  assert.equal(results.length, 20);
  assert.equal(toArray(getPath(results[0], 'images')).length, 18);
  assertFields(results[0], {
    id: '37d4ccc4-6999-48ef-a92a-2c37232f177d',
    url: 'https://www.autoscout24.de/angebote/bmw-320-d-xdrive-mild-hybrid-aut-diesel-cat_ma13mo1641-37d4ccc4-6999-48ef-a92a-2c37232f177d',
    title: 'BMW 320 d xDrive Mild-Hybrid Aut.',
    make: 'BMW',
    model: '320',
    variant: 'Limousine',
    year: 2024,
    first_registration: '2024-05',
    mileage: { value: 74_983, unit: 'km' },
    price: { amount: 20_000, currency: 'EUR', text: '€ 20.000' },
    condition: 'used',
    fuel: 'Diesel',
    transmission: 'Automatik',
    power_kw: 140,
    power_hp: 190,
    seller: { type: 'dealer', name: 'Auto-Kreher GmbH', rating: 5, location: 'Olbernhau' },
    location: { zip: '09526', city: 'Olbernhau', country: 'DE', latitude: null, longitude: null },
    is_sponsored: true,
  });
  // Round thousands look like decimals in other languages.
  assert.deepEqual(getPath(results[7], 'mileage'), { value: 50_000, unit: 'km' });
  assert.deepEqual(
    results.map((one) => getPath(one, 'power_hp')),
    [190, 190, 113, 190, 190, 258, 190, 190, 204, 190, 204, 190, 184, 190, 204, 190, 190, 190, 184, 190],
  );
  assert.deepEqual(
    results.filter((one) => getPath(one, 'is_sponsored') === true),
    results.slice(0, 1),
  );
  assert.ok(results.every((one) => toLine(getPath(one, 'url'))?.startsWith('https://www.autoscout24.de/angebote/')));
});

test('parses all fields of the recorded German offer', { skip }, () => {
  const record = assertRecord(findReading(autoScoutVehicle.id, GERMAN_OFFER).verdict);
  assert.equal(toArray(getPath(record['vehicle'], 'images')).length, 18);
  assertFields(record['vehicle'], {
    id: '37d4ccc4-6999-48ef-a92a-2c37232f177d',
    title: 'BMW 320 d xDrive Mild-Hybrid Aut.',
    first_registration: '2024-05',
    mileage: { value: 74_983, unit: 'km' },
    price: { amount: 20_000, currency: 'EUR', text: '€ 20.000' },
    body: 'Limousine',
    fuel: 'Diesel',
    power_kw: 140,
    power_hp: 190,
    doors: 4,
    seats: 5,
    seller: { type: 'dealer', name: 'Auto-Kreher GmbH', rating: 5, location: 'Olbernhau' },
    location: { zip: '09526', city: 'Olbernhau', country: 'DE', latitude: 50.64888, longitude: 13.37979 },
    listed_at: '2026-07-04T16:16:08.301Z',
    is_sponsored: false,
  });
});

test('parses all fields of the recorded Dutch offer', { skip }, () => {
  const record = assertRecord(findReading(autoScoutVehicle.id, DUTCH_OFFER).verdict);
  const features = toArray(getPath(record['vehicle'], 'features'));
  assert.equal(toArray(getPath(record['vehicle'], 'images')).length, 8);
  assert.equal(features.length, 27);
  assert.ok(features.includes('Lichtmetalen velgen (15")'));
  assertFields(record['vehicle'], {
    id: '4cf6768f-b357-4be1-8a0d-c797e6b7fe78',
    url: 'https://www.autoscout24.nl/aanbod/volkswagen-polo-1-4-16v-5drs-schade-highline-airco-lmv-consign-benzine-grijs-4cf6768f-b357-4be1-8a0d-c797e6b7fe78',
    make: 'Volkswagen',
    model: 'Polo',
    year: 2011,
    first_registration: '2011-04',
    mileage: { value: 180_100, unit: 'km' },
    price: { amount: 1440, currency: 'EUR', text: '€ 1.440' },
    body: 'Hatchback',
    fuel: 'Benzine',
    transmission: 'Handgeschakeld',
    power_kw: 63,
    power_hp: 86,
    doors: 5,
    color: 'Grijs',
    seller: { type: 'dealer', name: 'Auto Corsten B.V.', rating: null, location: 'MARIAHOUT' },
    listed_at: '2026-03-27T15:42:14.041Z',
  });
});

test('parses the displayed values of recorded results that lack exact numbers', { skip }, () => {
  const listings = loadExcerpt('search/scrapfly_parsed_autoscout24-scraper_listings.json');
  assert.equal(listings.length, 59);
  const shownOnly = listings.map((one) => (isJsonObject(one) ? { ...one, tracking: {} } : one));
  const input = { url: 'https://www.autoscout24.com/lst' };
  const record = assertRecord(
    readSource(
      buildReadRequest(autoScoutSearch, { input, body: buildPage({ listings: shownOnly, numberOfResults: 59 }) }),
    ),
  );
  const results = toArray(record['results']);
  assert.equal(results.length, 59);
  for (const [index, one] of results.entries()) {
    const raw = listings[index];
    assert.equal(
      getPath(one, 'mileage', 'value'),
      Number(getPath(raw, 'tracking', 'mileage')),
      String(getPath(one, 'id')),
    );
    assert.equal(
      getPath(one, 'price', 'amount'),
      Number(getPath(raw, 'tracking', 'price')),
      String(getPath(one, 'id')),
    );
    assert.ok(toLine(getPath(one, 'url'))?.startsWith('https://www.autoscout24.com/offers/'));
    for (const path of ['power_kw', 'power_hp', 'year', 'fuel', 'transmission', 'location.city'])
      assert.ok(hasValueAt(one, path), `${String(getPath(one, 'id'))} ${path}`);
  }
  assertFields(results[0], { power_kw: 63, power_hp: 86 });
});

test('parses recorded data of single offers', { skip }, () => {
  const details = loadExcerpt('vehicle/scrapfly_parsed_autoscout24-scraper_car_details.json');
  assert.equal(details.length, 3);
  for (const raw of details) {
    const input = { url: toLine(getPath(raw, 'webPage')) };
    const body = buildPage({ listingDetails: raw });
    const read = assertRecord(readSource(buildReadRequest(autoScoutVehicle, { input, body })))['vehicle'];
    assert.equal(getPath(read, 'mileage', 'value'), getPath(raw, 'vehicle', 'mileageInKmRaw'));
    assert.equal(getPath(read, 'price', 'amount'), getPath(raw, 'prices', 'public', 'priceRaw'));
    assert.equal(getPath(read, 'power_hp'), getPath(raw, 'vehicle', 'rawPowerInHp'));
  }
});

test('the expected fields are filled in at least 95 % of the recordings', { skip }, () => {
  for (const endpoint of [autoScoutSearch, autoScoutVehicle]) {
    const records = listReadings(endpoint).map(({ verdict }) => assertRecord(verdict));
    const filled = records.flatMap((record) => endpoint.expected.map((path) => hasValueAt(record, path)));
    assert.ok(filled.filter(Boolean).length >= filled.length * 0.95, endpoint.id);
  }
});

test('rejects pages of other kinds, pages of other cars and truncated pages with their reason', { skip }, () => {
  const search = findReading(autoScoutSearch.id, GERMAN_SEARCH);
  const german = findReading(autoScoutVehicle.id, GERMAN_OFFER);
  const dutch = findReading(autoScoutVehicle.id, DUTCH_OFFER);
  assert.deepEqual(readInstead(german, { body: dutch.read.body }), {
    kind: 'unusable',
    reason: 'another vehicle: 4cf6768f-b357-4be1-8a0d-c797e6b7fe78',
    isRefusal: false,
  });
  assert.match(getReason(readInstead(german, { body: search.read.body })), /a list of results/);
  assert.match(getReason(readInstead(search, { body: german.read.body })), /a single one/);
  const other = buildReadRequest(autoScoutSearch, {
    input: { make: 'Volkswagen', model: 'Golf' },
    body: search.read.body,
  });
  assert.match(getReason(readSource(other)), /results of another search: \/lst\/bmw\/320/);
  const wider = buildReadRequest(autoScoutSearch, { input: { make: 'BMW' }, body: search.read.body });
  assert.equal(readSource(wider).kind, 'record');
  for (const reading of [search, german]) {
    for (const share of [0.05, 0.3, 0.5, 0.65])
      assert.match(getReason(readTruncated(reading, share)), /the page is cut/);
    assert.deepEqual(readInstead(reading, { body: WALL }), { kind: 'blocked', reason: 'challenge' });
    assert.equal(readInstead(reading, { body: ERROR_PAGE }).kind, 'unusable');
  }
});

function getReason(verdict: ReturnType<typeof readSource>): string {
  assert.equal(verdict.kind, 'unusable');
  return 'reason' in verdict ? verdict.reason : '';
}

/** Returns the URL that is requested for the URL of a caller. */
function getRequestedUrl(endpoint: SiteEndpoint, url: string): string {
  return buildReadRequest(endpoint, { input: { url }, body: '' }).page.requested;
}

test('accepts addresses of the right kind, and rejects others with their kind', () => {
  const offer = 'https://www.autoscout24.de/angebote/bmw-320-37d4ccc4-6999-48ef-a92a-2c37232f177d';
  const results = 'https://www.autoscout24.be/fr/lst/bmw/320?fuel=B';
  const dealers = [
    'de/haendler/harrow-gmbh?atype=C',
    'nl/autobedrijven/harrow/over-ons',
    'com/dealerinfo/harrow/imprint',
  ];
  assert.equal(
    getRequestedUrl(autoScoutVehicle, offer),
    'https://www.autoscout24.com/offers/37d4ccc4-6999-48ef-a92a-2c37232f177d',
  );
  assert.equal(getRequestedUrl(autoScoutSearch, results), 'https://www.autoscout24.com/lst/bmw/320?fuel=B&page=1');
  assert.throws(
    () => getRequestedUrl(autoScoutVehicle, results),
    /url: is a page of results of this site, not an offer/,
  );
  assert.throws(() => getRequestedUrl(autoScoutSearch, offer), /url: is an offer of this site, not a result page/);
  for (const dealer of dealers)
    for (const endpoint of [autoScoutVehicle, autoScoutSearch])
      assert.throws(
        () => getRequestedUrl(endpoint, `https://www.autoscout24.${dealer}`),
        /url: is the page of a dealer/,
      );
  assert.throws(() => getRequestedUrl(autoScoutVehicle, 'https://www.autoscout24.de/'), /is the home page/);
  assert.throws(
    () => getRequestedUrl(autoScoutVehicle, 'https://cars.example/angebote/1'),
    /is not an offer of this site/,
  );
});
