import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { Extract } from '#extract/grammar.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { MAX_LINKS, OUTPUTS } from '#extract/reading.ts';
import { SelectionTooCostly, PageNodes } from '#extract/select/nodes.ts';
import { ReadError } from '#extract/warnings.ts';
import { createLinkClassifier } from '#extract/urls/link-classifier.ts';
import { readSitePage } from '#extract/urls/site-page.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { recordedPages } from './corpus.ts';
import { renderMarkdown, read } from './pages.ts';

const ARTICLE = readFileSync(new URL('./fixtures/article.html', import.meta.url), 'utf8');

test('the main content of an article is its headline, text, figures and tables', () => {
  const { outputs, metadata, warnings } = read(ARTICLE, { outputs: ['markdown', 'text'] });
  const markdown = outputs.markdown ?? '';
  assert.match(markdown, /^# The harbour records\n\n## /);
  for (const kept of ['## ', '![The old bridge]', '| Year | Cotton | Copper |', '```python', '> ', '- ']) {
    assert.ok(markdown.includes(kept), kept);
  }
  for (const gone of ['cookie', 'Most read', 'Read also', 'Share', 'min read', '© Village Archive', 'dataLayer']) {
    assert.ok(!markdown.includes(gone), gone);
  }
  assert.equal(metadata.title, 'The harbour records');
  assert.ok(metadata.word_count > 1500);
  assert.deepEqual(warnings, []);
});

test('the whole page is kept if main content is not requested', () => {
  const markdown = read(ARTICLE, { onlyMainContent: false }).outputs.markdown ?? '';
  for (const kept of ['cookie policy', 'Most read', 'Read also', 'The harbour records']) {
    assert.ok(markdown.includes(kept), kept);
  }
});

test('a page is kept whole if little would remain', () => {
  const { outputs } = read('<nav><ul><li><a href=/a>First things</a><li><a href=/b>Second things</a></ul></nav>');
  assert.match(outputs.markdown ?? '', /First things/);
});

test('hidden text is excluded, a page hidden until its script runs is kept', () => {
  const hidden = read(
    '<p>shown words here and more of them</p><p hidden>a</p><p style="display: none">b</p><p aria-hidden=true>c</p>',
  );
  assert.equal(hidden.outputs.markdown, 'shown words here and more of them\n');
  assert.match(
    read('<div style="visibility:hidden"><p>all the text there is</p></div>').outputs.markdown ?? '',
    /all the text/,
  );
});

test('a page that scripts fill gets the warning thin_content', () => {
  const shell = read('<div id=app></div><script src=/app.js></script>');
  assert.deepEqual(
    shell.warnings.map(({ code }) => code),
    ['thin_content'],
  );
  assert.deepEqual(read('<h1>Example</h1><p>This page is short.').warnings, []);
});

test('content in noscript is read', () => {
  assert.match(
    read('<div id=app></div><noscript><p>The text without scripts.</p></noscript>').outputs.markdown ?? '',
    /without scripts/,
  );
});

test('the URL that a page was fetched from does not change its text', () => {
  const pages = [{ name: 'article', body: new TextEncoder().encode(ARTICLE) }, ...recordedPages(60)];
  for (const { name, body } of pages) {
    const [one, ...others] = ['blog/2024/01/02/a-story', 'shop/product/4711', 'forum/viewtopic'].map(
      (path) =>
        read(new TextDecoder('latin1').decode(body), { outputs: ['text'], url: `https://mill.example/${path}` }).outputs
          .text,
    );
    for (const other of others) assert.equal(other, one, name);
  }
});

test('links and images cover the whole page', () => {
  const { links = [], images = [] } = read(ARTICLE, { outputs: ['links', 'images'] }).outputs;
  assert.ok(links.some(({ url }) => url === 'https://example.com/section/river'));
  assert.ok(images.some(({ url }) => url === 'https://example.com/img/bridge-1280.jpg'));
  assert.ok(images.every(({ url }) => !url.startsWith('data:')));
});

test('a page of a crawl is compared by the same text, whichever outputs are requested', () => {
  const pages = [
    { name: 'article', body: new TextEncoder().encode(ARTICLE) },
    { name: 'no text', body: new TextEncoder().encode('<div><img src=a></div>') },
    {
      name: 'application',
      body: new TextEncoder().encode('<nav><a href=/a>A</a></nav><div id=app></div><script></script>'),
    },
    ...recordedPages(60),
  ];
  const rules = {
    xRobotsTag: '',
    depth: 0,
    rules: null,
    wantsTitles: false,
    keeps: true,
    obeysTags: true,
    hasLogin: false,
  };
  for (const { name, body } of pages) {
    const [chosen, ruled] = [['markdown', 'links'] as const, ['links'] as const].map((outputs) =>
      readSitePage(
        { ...buildMarkdownRequest(body, 'https://mill.example/page'), outputs, ...rules, missing: null },
        { judgeBy: createLinkClassifier },
      ),
    );
    assert.deepEqual(ruled?.print, chosen?.print, name);
    assert.equal(ruled?.soft404, chosen?.soft404, name);
  }
});

test('a reading that shows no text counts the words outside navigation, without a warning about left out text', () => {
  const whole = read(ARTICLE, { outputs: ['links'], onlyMainContent: false });
  const { metadata, warnings } = read(ARTICLE, { outputs: ['links'] });
  assert.ok(metadata.word_count > 1500 && metadata.word_count < whole.metadata.word_count, String(metadata.word_count));
  assert.deepEqual(warnings, []);
  assert.deepEqual(
    read('<div id=app></div><script src=/app.js></script>', { outputs: ['links'] }).warnings.map(({ code }) => code),
    ['thin_content'],
  );
});

test('a link has its target, text, relation and whether it is internal', () => {
  const html = `<a href="/in?x=1#f" rel="nofollow ugc">in  side</a><a href="https://www.example.com/w">w</a>
<a href="https://other.example/" rel=noopener><img src=i alt=Logo></a><a href="mailto:a@b.c">m</a><a href="javascript:x">j</a><a href="/in?x=1#f">in side</a><a name=n>none</a>`;
  assert.deepEqual(read(html, { outputs: ['links'] }).outputs.links, [
    { url: 'https://example.com/in?x=1#f', text: 'in side', rel: 'nofollow ugc', internal: true, nofollow: true },
    { url: 'https://www.example.com/w', text: 'w', rel: null, internal: true, nofollow: false },
    { url: 'https://other.example/', text: 'Logo', rel: 'noopener', internal: false, nofollow: false },
    { url: 'mailto:a@b.c', text: 'm', rel: null, internal: false, nofollow: false },
  ]);
  const meta = read('<meta name=robots content="noindex, nofollow"><a href=/x>x</a>', { outputs: ['links'] });
  assert.equal(meta.outputs.links?.[0]?.nofollow, true);
});

test('references resolve as the URL standard says, however they are written', () => {
  const piece = fc.constantFrom(
    '/',
    '//',
    '.',
    '..',
    'a',
    'B',
    '?',
    '#',
    ':',
    '@',
    '%2e',
    '%',
    ' ',
    '\t',
    '\\',
    "'",
    '"',
    'é',
    '&',
    '=',
    'http:',
    'https://',
    'h.example',
    '1',
    '0x7f',
    ':80',
    'xn--',
    '|',
    '^',
    '[',
    '{',
    '~',
  );
  const reference = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
  // Many references per page, because reading the page is the main cost.
  const property = fc.property(fc.array(reference, { minLength: 1, maxLength: 100 }), (references) => {
    const page = 'https://example.com/docs/page.html?q=1';
    const hrefs = references.map((one) => one.replaceAll('&', '&amp;').replaceAll('"', '&quot;'));
    const html = hrefs.map((href, at) => `<a href="${href}">${at}</a>`).join('');
    const { links = [] } = read(html, { outputs: ['links'], url: page }).outputs;
    const found = new Map(links.map(({ text, url }) => [text, url]));
    for (const [at, one] of references.entries()) {
      const url = URL.parse(one, page);
      const expected = url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
      assert.equal(found.get(String(at)) ?? null, expected, one);
    }
  });
  fc.assert(property, { numRuns: 80 });
});

test('links have schemes that a reader can follow, including chat rooms', () => {
  const html = '<p><a href="IRC://irc.example/rye">rye</a> <a href="vbscript:x">oats</a>';
  assert.equal(renderMarkdown(html), '[rye](irc://irc.example/rye) oats');
});

test('lazy-loaded images are found', () => {
  const html = `<img src="data:image/gif;base64,x" data-src="/a.jpg" alt=" A " width=10 height="20px"><img data-srcset="/s.jpg 320w, /l.jpg 1280w">
<picture><source srcset="/p1.webp 1x, /p2.webp 2x"><img></picture><img src="/spacer.gif" data-original=/b.jpg><img src=/pixel width=1 height=1><img src=/counter style="height: 1px; width:1px"><img src="javascript:x"><img src=/a.jpg><img src=/f.jpg style="width:0;height:0;min-width:100%;min-height:100%">`;
  assert.deepEqual(read(html, { outputs: ['images'] }).outputs.images, [
    { url: 'https://example.com/a.jpg', alt: 'A', width: 10, height: 20 },
    { url: 'https://example.com/l.jpg', alt: null, width: null, height: null },
    { url: 'https://example.com/p2.webp', alt: null, width: null, height: null },
    { url: 'https://example.com/b.jpg', alt: null, width: null, height: null },
    { url: 'https://example.com/f.jpg', alt: null, width: null, height: null },
  ]);
});

test('an image without src is the largest file in its lazy-loading attributes', () => {
  const html = `<img data-src-mini=/m.jpg data-src-large="/l.jpg?w=9" alt=/x.jpg><img src=/spacer.gif nitro-lazy-src=/n.webp>
<img data-id=/7.jpg.html data-note="see /a.jpg" data-bg-src=/placeholder.png><img src=/s.jpg data-full=/f.jpg>`;
  const found = read(html, { outputs: ['images'] }).outputs.images?.map(({ url }) => url);
  assert.deepEqual(
    found,
    ['l.jpg?w=9', 'n.webp', 's.jpg'].map((name) => `https://example.com/${name}`),
  );
});

test('a figure with an image in an attribute shows it unless it contains one', () => {
  const asked = { onlyMainContent: false, outputs: ['markdown', 'html', 'images'] } as const;
  const { markdown, html, images } = read(figure('ImageObject', 'Image'), asked).outputs;
  assert.equal(markdown, '![](https://example.com/a.jpg)\n\nImage\n\nRye\n');
  assert.equal(html, '<figure><img src="https://example.com/a.jpg">Image<figcaption>Rye</figcaption></figure>\n');
  assert.equal(images?.length, 1);
  assert.equal(renderMarkdown(figure('ImageObject', '<img src=/b.jpg>')), '![](https://example.com/b.jpg)\n\nRye');
  assert.equal(renderMarkdown(figure('VideoObject', 'Film')), 'Film\n\nRye');
});

function figure(type: string, inside: string): string {
  return `<figure itemscope itemtype="https://schema.org/${type}" itemid="/a.jpg"><div>${inside}</div><figcaption>Rye</figcaption></figure>`;
}

test('tables have caption, headers and rows with expanded spans', () => {
  const html = `<table><caption>Tons</caption><thead><tr><th colspan=2>Name<th>T<tr><th>First<th>Last<th>kg</thead>
<tr><td rowspan=2>a<td>b<td>1<tr><td>c<td>2</table><table><tr><td>layout</table><table><tr><td>p<td>q<tr><td>r<td>s</table>`;
  assert.deepEqual(read(html, { outputs: ['tables'] }).outputs.tables, [
    {
      caption: 'Tons',
      headers: ['Name First', 'Name Last', 'T kg'],
      rows: [
        ['a', 'b', '1'],
        ['a', 'c', '2'],
      ],
    },
    {
      caption: null,
      headers: [],
      rows: [
        ['p', 'q'],
        ['r', 's'],
      ],
    },
  ]);
});

test('huge spans do not exhaust memory', () => {
  const html = `<table>${'<tr><td colspan=1000 rowspan=60000>x'.repeat(2000)}</table>`;
  const { outputs } = read(html, { outputs: ['tables', 'markdown'] });
  assert.ok(JSON.stringify(outputs).length < 10_000_000);
});

test('cleaned HTML has only text elements, with absolute URLs', () => {
  const html = `<div onclick=x() class=c><p style="a" onload=y>one <a href="/x" onclick=z target=_blank>l</a><script>s()</script><!-- c --><a href="javascript:x">j</a></p>
<img src=/i.png onerror=e alt="&lt;a&gt;"><iframe src=/f></iframe><form><input name=n><button>b</button></form><svg><script>t</script></svg><x-tag>own</x-tag><pre>
 a  b</pre></div>`;
  assert.equal(
    read(html, { outputs: ['html'], onlyMainContent: false }).outputs.html,
    '<p>one <a href="https://example.com/x">l</a><a>j</a></p>\n<img src="https://example.com/i.png" alt="&lt;a&gt;">own<pre> a  b</pre>\n',
  );
});

test('selectors include and exclude elements', () => {
  const html = '<div class=a><p>one</p><p class=ad>two</p></div><div class=b><p>three</p></div><p>four</p>';
  const chosen = read(html, { includeSelectors: ['.a', '.b'], excludeSelectors: ['.ad'] });
  assert.equal(chosen.outputs.markdown, 'one\n\nthree\n');
  assert.equal(read(html, { includeSelectors: ['.missing'] }).outputs.markdown, '');
  const json = read('{}', { contentType: 'application/json', includeSelectors: ['p'] });
  assert.deepEqual(
    json.warnings.map(({ code }) => code),
    ['selectors_ignored'],
  );
});

test('nested selections share the limit of the outer one', () => {
  const page = new PageNodes(parseHtml('<p>rye</p>'), 10);
  const within = (steps: number): void => page.select(() => page.spend(steps));
  within(8);
  within(8);
  assert.throws(
    () =>
      page.select(() => {
        within(5);
        within(5);
      }),
    SelectionTooCostly,
  );
});

test('slices follow each other without loss and never exceed the limit', () => {
  for (const output of ['markdown', 'text', 'html'] as const) {
    const whole = read(ARTICLE, { outputs: [output] }).outputs[output] ?? '';
    let joined = '';
    let offset: number | null = 0;
    while (offset !== null) {
      const slice = read(ARTICLE, { outputs: [output], maxChars: 3000, offsetChars: offset });
      const text = slice.outputs[output] ?? '';
      assert.ok(text.length > 0 && text.length <= 3000);
      assert.equal(slice.truncated, slice.nextOffset !== null);
      assert.equal(
        slice.warnings.some(({ code }) => code === 'truncated'),
        slice.truncated,
      );
      joined += text;
      offset = slice.nextOffset;
    }
    assert.equal(joined, whole, output);
  }
});

test('a slice ends between blocks if possible', () => {
  const html = '<p>one one one</p><p>two two two</p><p>three three</p>';
  const { outputs, nextOffset } = read(html, { outputs: ['markdown', 'html'], maxChars: 30 });
  assert.equal(outputs.html, '<p>one one one</p>\n');
  assert.equal(nextOffset, 19);
  assert.equal(read(html, { maxChars: 20 }).outputs.markdown, 'one one one\n\n');
  assert.equal(read(html, { offsetChars: 1000, maxChars: 20 }).outputs.markdown, '');
});

test('the whole Markdown is returned beside a slice, and for other outputs', () => {
  const html = '<p>one one one</p><p>two</p>';
  const sliced = read(html, { maxChars: 12, wholeMarkdown: true });
  assert.deepEqual([sliced.outputs.markdown, sliced.wholeMarkdown], ['one one one\n', 'one one one\n\ntwo\n']);
  const links = read(html, { outputs: ['links'], wholeMarkdown: true });
  assert.deepEqual([links.outputs.markdown, links.wholeMarkdown], [undefined, 'one one one\n\ntwo\n']);
  const written = read('# *a*\n', { outputs: ['text'], wholeMarkdown: true, contentType: 'text/markdown' });
  assert.equal(written.wholeMarkdown, '# *a*\n');
  assert.equal(read(html, {}).wholeMarkdown, undefined);
});

test('JSON is shown indented line by line', () => {
  const { outputs } = read('{"a":1e400,"__proto__":{"x":[]},"a":12345678901234567890}', {
    contentType: 'application/json',
  });
  assert.equal(
    outputs.markdown,
    '```json\n{\n  "a": 1e400,\n  "__proto__": {\n    "x": []\n  },\n  "a": 12345678901234567890\n}\n```\n',
  );
});

test('JSON of any depth or length is read', () => {
  for (const source of [
    '['.repeat(300_000),
    '{"a":'.repeat(100_000),
    `[${'1,'.repeat(300_000)}1]`,
    '"'.repeat(500_000),
  ]) {
    const { outputs } = read(source, { contentType: 'application/json' });
    assert.ok((outputs.markdown ?? '').length < source.length * 40);
  }
});

test('CSV becomes a table', () => {
  const { outputs } = read('name;note\n"A ""x""";"b;\nc"\n\nD;é', {
    contentType: 'text/csv',
    outputs: ['markdown', 'tables'],
  });
  assert.equal(outputs.markdown, '| name | note |\n| --- | --- |\n| A "x" | b;<br>c |\n| D | é |\n');
  assert.deepEqual(outputs.tables?.[0]?.rows, [
    ['A "x"', 'b; c'],
    ['D', 'é'],
  ]);
});

test('the dialect of CSV is detected', () => {
  const csv = { contentType: 'text/csv' };
  const rows: readonly (readonly [string, string])[] = [
    ['a,b\n1\n1,2,3\n', '| a | b | |\n| --- | --- | --- |\n| 1 |\n| 1 | 2 | 3 |'],
    ['a,b\n"x"y,2\n', '| a | b |\n| --- | --- |\n| xy | 2 |'],
    [
      'a,b\n 5" pipe, "x, y"\n"never ends,2\n3,4',
      '| a | b |\n| --- | --- |\n| 5" pipe | x, y |\n| "never ends | 2 |\n| 3 | 4 |',
    ],
    ['"a,b,c";d\r"e";f', '| a,b,c | d |\n| --- | --- |\n| e | f |'],
    ['Prices, all\na;b\n1,5;2\n2,5;3', '| Prices, all | |\n| --- | --- |\n| a | b |\n| 1,5 | 2 |\n| 2,5 | 3 |'],
    ['sep=^\r\na^b,c\r\n1^2', '| a | b,c |\n| --- | --- |\n| 1 | 2 |'],
    ['a|b\n1|2\n', '| a | b |\n| --- | --- |\n| 1 | 2 |'],
  ];
  for (const [source, markdown] of rows) assert.equal(read(source, csv).outputs.markdown, `${markdown}\n`, source);
  const tabs = read('a\tb,c\n1\t2', { contentType: 'text/tab-separated-values' });
  assert.equal(tabs.outputs.markdown, '| a | b,c |\n| --- | --- |\n| 1 | 2 |\n');
  for (const contentType of ['application/csv', 'text/x-csv', 'text/comma-separated-values'])
    assert.match(read('a,b\n1,2', { contentType }).outputs.markdown ?? '', /^\| a \| b \|\n/, contentType);
  const wide = new Uint8Array(Buffer.from('\uFEFFName;Süd\nRye;1', 'utf16le'));
  assert.equal(read('', { ...csv, body: wide }).outputs.markdown, '| Name | Süd |\n| --- | --- |\n| Rye | 1 |\n');
});

test('plain text is prose, or code if its layout matters', () => {
  const plain = { contentType: 'text/plain' };
  assert.equal(
    read('# One *line*\nand more.\n\nNext.', plain).outputs.markdown,
    '```\n# One *line*\nand more.\n\nNext.\n```\n',
  );
  assert.equal(read('A *line*\nand more.\n\nNext.', plain).outputs.markdown, 'A \\*line\\*  \nand more.\n\nNext.\n');
  assert.equal(read('<b>no</b> html', plain).outputs.markdown, '```\n<b>no</b> html\n```\n');
  assert.equal(read('a { b: c }', { contentType: 'text/css' }).outputs.markdown, '```css\na { b: c }\n```\n');
  assert.equal(read('# Is *it*', { contentType: 'text/markdown' }).outputs.markdown, '# Is *it*');
});

test('a feed is read as its items', () => {
  const rss = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x "boom">]><rss xmlns:content="c"><channel><title>F &amp; G</title><link>https://f.example</link>
<item><title>One</title><link>/1</link><author>Ann</author><description>short</description><content:encoded><![CDATA[<p>Long <b>text</b> ]]&gt;</p>]]></content:encoded></item>
<item><title>Two &lt;b&gt;</title><guid>https://f.example/2</guid><description>a &amp;amp; b &x;</description></item></channel></rss>`;
  const { outputs, metadata } = read(rss, { contentType: 'application/rss+xml', outputs: ['markdown', 'links'] });
  assert.match(
    outputs.markdown ?? '',
    /^# F & G\n\n## \[One\]\(https:\/\/example.com\/1\)\n\nAnn\n\nLong \*\*text\*\*/,
  );
  assert.match(outputs.markdown ?? '', /## \[Two\]\(https:\/\/f.example\/2\)\n\na & b \\&x;/);
  assert.equal(metadata.title, 'F & G');
  assert.equal(outputs.links?.length, 2);
  const atom = `<feed xmlns="a"><title>A</title><entry><title>E</title><link href="https://a.example/e"/><updated>2024-01-02T03:04:05Z</updated><author><name>B</name></author><content type="html">&lt;i&gt;x&lt;/i&gt;</content></entry></feed>`;
  assert.equal(
    read(atom, { contentType: 'application/atom+xml' }).outputs.markdown,
    '# A\n\n## [E](https://a.example/e)\n\n2024-01-02T03:04:05Z · B\n\n*x*\n',
  );
});

