import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { parseHtml } from '#extract/html/parse.ts';
import { isText, getTagName, readText } from '#extract/html/tree.ts';
import { escapeLineStarts, escapeText } from '#extract/renderers/escape.ts';
import { renderMarkdown, renderPlainText, read } from './pages.ts';

const commonMark = new MarkdownIt({ html: true });

/** The elements and text that a Markdown reader renders. */
function shown(markdown: string): { readonly names: readonly string[]; readonly text: string } {
  const tree = parseHtml(commonMark.render(markdown));
  const names = new Set<string>();
  for (let node = 4; node < tree.count; node++) if (!isText(tree, node)) names.add(getTagName(tree, node));
  return { names: [...names], text: readText(tree, 0).replace(/\s+/g, ' ').trim() };
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

test('headings, paragraphs, lists, quotes, rules and code become Markdown', () => {
  const html = `<h1>One</h1><p>Some <b>bold</b>, <i>slanted</i>, <del>gone</del> and <code>a\`b</code>.<hr>
<ul><li>a<ul><li>b</ul><li>c</ul><ol start=3><li>x<li>y</ol><blockquote><p>q1<p>q2</blockquote>
<pre><code class="language-js">if (a) {\n  b();\n}</code></pre>`;
  const markdown = [
    '# One',
    'Some **bold**, *slanted*, ~~gone~~ and ``a`b``.',
    '---',
    '- a\n  - b\n- c',
    '3. x\n4. y',
    '> q1\n>\n> q2',
    '```js\nif (a) {\n  b();\n}\n```',
  ];
  assert.equal(renderMarkdown(html), markdown.join('\n\n'));
});

test('plain text is the Markdown without markup', () => {
  const html =
    '<h2>T</h2><p>a <b>b</b> *c* <a href=/x>d</a><ul><li>e<li>f</ul><table><tr><th>g<th>h<tr><td>i<td>j</table>';
  assert.equal(renderPlainText(html), 'T\n\na b *c* d\n\ne\nf\n\ng\th\ni\tj');
});

test('links and images are absolute, fragment links stay', () => {
  const html =
    '<a href="../up">up</a> <a href="/root?a=(1)">root</a> <a href="#part">part</a> <a href="//cdn.example/x">cdn</a> <img src="i.png" alt="a [b]" title="t">';
  assert.equal(
    renderMarkdown(html),
    '[up](https://example.com/up) [root](<https://example.com/root?a=(1)>) [part](#part) [cdn](https://cdn.example/x) ![a \\[b\\]](https://example.com/docs/i.png "t")',
  );
});

test('the base element applies if it is an http URL', () => {
  assert.equal(
    renderMarkdown('<base href="https://other.example/d/"><a href=x>l</a>'),
    '[l](https://other.example/d/x)',
  );
  assert.equal(renderMarkdown('<base href="javascript:alert(1)//"><a href=x>l</a>'), '[l](https://example.com/docs/x)');
});

test('a javascript: link becomes text', () => {
  for (const href of [
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\nscript:alert(1)',
    '\u0001javascript:x',
    'vbscript:x',
    'data:text/html,x',
  ]) {
    assert.equal(renderMarkdown(`<p><a href="${href}">text</a>`), 'text', href);
  }
});

test('a link around blocks is put on the first of them', () => {
  assert.equal(
    renderMarkdown('<a href=/c><h3>Card</h3><p>words</p></a>'),
    '### [Card](https://example.com/c)\n\nwords',
  );
});

test('tables keep their columns with spans, pipes and line breaks', () => {
  const html =
    '<table><caption>C</caption><tr><th>A<th>B<tr><td rowspan=2>1|2<td>x<br>y<tr><td>z<tr><td colspan=2>w</table>';
  assert.equal(renderMarkdown(html), 'C\n\n| A | B |\n| --- | --- |\n| 1\\|2 | x<br>y |\n| | z |\n| w | |');
});

test('layout tables are read cell by cell', () => {
  assert.equal(renderMarkdown('<table><tr><td><h2>A</h2><table><tr><td>b</table></table>'), '## A\n\nb');
});

test('line numbers next to code are removed', () => {
  const html =
    '<table class=highlight><tr><td class=gutter><pre>1\n2</pre><td class=code><pre><code class="language-rb">a\nb</code></pre></table>';
  assert.equal(renderMarkdown(html), '```rb\na\nb\n```');
});

test('an empty language class does not use the next class as language', () => {
  assert.equal(
    renderMarkdown('<div class="language- vp-adaptive"><pre><code>npm i</code></pre></div>'),
    '```\nnpm i\n```',
  );
  assert.equal(renderMarkdown('<pre class="brush: js; ruler: true">go()</pre>'), '```js\ngo()\n```');
  assert.equal(renderMarkdown('<pre class="code html4strict">go</pre>'), '```html\ngo\n```');
});

function codeLine(names: string, text: string): string {
  return `<div class="line ${names}"><div class="code">${text}</div></div>`;
}

test('added and removed lines of a diff get their signs', () => {
  const lines = `${codeLine('', 'a')}${codeLine('ins', ' b')}${codeLine('del', ' c')}`;
  assert.equal(renderMarkdown(`<pre data-language="diff"><code>${lines}</code></pre>`), '```diff\na\n+ b\n- c\n```');
  assert.equal(renderMarkdown(`<pre data-language="js"><code>${lines}</code></pre>`), '```js\na\n b\n c\n```');
});

test('formulas are written once as TeX', () => {
  const html =
    '<p>so <span class=katex><math><mi>x</mi><annotation encoding="application/x-tex">x^2</annotation></math><span class=katex-html>x2</span></span>.';
  assert.equal(renderMarkdown(html), 'so $x^2$.');
});

test('two line breaks separate paragraphs, one breaks the line', () => {
  assert.equal(renderMarkdown('<p>a<br>b<br><br>c'), 'a  \nb\n\nc');
});

test('emphasis that asterisks cannot delimit is an HTML element', () => {
  assert.equal(renderMarkdown('<p>a<b>"b"</b>c'), 'a<strong>"b"</strong>c');
  assert.deepEqual(shown(renderMarkdown('<p>x<b>(y)</b>z <i>a</i><i>b</i>')).text, 'x(y)z ab');
});

test('email addresses in angle brackets stay text', () => {
  for (const parts of [['<#@b>'], ['<1.', 'rye@mill.example>'], ['<', '/@b>']]) {
    const html = parts.map(escapeHtml).join('<span></span>');
    const { names, text } = shown(renderMarkdown(`<p>${html}</p>`));
    assert.deepEqual([names, text.trim()], [['p'], parts.join('')]);
  }
  assert.equal(renderMarkdown('<p>1 &lt;2 and 3</p>'), '1 <2 and 3');
});

test('page text never becomes markup', () => {
  const nasty = fc.oneof(
    fc.constantFrom(
      '*',
      '_',
      '`',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '&',
      '!',
      '#',
      '-',
      '+',
      '=',
      '~',
      '|',
      '\\',
      ':',
      '.',
      '1',
      ' ',
      '\n',
      'a',
      'b>',
      '<b',
      'amp;',
      '<!--',
      '-->',
      '![',
      '](',
      '---',
      '```',
      '~~~',
      '<script>',
      '&lt;',
      'http://x.y',
    ),
    fc.string({ maxLength: 3 }),
  );
  const property = fc.property(
    fc.array(nasty, { maxLength: 30 }),
    fc.array(fc.nat(30), { maxLength: 4 }),
    (pieces, cuts) => {
      // Elements without meaning between pieces of text must not turn it into markup.
      const html = pieces.map((piece, at) => escapeHtml(piece) + (cuts.includes(at) ? '<span></span>' : '')).join('');
      const { names, text } = shown(renderMarkdown(`<p>${html}</p>`));
      assert.deepEqual(
        names.filter((name) => name !== 'p' && name !== 'br'),
        [],
      );
      const wanted = readText(parseHtml(`<p>${html}</p>`), 0);
      assert.equal(text.replace(/\s/g, ''), wanted.replace(/\s/g, ''));
    },
  );
  fc.assert(property, { numRuns: 1000 });
});

test('text cannot break out of a cell, heading, item or link', () => {
  const text = fc.string({ unit: fc.constantFrom(...Array.from('|*_`[]()<>&!#-+=~\\ \n1.a')), maxLength: 20 });
  const property = fc.property(text, (raw) => {
    const safe = escapeHtml(`x${raw}x`);
    const html = `<h2>${safe}</h2><ul><li>${safe}</ul><table><tr><th>${safe}<th>h<tr><td>${safe}<td>c</table><p><a href=/u>${safe}</a>`;
    const { names } = shown(renderMarkdown(html));
    assert.deepEqual(names, ['h2', 'ul', 'li', 'table', 'thead', 'tr', 'th', 'tbody', 'td', 'p', 'a']);
  });
  fc.assert(property, { numRuns: 500 });
});

test('inputs that make Markdown readers quadratic are escaped in linear time', () => {
  const times = 20_000;
  const repeats = [
    'a_',
    '[ (](',
    '![[]()',
    '`',
    '<!-- ',
    '*a **b ',
    '[',
    ']',
    '~',
    '&amp;',
    '&lt;',
    '\\',
    '_a*',
    '> ',
    '- ',
    '1. ',
    '| ',
  ];
  for (const repeat of repeats) {
    const markdown = renderMarkdown(`<p>${repeat.repeat(times)}</p>`);
    assert.ok(markdown.length <= repeat.length * times * 3, repeat);
  }
});

test('deep nesting neither overflows the stack nor blows up the output', () => {
  for (const name of [
    'div',
    'blockquote',
    'ul><li',
    'ol><li',
    'b',
    'i><b',
    'span',
    'table><tr><td',
    'sup',
    'a href=/x',
    'dl><dd',
    'q',
    'details',
  ]) {
    const source = `<${name}>`.repeat(5_000);
    const { outputs } = read(`${source}deep text`, {
      outputs: ['markdown', 'text', 'html', 'tables'],
      onlyMainContent: false,
    });
    assert.match(outputs.text ?? '', /deep text/, name);
    assert.ok((outputs.markdown ?? '').length < 100_000, name);
  }
});

test('many siblings, cells and nested inline elements are rendered in linear time', () => {
  for (const part of [
    '<b>x</b>',
    '<p>x',
    '<li>x',
    '<td>x',
    '<tr><td>a<td>b',
    '<br>x',
    '<a href=/x>y</a>',
    '<i>a<b>b</b></i> ',
    '<img src=/i>',
  ]) {
    const { outputs } = read(`<table>${part.repeat(10_000)}</table>${part.repeat(10_000)}`, { onlyMainContent: false });
    assert.ok((outputs.markdown ?? '').length > 0, part);
  }
});

test('hidden controls and odd characters are kept as they are', () => {
  const text = 'a\u202Eb\u200B\u200Bc Z\u0351\u036B\u0343 \u{1F600} \uE000';
  assert.equal(renderMarkdown(`<p>${text}</p>`), text);
  assert.equal(renderMarkdown('<p>a\0b</p>'), 'ab');
});

test('the rendered Markdown shows the same text as the page', () => {
  const names =
    'b i em code sup del span p ul li ol blockquote h2 div table tr td th strong section summary dt caption figure q kbd';
  const tag = fc.constantFrom('a href=/x', ...names.split(' '));
  const piece = fc.oneof(
    tag.map((name) => `<${name}>`),
    tag.map((name) => `</${name.split(' ')[0]}>`),
    fc.constantFrom(
      '<br>',
      '<hr>',
      ' ',
      '\n',
      'word',
      'two words',
      '*',
      '"',
      '.',
      '!',
      '1.',
      '- ',
      '#',
      '_',
      '(x)',
      '|',
      '~',
      '`',
    ),
  );
  const property = fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => {
    const source = pieces.join('');
    const { markdown = '', text = '' } = read(source, {
      outputs: ['markdown', 'text'],
      onlyMainContent: false,
    }).outputs;
    assert.equal(shown(markdown).text.replace(/\s/g, ''), text.replace(/\s/g, ''), markdown);
  });
  fc.assert(property, { numRuns: 1500 });
});

