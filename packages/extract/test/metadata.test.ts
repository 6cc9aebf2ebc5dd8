import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseByline, joinStatedNames } from '#extract/metadata/author-names.ts';
import { readMetadata } from '#extract/metadata/metadata.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { readStructuredData } from '#extract/structured/structured-data.ts';
import { countWords } from '#extract/metadata/word-count.ts';

const PAGE = 'https://www.example.org/news/cup';

function read(html: string, url = PAGE, text = '') {
  const tree = parseHtml(html);
  return readMetadata(tree, {
    url,
    charset: 'utf-8',
    structured: readStructuredData(tree, url),
    wordCount: countWords(text),
  });
}

function article(json: string): string {
  return `<script type="application/ld+json">{"@context":"https://schema.org","@type":"NewsArticle",${json}}</script>`;
}

test('an empty page has null metadata and no words', () => {
  assert.deepEqual(read(''), {
    title: null,
    description: null,
    language: null,
    canonical_url: null,
    image: null,
    site_name: null,
    author: null,
    published_date: null,
    published_at: null,
    modified_at: null,
    charset: 'utf-8',
    word_count: 0,
  });
});

test('head and structured data provide every field', () => {
  const html = `<html lang="en_us"><head><title>A blue cup | The Herald</title><meta name=description content="All about it.">
    <meta property="og:site_name" content="The Herald"><meta property="og:image" content="/cup.png"><link rel=canonical href="/news/cup?a=1">
    ${article('"headline":"A blue cup","author":[{"@type":"Person","name":"Ana Ruiz"},{"name":"Bo Li"}],"datePublished":"2026-11-20T23:30:00-05:00","dateModified":"2026-11-22T08:00:00Z"')}
    </head><body><h1>A blue cup</h1></body></html>`;
  assert.deepEqual(read(html, PAGE, 'Seven words are kept of this page.'), {
    title: 'A blue cup',
    description: 'All about it.',
    language: 'en-US',
    canonical_url: 'https://www.example.org/news/cup?a=1',
    image: 'https://www.example.org/cup.png',
    site_name: 'The Herald',
    author: 'Ana Ruiz, Bo Li',
    published_date: '2026-11-20',
    published_at: '2026-11-21T04:30:00.000Z',
    modified_at: '2026-11-22T08:00:00.000Z',
    charset: 'utf-8',
    word_count: 7,
  });
});

