import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PRODUCT_FIELDS } from '#testkit/product-fields.ts';
import { read } from './pages.ts';

function readFacts(html: string): Readonly<Record<string, unknown>> {
  const { json = {} } = read(html, { outputs: ['json'], extract: PRODUCT_FIELDS }).outputs;
  return Object.fromEntries(Object.entries(json ?? {}).filter(([, value]) => value !== null));
}

function product(members: string): string {
  return `<script type="application/ld+json">{"@type":"Product","name":"x",${members}}</script><h1>x</h1>`;
}

test('a product without structured data is read from the visible page', () => {
  const html = `<h1>Enamel kettle</h1><div class="price-box"><s class=price-old>€ 49,90</s> <span class=price>€ 39,90</span></div>
<ul><li><b>Brand</b> <span>Hazel & Son</span><li>Item no.: HK-204<li>EAN: 4006381333931</ul>
<button>Add to cart</button>`;
  assert.deepEqual(readFacts(html), {
    price: 39.9,
    currency: 'EUR',
    brand: 'Hazel & Son',
    sku: 'HK-204',
    gtin: '4006381333931',
    availability: 'InStock',
  });
});

test('product labels are recognised in many languages and forms', () => {
  const cases = [
    ['<h1>x</h1><p>Артикул: 5512-7</p>', { sku: '5512-7' }],
    ['<h1>x</h1><table><tr><td>Marke:<td>Arno<td>Bestellnummer:<td>88-120</table>', { brand: 'Arno', sku: '88-120' }],
    ['<h1>x</h1><h4>Référence</h4><div>TR204 rouge</div>', { sku: 'TR204' }],
    ['<h1>x</h1><dl><dt>メーカー<dd>山田製作所</dl>', { brand: '山田製作所' }],
    ['<h1>x</h1><span>make / manufacturer: <b>Consol Ltd</b></span>', { brand: 'Consol Ltd' }],
    ['<h1>x</h1><p>EAN: 4006381333932</p>', {}],
    ['<h1>x</h1><p>Item number: none</p>', {}],
  ] as const;
  for (const [html, facts] of cases) assert.deepEqual(readFacts(html), facts, html);
});

test('the price is the one to pay near the main heading', () => {
  const cases = [
    ['<p class=price>$1.00</p><h1>x</h1><p class=price>$2.00</p><p class=price>$3.00</p>', 2],
    ['<h1>x</h1><div class=prices><span>144 990 тг.</span> <span>131 990 тг.</span></div>', 131_990],
    ['<h1>x</h1><div class=price-wrapper><span class=priceWas>£14.99</span><b>£9.99</b></div>', 9.99],
    ['<h1>x</h1><div class=price><span>32</span><sup>50</sup> zł</div>', 32.5],
    ['<h1>x</h1><div class=price>$49.00 $39.90</div>', 39.9],
    ['<h1>x</h1><div class=price>49,00 € 39,90 € inkl. MwSt.</div>', 39.9],
    ['<h1>x</h1><div class=price>49.00 39.90 EUR -20%</div>', 39.9],
    ['<h1>x</h1><div class=price>$49.00 $45.00 $39.90</div>', 39.9],
    ['<h1>x</h1><div class=price>$39.90 $7.98/kg</div>', 39.9],
    ['<h1>x</h1><div class=price>$39.90 $9.10 off</div>', 39.9],
    ['<h1>x</h1><div class=price>$39.90 $12.00 a month</div>', 39.9],
    ['<h1>x</h1><div class=price>from $19.90</div>', 19.9],
    ['<h1>x</h1><div class=price>von 19,90 € bis 49,90 €</div>', 19.9],
    [
      '<h1>x</h1><div class=price><span content="3499.00">$3.499</span> - <span content="4059.00">$4.059</span></div>',
      3499,
    ],
    ['<h1>x</h1><p class=price hidden>$99.00</p><p class=price>$39.90</p>', 39.9],
    ['<h1>x</h1><div class=related><p class=price>$5.00</p></div>', undefined],
    ['<h1>x</h1><p class=shipping-price>$5.00</p>', undefined],
    ['<h1>x</h1><p class=price><b>8,71 €</b> <span>(4,36 € / 100 ml)</span></p>', 8.71],
    ['<h1>x</h1><div class=price><span>$39.90</span> <small>$7.98 per kg</small></div>', 39.9],
    ['<h1>x</h1><div class=price><span>$7.98 / kg</span></div>', 7.98],
    ['<h1>x</h1><p id=subscriptionPrice class=price>$8.27</p><p class=price>$8.71</p>', 8.71],
    ['<h1>x</h1><div class=subscribe><span class=price>$8.27</span></div><p class=price>$8.71</p>', 8.71],
    ['<h1>x</h1><div class=installments><span class=price>$9.00</span></div><p class=price>$36.00</p>', 36],
    ['<h1>x</h1><div class=subscription><span class=price>$8.27</span></div>', 8.27],
    [
      '<title>Red kettle | Shop</title><h1>Save 15 %</h1><p class=price>$9.25</p><h1>Red kettle</h1><p class=price>$8</p>',
      8,
    ],
    ['<title>Shop</title><h1>Red kettle</h1><p class=price>$9.25</p><h1>Details</h1><p class=price>$8</p>', 9.25],
    ['<h1>x</h1><p class=price>on request</p>', undefined],
  ] as const;
  for (const [html, price] of cases) assert.equal(readFacts(html)['price'], price, html);
});

