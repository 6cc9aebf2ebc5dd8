import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown, renderPlainText } from './pages.ts';

/** Pages and their Markdown. */
function assertForms(forms: readonly (readonly [html: string, markdown: string])[]): void {
  for (const [html, markdown] of forms) assert.equal(renderMarkdown(html), markdown, html);
}

test('elements displayed as blocks by style are separated', () => {
  assertForms([
    ['<p><span style="display:block">One</span><span style="display:block">two</span></p>', 'One  \ntwo'],
    ['<p>Zero<em style="color:red; display : block">one</em>two</p>', 'Zero  \n*one*  \ntwo'],
    [
      '<p><a class="d-block" href="/a">A</a><a class="d-block" href="/b">B</a></p>',
      '[A](https://example.com/a)  \n[B](https://example.com/b)',
    ],
    ['<h2><b style="display:block">Head</b>line</h2>', '## **Head** line'],
    [
      '<table><tr><th>a<th>b<tr><td><span style="display:block">x</span><span style="display:block">y</span><td>z</table>',
      '| a | b |\n| --- | --- |\n| x<br>y | z |',
    ],
    ['<p><span style="display:inline-block">in</span><span>side</span></p>', 'inside'],
  ]);
});

test('line breaks preserved by style are kept', () => {
  for (const value of ['pre-line', 'pre-wrap', 'break-spaces', 'pre']) {
    assertForms([
      [`<p style="white-space: ${value}">one\ntwo\n\nthree</p>`, 'one  \ntwo\n\nthree'],
      [`<div style="color:red;white-space:${value}"><p>a <b>b\nc</b></p></div>`, 'a **b  \nc**'],
      [`<p>x <span style="white-space:${value}">one\ntwo</span></p>`, 'x one  \ntwo'],
    ]);
  }
  assertForms([
    ['<div class="text whitespace-pre-wrap">one\ntwo</div>', 'one  \ntwo'],
    ['<div style="white-space:pre"><p style="white-space:normal">one\ntwo</p></div>', 'one two'],
    ['<p style="white-space:nowrap">one\ntwo</p>', 'one two'],
  ]);
});

test('lines of code in separate elements stay separate lines', () => {
  assertForms([
    [
      '<pre><code><span style="display:block">a</span><span style="display:block">  b</span></code></pre>',
      '```\na\n  b\n```',
    ],
    ['<pre><span class="line">a</span><span class="line"> b</span></pre>', '```\na\n b\n```'],
    ['<pre><span class="line">a</span>\n<span class="line">b</span></pre>', '```\na\nb\n```'],
  ]);
});

test('diagrams and editors are one code block without gutters', () => {
  assertForms([
    ['<div class="mermaid">graph TD;\n  A--&gt;B;</div>', '```mermaid\ngraph TD;\n  A-->B;\n```'],
    [
      '<div class="CodeMirror"><div class="CodeMirror-gutters"><div>1</div></div><div class="CodeMirror-code"><div><pre class="CodeMirror-line">a {</pre></div><div><pre class="CodeMirror-line">}</pre></div></div></div>',
      '```\na {\n}\n```',
    ],
    [
      '<div class="ace_editor"><div class="ace_gutter"><div>1</div></div><div class="ace_text-layer"><div class="ace_line">x</div><div class="ace_line">y</div></div></div>',
      '```\nx\ny\n```',
    ],
    [
      '<div class="view-lines"><div class="view-line"><span>a&nbsp;=&nbsp;1</span></div><div class="view-line"><span>b</span></div></div>',
      '```\na = 1\nb\n```',
    ],
    [
      '<div class="cm-editor"><div class="cm-gutters">1 2</div><div class="cm-content"><div class="cm-line">a</div><div class="cm-line">b</div></div></div>',
      '```\na\nb\n```',
    ],
  ]);
});

