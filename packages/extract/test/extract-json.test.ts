import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { extractJson } from '#extract/fields/extract-json.ts';
import { Extract } from '#extract/grammar.ts';
import { parseJson } from '#extract/values/json.ts';
import { readMetadata } from '#extract/metadata/metadata.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';

const PAGE = 'https://example.org/shop/cup';
const NOTHING = { json_ld: [], microdata: [], rdfa: [], opengraph: {} };

function fromHtml(html: string, extract: unknown) {
  const tree = parseHtml(html);
  const structured = readStructuredData(tree, PAGE);
  const metadata = readMetadata(tree, { url: PAGE, charset: null, structured, wordCount: 0 });
  return extractJson(Extract.parse(extract), { content: { tree }, url: PAGE, structured, metadata });
}

function fromJson(text: string, extract: unknown) {
  return extractJson(Extract.parse(extract), {
    content: { json: parseJson(text) },
    url: PAGE,
    structured: NOTHING,
    metadata: null,
  });
}

const SHOP = `<html lang="de"><body><h1>Tassen</h1>
<ul><li class="item" data-id="1"><a href="/a">Blau</a> <b class="price">1.234,50 €</b> <time datetime="2026-11-21T10:00:00Z">heute</time></li>
<li class="item" data-id="2"><a href="/b">Rot</a> <b class="price">9,99 €</b></li>
<li class="item" data-id="2"><a href="/c">Rot, noch einmal</a></li>
<li class="item"><a href="/d">Ohne Nummer</a></li></ul>
<p>Seit 2019 in Wien, Kennzahl 42.</p></body></html>`;

test('fields are selected by CSS, XPath and regular expressions, and typed', () => {
  const { json, missing } = fromHtml(SHOP, {
    title: { selector: 'h1' },
    links: { selector: '.item a', type: 'url[]' },
    price: { selector: '.item .price', type: 'money' },
    prices: { xpath: '//li[@class="item"]/b', type: 'number', many: true },
    hrefs: { xpath: '//li/a/@href', many: true },
    count: { xpath: 'count(//li)', type: 'integer' },
    opened: { selector: 'time', type: 'datetime' },
    day: { selector: 'time', type: 'date' },
    since: { regex: String.raw`Seit (\d{4})`, type: 'integer' },
    markup: { selector: 'h1', type: 'html' },
    id: { selector: '.item', attribute: 'data-id', type: 'integer' },
    absent: { selector: '.nothing', type: 'string' },
    none: { selector: '.nothing', type: 'string[]' },
  });
  assert.deepEqual(json, {
    title: 'Tassen',
    links: ['https://example.org/a', 'https://example.org/b', 'https://example.org/c', 'https://example.org/d'],
    price: { amount: 1234.5, currency: 'EUR' },
    prices: [1234.5, 9.99],
    hrefs: ['/a', '/b', '/c', '/d'],
    count: 4,
    opened: '2026-11-21T10:00:00.000Z',
    day: '2026-11-21',
    since: 2019,
    markup: '<h1>Tassen</h1>',
    id: 1,
    absent: null,
    none: [],
  });
  assert.deepEqual(missing, ['absent', 'none']);
});

test('the content of template elements is ignored', () => {
  const draft = '<h1>{{ name }}</h1><p class="price">0 €</p><dl><dt>Weight</dt><dd>{{ weight }}</dd></dl>';
  const page = `<template>${draft}</template>${draft.replace('{{ name }}', 'Cup').replace('0 €', '9 €').replace('{{ weight }}', '300 g')}`;
  const { json } = fromHtml(page, {
    title: 'string',
    name: { selector: 'h1' },
    prices: { selector: '.price', type: 'number', many: true },
    inside: { selector: 'template .price' },
    path: { xpath: '//h1' },
    weight: 'string',
  });
  assert.deepEqual(json, { title: 'Cup', name: 'Cup', prices: [9], inside: null, path: 'Cup', weight: '300 g' });
});

