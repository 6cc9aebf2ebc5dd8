import assert from 'node:assert/strict';
import { test } from 'node:test';
import { array, assert as holds, oneof, property, stringMatching } from 'fast-check';
import { isDeclaredDocumentation } from '#extract/content/rules/scored-page.ts';
import { readPageHead } from '#extract/content/features/page-head.ts';
import { parsePageTree } from '#extract/page-tree.ts';
import { paragraphs, read, sentence } from '../../pages.ts';

const NAV = `<nav><ul>${links('guide', 12, '/guides/')}</ul></nav>`;
const CONTENTS = `<div class="toc"><p>On this page</p><ul>${links('part', 6, '#')}</ul></div>`;
const PAGER =
  '<div class="bottom"><a rel="prev" href="a.html">Before this</a> <a rel="next" href="c.html">After this</a></div>';

function links(name: string, count: number, to: string): string {
  return Array.from({ length: count }, (_, at) => `<li><a href="${to}${name}-${at}">Menu ${name} ${at}</a></li>`).join(
    '',
  );
}

/** A page from a documentation generator. */
function manual(body: string, generator = 'Docutils 0.19: https://docutils.sourceforge.io/'): string {
  return `<!doctype html><html><head><title>press — Mill 2</title><meta name="generator" content="${generator}"></head><body>${body}</body></html>`;
}

function readMarkdown(html: string): string {
  return read(html, { url: 'https://mill.example/press.html' }).outputs.markdown ?? '';
}

const MEMBERS = Array.from(
  { length: 40 },
  (_, at) => `<dt id="m${at}"><code>press.turn${at}(int speed)</code></dt><dd><p>Returns ${at}.</p></dd>`,
).join('');
const TABLE = `<table><tr><th>Flag</th><th>Since</th></tr>${Array.from({ length: 9 }, (_, at) => `<tr><td>--fast${at}</td><td>2.${at}</td></tr>`).join('')}</table>`;
const REFERENCE = `<h1>press</h1><p>${sentence(1)}</p><h2>Members</h2><dl>${MEMBERS}</dl><h2>Flags</h2>${TABLE}<h2>Example</h2><pre>press --fast1 &lt; in.txt</pre><h2>See also</h2><ul><li><a href="mill.html">mill</a></li></ul>`;

function assertWhole(markdown: string): void {
  for (let at = 0; at < 40; at++) assert.match(markdown, new RegExp(`press\\.turn${at}\\(int speed\\)`));
  for (let at = 0; at < 9; at++) assert.ok(markdown.includes(`| --fast${at} | 2.${at} |`), markdown);
  assert.match(markdown, /```\npress --fast1 < in.txt\n```/);
  assert.match(markdown, /\[mill\]/);
}

for (const [where, body] of [
  ['main', `${NAV}<main>${CONTENTS}${REFERENCE}${PAGER}</main><footer>Built by hand</footer>`],
  [
    'an element with the role of main',
    `${NAV}<div role="main">${CONTENTS}${REFERENCE}${PAGER}</div><div class="footer">Built by hand</div>`,
  ],
  [
    'a container of a generator',
    `<div class="side">${NAV}</div><div id="doc-content">${CONTENTS}${REFERENCE}${PAGER}</div>`,
  ],
  ['the body', `${NAV}${CONTENTS}${REFERENCE}${PAGER}<div class="footer">Built by hand</div>`],
  [
    'an article in a main in another main',
    `<main>${NAV}<main><article>${CONTENTS}${REFERENCE}</article></main>${PAGER}</main>`,
  ],
] as const) {
  test(`a reference is read whole out of ${where}, and nothing of what leads through it`, () => {
    const markdown = readMarkdown(manual(body));
    assertWhole(markdown);
    assert.doesNotMatch(markdown, /Menu|On this page|Before this|After this|Built by hand/);
  });
}

test('an empty main element, or the smaller of two, is not taken for the text', () => {
  for (const other of ['<main></main>', '<main><p>Sign in to take notes.</p></main>']) {
    assertWhole(readMarkdown(manual(`${other}<div><div>${REFERENCE}</div></div>`)));
    assertWhole(readMarkdown(manual(`<main>${REFERENCE}</main>${other}`)));
  }
});

