import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { extract, extractDocument, isDocument, ReadError } from '#extract/index.ts';
import { buildPdf } from '#testkit/pdf.ts';

const PAGE = `<!doctype html><html lang="en"><head><title>Stone-ground rye | The Mill</title></head><body>
<nav><a href="/">Home</a> <a href="/shop">Shop</a> <a href="/about">About</a></nav>
<main><h1>Stone-ground rye</h1><p>Our rye is ground slowly between two stones, which keeps it cool and full of taste.</p>
<p class="price">Price: €4.90</p><p>Read <a href="/rye/history">its history</a>, or come and watch the wheel turn on a Sunday.</p></main>
<footer><a href="/imprint">Imprint</a></footer></body></html>`;
const url = 'https://mill.example/rye';

suite('the public API', { concurrency: true }, () => {
  test('a page becomes the Markdown of its main content, with its metadata', () => {
    const { markdown = '', metadata, warnings } = extract(PAGE, { url });
    assert.match(markdown, /^# Stone-ground rye\n/);
    assert.match(markdown, /\[its history\]\(https:\/\/mill\.example\/rye\/history\)/);
    assert.doesNotMatch(markdown, /Imprint|Home/);
    assert.equal(metadata.language, 'en');
    assert.deepEqual(warnings, []);
  });

  test('bytes and string give the same result, whatever charset the string declares', () => {
    const declared = PAGE.replace('<head>', '<head><meta charset="iso-8859-1">').replace('slowly', 'ganz gemächlich');
    assert.match(extract(declared, { url }).markdown ?? '', /ganz gemächlich/);
    const bytes = new TextEncoder().encode(PAGE);
    const contentType = 'text/html; charset=utf-8';
    assert.deepEqual(extract(bytes, { url, contentType }), extract(PAGE, { url }));
    assert.match(new TextDecoder().decode(bytes), /^<!doctype/, 'the bytes of the caller stay as they are');
  });

  test('only the requested outputs are returned', () => {
    const { links = [], ...rest } = extract(PAGE, { url, outputs: ['links', 'tables'] });
    assert.ok(links.some((link) => link.url === 'https://mill.example/imprint'));
    assert.deepEqual(Object.keys(rest).toSorted(), ['metadata', 'tables', 'warnings']);
  });

  test('fields are found by name and by selector', () => {
    const fields = { price: 'money', title: { selector: 'h1', type: 'string' } };
    const { json } = extract(PAGE, { url, extract: { fields } });
    assert.deepEqual(json, { price: { amount: 4.9, currency: 'EUR' }, title: 'Stone-ground rye' });
  });

  test('selectors choose what the text consists of', () => {
    const options = { url, includeSelectors: ['main'], excludeSelectors: ['.price'] };
    const { markdown = '' } = extract(PAGE, options);
    assert.match(markdown, /its history/);
    assert.doesNotMatch(markdown, /4\.90/);
  });

  test('a PDF is recognised and its text is read', async () => {
    const bytes = buildPdf([{ shown: [{ text: 'The wheel turns again', x: 72, y: 700 }] }]);
    assert.ok(isDocument(bytes));
    assert.match((await extractDocument(bytes, { url, contentType: 'application/pdf' })).markdown ?? '', /wheel turns/);
  });

  test('binary content is refused with a code, and invalid fields with the path of the problem', () => {
    const noise = Uint8Array.from({ length: 4000 }, (_, at) => (at * 7919) % 256);
    assert.throws(
      () => extract(noise, { url, contentType: 'application/octet-stream' }),
      (error) => error instanceof ReadError && error.code === 'unsupported_content',
    );
    assert.throws(
      () => extract(PAGE, { url, extract: { fields: { price: 'gold' } } }),
      /^TypeError: extract\.fields\.price/,
    );
  });
});