test('hostile feeds are read in linear time', () => {
  for (const part of ['<item>', '<item a="', '<![CDATA[', '<!--', '</x>', '<a><b></a>', '&amp;']) {
    const { outputs } = read(`<rss><channel>${part.repeat(40_000)}`, { contentType: 'application/rss+xml' });
    assert.equal(typeof outputs.markdown, 'string');
  }
});

test('binary content is refused with its media type', () => {
  assert.throws(
    () => read('%PDF-1.7\n\0', { contentType: 'application/pdf' }),
    (error) =>
      error instanceof ReadError && error.code === 'unsupported_content' && error.message.includes('application/pdf'),
  );
});

test('a missing required member is an error with its name', () => {
  const schema = { type: 'object', properties: { isbn: { type: 'string' } }, required: ['isbn'] };
  assert.throws(
    () => read('<p>nothing</p>', { outputs: ['json'], extract: { schema } }),
    (error) => error instanceof ReadError && error.code === 'extraction_failed' && error.message.includes('isbn'),
  );
});

test('requested fields are filled from the page', () => {
  const extract = { fields: { name: { selector: 'h1', type: 'string', many: false } } } as const;
  assert.deepEqual({ ...read('<h1>The name</h1>', { outputs: ['json'], extract }).outputs.json }, { name: 'The name' });
});