test('navigation inside a main element around the whole page is excluded', () => {
  const bars = `<header><a href="/">Menu of the mill</a></header>${NAV}<aside class="sidebar"><ul>${links('side', 9, '/')}</ul></aside>`;
  const end = '<footer>Built by hand</footer><div class="feedback">Was this page of help? <a href="/yes">Yes</a></div>';
  const markdown = readMarkdown(manual(`<main>${bars}${CONTENTS}${REFERENCE}${PAGER}${end}</main>`));
  assertWhole(markdown);
  assert.doesNotMatch(markdown, /Menu|On this page|Before this|After this|Built by hand|of help/);
});

test('a reference in two main elements is read from both', () => {
  const [first = '', second = ''] = REFERENCE.split('<h2>Flags</h2>');
  assertWhole(readMarkdown(manual(`${NAV}<main>${first}</main><main><h2>Flags</h2>${second}</main>`)));
});

test('wrongly nested containers hide nothing', () => {
  const [first = '', second = ''] = REFERENCE.split('<h2>Flags</h2>');
  const rest = `<h2>Flags</h2>${second}`;
  for (const body of [
    `<article class="markdown-body"><main>${first}</main>${rest}</article>`,
    `<div class="body"><div class="markdown-body">${first}<main></main></div>${rest}</div>`,
    `<nav><main>${REFERENCE}</main></nav>`,
    `<footer><div role="main">${REFERENCE}</div></footer>`,
    `<div role="main"><div class="sidebar">${REFERENCE}</div></div>`,
  ])
    assertWhole(readMarkdown(manual(`${NAV}${body}`)));
});

test('a table of links that is the content of a page is kept, whatever its class name', () => {
  const rows = Array.from(
    { length: 12 },
    (_, at) => `<tr><td><a href="/m/${at}">mod_${at}</a></td><td><a href="/d/${at}">Directive${at}</a></td></tr>`,
  ).join('');
  for (const name of ['', ' class="related"', ' id="index"', ' class="menu"']) {
    const table = `<table${name}><tr><th>Modules</th><th>Directives</th></tr>${rows}</table>`;
    const markdown = readMarkdown(manual(`${NAV}<main><h1>Modules</h1><p>${sentence(2)}</p>${table}</main>`));
    for (let at = 0; at < 12; at++)
      assert.ok(markdown.includes(`[mod_${at}](https://mill.example/m/${at}) |`), markdown);
  }
});

test('one of many articles is not taken for the whole text, and short remarks named comments are kept', () => {
  const functions = Array.from(
    { length: 30 },
    (_, at) =>
      `<article class="func"><h3>turn/${at}</h3><p>Turns ${at} times.</p><div class="comment">Since ${at}.</div></article>`,
  );
  const markdown = readMarkdown(manual(`${NAV}<div><h1>press</h1>${functions.join('')}</div>`));
  for (let at = 0; at < 30; at++) {
    assert.match(markdown, new RegExp(`### turn/${at}\n\nTurns ${at} times\\.\n\nSince ${at}\\.`));
  }
});

test('the content of a table-of-contents page is its links', () => {
  const lists = ['Guides', 'Tools', 'Formats'].map(
    (name) => `<section><h2>${name}</h2><ul>${links(name.toLowerCase(), 8, '/docs/')}</ul></section>`,
  );
  const markdown = readMarkdown(manual(`${NAV}<main><h1>Mill</h1><p>${sentence(3)}</p>${lists.join('')}</main>`));
  for (const name of ['guides', 'tools', 'formats']) assert.equal(markdown.split(`Menu ${name} `).length, 9);
  assert.doesNotMatch(markdown, /Menu guide /);
});

test('a cookie notice and a comment form in the text are excluded, sections about them are kept', () => {
  const asking = '<div class="cookie-banner"><p>We use cookies to measure.</p><button>Accept</button></div>';
  const answering =
    '<div id="comments"><h2>Comments</h2><form><p>Write what you think.</p><textarea></textarea></form></div>';
  const sections = `<section id="cookies"><h2>Cookies</h2><p>${sentence(5)}</p></section><section id="comments-in-code"><h2>Comments</h2><p>${sentence(6)}</p><pre>// none</pre></section>`;
  const markdown = readMarkdown(manual(`<main>${asking}${REFERENCE}${sections}${answering}</main>`));
  assertWhole(markdown);
  assert.ok(markdown.includes(sentence(5)) && markdown.includes(sentence(6)) && markdown.includes('// none'), markdown);
  assert.doesNotMatch(markdown, /measure|what you think/);
});

