import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toArray } from '#extract/values/raw.ts';
import {
  assertFields,
  findReading,
  findRecord,
  findRefusal,
  readInstead,
  SKIP_RECORDED,
} from '#testkit/sites/recorded-pages.ts';

const ID = 'shop-w.product';
const BLENDER = 'product-0615-2026-03.html';
const MILK = 'product-milk-2026-08.html';

test('parses all fields of a recorded product', { skip: SKIP_RECORDED }, () => {
  const { product } = findRecord(ID, BLENDER);
  assertFields(product, {
    id: '562225800',
    product_id: '74Q2L1BO8P52',
    title:
      'Ninja Professional Plus 72-Oz Kitchen System Blender, Smoothies, Crush, 5 Auto-iQ Preset Programs, 1400PW, BN800 Silver',
    url: 'https://www.walmart.com/ip/Ninja-Professional-Plus-Kitchen-Blender-System-with-Auto-iQ/562225800',
    brand: 'Ninja',
    category_path: ['Home', 'Appliances', 'Kitchen Appliances', 'Blenders', 'Shop All Blenders'],
    type: 'Blenders',
    price: 179,
    currency: 'USD',
    price_text: '$179.00',
    was_price: null,
    availability: 'in_stock',
    seller: {
      id: 'F55CDC31AB754BB68FE0B39041159D63',
      name: 'Walmart.com',
      legal_name: 'Walmart.com',
      type: 'INTERNAL',
    },
    rating: 4.4,
    ratings_count: 1926,
    upc: '622356561150',
    model: 'BN800',
    'specifications.0': { name: 'Watts', value: '1200 W' },
    order_limit: 99,
    'reviews_summary.count': 1935,
    'reviews_summary.distribution': { 1: 182, 2: 33, 3: 42, 4: 115, 5: 1563 },
  });
  assert.equal(toArray(Object(product).images).length, 10);
});

test('a recorded grocery product has its price by volume', { skip: SKIP_RECORDED }, () => {
  const { product } = findRecord(ID, MILK);
  assertFields(product, {
    id: '10450114',
    title: 'Great Value Whole Vitamin D Milk, Gallon',
    brand: 'Great Value',
    category_path: ['Food', 'Dairy & Eggs', 'Milk', 'Dairy Milk', 'Whole Milk'],
    price: 2.42,
    unit_price_text: '1.9 ¢/fl oz',
    availability: 'in_stock',
    'seller.legal_name': 'Walmart.com',
    rating: 4.6,
    ratings_count: 349887,
    upc: '078742351865',
    model: null,
    order_limit: 12,
    'specifications.0': { name: 'Milk type', value: 'Cow Milk' },
  });
});

test('rejects pages of other kinds instead of a product', { skip: SKIP_RECORDED }, () => {
  const wanted = findReading(ID, BLENDER);
  const own = wanted.read.body;
  assert.equal(readInstead(wanted, { body: findReading(ID, MILK).read.body }).kind, 'unusable', 'another product');
  for (const path of ['/search?q=blender', '/browse/home/blenders/4044_90548', '/seller/101', '/'])
    assert.equal(readInstead(wanted, { body: own, url: `https://www.walmart.com${path}` }).kind, 'not_found', path);
  assert.equal(readInstead(wanted, { body: own.slice(0, own.length / 2) }).kind, 'unusable', 'a cut page');
  const blocked = 'https://www.walmart.com/blocked?url=L2lwLzU2MjIyNTgwMA==';
  assert.equal(readInstead(wanted, { body: '<title>Robot or human?</title>', url: blocked }).kind, 'blocked', 'a wall');
  assert.equal(readInstead(wanted, { body: '', status: 404 }).kind, 'not_found', 'an error page');
});

test('rejects the addresses of other kinds of pages, and names the kind', () => {
  for (const path of [
    '/search?q=mill',
    '/browse/home/4044',
    '/seller/101002',
    '/cp/home/4044',
    '/reviews/product/700100200',
  ])
    assert.match(
      findRefusal(ID, { url: `https://www.walmart.com${path}` }) ?? 'taken',
      /^url: is the address of .+, not of a product$/,
      path,
    );
  assert.equal(findRefusal(ID, { url: 'https://www.walmart.com/ip/Harrow-Hand-Mill/700100200?from=x' }), null);
});
