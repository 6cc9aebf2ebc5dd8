import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseMoneyText, type Money } from '#extract/values/money.ts';
import { parseCount } from '#extract/values/numbers.ts';
import { parseAmount } from '#extract/values/raw.ts';
import { Extract } from '#extract/grammar.ts';
import { read } from './pages.ts';

function inText(text: string, locale: string | null = null): string | null {
  return shown(parseMoneyText(text, { locale, currency: null }));
}

function shown(money: unknown): string | null {
  if (typeof money !== 'object' || money === null || !('amount' in money) || !('currency' in money)) return null;
  return `${String(money.amount)} ${String(money.currency)}`;
}

/** The price of an element, once by selector and once by name. */
function inMarkup(markup: string, language = 'en'): readonly [string | null, string | null] {
  const extract = Extract.parse({ fields: { selected: { selector: '.price', type: 'money' }, price: 'money' } });
  const html = `<html lang="${language}"><h1>Kettle</h1><p class="price">${markup}</p>`;
  const { json = {} } = read(html, { outputs: ['json'], extract }).outputs;
  return [shown(json['selected']), shown(json['price'])];
}

type TextCase = readonly [text: string, locale: string | null, price: string | null];

function testTexts(name: string, cases: readonly TextCase[]): void {
  test(name, () => {
    for (const [text, locale, price] of cases) assert.equal(inText(text, locale), price, `${text} (${locale ?? '-'})`);
  });
}

testTexts('two amounts are never read as one', [
  ['$99 $79', null, '99 USD'],
  ['$15 $12', null, '15 USD'],
  ['$99$79', null, '99 USD'],
  ['£35£20', null, '35 GBP'],
  ['35€ 99', null, '35.99 EUR'],
  ['35 € 99', null, null],
  ['$24 99', null, null],
  ['$24 12 reviews', null, '24 USD'],
  ['Qty 1 $24.99', null, '24.99 USD'],
  ['Qty 1 $24', null, '24 USD'],
  ['20% off $50', null, '50 USD'],
  ['20% off', null, null],
]);

testTexts('cents are read across the space beside their mark', [
  ['1299 ,00 €', 'de', '1299 EUR'],
  ['1 299 ,00 €', 'fr', '1299 EUR'],
  ['1299 , 00 €', null, '1299 EUR'],
  ['$ 1,299 .99', null, '1299.99 USD'],
  [',00 €', null, null],
]);

testTexts('the language of the page decides about a lone separator, unless the currency contradicts it', [
  ['£3.350', 'en-GB', '3.35 GBP'],
  ['£3,350', 'en-GB', '3350 GBP'],
  ['£3.350', null, null],
  ['1,699 €/l', 'de', '1.699 EUR'],
  ['1.699 €', 'de', '1699 EUR'],
  ['1.699 €/l', 'de', null],
  ['$3.459', 'en-US', '3.459 USD'],
  ['$1,299', 'es-MX', '1299 MXN'],
  ['$1,299', 'es', null],
  ['$1.299', 'es-CL', '1299 CLP'],
  ['€1.299', 'en-IE', '1.299 EUR'],
  ['€1.299', 'en-US', null],
  ['R1,299', 'en-ZA', '1299 ZAR'],
  ['¥1,299', 'ja', '1299 JPY'],
  ['Rp 1,500', 'id', '1500 IDR'],
  ['KD 1,234', 'en', '1234 KWD'],
  ['423.923 KD', 'ar-KW', '423.923 KWD'],
  ['$1,29999', null, null],
]);

testTexts('the part of a currency is a part of it', [
  ['99¢', null, '0.99 USD'],
  ['99¢', 'en-CA', '0.99 CAD'],
  ['99p', null, '0.99 GBP'],
  ['99P', 'en-GB', '0.99 GBP'],
  ['1 P', null, '1 null'],
  ['1 P', 'es', '1 null'],
  ['142.9p', 'en-GB', '1.429 GBP'],
  ['720p', 'en', null],
  ['99c', 'en-AU', '0.99 AUD'],
  ['99c', null, null],
  ['99 Cent', 'de', '0.99 EUR'],
  ['50 коп.', 'ru', '0.5 RUB'],
  ['10 руб. 50 коп.', 'ru', '10.5 RUB'],
  ['5 Euro 50 Cent', 'de', '5.5 EUR'],
  ['3元5角', null, '3.5 CNY'],
  ['¢99', null, null],
]);

testTexts('amounts in thousands, millions and more are scaled, or null where languages disagree', [
  ['1,2 Mio. €', 'de', '1200000 EUR'],
  ['₹2.5 Cr', null, '25000000 INR'],
  ['₹5 lakh', null, '500000 INR'],
  ['$1.2B', null, '1200000000 USD'],
  ['$500k', null, '500000 USD'],
  ['£2m', 'en-GB', '2000000 GBP'],
  ['12.5万元', null, '125000 CNY'],
  ['3万5000円', 'ja', '35000 JPY'],
  ['3千万円', 'ja', '30000000 JPY'],
  ['1億2000万円', 'ja', '120000000 JPY'],
  ['3 тыс. руб.', 'ru', '3000 RUB'],
  ['2,5 mln zł', 'pl', '2500000 PLN'],
  ['2,5 Mrd. Euro', 'de', '2500000000 EUR'],
  ['R$ 5 mil', 'pt-BR', '5000 BRL'],
  ['5 mil €', null, null],
  ['5 M€', 'fr', '5000000 EUR'],
  ['$1–2 million', null, '1000000 USD'],
  ['$1 – $2 million', null, null],
  ['$5 t-shirt', 'en', '5 USD'],
]);

