import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseValue, VALUE_TYPES, type ValueType } from '#extract/values/typed-values.ts';
import { anyText } from './support/any-text.ts';

const BASE = 'https://example.org/shop/';

function read(type: ValueType, text: string, locale: string | null = null, currency: string | null = null) {
  return parseValue(type, text, { locale, currency, baseUrl: BASE });
}

const NUMBERS: readonly (readonly [string, string | null, number | null])[] = [
  ['1234', null, 1234],
  ['1,234.56', null, 1234.56],
  ['1.234,56', null, 1234.56],
  ['1 234,56', null, 1234.56],
  ['1\u00a0234,56', null, 1234.56],
  ["1'049.95", null, 1049.95],
  ['12,34,567', null, 1234567],
  ['1,23,456.00', null, 123456],
  ['1.234.567', null, 1234567],
  ['1,234', null, 1234],
  ['1,234', 'de', 1.234],
  ['1.234', 'de', 1234],
  ['1.234', 'en', 1.234],
  ['0,5', null, 0.5],
  ['0.123', 'de', 0.123],
  ['-7.5 °C', null, -7.5],
  ['−3', null, -3],
  ['about 12 of 30', null, 12],
  ['15 %', null, 15],
  ['1.2K followers', null, 1200],
  ['3M', null, 3_000_000],
  ['16MB', null, 16],
  ['٣٤٥', null, 345],
  ['１２３', null, 123],
  ['1e3', null, 1000],
  ['2.5e3 kg', null, 2500],
  ['1e999999', null, null],
  ['1e-999999', null, null],
  ['about 1e999999 stones', null, null],
  ['0e9', null, 0],
  ['12e', null, 12],
  ['none', null, null],
  ['', null, null],
  ['1.2.3', null, null],
];

for (const [text, locale, expected] of NUMBERS) {
  test(`the number in "${text}" (${locale ?? 'no locale'}) is ${expected}`, () => {
    assert.equal(read('number', text, locale), expected);
  });
}

test('an integer is a safe whole number or null', () => {
  assert.equal(read('integer', '1,234 reviews'), 1234);
  assert.equal(read('integer', '4.0'), 4);
  assert.equal(read('integer', '4.5'), null);
  assert.equal(read('integer', '9007199254740993'), null);
});

const MONEY: readonly (readonly [string, string | null, number | null, string | null])[] = [
  ['€1.234,56', null, 1234.56, 'EUR'],
  ['$1,234.56', null, 1234.56, 'USD'],
  ['$1,234.56', 'en-CA', 1234.56, 'CAD'],
  ["CHF 1'049,95", null, 1049.95, 'CHF'],
  ['NZD $100.70', null, 100.7, 'NZD'],
  ['140,00 pln', null, 140, 'PLN'],
  ['3 try', null, 3, null],
  ['6 300 Р', null, 6300, 'RUB'],
  ['3,439.00 درهم', null, 3439, 'AED'],
  ['1 د.ك', null, 1, 'KWD'],
  ['RD$ 5', null, 5, 'DOP'],
  ['$119. 95', null, 119.95, 'USD'],
  ['130, 38 zł', null, 130.38, 'PLN'],
  ['10, 20, 30 €', null, 30, 'EUR'],
  ['35€ 99', null, 35.99, 'EUR'],
  ['10 € 20 €', null, 10, 'EUR'],
  ['From 26 to 50 €', null, 26, 'EUR'],
  ['2.00 100', null, 2, null],
  ['1 234,56 kr', 'sv', 1234.56, 'SEK'],
  ['1 234,56 kr', 'nb-NO', 1234.56, 'NOK'],
  ['¥12,345', null, 12345, 'JPY'],
  ['₹1,23,456.00', null, 123456, 'INR'],
  ['423.923 KD', null, 423.923, 'KWD'],
  ['1.234 €', null, 1234, 'EUR'],
  ['US$ 19.99', null, 19.99, 'USD'],
  ['R$ 1.299,90', null, 1299.9, 'BRL'],
  ['19,99 zł', null, 19.99, 'PLN'],
  ['EUR 5', null, 5, 'EUR'],
  ['From £10', null, 10, 'GBP'],
  ['£10–£20', null, 10, 'GBP'],
  ['3 items for $20', null, 20, 'USD'],
  ['-$5.00', null, -5, 'USD'],
  ['19.99', null, 19.99, null],
  ['Sold out', null, null, null],
];

for (const [text, locale, amount, currency] of MONEY) {
  test(`the price in "${text}" (${locale ?? 'no locale'}) is ${amount} ${currency}`, () => {
    assert.deepEqual(read('money', text, locale), amount === null ? null : { amount, currency });
  });
}

test('a price without a currency has the assumed one', () => {
  assert.deepEqual(read('money', '19.99', null, 'SEK'), { amount: 19.99, currency: 'SEK' });
  assert.deepEqual(read('money', '$5', null, 'AUD'), { amount: 5, currency: 'AUD' });
  assert.deepEqual(read('money', '€5', null, 'AUD'), { amount: 5, currency: 'EUR' });
});