test('missing fields are listed, separately for rows and for values of another type', () => {
  const page = '<h1>Rye</h1><p class="price">on request</p><li><b>1 kg</b><i>€4</i><li><b>5 kg</b>';
  const extract = Extract.parse({
    title: 'string',
    isbn: { selector: '.isbn', type: 'string' },
    tags: { selector: '.tag', type: 'string[]' },
    price: { selector: '.price', type: 'money' },
    sizes: {
      selector: 'li',
      many: true,
      fields: { name: { selector: 'b', type: 'string' }, cost: { selector: 'i', type: 'money' } },
    },
  });
  const { warnings } = read(page, { outputs: ['json'], extract });
  assert.deepEqual(
    warnings.filter(({ code }) => code === 'fields_not_found').map(({ message }) => message),
    [
      'not found: isbn, tags; not found, or not in every row: sizes[].cost; found, but not of the requested type (see json_unread): price',
    ],
  );
  const whole = read(page, {
    outputs: ['json'],
    extract: Extract.parse({ title: { selector: 'h1', type: 'string' } }),
  });
  assert.ok(!whole.warnings.some(({ code }) => code === 'fields_not_found'));
});

test('every requested output is present for every body, including an empty one', () => {
  for (const source of ['', '<p>x', '<p>a\0', '<frameset><frame></frameset>']) {
    const { outputs } = read(source, { outputs: OUTPUTS });
    const names = Object.keys(outputs).toSorted();
    assert.deepEqual(names, OUTPUTS.filter((name) => name !== 'metadata').toSorted());
  }
});

