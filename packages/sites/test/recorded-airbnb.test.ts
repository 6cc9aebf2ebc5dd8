import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { hasValueAt } from '#sites/framework/answers.ts';
import { getPath, toLine, toArray } from '#extract/values/raw.ts';
import { airbnbListing } from '#sites/airbnb/listing.ts';
import { airbnbReviews } from '#sites/airbnb/reviews.ts';
import { airbnbSearch } from '#sites/airbnb/search.ts';
import { readSource } from '#sites/read-source.ts';
import {
  assertFields,
  buildReadRequest,
  readTruncated,
  readInstead,
  assertRecord,
  findReading,
} from '#testkit/sites/recorded-pages.ts';
import { listReadings } from '#testkit/sites/readings.ts';

const FOLDER = join(process.env['QUERN_CORPUS'] ?? '', 'sites/home-stay');
const skip = process.env['QUERN_CORPUS'] === undefined || !existsSync(FOLDER);

const PAGE = 'listing-2025-12.html';
const WALL = '<html><head><title>Access Denied</title></head><body>Reference #18.1</body></html>';
const ERROR_PAGE = '<!doctype html><html><head><title>Oops</title></head><body>Something went wrong.</body></html>';

test('parses all fields of the recorded home', { skip }, () => {
  const home = assertRecord(findReading(airbnbListing.id, PAGE).verdict)['listing'];
  assertFields(home, {
    id: '29688831',
    url: 'https://www.airbnb.com/rooms/29688831',
    title: 'Above and Beyond',
    room_type: 'Entire home/apt',
    property_type: 'Entire home',
    person_capacity: 6,
    bedrooms: 3,
    beds: 4,
    bathrooms: 2.5,
    overview: ['6 guests', '3 bedrooms', '4 beds', '2.5 baths'],
    latitude: -45.03915,
    longitude: 168.63629,
    location_text: 'Queenstown, Otago, New Zealand',
    rating: 4.99,
    review_count: 73,
    ratings: { cleanliness: 5, accuracy: 5, check_in: 5, communication: 4.99, location: 4.99, value: 4.95 },
    price: null,
  });
  assert.equal(toArray(getPath(home, 'images')).length, 44);
  assert.equal(getPath(home, 'host', 'is_superhost'), true);
  assert.deepEqual(toArray(getPath(home, 'house_rules')).slice(0, 2), [
    'Check-in after 3:00 pm',
    'Checkout before 10:00 am',
  ]);
  // The page reports 76, and lists three more that are unavailable.
  const amenities = toArray(getPath(home, 'amenities'));
  assert.equal(amenities.filter((one) => getPath(one, 'available') === true).length, 76);
  assert.ok(toLine(getPath(home, 'description_text'))?.startsWith('Plan your day ahead while you take in'));
});

test('the expected fields are filled in at least 95 % of the recordings', { skip }, () => {
  const records = listReadings(airbnbListing).map(({ verdict }) => assertRecord(verdict));
  const filled = records.flatMap((record) => airbnbListing.expected.map((path) => hasValueAt(record, path)));
  assert.ok(filled.length > 0 && filled.filter(Boolean).length >= filled.length * 0.95);
});

test('rejects pages of other homes, walls, error pages and truncated pages with their reason', { skip }, () => {
  const reading = findReading(airbnbListing.id, PAGE);
  const other = readSource(
    buildReadRequest(airbnbListing, { input: { id: '20669368' }, body: reading.read.body, source: 'page' }),
  );
  assert.match(getReason(other), /^the requested home/);
  for (const share of [0.05, 0.3, 0.6, 0.9, 0.99])
    assert.match(getReason(readTruncated(reading, share)), /the page is cut/);
  assert.deepEqual(readInstead(reading, { body: WALL }), { kind: 'blocked', reason: 'challenge' });
  assert.match(getReason(readInstead(reading, { body: ERROR_PAGE })), /^the requested home/);
});

function getReason(verdict: ReturnType<typeof readSource>): string {
  assert.equal(verdict.kind, 'unusable');
  return 'reason' in verdict ? verdict.reason : '';
}

/** Builds a page of results in a language. */
function buildResultsPage(lang: string, rows: readonly object[]): string {
  const results = { searchResults: rows, paginationInfo: { pageCursors: [] } };
  const state = [['StaysSearch:{}', { data: { presentation: { staysSearch: { results } } } }]];
  const data = JSON.stringify({ niobeClientData: state });
  return `<!doctype html><html lang="${lang}"><script id="data-deferred-state-0" type="application/json">${data}</script></html>`;
}

function buildRow(members: object): object {
  const id = Buffer.from('DemandStayListing:70010020030040').toString('base64');
  return { __typename: 'StaySearchResult', demandStayListing: { id }, ...members };
}

function readRow(lang: string, members: object): unknown {
  const input = { location: 'Harrow', currency: 'EUR' };
  const order = buildReadRequest(airbnbSearch, { input, body: buildResultsPage(lang, [buildRow(members)]) });
  return getPath(assertRecord(readSource(order)), 'listings', 0);
}

test('a price line whose members are spread over ordered parts is merged', () => {
  const read = readRow('en', {
    title: 'Hotel in Harrow',
    structuredDisplayPrice: {
      displayPriceStyle: 'REGULATED_TOTAL',
      primaryLine: {
        __typename: 'OrderedDisplayPriceLine',
        accessibilityLabel: '€1,006 total, originally €1,136',
        orderedComponents: [
          { __typename: 'Part', discountedPrice: '€1,006', originalPrice: '€1,136' },
          { __typename: 'Part', qualifier: 'total' },
        ],
      },
    },
  });
  assert.deepEqual(getPath(read, 'price'), {
    total: 1006,
    nightly: null,
    currency: 'EUR',
    text: '€1,006 total, originally €1,136',
  });
});

