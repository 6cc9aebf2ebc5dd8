import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readDocument } from '#extract/read-document.ts';
import { readWhole } from '#extract/read-page.ts';
import { toXlsx } from '#testkit/office.ts';
import { toMarkdownRequest } from '#testkit/read-request.ts';
import { read } from './pages.ts';

function feedMarkdown(source: string): string {
  return read(source, { contentType: 'application/xml' }).outputs.markdown ?? '';
}

test('titles of a feed are as feed readers show them', () => {
  const titles = [
    ['if x &lt; y and y &gt; z', 'if x < y and y > z'],
    ['Vec&lt;T&gt; in Rust', 'Vec\\<T> in Rust'],
    ['<![CDATA[5 < 6]]>', '5 < 6'],
    ['One &lt;b&gt;bold&lt;/b&gt;', 'One bold'],
    ['A &amp;#8211; B', 'A – B'],
  ] as const;
  for (const [title, shown] of titles) {
    const rss = `<rss version="2.0"><channel><title>F</title><item><title>${title}</title></item></channel></rss>`;
    assert.ok(feedMarkdown(rss).includes(`## ${shown}\n`), title);
  }
  const atom =
    '<feed><title type="html">A &amp;amp; &lt;i&gt;b&lt;/i&gt;</title><entry><title>x</title></entry></feed>';
  assert.match(feedMarkdown(atom), /^# A & b$/m);
});

test('escaped sections, summaries of podcasts and the base of a feed are read', () => {
  const rss = `<rss xml:base="https://f.example/blog/"><channel><title>F</title>
<item><title>a</title><description>&lt;![CDATA[some text]]&gt;</description></item>
<item><title>b</title><itunes:summary>About a lock</itunes:summary></item>
<item><title>c</title><description>&lt;a href="rel"&gt;link&lt;/a&gt;</description></item></channel></rss>`;
  const markdown = feedMarkdown(rss);
  assert.match(markdown, /^some text$/m);
  assert.match(markdown, /^About a lock$/m);
  assert.match(markdown, /\[link\]\(https:\/\/f\.example\/blog\/rel\)/);
});

test('hidden rows of a sheet are left out', async () => {
  const rows =
    '<row r="1"><c r="A1"><v>1</v></c></row><row r="2" hidden="1"><c r="A2"><v>2</v></c></row><row r="3"><c r="A3"><v>3</v></c></row>';
  const body = toXlsx([
    {
      name: 'S',
      rows: `</sheetData><cols><col min="2" max="2" hidden="true"/></cols><sheetData>${rows}<row r="4"><c r="A4"><v>4</v></c><c r="B4"><v>5</v></c><c r="C4"><v>6</v></c></row>`,
    },
  ]);
  const request = { ...toMarkdownRequest(body, 'https://mill.example/a'), contentType: 'application/octet-stream' };
  const markdown = readWhole(request, await readDocument(body, () => true)).reading.outputs.markdown ?? '';
  assert.match(markdown, /\| 4 \| 6 \|/);
  assert.doesNotMatch(markdown, /2|5/);
});
