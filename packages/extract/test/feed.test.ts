import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '#extract/page-source.ts';
import { readPageWithTree } from '#extract/read-page.ts';
import { buildXlsx } from '#testkit/office.ts';
import { buildMarkdownRequest } from '#testkit/read-request.ts';
import { read } from './pages.ts';

function feedMarkdown(source: string): string {
  return read(source, { contentType: 'application/xml' }).outputs.markdown ?? '';
}

test('feed titles are decoded as feed readers do', () => {
  const titles = [
    ['if x &lt; y and y &gt; z', 'if x < y and y > z'],
    ['Vec&lt;T&gt; in Rust', 'Vec\\<T> in Rust'],
    ['<![CDATA[5 < 6]]>', '5 < 6'],
    ['One &lt;b&gt;bold&lt;/b&gt;', 'One bold'],
    ['A &amp;#8211; B', 'A – B'],
    ['The &lt;dialog&gt; element', 'The \\<dialog> element'],
    ['Read &lt;code&gt;x&lt;/code&gt;&lt;br&gt;', 'Read x'],
  ] as const;
  for (const [title, shown] of titles) {
    const rss = `<rss version="2.0"><channel><title>F</title><item><title>${title}</title></item></channel></rss>`;
    assert.ok(feedMarkdown(rss).includes(`## ${shown}\n`), title);
  }
  const atom =
    '<feed><title type="html">A &amp;amp; &lt;i&gt;b&lt;/i&gt;</title><entry><title>x</title></entry></feed>';
  assert.match(feedMarkdown(atom), /^# A & b$/m);
});

test('escaped CDATA, podcast summaries and xml:base are supported', () => {
  const rss = `<rss xml:base="https://f.example/blog/"><channel><title>F</title>
<item><title>a</title><description>&lt;![CDATA[some text]]&gt;</description></item>
<item><title>b</title><itunes:summary>About a lock</itunes:summary></item>
<item><title>c</title><description>&lt;a href="rel"&gt;link&lt;/a&gt;</description></item></channel></rss>`;
  const markdown = feedMarkdown(rss);
  assert.match(markdown, /^some text$/m);
  assert.match(markdown, /^About a lock$/m);
  assert.match(markdown, /\[link\]\(https:\/\/f\.example\/blog\/rel\)/);
});

function itemMarkdown(description: string): string {
  const markdown = feedMarkdown(
    `<rss version="2.0"><channel><title>F</title><item><title>t</title><description>${description}</description></item></channel></rss>`,
  );
  return /## t\s+([\s\S]*?)\s*$/.exec(markdown)?.[1] ?? '';
}

test('feed descriptions are decoded as feed readers do', () => {
  const descriptions = [
    [
      '&amp;lt;p&amp;gt;A &amp;lt;a href=&amp;#34;https://x.example/&amp;#34;&amp;gt;page&amp;lt;/a&amp;gt;&amp;lt;/p&amp;gt;',
      'A [page](https://x.example/)',
    ],
    ['<![CDATA[&lt;p&gt;One &lt;b&gt;two&lt;/b&gt;&lt;/p&gt;]]>', 'One **two**'],
    ['text with &lt;canvas&gt; word &lt;3 tail', 'text with \\<canvas> word <3 tail'],
    ['a &lt;textarea&gt; and &lt;b&gt;bold&lt;/b&gt; Vec&lt;T&gt; end', 'a \\<textarea> and **bold** Vec\\<T> end'],
    ['by &lt;nora@mill.example&gt; now', 'by \\<nora@mill.example> now'],
    ['&lt;p&gt;one&lt;p&gt;two&lt;br&gt;three', 'one\n\ntwo  \nthree'],
    ['use &amp;lt;b&amp;gt; for bold', 'use \\<b> for bold'],
    ['a &amp;lt; b', 'a < b'],
  ] as const;
  for (const [description, shown] of descriptions) assert.equal(itemMarkdown(description), shown, description);
});

test('external content is a link, and entries and contents may have xml:base', () => {
  const markdown = feedMarkdown(`<feed xml:base="https://f.example/a/"><title>F</title>
<entry><title>one</title><content src="long.html" type="text/html"/><summary>Short</summary></entry>
<entry xml:base="b/"><title>two</title><link href="x"/><content type="html">&lt;a href="y"&gt;why&lt;/a&gt;</content></entry>
<entry xml:base="b/"><title>three</title><content type="xhtml" xml:base="/c/"><div><a href="z">zed</a></div></content></entry>
<entry><title>four</title><content type="html" xml:base="https://g.example/">&lt;img src="p.png" alt="pic"&gt;</content></entry></feed>`);
  assert.match(markdown, /Short\n\n\[long\.html\]\(https:\/\/f\.example\/a\/long\.html\)/);
  assert.match(markdown, /\[two\]\(https:\/\/f\.example\/a\/b\/x\)/);
  assert.match(markdown, /\[why\]\(https:\/\/f\.example\/a\/b\/y\)/);
  assert.match(markdown, /\[zed\]\(https:\/\/f\.example\/c\/z\)/);
  assert.match(markdown, /!\[pic\]\(https:\/\/g\.example\/p\.png\)/);
});

test('hidden rows of a sheet are omitted', async () => {
  const rows =
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="2" hidden="1"><c r="A2"><v>2</v></c></row><row r="3"><c r="A3"><v>3</v></c></row>';
  const body = buildXlsx([
    {
      name: 'S',
      rows: `</sheetData><cols><col min="2" max="2" hidden="true"/></cols><sheetData>${rows}<row r="4"><c r="A4"><v>4</v></c><c r="B4"><v>5</v></c><c r="C4"><v>6</v></c></row>`,
    },
  ]);
  const request = { ...buildMarkdownRequest(body, 'https://mill.example/a'), contentType: 'application/octet-stream' };
  const markdown = readPageWithTree(request, await readDocument(body, () => true)).reading.outputs.markdown ?? '';
  assert.match(markdown, /\| 4 \| 6 \|/);
  assert.doesNotMatch(markdown, /2|5/);
});
