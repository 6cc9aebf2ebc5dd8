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
function readMarkdown(inside: string): string {
  return read(article(inside), { url: URL }).outputs.markdown ?? '';
}

suite('code in elements named like line numbers', () => {
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
        assert.match(readMarkdown(html), /```(?:basic)?\nSub Example\n {2}Reset 1\nEnd Sub\n```/);
      });
    }
  }

  test('a code block with only a number is kept', () => {
    assert.match(readMarkdown('<p>It prints:</p><pre><code class=line-numbers>42</code></pre>'), /```\n42\n```/);
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
      assert.match(readMarkdown(html), /```(?:js)?\nlet a = 1;\n {2}let b = 2;\n```/);
    });
  }

  for (const [what, html] of [
    [
      'boxes with a number and code in each',
      '<div class=code-listing><div class=row><span class=num>1</span><code>let a = 1;</code></div><div class=row><span class=num>2</span><code>  let b = 2;</code></div></div>',
    ],
    [
      'paragraphs of a box without a name',
      '<div><p><b>9.</b> <code>let a = 1;</code></p>\n<p><b>10.</b> <code>  let b = 2;</code></p></div>',
    ],
    [
      'items of a list of code',
      '<ol class=code><li><code>let a = 1;</code></li><li><code>  let b = 2;</code></li></ol>',
    ],
    [
      'items of a list of numbered lines',
      '<ul class=x><li><i>1</i><code>let a = 1;</code><li><i>2</i><code>  let b = 2;</code></ul>',
    ],
  ] as const) {
    test(`${what} are one fence without numbers`, () => {
      assert.match(readMarkdown(html), /\n```\nlet a = 1;\n {2}let b = 2;\n```\n/);
    });
  }

  for (const html of [
    '<ul class=commands><li><code>git add</code></li><li><code>git push</code></li></ul>',
    '<ol class=code><li><code>open()</code> opens it</li><li><code>shut()</code></li></ol>',
    '<div class=code><div><span>1</span><code>open()</code></div><div><span>3</span><code>shut()</code></div></div>',
  ]) {
    test(`code in a list of something else is none: ${html}`, () => assert.doesNotMatch(readMarkdown(html), /```/));
  }

  test('unselectable prompts and copy buttons are left out of code', () => {
    const html =
      '<div class=box><div class="copy-hint">Kopiert!</div><span class=copy-code>コピー</span><pre><code><span class=unselectable>$ </span>gauge run\n<span class="select-none">$ </span>gauge stop</code></pre></div>';
    assert.match(readMarkdown(html), /```\ngauge run\ngauge stop\n```/);
    assert.doesNotMatch(readMarkdown(html), /Kopiert|コピー/);
  });

  test('the signs of a diff are kept', () => {
    const html =
      '<table class="diff-table"><tbody><tr><td class="blob-num" data-line-number="1"></td><td class="blob-num"></td><td class="blob-code"><span data-code-marker="-">old line</span></td></tr><tr><td></td><td class="blob-num" data-line-number="1"></td><td class="blob-code"><span data-code-marker="+">new line</span></td></tr><tr><td class="blob-num" data-line-number="2"></td><td class="blob-num" data-line-number="2"></td><td class="blob-code"><span data-code-marker=" ">same line</span></td></tr></tbody></table>';
    assert.match(readMarkdown(html), /```\n-old line\n\+new line\n same line\n```/);
  });
});

suite('a formula is in every output once', () => {
  const DRAWN =
    '<span class="katex-html" aria-hidden="true"><span class="mord">E</span><span class="mrel">=</span><span class="mord">m</span></span>';
  const KINDS = {
    KaTeX: `<span class="katex"><span class="katex-mathml"><math><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi></mrow><annotation encoding="application/x-tex">TEX</annotation></semantics></math></span>${DRAWN}</span>`,
    'a script of MathJax': '<span class="MathJax_Preview"></span><script type="math/tex">TEX</script>',
    'a displayed script of MathJax': '<script type="math/tex; mode=display">TEX</script>',
    'a script that MathJax has drawn':
      '<span class="MathJax_Preview"></span><span class="MathJax"><nobr><span class="math">x²</span></nobr></span><script type="math/tex">TEX</script>',
    'a container of MathJax':
      '<mjx-container class="MathJax"><mjx-math aria-hidden=true><mjx-c class="mjx-c1D465"></mjx-c></mjx-math><mjx-assistive-mml><math><semantics><mi>x</mi><annotation encoding="application/x-tex">TEX</annotation></semantics></math></mjx-assistive-mml></mjx-container>',
    MathML: '<math alttext="TEX"><mi>x</mi><mo>=</mo><mn>2</mn></math>',
    'a picture of a formula': '<img class="latex" alt="TEX" src="/x.png">',
    'a formula of MediaWiki':
      '<span class="mwe-math-element"><span class="mwe-math-mathml-inline" style="display: none;"><math alttext="TEX"><mi>x</mi></math></span><img src="/x.svg" class="mwe-math-fallback-image-inline" aria-hidden="true" alt="TEX"></span>',
    'a box with its source': '<span class="math" data-tex="TEX"></span>',
  };
  for (const [kind, html] of Object.entries(KINDS)) {
    test(`${kind}, alone in headings, paragraphs, items, cells, terms and quotes`, () => {
      let count = 0;
      const formula = (): string => html.replaceAll('TEX', `q_{${count++}}+w`);
      const inside = `<h2>${formula()}</h2><p>${formula()}</p><p>${formula()} begins and ends ${formula()}</p><ul><li>${formula()}</li><li>words ${formula()}</li></ul><table><tr><th>Rule</th><th>Name</th><th>${formula()}</th></tr><tr><td>${formula()}</td><td>energy</td><td>${formula()}</td></tr><tr><td>${formula()}</td><td>power</td><td>W</td></tr></table><dl><dt>${formula()}</dt><dd>what it means</dd><dt>term</dt><dd>${formula()}</dd></dl><div>${formula()}</div><blockquote>${formula()}</blockquote>`;
      const { outputs } = read(article(inside), { url: URL, outputs: ['markdown', 'text', 'html', 'tables'] });
      const all = Array.from({ length: count }, (_, at) => at);
      const times = (text: string) => all.map((at) => text.split(`q_{${at}}`).length - 1);
      for (const text of [outputs.markdown ?? '', outputs.text ?? '', outputs.html ?? ''])
        assert.deepEqual(
          times(text),
          all.map(() => 1),
        );
      const inCells = times(JSON.stringify(outputs.tables));
      assert.deepEqual(
        inCells,
        all.map((at) => Number(at >= 6 && at <= 9)),
      );
    });
  }

  test('the same formula in several cells is kept each time', () => {
    const html = KINDS.KaTeX.replaceAll('TEX', String.raw`E = mc^2 + \alpha \beta \gamma \delta \epsilon`);
    const table = `<table><tr><th>Rule</th><th>Name</th></tr><tr><td>${html}</td><td>one</td></tr><tr><td>${html}</td><td>two</td></tr></table>`;
    assert.equal(readMarkdown(`<p>${html}</p>${table}`).split('E = mc^2').length - 1, 3);
  });
});

/** A row with one cell centred between empty ones. */
const centred = (middle: string): string => `<tr><td class=pad></td><td>${middle}</td><td class=pad></td></tr>`;

suite('a table with spacer cells is not code', () => {
  test('an equation between them is a formula', () => {
    const math =
      '<math alttext="E=mc^{2}" display=block><semantics><mi>E</mi><annotation encoding="application/x-tex">E=mc^{2}</annotation></semantics></math>';
    const markdown = readMarkdown(
      `<p>Energy is mass.</p><table class=ltx_equation>${centred(math)}</table><p>It is so.</p>`,
    );
    assert.match(markdown, /\$E=mc\^\{2\}\$/);
    assert.doesNotMatch(markdown, /```/);
  });

  test('words between them stay words', () => {
    assert.doesNotMatch(
      readMarkdown(`<table>${centred('<p>Rye.<p>Wheat.')}${centred('<p>Oats.<p>Barley.')}</table>`),
      /```/,
    );
  });
});

suite('content that a control opens', () => {
  const ANSWERS = [
    'The gates are repaired by two carpenters of the town, who come each spring and stay for about three weeks.',
    'A passage costs nothing for boats under six metres; longer boats pay by the metre at the toll house.',
  ];
  const QUESTIONS = ['Who repairs the gates of the canal?', 'How much does a passage cost?'];
  const accordion = (item: (question: string, answer: string, at: number) => string): string =>
    `<h2>Questions</h2><div class=accordion>${QUESTIONS.map((question, at) => item(question, ANSWERS[at] ?? '', at)).join('')}</div>`;
  const KINDS = {
    'a button of ARIA in a heading': accordion(
      (question, answer, at) =>
        `<div><h3><button aria-expanded=false aria-controls=p${at}>${question}</button></h3><div id=p${at} hidden><p>${answer}</p></div></div>`,
    ),
    'a button in a heading, without a name for what it opens': accordion(
      (question, answer) =>
        `<div><h3><button>${question}</button></h3><div style="display:none"><p>${answer}</p></div></div>`,
    ),
    'a link of Bootstrap': accordion(
      (question, answer, at) =>
        `<div><h4><a data-toggle=collapse href=#p${at}>${question}</a></h4><div id=p${at} style="display: none"><p>${answer}</p></div></div>`,
    ),
    'a button right before': accordion(
      (question, answer) =>
        `<button class=accordion aria-expanded=false>${question}</button><div style="display:none"><p>${answer}</p></div>`,
    ),
    'a term with a button': `<dl>${QUESTIONS.map((question, at) => `<dt><button aria-expanded=false aria-controls=p${at}>${question}</button></dt><dd id=p${at} hidden>${ANSWERS[at]}</dd>`).join('')}</dl>`,
    'an element with the role of a button, nested once more': accordion(
      (question, answer, at) =>
        `<section><div><h3 role=button aria-expanded=false aria-controls=p${at}>${question}</h3><section id=p${at} aria-hidden=true style="visibility: hidden"><div><div><p>${answer}</p></div></div></section></div></section>`,
    ),
    'a panel that is open until found': accordion(
      (question, answer, at) =>
        `<div><h3><button aria-controls=p${at}>${question}</button></h3><div id=p${at} hidden=until-found><p>${answer}</p></div></div>`,
    ),
  };
  for (const [kind, html] of Object.entries(KINDS)) {
    for (const onlyMainContent of [true, false]) {
      test(`is text: ${kind}${onlyMainContent ? '' : ', on the whole page'}`, () => {
        const markdown = read(article(html), { url: URL, onlyMainContent }).outputs.markdown ?? '';
        let from = 0;
        for (const part of QUESTIONS.flatMap((question, at) => [question, ANSWERS[at] ?? ''])) {
          const at = markdown.indexOf(part, from);
          assert.ok(at >= from, `${part} is missing or out of order`);
          from = at;
        }
      });
    }
  }

  test('is text in tabs, as code and as prose', () => {
    const markdown = readMarkdown(
      `<div class=tabs><ul role=tablist><li role=tab aria-selected=true>Linux</li><li role=tab>Windows</li></ul><div role=tabpanel><pre><code>apt install gauge</code></pre></div><div role=tabpanel hidden><pre><code>winget install gauge</code></pre><p>${ANSWERS[0]}</p></div></div>`,
    );
    assert.match(markdown, /apt install gauge[^]*winget install gauge[^]*two carpenters/);
  });

  test('is excluded if it is an overlay or navigation', () => {
    const hidden = [
      '<button aria-controls=m1 aria-expanded=false>Menu</button><div id=m1 class=modal hidden><p>Share this page with the friends that you have, by mail or by message.</p></div>',
      '<button aria-controls=m2 aria-haspopup=dialog>Share</button><div id=m2 hidden><p>Send the records to somebody who may like to read them as well as you.</p></div>',
      '<div hidden><p>Nobody opens this paragraph, which is kept for a script that was never written.</p></div>',
      '<nav><button aria-controls=m3 aria-expanded=false>All</button><div id=m3 hidden><p>All of the pages of this site in a long list, one after another, for you.</p></div></nav>',
    ];
    const markdown = readMarkdown(hidden.join(''));
    assert.doesNotMatch(markdown, /Share this page|Send the records|Nobody opens|All of the pages/);
  });
});

