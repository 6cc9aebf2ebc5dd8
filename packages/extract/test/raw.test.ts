import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseCount } from '#extract/values/numbers.ts';
import {
  parseDurationMs,
  getPath,
  toBoolean,
  toCount,
  toDurationMs,
  toInteger,
  toLine,
  toArray,
  toMediaUrl,
  toTimestamp,
  toNumber,
  secondsToMs,
  toText,
  toCleanUrl,
} from '#extract/values/raw.ts';
import { findFirstValue } from '#extract/values/find-first-value.ts';
import { NO_PRICE, parsePriceFields } from '#extract/values/money.ts';
import { toDirectUrl } from '#extract/values/web-urls.ts';
import { anyText } from './support/any-text.ts';

const BASE = 'https://site.example/posts/1';

const COUNTS: readonly (readonly [string, string | null, number | null, boolean?])[] = [
  ['12,345', 'en', 12_345],
  ['12.345', 'de', 12_345],
  ['2.2K', 'en-US', 2200, true],
  ['2,2K', 'de', 2200, true],
  ['84.7K ratings', 'en', 84_700, true],
  ['1.5M views', 'en', 1_500_000, true],
  ['3.4B', 'en', 3_400_000_000, true],
  ['3B', 'tr', 3000, true],
  ['1,5 mil', 'es', 1500, true],
  ['1,5 mil', 'pt-BR', 1500, true],
  ['1,5 mil.', 'ro', 1_500_000, true],
  ['1.5 mil', 'en', null],
  ['1,5 mil', null, null],
  ['3万', 'ja', 30_000, true],
  ['1億2000万', 'ja', 120_000_000, true],
  ['2.5만명', 'ko', 25_000, true],
  ['12 тыс. подписчиков', 'ru', 12_000, true],
  ['1,2 Mio.', 'de', 1_200_000, true],
  ['1.2 lakh', 'en-IN', 120_000, true],
  ['100+', 'en', 100, true],
  ['1K+ bought', 'en', 1000, true],
  ['7 comments', 'en', 7],
  ['17 Kommentare', 'de', 17],
  ['3 miles', 'en', 3],
  ['1.5', 'en', null],
  ['-5', 'en', null],
  ['no votes', 'en', null],
  ['', null, null],
];

test('counts use the scale words of their language and report rounding', () => {
  for (const [written, locale, value, approximate = false] of COUNTS) {
    const expected = value === null ? null : { value, approximate };
    assert.deepEqual(parseCount(written, locale), expected, `${written} (${locale})`);
  }
});

const DURATIONS: readonly (readonly [string, number | null])[] = [
  ['PT1M35S', 95_000],
  ['P1DT2H', 93_600_000],
  ['PT0S', 0],
  ['PT3M20.5S', 200_500],
  ['P1M', null],
  ['P', null],
  ['PT', null],
  ['3:45', 225_000],
  ['1:02:03', 3_723_000],
  ['0:07', 7000],
  ['3:75', null],
  ['1 hr 2 min', 3_720_000],
  ['2h5m3s', 7_503_000],
  ['45 minutes, 3 seconds', 2_703_000],
  ['1 Std. 5 Min.', 3_900_000],
  ['1 heure et 2 minutes', 3_720_000],
  ['5分30秒', 330_000],
  ['90', null],
  ['2 days ago', null],
  ['3 apples', null],
  ['', null],
];

test('durations are parsed from ISO 8601, clocks and numbers with units', () => {
  for (const [written, expected] of DURATIONS) assert.equal(parseDurationMs(written), expected, written);
});

test('a timestamp is in UTC, a day if the source has no time, and null for relative times', () => {
  assert.equal(toTimestamp('2024-04-15T20:00:20.757000+0000'), '2024-04-15T20:00:20.757Z');
  assert.equal(toTimestamp('2026-03-01T10:00:00-08:00'), '2026-03-01T18:00:00.000Z');
  assert.equal(toTimestamp('2026-03-01T10:00:00'), '2026-03-01');
  assert.equal(toTimestamp('2026-03-01'), '2026-03-01');
  assert.equal(toTimestamp('March 5, 2026', 'en-US'), '2026-03-05');
  assert.equal(toTimestamp(1_680_530_400), '2023-04-03T14:00:00.000Z');
  assert.equal(toTimestamp('1680530400'), '2023-04-03T14:00:00.000Z');
  assert.equal(toTimestamp(1_680_530_400_500), '2023-04-03T14:00:00.500Z');
  for (const words of ['3 days ago', 'yesterday', 'Monday at 9 AM', '', 0, -5, 12, 1e20, null, {}]) {
    assert.equal(toTimestamp(words), null, JSON.stringify(words));
  }
});

test('a path is undefined if a member is missing, null or inherited', () => {
  const raw: unknown = JSON.parse('{"a":{"b":[{"c":1},{"c":null}]},"__proto__":{"d":2}}');
  assert.equal(getPath(raw, 'a', 'b', 0, 'c'), 1);
  assert.deepEqual(getPath(raw, 'a', 'b', -1), { c: null });
  assert.equal(getPath(raw, 'a', 'b', 1, 'c'), undefined);
  assert.equal(getPath(raw, 'a', 'toString'), undefined);
  assert.equal(getPath(raw, '__proto__', 'd'), 2);
  assert.equal(getPath('text', 'length'), undefined);
  assert.deepEqual(toArray(getPath(raw, 'a')), []);
});