test('rows are objects; rows with a missing or repeated key are dropped', () => {
  const { json } = fromHtml(SHOP, {
    items: {
      selector: '.item',
      many: true,
      key: 'id',
      fields: {
        id: { selector: ':scope', attribute: 'data-id', type: 'integer' },
        same: { xpath: './@data-id', type: 'integer' },
        name: { selector: '> a' },
        price: { xpath: './b', type: 'money' },
      },
    },
  });
  assert.deepEqual(json['items'], [
    { id: 1, same: 1, name: 'Blau', price: { amount: 1234.5, currency: 'EUR' } },
    { id: 2, same: 2, name: 'Rot', price: { amount: 9.99, currency: 'EUR' } },
  ]);
});

const PRODUCT = `<script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Blue cup","sku":"C-1","gtin13":"4006381333931",
"brand":{"@type":"Brand","name":"Acme"},"offers":{"@type":"Offer","price":"1299.00","priceCurrency":"eur","availability":"https://schema.org/InStock","url":"/buy"},
"releaseDate":"2026-11-21","colours":["blue","white"],"aggregateRating":{"@type":"AggregateRating","ratingValue":4.5,"reviewCount":"12"}}</script>
<meta property="og:description" content="A cup."><dl><dt>Material:</dt><dd>Stoneware</dd></dl><table><tr><th>Net weight</th><td>1,5 kg</td></tr></table>
<ul><li><b>Made in:</b> Austria</li></ul><label for=v>Volume</label><input id=v value="250 ml"><span aria-label="Stock left">7</span>`;

test('fields without a selector come from JSON-LD, OpenGraph and labelled text', () => {
  const { json, missing } = fromHtml(PRODUCT, {
    name: 'string',
    price: 'money',
    currency: 'string',
    brand: 'string',
    sku: 'string',
    gtin: 'string',
    availability: 'string',
    release_date: 'date',
    colours: 'string[]',
    description: 'string',
    material: 'string',
    weight: { type: 'string', description: 'the net weight of the cup' },
    made_in: 'string',
    volume: 'integer',
    stockLeft: 'integer',
    warranty: 'string',
  });
  assert.deepEqual(json, {
    name: 'Blue cup',
    price: { amount: 1299, currency: 'EUR' },
    currency: 'EUR',
    brand: 'Acme',
    sku: 'C-1',
    gtin: '4006381333931',
    availability: 'InStock',
    release_date: '2026-11-21',
    colours: ['blue', 'white'],
    description: 'A cup.',
    material: 'Stoneware',
    weight: '1,5 kg',
    made_in: 'Austria',
    volume: 250,
    stockLeft: 7,
    warranty: null,
  });
  assert.deepEqual(missing, ['warranty']);
});

test('product data is read from microdata and OpenGraph', () => {
  const microdata = `<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>Cup</b><div itemprop=offers itemscope itemtype="https://schema.org/Offer">
    <meta itemprop=price content="19.99"><meta itemprop=priceCurrency content="USD"><link itemprop=availability href="http://schema.org/OutOfStock"></div></div>`;
  assert.deepEqual(fromHtml(microdata, { price: 'money', availability: 'string' }).json, {
    price: { amount: 19.99, currency: 'USD' },
    availability: 'OutOfStock',
  });
  const opengraph =
    '<meta property="product:price:amount" content="19.99"><meta property="product:price:currency" content="GBP"><meta property="product:availability" content="in stock">';
  assert.deepEqual(fromHtml(opengraph, { price: 'money', availability: 'string' }).json, {
    price: { amount: 19.99, currency: 'GBP' },
    availability: 'InStock',
  });
});

test('nested fields without a selector use the nested object of the same name', () => {
  const { json } = fromHtml(PRODUCT, {
    aggregateRating: { fields: { ratingValue: 'number', reviewCount: 'integer' } },
  });
  assert.deepEqual(json, { aggregateRating: { ratingValue: 4.5, reviewCount: 12 } });
});