const TITLES: readonly (readonly [string, string | null])[] = [
  ['<title>ms | Lab</title><h1>ms</h1>', 'ms'],
  ['<title>Milling | Lab</title><h1>Lab</h1>', 'Milling'],
  ['<title>Mill | Docs</title><h1>Mill <a href=#mill>&ZeroWidthSpace;</a></h1>', 'Mill'],
  ['<title>Cup – The Herald</title><meta property="og:site_name" content="The Herald">', 'Cup'],
  ['<title>The Herald: Cups</title><h1>Cups</h1>', 'Cups'],
  ['<title>Cups and saucers | Example</title>', 'Cups and saucers'],
  ['<title>茶碗 – みんなの百科</title><h1>茶碗</h1>', '茶碗'],
  ['<title>Example.org - Cups and saucers</title>', 'Cups and saucers'],
  ['<title>Cups - a history</title>', 'Cups - a history'],
  ['<meta property="og:title" content="Cups"><title>Something else</title>', 'Cups'],
  ['<title>Cups of the world | Herald</title><h1>Cups of the world</h1>', 'Cups of the world'],
  ['<h1>Only a heading</h1>', 'Only a heading'],
  ['<title>Cups of Acme | Acmecups.org</title><h1>Acme</h1>', 'Cups of Acme'],
  ['<title>Cups and saucers | All for your table</title>', 'Cups and saucers'],
  ['<title>Cups | All for your table</title>', 'Cups | All for your table'],
  [
    '<title>The Weekly: On tides</title><meta property="og:title" content="On tides"><h1><a href="/">The Weekly</a></h1>',
    'On tides',
  ],
  [
    '<title>Weekly » 2026 » On tides</title><a href="https://example.org/index.html"><h1>Weekly</h1></a>',
    '2026 » On tides',
  ],
  ['<title>Home / On tides</title><h1><a href="/">Home</a> / On tides</h1>', 'Home / On tides'],
  [
    '<meta property="og:title" content="Fern: shape it and make it your own, the one browser that bends to what you want"><h1>Make your Fern your own</h1>',
    'Fern: shape it and make it your own, the one browser that bends to what you want',
  ],
  [
    '<meta property="og:title" content="Ten cups that you need for your kitchen"><h1>The ten cups your kitchen will need</h1>',
    'The ten cups your kitchen will need',
  ],
  [
    `<meta property="og:title" content="Ten cups that you need for your kitchen">${article('"headline":"Ten cups that you need for your kitchen"')}<h1>The ten cups your kitchen will need</h1>`,
    'Ten cups that you need for your kitchen',
  ],
  [`<title>Cups</title>${article('"headline":"https://example.org/cups"')}`, 'Cups'],
  ['<title>  </title>', null],
  [
    '<title>Home</title><meta property="og:title" content="Harbour Post"><a href="/">Harbour Post</a><h1>Draining the basin</h1>',
    'Draining the basin',
  ],
  [
    '<title>Harbour Post</title><meta property="og:site_name" content="Harbour Post"><h1>Draining the basin</h1>',
    'Draining the basin',
  ],
  ['<title>example.org</title><h1>Draining the basin</h1>', 'Draining the basin'],
  [
    '<meta property="og:title" content="Harbour Post"><meta property="og:site_name" content="Harbour Post"><title>Draining the basin | Harbour Post</title><h1>All about it</h1>',
    'Draining the basin',
  ],
  [
    '<title>Startseite</title><header><a href="https://www.example.org/"><img src=l.png></a></header><h1>Das Becken</h1>',
    'Das Becken',
  ],
  [
    '<meta property="og:title" content="Building the park of the mill"><meta property="og:site_name" content="Building the park of the mill"><h1>Clean power: a park for the mill is built</h1>',
    'Building the park of the mill',
  ],
];

for (const [html, expected] of TITLES) {
  test(`the title of ${html} is ${expected}`, () => assert.equal(read(html).title, expected));
}

const ADDRESSED: readonly (readonly [string, string, string])[] = [
  ['/shop/blue-tea-cups/', '<title>Cups for Tea, Handmade & Glazed</title><h1>Blue Tea Cups</h1>', 'Blue Tea Cups'],
  [
    '/r/1rk/which_cup_keeps_tea',
    '<title>All talk</title><h1>Which cup keeps tea hot? (Porcelain or clay)</h1>',
    'Which cup keeps tea hot? (Porcelain or clay)',
  ],
  ['/tea/cups/', '<title>Handmade and glazed for tea</title><h1>Cups</h1>', 'Handmade and glazed for tea'],
  [
    '/blue-tea-cups.html',
    '<meta property="og:title" content="Ten blue tea cups that you will love for years"><h1>Blue tea cups</h1>',
    'Ten blue tea cups that you will love for years',
  ],
  [
    '/doku.php?id=grain1',
    '<title>grain1 [Mill Wiki]</title><h1><a href="/doku.php?id=start" title="Home [h]">Mill Wiki</a></h1><h1>Grain 1</h1>',
    'Grain 1',
  ],
  ['/%E0%A4%A/2026', '<title>Handmade and glazed</title><h1>Cups</h1>', 'Handmade and glazed'],
];

for (const [path, html, expected] of ADDRESSED) {
  test(`at ${path}, the title of ${html} is ${expected}`, () => {
    assert.equal(read(html, `https://www.example.org${path}`).title, expected);
  });
}

