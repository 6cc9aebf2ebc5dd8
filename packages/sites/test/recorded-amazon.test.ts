import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteVerdict } from '#sites/framework/answers.ts';
import { readSource } from '#sites/read-source.ts';
import {
  assertFields,
  findReading,
  findRecord,
  findRefusal,
  readInstead,
  readRecorded,
  SKIP_RECORDED,
} from '#testkit/sites/recorded-pages.ts';

const PRODUCT = 'shop-a.product';
const RECORD = 'warc-extracts-covers-for-physical-products-from-the-embedded-js-on-dp-urls.html';
const BOOK = 'metascraper-amazon-co-uk-product-url.html';
const E_BOOK = 'metascraper-amazon-com-product-url.html';
const CLEANER = 'metascraper-amazon-es-product-url.html';
const AUDIOBOOK = 'warc-extracts-covers-for-audible-audiobooks.html';
const SOLD_OUT = 'warc-extracts-covers-for-physical-audiobooks-where-audible-version-is-also-available.html';

test('a recorded available product has the price of its buy box', { skip: SKIP_RECORDED }, () => {
  assertFields(findRecord(PRODUCT, RECORD)['product'], {
    asin: 'B0D2JLXK38',
    title: '=1 (CD Jewel case)',
    availability: 'low_stock',
    availability_text: 'Only 11 left in stock (more on the way).',
    price: 12.04,
    currency: 'EUR',
    list_price: 13.5,
    savings_percent: 11,
    'seller.name': 'Amazon.com',
    ships_from: 'Amazon.com',
    fulfilled_by_shop: true,
    condition: 'new',
    delivery_location_text: 'Netherlands',
    rating: 4.7,
    ratings_count: 1339,
    bestseller_ranks: [
      { rank: 49327, category: 'CDs & Vinyl' },
      { rank: 1610, category: 'Hard Rock' },
    ],
  });
});

test('a recorded product that is only available used has the used price and condition', { skip: SKIP_RECORDED }, () => {
  assertFields(findRecord(PRODUCT, BOOK)['product'], {
    asin: '1849757097',
    price: 4.45,
    currency: 'GBP',
    condition: 'used',
    availability: 'in_stock',
    'seller.name': 'Goldstone-Books',
    delivery_text: '£3.99 delivery 17 January - 7 February. Details',
    categories: ['Food & Drink', 'Quick & Easy Meals'],
    bestseller_ranks: [
      { rank: 929084, category: 'Books' },
      { rank: 4687, category: 'Vegetarian & Vegan Cooking' },
      { rank: 6832, category: 'Quick & Easy Meals' },
      { rank: 132507, category: 'Home & Garden' },
    ],
  });
});

test('a recorded e-book has the price of its buy box', { skip: SKIP_RECORDED }, () => {
  assertFields(findRecord(PRODUCT, E_BOOK)['product'], { price: 10.99, currency: 'USD', availability: 'in_stock' });
});

test('recorded pages without their own price have the currency of the visitor', { skip: SKIP_RECORDED }, () => {
  for (const file of [SOLD_OUT, AUDIOBOOK])
    assertFields(findRecord('shop-a.pricing', file)['pricing'], { buy_box: null, currency: 'EUR' });
  assertFields(findRecord('shop-a.pricing', BOOK)['pricing'], {
    'buy_box.price': 4.45,
    'buy_box.condition': 'used',
    'buy_box.seller.name': 'Goldstone-Books',
    currency: 'GBP',
  });
});

test('recorded unavailable products have no price, even if other formats have one', { skip: SKIP_RECORDED }, () => {
  const nothing = { price: null, currency: null, price_text: null, price_source: null };
  assertFields(findRecord(PRODUCT, SOLD_OUT)['product'], {
    ...nothing,
    availability: 'out_of_stock',
    availability_text: 'Out of Print--Limited Availability.',
  });
  assertFields(findRecord(PRODUCT, CLEANER)['product'], { ...nothing, availability: null });
  assertFields(findRecord(PRODUCT, AUDIOBOOK)['product'], {
    ...nothing,
    'specifications.1': { name: 'Listening Length', value: '21 hours and 36 minutes' },
  });
});

const HEAD = `<link rel="canonical" href="https://www.amazon.com/Quern/dp/B0HARROW09"><input type="hidden" id="ASIN" value="B0HARROW09"><span id="productTitle">Quern of basalt</span>`;
const OTHERS = `<div id="tmmSwatches"><li class="selected"><span class="slot-price">EUR 24.50</span></li></div>
  <div id="olpLinkWidget_feature_div">New &amp; Used (4) from <span class="a-price"><span class="a-offscreen">EUR 9.90</span></span></div>
  <div class="similar"><span class="priceToPay"><span class="a-offscreen">EUR 31.00</span></span></div>`;