testTexts('characters without a width, raised digits and words for other prices do not change a price', [
  ['$\u200b1,299\u200b.00', null, '1299 USD'],
  ['1\u2060299,00\u00ad €', null, '1299 EUR'],
  ['$24⁹⁹', null, '24.99 USD'],
  ['$24.99¹', null, '24.99 USD'],
  ['Was $100 Now $80', 'en', '80 USD'],
  ['statt 100 € 80 €', 'de', '80 EUR'],
  ['Regular price $100 Sale price $80', 'en', '80 USD'],
  ['Regular price $80', 'en', '80 USD'],
  ['Sale - $20', null, '20 USD'],
  ['EUR -5', null, '-5 EUR'],
]);

test('text struck out in any way is not a price', () => {
  const cases = [
    '<del>$100</del> <ins>$80</ins>',
    '<s>$100</s> $80',
    '<strike><b>$100</b></strike><b>$80</b>',
    '<span style="color:red;text-decoration: line-through">$100</span> $80',
    '<span style="text-decoration-line:line-through">$100</span><span>$80</span>',
    '<span class="text-sm line-through">$100</span><span>$80</span>',
    '<span class="was-price">$100</span> <span>$80</span>',
    '<span class="oldPrice">$100</span><span class="newPrice">$80</span>',
    '<span class="hover:line-through">$80</span>',
    '$80 <del>$100</del>',
    '<span style="display:none">$100</span>$80',
    '<del aria-hidden="true">$100.00</del> <span>Original price was: $100.00.</span> <ins>$80.00</ins>',
    '<span class=save>Save $20</span> <span>$80</span>',
  ];
  for (const markup of cases) assert.deepEqual(inMarkup(markup), ['80 USD', '80 USD'], markup);
  assert.deepEqual(inMarkup('<del>$100</del> Sold out'), [null, null]);
});

function dollars(amount: number): Money {
  return { amount, currency: 'USD' };
}

test('a struck-out price is used only if the selector matches no other', () => {
  const html = '<p class=price><del><b>$100</b></del> <ins><b>$80</b></ins><p class=price><b>$5</b>';
  const extract = Extract.parse({
    fields: {
      one: { selector: '.price b', type: 'money' },
      all: { selector: '.price b', type: 'money[]' },
      old: { selector: 'del', type: 'money' },
      inside: { xpath: '//del/b', type: 'money' },
    },
  });
  const { json = {} } = read(html, { outputs: ['json'], extract }).outputs;
  assert.deepEqual(json, {
    one: dollars(80),
    all: [dollars(80), dollars(5)],
    old: dollars(100),
    inside: dollars(100),
  });
});

test('superscript and separate cents are joined, footnote marks are not', () => {
  const cases = [
    ['$24<sup>99</sup>', '24.99 USD'],
    ['$1,299<sup>99</sup>', '1299.99 USD'],
    ['<sup>$</sup>24 <sup><u>99</u></sup>', '24.99 USD'],
    ['$24<sup>.99</sup>', '24.99 USD'],
    ['1.299<sup>99</sup> €', '1299.99 EUR'],
    ['24<sup>€99</sup>', '24.99 EUR'],
    ['24 €<sup>99</sup>', '24.99 EUR'],
    ['<span>$</span><span class="whole">24</span><span class="price-fraction">99</span>', '24.99 USD'],
    ['$24<small>99</small>', '24.99 USD'],
    ['<span>24</span><span style="vertical-align:super">99</span> €', '24.99 EUR'],
    ['$24<sup>1</sup>', '24 USD'],
    ['$24.99<sup>2</sup>', '24.99 USD'],
    ['$5<sup>M</sup>', '5 USD'],
    ['$3.45<sup>9</sup>', null],
    ['$24<sup>999</sup>', null],
    ['<span>$24</span><span>99</span>', null],
    ['<span>$24</span> <span>99</span>', null],
    ['<span>1</span> <span>299 €</span>', null],
  ] as const;
  for (const [markup, price] of cases) assert.deepEqual(inMarkup(markup), [price, price], markup);
});

function offer(inner: string): string {
  return `<div itemscope itemtype="https://schema.org/Product"><b itemprop=name>x</b><div itemprop=offers itemscope itemtype="https://schema.org/Offer"><meta itemprop=priceCurrency content=USD>${inner}</div></div>`;
}

function readJson(html: string, extract: Extract) {
  return read(html, { outputs: ['json'], extract }).outputs.json;
}

test('selectors, labels, schemas and structured data give the same price', () => {
  const cents = '<del>$100</del> $24<sup>99</sup>';
  const label = Extract.parse({ fields: { total: 'money' } });
  const schema = Extract.parse({ schema: { type: 'object', properties: { price: { type: 'number' } } } });
  const money = Extract.parse({ fields: { price: 'money' } });
  assert.deepEqual(readJson(`<dl><dt>Total<dd>${cents}</dl>`, label), { total: { amount: 24.99, currency: 'USD' } });
  assert.deepEqual(readJson('<p>Price: $24<sup>99</sup></p>', schema), { price: 24.99 });
  assert.deepEqual(readJson(offer(`<span itemprop=price>${cents}</span>`), money), {
    price: { amount: 24.99, currency: 'USD' },
  });
  assert.equal(parseAmount('1.299,00'), 1299);
  assert.equal(parseAmount('20 - 30'), null);
});

test('counts and prices support the same scale words', () => {
  assert.deepEqual(parseCount('3千万', 'ja'), { value: 30_000_000, approximate: true });
  assert.deepEqual(parseCount('5 bin', 'tr'), { value: 5000, approximate: true });
  assert.equal(parseCount('5 bin', 'en'), null);
});
