import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { formatOutline } from './outline.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { placeShadowRoots } from '#extract/html/shadow-roots.ts';
import { getSubtreeEnd } from '#extract/html/tree.ts';
import { renderMarkdown, read } from './pages.ts';

const AT = 'https://example.com';

suite('XHTML', () => {
  const SACKS = `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title>Sacks</title><script src="a.js"/>
<style/></head><body><div class="bar"/><p>Rye<br/>flour</p><a name="oats"/><ul><li/><li>Oats</li></ul><textarea/><p>end</p></body></html>`;

  test('self-closing elements are closed in XHTML and stay open in HTML', () => {
    const outputs = ['markdown'] as const;
    const markdown = 'Rye  \nflour\n\n- Oats\n\nend\n';
    for (const contentType of ['application/xhtml+xml; charset=utf-8', 'text/xml'])
      assert.equal(read(SACKS, { outputs, contentType }).outputs.markdown, markdown, contentType);
    assert.equal(read(SACKS, { outputs, contentType: 'text/html' }).outputs.markdown, '');
  });
});

suite('framesets', () => {
  const HEAD = '<html><head><title>Mill</title><base href="/mill/"></head>';
  const FRAMES = '<frame src="menu.html" name="menu"><frame src="main.html" title="Prices &amp; hours"><frame>';
  const said = (page: string, contentType = 'text/html') => {
    const { outputs, metadata, warnings } = read(page, { outputs: ['markdown', 'links'], contentType, url: AT });
    const links = outputs.links?.map(({ url, text }) => [url, text]);
    return { links, markdown: outputs.markdown, title: metadata.title, codes: warnings.map(({ code }) => code) };
  };
  const LINKS = [
    [`${AT}/mill/menu.html`, 'menu'],
    [`${AT}/mill/main.html`, 'Prices & hours'],
  ];

  test('the fallback text is read, frames become links, and a warning says that the content is thin', () => {
    const other =
      '<noframes><body><h1>Mill</h1><p>The <a href="plain.html">plain pages</a> say the same.</p></body></noframes>';
    const { links, ...others } = said(`${HEAD}<frameset cols="20%,*">${FRAMES}${other}</frameset></html>`);
    const list = `- [menu](${AT}/mill/menu.html)\n- [Prices & hours](${AT}/mill/main.html)\n`;
    const markdown = `# Mill\n\nThe [plain pages](${AT}/mill/plain.html) say the same.\n\n${list}`;
    assert.deepEqual(others, { markdown, title: 'Mill', codes: ['thin_content'] });
    assert.deepEqual(links, [[`${AT}/mill/plain.html`, 'plain pages'], ...LINKS]);
  });

  test('one without fallback text is read as links, also nested and in XHTML', () => {
    const nested = `${HEAD}<frameset><frameset>${FRAMES}</frameset></frameset></html>`;
    const xhtml = nested.replaceAll(/<(frame|base)\b([^>]*)>/g, '<$1$2/>');
    for (const [page, type] of [
      [nested, 'text/html'],
      [xhtml, 'application/xhtml+xml'],
    ] as const) {
      const { links, markdown } = said(page, type);
      assert.deepEqual(links, LINKS, type);
      assert.equal(markdown, `- [menu](${AT}/mill/menu.html)\n- [Prices & hours](${AT}/mill/main.html)\n`, type);
    }
  });

  test('frame elements in a page with a body are ignored', () => {
    const { links, markdown, codes } = said(`<p>Rye is milled on Mondays.</p><frameset>${FRAMES}</frameset>`);
    assert.deepEqual([links, markdown, codes], [[], 'Rye is milled on Mondays.\n', []]);
  });
});