const DATES: readonly (readonly [string, string, string | null, string | null])[] = [
  [
    'a meta element',
    '<meta property="article:published_time" content="2026-11-21T10:00:00+01:00">',
    '2026-11-21',
    '2026-11-21T09:00:00.000Z',
  ],
  ['a time element', '<h1>Title</h1><time datetime="2026-11-21">yesterday</time>', '2026-11-21', null],
  ['a time element without a machine date', '<h1>Title</h1><time>21 November 2026</time>', '2026-11-21', null],
  ['a dated class', '<h1>Title</h1><span class="post-date">November 21, 2026</span>', '2026-11-21', null],
  [
    'a language that puts the day first',
    '<html lang=de><h1>Titel</h1><span class="datum">Veröffentlicht am 3.4.2026</span>',
    '2026-04-03',
    null,
  ],
  [
    'microdata',
    '<div itemscope itemtype="https://schema.org/Article"><time itemprop=datePublished datetime="2026-11-21">x</time></div>',
    '2026-11-21',
    null,
  ],
  [
    'nothing but a comment',
    '<h1>Title</h1><div class="comments"><time datetime="2026-11-21">x</time></div>',
    null,
    null,
  ],
  ['a short text right before the heading', '<p>21.11.2026</p><h1>Title</h1>', '2026-11-21', null],
  [
    'a small part named after something else',
    '<h1>Title</h1><p class="teaser-date">21.11.2026</p>',
    '2026-11-21',
    null,
  ],
  [
    'the zone of the page where another source gives the same instant in UTC',
    `<meta property="article:published_time" content="2026-11-22T02:30:00Z">${article('"datePublished":"2026-11-21T21:30:00-05:00"')}`,
    '2026-11-21',
    '2026-11-22T02:30:00.000Z',
  ],
  [
    'the state embedded in a script where nothing else has one',
    '<h1>Title</h1><script type="application/json">{"post":{"publishedAt":"2026-11-21T10:00:00Z"}}</script>',
    '2026-11-21',
    '2026-11-21T10:00:00.000Z',
  ],
  ['nothing but a change', '<h1>Title</h1><time class="updated" datetime="2026-11-21">x</time>', null, null],
];

for (const [where, html, day, instant] of DATES) {
  test(`the publication date comes from ${where}`, () => {
    const metadata = read(html);
    assert.deepEqual([metadata.published_date, metadata.published_at], [day, instant]);
  });
}

const ADDRESSES: readonly (readonly [string, string | null])[] = [
  ['https://example.org/2026/11/21/cup', '2026-11-21'],
  ['https://example.org/news/~21-11-2026-cup', '2026-11-21'],
  ['https://example.org/2026/11/261121-cup', '2026-11-21'],
  ['https://example.org/news_20261121.html', '2026-11-21'],
  ['https://example.org/item/20269921', null],
];

for (const [url, day] of ADDRESSES) {
  test(`the date in the URL ${url} is ${day}`, () => assert.equal(read('<h1>T</h1>', url).published_date, day));
}

test('the date a forum user joined is not a publication date', () => {
  const html =
    '<h1>Rear hub noise</h1><table><tr><td>grubscrew<br>Joined: 12 Feb 2004<td>Posted: Tue 3 May 2005<br>It ticks.</table>';
  assert.equal(read(html).published_date, '2005-05-03');
});

test('the URL provides the date if the page has none, and a modification date never does', () => {
  assert.equal(read('<h1>T</h1>', 'https://example.org/2026/11/21/cup').published_date, '2026-11-21');
  const metadata = read('<meta property="article:modified_time" content="2026-11-21">');
  assert.deepEqual([metadata.published_date, metadata.modified_at], [null, '2026-11-21']);
});

test('bylines only contain names of two to four capitalised words', () => {
  assert.equal(parseByline('By Ana Ruiz and Bo Li | 5 May 2026'), 'Ana Ruiz, Bo Li');
  assert.equal(parseByline('Von Jan van der Berg'), 'Jan van der Berg');
  assert.equal(parseByline('作者：王小明'), '王小明');
  assert.equal(parseByline('By Staff Reporter'), null);
  assert.equal(parseByline('人氣'), null);
  assert.equal(joinStatedNames(['Mac & i', 'Ana & Bo', '王_小明 (wang)']), 'Mac & i, Ana, Bo, 王_小明 (wang)');
  assert.equal(parseByline('Read more posts'), null);
  assert.equal(parseByline('https://example.org/ana'), null);
  assert.equal(joinStatedNames(['https://example.org/ana', 'Ana Ruiz', 'ana ruiz']), 'Ana Ruiz');
});

test('a visible byline is the author if no source states one', () => {
  assert.equal(read('<h1>T</h1><p class="byline">By <a href="/ana">Ana Ruiz</a></p>').author, 'Ana Ruiz');
  assert.equal(read('<a rel="author" href="/ana">Ana Ruiz</a>').author, 'Ana Ruiz');
  assert.equal(read('<div class="comment"><p class="author">Troll Face</p></div>').author, null);
});

