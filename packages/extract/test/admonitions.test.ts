import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown, renderPlainText } from './pages.ts';

for (const [generator, html, kind] of [
  ['Sphinx', '<div class="admonition note"><p class="first admonition-title">Note</p><p>Grind.</p></div>', 'Note'],
  [
    'Docusaurus',
    '<div class="theme-admonition theme-admonition-tip alert alert--success"><div class="admonitionHeading_G"><span class="admonitionIcon_R"><svg><path d=""/></svg></span>tip</div><div class="admonitionContent_B"><p>Grind.</p></div></div>',
    'Tip',
  ],
  [
    'VitePress',
    '<div class="danger custom-block"><p class="custom-block-title">DANGER</p><p>Grind.</p></div>',
    'Danger',
  ],
  [
    'Starlight',
    '<aside aria-label="Caution" class="starlight-aside starlight-aside--caution"><p class="starlight-aside__title" aria-hidden="true"><svg></svg>Caution</p><div class="starlight-aside__content"><p>Grind.</p></div></aside>',
    'Caution',
  ],
  [
    'GitHub',
    '<div class="markdown-alert markdown-alert-warning"><p class="markdown-alert-title"><svg></svg>Warning</p><p>Grind.</p></div>',
    'Warning',
  ],
  [
    'AsciiDoc with words',
    '<div class="admonitionblock important"><table><tr><td class="icon"><div class="title">Important</div></td><td class="content">Grind.</td></tr></table></div>',
    'Important',
  ],
  [
    'AsciiDoc with icons',
    '<div class="admonitionblock tip"><table><tr><td class="icon"><i class="fa icon-tip" title="Tip"></i></td><td class="content"><div class="paragraph"><p>Grind.</p></div></td></tr></table></div>',
    'Tip',
  ],
  [
    'DocBook with tables',
    '<div class="note"><table border="0" summary="Note"><tr><td rowspan="2" align="center"><img alt="[Note]" src="n.png"></td><th align="left">Note</th></tr><tr><td align="left"><p>Grind.</p></td></tr></table></div>',
    'Note',
  ],
  ['DocBook', '<div class="warning"><h3 class="title">Warning</h3><p>Grind.</p></div>', 'Warning'],
  ['Doxygen', '<dl class="section attention"><dt>Attention</dt><dd>Grind.</dd></dl>', 'Attention'],
  ['rustdoc', '<div class="warning"><p>Grind.</p></div>', 'Warning'],
  [
    'mdBook',
    '<div id="admonition-note" class="admonition admonish-note" role="note"><div class="admonition-title"><p>Note</p></div><div><p>Grind.</p></div></div>',
    'Note',
  ],
  [
    'erl_docgen',
    '<div class="note"><div class="label">Note</div><div class="content"><p>Grind.</p></div></div>',
    'Note',
  ],
  [
    'German Sphinx',
    '<div class="admonition note"><p class="admonition-title">Hinweis</p><p>Grind.</p></div>',
    'Hinweis',
  ],
] as const) {
  test(`an admonition of ${generator} is a quote that starts with its kind`, () => {
    assert.equal(renderMarkdown(html), `> **${kind}**\n>\n> Grind.`);
  });
}

test('an admonition with its own title keeps title and kind', () => {
  const html = '<div class="admonition warning"><p class="admonition-title">Never run dry</p><p>Grind.</p></div>';
  assert.equal(renderMarkdown(html), '> **Warning: Never run dry**\n>\n> Grind.');
});

test('an admonition whose text starts with its kind does not repeat it', () => {
  const html = '<div class="notecard note"><p><strong>Note:</strong> Grind.</p></div>';
  assert.equal(renderMarkdown(html), '> **Note:** Grind.');
  assert.equal(renderMarkdown('<div class="note"><b>Note</b><br>Grind.</div>'), '> **Note**  \n> Grind.');
});

test('admonitions can be in lists and contain lists, code and tables', () => {
  const inside = '<p class="admonition-title">Tip</p><ul><li>a</li><li>b</li></ul><pre>c</pre>';
  const table = '<table><tr><th>d</th><th>e</th></tr><tr><td>f</td><td>g</td></tr></table>';
  assert.equal(
    renderMarkdown(`<ul><li>mill<div class="admonition tip">${inside}${table}</div></li></ul>`),
    [
      '- mill',
      '',
      '  > **Tip**',
      '  >',
      '  > - a',
      '  > - b',
      '  >',
      '  > ```',
      '  > c',
      '  > ```',
      '  >',
      '  > | d | e |',
      '  > | --- | --- |',
      '  > | f | g |',
    ].join('\n'),
  );
});

test('elements with similar classes are not admonitions', () => {
  for (const html of [
    '<div class="note-list"><p>Grind.</p></div>',
    '<div class="tip jar"><p>Grind.</p></div>',
    '<section class="section section-info"><p>Grind.</p></section>',
    '<dl class="note"><dd>Grind.</dd></dl>',
    '<p class="important">Grind.</p>',
  ])
    assert.ok(!renderMarkdown(html).includes('>'), html);
  assert.equal(renderMarkdown('<div class="note"><h2>The mill</h2><p>Grind.</p></div>'), '## The mill\n\nGrind.');
});

test('plain text has the title of an admonition and adds none', () => {
  assert.equal(renderPlainText('<div class="note"><h3 class="title">Note</h3><p>Grind.</p></div>'), 'Note\n\nGrind.');
  assert.equal(renderPlainText('<div class="note"><p>Grind.</p></div>'), 'Grind.');
});

test('code inside a link stays a link', () => {
  assert.equal(renderMarkdown('<p><code><a href="/a">mod_a</a></code>'), '[`mod_a`](https://example.com/a)');
  assert.equal(renderMarkdown('<p><code><a href="/a">a</a>(<a href="/b">b</a>)</code>'), '`a(b)`');
});

test('a code block at the start of a definition is not put after the colon', () => {
  const html = '<dl><dt>Format<dd><code>%h %l\n%u</code></dl><p>More.';
  assert.equal(renderMarkdown(html), '**Format**\n\n  ```\n  %h %l\n  %u\n  ```\n\nMore.');
});