function buildPrice(primaryLine: object, displayPriceStyle = ''): object {
  return { structuredDisplayPrice: { primaryLine, displayPriceStyle } };
}

test('parses prices and ratings in the language of the page', () => {
  const german = readRow('de', {
    title: 'Wohnung in Harrow',
    avgRatingLocalized: '4,87 (1.234)',
    ...buildPrice({ price: '1.087 €', qualifier: 'für 7 Nächte' }),
  });
  assert.deepEqual(
    [
      getPath(german, 'rating'),
      getPath(german, 'review_count'),
      getPath(german, 'price', 'total'),
      getPath(german, 'price', 'nightly') ?? null,
    ],
    [4.87, 1234, 1087, null],
  );
  const french = readRow('fr', { title: 'Appartement', ...buildPrice({ price: '1 087 €', qualifier: 'par nuit' }) });
  assert.deepEqual([getPath(french, 'price', 'total') ?? null, getPath(french, 'price', 'nightly')], [null, 1087]);
  const russian = readRow('ru', {
    title: 'Дом',
    ...buildPrice({ price: '223 €', qualifier: 'Всего' }, 'REGULATED_TOTAL'),
  });
  assert.equal(getPath(russian, 'price', 'total'), 223);
  const oneNight = readRow('en', {
    title: 'Home in Harrow',
    ...buildPrice({ price: '€90', qualifier: 'for 1 night' }),
  });
  assert.deepEqual([getPath(oneNight, 'price', 'total'), getPath(oneNight, 'price', 'nightly') ?? null], [90, null]);
});

/** Returns the title and the name that are parsed from a card. */
function readNames(members: object): readonly unknown[] {
  const read = readRow('en', members);
  return [getPath(read, 'title'), getPath(read, 'name')];
}

function buildLocalizedPage(text: string): object {
  return { nameLocalized: { localizedStringWithTranslationPreference: text } };
}

test('the card of a hotel has its name as title and its type as subtitle', () => {
  const wanted = ['Hotel in Harrow', 'The Mill'];
  assert.deepEqual(
    readNames({ title: 'The Mill', subtitle: 'Hotel in Harrow', ...buildLocalizedPage('The Mill') }),
    wanted,
  );
  assert.deepEqual(readNames({ title: 'The Mill', subtitle: 'Hotel in Harrow' }), wanted);
  assert.deepEqual(readNames({ title: 'Hotel in Harrow', subtitle: 'The Mill' }), wanted);
  assert.deepEqual(
    readNames({ title: 'Home in Harrow', subtitle: 'Flat in Old Town', ...buildLocalizedPage('Flat in Old Town') }),
    ['Home in Harrow', 'Flat in Old Town'],
  );
});

/** Returns the rooms that are parsed from the texts below the title, in a language. */
function readRooms(lang: string, ...titles: readonly string[]): readonly unknown[] {
  const id = '70010020030040';
  const parts = [
    { sectionComponentType: 'TITLE_DEFAULT', sectionId: 'TITLE_DEFAULT', section: { title: 'The Mill' } },
    { sectionId: 'OVERVIEW_DEFAULT_V2', sectionData: { overviewItems: titles.map((title) => ({ title })) } },
  ];
  const question = `StaysPdpSections:{"id":"${Buffer.from(`StayListing:${id}`).toString('base64')}"}`;
  const data = JSON.stringify({ niobeClientData: [[question, { data: { parts } }]] });
  const body = `<html lang="${lang}"><script id="data-deferred-state-0" type="application/json">${data}</script></html>`;
  const home = assertRecord(readSource(buildReadRequest(airbnbListing, { input: { id }, body, source: 'page' })))[
    'listing'
  ];
  return ['bedrooms', 'beds', 'bathrooms'].map((name) => getPath(home, name) ?? null);
}

test('parses the number of rooms in the language of the page', () => {
  assert.deepEqual(readRooms('en', '6 guests', '3 bedrooms', '4 beds', '2.5 baths'), [3, 4, 2.5]);
  assert.deepEqual(readRooms('en', '1 queen bed', 'Shared half-bath'), [null, 1, 0.5]);
  assert.deepEqual(readRooms('de', '6 Gäste', '3 Schlafzimmer', '4 Betten', '2,5 Bäder'), [3, 4, 2.5]);
  assert.deepEqual(readRooms('it', '6 ospiti', '2 camere da letto', '3 letti', '1,5 bagni'), [2, 3, 1.5]);
});

/** Returns the URL that is requested for the URL of a caller. */
function getRequestedUrl(url: string): string {
  return buildReadRequest(airbnbListing, { input: { url }, body: '', source: 'page' }).page.requested;
}

test('accepts the addresses of homes, and rejects others with the kind of their page', () => {
  for (const path of ['rooms/29688831?adults=2', 'rooms/plus/29688831', 'rooms/29688831/reviews'])
    assert.ok(
      getRequestedUrl(`https://www.airbnb.co.nz/${path}`).startsWith('https://www.airbnb.com/rooms/29688831?'),
      path,
    );
  const refused = [
    ['s/Queenstown/homes', /url: is a search of this site, not a home/],
    ['users/show/1', /url: is the page of a person of this site/],
    ['experiences/1', /url: is an experience of this site/],
    ['', /url: is the home page of this site/],
    ['help/article/1', /url: is a page of another kind of this site/],
  ] as const;
  for (const [path, why] of refused)
    for (const endpoint of [airbnbListing, airbnbReviews])
      assert.throws(
        () => buildReadRequest(endpoint, { input: { url: `https://www.airbnb.com/${path}` }, body: '' }),
        why,
      );
});
