import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { getPathAndQuery, toUrlParts } from '#extract/urls/url-parts.ts';
import { admitLink, getLinkKind } from '#extract/urls/link-admission.ts';
import { checkFilterPattern, compileFilter } from '#extract/urls/url-filter.ts';
import { isInScope, type ScopeKind, buildScope } from '#extract/urls/scope.ts';
import { toAddress } from './addresses.ts';

const NOW = Date.UTC(2026, 10, 21);

test('a URL is split like a URL object', () => {
  const part = fc.constantFrom('a', '/', '?', '#', '=', '&', ':', '.', '%20', 'b-c');
  const tail = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));
  const host = fc.constantFrom('example.org', 'www.example.org:8080', '[::1]:81', '127.0.0.1');
  fc.assert(
    fc.property(fc.constantFrom('http', 'https'), host, tail, (scheme, at, rest) => {
      const url = new URL(`${scheme}://${at}/${rest}`);
      const address = toAddress(url.href);
      assert.deepEqual(address, { scheme, authority: url.host, path: url.pathname, query: url.search.slice(1) });
      assert.equal(getPathAndQuery(address), url.pathname + url.search);
    }),
  );
  for (const href of ['mailto:a@example.org', 'ftp://example.org/a', 'https://user@example.org/', 'data:,http://a/'])
    assert.equal(toUrlParts(href), null, href);
});

type Row = readonly [kind: ScopeKind, seed: string, inside: readonly string[], outside: readonly string[]];

const SCOPES: readonly Row[] = [
  [
    'path',
    'https://example.org/docs/',
    ['https://example.org/docs', 'http://www.example.org/docs/a/b?c'],
    ['https://example.org/', 'https://example.org/docs-old/', 'https://a.example.org/docs/'],
  ],
  ['path', 'https://example.org/docs', ['https://example.org/docs/a'], ['https://example.org/other']],
  ['path', 'https://example.org/docs/intro.html', ['https://example.org/docs/next.html'], ['https://example.org/doc']],
  ['path', 'https://example.org/', ['https://example.org/any/where'], ['https://example.com/']],
  [
    'host',
    'https://www.example.co.uk/x',
    ['https://example.co.uk/', 'http://www.example.co.uk/y', 'https://example.co.uk./'],
    ['https://shop.example.co.uk/', 'https://example.co.uk:8443/', 'https://example.co.uk.evil.example/'],
  ],
  ['host', 'http://127.0.0.1:8080/', ['http://127.0.0.1:8080/a'], ['http://127.0.0.1:8081/', 'http://127.0.0.1/']],
  [
    'subdomains',
    'https://docs.example.org/',
    ['https://v2.docs.example.org/', 'http://docs.example.org/'],
    ['https://example.org/', 'https://www.example.org/', 'https://notdocs.example.org/'],
  ],
  [
    'subdomains',
    'https://www.example.org/',
    ['https://a.b.example.org/', 'https://example.org/'],
    ['https://bexample.org/'],
  ],
  [
    'domain',
    'https://docs.example.co.uk/',
    ['https://example.co.uk/', 'https://shop.example.co.uk:81/'],
    ['https://other.co.uk/', 'https://example.com/'],
  ],
  [
    'domain',
    'https://ada.github.io/',
    ['https://www.ada.github.io/'],
    ['https://bob.github.io/', 'https://github.io/'],
  ],
  ['domain', 'http://192.0.2.7/', ['http://192.0.2.7:81/'], ['http://192.0.2.8/']],
  ['domain', 'http://intranet/', ['http://intranet/a'], ['http://other/']],
  ['host', 'https://www.com/', ['https://www.com/a'], ['https://com/']],
  ['any', 'https://example.org/', ['https://example.com/a', 'http://192.0.2.8:81/'], []],
];

for (const [kind, seed, inside, outside] of SCOPES) {
  test(`scope ${kind} of ${seed} is respected`, () => {
    const scope = buildScope(kind, seed, seed);
    assert.ok(scope !== null);
    for (const href of inside) assert.ok(isInScope(scope, toAddress(href)), href);
    for (const href of outside) assert.ok(!isInScope(scope, toAddress(href)), href);
  });
}

