import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { paragraphs, read } from './pages.ts';

const URL = 'https://example.org/2024/harbour/records';
const HEADER =
  '<header class=site-header><a class=logo href=/>Herald</a><nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Town</a></li><li><a href=/c>Sport</a></li></ul></nav></header>';
const FOOTER =
  '<footer class=site-footer><ul><li><a href=/p>Privacy</a></li><li><a href=/t>Terms</a></li></ul><p>© 2026 Herald Ltd. All rights reserved.</p></footer>';

/** An article with something between its paragraphs. */
function article(inside: string): string {
  return `<!doctype html><html lang=en><head><meta charset=utf-8><title>The records of the harbour | Herald</title></head><body>${HEADER}<main><article class=post><h1>The records of the harbour</h1>${paragraphs(0, 3)}${inside}${paragraphs(3, 6)}</article></main>${FOOTER}</body></html>`;
}

/** The Markdown of the main content of an article. */
function markdownOf(inside: string): string {
  return read(article(inside), { url: URL }).outputs.markdown ?? '';
}

suite('code whose elements are called line numbers', () => {
  const CODE = 'Sub Example\n  Reset 1\nEnd Sub\n';
  for (const name of ['line-numbers', 'linenos', 'lineno', 'linenums', 'gutter', 'ln', 'language-basic line-numbers']) {
    for (const html of [
      `<pre><code class="${name}">${CODE}</code></pre>`,
      `<pre class="${name}"><code>${CODE}</code></pre>`,
      `<pre class="${name}">${CODE}</pre>`,
      `<div class="${name}"><pre><code>${CODE}</code></pre></div>`,
      `<pre><code><span class="${name}">${CODE}</span></code></pre>`,
    ]) {
      test(`is kept in ${html.slice(0, 50).replaceAll('\n', ' ')}`, () => {
        assert.match(markdownOf(html), /```(?:basic)?\nSub Example\n {2}Reset 1\nEnd Sub\n```/);
      });
    }
  }

  test('a block of code that is a number alone is kept', () => {
    assert.match(markdownOf('<p>It prints:</p><pre><code class=line-numbers>42</code></pre>'), /```\n42\n```/);
  });

  for (const [what, html] of [
    [
      'a table of highlight.js inside a block of code',
      '<pre><code class="hljs language-js"><table class="hljs-ln"><tbody><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="1"><div class="hljs-ln-n" data-line-number="1"></div></td><td class="hljs-ln-line hljs-ln-code" data-line-number="1"><span class="hljs-keyword">let</span> a = 1;</td></tr><tr><td class="hljs-ln-line hljs-ln-numbers" data-line-number="2">2</td><td class="hljs-ln-line hljs-ln-code" data-line-number="2">  let b = 2;</td></tr></tbody></table></code></pre>',
    ],
    [
      'a table of Crayon',
      '<div class="crayon-syntax"><table class="crayon-table"><tr class="crayon-row"><td class="crayon-nums"><div class="crayon-nums-content"><div class="crayon-num">1</div><div class="crayon-num">2</div></div></td><td class="crayon-code"><div class="crayon-pre"><div class="crayon-line">let a = 1;</div><div class="crayon-line">&nbsp;&nbsp;let b = 2;</div></div></td></tr></table></div>',
    ],
    [
      'a column of numbers beside the code',
      '<div class="highlight"><table><tr><td class="linenos"><pre>1\n2\n</pre></td><td class="code"><pre>let a = 1;\n  let b = 2;\n</pre></td></tr></table></div>',
    ],
    [
      'a number in each line',
      '<pre><code><span class="line"><span class="ln">1</span>let a = 1;\n</span><span class="line"><span class="ln">2</span>  let b = 2;\n</span></code></pre>',
    ],
  ] as const) {
    test(`${what} is one fence without numbers`, () => {
      assert.match(markdownOf(html), /```(?:js)?\nlet a = 1;\n {2}let b = 2;\n```/);
    });
  }

  test('the signs of a difference stay', () => {
    const html =
      '<table class="diff-table"><tbody><tr><td class="blob-num" data-line-number="1"></td><td class="blob-num"></td><td class="blob-code"><span data-code-marker="-">old line</span></td></tr><tr><td></td><td class="blob-num" data-line-number="1"></td><td class="blob-code"><span data-code-marker="+">new line</span></td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-num" data-line-number="2"></td><td class="blob-code"><span data-code-marker=" ">same line</span></td></tr></tbody></table>';
    assert.match(markdownOf(html), /```\n-old line\n\+new line\n same line\n```/);
  });
});