suite('declarative shadow roots', () => {
  const CARD = `<my-card><template shadowrootmode="open"><style>a{}</style><h2><slot name=title>None</slot></h2>
<p>Before <slot></slot> after</p><slot name=foot><p>Fallback</p></slot></template><b slot=title>Rye</b>light <i>text</i><em slot=gone>gone</em></my-card><p>end</p>`;

  test('a shadow root is read in place with its slotted content, without unslotted content', () => {
    assert.equal(renderMarkdown(CARD), '## **Rye**\n\nBefore light *text* after\n\nFallback\n\nend');
  });

  test('slots of one shadow root may stand in those of another', () => {
    const list = `<div><template shadowrootmode=open><x-list><template shadowrootmode=closed><ul><slot></slot></ul></template>
<slot></slot></x-list></template><li>one</li><li>two</li></div>`;
    assert.equal(renderMarkdown(list), '- one\n- two');
  });

  test('fields, links and images of a shadow root are found', () => {
    const extract = { fields: { price: { selector: 'x-price .now', type: 'string', many: false } } } as const;
    const { outputs } = read(
      '<x-price><template shadowrootmode=open><a href=/buy><img src=/rye.jpg></a><b class=now>2.50</b></template></x-price>',
      { outputs: ['json', 'links', 'images'], extract },
    );
    assert.deepEqual(outputs.json, { price: '2.50' });
    assert.deepEqual([outputs.links?.[0]?.url, outputs.images?.[0]?.url], [`${AT}/buy`, `${AT}/rye.jpg`]);
  });

  test('a template without a shadow root has no text, links or images', () => {
    const html = `<p>shown</p><template><p>later</p><a href=/a>a</a><img src=/a.jpg></template>
<div><template shadowrootmode=other>other</template></div><table><template shadowrootmode=open><tr><td>x</template></table>`;
    const { markdown, links, images } = read(html, { outputs: ['markdown', 'links', 'images'] }).outputs;
    assert.deepEqual([markdown, links, images], ['shown\n', [], []]);
  });

  test('a tree with its shadow roots in place is in document order', () => {
    const tree = placeShadowRoots(parseHtml(CARD.repeat(3)));
    for (let node = 1; node < tree.count; node++) {
      const parent = tree.parent[node] ?? 0;
      assert.ok(parent < node && getSubtreeEnd(tree, node) <= getSubtreeEnd(tree, parent));
    }
    assert.match(formatOutline(tree), /<h2>\n\| +<b>\n\| +slot="title"\n\| +"Rye"/);
  });

  test('nested shadow roots are limited', () => {
    for (const piece of [
      '<div><template shadowrootmode=open>',
      '<div><template shadowrootmode=open><slot></slot></template>',
      '<div><template shadowrootmode=open><p><slot></slot></p></template>',
      `<div><template shadowrootmode=open>${'<b>'.repeat(9)}<slot></slot></template>`,
      '<x-a><template shadowrootmode=open></x-a>',
      '<slot><slot slot=a name=a>',
    ]) {
      const { outputs } = read(`${piece.repeat(4_000)}<p>end`, { outputs: ['markdown', 'html', 'links', 'metadata'] });
      assert.equal(typeof outputs.markdown, 'string', piece);
    }
  });
});

test('a lazy-loaded image is listed once, whatever its noscript fallback', () => {
  const once: readonly (readonly [string, string])[] = [
    [
      '<img src=/spacer.gif data-own=/a.jpg><noscript><img src=/a.jpg alt=A></noscript>',
      '![A](https://example.com/a.jpg)',
    ],
    [
      '<img src=data:, data-src=/a.jpg><noscript><img src=/a.jpg?w=9 alt=A></noscript>',
      '![](https://example.com/a.jpg)',
    ],
    [
      '<a href=/b><picture><source data-srcset=/a.jpg><img alt=A></picture></a> <noscript><p><img src=/b.jpg></p></noscript>',
      '[![A](https://example.com/a.jpg)](https://example.com/b)',
    ],
    ['<div><noscript><img src=/a.jpg alt=A></noscript><img src=/lazyload.png>', '![A](https://example.com/a.jpg)'],
    ['<div><noscript><img src=/a.jpg alt=A></noscript>', '![A](https://example.com/a.jpg)'],
    [
      '<figure><div><img src=/max/44/a.png?q=20></div><img alt=A><noscript><img src=/max/796/a.png alt=A></noscript></figure>',
      '![A](https://example.com/max/796/a.png)',
    ],
    ['<img src=/9/a.jpg> <noscript><img src=/900/a.jpg></noscript>', '![](https://example.com/900/a.jpg)'],
    [
      '<img src=/a.jpg><p>and</p><noscript><img src=/b.jpg></noscript>',
      '![](https://example.com/a.jpg)\n\nand\n\n![](https://example.com/b.jpg)',
    ],
  ];
  for (const [html, markdown] of once) {
    assert.equal(renderMarkdown(html), markdown, html);
    const { images = [] } = read(html, { outputs: ['images'] }).outputs;
    assert.equal(images.length, markdown.split('](').length - 1 - (markdown.startsWith('[') ? 1 : 0), html);
  }
});

