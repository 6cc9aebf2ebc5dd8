import assert from 'node:assert/strict';
import { test } from 'node:test';
import MarkdownIt from 'markdown-it';
import { parseHtml } from '#extract/html/parse.ts';
import { isText, getTagName } from '#extract/html/tree.ts';
import { renderMarkdown, renderPlainText, read } from './pages.ts';

const commonMark = new MarkdownIt({ html: true });

/** Pieces of HTML and the Markdown that they become. */
function becomes(cases: readonly (readonly [string, string])[]): void {
  for (const [html, markdown] of cases) assert.equal(renderMarkdown(html), markdown, html);
}

test('a short label and a note that link to each other are a footnote, whatever their classes', () => {
  becomes([
    [
      '<p>One<sup id=r1><a href="#n1">[1]</a></sup>.<ol><li id=n1><p>Note <a href="#r1">↩</a><p>more</ol>',
      'One[^1].\n\n[^1]: Note\n\n    more',
    ],
    [
      '<p>One<a name=A1 href="#B1">1</a>, two<a name=A2 href="#B2">2</a>.<div><p><a name=B1 href="#A1">1</a> First.<p><a name=B2 href="#A2">2</a> Second.</div>',
      'One[^1], two[^2].\n\n[^1]: First.\n\n[^2]: Second.',
    ],
    // A note after a heading that only has its number.
    [
      '<p>One<a id=d1 href="#f1"><sup>1</sup></a>.<h5><a id=f1 href="#d1">(1)</a></h5><p>Note.',
      'One[^1].\n\n[^1]: Note.',
    ],
    // Two references to one note, and two notes with the same label.
    [
      '<p>a<sup id=r1><a href="#n1">1</a></sup> b<sup id=r2><a href="#n1">1</a></sup><ol><li id=n1>x <a href="#r1">^</a> <a href="#r2">^</a></ol><p>c<sup id=r3><a href="#n2">1</a></sup><ol><li id=n2>y <a href="#r3">^</a></ol>',
      'a[^1] b[^1]\n\n[^1]: x\n\nc[^1-2]\n\n[^1-2]: y',
    ],
  ]);
});

test('links that are not footnotes stay links', () => {
  becomes([
    [
      '<p><a id=t1 href="#c1">I</a><h2 id=c1><a href="#t1">Chapter I</a></h2><p>x',
      '[I](#c1)\n\n## [Chapter I](#t1)\n\nx',
    ],
    ['<p>see <a href="#part">2</a><h2 id=part>Part</h2>', 'see [2](#part)\n\n## Part'],
    ['<p>gone<sup><a href="#n1">1</a></sup>', 'gone<sup>[1](#n1)</sup>'],
  ]);
});

test('plain text shows footnotes as on the page', () => {
  const html = '<p>One<sup id=r1><a href="#n1">1</a></sup>.<ol><li id=n1>Note</ol>';
  assert.equal(renderPlainText(html), 'One1.\n\nNote');
});

test('MathML without a source becomes TeX', () => {
  const cases: readonly (readonly [string, string])[] = [
    ['<mi>a</mi><msup><mi>x</mi><mn>2</mn></msup><mo>≠</mo><mn>0</mn>', '$a x^{2} \\neq 0$'],
    ['<mfrac><mrow><mo>−</mo><mi>b</mi></mrow><msqrt><mi>β</mi></msqrt></mfrac>', '$\\frac{- b}{\\sqrt{\\beta}}$'],
    ['<munderover><mo>∑</mo><mrow><mi>k</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover>', '$\\sum_{k = 1}^{n}$'],
    ['<mover><mi>B</mi><mo>→</mo></mover><msub><mi>r</mi><mtext>end</mtext></msub>', '$\\vec{B} r_{\\text{end}}$'],
    ['<mi mathvariant=double-struck>R</mi><mi>sin</mi><mi>foo</mi>', '$\\mathbb{R} \\sin \\mathrm{foo}$'],
    ['<mroot><mi>x</mi><mn>3</mn></mroot><msup><mi>f</mi><mo>′</mo></msup>', "$\\sqrt[3]{x} f'$"],
    [
      '<mtable columnalign=right><mtr><mtd><mi>x</mi></mtd><mtd><mn>1</mn></mtd></mtr><mtr><mtd><mi>y</mi></mtd><mtd><mn>2</mn></mtd></mtr></mtable>',
      '$\\begin{aligned} x & 1 \\\\ y & 2 \\end{aligned}$',
    ],
    ['<mfenced open="{" close="}"><mi>a</mi><mi>b</mi></mfenced>', '$\\{ a, b \\}$'],
    [
      '<mmultiscripts><mi>C</mi><mn>6</mn><none></none><mprescripts></mprescripts><none></none><mn>14</mn></mmultiscripts>',
      '${}^{14}{C}_{6}$',
    ],
  ];
  for (const [mathml, markdown] of cases) assert.equal(renderMarkdown(`<p><math>${mathml}</math>`), markdown, mathml);
});

