import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameListing, type ListingPage, toListingPage } from '#extract/urls/pagination.ts';
import { createShapeCounter, isTrap } from '#extract/urls/traps.ts';
import { toAddress } from './addresses.ts';

const NOW = Date.UTC(2026, 10, 21);
const SITE = 'https://example.org';

const TRAPS = [
  '/a/b/a/b/a/b',
  '/x/y/about/about/about',
  '/en/shop/cart/shop/cart/shop/cart/',
  '/1/1/1/1/1/1/1',
  `/${'x/'.repeat(2)}${Array.from({ length: 40 }, (_, at) => `s${at}`).join('/')}`,
  `/search?q=${'a'.repeat(2100)}`,
  '/login?return=%2Flogin%3Freturn%3D%252525',
  `/list?${'f[]=1&'.repeat(12)}`,
  `/list?${Array.from({ length: 31 }, (_, at) => `p${at}=1`).join('&')}`,
  '/calendar/2031-05',
  '/calendar/month/2031-05/',
  '/events?a=b&date=20310501',
  '/?tribe-bar-date=2031-05-01',
  '/events/2040/01/02',
  '/events?month=2031-01',
  '/agenda?year=2099&month=1',
];

const PAGES = [
  '/',
  '/2011/11/11/eleven',
  '/2026/11/21/a-story',
  '/docs/api/v2/api/reference',
  '/1/1/1',
  '/shop/shop/deals',
  '/calendar/2026-12',
  '/calendar/2027',
  '/events/2028-08-08',
  '/events/1984/the-rally',
  '/products/lamp-2099',
  '/item/203105',
  '/list?page=250',
  '/list?f[]=1&f[]=2&f[]=3',
  '/go?to=%2Fa%252Fb',
  '/wiki/3000',
  '/events/week-of-the-date-2999',
  '/events/2999',
  '/events/2031-things-to-do',
  '/events?date=2031st',
];

for (const path of TRAPS)
  test(`${path.slice(0, 60)} is a crawler trap`, () => assert.equal(isTrap(toAddress(SITE + path), NOW), true));
for (const path of PAGES)
  test(`${path} is not a crawler trap`, () => assert.equal(isTrap(toAddress(SITE + path), NOW), false));

function countAdmitted(paths: readonly string[]): number {
  const counts = createShapeCounter();
  return paths.filter((path) => counts.admits(toAddress(SITE + path))).length;
}

function many(count: number, path: (at: number) => string): readonly string[] {
  return Array.from({ length: count }, (_, at) => path(at));
}

test('listing pages, articles and shop items are not limited', () => {
  const pages = [
    ...many(3000, (at) => `/news?page=${at}`),
    ...many(3000, (at) => `/news/page/${at}`),
    ...many(3000, (at) => `/forum?sort=new&offset=${at * 20}`),
    ...many(3000, (at) => `/news/a-story-${at}`),
    ...many(3000, (at) => `/item?id=${at}`),
  ];
  assert.equal(countAdmitted(pages), pages.length);
});

test('filter combinations are limited', () => {
  const filters = many(3000, (at) => `/shop?color=${at % 10}&size=${at % 7}&brand=${at % 31}&price=${at}`);
  assert.equal(countAdmitted(filters), 500);
});

test('filter combinations are limited per kind of listing', () => {
  const filters = many(
    3000,
    (at) => `/shop/list-${at % 50}?color=${at % 10}&size=${at % 7}&brand=${at % 31}&price=${at}`,
  );
  assert.equal(countAdmitted(filters), 500);
});

test('calendars are limited, each listing separately', () => {
  assert.equal(countAdmitted(many(6000, (at) => `/calendar/${1000 + at}-01`)), 5000);
  assert.equal(countAdmitted(many(6000, (at) => `/events?date=${1000 + at}-01`)), 5000);
  assert.equal(countAdmitted(many(6000, (at) => `/events/a-fair-${at}`)), 6000);
  assert.equal(
    countAdmitted([...many(600, (at) => `/a?w=${at}&x=1&y=1&z=1`), ...many(600, (at) => `/b?w=${at}&x=1&y=1&z=1`)]),
    1000,
  );
});

type Step = readonly [from: string, to: string, rel: 'next' | 'prev' | null, same: boolean];

const STEPS: readonly Step[] = [
  ['/news', '/news?page=2', null, true],
  ['/news?page=2', '/news?page=3', null, true],
  ['/news?page=3', '/news', null, true],
  ['/news?sort=new&page=2', '/news?page=9&sort=new', null, true],
  ['/news?sort=new', '/news?sort=old&page=2', null, false],
  ['/news', '/news/page/2', null, true],
  ['/news/page/2/', '/news/page/3/', null, true],
  ['/news/', '/news/page-2', null, true],
  ['/forum?offset=20', '/forum?offset=40', null, true],
  ['/news', '/sport?page=2', null, false],
  ['/news', '/news/a-story-7', null, false],
  ['/news/a-story-7', '/news/a-story-8', null, false],
  ['/news?page=2', '/news?page=2', null, false],
  ['/news', '/news?page=two', null, false],
  ['/shop/all?p=2', '/shop/all?p=3', null, true],
  ['/?p=959', '/?p=12', null, false],
  ['/thread.php?t=7', '/thread.php?t=7&p=104652', null, false],
  ['/shop/p/123', '/shop/p/456', null, false],
  ['/news?after=abc', '/news?after=def', 'next', true],
  ['/news?after=abc', '/news?after=def', null, false],
  ['/story/part-1.html', '/story/part-2.html', 'next', true],
  ['/news/a-story-7', '/sport/a-game-8', 'next', false],
];

function pageAt(href: string): ListingPage {
  return toListingPage(toAddress(href));
}

for (const [from, to, rel, same] of STEPS) {
  test(`${to} ${same ? 'is another page of' : 'goes deeper than'} ${from}${rel === null ? '' : `, marked ${rel}`}`, () => {
    assert.equal(isSameListing(pageAt(SITE + from), pageAt(SITE + to), rel), same);
  });
}

test('the same path on another host is another listing', () => {
  assert.equal(isSameListing(pageAt(`${SITE}/news`), pageAt('https://www.example.org/news?page=2'), null), true);
  assert.equal(isSameListing(pageAt(`${SITE}/news`), pageAt('https://example.com/news?page=2'), 'next'), false);
});
