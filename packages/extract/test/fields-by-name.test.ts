import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from '#extract/read-page.ts';
import { Extract } from '#extract/grammar.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';

const TEXT = `<p>${'A hinge of oak gates is forged by hand and hung at dawn. '.repeat(6)}</p>`;

function readFields(html: string, extract: unknown) {
  const page = `<html lang=en><meta charset=utf-8><title>Oak gate hinge – Lock Shop</title><main><div><h1>Oak gate hinge</h1>${html}${TEXT}</div></main>`;
  const asked = buildMarkdownRequest(new TextEncoder().encode(page), 'https://shop.example/p/hinge');
  const { outputs, warnings } = readPage({ ...asked, outputs: ['json'], extract: Extract.parse(extract) });
  return { json: outputs.json, warnings };
}

const LABELLED: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['<p>Weight: 1.2 kg / Colour: Blue / SKU: BK-17</p>', { weight: '1.2 kg', colour: 'Blue', sku: 'BK-17' }],
  ['<p>Weight: 1.2 kg | Colour: Blue | SKU: BK-17</p>', { weight: '1.2 kg', colour: 'Blue', sku: 'BK-17' }],
  [
    '<div>Weight: 1.2 kg, Colour: Blue, Material: Oak, ash and elm</div>',
    { weight: '1.2 kg', colour: 'Blue', material: 'Oak, ash and elm' },
  ],
  ['<p>Weight: 1.2 kg<br>Colour: Blue<br>SKU: BK-17</p>', { weight: '1.2 kg', colour: 'Blue', sku: 'BK-17' }],
  ['<p>Weight: 1.2 kg Colour: Blue SKU: BK-17</p>', { weight: '1.2 kg', colour: 'Blue', sku: 'BK-17' }],
  ['<ul><li>Weight: 1.2 kg<li>Colour: Blue</ul>', { weight: '1.2 kg', colour: 'Blue' }],
  [
    '<p><b>Weight:</b> 1.2 kg <b>Colour:</b> <i>Blue</i> <b>SKU:</b> BK-17</p>',
    { weight: '1.2 kg', colour: 'Blue', sku: 'BK-17' },
  ],
  [
    `<p>${['Weight', 'Colour', 'Finish', 'Origin', 'Length', 'Width'].map((name) => `<b>${name}:</b> <span>some <i>${name}</i></span> `).join('')}</p>`,
    { weight: 'some Weight', finish: 'some Finish', width: 'some Width' },
  ],
  ['<p>Gewicht: 1,2 kg · Farbe: Blau · Norm: DIN</p>', { gewicht: '1,2 kg', farbe: 'Blau', norm: 'DIN' }],
  ['<p>重量：1.2 kg；颜色：蓝色</p>', { 重量: '1.2 kg', 颜色: '蓝色' }],
  [
    '<p>Hours: 10:30 - 12:00; Web: https://a.example/x?b:c</p>',
    { hours: '10:30 - 12:00', web: 'https://a.example/x?b:c' },
  ],
  [
    '<p>Note: the hinge is heavy: it holds two hundred kilograms.</p>',
    { note: 'the hinge is heavy: it holds two hundred kilograms.' },
  ],
  ['<p>Address: 12 Mill Street<br>Oakham</p>', { address: '12 Mill Street Oakham' }],
];

for (const [html, expected] of LABELLED) {
  test(`the labels in ${html} are found with their values`, () => {
    const fields = Object.fromEntries(Object.keys(expected).map((name) => [name, 'string']));
    assert.deepEqual(readFields(html, { fields }).json, expected);
  });
}

test('a price among several labels on a line is found', () => {
  const { json } = readFields('<p>Deposit: $5.00 / Price: $39.90 / Weight: 1.2 kg</p>', { fields: { price: 'money' } });
  assert.deepEqual(json, { price: { amount: 39.9, currency: 'USD' } });
});