test('a rendered formula is written once, from its source', () => {
  becomes([
    ['<p>a <span class="math-inline" data-math="x^2"><span class=katex-html>x2</span></span> b', 'a $x^2$ b'],
    ['<p><span class=MathJax><nobr>x2</nobr></span><script type="math/tex">x^2</script>', '$x^2$'],
    [
      '<div class=MathJax_Display><span class=MathJax>x2</span></div><script type="math/tex; mode=display">x^2</script>',
      '$$x^2$$',
    ],
    ['<p><mjx-container class=MathJax display=true><svg></svg><math><mi>x</mi></math></mjx-container>', '$$x$$'],
    [
      '<p><span class=mwe-math-element><span style="display:none"><math alttext="{\\displaystyle x^2}"><mi>x</mi></math></span><img class=mwe-math-fallback-image-inline src=/x.svg alt="x^2"></span>',
      '$x^2$',
    ],
    ['<p><img class=latex src=/x.png alt="\\frac{1}{2}">', '$\\frac{1}{2}$'],
  ]);
});

test('TeX in text is a formula only if the page has a typesetter', () => {
  const html = '<p>Let $a_1$ and \\(b_1\\), for $5 or $6. \\[c_1\\]';
  assert.equal(renderMarkdown(html), 'Let \\$a_1$ and \\\\(b_1\\\\), for $5 or $6. \\\\\\[c_1\\\\\\]');
  assert.equal(
    renderMarkdown(`<script src="/katex.min.js"></script>${html}`),
    'Let $a_1$ and $b_1$, for $5 or $6. $$c_1$$',
  );
});

test('no formula can become a Markdown element, link or code', () => {
  for (const tex of ['<img src=x onerror=y>', '[a](javascript:b)', '`a`', '</p><script>', '![a](b)', 'a\\']) {
    const safe = tex.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
    const html = `<script>KaTeX</script><p><math><annotation>${safe}</annotation></math> \\(${safe}\\) <span class=math data-tex="${safe}"></span><table><tr><th>a<th>b<tr><td><img class=latex alt="${safe}|"><td>c</table>`;
    const tree = parseHtml(commonMark.render(renderMarkdown(html)));
    const names = new Set<string>();
    for (let node = 4; node < tree.count; node++) if (!isText(tree, node)) names.add(getTagName(tree, node));
    assert.deepEqual([...names], ['p', 'table', 'thead', 'tr', 'th', 'tbody', 'td'], tex);
  }
});

test('code without pre keeps its lines and loses line numbers', () => {
  becomes([
    [
      '<pre><code class="language-py"><span><span style="user-select:none"> 1</span><span>a\n</span></span><span><span style="user-select:none"> 2</span><span>b\n</span></span></code></pre>',
      '```py\na\nb\n```',
    ],
    ['<div><code style="white-space: pre">\n  a\n    b\n</code></div>', '```\na\n  b\n```'],
    ['<p><code>a<br>b</code></p>', '```\na\nb\n```'],
    ['<p>of <code>a\nb</code> c', 'of `a b` c'],
    ['<div class=code-block data-lang=http>GET /\n\n&gt; x</div>', '```http\nGET /\n\n> x\n```'],
    [
      '<table><tr><td data-line-number=7><td class=blob-code>a();<tr><td data-line-number=8><td class=blob-code>  b();</table>',
      '```\na();\n  b();\n```',
    ],
    ['<pre class="hljs rust">fn a() {}</pre>', '```rust\nfn a() {}\n```'],
    ['<p>a<code> </code>b', 'a` `b'],
  ]);
});

test('lists keep their tightness, empty items and numbers, and may be mere indentation', () => {
  becomes([
    ['<ul><li>a<blockquote>b</blockquote><li>c</ul>', '- a\n  > b\n- c'],
    ['<ol><li><p>a</p><ul><li>b</ul></ol>', '1. a\n\n   - b'],
    ['<ol><li>a<li></li><li value=7>c</ol>', '1. a\n2.\n7. c'],
    ['<ul><li><p>a</p><li> <p>b</p></ul>', '- a\n\n- b'],
    ['<ul><li><p>a</p><li>b</ul><p>c</p><ol><li><p>d</ol>', '- a\n- b\n\nc\n\n1. d'],
    ['<ul><li></li><li></li></ul><p>x', 'x'],
    ['<ul>Some <i>indented</i> text<p>and more</ul>', 'Some *indented* text\n\nand more'],
    ['<ul><li>a</li>text <b>between</b><li>b</li></ul>', '- a\n\ntext **between**\n\n- b'],
  ]);
});