test('recorded pages are read without an error', (t) => {
  const pages = recordedPages(120);
  if (pages.length === 0) return t.skip('needs QUERN_CORPUS');
  for (const { name, body } of pages) {
    const { outputs } = read('', { body, contentType: 'text/html', outputs: OUTPUTS });
    assert.equal(typeof outputs.markdown, 'string', name);
  }
});

test('very much markup is processed in linear time by all outputs', () => {
  const floods = [
    '<!--',
    '</',
    '<a href="',
    '<p class=a b=c>',
    '&amp;amp;',
    '<a href=x>',
    '<td>',
    '<object><a href=/x>',
    '<svg><a>',
  ];
  for (const flood of floods) {
    const reading = read(flood.repeat(25_000), { outputs: OUTPUTS });
    assert.equal(typeof reading.outputs.markdown, 'string', flood);
  }
});

test('a page nested deeper than the limit is flattened with a warning', () => {
  for (const [depth, codes] of [
    [500, []],
    [600, ['truncated']],
  ] as const) {
    const { warnings } = read(`${'<div>'.repeat(depth)}<p>A paragraph.`);
    assert.deepEqual(
      warnings.map(({ code }) => code),
      codes,
    );
  }
  const { outputs, truncated } = read(`${'<blockquote>'.repeat(100_000)}A quotation.`);
  assert.match(outputs.markdown ?? '', /A quotation\./);
  assert.equal(truncated, false);
});