suite('the members of a table or list', () => {
  const REMARK = 'Requires that the second gate was closed before and that nobody stands on the bridge.';

  for (const [what, html] of [
    [
      'cells of a table',
      `<table><tr><th>Command</th><th>Remarks</th></tr><tr><td>open</td><td>${REMARK}</td></tr><tr><td>fill</td><td>${REMARK}</td></tr><tr><td>drain</td><td>${REMARK}</td></tr></table>`,
    ],
    [
      'paragraphs in cells of a table',
      `<table><tr><th>Command</th><th>Remarks</th></tr><tr><td><p>open</p></td><td><p>${REMARK}</p></td></tr><tr><td><p>fill</p></td><td><p>${REMARK}</p></td></tr><tr><td><p>drain</p></td><td><p>${REMARK}</p></td></tr></table>`,
    ],
    [
      'definitions',
      `<dl><dt>open</dt><dd>${REMARK}</dd><dt>fill</dt><dd><p>${REMARK}</p></dd><dt>drain</dt><dd>${REMARK}</dd></dl>`,
    ],
    [
      'steps of two lists',
      `<h2>By hand</h2><ol><li>Open the first gate with the key of the keeper and wait.</li><li><p>${REMARK}</p></li></ol><h2>By motor</h2><ol><li>Start the motor and wait for the green lamp beside the bridge.</li><li><p>${REMARK}</p></li><li>Close it, and read the list of steps for the other gate once more.</li></ol><h2>At night</h2><ul><li>Light the lamps of both gates before anything else is done.</li><li>${REMARK}</li></ul>`,
    ],
  ] as const) {
    test(`that say the same are kept: ${what}`, () => {
      assert.equal(readMarkdown(html).split(REMARK).length - 1, 3);
    });
  }

  test('that repeat a whole list on the page are excluded', () => {
    const list = `<ul><li>${REMARK}</li><li>Open the first gate with the key of the keeper and wait.</li></ul>`;
    assert.equal(
      readMarkdown(`<div>${list}</div>${paragraphs(10, 12)}<div><div>${list}</div></div>`).split(REMARK).length,
      2,
    );
  });

  test('are kept whole, in order, in a list of definitions with blocks in it', () => {
    const markdown = readMarkdown(
      '<dl><dt>Firefox<dt>Fx<dd>A browser.<dd>A red panda.<dt>Lock<dd><p>A chamber.</p><p>Two gates.</p><dt>List first<dd><ul><li>one<li>two</ul><dt>Code first<dd><pre>x = 1</pre>after<div><dt>Wrapped<dd>in a div</div><dt>Nested<dd>outer<dl><dt>Inner<dd>inner text</dl><dt>gate.open()<dd><blockquote>quote</blockquote></dl>',
    );
    let from = 0;
    for (const part of 'Firefox,Fx,A browser.,A red panda.,Lock,A chamber.,Two gates.,List first,one,two,Code first,x = 1,after,Wrapped,in a div,Nested,outer,Inner,inner text,gate.open(),quote'.split(
      ',',
    )) {
      const at = markdown.indexOf(part, from);
      assert.ok(at >= 0, `${part} is missing or out of order`);
      from = at + part.length;
    }
  });

  test('are kept together with their heading, even short ones', () => {
    const changes = Array.from(
      { length: 8 },
      (_, at) => `<li>Fix a problem in the gate number ${at} that could lead to a loss of water when it was opened.`,
    ).join('');
    const html = `<!doctype html><title>Release 3.3</title><h1>Release 3.3</h1><p><b>Changes in version 3.1:</b></p><ol>${changes}</ol><p><b>Additional changes in version 3.3:</b></p><ol class=lessindent><li value=9>Fix more bugs in the <a href=/f>optimization</a>. Ticket <a href=/t>7fde638e</a>.<p><b>Hashes:</b><li>SOURCE_ID: "2017-05-25 16:50:27 edb4e819b0"<li>SHA3-256: 1be0c457869c1f7eba</ol>`;
    const markdown = read(html, { url: 'https://example.org/releaselog/3_3.html' }).outputs.markdown ?? '';
    assert.match(markdown, /7fde638e[^]*Hashes:[^]*SOURCE\\?_ID: "2017-05-25[^]*SHA3-256: 1be0c457869c1f7eba/);
  });
});

suite('a sentence that starts like a teaser', () => {
  for (const sentence of [
    'See <a href=/m>the minutes of the council</a>, <a href=/l>the letters of the keeper</a> and <a href=/k>the map of 1848</a>.',
    'See <a href=/gate>how a gate is built</a>.',
    'Read <a href=/gate>how a gate is built</a> first.',
    'More on <a href=/gate>the gates of the lower basin</a> is in the second chapter.',
    'Siehe <a href=/gate>den Bau des zweiten Tores im Hafen</a>.',
    'Voir <a href=/gate>la construction de la porte du bassin</a>.',
  ]) {
    test(`is text: ${sentence.replaceAll(/<[^>]*>/g, '')}`, () => {
      const text = read(article(`<p>${sentence}</p>`), { url: URL, outputs: ['text'] }).outputs.text ?? '';
      assert.ok(text.includes(sentence.replaceAll(/<[^>]*>/g, '')));
    });
  }

  for (const teaser of [
    'Read also: <a href=/o>The mayor resigns after a long night in the town hall</a>',
    'See also <a href=/o>The mayor resigns after a long night in the town hall</a>',
    'Read more: <a href=/o>The mayor resigns after a long night.</a>',
  ]) {
    test(`is none where it only leads to another text: ${teaser.replaceAll(/<[^>]*>/g, '')}`, () => {
      assert.doesNotMatch(readMarkdown(`<p>${teaser}</p>`), /mayor/);
    });
  }
});

function post(text: string, at: number, attributes: string): string {
  return `<div id=post_${at} ${at === 0 ? '' : attributes} class="topic-body crawler-post"><div class=crawler-post-meta><a href=/u/${at}>user${at}</a> <time datetime=2024-05-0${at + 1}>May ${at + 1}, 2024</time></div><div class=post itemprop=text><p>${text}</p></div></div>`;
}

suite('the replies of a forum', () => {
  const POSTS = [0, 1, 2, 3].map(
    (at) =>
      `Post ${at}: the basin was ${at + 3} metres deep in that year, and nobody has measured it since, as far as I know.`,
  );
  const thread = (head: string, around: string, attributes: string): string =>
    `<!doctype html><html lang=en><head><title>How deep is the basin? - Canal Community</title>${head}</head><body>${HEADER}<div role=main ${around}><h1>How deep is the basin?</h1>${POSTS.map((text, at) => post(text, at, attributes)).join('')}</div>${FOOTER}</body></html>`;
  const COMMENT = 'itemprop=comment itemscope itemtype="https://schema.org/Comment"';
  for (const [what, html] of [
    [
      'that is a DiscussionForumPosting',
      thread('', 'itemscope itemtype="http://schema.org/DiscussionForumPosting"', COMMENT),
    ],
    [
      'that is a QAPage in JSON-LD',
      thread(
        '<script type="application/ld+json">{"@context":"https://schema.org","@type":"QAPage"}</script>',
        '',
        COMMENT,
      ),
    ],
    ['that a program of forums made', thread('<meta name=generator content="Discourse 3.3.0">', '', COMMENT)],
    ['whose posts are called comments', thread('<meta name=generator content="phpBB">', '', 'class="comment reply"')],
  ] as const) {
    test(`${what} are its content`, () => {
      const markdown = read(html, { url: 'https://c.example.org/t/12' }).outputs.markdown ?? '';
      for (const text of POSTS) assert.ok(markdown.includes(text), text);
    });
  }

  test('are left out as comments of an article', () => {
    const comments = POSTS.map((text, at) => post(text, at + 1, COMMENT)).join('');
    assert.doesNotMatch(readMarkdown(`</article><section id=comments>${comments}</section>`), /metres deep/);
  });
});

suite('frames, players and embedded documents are links', () => {
  for (const [html, link] of [
    [
      '<iframe data-src="https://www.youtube.com/embed/aaa" title="Film A"></iframe>',
      '[Film A](https://www.youtube.com/embed/aaa)',
    ],
    [
      '<iframe src="about:blank" data-src="//player.vimeo.com/video/123456"></iframe>',
      '[iframe](https://player.vimeo.com/video/123456)',
    ],
    ['<iframe loading=lazy src="/film" title="Film C"></iframe>', '[Film C](https://example.org/film)'],
    ['<iframe data-lazy-src="/film" src="data:text/html,x"></iframe>', '[iframe](https://example.org/film)'],
    [
      '<lite-youtube videoid="zyx98765432" playlabel="Play: the basin"></lite-youtube>',
      '[Play: the basin](https://www.youtube.com/embed/zyx98765432)',
    ],
    ['<lite-vimeo videoid="987654321"></lite-vimeo>', '[video](https://player.vimeo.com/video/987654321)'],
    [
      '<div class="youtube-player" data-id="qwe_-123456"><img src="/still.jpg"><div class="play"></div></div>',
      '[video](https://www.youtube.com/embed/qwe_-123456)',
    ],
    ['<video data-src="/v2.mp4"></video>', '[video](https://example.org/v2.mp4)'],
    ['<video><source data-src="/v3.mp4"></video>', '[video](https://example.org/v3.mp4)'],
    [
      '<object data="/plan.pdf" type="application/pdf"><p>See the <a href="/plan.pdf">plan</a>.</p></object>',
      '[object](https://example.org/plan.pdf)',
    ],
    [
      '<amp-youtube data-videoid="mGENRKrdoGY" layout="responsive" width="480" height="270"></amp-youtube>',
      '[video](https://www.youtube.com/embed/mGENRKrdoGY)',
    ],
    ['<amp-iframe src="/chart" width="400" height="300"></amp-iframe>', '[iframe](https://example.org/chart)'],
    ['<amp-video src="/v4.mp4" title="Film E"></amp-video>', '[Film E](https://example.org/v4.mp4)'],
    ['<oembed url="https://films.example/watch/7"></oembed>', '[video](https://films.example/watch/7)'],
    ['<youtube-embed video-id="abc_DEF-123"></youtube-embed>', '[video](https://www.youtube.com/embed/abc_DEF-123)'],
    ['<iframe srcdoc="<p>Inner" src="/inner"></iframe>', '[iframe](https://example.org/inner)'],
    ['<embed src="/plan.pdf" type="application/pdf">', '[embed](https://example.org/plan.pdf)'],
  ] as const) {
    for (const around of [html, `<div class=wrap>${html}</div>`, `<p>${html}</p>`]) {
      test(`in an article: ${around}`, () => {
        assert.ok(readMarkdown(around).includes(link), `no ${link}`);
      });
    }
  }

  test('except invisible ones', () => {
    assert.doesNotMatch(
      readMarkdown('<iframe src="https://ads.example.org/x" width=1 height=1></iframe>'),
      /ads\.example/,
    );
  });
});

suite('content between paragraphs that is not navigation', () => {
  for (const [what, html, expected] of [
    [
      'a list of definitions whose terms say what its links are',
      '<dl><dt>Tags:</dt><dd><ul><li><a href=/t/oak>oak</a></li><li><a href=/t/silt>silt</a></li></ul></dd></dl>',
      /\*\*Tags:\*\*\n\n {2}- \[oak\][^\n]*\n {2}- \[silt\]/,
    ],
    [
      'a quote with its day and its source',
      '<blockquote class=tweet><p>The lock is open! <a href="https://t.example/x">pic.example/x</a></p>— Lock (@lock) <a href="https://t.example/1">May 3, 2024</a></blockquote>',
      /> The lock is open![^]*> — Lock \(@lock\) \[May 3, 2024\]/,
    ],
    ['verses in a link', '<p><a href=/song>We carried clay<br>and coal</a></p>', /\[We carried clay and coal\]\(/],
    [
      'verses in a heading',
      '<h2>We carried clay<br>and <b>coal<br/>too</b></h2>',
      /## We carried clay and \*\*coal too\*\*\n/,
    ],
  ] as const) {
    test(`stays: ${what}`, () => assert.match(readMarkdown(html), expected));
  }

  test('stays separate: adjacent players', () => {
    assert.match(readMarkdown('<object data="/plan.pdf"></object><embed src="/film.swf">'), /plan\.pdf\) \[embed\]/);
  });
});

suite('a section of prose between kept sections', () => {
  for (const name of [
    'related',
    'related-work',
    'comments',
    'cookies',
    'share',
    'footer',
    'newsletter',
    'advertising',
    'sec-related',
    'Kommentare',
  ]) {
    for (const [kind, open] of [
      ['id', `section id="${name}"`],
      ['class', `div class="${name}"`],
    ] as const) {
      test(`stays whatever it is called: ${kind} ${name}`, () => {
        const tag = open.split(' ')[0];
        const html = `<!doctype html><html lang=en><head><title>A model of locks | Herald</title></head><body>${HEADER}<main><article><h1>A model of locks</h1><${tag} class=s1><h2>1 Introduction</h2>${paragraphs(0, 1)}</${tag}><${open}><h2>2 On others</h2>${paragraphs(2, 3)}</${tag}><${tag} class=s3><h2>3 Model</h2>${paragraphs(4, 5)}</${tag}></article></main>${FOOTER}</body></html>`;
        const markdown = read(html, { url: URL }).outputs.markdown ?? '';
        assert.match(markdown, /1 Introduction[^]*year 1800[^]*2 On others[^]*year 1802[^]*3 Model[^]*year 1804/);
      });
    }
  }

  test('is excluded if it is only links', () => {
    const markdown = readMarkdown(
      '<div class=related><h3>Related</h3><ul><li><a href=/1>The mayor resigns after a long night</a></li><li><a href=/2>A storm damages the pier of the harbour</a></li></ul></div>',
    );
    assert.doesNotMatch(markdown, /mayor|storm/);
  });
});

/** The Markdown of a page and the codes of its warnings. */
const reading = (body: string, title = 'Ferries | Harbour') => {
  const { outputs, warnings } = read(
    `<!doctype html><html lang=en><title>${title}</title><body>${body}</body></html>`,
    { url: 'https://a.example/x' },
  );
  return [outputs.markdown, warnings.map(({ code }) => code)];
};

suite('a page with next to no content', () => {
  const LINKS = Array.from(
    { length: 30 },
    (_, at) => `<li><a href=/d/${at}.html>Section ${at} on gates and locks</a></li>`,
  ).join('');
  for (const open of ['article role=main', 'main', 'div role=main', 'article']) {
    const tag = open.split(' ')[0];
    for (const generator of ['<meta name=generator content="Docutils 0.17.1">', '']) {
      test(`answers that little and says so: ${open}${generator === '' ? '' : ', as documentation'}`, () => {
        const html = `<!doctype html><html lang=en><head>${generator}<title>Matrices - Lock 1.0 documentation</title></head><body><header><a href=/index.html>Lock 1.0 documentation</a></header><aside><ul>${LINKS}</ul></aside><${open}><h1>Matrices</h1><p>Contents</p><ul><li><a href=/m.html>Dense</a></li></ul></${tag}><footer><a href=/n.html>Next</a><p>Copyright © 2024, N. Lind</p></footer></body></html>`;
        const { outputs, warnings } = read(html, { url: 'https://example.org/d/matrices.html' });
        assert.equal(outputs.markdown, '# Matrices\n\nContents\n\n- [Dense](https://example.org/m.html)\n');
        assert.ok(warnings.some(({ code }) => code === 'thin_content'));
      });
    }
  }

  const MENU = `<div><h3>Town</h3><ul>${LINKS}</ul><h3>Leisure</h3><ul>${LINKS}</ul></div>`;
  const COPYRIGHT = '<div><p>© 2024 Town of Harbour. All rights reserved.</p><a href=/privacy>Privacy</a></div>';
  const COOKIES =
    '<div><p>We use cookies to analyse traffic, and you consent to that when you go on.</p><button>OK</button></div>';

  for (const empty of [
    '<main></main>',
    '<article></article>',
    '<div role=main><div id=root></div></div>',
    '<main><article></article></main>',
  ])
    test(`whose main part is empty is empty, whatever its menu is made of: ${empty}`, () => {
      for (const around of [MENU, `<nav>${MENU}</nav>`, `<div class=menu>${MENU}</div>`, COOKIES + MENU])
        assert.deepEqual(reading(`${around}${empty}${COPYRIGHT}`), ['', ['thin_content']]);
    });

  const PLACES =
    'Harbour Ferries Timetable Fishing Markets Weather Tides Lighthouse Museum Archive Council Schools'.split(' ');
  const buildMenu = (part: string) =>
    `<h3>${part}</h3><ul>${PLACES.map((place, at) => `<li><a href=/s/${at}>${part} ${place}</a></li>`).join('')}</ul>`;
  const TOWN_FOOTER =
    '<footer><p>© 2024 Town of Harbour. All rights reserved.</p><a href=/privacy>Privacy</a> <a href=/terms>Terms</a></footer>';
  const NAV = `<nav>${['Town', 'Leisure', 'Business', 'Visit', 'About'].map(buildMenu).join('')}</nav>`;

  test('with a headline and a few words is read without its navigation', () => {
    for (const open of ['div id=content', 'section', 'article', 'main', 'td'])
      for (const [headline, said] of [
        ['Ferries', 'No ferries today.'],
        ['Fähren', 'Heute fährt keine Fähre.'],
      ]) {
        const tag = open.split(' ')[0] ?? '';
        const part = `<${open}><h1>${headline}</h1><p>${said}</p></${tag}>`;
        const held = tag === 'td' ? `<table><tr>${part}</tr></table>` : part;
        const [markdown, codes] = reading(`${NAV}${held}${TOWN_FOOTER}`, `${headline} | Harbour`);
        assert.match(String(markdown), new RegExp(`${headline}\\W+${said}`));
        assert.doesNotMatch(String(markdown), /Leisure|reserved|Privacy/);
        assert.deepEqual(codes, ['thin_content'], open);
      }
  });

  test('with an unnamed menu is read without its copyright line', () => {
    const [markdown] = reading(`${MENU}<article><h1>Ferries</h1><p>No ferries today.</p></article>${COPYRIGHT}`);
    assert.equal(markdown, '# Ferries\n\nNo ferries today.\n');
  });

  test('whose main element is empty by mistake is read from the text next to it', () => {
    const [markdown, codes] = reading(`<main></main><div><h1>Ferries</h1>${paragraphs(0, 4)}</div>`);
    assert.match(String(markdown), /year 1803/);
    assert.deepEqual(codes, []);
  });
});
