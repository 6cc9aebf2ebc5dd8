import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { parseHtml } from '#extract/html/parse.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { getKnownAttribute } from '#extract/html/tree.ts';
import { resolveLink, toLinkBase } from '#extract/values/resolve-link.ts';
import { recordedPages } from './corpus.ts';

const BASES = [
  'https://example.org/',
  'https://example.org/a/b.html?q=1#top',
  'http://example.org:8080/a/b/?x=/y/../z',
  'https://user:secret@example.org/a/b',
  'http://[::1]:81/a',
  'https://example.org/a/b?#',
  'https://example.org/%7Ea/b;c=1/d?e=f?g',
];

const PIECES = [
  'a B 0 page .html / // /./ /../ .. . ? # & = : ; @ % %2e %2E%2e %zz \\ é ツ " < > { } | ^ ` [ ]',
  'http: https:// HTTP:// https://xn-- https://a.xn--b mailto: javascript: data: example.org .xn--a - _ ~ ! $ * +',
  ", ( ) ' 127.1 0x7f :443 :80 exämple",
]
  .flatMap((line) => line.split(' '))
  .concat(' ', '\t', '\n', '\0');

function same(href: string, base: string): void {
  assert.equal(resolveLink(toLinkBase(new URL(base)), href), URL.parse(href, base)?.href ?? null, `${href} on ${base}`);
}

test('random links resolve like URL objects', () => {
  const href = fc.array(fc.constantFrom(...PIECES), { maxLength: 7 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(href, fc.constantFrom(...BASES), (text, base) => same(text, base)),
    { numRuns: 20_000 },
  );
});

test('links to other hosts resolve like URL objects', () => {
  const label = fc.constantFrom('a', 'b-c', 'xn--a', 'xn--bcher-kva', '1', '0x1', '--', 'A', 'a_b', 'c3', '', '\u00e4');
  const host = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.'));
  const tail = fc.constantFrom('', '/', '/a/../b', '/a?b#c', ':80/', ':443/a', '?a', '#b', '/a b', '/%2e%2e/a');
  fc.assert(
    fc.property(fc.constantFrom('http://', 'https://', '//', 'https:/'), host, tail, (scheme, name, rest) =>
      same(`${scheme}${name}${rest}`, 'https://example.org/x/y'),
    ),
    { numRuns: 10_000 },
  );
});

test('the links of recorded pages resolve like URL objects', (t) => {
  const pages = recordedPages(30);
  if (pages.length === 0) return t.skip('needs QUERN_CORPUS');
  const hrefs = new Set<string>();
  for (const { body } of pages) {
    const tree = parseHtml(new TextDecoder().decode(body));
    for (let node = 1; node < tree.count; node++) {
      const href = getKnownAttribute(tree, node, ATTRIBUTE.href);
      if (href !== null) hrefs.add(href);
    }
  }
  assert.ok(hrefs.size > 100);
  for (const href of hrefs) same(href, 'https://example.org/news/2026/page.html?q=1');
});