test('links are read up to the limit of a crawl, with a warning beyond it', () => {
  for (const [there, isCut] of [
    [MAX_LINKS, false],
    [MAX_LINKS + 1, true],
    [2 * MAX_LINKS, true],
  ] as const) {
    const page = Array.from({ length: there }, (_, at) => `<a href=/${at}>a</a>`).join('');
    const { outputs, truncated, warnings } = read(page, { outputs: ['links'] });
    assert.deepEqual([outputs.links?.length, truncated], [MAX_LINKS, isCut]);
    assert.equal(warnings.filter(({ code }) => code === 'truncated').length, isCut ? 1 : 0);
  }
});

/** NUL as JSON spells it, not a backslash before `u0000`. */
const SPELT_NUL = /(?<!\\)(?:\\\\)*\\u0000/;

test('NUL is in no output, however the page writes it', () => {
  const json = String.raw`{"@type":"Article","head\u0000line":"a\u0000b","path":"C:\\u0000","name":"n\u0000"}`;
  const page = `<!doctype html><title>t\0t</title><script type="application/ld+json">${json}</script>
<meta property="og:title" content="o\0o"><p title="x\0x">a\0b &#0; <a href="/\0" data-\0="1">l\0</a><svg><text>s\0</text></svg>
<pre>c\0</pre><textarea>\0</textarea><table><tr><th>h\0<th>i<tr><td>d\0<td>e</table><img src="/i\0.png" alt="\0">`;
  const extract = Extract.parse({
    fields: { html: { selector: 'p', type: 'html' }, x: { xpath: '//p/@title' }, j: { json_path: '$.name' } },
  });
  const outputs = OUTPUTS.filter((output) => output !== 'metadata');
  const reading = read(page, { outputs, extract });
  assert.doesNotMatch(JSON.stringify(reading), SPELT_NUL);
  assert.deepEqual(reading.outputs.structured_data?.json_ld, [
    { '@type': 'Article', headline: 'ab', path: String.raw`C:\u0000`, name: 'n' },
  ]);
  // NUL within the first bytes would make the body binary.
  const start = 'word '.repeat(400);
  for (const [contentType, body] of [
    ['application/json', String.raw`{"a":"x\u0000y"}`],
    ['text/markdown', `${start}# a\0b`],
    ['text/plain', `${start}a\0b`],
    ['text/csv', `${start}\0,b\nc,d\0`],
    ['application/rss+xml', `<rss><channel><title>t</title><item><title>i\0</title></item></channel></rss>`],
  ] as const) {
    const asked = { outputs, extract: Extract.parse({ a: 'string' }), contentType };
    assert.doesNotMatch(JSON.stringify(read(body, asked)), SPELT_NUL, contentType);
  }
});
