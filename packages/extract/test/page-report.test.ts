import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Extract } from '#extract/grammar.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { readPage } from '#extract/read-page.ts';
import { selectCss } from '#extract/select/css.ts';
import { PageNodes } from '#extract/select/nodes.ts';
import type { PageReport } from '#extract/explained.ts';

const SHOP = `<!doctype html><title>Rye</title><main id="shop">
  <ul class="goods"><li class="good"><b class="name">Rye</b> <span class="price x">4.90 EUR</span>
  <li class="good"><b class="name">Oat</b> <span class="price">3.10 EUR</span>
  <li class="good"><b class="name">Spelt</b> <i>sold out</i></ul>
  <p hidden>not shown</p><script>var hidden = "text";</script>
  <div class="md:flex 1st"><p>Deep <a href="/x">link</a></p><p>Second</p></div></main>`;

function buildReport(html: string, extract: object | null = null): PageReport {
  const { report } = readPage({
    body: new TextEncoder().encode(html),
    contentType: 'text/html; charset=utf-8',
    url: 'https://shop.test/rye',
    outputs: extract === null ? [] : ['json'],
    onlyMainContent: true,
    includeSelectors: [],
    excludeSelectors: [],
    extract: extract === null ? null : Extract.parse(extract),
    maxChars: null,
    offsetChars: 0,
    passageChars: null,
    reports: true,
  });
  assert.ok(report !== undefined);
  return report;
}

test('every visible element with its own text is listed with a selector that matches only it', () => {
  const article = readFileSync(new URL('./fixtures/article.html', import.meta.url), 'utf8');
  for (const html of [SHOP, article]) {
    const { elements } = buildReport(html);
    assert.ok(elements.length > 5);
    const page = new PageNodes(parseHtml(html, 'html'), 20_000_000);
    for (const { selector, similar, matches, text } of elements) {
      assert.ok(selector !== null, text);
      assert.equal(selectCss(page, selector, 0, 10).length, 1, selector);
      if (similar !== null) assert.equal(selectCss(page, similar, 0, 1000).length, matches, similar);
    }
  }
});

test('similar elements are selected by the rarest class, or by the class of the parent', () => {
  const { elements } = buildReport(SHOP);
  const of = (text: string) => elements.find((one) => one.text === text);
  assert.deepEqual([of('Rye')?.similar, of('Rye')?.matches], ['b.name', 3]);
  assert.deepEqual([of('3.10 EUR')?.similar, of('3.10 EUR')?.matches], ['span.price', 2]);
  assert.deepEqual([of('sold out')?.similar, of('sold out')?.matches], ['li.good > i', 1]);
  assert.equal(of('not shown'), undefined);
  assert.equal(of('Second')?.selector, '#shop > div > p:nth-of-type(2)');
});

test('a field has the number of its matches and their texts', () => {
  const { fields } = buildReport(SHOP, {
    price: { selector: '.price', type: 'money', many: true },
    link: { selector: 'a', attribute: 'href', type: 'url' },
    path: { xpath: '//b[@class="name"]', type: 'string' },
    none: { selector: '.nothing', type: 'string' },
    free: 'string',
  });
  assert.deepEqual(fields['price'], { matches: 2, values: ['4.90 EUR', '3.10 EUR'] });
  assert.deepEqual(fields['link'], { matches: 1, values: ['/x'] });
  assert.deepEqual(fields['path']?.values, ['Rye', 'Oat', 'Spelt']);
  assert.deepEqual(fields['none'], { matches: 0, values: [] });
  assert.deepEqual(fields['free'], { matches: null, values: [] });
});

test('explained blocks have selectors', () => {
  const { explanation } = buildReport(SHOP);
  assert.ok(explanation !== null);
  assert.ok(explanation.blocks.every(({ selector }) => selector !== null));
});

test('hostile names give no selector, and deep pages no long ones', () => {
  const odd = buildReport('<p class="a{} b\\" id="x y"><b id="&quot;]">bold</b></p><x-&><i>in</i></x-&>');
  assert.ok(odd.elements.every(({ selector }) => selector === null || /^[\w\s>:().#-]*$/.test(selector)));
  const deep = buildReport(`${'<div><span>x</span>'.repeat(400)}deep`);
  assert.ok(deep.elements.every(({ selector }) => selector === null || selector.length <= 900));
});
