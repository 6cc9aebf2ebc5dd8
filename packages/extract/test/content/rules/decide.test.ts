import assert from 'node:assert/strict';
import { test } from 'node:test';
import { computeFeatures } from '#extract/content/content.ts';
import { TRAINED_MODEL } from '#extract/content/model/trained.ts';
import { decideVerdicts } from '#extract/content/rules/decide.ts';
import type { BlockVerdict } from '#extract/content/rules/scored-page.ts';
import { markKeptNodes } from '#extract/content/rules/kept-nodes.ts';
import { smoothLogOdds } from '#extract/content/rules/adjust-scores.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { TAG, TAG_NAMES } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { findNextTag, getTag } from '#extract/html/tree.ts';
import type { PageReading } from '#extract/reading.ts';
import { paragraphs, read, sentence } from '../../pages.ts';

const URL = 'https://example.org/news/2026/harbour';
const NAVIGATION =
  '<header class=site-header><a class=logo href=/>Herald</a><nav><ul><li><a href=/a>Home</a></li><li><a href=/b>Town</a></li><li><a href=/c>Sport</a></li><li><a href=/d>Contact</a></li></ul></nav></header>';
const FOOTER =
  '<footer class=site-footer><ul><li><a href=/p>Privacy</a></li><li><a href=/t>Terms</a></li></ul><p>© 2026 Herald Ltd. All rights reserved.</p></footer>';
const BETWEEN =
  '<div class=byline>By <a href=/jo>Jo Miller</a></div><time>5 March 2026</time><div class=share><button>Share</button><button>Tweet</button></div>';

function page(title: string, body: string): string {
  return `<!doctype html><html lang=en><head><meta charset=utf-8><title>${title}</title><script src=/a.js></script></head><body>${NAVIGATION}${body}${FOOTER}</body></html>`;
}

function readAll(html: string): PageReading {
  return read(html, { url: URL, outputs: ['markdown', 'text', 'html'] });
}

function readMarkdown(html: string): string {
  return readAll(html).outputs.markdown ?? '';
}