test('a JSON page is read by JSONPath and by the names of its members', () => {
  const text = '{"items":[{"sku":"a","price":5,"tags":["x","y"]},{"sku":"b","price":"7.50"}],"totalCount":2}';
  const { json } = fromJson(text, {
    total_count: 'integer',
    skus: { json_path: '$.items[*].sku', type: 'string[]' },
    rows: {
      json_path: '$.items[?@.price]',
      many: true,
      key: 'sku',
      fields: { sku: 'string', price: 'number', tags: 'string[]' },
    },
  });
  assert.deepEqual(json, {
    total_count: 2,
    skus: ['a', 'b'],
    rows: [
      { sku: 'a', price: 5, tags: ['x', 'y'] },
      { sku: 'b', price: 7.5, tags: [] },
    ],
  });
});

test('JSONPath searches JSON embedded in HTML', () => {
  const html = '<script id="state" type="application/json">{"props":{"price":12}}</script>';
  assert.deepEqual(fromHtml(html, { price: { json_path: '$.props.price', type: 'money', currency: 'EUR' } }).json, {
    price: { amount: 12, currency: 'EUR' },
  });
});

test('a schema is filled by property names, and missing values are null', () => {
  const schema = {
    type: 'object',
    required: ['name'],
    properties: {
      name: { type: 'string' },
      price: { type: 'number', minimum: 0 },
      releaseDate: { anyOf: [{ type: 'string', format: 'date' }, { type: 'null' }] },
      colours: { type: 'array', items: { type: 'string' } },
      aggregateRating: {
        type: 'object',
        properties: { ratingValue: { type: 'number' }, reviewCount: { type: 'integer' } },
      },
      warranty: { type: 'string' },
    },
  };
  const { json, missing, unmet } = fromHtml(PRODUCT, schema);
  assert.deepEqual(json, {
    name: 'Blue cup',
    price: 1299,
    releaseDate: '2026-11-21',
    colours: ['blue', 'white'],
    aggregateRating: { ratingValue: 4.5, reviewCount: 12 },
    warranty: null,
  });
  assert.deepEqual([missing, unmet], [['warranty'], []]);
});

test('required members that are missing or invalid are listed', () => {
  const schema = {
    type: 'object',
    required: ['sku', 'warranty'],
    properties: {
      sku: { type: 'string', pattern: '^[0-9]+$' },
      warranty: { type: 'string' },
      name: { enum: ['Red cup'] },
    },
  };
  const { json, missing, unmet } = fromHtml(PRODUCT, schema);
  assert.deepEqual(json, { sku: null, warranty: null, name: null });
  assert.deepEqual(missing, ['sku', 'warranty', 'name']);
  assert.deepEqual(unmet, ['sku', 'warranty']);
});

test('JSON of any depth, size and shape is read within limits as plain data', () => {
  const deep = `${'['.repeat(100_000)}1${']'.repeat(100_000)}`;
  assert.deepEqual(fromJson(deep, { a: { json_path: '$..price', type: 'number' }, b: 'string' }).json, {
    a: null,
    b: null,
  });
  const long = `[${'1,'.repeat(300_000)}2]`;
  assert.deepEqual(fromJson(long, { last: { json_path: '$[-1]', type: 'integer' } }).json, { last: 2 });
  assert.deepEqual(fromJson('{"a":1,"a":2}', { a: 'integer' }).json, { a: 2 });
  assert.deepEqual(fromJson('{"__proto__":{"polluted":1},"a":"x"}', { a: 'string', polluted: 'string' }).json, {
    a: 'x',
    polluted: null,
  });
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
  assert.deepEqual(fromJson('{"a":1e400}', { a: 'number' }).json, { a: null });
  assert.deepEqual(fromJson('{"a":NaN}', { a: 'number' }).json, { a: null });
  assert.deepEqual(fromJson('\uFEFF{"a":1}', { a: 'integer' }).json, { a: 1 });
  assert.deepEqual(fromJson('{"a":1}\n{"a":2}\n', { all: { json_path: '$[*].a', type: 'integer[]' } }).json, {
    all: [1, 2],
  });
});

