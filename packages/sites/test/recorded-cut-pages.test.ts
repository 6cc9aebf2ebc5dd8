import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTruncatedPage } from '#extract/html/truncated-page.ts';
import { endpoints, enginePages } from '#sites/index.ts';
import { readSource } from '#sites/read-source.ts';
import { SKIP_RECORDED } from '#testkit/sites/recorded-pages.ts';
import { listReadings } from '#testkit/sites/readings.ts';

test('rejects a truncated recording, wherever it is truncated', { skip: SKIP_RECORDED }, (t) => {
  let cuts = 0;
  for (const endpoint of [...endpoints, ...Object.values(enginePages)])
    for (const { order, verdict, read } of listReadings(endpoint)) {
      if (verdict.kind !== 'record' || order.body.byteLength === 0) continue;
      for (const share of [0.3, 0.8]) {
        const body = order.body.slice(0, Math.floor(order.body.byteLength * share));
        const { kind } = readSource({ ...order, body });
        assert.equal(kind, 'unusable', `${endpoint.id} ${read.file} at ${share}`);
        cuts += 1;
      }
    }
  t.diagnostic(`${cuts} cuts`);
  assert.ok(cuts > 0);
});

test('a page is truncated if elements that need an end tag are still open', () => {
  for (const [html, isCut] of [
    ['<!doctype html><html><body><div>Rye</div></body></html>', false],
    ['<!doctype html><html><body><div>Rye</div></body></html><!-- served in 3 ms --><script>var a</script>\n', false],
    // HTML allows to omit both end tags.
    ['<!doctype html><html><body><div>Rye</div>', false],
    ['<!doctype html><html><body><div>Rye', true],
    ['<!doctype html><html><body><p>Rye <a hre', true],
    ['<!doctype html><html><script>var frame = "<html></html>"; var data = {"price":', true],
    ['<!doctype html><html><body><iframe srcdoc="<html></html>"></iframe><div>Rye', true],
    ['{"html":"<html><div>"}', false],
    ['<li>One of the parts of a page</li><div>', false],
    ['', false],
  ] as const)
    assert.equal(isTruncatedPage(html), isCut, html);
});
