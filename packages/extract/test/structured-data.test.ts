import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseHtml } from '#extract/html/parse.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';

const URL_OF_PAGE = 'https://example.org/shop/cup';

function read(html: string) {
  return readStructuredData(parseHtml(html), URL_OF_PAGE);
}

function script(text: string): string {
  return `<script type="application/ld+json">${text}</script>`;
}

test('JSON-LD parsing tolerates comments, CDATA, trailing commas, raw line breaks and a trailing semicolon', () => {
  const blocks = [
    '{"@type":"A"}',
    '<!-- {"@type":"B"} -->',
    '//<![CDATA[\n{"@type":"C"}\n//]]>',
    '{"@type":"D","list":[1,2,],}',
    '{"@type":"E","text":"one\ntwo, ]"}',
    '{"@type":"F"};',
    '[{"@type":"G"},{"@type":"H"}]',
  ];
  const { json_ld } = read(blocks.map(script).join(''));
  assert.deepEqual(json_ld, [
    { '@type': 'A' },
    { '@type': 'B' },
    { '@type': 'C' },
    { '@type': 'D', list: [1, 2] },
    { '@type': 'E', text: 'one\ntwo, ]' },
    { '@type': 'F' },
    { '@type': 'G' },
    { '@type': 'H' },
  ]);
});

test('JSON-LD parsing tolerates comments between values', () => {
  const blocks = [
    '<!-- one -->\n{"@type":"A","link":"https://example.org/<!--x-->"}',
    '// two\n{"@type":"B"}',
    '{/* three */"@type":"C",// four\n"n":[1,2,]}',
    '{"@type":"D"} /* no end',
  ];
  assert.deepEqual(read(blocks.map(script).join('')).json_ld, [
    { '@type': 'A', link: 'https://example.org/<!--x-->' },
    { '@type': 'B' },
    { '@type': 'C', n: [1, 2] },
    { '@type': 'D' },
  ]);
});

test('the value of an object is its data, and one meta element may set several properties', () => {
  const { microdata, opengraph } = read(
    '<meta property="og:title twitter:title" content="Cup"><div itemscope><object itemprop=plan data="/cup.svg">x</object></div>',
  );
  assert.deepEqual(microdata, [{ type: [], properties: { plan: ['https://example.org/cup.svg'] } }]);
  assert.deepEqual(opengraph, { 'og:title': 'Cup', 'twitter:title': 'Cup' });
});

test('a broken JSON-LD block is skipped, and @graph is kept', () => {
  const { json_ld } = read(script('{"@type":') + script('{"@graph":[{"@type":"A"}]}') + script('"text"') + script(''));
  assert.deepEqual(json_ld, [{ '@graph': [{ '@type': 'A' }] }]);
});

test('microdata is read by the HTML standard: types, ids, nested items, itemref, values by element', () => {
  const { microdata } = read(`
    <div itemscope itemtype="https://schema.org/Product https://schema.org/Thing" itemid="/cup#1" itemref="extra none">
      <h1 itemprop="name title">Blue   <b>cup</b></h1><img itemprop=image src="/cup.png"><a itemprop=url href="?v=2">x</a>
      <div itemprop=offers itemscope itemtype="https://schema.org/Offer"><meta itemprop=price content="19.99"><time itemprop=validFrom datetime="2026-11-21">today</time></div>
      <data itemprop=sku value="C-1">first</data>
    </div><p id=extra>Brand: <span itemprop=brand>Acme</span></p>`);
  assert.deepEqual(microdata, [
    {
      type: ['https://schema.org/Product', 'https://schema.org/Thing'],
      id: 'https://example.org/cup#1',
      properties: {
        name: ['Blue cup'],
        title: ['Blue cup'],
        image: ['https://example.org/cup.png'],
        url: ['https://example.org/shop/cup?v=2'],
        offers: [{ type: ['https://schema.org/Offer'], properties: { price: ['19.99'], validFrom: ['2026-11-21'] } }],
        sku: ['C-1'],
        brand: ['Acme'],
      },
    },
  ]);
});

test('microdata that contains itself through itemref ends', () => {
  const { microdata } = read(
    '<div itemscope itemref=b><p itemprop=a>1</p></div><div id=b itemprop=loop itemscope itemref=b></div>',
  );
  assert.equal(microdata.length, 1);
});

test('RDFa Lite is read with vocabularies, resources and nested items', () => {
  const { rdfa } =
    read(`<div vocab="https://schema.org/" resource="/me" typeof="Person"><span property="name">Ana Ruiz</span>
    <a property="url" href="/ana">home</a><div property="address" typeof="PostalAddress"><span property="postalCode" content="1010">Vienna</span></div></div>`);
  assert.deepEqual(rdfa, [
    {
      type: ['https://schema.org/Person'],
      id: 'https://example.org/me',
      properties: {
        name: ['Ana Ruiz'],
        url: ['https://example.org/ana'],
        address: [{ type: ['https://schema.org/PostalAddress'], properties: { postalCode: ['1010'] } }],
      },
    },
  ]);
});

test('repeated OpenGraph properties are lists, and URLs are absolute', () => {
  const { opengraph } =
    read(`<meta property="og:title" content=" Cup "><meta property="og:image" content="/a.png"><meta property="og:image" content="/b.png">
    <meta property="product:price:amount" content="19.99"><meta name="twitter:card" content="summary"><meta name="description" content="not here">`);
  assert.deepEqual(opengraph, {
    'og:title': 'Cup',
    'og:image': ['https://example.org/a.png', 'https://example.org/b.png'],
    'product:price:amount': '19.99',
    'twitter:card': 'summary',
  });
});

test('prototype names are plain data everywhere', () => {
  const { json_ld, microdata } = read(
    `${script('{"__proto__":{"polluted":1},"@type":"A"}')}<div itemscope><b itemprop="__proto__">x</b><b itemprop="constructor">y</b></div>`,
  );
  assert.ok(Object.hasOwn(Object(json_ld[0]), '__proto__'));
  assert.equal(JSON.stringify(microdata), '[{"type":[],"properties":{"__proto__":["x"],"constructor":["y"]}}]');
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false);
});

test('many items, references and nesting levels stay within limits', () => {
  const many = '<div itemscope itemref="r"></div>'.repeat(3000);
  const shared = `<div id=r>${'<b itemprop=a>x</b>'.repeat(3000)}</div>`;
  assert.equal(read(many + shared).microdata.length, 1000);
  const deep = '<div itemscope itemprop=a>'.repeat(400);
  assert.equal(read(`<div itemscope>${deep}`).microdata.length, 1);
  assert.deepEqual(read(script('['.repeat(100_000))).json_ld, []);
});