const AUTHORS: readonly (readonly [string, string | null])[] = [
  ['<h1>T</h1><p>By <!-- -->Ana Ruiz</p>', 'Ana Ruiz'],
  ['<h1>T</h1><div class=info>Ein Artikel von <b>Ana Ruiz</b> | 3.4.2026</div>', 'Ana Ruiz'],
  ['<h1>T</h1><p>Photo by Ana Ruiz</p>', null],
  ['<h1>T</h1><h5>Autor:</h5>Ana Ruiz/ABC', 'Ana Ruiz'],
  ['<h1>T</h1><span class="postAuthor">freeman1984</span>', 'freeman1984'],
  ['<h1>T</h1><span class="author">Alexa von Heyden</span>', 'Alexa von Heyden'],
  ['<h1>T</h1><span class="byline">By Ana Ruiz, December 15, 2026</span>', 'Ana Ruiz'],
  ['<h1>T</h1><div class="byline">Simon Ruiz Jul 3</div>', 'Simon Ruiz'],
  ['<h1>T</h1><span class="byline">By Anna May</span>', 'Anna May'],
  ['<meta name=author content="Ana Ruiz -">', 'Ana Ruiz'],
  ['<a rel=author href="/a">Ana Ruiz</a> and <a rel=author href="/b">Bo Li</a>', 'Ana Ruiz, Bo Li'],
  ['<h1>T</h1><p><span class=author>Ana Ruiz</span>, <span class=author>Bo Li</span></p>', 'Ana Ruiz, Bo Li'],
  ['<h1>T</h1><a class="username" href="/u/1">noah_b</a><a class="username" href="/u/2">eve</a>', 'noah_b'],
  ['<meta name="twitter:label1" content="Written by"><meta name="twitter:data1" content="Ana Ruiz">', 'Ana Ruiz'],
  ['<meta name=author content="Redacci&amp;oacute;n Cup"><meta property="og:site_name" content="X">', 'Redacción Cup'],
  [
    `${article('"author":{"@type":"Organization","name":"Example"}')}<h1>T</h1><p class="byline">By Ana Ruiz</p>`,
    'Ana Ruiz',
  ],
  [`${article('"author":"Ana Ruiz"')}${article('"author":"Bo Li"')}`, 'Ana Ruiz'],
];

for (const [html, expected] of AUTHORS) {
  test(`the author of ${html} is ${expected}`, () => assert.equal(read(html).author, expected));
}

const FEED = article('"author":{"@type":"Person","name":"Harbour feed"}');
const STATED_AUTHORS: readonly (readonly [string, string])[] = [
  [`${FEED}<h1>T</h1><p class="byline">By <a href="/people/ana" rel="author">Ana Ruiz</a></p>`, 'Ana Ruiz'],
  [`${FEED}<h1>T</h1><p>By Ana Ruiz</p>`, 'Ana Ruiz'],
  [FEED, 'Harbour feed'],
  [
    `${article('"author":[{"@type":"NewsMediaOrganization","name":"Harbour Research"}]')}<h1>T</h1><p>By Ana Ruiz</p>`,
    'Ana Ruiz',
  ],
  [article('"author":{"@type":"Organization","name":"Harbour Research"}'), 'Harbour Research'],
  [article('"author":{"@type":"Person","name":["Ana Ruiz","Bo Li"]}'), 'Ana Ruiz, Bo Li'],
  [article('"author":["Ana Ruiz","Bo Li"]'), 'Ana Ruiz, Bo Li'],
  [article('"author":{"@type":"Person","givenName":"Ana","familyName":"Ruiz"}'), 'Ana Ruiz'],
];

for (const [html, expected] of STATED_AUTHORS) {
  test(`the author of ${html} is ${expected}`, () => assert.equal(read(html).author, expected));
}

test('the home page keeps the name of the site as its title', () => {
  const html = '<title>Harbour Post</title><meta property="og:site_name" content="Harbour Post"><h1>Latest news</h1>';
  assert.equal(read(html, 'https://www.example.org/').title, 'Harbour Post');
});