test('a product is in stock if a text says so or there is a buy button', () => {
  const cases = [
    ['<h1>x</h1><div class=stock>Sold out</div><button>Buy now</button>', 'OutOfStock'],
    ['<h1>x</h1><div class=stock-state>Size M - En stock</div>', 'InStock'],
    ['<h1>x</h1><p>Verfügbarkeit: auf Lager</p>', 'InStock'],
    ['<h1>x</h1><input type=submit value="In den Warenkorb">', 'InStock'],
    ['<h1>x</h1><button class=add-to-cart><svg></svg></button>', 'InStock'],
    ['<h1>x</h1><button disabled>Add to cart</button>', undefined],
    ['<h1>x</h1><a class=add-to-basket><i class=label>Buy</i><i class=unavailable-label>Sold out</i></a>', 'InStock'],
    ['<h1>x</h1><button class=add-to-cart>Sold out</button>', undefined],
    ['<h1>x</h1><img class=cart src=b.png alt="Add to cart">', 'InStock'],
    ['<h1>x</h1><div class=buy>Купить</div>', 'InStock'],
    ['<h1>x</h1><span role=button>In den Warenkorb</span>', 'InStock'],
    ['<h1>x</h1><div>Buy</div>', undefined],
    ['<h1>x</h1><p>How to add to cart</p><a href=/>Read on</a>', undefined],
  ] as const;
  for (const [html, availability] of cases) assert.equal(readFacts(html)['availability'], availability, html);
});

test('stock phrases are recognised in many languages with surrounding words', () => {
  const soldOut = [
    'Nicht vorrätig',
    'Momentan nicht vorrätig.',
    'Dieser Artikel ist derzeit nicht verfügbar',
    'Sorry, this item is currently out of stock',
    'Temporarily unavailable',
    'Produit épuisé',
    'Actuellement indisponible',
    'Agotado temporalmente',
    'Este producto no está disponible',
    'Prodotto esaurito',
    'Produto esgotado',
    'Tijdelijk uitverkocht',
    'Niet in voorraad',
    'Tillfälligt slut i lager',
    'Produkt niedostępny',
    'Momentálně nedostupné',
    'Trenutno ni na zalogi',
    'Nu este în stoc',
    'Товара нет в наличии',
    'Немає в наявності',
    'Geçici olarak tükendi',
    '0 in stock',
    '目前缺貨',
    '在庫がありません',
    '재고 없음',
    'המוצר אינו במלאי',
    'غير متوفر حالياً',
  ];
  for (const text of soldOut) assert.equal(readFacts(`<h1>x</h1><p>${text}</p>`)['availability'], 'OutOfStock', text);
  const inStock = [
    'In stock',
    'Only 2 left in stock',
    '5 vorrätig',
    'Nur noch 3 auf Lager',
    'Есть в наличии',
    'Not sold',
  ];
  for (const text of inStock) assert.equal(readFacts(`<h1>x</h1><p>${text}</p>`)['availability'], 'InStock', text);
  const neither = ['Nobody is out of stock', 'On', 'No', 'Our stock', '3 left', 'Lieferzeit: 3 Tage'];
  for (const text of neither) assert.equal(readFacts(`<h1>x</h1><p>${text}</p>`)['availability'], undefined, text);
});

function priced(price: string, state: string): string {
  return product(`"offers":{"price":"${price}","priceCurrency":"EUR","availability":"${state}"}`);
}