test('columns are aligned like their header cells', () => {
  becomes([
    [
      '<table><tr><th align=LEFT>a<th style="color:red; text-align: center">b<th align=right>c<th align=char>d<tr><td align=right>1<td>2<td>3<td>4</table>',
      '| a | b | c | d |\n| :--- | :---: | ---: | --- |\n| 1 | 2 | 3 | 4 |',
    ],
    ['<table><tr><td><td><tr><th align=right>a<tr><td>1<td>2</table>', '| a | |\n| ---: | --- |\n| 1 | 2 |'],
  ]);
});

test('paragraphs, lists and code in a cell become one line', () => {
  becomes([
    [
      '<table><tr><th>A<th>B<tr><td><p>x<p>y<td><ul><li>a|b<li>c<ol><li>d</ol></ul>',
      '| A | B |\n| --- | --- |\n| x<br>y | a\\|b<br>c<br>d |',
    ],
    [
      '<table><tr><th>A<th>B<tr><td><pre>a\n  &lt;b></pre><td>z<tr><td>1<td>2<tr><td>3<td>4</table>',
      '| A | B |\n| --- | --- |\n| <pre>a<br>  \\<b></pre> | z |\n| 1 | 2 |\n| 3 | 4 |',
    ],
    // Without a header, a table whose cells have lists and paragraphs is for layout.
    ['<table><tr><td><p>x<p>y<td><ul><li>a</ul></table>', 'x\n\ny\n\n- a'],
    // So is one with a single text cell per row.
    ['<table><tr><td><td>x<br><br>y<tr><td>&nbsp;<td>z</table>', 'x\n\ny\n\nz'],
  ]);
});

test('nested emphasis, ruby text and direction overrides are kept', () => {
  becomes([
    ['<p><em>a <em>b</em> c</em> <strong><b>d</b></strong>', '*a <em>b</em> c* **d**'],
    ['<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby> <ruby>字<rt>ji</rt></ruby>', '漢(kan) 字(ji)'],
    ['<p><bdo dir=RTL>abc</bdo> <bdo>d</bdo>', '<bdo dir="rtl">abc</bdo> d'],
    ['<p>日本\n語と\nWord\nの', '日本語と Word の'],
    ['<p><b style="color:red; font-weight: normal">a</b> <b style="font-weight:700">b</b>', 'a **b**'],
  ]);
});

test('anchors and edit links in headings are removed', () => {
  becomes([
    ['<h2 id=x>Title <a href="#x">Permalink</a></h2>', '## Title'],
    ['<h2 id=x><a href="#x">Title</a></h2>', '## Title'],
    ['<h2 id=x><a href="#x">1.2</a> Title</h2>', '## 1.2 Title'],
    ['<h2 id=x><a href="#x">#</a> Title</h2>', '## Title'],
    ['<h2 id=x>Ann on <a href="#x">May 1</a></h2>', '## Ann on [May 1](#x)'],
    ['<h2>Title <a href="/find?x">🔗</a></h2>', '## Title'],
    ['<h2>Title<span class=mw-editsection>[<a href="/edit">edit</a>]</span></h2>', '## Title'],
    ['<h2><a href="/y#x">Other page</a></h2>', '## [Other page](https://example.com/y#x)'],
  ]);
});

test('hostile lists, footnotes, formulas and code are rendered in linear time', () => {
  const parts = [
    '<ul><p>',
    '<ol><li><p>a</p>',
    '<math><mrow><mi>x</mi>',
    '<math>',
    '<math><msup><mi>x',
    '<ruby>a<rt>b',
    '<code>a<br>',
    '<p><a href="#n" id=r>1</a>',
    '<div id=n><a href="#r" id=n>1</a>',
    '<span class=MathJax>',
    '<h2 id=x><a href="#x">',
    '<bdo dir=rtl>',
    '<table><th><ul><li>',
    '$a_ \\( \\[ $$',
    '<div class=code-block>\n',
  ];
  for (const part of parts) {
    const source = `<script>katex</script>${part.repeat(2000)}deep text`;
    const { outputs } = read(source, { outputs: ['markdown', 'text'], onlyMainContent: false });
    assert.ok((outputs.markdown ?? '').length < 1_000_000, part);
    // An implausibly long token of a formula is cut.
    assert.match(outputs.text ?? '', part.startsWith('<math') ? /x/ : /deep text/, part);
  }
});

test('invalid JSON keeps its white space', () => {
  for (const text of ['Too many requests, please slow down', '{ not: json, but  text }', 'Error: no [ quota ] left']) {
    const { outputs } = read(text, { contentType: 'application/json', outputs: ['markdown', 'text'] });
    assert.equal(outputs.text?.trim(), text);
    assert.equal(outputs.markdown?.includes(text), true);
  }
});