test('photo credits are not authors, and a Twitter card may have the author', () => {
  assert.equal(read('<h1>x</h1><p><em>Portrait by <a href="/li">Bo Li</a></em>').author, null);
  assert.equal(read('<meta property="og:article:author" content="Ana Ruiz">').author, 'Ana Ruiz');
});

test('an FAQ question is not the title, and a Dublin Core title comes first', () => {
  const faq = '{"@type":"FAQPage","mainEntity":[{"@type":"Question","name":"What is insured?"}]}';
  assert.equal(read(`<title>Insurance</title><script type="application/ld+json">${faq}</script>`).title, 'Insurance');
  const titles = '<meta property="og:title" content="Tides"><meta name="dc:title" content="On tides">';
  assert.equal(read(titles).title, 'On tides');
});

test('an author given by @id is resolved', () => {
  const graph =
    '{"@graph":[{"@type":"Article","author":{"@id":"#ana"}},{"@type":"Person","@id":"#ana","name":"Ana Ruiz"}]}';
  assert.equal(read(`<script type="application/ld+json">${graph}</script>`).author, 'Ana Ruiz');
});

test('words are counted in scripts with and without spaces', () => {
  assert.equal(countWords('Well-known: it’s 3 words – no, six!'), 6);
  assert.equal(countWords('中文字 and 日本'), 6);
  assert.equal(countWords('안녕 세계'), 2);
  assert.equal(countWords(' — … '), 0);
});

test('truncated pages never throw', () => {
  const html = `<html lang="\0"><title>\u202e${article('"author":{"name":[[]]},"datePublished":{"a":1},"image":[null,{}]')}<meta name=author content="${'x '.repeat(5000)}"><link rel=canonical href="http://[">`;
  for (let at = 0; at < html.length; at += 7) assert.equal(typeof read(html.slice(0, at)).word_count, 'number');
});

test('many metadata elements are read in linear time', () => {
  const json = '{"@type":"Article","author":"Ana Ruiz","datePublished":"2026-11-21"},'.repeat(60_000);
  const floods: readonly (readonly [string, string | null])[] = [
    ['<meta name="author" content="Ana Ruiz">'.repeat(25_000), 'Ana Ruiz'],
    [Array.from({ length: 25_000 }, (_, at) => `<meta name="n${at}" content="${at}">`).join(''), null],
    [`<script type="application/ld+json">[${json}{}]</script>`.repeat(2), null],
    [`<script>${'createdAt datePublished: '.repeat(25_000)}</script>`, null],
    [`<h1>T</h1>${'<p class="byline date author">By 2026 '.repeat(25_000)}`, null],
    ['<h1>By Ana</h1>'.repeat(25_000), null],
    ['<div class="post-author meta">'.repeat(25_000), null],
    [`<h1>T</h1><p class="${'aB'.repeat(100_000)} author">Ana Ruiz</p>`, null],
  ];
  for (const [html, author] of floods) assert.equal(read(html).author, author, html.slice(0, 40));
});

for (const [what, body] of [
  ['in code', '<pre>commit 1d2f\nDate: 2006-05-16</pre><p><code>git log --since=2018-06-02</code></p>'],
  [
    'in running text',
    '<p>The rule of <a href=/law>the council</a> was published between January 30, 2005, and the next spring, when the mill was closed for good and its wheel was sold.</p>',
  ],
  [
    'that is the number of a version',
    '<table><tr><td>1.8.15</td></tr></table><p>Since: 3.24.20.</p><p>Mill version 5.9, released on May 14, 2022.</p>',
  ],
  [
    'in the middle of a line',
    '<p>An experiment that follows <a href=/draft>the draft of the council</a> as of 05 May 2022</p>',
  ],
  ['since which something is so', '<ul><li><a href=/x>The exchange</a>, since Jan 26, 2015.</li></ul>'],
  ['as of which something is so', '<ul><li><a href=/x>Used by 50,000 mills</a> as of January 1, 2020</li></ul>'],
  ['on which something was measured', '<p>Measured September 23, 2026 on an old wheel with new stones.</p>'],
  ['that a sentence begins with', '<p>On March 17, 2013, the mill and its friends lost a very dear miller.</p>'],
  [
    'of a book in a list of books',
    '<ul><li>Presses of the world, September 1, 2005: <a href=/b>Printing what one is given</a>, by which this mill was built.</li></ul>',
  ],
  [
    'in a list of changes',
    '<ul><li><b>2006-09-21</b>: a wheel</li><li><b>2006-10-01</b>: a door</li><li><b>2007-01-01</b>: a roof</li></ul>',
  ],
  ['of a release', '<p>1.2 (March 2, 2010)</p><ul><li>A new wheel.</li></ul>'],
  ['of the last change', '<p>Last updated: <em>Feb 3, 2025</em></p><p>Last revised: June 16, 2023</p>'],
  [
    'of when the page was generated',
    '<p><font>This document was generated on <em>February 5, 2023</em> using texi2any.</font></p>',
  ],
] as const) {
  test(`a date ${what} is not a publication date`, () => {
    const html = `<h1>mill</h1><p>${'A press prints what it is given. '.repeat(9)}</p>${body}`;
    assert.equal(read(html, 'https://example.org/mill.html').published_date, null);
  });
}