test('a sold-out product with price 0 has no price', () => {
  assert.equal(readFacts(priced('0', 'OutOfStock'))['price'], undefined);
  assert.equal(readFacts(priced('0', 'InStock'))['price'], 0);
  assert.equal(readFacts(priced('5', 'OutOfStock'))['price'], 5);
});

test('unfilled template placeholders are ignored, and a SKU is the first word', () => {
  assert.deepEqual(readFacts(product('"brand":"$brandname","sku":"{{ sku }}"')), {});
  assert.deepEqual(readFacts(product('"sku":"TE50-12 Chair cover"')), { sku: 'TE50-12' });
  assert.deepEqual(readFacts(product('"sku":"Optic 9010"')), { sku: 'Optic 9010' });
});

function readAvailability(html: string): readonly [unknown, readonly string[]] {
  const { outputs, warnings } = read(html, { outputs: ['json'], extract: PRODUCT_FIELDS });
  const codes = warnings.map(({ code }) => code).filter((code) => code === 'sources_disagree');
  return [outputs.json?.['availability'], codes];
}

test('visible "sold out" overrides structured data, with a warning', () => {
  const told = product('"offers":{"@type":"Offer","availability":"https://schema.org/InStock"}');
  const soldOut = [
    '<p>Sold out</p><button disabled>Add to cart</button>',
    '<button disabled>Sold out</button>',
    '<button aria-disabled=true><span>Ausverkauft</span></button>',
    '<input type=submit disabled value="Épuisé">',
    '<b>Agotado</b><a class="button disabled">Comprar</a>',
    '<button disabled>Esaurito</button>',
    '<button disabled>Uitverkocht</button>',
    '<button disabled>売り切れ</button>',
  ];
  for (const html of soldOut)
    assert.deepEqual(readAvailability(told + html), ['OutOfStock', ['sources_disagree']], html);
  const inStock = [
    '<button>Add to cart</button><ul><li>Mug <button disabled>Sold out</button></ul>',
    '<button>Add to cart</button><button disabled>Sold out</button>',
    '<div class="related-products"><h2>Mug</h2><button disabled>Sold out</button></div>',
    '<p>Our mugs are sold out, this is not.</p><button disabled>Choose a size</button>',
    '<div hidden><button disabled>Sold out</button></div>',
    '<button disabled>Add to cart</button>',
  ];
  for (const html of inStock) assert.deepEqual(readAvailability(told + html), ['InStock', []], html);
});

function offer(state: string): string {
  return `{"@type":"Offer","availability":"https://schema.org/${state}"}`;
}

test('a product is in stock if any offer is', () => {
  const both = `"offers":[${offer('OutOfStock')},${offer('InStock')}]`;
  const inner = `"offers":{"@type":"AggregateOffer","offers":[${offer('SoldOut')},${offer('LimitedAvailability')}]}`;
  const none = `"offers":[${offer('OutOfStock')},${offer('Discontinued')}]`;
  assert.equal(readAvailability(product(both))[0], 'InStock');
  assert.equal(readAvailability(product(inner))[0], 'LimitedAvailability');
  assert.equal(readAvailability(product(none))[0], 'OutOfStock');
});

function variant(query: string, price: string, state: string): string {
  return `{"@type":"Offer","url":"/kettle${query}","sku":"K-${price}","price":"${price}","priceCurrency":"EUR","availability":"https://schema.org/${state}"}`;
}

test('the variant selected by the URL provides the facts', () => {
  const offers = `[${variant('?variant=1', '10', 'InStock')},${variant('?variant=2', '20', 'OutOfStock')}]`;
  const group = `"hasVariant":[{"@type":"Product","url":"/kettle?variant=1","offers":${variant('?variant=1', '10', 'InStock')}},
{"@type":"Product","url":"/kettle?variant=2","offers":${variant('?variant=2', '20', 'OutOfStock')}}]`;
  for (const members of [
    `"offers":${offers}`,
    `"offers":{"@type":"AggregateOffer","lowPrice":"10","offers":${offers}}`,
    group,
  ]) {
    const facts = (url: string) => {
      const { json } = read(product(members), { url, outputs: ['json'], extract: PRODUCT_FIELDS }).outputs;
      return [json?.['price'], json?.['sku'], json?.['availability']];
    };
    assert.deepEqual(facts('https://shop.example/kettle?variant=2'), [20, 'K-20', 'OutOfStock'], members);
    assert.deepEqual(facts('https://shop.example/kettle?variant=1#top'), [10, 'K-10', 'InStock'], members);
    assert.deepEqual(facts('https://shop.example/kettle'), [10, 'K-10', 'InStock'], members);
  }
});
