import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { rankBySearch } from '#extract/urls/ranking.ts';
import { anyAddress } from '../support/any-text.ts';

function candidate(path: string, title: string | null = null) {
  return { url: `https://pricing.example.org${path}`, title };
}

function ranked(search: string, ...candidates: readonly ReturnType<typeof candidate>[]): readonly string[] {
  return rankBySearch(search, candidates).map(({ url }) => new URL(url).pathname);
}

test('the URL with the search words ranks first', () => {
  assert.deepEqual(
    ranked('refund policy', candidate('/about'), candidate('/help/policy'), candidate('/help/refund-policy')),
    ['/help/refund-policy', '/help/policy'],
  );
});

test('a rare word counts more than a common one', () => {
  const common = Array.from({ length: 8 }, (_, at) => candidate(`/docs/page-${at}`));
  assert.equal(ranked('docs kettle', ...common, candidate('/x/kettle'))[0], '/x/kettle');
});

test('a title counts more than a URL', () => {
  const found = ranked(
    'lantern',
    candidate('/lantern', 'Front page'),
    candidate('/front-page', 'Lantern'),
    candidate('/about', 'About'),
  );
  assert.deepEqual(found, ['/front-page', '/lantern']);
});

test('the host does not count, because all candidates share it', () => {
  assert.deepEqual(ranked('pricing', candidate('/a'), candidate('/pricing')), ['/pricing']);
});

test('matching ignores case, diacritics, plural, escapes and word separators', () => {
  for (const [search, path] of [
    ['CAF\u00c9', '/cafe'],
    ['cafe', '/Caf%C3%A9'],
    ['kettles', '/kettle'],
    ['kettle', '/kettles'],
    ['getting started', '/gettingStarted'],
    ['\u6e2f\u53e3', '/%E6%B8%AF%E5%8F%A3'],
    ['kett', '/kettles'],
    ['bad', '/%E0%A4%A-bad'],
  ] as const)
    assert.equal(
      ranked(search, candidate('/other'), candidate(path))[0],
      new URL(`https://a.example${path}`).pathname,
      search,
    );
});

test('a whole word ranks before a prefix', () => {
  assert.deepEqual(ranked('price', candidate('/priceless'), candidate('/price')), ['/price', '/priceless']);
});

test('ties keep their order', () => {
  assert.deepEqual(ranked('x', candidate('/c/x'), candidate('/a/x'), candidate('/b/x')), ['/c/x', '/a/x', '/b/x']);
  assert.deepEqual(ranked('', candidate('/b'), candidate('/a')), []);
  assert.deepEqual(ranked('a'), []);
});

test('a ranking is deterministic, and contains no candidate twice', () => {
  const some = fc.record({ url: anyAddress(), title: fc.option(fc.string()) });
  fc.assert(
    fc.property(fc.string(), fc.array(some), (search, candidates) => {
      const order = rankBySearch(search, candidates);
      assert.ok(order.every((one) => candidates.includes(one)));
      assert.equal(new Set(order).size, order.length);
      assert.deepEqual(rankBySearch(search, candidates), order);
    }),
    { numRuns: 50 },
  );
});