test('a page about cookies is kept whole if its text element has that name', () => {
  const code =
    '<div class="language-js"><button>Copy</button><pre><code class="language-js">cookie.parse(text)</code></pre></div>';
  const text = `<h1>cookie</h1><p>Reads cookies.</p><h2>Install</h2>${code}<h2>Consent</h2><p>Cookies need consent.</p><h2>Use</h2><p>${sentence(3)}</p>`;
  const markdown = readMarkdown(
    manual(`${NAV}<main><div class="vp-doc _guide_cookie">${text}</div></main>`, 'VitePress v1'),
  );
  for (const part of ['cookie.parse(text)', 'Cookies need consent.', sentence(3)])
    assert.ok(markdown.includes(part), markdown);
});

test('a wiki article starts with its title, even if it is short or repeated in a cell', () => {
  const text = `<p>${sentence(2)}</p><table><tr><th>ms</th><th>since</th></tr><tr><td>1</td><td>2</td></tr></table>`;
  const code = '<div class="mw-highlight mw-highlight-lang-js"><pre>ms(1)</pre></div>';
  const html = `<!doctype html><html><head><title>ms - Lab</title><meta name="generator" content="MediaWiki 1.39"></head><body><div id="content" role="main"><h1>ms</h1><div id="siteSub">From Lab</div><div class="mw-parser-output">${text}${code}</div></div></body></html>`;
  const markdown = readMarkdown(html);
  assert.ok(markdown.startsWith(`# ms\n\n${sentence(2)}`), markdown);
  assert.ok(markdown.includes('```js\nms(1)\n```'), markdown);
});

test('the last-modified line below a wiki article is excluded', () => {
  const line =
    '<div class="docInfo"><bdi>mill.txt</bdi> · Last modified: 2026/01/15 12:00 by <bdi>clerk</bdi> · Currently locked by: <bdi>miller</bdi></div>';
  const markdown = readMarkdown(
    manual(
      `${NAV}<main><div id="dokuwiki__content"><div class="page">${REFERENCE}</div>${line}</div></main>`,
      'DokuWiki',
    ),
  );
  assertWhole(markdown);
  assert.doesNotMatch(markdown, /Last modified/);
});

/** A Starlight heading: a box with the heading and a link to it. */
function boxedHeading(level: number, name: string): string {
  return `<div class="sl-heading-wrapper"><h${level} id="${name}">${name}</h${level}><a href="#${name}"><span aria-hidden="true"><svg></svg></span><span class="sr-only">Section titled “${name}”</span></a></div>`;
}

test('the language label of a code block and text for screen readers are excluded', () => {
  const named =
    '<div class="language-sh box"><button>Copy</button><span class="lang">sh</span><pre><code>mill --go</code></pre></div>';
  const framed =
    '<figure><figcaption><span class="sr-only">Terminal window</span></figcaption><pre data-language="sh"><code>mill --stop</code></pre></figure>';
  const telling = '<div><p>sh</p><p>The shell.</p><pre class="language-sh"><code>mill --wait</code></pre></div>';
  const declared = '<div class="declaration box"><h4>Declaration</h4><div><pre>int mill</pre></div></div>';
  const text = `<h1>mill</h1><p>${sentence(1)}</p>${declared}${boxedHeading(2, 'Start')}${named}${boxedHeading(2, 'Stop')}${framed}${telling}${boxedHeading(2, 'License')}<p><a href="/licence">MIT</a></p>`;
  const markdown = readMarkdown(
    manual(`${NAV}<main><div class="sl-markdown-content">${text}</div></main>`, 'Starlight v0.42.4'),
  );
  assert.equal(
    markdown,
    `${[
      '# mill',
      sentence(1),
      '#### Declaration',
      '```\nint mill\n```',
      '## Start',
      '```sh\nmill --go\n```',
      '## Stop',
      '```sh\nmill --stop\n```',
      'sh',
      'The shell.',
      '```sh\nmill --wait\n```',
      '## License',
      '[MIT](https://mill.example/licence)',
    ].join('\n\n')}\n`,
  );
});

