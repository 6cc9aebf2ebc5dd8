import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { toCanonicalKey, hashKey } from '#extract/urls/canonical-key.ts';
import { isTrackingParameter } from '#extract/values/web-urls.ts';

const SAME: readonly (readonly [what: string, url: string, key: string])[] = [
  ['a plain page', 'https://example.org/a', 'https://example.org/a'],
  ['the host alone', 'https://example.org', 'https://example.org/'],
  ['a fragment', 'https://example.org/a#top', 'https://example.org/a'],
  ['a fragment that holds a question mark', 'https://example.org/a#x?y=1', 'https://example.org/a'],
  [
    'a session of a forum',
    'https://example.org/a?sid=8f14e45fceea167a5a36dedd4bea2543&t=1',
    'https://example.org/a?t=1',
  ],
  ['a session of a shop', 'https://example.org/a?osCsid=7&x=1', 'https://example.org/a?x=1'],
  ['a session behind an escaped ampersand', 'https://example.org/a?x=1&amp;SID=a1b2c3', 'https://example.org/a?x=1'],
  ['a parameter that may number a story', 'https://example.org/a?sid=42', 'https://example.org/a?sid=42'],
  ['a parameter that may name a section', 'https://example.org/a?s=rye-bread', 'https://example.org/a?s=rye-bread'],
  [
    'a session in the path by another name',
    'https://example.org/a;SID=4%3Bx/b%3Bjsessionid=7',
    'https://example.org/a/b',
  ],
  ['a hash route', 'https://example.org/a?utm_source=x#/x%2dy?z=1', 'https://example.org/a#/x-y?z=1'],
  ['a hash route of the older form', 'https://example.org/#!x', 'https://example.org/#!x'],
  ['the root of hash routes', 'https://example.org/a#/', 'https://example.org/a'],
  ['the target of a button', 'https://example.org/a#!', 'https://example.org/a'],
  ['a default port', 'https://EXAMPLE.org:443/a', 'https://example.org/a'],
  ['another port', 'http://example.org:8080/a', 'http://example.org:8080/a'],
  ['a dot at the end of the host', 'https://example.org./a', 'https://example.org/a'],
  ['a dot before a port', 'https://example.org.:81/a', 'https://example.org:81/a'],
  ['a dot at the end of the path', 'https://example.org/a.', 'https://example.org/a.'],
  ['an address of version 6', 'http://[::1]:81/a', 'http://[::1]:81/a'],
  ['an empty query', 'https://example.org/a?', 'https://example.org/a'],
  ['tracking alone', 'https://example.org/a?utm_source=x&utm_medium=y', 'https://example.org/a'],
  ['tracking among others', 'https://example.org/a?b=2&GCLID=x&a=1&fbclid', 'https://example.org/a?b=2&a=1'],
  ['where a link stood', 'https://example.org/a?itm_source=menu&_trksid=p1&replytocom=7', 'https://example.org/a'],
  ['empty parameters', 'https://example.org/a?&b=2&&', 'https://example.org/a?b=2'],
  ['an equals sign within a value', 'https://example.org/a?b=c=d&utm_x=1=2', 'https://example.org/a?b=c=d'],
  ['the order of parameters', 'https://example.org/a?b=2&a=1', 'https://example.org/a?b=2&a=1'],
  [
    'a reference that may choose content',
    'https://example.org/a?ref=home&source=x',
    'https://example.org/a?ref=home&source=x',
  ],
  ['a session in the path', 'https://example.org/a;jsessionid=0A1B?x=1', 'https://example.org/a?x=1'],
  ['a session as a segment', 'https://example.org/(S(lit3py55t21z))/a', 'https://example.org/a'],
  ['a session as a segment below others', 'https://example.org/app/(A(x1)S(2-_))/', 'https://example.org/app/'],
  ['a segment in parentheses', 'https://example.org/(s)/f(x(1))/a', 'https://example.org/(s)/f(x(1))/a'],
  ['a matrix parameter', 'https://example.org/a;v=1/b', 'https://example.org/a;v=1/b'],
  ['escapes of plain characters', 'https://example.org/%7ea/%41?q=%2d', 'https://example.org/~a/A?q=-'],
  ['escapes in two cases', 'https://example.org/caf%c3%a9%2fb', 'https://example.org/caf%C3%A9%2Fb'],
  ['doubled slashes and an index page', 'https://example.org//a//index.html', 'https://example.org//a//index.html'],
  ['a slash at the end', 'https://example.org/a/', 'https://example.org/a/'],
];

for (const [what, url, key] of SAME)
  test(`the canonical key of ${what} is ${key}`, () => assert.equal(toCanonicalKey(new URL(url).href), key));

test('the canonical key equals a reference implementation with URL objects', () => {
  const host = fc.constantFrom(
    'example.org',
    'EXAMPLE.org.',
    'example.org:443',
    'example.org.:8080',
    '[::1]',
    '10.0.0.1',
  );
  const parameter = fc.constantFrom('a=1', 'b', 'utm_source=x', 'gclid=', '', 'c=%20', 'PHPSESSID=1', 'd=e=f', '=g');
  const path = fc.constantFrom('', '/', '/a/b', '/a;jsessionid=1/b', '/../x', '/a%20b', '/\u00e9');
  const parameters = fc.array(parameter, { maxLength: 5 });
  fc.assert(
    fc.property(host, path, fc.option(parameters), fc.constantFrom('', '#', '#a?b&c'), (at, below, query, hash) => {
      const mark = query === null ? '' : `?${query.join('&')}`;
      const url = new URL(`https://${at}${below}${mark}${hash}`);
      assert.equal(toCanonicalKey(url.href), computeReferenceKey(url));
    }),
    { numRuns: 5000 },
  );
});

function computeReferenceKey(url: URL): string {
  const host = url.hostname.replace(/\.$/, '') + (url.port === '' ? '' : `:${url.port}`);
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((parameter) => parameter !== '' && !isTrackingParameter(parameter.replace(/=.*/s, '')));
  const path = url.pathname.replace(/;jsessionid=[^/;]*/i, '');
  return `${url.protocol}//${host}${path}${kept.length === 0 ? '' : '?'}${kept.join('&')}`;
}

test('canonical keys are idempotent', () => {
  for (const [, url] of SAME) {
    const key = toCanonicalKey(new URL(url).href);
    assert.equal(toCanonicalKey(key), key);
  }
});

test('key hashes depend on key and salt, and have 22 ASCII characters', () => {
  const hashes = ['a', 'b'].flatMap((key) => ['job1', 'job2'].map((salt) => hashKey(key, salt)));
  assert.equal(new Set(hashes).size, 4);
  for (const hash of hashes) assert.match(hash, /^[\w-]{22}$/);
  assert.equal(hashKey('a', 'job1'), hashes[0]);
});