test('the scope comes from the final URL of the seed', () => {
  assert.equal(buildScope('host', 'http://example.org/', 'https://www.example.org/en/')?.authority, 'example.org');
  assert.equal(buildScope('host', 'https://example.org/', 'https://shop.example.org/')?.authority, 'shop.example.org');
  assert.equal(buildScope('path', 'https://example.org/docs', 'https://example.org/en/docs/')?.folder, '/en/docs');
});

test('a seed redirected to another registrable domain has no scope', () => {
  assert.equal(buildScope('domain', 'https://example.org/', 'https://example.com/'), null);
  assert.equal(buildScope('domain', 'https://ada.github.io/', 'https://bob.github.io/'), null);
  assert.equal(buildScope('any', 'https://example.org/', 'https://example.com/')?.authority, 'example.com');
});

type Match = readonly [pattern: string, matching: readonly string[], others: readonly string[]];

const PATTERNS: readonly Match[] = [
  ['/blog/*', ['/blog/a', '/blog/a/', '/blog/', '/blog/a?page=2'], ['/blog/a/b', '/blog', '/x/blog/a']],
  ['/blog/**', ['/blog/a/b/c', '/blog/', '/blog/a?x=/y'], ['/blog', '/blogs/a']],
  ['/a', ['/a', '/a/', '/a?b=1'], ['/ab', '/a/b']],
  ['**.html', ['/a/b.html', '/b.html?x=1'], ['/a/b.htm']],
  ['*', ['/', '/a/b'], []],
  ['*.pdf', ['/a/b.pdf'], ['/a/b.pdf/c']],
  ['**', ['/', '/a/b?c'], []],
  ['/*/edit', ['/a/edit', '/b/edit/'], ['/a/b/edit', '/edit']],
  ['/**/edit', ['/a/b/edit', '/a/edit'], ['/edit']],
  ['/list?page=*', ['/list?page=2', '/list?page='], ['/list', '/list?sort=up&page=2', '/lists?page=1']],
  ['**?**sort=**', ['/a?sort=up', '/a/b?x=1&sort=up'], ['/sort=', '/a?x=1']],
  ['/caf\u00e9/*', ['/caf%C3%A9/a'], ['/cafe/a']],
  ['/a.b', ['/a.b'], ['/aXb']],
  ['re:^/\\d{4}/', ['/2026/a'], ['/a/2026/']],
  ['re:page=\\d+$', ['/a?page=2'], ['/a?page=2&b']],
  ['url:^https://example\\.org/[ab]\\?c$', ['/a?c', '/b?c'], ['/a', '/d?c']],
  ['url:^http:', [], ['/a']],
];

for (const [pattern, matching, others] of PATTERNS) {
  test(`the pattern ${pattern} matches the expected URLs`, () => {
    const included = compileFilter([pattern], []);
    const excluded = compileFilter([], [pattern]);
    for (const [paths, matches] of [
      [matching, true],
      [others, false],
    ] as const)
      for (const path of paths) {
        const address = toAddress(`https://example.org${path}`);
        assert.equal(included.admits(address, 'link'), matches, `include ${path}`);
        assert.equal(excluded.admits(address, 'link'), !matches, `exclude ${path}`);
      }
  });
}

test('globs match like a naive implementation', () => {
  const pattern = fc
    .string({ unit: fc.constantFrom('a', 'b', '*', '/', '**'), maxLength: 6 })
    .map((text) => `/${text}`);
  const path = fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 8 }).map((text) => `/${text}c`);
  fc.assert(
    fc.property(pattern, path, (glob, asked) => {
      const filter = compileFilter([`${glob}c`], []);
      assert.equal(filter.admits(toAddress(`https://a.example${asked}`), 'link'), matchesNaively(`${glob}c`, asked));
    }),
    { numRuns: 3000 },
  );
});

function matchesNaively(glob: string, path: string): boolean {
  const stars = /^\*+/.exec(glob)?.[0] ?? '';
  if (stars === '')
    return glob === '' ? path === '' : glob[0] === path[0] && matchesNaively(glob.slice(1), path.slice(1));
  const rest = glob.slice(stars.length);
  const longest = stars.length > 1 ? path.length : (/^[^/]*/.exec(path)?.[0].length ?? 0);
  return Array.from({ length: longest + 1 }, (_, taken) => path.slice(taken)).some((left) =>
    matchesNaively(rest, left),
  );
}