test('a list of articles outside documentation is not kept whole', () => {
  const teasers = Array.from(
    { length: 5 },
    (_, at) => `<article><h3><a href=/t${at}>Teaser ${at}</a></h3><p>Short words on ${at}.</p></article>`,
  ).join('');
  const html = `<title>The harbour</title><body><main><h1>The harbour</h1>${paragraphs(0, 8)}<section class=related><h2>Related</h2>${teasers}</section></main>`;
  const markdown = read(html).outputs.markdown ?? '';
  assert.ok(markdown.includes(sentence(7)));
  assert.doesNotMatch(markdown, /Teaser/);
});

const word = stringMatching(/^[a-z]{3,9}$/);
const part = oneof(
  word.map((name) => ({
    html: `<dl><dt>${name}(1)</dt><dd>about ${name}</dd></dl>`,
    texts: [`${name}(1)`, `about ${name}`],
  })),
  word.map((name) => ({ html: `<pre>${name} --all</pre>`, texts: [`${name} --all`] })),
  word.map((name) => ({ html: `<table><tr><th>a<th>b<tr><td>${name}<td>1</table>`, texts: [`| ${name} | 1 |`] })),
  word.map((name) => ({
    html: `<ul><li><a href="/x/${name}">${name}</a></li></ul>`,
    texts: [`[${name}](https://mill.example/x/${name})`],
  })),
  word.map((name) => ({ html: `<p>The ${name}.</p>`, texts: [`The ${name}.`] })),
);

test('all content of a documentation section is kept in order, whatever its elements', () => {
  holds(
    property(array(part, { minLength: 1, maxLength: 12 }), (parts) => {
      const sections = parts.map(({ html }, at) => `<section><h2>Part ${at}</h2>${html}</section>`).join('');
      const markdown = readMarkdown(manual(`${NAV}<main><h1>press</h1><p>${sentence(1)}</p>${sections}</main>`));
      let from = 0;
      for (const [at, { texts }] of parts.entries()) {
        for (const text of [`## Part ${at}`, ...texts]) {
          const found = markdown.indexOf(text, from);
          assert.ok(found >= 0, `${text} is not behind ${from} in ${markdown}`);
          from = found + text.length;
        }
      }
    }),
    { numRuns: 60 },
  );
});

/** Whether a page is declared as documentation although its text does not look like it. */
function isDeclared(body: string): boolean {
  const { tree } = parsePageTree(`<!doctype html><title>Grinding</title><body>${body}</body>`, 'text/html');
  const kinds = { article: 0.1, documentation: 0, service: 0, forum: 0.6, product: 0, listing: 0.3, collection: 0 };
  return isDeclaredDocumentation({ tree, kinds, head: readPageHead(tree) });
}

test('the signature of a documentation generator, or the name of its text element, declares documentation', () => {
  const declared = [
    '<footer>Generated by <a href="https://gnome.example/gi-docgen">gi-docgen</a> 2023.1</footer>',
    '<p>Created using <a href="https://www.sphinx-doc.example/">Sphinx</a> 7.2',
    '<!-- Generated by javadoc (21) on a Friday --><h1>Class Mill</h1>',
    '<p>Powered by <b>MediaWiki</b>',
    '<!-- Created by GNU Texinfo 7.1 -->',
    '<div class="documentwrapper"><h1>Grinding</h1></div>',
    '<article class="theme-doc-markdown markdown"></article>',
    '<main id="apicontent"></main>',
  ];
  for (const body of declared) assert.equal(isDeclared(body), true, body);
  const others = [
    '<footer>Powered by WordPress</footer>',
    '<p>The temple was built with care by a sphinx',
    '<p>Generated by the team',
    '<p>A sphinxsidebar and a documentwrapper are classes of Sphinx.',
    `<p>Built with${' <i>care</i>'.repeat(20)} Sphinx`,
  ];
  for (const body of others) assert.equal(isDeclared(body), false, body);
});