const DAYS: readonly (readonly [string, string | null, string | null])[] = [
  ['2026-11-21', null, '2026-11-21'],
  ['2026-11-21T23:30:00-05:00', null, '2026-11-21'],
  ['20261121', null, '2026-11-21'],
  ['Sat, 21 Nov 2026 10:00:00 GMT', null, '2026-11-21'],
  ['November 21st, 2026', null, '2026-11-21'],
  ['Sat Nov 21 12:00:00 2026', null, '2026-11-21'],
  ['21-Nov-26', null, '2026-11-21'],
  ["21 Nov '26", null, '2026-11-21'],
  ['Nov 21 26 people', null, null],
  ['21 лістапада 2026', null, '2026-11-21'],
  ['২১ নভেম্বর ২০২৬', null, '2026-11-21'],
  ['2026 წ. 21 ნოე', null, '2026-11-21'],
  ['21. November 2026', 'de', '2026-11-21'],
  ['21 de noviembre de 2026', 'es', '2026-11-21'],
  ['le 1er mai 2026', 'fr', '2026-05-01'],
  ['21 ноября 2026 г.', 'ru', '2026-11-21'],
  ['2026. november 21.', 'hu', '2026-11-21'],
  ['2026年11月21日', 'ja', '2026-11-21'],
  ['2026년 11월 21일', 'ko', '2026-11-21'],
  ['21 tháng 11, 2026', 'vi', '2026-11-21'],
  ['21.11.2026', null, '2026-11-21'],
  ['03/04/2026', 'en-US', '2026-03-04'],
  ['03/04/2026', 'en-GB', '2026-04-03'],
  ['13/04/2026', 'en-US', '2026-04-13'],
  ['Published on 5 May 2026 at 10:00', 'en', '2026-05-05'],
  ['2026-02-30', null, null],
  ['version 1.2.3', null, null],
  ['no date', null, null],
];

for (const [text, locale, expected] of DAYS) {
  test(`the date in "${text}" (${locale ?? 'no locale'}) is ${expected}`, () => {
    assert.equal(read('date', text, locale), expected);
  });
}

test('a datetime is an instant if the time zone is known, else the local time, else the day', () => {
  assert.equal(read('datetime', '2026-11-21T23:30:00-05:00'), '2026-11-22T04:30:00.000Z');
  assert.equal(read('datetime', 'Sat, 21 Nov 2026 10:00:00 GMT'), '2026-11-21T10:00:00.000Z');
  assert.equal(read('datetime', '21 November 2026, 4:05 pm'), '2026-11-21T16:05:00');
  assert.equal(read('datetime', '21 November 2026'), '2026-11-21');
  assert.equal(read('datetime', '1795255200'), '2026-11-21T10:00:00.000Z');
});

test('booleans are parsed from words of many languages and from schema.org values', () => {
  for (const text of ['true', 'Yes', 'In stock', 'Auf Lager', 'https://schema.org/InStock', '1'])
    assert.equal(read('boolean', text), true);
  for (const text of ['false', 'No', 'Sold out', 'Ausverkauft', 'http://schema.org/OutOfStock'])
    assert.equal(read('boolean', text), false);
  assert.equal(read('boolean', 'perhaps'), null);
});

test('URLs are absolute and have a permitted scheme', () => {
  assert.equal(read('url', ' ../a?b#c '), 'https://example.org/a?b#c');
  assert.equal(read('url', 'javascript:alert(1)'), null);
  assert.equal(read('url', 'data:text/html,x'), null);
});

test('strings are in NFC, with collapsed white space and trimmed', () => {
  assert.equal(read('string', ' a\u0301 \r\n\u00a0 b '), 'á b');
  assert.equal(read('string', ' \n '), null);
});

test('numbers parse back from any digit grouping', () => {
  const amounts = fc.record({
    whole: fc.integer({ min: 1000, max: 999_999_999 }),
    cents: fc.integer({ min: 0, max: 99 }),
    style: fc.constantFrom('en', 'de', 'fr', 'en-IN', 'de-CH'),
  });
  fc.assert(
    fc.property(amounts, ({ whole, cents, style }) => {
      const value = Number(`${whole}.${String(cents).padStart(2, '0')}`);
      const text = new Intl.NumberFormat(style, { minimumFractionDigits: 2 }).format(value);
      assert.equal(read('number', text, style), value);
      assert.deepEqual(read('money', `${text} EUR`, style), { amount: value, currency: 'EUR' });
    }),
    { numRuns: 300 },
  );
});

test('no text makes a parser throw', () => {
  const texts = fc.oneof(anyText(60), fc.stringMatching(/^[-+.,'€$0-9a-zA-Z:/ ]{0,40}$/));
  fc.assert(
    fc.property(
      texts,
      fc.constantFrom(...VALUE_TYPES),
      fc.constantFrom(null, 'de', 'en-US', 'xx-invalid-locale-tag-that-is-long'),
      (text, type, locale) => {
        read(type, text, locale);
      },
    ),
    { numRuns: 1000 },
  );
});