function readPage(endpoint: string, body: string): SiteVerdict {
  const url = 'https://www.amazon.com/dp/B0HARROW09?th=1&psc=1';
  return readSource({
    endpoint,
    source: 'page',
    input: { asin: 'B0HARROW09', condition: 'any' },
    page: { url, requested: url, status: 200, headers: {}, contentType: 'text/html; charset=utf-8', carry: undefined },
    body: new TextEncoder().encode(body),
    captures: [],
    settings: { origins: {}, constants: {} },
    cursor: null,
    limit: null,
  });
}

test('a product that cannot be shipped has no price, even if formats, other sellers or similar products have one', () => {
  for (const said of [
    '<div id="deliveryBlockMessage">This item cannot be shipped to your selected delivery location. See similar items</div>',
    '<div id="availability"><span>This item cannot be shipped to your selected delivery location.</span></div>',
    '<div id="outOfStock"><span class="a-color-price a-text-bold">This item cannot be shipped to your selected delivery location.</span> Add to List</div>',
  ]) {
    const verdict = readPage(PRODUCT, `${HEAD}<div id="buybox">${said}</div>${OTHERS}`);
    assert.equal(verdict.kind, 'record', 'reason' in verdict ? verdict.reason : said);
    const product = verdict.kind === 'record' ? verdict.record['product'] : null;
    assertFields(product, { price: null, price_text: null, price_source: null, availability: 'unavailable' });
    assert.match(String(Object(product).availability_text), /^This item cannot be shipped to your selected delivery/);
    const priced = readPage('shop-a.pricing', `${HEAD}<div id="buybox">${said}</div>${OTHERS}`);
    assertFields(priced.kind === 'more' ? priced.without?.record['pricing'] : null, { buy_box: null, currency: 'EUR' });
  }
});

test('a page that only has prices of other products is unusable', () => {
  const verdict = readPage(PRODUCT, `${HEAD}<div id="availability"><span>In Stock</span></div>${OTHERS}`);
  assert.equal(verdict.kind, 'unusable');
});

function findRecordedProduct(file: string): string {
  return readRecorded('shop-a/product', file);
}

test('rejects pages of other kinds, walls and error pages with their reason', { skip: SKIP_RECORDED }, () => {
  const wanted = findReading(PRODUCT, RECORD);
  assert.equal(readInstead(wanted, { body: findRecordedProduct(BOOK) }).kind, 'unusable', 'another product');
  assert.equal(readInstead(wanted, { body: readRecorded('shop-a/search', 'amazon-com-search.html') }).kind, 'unusable');
  assert.equal(
    readInstead(wanted, { body: findRecordedProduct(RECORD).slice(0, 60_000) }).kind,
    'unusable',
    'a cut page',
  );
  for (const [file, reason] of [
    ['captcha-field-keywords.html', 'captcha'],
    ['not_satisfied.html', 'captcha'],
    ['waf-challenge.html', 'waf_challenge'],
    ['bookhive-challenge-page.html', 'waf_challenge'],
  ] as const)
    assert.deepEqual(readInstead(wanted, { body: readRecorded('shop-a/_blocked', file) }), {
      kind: 'blocked',
      reason,
    });
  const gone = findRecordedProduct('warc-throws-on-non-existent-release.html');
  assert.equal(readInstead(wanted, { body: gone, status: 404 }).kind, 'not_found');
  for (const path of ['/', '/s?k=quern', '/b?node=1', '/stores/page/0F1E'])
    assert.equal(
      readInstead(wanted, { body: findRecordedProduct(BOOK), url: `https://www.amazon.com${path}` }).kind,
      'not_found',
      `led to ${path}`,
    );
  const search = findReading('shop-a.search', 'amazon-com-search.html');
  assert.equal(
    readInstead(search, { body: findRecordedProduct(RECORD) }).kind,
    'unusable',
    'a product in the place of a search',
  );
});

test('rejects the addresses of other kinds of pages, and names the kind', () => {
  for (const id of [PRODUCT, 'shop-a.pricing'])
    for (const path of [
      '/s?k=mill',
      '/stores/page/0F1E',
      '/sp?seller=A2NQK4TIWYJD6B',
      '/gp/bestsellers/books',
      '/b?node=1',
    ])
      assert.match(
        findRefusal(id, { url: `https://www.amazon.com${path}` }) ?? 'taken',
        /^url: is the address of .+, not of a product$/,
        path,
      );
  assert.equal(findRefusal(PRODUCT, { url: 'https://www.amazon.de/Quern/dp/B0HARROW09/ref=sr_1_1' }), null);
});