test('the language of code comes from its class, not from layout words', () => {
  const named = [
    ['<pre lang="ruby">x</pre>', 'ruby'],
    ['<pre class="src src-python">x</pre>', 'python'],
    ['<figure class="highlight python"><pre>x</pre></figure>', 'python'],
    ['<div class="highlight sh"><pre><code>x</code></pre></div>', 'sh'],
    ['<pre lang="en">x</pre>', ''],
    ['<pre lang="pl">x</pre>', ''],
    ['<pre class="highlight highlight--with-header">x</pre>', ''],
    ['<pre class="highlight-box">x</pre>', ''],
    ['<div class="highlight--dark"><pre>x</pre></div>', ''],
    ['<pre class="language--plain">x</pre>', ''],
  ] as const;
  assertForms(named.map(([html, language]) => [html, `\`\`\`${language}\nx\n\`\`\``]));
});

test('a list is numbered as displayed', () => {
  assertForms([
    ['<ol reversed><li>c<li>b<li>a</ol>', '3. c\n2. b\n1. a'],
    ['<ol reversed start=10><li>c<li value=4>b<li>a</ol>', '10. c\n4. b\n3. a'],
    ['<ol start=-3><li>a<li>b</ol>', '- -3. a\n- -2. b'],
  ]);
});

test('a data table with a nested table stays a table, and a list in a cell has no tags', () => {
  assertForms([
    [
      '<table><tr><th>Lock<th>Details<tr><td>First<td><table><tr><th>ID<tr><td>12</table><tr><td>Second<td>none</table>',
      '| Lock | Details |\n| --- | --- |\n| First | ID<br>12 |\n| Second | none |',
    ],
    ['<table><tr><th>Mon<td><ul><li><p>10</p><li>12</ul><td>x</table>', '| Mon | 10<br>12 | x |\n| --- | --- | --- |'],
  ]);
});

test('role=heading makes a heading, and permalink texts are removed', () => {
  assertForms([
    ['<div role="heading" aria-level="3">Gate</div><p>a', '### Gate\n\na'],
    ['<div role="heading">Gate</div><p>a', '## Gate\n\na'],
    ['<div role="heading" aria-level="9">Gate</div><p>a', '###### Gate\n\na'],
    ['<h2>Gate<a href="#g">Link to this heading</a></h2>', '## Gate'],
  ]);
});

test('edit links and copy buttons are removed', () => {
  assertForms([
    ['<div><h2>Gate</h2><span class="mw-editsection">[<a href="/edit">edit</a>]</span></div><p>a', '## Gate\n\na'],
    ['<p>Code <span class="copy-text">Copied!</span></p>', 'Code'],
    ['<p>gate.conf<a href="#" class="copy">Copy</a></p>', 'gate.conf'],
    ['<p><span class="copy">Copy the key</span></p>', 'Copy the key'],
    ['<pre><span class="copy-to-clipboard">Copy</span><code>a</code></pre>', '```\na\n```'],
  ]);
});

test('the caret before back links is removed from notes', () => {
  const html = `<p>Lock<sup id="r1"><a href="#n1">1</a></sup> and<sup id="r2"><a href="#n1">1</a></sup></p>
<ol><li id="n1"><span>^ <a href="#r1"><b>a</b></a> <a href="#r2">b</a></span> <i>Basins</i>.</ol>`;
  assert.match(renderMarkdown(html), /^\[\^1\]: \*Basins\*\.$/m);
});

test('CSS toggles are not checkboxes, tasks are', () => {
  assertForms([
    ['<ul><li><input type=checkbox id=a><label for=a>Folder</label><ul><li>file</ul></ul>', '- Folder\n  - file'],
    ['<p>x <input type=checkbox class="margin-toggle"> y</p>', 'x y'],
    ['<ul><li><input type=checkbox id=a><label for=a> Task</label></ul>', '- [ ] Task'],
    ['<ul><li><input type=checkbox checked disabled> Task</ul>', '- [x] Task'],
  ]);
});

test('dollar signs that could delimit a formula are escaped', () => {
  assertForms([
    ['<p>a $x$ b', 'a \\$x$ b'],
    ['<p>$$x$$', '\\$\\$x\\$$'],
    ['<p>for $5 or $6, US$5-$6', 'for $5 or $6, US$5-$6'],
  ]);
});