test('values of the wrong type are null', () => {
  assert.equal(toText('  a\n b\0 '), 'a\n b');
  assert.equal(toLine(' 9:00\u202fAM \n – 11 '), '9:00 AM – 11');
  assert.equal(toText(12), '12');
  assert.equal(toText(''), null);
  assert.equal(toText(true), null);
  assert.equal(toText('a\ud800'), 'a\ufffd');
  assert.equal(toInteger('12,345'), 12_345);
  assert.equal(toInteger('12.5'), null);
  assert.equal(toInteger(2 ** 53), null);
  assert.equal(toInteger('about 5'), null);
  assert.equal(toNumber('0.98'), 0.98);
  assert.equal(toNumber('1,5'), null);
  assert.equal(toBoolean('true'), null);
  assert.deepEqual(toCount(7, null), { value: 7, approximate: false });
  assert.equal(toCount(-1, null), null);
  assert.equal(secondsToMs(3.5), 3500);
  assert.equal(toDurationMs(90), null);
});

const PRICES: readonly (readonly [string, string | null, string | null, number | null, string | null])[] = [
  ['1.234,56 €', 'de', null, 1234.56, 'EUR'],
  ['$35.99', 'en-US', null, 35.99, 'USD'],
  ['$35.99', 'en', null, 35.99, null],
  ['$35.99', null, 'CAD', 35.99, 'CAD'],
  ['$35.99', null, 'EUR', 35.99, null],
  ['35.99', 'en', 'EUR', 35.99, 'EUR'],
  ['￥1,200', 'ja', 'JPY', 1200, 'JPY'],
  ['US$12', null, null, 12, 'USD'],
  ['-5 €', null, null, null, null],
  ['Free', null, 'USD', null, null],
];

test('a price keeps its wording, and an ambiguous sign gives no currency', () => {
  for (const [wording, locale, currency, price, expected] of PRICES) {
    assert.deepEqual(
      parsePriceFields(wording, { locale, currency }),
      { price, currency: expected, price_text: wording },
      wording,
    );
  }
  assert.deepEqual(parsePriceFields('  ', { locale: null, currency: 'EUR' }), NO_PRICE);
});

test('a URL loses redirectors and tracking parameters only', () => {
  assert.equal(
    toCleanUrl('https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2Fa%3Fid%3D1%26fbclid%3Dx&h=AT0', BASE),
    'https://example.org/a?id=1',
  );
  assert.equal(toCleanUrl('/url?q=https://example.org/&sa=U', BASE), 'https://example.org/');
  assert.equal(
    toCleanUrl('/sspa/click?ie=UTF8&url=%2FThing%2Fdp%2FB000000001%2Fref%3Dsr', BASE),
    'https://site.example/Thing/dp/B000000001/ref=sr',
  );
  assert.equal(
    toCleanUrl('https://out.site.example/t3_1?url=https%3A%2F%2Fexample.org%2Fb&token=x', BASE),
    'https://example.org/b',
  );
  assert.equal(
    toCleanUrl('/event?id=5&utm_source=x&__cft__[0]=y&b=%C3%A4#top', BASE),
    'https://site.example/event?id=5&b=%C3%A4#top',
  );
  assert.equal(toCleanUrl('?utm_source=x', BASE), 'https://site.example/posts/1');
  assert.equal(toCleanUrl('javascript:alert(1)', BASE), null);
  assert.equal(toCleanUrl('mailto:a@example.org', BASE), null);
  assert.equal(
    toCleanUrl('/redirect?q=javascript:alert(1)', BASE),
    'https://site.example/redirect?q=javascript:alert(1)',
  );
  assert.equal(toMediaUrl('//cdn.example/i.jpg?fbclid=1', BASE), 'https://cdn.example/i.jpg?fbclid=1');
  assert.equal(toMediaUrl('data:image/png;base64,AA', BASE), null);
});

function fails(): null {
  throw new Error('broken source');
}

test('the first candidate with a value wins, and one that throws has none', () => {
  assert.equal(
    findFirstValue<number>(
      fails,
      () => null,
      () => undefined,
      () => 0,
      () => 1,
    ),
    0,
  );
  assert.equal(findFirstValue(fails), null);
});

test('any input gives a value in range or null', () => {
  const hostile = fc.oneof(anyText(), fc.stringMatching(/^[\d.,:KMmilPTHS万億 +-]{0,40}$/), fc.double(), fc.anything());
  fc.assert(
    fc.property(hostile, fc.constantFrom(null, 'en', 'de', 'es', 'ja', 'x-bogus'), (raw, locale) => {
      const counted = toCount(raw, locale);
      assert.ok(counted === null || (Number.isSafeInteger(counted.value) && counted.value >= 0));
      const length = toDurationMs(raw);
      assert.ok(length === null || (Number.isSafeInteger(length) && length >= 0));
      const when = toTimestamp(raw, locale);
      assert.ok(when === null || /^\d{4}-\d\d-\d\d(?:T[\d:.]+Z)?$/.test(when));
      const link = toCleanUrl(raw, BASE);
      assert.ok(link === null || /^https?:\/\//.test(link));
      if (link !== null) assert.equal(toDirectUrl(link, BASE), link);
      if (typeof raw === 'string') assert.ok((parsePriceFields(raw, { locale, currency: null }).price ?? 0) >= 0);
    }),
    { numRuns: 2000 },
  );
});