test('a headline that byline, date and buttons part from the text starts the document', () => {
  const { outputs } = readAll(
    page(
      'A bridge is built | Herald',
      `<main><article><h1>A bridge is built</h1>${BETWEEN}${paragraphs(0, 8)}</article></main>`,
    ),
  );
  assert.match(outputs.markdown ?? '', /^# A bridge is built\n\nThe harbour kept/);
  assert.match(outputs.html ?? '', /^<h1>A bridge is built<\/h1>/);
});

test('the headline is the heading that the title confirms, not the name of the site nor a teaser', () => {
  const html = page(
    'A bridge is built over the river | Herald',
    `<h1><a href=/>Herald</a></h1><h2><a href=/other>The mayor resigns</a></h2><article><h2>A bridge is built over the river</h2>${BETWEEN}${paragraphs(0, 8)}</article>`,
  );
  assert.match(readMarkdown(html), /^## A bridge is built over the river\n\nThe harbour kept/);
});

for (const [what, title, before] of [
  ['leads to the first page', 'Valley Herald: A bridge is built', '<h1><a href=/>Valley Herald</a></h1>'],
  ['stands in the navigation', 'A bridge is built | Herald', '<nav><h2>A bridge is built over the river</h2></nav>'],
] as const) {
  test(`a heading that ${what} is not the headline`, () => {
    const html = page(title, `${before}<article><h2>A bridge is built</h2>${BETWEEN}${paragraphs(0, 8)}</article>`);
    assert.match(readMarkdown(html), /^## A bridge is built\n\nThe harbour kept/);
  });
}

test('a headline repeated in the text is kept once', () => {
  const html = page(
    'A bridge is built | Herald',
    `<h1>A bridge is built</h1>${BETWEEN}<article><h1>A bridge is built</h1>${paragraphs(0, 8)}</article>`,
  );
  assert.equal(readMarkdown(html).split('# A bridge is built').length, 2);
});

test('headings that precede other headings before text are kept', () => {
  const html = page(
    'Records | Herald',
    `<article>${paragraphs(0, 4)}<h2>Part two</h2><h3>Its first years</h3>${paragraphs(4, 8)}</article>`,
  );
  assert.match(readMarkdown(html), /## Part two\n\n### Its first years\n\nThe harbour/);
});

test('teasers below an article are excluded, whatever their class names', () => {
  const teasers = Array.from(
    { length: 8 },
    (_, at) =>
      `<div class=q7><h5><a href=/t${at}>The mayor says number ${at} of it</a></h5><div>${sentence(900 + at)}</div></div>`,
  ).join('');
  const html = page(
    'A bridge is built | Herald',
    `<div class=w1><article><h1>A bridge is built</h1>${paragraphs(0, 10)}</article><div class=w2>${teasers}</div></div>`,
  );
  assert.doesNotMatch(readMarkdown(html), /The mayor says/);
});

test('cells of one shape are smoothed together, link cells separately from text cells', () => {
  const rows = [0, 1, 2].map(
    (at) => `<tr><td><a href=/${at}>Binders ${at}</a></td></tr><tr><td>${sentence(at)}</td></tr>`,
  );
  const features = computeFeatures(parseHtml(`<table>${rows.join('')}</table>`), URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const { blocks, order } = features;
  const drawn = smoothLogOdds(blocks, order.families, Float32Array.of(-1, 1, -1, 1, -1, 4));
  assert.deepEqual(
    Array.from(drawn, (logOdds) => Number(logOdds.toFixed(2))),
    [-1, 1.6, -1, 1.6, -1, 2.8],
  );
});

test('teasers are the content of a page with little else', () => {
  const teasers = Array.from(
    { length: 6 },
    (_, at) =>
      `<div class=teaser><h2><a href=/t${at}>The mayor says number ${at} of it</a></h2><p>${sentence(900 + at)}</p></div>`,
  ).join('');
  const markdown = readMarkdown(page('News of the town | Herald', `<main><h1>News of the town</h1>${teasers}</main>`));
  assert.equal(markdown.match(/The mayor says/g)?.length, 6);
});

test('items with a date and a reply button are comments, whatever their class names', () => {
  const thread = Array.from(
    { length: 6 },
    (_, at) =>
      `<div class=q7><b>reader${at}</b><div>${at + 2} hours ago</div><p>I ${sentence(700 + at)}</p><div><a href=#>Reply</a></div></div>`,
  ).join('');
  const html = page(
    'A bridge is built | Herald',
    `<div class=w1><article><h1>A bridge is built</h1>${paragraphs(0, 10)}</article><section class=w2>${thread}</section></div>`,
  );
  assert.doesNotMatch(readMarkdown(html), /I The harbour/);
});

/** A post with comments, of a site with meaningless class names. */
function postWith(comments: number): string {
  const said = Array.from(
    { length: comments },
    (_, at) =>
      `<div class=x9><div>Anna · March ${at + 2}, 2019</div><div><p>I ${sentence(700 + at)}</p></div><a href=?r=${at}>Reply</a></div>`,
  ).join('');
  const post = `<div class=x4><h1>A bridge is built</h1><div>May 3, 2018 · Miller</div>${paragraphs(0, 6)}</div>`;
  return page('A bridge is built | Mill', `<div class=x1>${post}<div class=x8><h2>Responses</h2>${said}</div></div>`);
}

test('comments are excluded whether a post has one or many', () => {
  for (const comments of [1, 2, 3, 12]) {
    const markdown = readMarkdown(postWith(comments));
    assert.doesNotMatch(markdown, /I The harbour/, String(comments));
    for (let at = 0; at < 6; at++) assert.ok(markdown.includes(sentence(at)));
  }
});

test('a short post is kept without its comments, even if they are most of the page', () => {
  const said = Array.from(
    { length: 12 },
    (_, at) => `<li id=comment-${at}><cite>Anna</cite> says:<p>I ${sentence(700 + at)} ${sentence(720 + at)}</p></li>`,
  ).join('');
  const post = `<div class=post><h2>A bridge is built</h2><div class=entry>${paragraphs(0, 2)}</div></div>`;
  const comments = `<h3 id=comments>12 responses</h3><ol class=commentlist>${said}</ol>`;
  const markdown = readMarkdown(
    page(
      'Mill » A bridge is built',
      `<div id=header><h1><a href=/>Mill</a></h1></div><div id=content>${post}${comments}</div>`,
    ),
  );
  assert.ok(markdown.includes(sentence(1)));
  assert.doesNotMatch(markdown, /I The harbour/);
});

test('a message with a date line and a reply link is kept', () => {
  const letter = `<div><div>March 2, 2019, Anna</div>${paragraphs(0, 4)}<a href=?r=1>Reply</a></div>`;
  const markdown = readMarkdown(page('On the bridge | Letters', `<h1>On the bridge</h1>${letter}`));
  for (let at = 0; at < 4; at++) assert.ok(markdown.includes(sentence(at)));
});

test('a table of data is kept whole', () => {
  const rows = Array.from({ length: 6 }, (_, at) => `<tr><td>Quay ${at}</td><td>${at * 37}</td><td>–</td></tr>`).join(
    '',
  );
  const html = page(
    'Quays | Herald',
    `<main><h1>Quays</h1>${paragraphs(0, 3)}<table><caption>Ships a year</caption><tr><th>Quay<th>Ships<th>Note</tr>${rows}</table>${paragraphs(3, 6)}</main>`,
  );
  const markdown = readMarkdown(html);
  assert.match(markdown, /Ships a year/);
  for (let at = 0; at < 6; at++) assert.ok(markdown.includes(`| Quay ${at} | ${at * 37} | – |`), markdown);
});

test('the lead image of an article is kept although the byline is not', () => {
  const html = page(
    'A bridge is built | Herald',
    `<article><h1>A bridge is built</h1>${BETWEEN}<figure><img src=/bridge.jpg alt="The bridge"><figcaption><a href=/agency>Agency</a></figcaption></figure><div class=share><a href=/f>Share</a> <a href=/g>Tweet</a> <a href=/h>Print</a></div>${paragraphs(0, 8)}</article>`,
  );
  assert.match(readMarkdown(html), /!\[The bridge\]/);
});

function boxed(content: string): string {
  return `<div><div>${content}</div></div>`;
}

const NO_KIND = { article: 0, documentation: 0, service: 0, forum: 0, product: 0, listing: 0, collection: 0 };

/** The verdicts on the blocks of an article: elements with one of the tags get a doubtful score, others a high one. */
function decided(html: string, doubted: string, kinds = { ...NO_KIND, article: 1 }) {
  const features = computeFeatures(parseHtml(html), URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const { tree, blocks, surroundings } = features;
  const isDoubted = buildTagSet(doubted);
  const scores = Float32Array.from(blocks, ({ node }) => (isDoubted[getTag(tree, node)] === 1 ? 0.35 : 0.95));
  const { verdicts } = decideVerdicts({ ...features, scores, kinds, hasScripts: false, headline: -1 });
  return { tree, blocks, surroundings, verdicts };
}

for (const { what, to, kept } of [
  { what: 'that lead elsewhere is kept', to: 'https://tools.example/', kept: true },
  { what: 'of the contents of the page is not', to: '#', kept: false },
]) {
  test(`between paragraphs, a doubtful list of links ${what}`, () => {
    const items = Array.from({ length: 6 }, (_, at) => `<li><a href="${to}t${at}">Tool ${at}</a></li>`).join('');
    const judged = decided(
      `<article>${paragraphs(0, 3)}<h2>What we use</h2><ul>${items}</ul>${paragraphs(3, 6)}</article>`,
      'li',
    );
    const found = listVerdicts(judged, 'li');
    assert.deepEqual(
      found,
      found.map(() => (kept ? 'kept' : 'low_score')),
    );
  });
}

/** The verdicts on the blocks with the tag. */
function listVerdicts({ tree, blocks, verdicts }: ReturnType<typeof decided>, tag: string): readonly BlockVerdict[] {
  return verdicts.filter((_, at) => TAG_NAMES[getTag(tree, blocks[at]?.node ?? 0)] === tag);
}

test('the heading of a box between paragraphs is excluded with links, and kept with text', () => {
  for (const [rest, verdict] of [
    [sentence(900), 'kept'],
    ['<a href=/letter>Our morning letter</a>', 'low_score'],
    ['By Jo Miller', 'kept'],
  ] as const) {
    const box = `<div><h4>Part two</h4><div>${rest}</div></div>`;
    const judged = decided(`<article>${paragraphs(0, 3)}${box}${paragraphs(3, 6)}</article>`, 'h4 div');
    assert.deepEqual(listVerdicts(judged, 'h4'), [verdict]);
  }
});

test('a heading is excluded if all text below it is', () => {
  const contents = '<div><h2>Contents</h2><ul><li><a href=#a>One</a></li><li><a href=#b>Two</a></li></ul></div>';
  const html = `<article><h1>On harbours</h1>${paragraphs(0, 3)}${contents}<h2>One</h2>${paragraphs(3, 6)}</article>`;
  assert.deepEqual(listVerdicts(decided(html, 'li'), 'h2'), ['low_score', 'kept']);
  const documentation = { ...NO_KIND, documentation: 1 };
  assert.deepEqual(listVerdicts(decided(html, 'li', documentation), 'h2'), ['kept', 'kept']);
});

for (const [kind, verdict] of [
  ['article', 'related'],
  ['documentation', 'kept'],
] as const) {
  test(`a line that sends readers elsewhere is ${verdict} in ${kind}`, () => {
    const line = '<dl><dt>See also the <a href=/queue>reference of the queue</a></dt></dl>';
    const judged = decided(`<article><h1>Workers</h1>${paragraphs(0, 4)}${line}${paragraphs(4, 8)}</article>`, 'li', {
      ...NO_KIND,
      [kind]: 1,
    });
    assert.deepEqual(listVerdicts(judged, 'dt'), [verdict]);
  });
}

test('an image between paragraphs is kept in any wrapper, with or without its caption', () => {
  const figure =
    '<figure><div><img src=/quay.jpg></div><figcaption>A quay</figcaption><figcaption>An agency</figcaption></figure>';
  const judged = decided(`${boxed(paragraphs(0, 4))}${boxed(figure)}${boxed(paragraphs(4, 8))}`, 'figcaption');
  assert.ok(judged.verdicts.includes('low_score'));
  assert.equal(markKeptNodes(judged)[findNextTag(judged.tree, TAG.img, 1)], 1);
});

test('a consent notice is excluded, whatever its class names', () => {
  const purposes = Array.from(
    { length: 8 },
    (_, at) =>
      `<p>Partner ${at} stores cookies on your device, with your consent, so that ${sentence(300 + at).toLowerCase()}</p>`,
  ).join('');
  const notice = `<div class=q1><div class=q2><h3>We value your privacy</h3>${purposes}<button>Agree</button></div></div>`;
  const html = page(
    'A bridge is built | Herald',
    `<div class=w1><article><h1>A bridge is built</h1>${paragraphs(0, 4)}</article></div>${notice}`,
  );
  const markdown = readMarkdown(html);
  assert.match(markdown, /year 1803/);
  assert.doesNotMatch(markdown, /Partner|privacy/);
});

test('markup shown as text by mistake is excluded, quoted markup is kept', () => {
  const html = page(
    'A tag | Herald',
    `<noscript>&lt;img height=1 width=1 src="//count.example/p"&gt;</noscript><article>${paragraphs(0, 4)}<p><code>&lt;img width=1 src=x&gt;</code> shows a picture of the harbour on the page.</p>${paragraphs(4, 8)}</article>`,
  );
  const markdown = readMarkdown(html);
  assert.doesNotMatch(markdown, /count\.example/);
  assert.match(markdown, /shows a picture/);
});

test('a page that is hidden until a script runs is kept', () => {
  const html = page('A bridge is built | Herald', '').replace(
    FOOTER,
    `<div style="visibility:hidden"><article><h1>A bridge is built</h1>${paragraphs(0, 8)}</article></div>${FOOTER}`,
  );
  assert.match(readMarkdown(html), /year 1803/);
});

for (const { name, title, body, kept } of [
  {
    name: 'that cannot be found',
    title: 'Page not found | Herald',
    body: '<main><h1>404</h1><p>Sorry, the page you are looking for could not be found.</p></main>',
    kept: ['# 404', 'could not be found'],
  },
  {
    name: 'to sign in',
    title: 'Sign in · Herald',
    body: '<div class=box><h1>Sign in to Herald</h1><form action=/login method=post><label>E-mail <input name=e></label><label>Password <input type=password></label><button>Sign in</button></form><p>New here? <a href=/join>Create an account</a>.</p></div>',
    kept: ['# Sign in to Herald', 'Create an account'],
  },
  {
    name: 'of the state of a service',
    title: 'Herald status',
    body: '<div class=page><h2>All systems operational</h2><div class=c><span>Archive</span> <span>Operational</span></div><div class=c><span>Mail</span> <span>Degraded performance</span></div><h2>Past incidents</h2><div><h3>21 November 2026</h3><p>No incidents reported.</p></div><div><h3>20 November 2026</h3><p>Resolved: letters were delayed for twelve minutes while a worker was restarted.</p></div></div>',
    kept: ['All systems operational', 'Archive', 'Degraded performance', '### 20 November 2026', 'twelve minutes'],
  },
  {
    name: 'to reach somebody',
    title: 'Contact | Herald',
    body: '<main><h1>Contact us</h1><p>Herald Ltd.<br>12 Mill Lane<br>Leeds</p><p>Phone: <a href="tel:+441130000">+44 113 0000</a></p><p>E-mail: <a href="mailto:hi@example.org">hi@example.org</a></p><h2>Opening hours</h2><ul><li>Mon–Fri 9–17</li><li>Sat 10–14</li></ul></main>',
    kept: ['# Contact us', '12 Mill Lane', '+44 113 0000', 'hi@example.org', 'Sat 10–14'],
  },
  {
    name: 'of a few words',
    title: 'It works',
    body: '<h1>It works!</h1><p>This is the default page.</p>',
    kept: ['# It works!', 'This is the default page.'],
  },
]) {
  test(`a small page ${name} is read, without what surrounds it`, () => {
    const markdown = readMarkdown(page(title, body));
    for (const text of kept) assert.ok(markdown.includes(text), `${text} in ${markdown}`);
    assert.doesNotMatch(markdown, /Privacy|Sport|All rights/);
  });
}

function links(names: string): string {
  return names.replace(/\w+/g, '<li><a href=/x>$&</a></li>');
}

test('a page with only navigation has no content and a warning', () => {
  const html = page(
    'Herald',
    `<div id=app></div><div class=footer-links><h5>Help</h5><ul>${links('Orders Returns Shipping Sizes Stores')}</ul><h5>About</h5><ul>${links('Careers Press Investors Partners Blog')}</ul></div>`,
  );
  const { outputs, warnings } = readAll(html);
  assert.equal(outputs.markdown, '');
  assert.ok(warnings.some(({ code }) => code === 'thin_content'));
});

test('a list of article previews after an article is excluded', () => {
  const teasers = ['The mayor resigns', 'A school burns down', 'Rain for a week', 'The ferry is late'].map(
    (title) =>
      `<li><a href=/${title.length}>${title}</a> <span>OLD TOWN: ${sentence(title.length)} Then...</span></li>`,
  );
  const html = page(
    'A bridge is built | Herald',
    `<article><h1>A bridge is built</h1>${paragraphs(0, 8)}<ul>${teasers.join('')}</ul></article>`,
  );
  assert.doesNotMatch(readMarkdown(html), /OLD TOWN/);
});

test('a request to enable JavaScript is excluded, other noscript content is kept', () => {
  const notice =
    '<noscript><h1>JavaScript is not available.</h1><p>We found that JavaScript is switched off. Switch it on or take another browser to go on reading this page.</p><p>Read <a href=/help>what helps</a>.</p></noscript>';
  const post = `<div class=post><p>The old bridge over the river opens again today.</p><p>Its arches were mended in two years.</p></div>`;
  const short = readMarkdown(
    `<!doctype html><html lang=en><title>The bridge opens</title><body>${notice}<main><h1>The bridge opens</h1>${post}</main></body></html>`,
  );
  assert.match(short, /The old bridge/);
  assert.doesNotMatch(short, /JavaScript|what helps/);
  const whole = readMarkdown(
    page('A bridge is built', `<noscript><article><h1>A bridge is built</h1>${paragraphs(0, 8)}</article></noscript>`),
  );
  assert.match(whole, /The harbour kept/);
});