test('AMP images are images', () => {
  const html = `<p>This text stands before its pictures.</p><amp-img src=/a.jpg alt=A width=300 height=200 layout=responsive><noscript><img src=/small.jpg></noscript></amp-img>
<p><amp-anim src=/b.gif></amp-anim></p><p>And this one comes after them.</p>`;
  const { markdown, images, html: cleaned } = read(html, { outputs: ['markdown', 'images', 'html'] }).outputs;
  assert.deepEqual(markdown?.split('\n\n'), [
    'This text stands before its pictures.',
    '![A](https://example.com/a.jpg)',
    '![](https://example.com/b.gif)',
    'And this one comes after them.\n',
  ]);
  assert.deepEqual(images?.[0], { url: `${AT}/a.jpg`, alt: 'A', width: 300, height: 200 });
  assert.equal(images?.length, 2);
  assert.match(cleaned ?? '', /<img src="https:\/\/example.com\/a.jpg" alt="A" width="300" height="200">/);
});

test('the metadata link to further pages and to other versions of the page', () => {
  const rows: readonly (readonly [string, string, object])[] = [
    ['/tale', '<link rel=amphtml href=/amp/tale>', { amp_url: `${AT}/amp/tale` }],
    ['/tale', '<link rel="alternate" media=" Print " href=/tale?print=1>', { print_url: `${AT}/tale?print=1` }],
    ['/tale', '<p>x<a rel=next href=/tale?page=2>Go on</a>', { next_url: `${AT}/tale?page=2` }],
    ['/tale/', '<p>x<a rel=next href=/tale/2/>Go on</a>', { next_url: `${AT}/tale/2/` }],
    [
      '/tale-2.html',
      '<link rel=prev href=tale.html><link rel=next href=tale-3.html>',
      { next_url: `${AT}/tale-3.html`, prev_url: `${AT}/tale.html` },
    ],
    ['/tale', '<a rel=next href=/another-tale>Next</a><a rel=prev href=https://other.example/tale?page=2>x</a>', {}],
    ['/tale', '<link rel=amphtml href="javascript:x"><link rel="stylesheet" media=print href=/p.css>', {}],
    ['/tale', '<a rel=next href=/tale>again</a><template><a rel=next href="?page=2">x</a></template>', {}],
  ];
  for (const [path, html, expected] of rows) {
    const { next_url, prev_url, amp_url, print_url } = read(html, { url: AT + path }).metadata;
    const views = Object.entries({ next_url, prev_url, amp_url, print_url }).filter(([, view]) => view !== undefined);
    assert.deepEqual(Object.fromEntries(views), expected, html);
  }
});

test('hidden content is left out, whatever hides it', () => {
  const shown = '<p>There is enough to be read here for anybody who comes by.</p>';
  for (const hiding of [
    'hidden',
    'hidden=""',
    'aria-hidden=true',
    'style="display:none"',
    'style="color:red; DISPLAY : NONE !important"',
    'style=visibility:hidden',
  ])
    assert.equal(
      renderMarkdown(`${shown}<div ${hiding}><p>out</p></div>`),
      'There is enough to be read here for anybody who comes by.',
      hiding,
    );
  for (const showing of ['hidden=until-found', 'aria-hidden=false', 'style="display:block"'])
    assert.match(renderMarkdown(`${shown}<div ${showing}><p>in</p></div>`), /\n\nin$/, showing);
});