test('a catastrophic pattern ends on a hostile text', () => {
  const html = `<p>${'a'.repeat(100_000)}!</p>`;
  assert.deepEqual(fromHtml(html, { a: { regex: '^(a+)+$' }, b: { regex: '(a|a)*$' }, c: { regex: '(.*)*x' } }).json, {
    a: null,
    b: null,
    c: null,
  });
});

test('expensive selectors end early and are reported', () => {
  const html = `<div>${'<i></i>'.repeat(30_000)}</div>`;
  const { json, cutShort } = fromHtml(html, {
    a: { selector: 'i:nth-last-child(2n+1) ~ i:nth-child(3n)', type: 'string[]' },
    b: { xpath: '//i[count(preceding-sibling::i) > 5]' },
  });
  assert.deepEqual(json, { a: [], b: null });
  assert.deepEqual(cutShort, ['a', 'b']);
});

test('fields with too expensive selectors are null and listed, the others are read', () => {
  const deep = `${'<div>'.repeat(600)}${'x '.repeat(1_500_000)}${'</div>'.repeat(600)}`;
  const rows = Array.from({ length: 20_000 }, (_, at) => `<li class=r${at % 7}><a>stone ${at}</a> <b>${at}</b></li>`);
  const { json, cutShort } = fromHtml(`<h1>Mill</h1><ul>${rows.join('')}</ul>${deep}`, {
    path: { xpath: '//*[normalize-space(.) = "zzz"]' },
    first: { selector: 'li b', type: 'integer' },
    pattern: { regex: '(?:[a-z ]{1,50}){19}(?:q|z)(?:[a-z ]{1,50}){9}' },
    selector: { selector: 'li:has(~ i)' },
    title: { selector: 'h1' },
  });
  assert.deepEqual(json, { path: null, first: 0, pattern: null, selector: null, title: 'Mill' });
  assert.deepEqual(cutShort, ['path', 'pattern', 'selector']);
});

test('an HTML field is clean HTML: absolute URLs, no scripts, handlers or classes', () => {
  const html = `<div class=d><p onclick="x()" title=t>Text <a href="/a">a</a><a href="javascript:x()">b</a><script>x</script></p><ul><li>one</ul></div>`;
  const { json } = fromHtml(html, { all: { selector: '.d', type: 'html' }, items: { selector: 'li', type: 'html[]' } });
  assert.deepEqual(json, {
    all: '<p title="t">Text <a href="https://example.org/a">a</a><a>b</a></p>\n<ul><li>one</li></ul>',
    items: ['<li>one</li>'],
  });
});

test('deep pages are read without exhausting the stack', () => {
  const html = `${'<div>'.repeat(20_000)}<p class=x>end</p>`;
  const { json } = fromHtml(html, {
    a: { selector: 'div .x' },
    b: { xpath: '//p' },
    c: { selector: 'body', type: 'html' },
  });
  assert.deepEqual([json['a'], json['b'], typeof json['c']], ['end', 'end', 'string']);
});

test('extraction never throws and returns exactly the requested members', () => {
  const pieces = fc.constantFrom(
    '<div itemscope>',
    '<b itemprop=price>',
    '5 €',
    '</div>',
    '<dl><dt>price<dd>',
    '<tr><td>price<td>4',
    '<label for=a>price</label>',
    '<input id=a>',
    '<script type="application/ld+json">{"@type":"Product","offers":[[{}],null,5]}</script>',
    '<meta property="og:price:amount" content="x">',
    '<time datetime="x">',
    ':',
    '\0',
  );
  const asked = {
    price: 'money',
    day: 'date',
    rows: { selector: 'div', many: true, fields: { price: 'number' } },
    deep: { fields: { price: { xpath: '//b', type: 'string[]' } } },
  };
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
      assert.deepEqual(Object.keys(fromHtml(parts.join(''), asked).json), ['price', 'day', 'rows', 'deep']);
    }),
    { numRuns: 100 },
  );
});