test('an exclude pattern takes precedence over include patterns', () => {
  const filter = compileFilter(['/a/**', '/b/**'], ['**/private/**']);
  const admitted = ['/a/x', '/b/x', '/c/x', '/a/private/x'].filter((path) =>
    filter.admits(toAddress(`https://example.org${path}`), 'link'),
  );
  assert.deepEqual(admitted, ['/a/x', '/b/x']);
});

test('the seed need not match include, but exclude applies to it', () => {
  const filter = compileFilter(['/a/**'], ['/b/**']);
  assert.equal(filter.admits(toAddress('https://example.org/'), 'seed'), true);
  assert.equal(filter.admits(toAddress('https://example.org/b/c'), 'seed'), false);
});

test('an invalid pattern is refused with a reason', () => {
  assert.equal(checkFilterPattern('/blog/*'), null);
  assert.equal(checkFilterPattern('re:^/a'), null);
  assert.match(checkFilterPattern('blog/*') ?? '', /start with \//);
  assert.match(checkFilterPattern('https://example.org/*') ?? '', /path and query/);
  assert.match(checkFilterPattern(`/${'a'.repeat(1000)}`) ?? '', /1000/);
  for (const bad of ['re:(', 're:(?=a)', 're:(a)\\1', 're:(a{1,1000}){1,1000}'])
    assert.notEqual(checkFilterPattern(bad), null, bad);
  assert.throws(() => compileFilter([], ['blog']));
});

test('backtracking patterns match in linear time', () => {
  const filter = compileFilter([`/${'*a'.repeat(100)}b`, `/${'**a'.repeat(100)}b`, 're:^(a+)+$'], []);
  assert.equal(filter.admits(toAddress(`https://example.org/${'a'.repeat(4000)}!`), 'link'), false);
});

test('the kind of a link is known by its file extension', () => {
  const kinds = {
    page: [
      '/',
      '/a',
      '/a.html',
      '/a.php',
      '/wiki/Node.js',
      '/ws/api.dll',
      '/wiki/File:Heron.jpg',
      '/a.jpg/',
      '/.png',
      '/v1.2',
      '/x.ai',
    ],
    document: ['/a.pdf', '/report.DOCX', '/a/b.xlsx'],
    media: ['/a.jpg', '/a/b.MP4', '/x.tar.gz', '/photo.webp', '/font.woff2', '/setup.exe'],
  };
  for (const [kind, paths] of Object.entries(kinds))
    for (const path of paths) assert.equal(getLinkKind(path), kind, path);
});

function findSkipReason(href: string): string {
  const scope = buildScope('host', 'https://example.org/', 'https://example.org/');
  assert.ok(scope !== null);
  const filter = compileFilter([], ['/private/**']);
  const admission = admitLink(href, { scope, filter, now: NOW, sparesActions: false });
  return 'skip' in admission ? admission.skip : 'visit';
}

const REASONS: readonly (readonly [href: string, reason: string])[] = [
  ['https://example.org/a?b=c', 'visit'],
  ['https://example.org/report.pdf', 'visit'],
  ['https://example.org/%7Bid%7D', 'visit'],
  ['https://example.org/?q=%3C%3E', 'visit'],
  ['mailto:a@example.org', 'invalid'],
  ['javascript:void(0)', 'invalid'],
  ['https://user:secret@example.org/', 'invalid'],
  ['https://example.org/%7B%7Burl%7D%7D', 'invalid'],
  ['https://example.org/?q={{query}}', 'invalid'],
  ['https://example.org/$%7Bslug%7D', 'invalid'],
  ['https://example.org/%3C%=%20url%20%%3E', 'invalid'],
  ['https://example.org/[object%20Object]', 'invalid'],
  [`https://example.org/${'a'.repeat(8192)}`, 'invalid'],
  ['https://example.com/', 'scope'],
  ['https://example.org/private/a', 'filter'],
  ['https://example.org/a.jpg', 'media'],
  ['https://example.org/a/b/a/b/a/b', 'limit'],
];

for (const [href, reason] of REASONS)
  test(`a link to ${href.slice(0, 60)} is ${reason === 'visit' ? 'visited' : `left out as ${reason}`}`, () =>
    assert.equal(findSkipReason(href), reason));