test('frames, players, objects and embeds are links, also if loaded lazily', () => {
  const video = '[F](https://example.com/v)';
  for (const html of [
    '<iframe src="/v" title="F"></iframe>',
    '<iframe data-src="/v" title="F"></iframe>',
    '<iframe src="about:blank" data-src="/v" title="F"></iframe>',
    '<video data-src="/v" title="F"></video>',
    '<audio title="F"><source data-src="/v"></audio>',
    '<object data="/v" title="F"></object>',
    '<embed src="/v" title="F">',
  ])
    assert.equal(renderMarkdown(`<p>a</p>${html}<p>b</p>`), `a\n\n${video}\n\nb`, html);
  assert.equal(renderPlainText('<p>a</p><iframe data-src="/v"></iframe>'), 'a');
});

test('tables with many repeated cells and nested styles are rendered in linear time', () => {
  const rows = '<tr><td>same</td><td>same</td><td>same</td><td>same</td></tr>'.repeat(25_000);
  assert.equal(renderMarkdown(`<table>${rows}</table>`).split('\n').length, 25_001);
  const nested = '<span style="display:block">'.repeat(20_000);
  assert.equal(renderMarkdown(`<p>${nested}deep`), 'deep');
});

function list(level: number, items: string, tag = 'ul', id = 'a'): string {
  return `<${tag} class="lst-kix_${id}-${level} start">${items}</${tag}>`;
}

test('sibling lists of Google Docs are nested by level', () => {
  assertForms([
    [
      list(0, '<li>A') + list(1, '<li>b<li>c') + list(2, '<li>d') + list(1, '<li>e') + list(0, '<li>F'),
      '- A\n  - b\n  - c\n    - d\n  - e\n- F',
    ],
    [list(0, '<li>A', 'ol') + list(1, '<li>b', 'ol') + list(0, '<li>C', 'ol'), '1. A\n   1. b\n2. C'],
    [list(0, '<li>A') + list(0, '<li>B', 'ul', 'b'), '- A\n\n* B'],
    [`${list(0, '<li>A')}<p>x</p>${list(1, '<li>b')}`, '- A\n\nx\n\n- b'],
  ]);
  assert.equal(renderPlainText(list(0, '<li>A') + list(1, '<li>b') + list(0, '<li>C')).replace(/[ -]/g, ''), 'A\nb\nC');
});

test('the language label of a code block is removed', () => {
  const code = '<pre class="language-bash"><code>ls\ncd</code></pre>';
  const fence = '```bash\nls\ncd\n```';
  assertForms([
    [`<div>${code}<div class="toolbar"><div><span>Bash</span></div><button>Copy</button></div></div>`, fence],
    [`<div class="codeblock"><div><span>Shell</span></div><div><div>${code}</div></div></div>`, fence],
    [`<figure><figcaption>YAML</figcaption>${code}</figure>`, fence],
    [`<div><h3>Bash</h3>${code}</div>`, `### Bash\n\n${fence}`],
    [`<div><span>Copy it to the shell</span>${code}</div>`, `Copy it to the shell\n\n${fence}`],
    [`<div><div>config.yaml</div>${code}</div>`, `config.yaml\n\n${fence}`],
    [`<p>Bash</p>${code}`, `Bash\n\n${fence}`],
  ]);
});

test('an image has its best source, once, and never its thumbnail', () => {
  const noscript = '<noscript><img src="/full.jpg" alt="A"></noscript>';
  for (const html of [
    '<img src="/small.jpg" srcset="/small.jpg 300w, /full.jpg 1024w" alt="A">',
    '<img src="/one.jpg" srcset="/one.jpg 1x, /full.jpg 2x" alt="A">',
    '<img src="/a-60x40.jpg" data-native-src="/full.jpg" alt="A">',
    '<img src="/a.jpg?w=50&amp;blur=20" data-srcset="/half.jpg 400w, /full.jpg 1600w" alt="A">',
    '<img class="blur-up" src="/a.jpg" data-src="/full.jpg" alt="A">',
    `<div><img class="box-thumbnail" src="/thumb.jpg"><canvas></canvas>${noscript}</div>`,
    '<img src="/full.jpg" srcset="data:image/gif;base64,x 1w" alt="A">',
  ]) {
    assertForms([[html, '![A](https://example.com/full.jpg)']]);
  }
  assertForms([['<img class="thumb" src="/only.jpg" alt="A">', '![A](https://example.com/only.jpg)']]);
});