test('modification and publication dates are separate', () => {
  const html = '<h1>mill</h1><p>Published on 3 May 2024</p><p>Last updated: June 16, 2025</p>';
  const { published_date: published, modified_at: modified } = read(html);
  assert.deepEqual([published, modified], ['2024-05-03', '2025-06-16']);
});

function buildEntry(at: number): string {
  return `<article class=post><h2><a href=/posts/${at}>Post ${at}</a></h2><time datetime="2025-0${at}-11">11/${at}/2025</time><p>Some words.</p></article>`;
}

test('a list of posts has no date, and a post that lists others has its own', () => {
  const list = [4, 3, 2, 1].map(buildEntry).join('');
  assert.equal(read(`<h1>The mill</h1><main>${list}</main>`, 'https://example.org/').published_date, null);
  const post = `<article><h1>The wheel</h1><time datetime="2024-08-02">2 August 2024</time><p>Words.</p></article>`;
  assert.equal(read(`<main>${post}<section>${list}</section></main>`).published_date, '2024-08-02');
});

test('a tag page with one post has no date, and a post with a self-linked heading has one', () => {
  const one = `<h1>Tag: wheels</h1><main>${buildEntry(4)}</main>`;
  assert.equal(read(one, 'https://example.org/tags/wheels/').published_date, null);
  assert.equal(read(one, 'https://example.org/posts/4?from=feed').published_date, '2025-04-11');
  const canonical = '<link rel=canonical href="https://example.org/posts/4/">';
  assert.equal(read(canonical + one, 'https://example.org/?p=4').published_date, '2025-04-11');
});

test('a thread has the date of its first post', () => {
  const posts = [4, 5, 6].map((at) => buildEntry(at).replace(`/posts/${at}`, `thread?post=${at}#post${at}`)).join('');
  assert.equal(read(`<h1>Which wheel?</h1>${posts}`).published_date, '2025-04-11');
});

test('a day after the fetch is not a publication date', () => {
  const html = `<time datetime="2026-12-24">24 December 2026</time><p>Published on 21 November 2026</p>`;
  const readOn = (day: string) => {
    const tree = parseHtml(`<meta property="article:published_time" content="2027-01-01"><h1>mill</h1>${html}`);
    const structured = readStructuredData(tree, PAGE);
    const fetchedAt = Date.parse(day);
    return readMetadata(tree, { url: PAGE, charset: null, structured, wordCount: 0, fetchedAt }).published_date;
  };
  assert.equal(readOn('2026-11-23T12:00:00Z'), '2026-11-21');
  // In East Asia it is already the next day.
  assert.equal(readOn('2026-11-20T12:00:00Z'), '2026-11-21');
  assert.equal(readOn('2026-11-20T08:00:00Z'), null);
});

test('the date of a quoted post is ignored', () => {
  const quote =
    '<blockquote><p>A wheel!</p><a href=/p/1><time datetime="2018-03-12">Mar 12, 2018</time></a></blockquote>';
  const html = `<h1>mill</h1><p>${'A press prints what it is given. '.repeat(9)}</p>${quote}`;
  assert.equal(read(html).published_date, null);
  assert.equal(read(`${html}<p>Published on 29 January 2019</p>`).published_date, '2019-01-29');
});