const COUNTED: readonly (readonly [string, Readonly<Record<string, string>>, Readonly<Record<string, unknown>>])[] = [
  ['<a href="#r">(213 reviews)</a>', { name: 'string', reviews: 'integer' }, { name: 'Oak gate hinge', reviews: 213 }],
  ['(213 reviews)', { review_count: 'number' }, { review_count: 213 }],
  ['<span>1,213 customer reviews</span>', { reviews: 'integer' }, { reviews: 1213 }],
  ['<span>213 Bewertungen</span>', { bewertungen: 'integer' }, { bewertungen: 213 }],
  ['<span>1 answer</span>', { answers: 'integer' }, { answers: 1 }],
  ['<span>4.5 out of 5 stars</span>', { rating: 'number' }, { rating: 4.5 }],
  ['<span hidden>99 reviews</span><span>213 reviews</span>', { reviews: 'integer' }, { reviews: 213 }],
  [
    '<script type="application/ld+json">{"@type":"Product","name":"Hinge","aggregateRating":{"ratingValue":"4.5","reviewCount":213}}</script>',
    { name: 'string', rating: 'number', reviews: 'integer' },
    { name: 'Hinge', rating: 4.5, reviews: 213 },
  ],
];

for (const [html, fields, expected] of COUNTED) {
  test(`${html} gives ${JSON.stringify(expected)} by name`, () =>
    assert.deepEqual(readFields(html, { fields }).json, expected));
}

test('requested fields that are not found are listed', () => {
  const { json, warnings } = readFields('<p>Weight: 1.2 kg</p>', { fields: { weight: 'string', depth: 'string' } });
  assert.deepEqual(json, { weight: '1.2 kg', depth: null });
  assert.deepEqual(warnings, [{ code: 'fields_not_found', message: 'not found: depth' }]);
});

test('schema members are found by the same labels and counts', () => {
  const properties = { name: { type: 'string' }, weight: { type: 'string' }, reviews: { type: 'integer' } };
  const { json } = readFields('<p>Weight: 1.2 kg / Colour: Blue</p>(213 reviews)', {
    schema: { type: 'object', properties },
  });
  assert.deepEqual(json, { name: 'Oak gate hinge', weight: '1.2 kg', reviews: 213 });
});

const SOLD: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ['<p>Price: £39.90</p>', { price: 39.9, currency: 'GBP', availability: null }],
  ['<div>Price: was $49.00, now $39.90</div>', { price: 39.9, currency: 'USD', availability: null }],
  ['<div class="price">Was $49.00 Now $39.90 (Save $9.10)</div>', { price: 39.9, currency: 'USD', availability: null }],
  ['<div class="price">From $39.90 to $49.00</div>', { price: 39.9, currency: 'USD', availability: null }],
  [
    '<div class="price">39.90</div><meta itemprop="priceCurrency" content="CHF">',
    { price: 39.9, currency: 'CHF', availability: null },
  ],
  ['<p class="price">39,90 €</p><p>Épuisé</p>', { price: 39.9, currency: 'EUR', availability: 'OutOfStock' }],
  [
    '<p class="price">39,90 €</p><button disabled>Ausverkauft</button>',
    { price: 39.9, currency: 'EUR', availability: 'OutOfStock' },
  ],
  [
    '<p class="price">39,90 €</p><p>Sold out</p><button>Add to cart</button>',
    { price: 39.9, currency: 'EUR', availability: 'InStock' },
  ],
];

for (const [html, expected] of SOLD) {
  test(`the product facts of ${html} are ${JSON.stringify(expected)}`, () => {
    const fields = { price: 'number', currency: 'string', availability: 'string' };
    assert.deepEqual(readFields(html, { fields }).json, expected);
  });
}

test('a number field named as a price is the price to pay', () => {
  const fields = { price: { selector: '.price', type: 'number' } };
  assert.deepEqual(readFields('<p class="price">Was $49.00 Now $39.90</p>', { fields }).json, { price: 39.9 });
});
