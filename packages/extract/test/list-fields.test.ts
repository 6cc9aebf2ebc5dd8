import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Extract } from '#extract/grammar.ts';
import { read } from './pages.ts';

const WANTED = [
  {
    name: 'Kettle',
    url: 'https://example.com/p/1',
    price: { amount: 39.9, currency: 'EUR' },
    text: 'Boils in two minutes.',
  },
  {
    name: 'Lamp',
    url: 'https://example.com/p/2',
    price: { amount: 12.5, currency: 'EUR' },
    text: 'Lights a whole room.',
  },
];

function readEntries(html: string, selector: string): unknown {
  const fields = {
    name: { selector: '.name' },
    url: { selector: 'a', type: 'url', attribute: 'href' },
    price: { selector: '.price', type: 'money' },
    text: { selector: '.text' },
  };
  const extract = Extract.parse({ fields: { entries: { selector, many: true, fields } } });
  return read(`<html lang=en><h1>Shop</h1>${html}`, { outputs: ['json'], extract }).outputs.json?.['entries'];
}

const GRID = `<div class=grid><div class=card><a href="/p/1"><b class=name>Kettle</b></a><div class=price>49,90 € 39,90 €</div><p class=text>Boils in two minutes.</p></div>
<div class=card><a href="/p/2"><b class=name>Lamp</b></a><div class=price><s>15,00 €</s> 12<sup>50</sup> €</div><p class=text>Lights a whole <span hidden>dark</span> room.</p></div></div>`;
const TABLE = `<table><tr><th>Name<th>Price<th>Text
<tr class=row><td class=name><a href="/p/1">Kettle</a><td class=price>€39.90<td class=text>Boils in two minutes.
<tr class=row><td class=name><a href="/p/2">Lamp</a><td class=price>€12.50<td class=text>Lights a whole room.</table>`;
const NESTED = `<ul><li class=item><article><h3 class=name><a href="/p/1">Kettle</a></h3><p class=text>Boils in two minutes.<ul><li>red<li>blue</ul><span class=price>from €39.90</span></article>
<li class=item><article><h3 class=name><a href="/p/2">Lamp</a></h3><p class=text>Lights a whole room.</p><span class=price>€12.50 – €20.00</span></article></ul>`;
const LISTS = [
  ['.card', GRID],
  ['tr.row', TABLE],
  ['li.item', NESTED],
] as const;

for (const [selector, html] of LISTS) {
  test(`each entry of a list matched by ${selector} keeps its link, price and text`, () =>
    assert.deepEqual(readEntries(html, selector), WANTED));
}

function listItem(at: number, name: string, price: string): string {
  return `{"@type":"ListItem","position":${at},"item":{"@type":"Product","name":"${name}","url":"https://example.com/p/${at}","offers":{"price":"${price}","priceCurrency":"EUR"}}}`;
}

test('the entries of a list in structured data keep links, prices and names', () => {
  const list = `{"@context":"https://schema.org","@type":"ItemList","itemListElement":[${listItem(1, 'Kettle', '39.90')},${listItem(2, 'Lamp', '12.50')}]}`;
  const fields = {
    name: { json_path: '$.item.name' },
    url: { json_path: '$.item.url', type: 'url' },
    price: { json_path: '$.item.offers.price', type: 'number' },
  };
  const extract = Extract.parse({ fields: { entries: { json_path: '$.itemListElement[*]', many: true, fields } } });
  const html = `<script type="application/ld+json">${list}</script><h1>Shop</h1>`;
  assert.deepEqual(read(html, { outputs: ['json'], extract }).outputs.json?.['entries'], [
    { name: 'Kettle', url: 'https://example.com/p/1', price: 39.9 },
    { name: 'Lamp', url: 'https://example.com/p/2', price: 12.5 },
  ]);
});
