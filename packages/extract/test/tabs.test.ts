import assert from 'node:assert/strict';
import { test } from 'node:test';
import { renderMarkdown, paragraphs, renderPlainText, read } from './pages.ts';

const KINDS = {
  'in their order':
    '<div class=tabs><ul role=tablist><li role=tab aria-selected=true>Linux</li><li role=tab>Windows</li></ul><div role=tabpanel><pre><code>apt install gauge</code></pre></div><div role=tabpanel hidden><pre><code>winget install gauge</code></pre></div></div>',
  'that name their panels':
    '<div role=tablist><button role=tab aria-controls=p2>Windows</button><button role=tab aria-controls=p1>Linux</button></div><section role=tabpanel id=p1><pre><code>apt install gauge</code></pre></section><section role=tabpanel id=p2 hidden><pre><code>winget install gauge</code></pre></section>',
  'that their panels name':
    '<div><div role=tablist><div><a role=tab id=t1 href="#x">Linux</a></div><div><a role=tab id=t2 href="#y">Windows</a></div></div><div><div><div role=tabpanel aria-labelledby=t1><pre><code>apt install gauge</code></pre></div></div><div><div role=tabpanel aria-labelledby=t2 style="display:none"><pre><code>winget install gauge</code></pre></div></div></div></div>',
  'of Bootstrap, without roles':
    '<ul class="nav nav-tabs"><li class=active><a data-toggle=tab href="#linux">Linux</a></li><li><a data-toggle=tab href="#windows">Windows</a></li></ul><div class=tab-content><div id=linux class="tab-pane active"><pre><code>apt install gauge</code></pre></div><div id=windows class=tab-pane><pre><code>winget install gauge</code></pre></div></div>',
  'of Bootstrap, as buttons':
    '<ul><li><button data-bs-toggle=pill data-bs-target="#linux">Linux</button></li><li><button data-bs-toggle=pill data-bs-target="#windows">Windows</button></li></ul><div><div id=linux><pre><code>apt install gauge</code></pre></div><div id=windows><pre><code>winget install gauge</code></pre></div></div>',
};

test('a tab label is written above its panel only', () => {
  for (const [kind, html] of Object.entries(KINDS)) {
    for (const onlyMainContent of [true, false]) {
      const page = `<title>Gauge</title><main><h1>Gauge</h1>${paragraphs(0, 4)}${html}${paragraphs(4, 6)}</main>`;
      const { markdown = '', text = '' } = read(page, { onlyMainContent, outputs: ['markdown', 'text'] }).outputs;
      assert.match(
        markdown,
        /\n\*\*Linux\*\*\n\n```\napt install gauge\n```\n\n\*\*Windows\*\*\n\n```\nwinget install gauge\n```\n/,
        kind,
      );
      assert.match(text, /Linux\n\napt install gauge\n\nWindows\n\nwinget install gauge/, kind);
      assert.equal(markdown.split('Windows').length, 2, kind);
    }
  }
});

function tabs(first: string, second: string, inside: string): string {
  return `<ul role=tablist><li role=tab>${first}<li role=tab>${second}</ul><div role=tabpanel>${inside}</div><div role=tabpanel><p>Two of them.</div>`;
}

test('a label that its panel starts with is not repeated, and carousel dots are not labels', () => {
  assert.equal(
    renderMarkdown(tabs('Linux', 'Windows', '<h3>Linux</h3><p>One of them.')),
    '### Linux\n\nOne of them.\n\n**Windows**\n\nTwo of them.',
  );
  assert.doesNotMatch(renderPlainText(tabs('1', '2', '<p>One of them.')), /\n2\n\nTwo/);
});

test('tabs within a panel have their own labels', () => {
  const inner =
    '<ul role=tablist><li role=tab>npm<li role=tab>yarn</ul><div role=tabpanel><p>npm i gauge</div><div role=tabpanel><p>yarn add gauge</div>';
  const html = `<ul role=tablist><li role=tab>Linux<li role=tab>Windows</ul><div role=tabpanel>${inner}</div><div role=tabpanel><p>Windows has none.</div>`;
  assert.match(
    renderMarkdown(html),
    /^\*\*Linux\*\*\n\n\*\*npm\*\*\n\nnpm i gauge\n\n\*\*yarn\*\*\n\nyarn add gauge\n\n\*\*Windows\*\*\n\nWindows has none\.$/,
  );
});

test('a list that contains the panels of its tabs is written', () => {
  assert.equal(
    renderMarkdown(
      '<ul><li><a data-toggle=tab href="#a">Linux</a><div id=a><p>One of them.</div><li><a data-toggle=tab href="#b">Windows</a><div id=b><p>Two.</div></ul>',
    ).match(/One of them|Two/g)?.length,
    2,
  );
});

test('a tab list without panels is a list', () => {
  assert.equal(renderMarkdown('<ul role=tablist><li role=tab>Linux<li role=tab>Windows</ul>'), '- Linux\n- Windows');
});