test('anchor signs in headings are removed, in any element', () => {
  for (const sign of ['#', '<b>#</b>', '<code>#</code>', '<i>¶</i>', '<s><em>#</em></s>'])
    assert.equal(renderMarkdown(`<h2>Mill <a href=/x>${sign}</a></h2>`), '## Mill', sign);
  assert.match(renderMarkdown('<h2>Mill <a href=/x>*</a></h2>'), /^## Mill \[\\\*\]/);
});

test('adjacent lists stay separate, and one blank line makes a list loose', () => {
  const cases = [
    ['<ul><li>a<li>b</ul><ul><li>c</ul><ul><li>d</ul>', '- a\n- b\n\n* c\n\n- d'],
    ['<ol><li>a</ol><ol start=5><li>b</ol>', '1. a\n\n5) b'],
    ['<ul><li>a</ul><ol><li>b</ol>', '- a\n\n1. b'],
    ['<ul><li>a<ul><li>b</ul><ul><li>c</ul></ul>', '- a\n  - b\n  * c'],
    ['<ul><li>a<li><div>b</div><div>c</div><li>d</ul>', '- a\n\n- b\n\n  c\n\n- d'],
    ['<ul><li>a<ul><li>b<li><p>c<p>d</ul><li>e</ul>', '- a\n  - b\n\n  - c\n\n    d\n- e'],
    ['<ul><li>a<pre>b\n\nc</pre><li>d</ul>', '- a\n  ```\n  b\n\n  c\n  ```\n- d'],
    ['<ul><li>a</li><p>b</p></ul>', '- a\n\n  b'],
    ['<ul><li><hr></ul>', '- ___'],
  ] as const;
  for (const [html, markdown] of cases) {
    assert.equal(renderMarkdown(html), markdown);
    assert.equal(renderMarkdown(commonMark.render(markdown)), markdown);
  }
});

test('emphasis separated by spaces or at the end of a block needs no HTML elements', () => {
  const cases = [
    ['<p><em>a </em><em>b</em>', '*a* *b*'],
    ['<p><b>a</b><b> b.</b>c', '**a** <strong>b.</strong>c'],
    ['<p><b>a</b><b>b</b>', '<strong>a</strong><strong>b</strong>'],
    ['<div><div><em>a.</em></div>b</div>', '*a.*\n\nb'],
  ] as const;
  for (const [html, markdown] of cases) assert.equal(renderMarkdown(html), markdown);
});

test('a checkbox is a task marker at the start of an item, and a symbol elsewhere', () => {
  const html = '<ul><li><input type=checkbox checked> a<li>b <input type=checkbox></ul><p><input type=checkbox> c';
  assert.equal(renderMarkdown(html), '- [x] a\n- b ☐\n\n☐ c');
});

test('a long text is escaped like its parts', () => {
  const words = String.raw`a_b [x] * <i> &amp; \ `;
  assert.equal(escapeText(words.repeat(10_000)), escapeText(words).repeat(10_000));
  const lines = '- a\n1. b\n\n# c\n';
  assert.equal(escapeLineStarts(lines.repeat(10_000)), escapeLineStarts(lines).repeat(10_000));
  const line = '- '.repeat(100_000);
  assert.equal(escapeLineStarts(`${line}\n- a`), `\\${line}\n\\- a`);
});

for (const [what, html, markdown] of [
  ['code beside code is one piece', '<p><code>-</code><code>-all</code></p>', '`--all`'],
  ['code behind a backtick stays code', "<p>``<code>Name:</code>''</p>", "\\`\\``Name:`''"],
  ['code on two lines stays code', '<p><code>a</code><br><code>b</code></p>', '`a`  \n`b`'],
  ['code in bold beside code', '<p><b><code>a.</code><code>B</code></b></p>', '**`a.B`**'],
] as const) {
  test(`a code span: ${what}`, () => assert.equal(renderMarkdown(html), markdown));
}

for (const [what, html, markdown] of [
  ['text', '<dl><dt>a<dd>one<dt>b<dd>two</dl>', '**a**\n\n: one\n\n**b**\n\n: two'],
  ['code', '<dl><dt>a<dd><pre>x\ny</pre></dl>', '**a**\n\n  ```\n  x\n  y\n  ```'],
  ['a list', '<dl><dt>a<dd><ul><li>x<li>y</ul></dl>', '**a**\n\n  - x\n  - y'],
  [
    'definitions of three levels, none as deep as code',
    '<dl><dt>a<dd>one<dl><dt>b<dd>two<dl><dt>c<dd>three</dl></dl></dl>',
    '**a**\n\n: one\n\n  **b**\n\n  : two\n\n  **c**\n\n  : three',
  ],
] as const) {
  test(`a definition holds ${what}`, () => assert.equal(renderMarkdown(html), markdown));
}

test('source code links of API references are removed', () => {
  const html = `<dl><dt><code>turn()</code><a class="reference" href="/src"><span class="viewcode-link">[source]</span></a></dt></dl>
    <h4>press <a class="srclink" href="/src/press.rs">source</a></h4>`;
  assert.equal(renderMarkdown(html), '**`turn()`**\n\n#### press');
});
