import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import {
  findCanonicalUrl,
  findOpenGraph,
  listEntities,
  selectAll,
  readAttributeAt,
  readLineAt,
  selectFirst,
  parseRichText,
  readRichText,
} from '#extract/dom/elements.ts';
import { parsePage } from '#extract/dom/parsed-page.ts';
import { findJsonScript, listJsonScripts, listObjectsWith, findVariable } from '#extract/dom/scripts.ts';
import { selectCss } from '#extract/select/css.ts';
import { getMember } from '#extract/values/json.ts';

const URL = 'https://site.example/e/1';
const PAGE = parsePage(
  `<!doctype html><head><link rel=canonical href="/e/1"><meta property="og:title" content="A  name">
  <script data-sjs type='application/json' data-content-len=10>{"require":[{"event":{"id":"1","is_canceled":false}}]}</script>
  <script type=application/json id=state>for (;;);{"a":1}</script>
  <script type="application/ld&#x2B;json">{"@type":"Event","name":"N"}</script>
  <script>requireLazy(["a"],function(h){h({"event":{"id":"2","is_canceled":true}})})</script>
  <script>var boot = {x: 'y', z: undefined};</script>
  <!-- <script type="application/json">{"event":{"id":"3","is_canceled":true}}</script> --></head>
  <body><div id="a"><p class=t> one <b>two</b></p><p class=t>three</p><img data-src="" alt="x"><img alt="y"></div>
  <div id="b" style="display:none"><p>Go <a href="/l.php?u=https%3A%2F%2Fexample.org%2F%3Ffbclid%3D1" onclick="x()">there</a><script>x</script></p></div>
  <div itemscope itemtype="https://schema.org/Person"><span itemprop=name>P</span></div></body>`,
  URL,
);

test('scripts are found by id, type or attribute, in any spelling', () => {
  assert.deepEqual(findJsonScript(PAGE, { id: 'state' }), { a: 1 });
  assert.equal(listJsonScripts(PAGE, { type: 'application/json' }).length, 2);
  assert.equal(listJsonScripts(PAGE, { attribute: 'data-sjs' }).length, 1);
  assert.equal(listJsonScripts(PAGE, { attribute: 'data-content-len', value: '11' }).length, 0);
  assert.deepEqual(findJsonScript(PAGE, { type: 'application/ld+json' }), { '@type': 'Event', name: 'N' });
  assert.equal(findJsonScript(PAGE, { id: 'none' }), undefined);
});

test('objects are found by their members in JSON and inline JavaScript, never in comments', () => {
  const found = listObjectsWith(PAGE, 'id', 'is_canceled');
  assert.deepEqual(
    found.map((object) => getMember(object, 'id')),
    ['1', '2'],
  );
  assert.deepEqual(listObjectsWith(PAGE, 'id', 'absent'), []);
  assert.deepEqual(findVariable(PAGE, 'boot'), { x: 'y', z: null });
});

test('elements are found by selectors, also below a scope', () => {
  assert.equal(readLineAt(PAGE, '#a .t'), 'one two');
  assert.equal(selectAll(PAGE, '#a > .t').length, 2);
  assert.equal(readLineAt(PAGE, ':scope > b', selectFirst(PAGE, '.t')), 'two');
  assert.equal(readAttributeAt(PAGE, 'img', 'alt'), 'x');
  assert.equal(readAttributeAt(PAGE, 'img', 'data-src'), null);
  assert.equal(readLineAt(PAGE, '#missing p'), null);
  assert.equal(readLineAt(PAGE, '.missing'), null);
});

test('rich text is sanitised and its links have no tracking parameters', () => {
  assert.deepEqual(readRichText(PAGE, selectFirst(PAGE, '#b')), {
    html: '<p>Go <a href="https://example.org/">there</a></p>',
    text: 'Go there',
  });
  assert.deepEqual(parseRichText('a<br>b<script>x</script><img src=x onerror=y>', URL)?.text, 'a\nb');
  assert.equal(parseRichText(' <script>x</script> ', URL), null);
});

test('structured data is found by type and property', () => {
  assert.equal(getMember(listEntities(PAGE, 'Event')[0]?.members, 'name'), 'N');
  assert.equal(listEntities(PAGE, 'Person').length, 1);
  assert.equal(findOpenGraph(PAGE, 'og:title'), 'A name');
  assert.equal(findOpenGraph(PAGE, 'og:image'), null);
  assert.equal(findCanonicalUrl(PAGE), '/e/1');
});

test('looking up a tag, class or attribute gives the matches of the selector', () => {
  const piece = fc.constantFrom(
    '<div class="t u">',
    '<p class=t>',
    '<b class="u\tt">',
    '<b>',
    '</div>',
    '</b>',
    'x',
    '<svg class=t data-a=1>',
    '<p data-a>',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const page = parsePage(pieces.join(''), URL);
      for (const scope of [0, ...selectAll(page, 'div:is(div)')])
        for (const selector of ['p', 'b', '.t', 'b.t', 'svg.t', 'div.u', '[data-a]', '[data-a="1"]'])
          assert.deepEqual(selectAll(page, selector, scope), selectAll(page, `:is(${selector})`, scope), selector);
    }),
    { numRuns: 200 },
  );
});

test('candidates are looked up by the last compound of a selector', () => {
  const piece = fc.constantFrom(
    '<div class="t u" id=k>',
    '<p class="t t">',
    '<p id=k data-a>',
    '<b data-a=1>',
    '<template><p class=t data-a=1>',
    '</template>',
    '</div>',
    '</p>',
    '</b>',
    'x',
  );
  const selectors = [
    'div p',
    'div > .t',
    'b.t, p, div.u p',
    '[data-a] b',
    '.t:not([data-a])',
    '[id="k"]',
    'P[data-a="1"]',
    '[data-a!="1"]',
    ':scope > p',
    '.t + b',
    'p ~ .t.u',
    'div :is(b, .t)',
  ];
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const page = parsePage(pieces.join(''), URL);
      for (const scope of [0, ...selectAll(page, 'div:is(div)').slice(0, 3)])
        for (const selector of selectors) {
          const found = selectCss(page.nodes(), selector, scope, 1000);
          assert.deepEqual(selectAll(page, selector, scope), found, selector);
          assert.equal(selectFirst(page, selector, scope), found[0] ?? 0, selector);
        }
    }),
    { numRuns: 200 },
  );
});

test('no page makes the functions throw', () => {
  const piece = fc.constantFrom(
    '<script type=application/json>',
    '</script>',
    '{"a":',
    '"a"',
    '}',
    '<!--',
    '-->',
    '<p id=a>',
    '<a href=x',
    '>',
    '"',
    "'",
    'var a = ',
    '&quot;',
    '\0',
    '\ud800',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const page = parsePage(pieces.join(''), URL);
      listObjectsWith(page, 'a');
      findVariable(page, 'a');
      listJsonScripts(page, {});
      listEntities(page, 'A');
      const node = selectFirst(page, '#a');
      assert.equal(readRichText(page, node)?.html.includes('<script') ?? false, false);
      readLineAt(page, 'p a');
    }),
    { numRuns: 500 },
  );
});
