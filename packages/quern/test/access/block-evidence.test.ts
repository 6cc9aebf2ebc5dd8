import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import * as fc from 'fast-check';
import { BODY_EVIDENCE, type BodyEvidence } from '#access/classify/block-evidence.ts';
import { classify } from '#access/classify/classifier.ts';
import { createMarkerSearch, scanPage } from '#access/classify/page-scan.ts';
import { article, BLOCK_PAGES, LOOK_ALIKES, quoted, small } from './block-pages.ts';

const ASKED = new URL('https://mill.test/stones/7');

type Answer = { readonly status?: number; readonly contentType?: string; readonly url?: string };

function judged(html: string | Buffer, answer: Answer = {}, rendered = false) {
  const body = new Uint8Array(Buffer.from(html));
  const { status = 200, contentType = 'text/html; charset=utf-8', url = ASKED.href } = answer;
  const page = { url, status, headers: {}, contentType, body, wireBytes: body.length, warnings: [] };
  return classify(page, { requested: ASKED, rendered });
}

function getVerdict(...call: Parameters<typeof judged>): string {
  const { outcome, reason = '' } = judged(...call);
  return `${outcome} ${reason}`.trim();
}

for (const { title, verdict, html, status = 200, not } of BLOCK_PAGES) {
  test(`${title} is distinguished from a page that resembles it`, () => {
    assert.equal(getVerdict(html, { status }), verdict);
    assert.ok(['ok', 'thin', 'js_required'].includes(judged(not).outcome), getVerdict(not));
  });
}

test('each row of the table has a test page', () => {
  const pages = BLOCK_PAGES.map(({ html, verdict }) => ({ text: html.toLowerCase(), verdict }));
  const isShown = ({ outcome, reason, markers = [], phrases = [] }: BodyEvidence): boolean =>
    pages.some(
      ({ text, verdict }) =>
        verdict === `${outcome} ${reason}` &&
        markers.every((one) => text.includes(one.toLowerCase())) &&
        phrases.every((one) => text.replaceAll('’', "'").replaceAll('&#39;', "'").includes(one)),
    );
  assert.deepEqual(
    BODY_EVIDENCE.filter((row) => !isShown(row)),
    [],
  );
  assert.equal(BLOCK_PAGES.length, BODY_EVIDENCE.length);
});

for (const [title, html] of LOOK_ALIKES) {
  test(`${title} is not a block`, () => assert.equal(getVerdict(html), 'ok'));
}

test('bodies that are not HTML are never searched', () => {
  const words = 'Sorry, you have been blocked: verify you are human';
  for (const contentType of ['application/json', 'text/plain', 'application/xml', 'application/pdf']) {
    assert.equal(getVerdict(JSON.stringify({ words }), { contentType }), 'ok');
  }
  assert.equal(getVerdict('{"words":"window._cf_chl_opt={}"}', { contentType: '' }), 'ok');
  assert.equal(getVerdict(small('', `<h1>${words}</h1>`), { contentType: '' }), 'blocked cloudflare');
});

test('a self-closing script in XHTML does not hide the rest of the page', () => {
  const html = small('Mill', `<script src="/a.js"/><p>${'Rye and oats. '.repeat(80)}</p>`);
  assert.equal(getVerdict(html, { contentType: 'application/xhtml+xml' }), 'ok');
  assert.equal(getVerdict(html), 'thin');
});

test('a challenge is found at the end of a large page', () => {
  const filler = `<style>${'a{b:c}'.repeat(45_000)}</style>`;
  assert.equal(getVerdict(small('', `${filler}<script>window._cf_chl_opt={}</script>`)), 'challenge cloudflare');
});

test('weak evidence on a good status is not a block: with little text it is thin, with text it is a page', () => {
  assert.equal(getVerdict(small('Security check', '<p>Wait.</p>')), 'thin unnamed');
  assert.equal(getVerdict(small('Security check', `<p>${'All locks were looked at. '.repeat(10)}</p>`)), 'ok');
  assert.equal(getVerdict(small('Security check', '<p>Wait.</p>'), { status: 404 }), 'not_found');
});

test('two weak signs of one vendor are evidence', () => {
  assert.equal(getVerdict(small('Just a moment...', '<p>Checking your browser</p>')), 'challenge cloudflare');
});

test('evidence counts with any status', () => {
  const html = small('', '<script>window._cf_chl_opt={}</script>');
  for (const status of [200, 404, 429, 500, 503]) assert.equal(getVerdict(html, { status }), 'challenge cloudflare');
});

test('a 503 with a script is a challenge, unless its text mentions an outage', () => {
  const script = '<script>document.cookie="ok=1";location.reload()</script>';
  assert.equal(getVerdict(small('Wait', script), { status: 503 }), 'challenge');
  assert.equal(getVerdict(small('Down for maintenance', script), { status: 503 }), 'http_error');
  assert.equal(getVerdict(small('Sorry', '<p>No more sacks</p>'), { status: 503 }), 'http_error');
});

const SHELLS: readonly (readonly [title: string, html: string, verdict: string])[] = [
  ['a root without content', small('App', '<div id="root"></div><script src="/app.js"></script>'), 'js_required'],
  ['a framework’s state', small('App', '<script id="__NEXT_DATA__">{}</script>'), 'js_required'],
  [
    'a page that asks to enable scripts',
    small('App', `<noscript>You need to enable JavaScript.</noscript><p>${'Menu '.repeat(60)}</p><script></script>`),
    'js_required',
  ],
  [
    'many scripts and few words',
    small('App', `${'<script src="/a.js"></script>'.repeat(5)}<p>Menu</p>`),
    'js_required',
  ],
  ['a refresh', small('Wait', '', '<meta http-equiv="refresh" content="0; url=/real">'), 'js_required'],
  ['a script and few words', small('Mill', '<p>Hello</p><script src="/a.js"></script>'), 'thin'],
  ...[
    '0;/real',
    '0; /real',
    '0,/real',
    '0 /real',
    ' 0 ; URL = /real ',
    '3;URL=real',
    '05;url=/real',
    '1.5;url=/real',
    '.5;/real',
    "0;'/real'",
    "0;url='/real'",
  ].map(
    (content) =>
      [
        `a refresh by ${content}`,
        small('Wait', '', `<META content="${content}" HTTP-EQUIV='Refresh'>`),
        'js_required',
      ] as const,
  ),
  ...['0', '5', '0;', '0; ', '0;url=', "0;url=''", 'x;/real', ';/real', '60;/real', '-1;/real', '0x;/real'].map(
    (content) =>
      [
        `what stays where it is, ${content}`,
        small('News', '<p>Hello</p>', `<meta http-equiv="refresh" content="${content}">`),
        'ok',
      ] as const,
  ),
  ['a slow refresh', small('News', '<p>Hello</p>', '<meta http-equiv="refresh" content="300; url=/">'), 'ok'],
  [
    'content in a shadow tree',
    small(
      'Mill',
      `<mill-app><template ShadowRootMode=open><p>${'Rye and oats. '.repeat(80)}</template></mill-app><script></script>`,
    ),
    'ok',
  ],
  [
    'content in an unused template',
    small('Mill', `<template class="open"><p>${'Rye and oats. '.repeat(80)}</template><p>Hello</p><script></script>`),
    'thin',
  ],
  [
    'a short page of documentation with many scripts',
    small(
      'Release 1.5.12',
      `${'<script src="/_static/jquery.js"></script>'.repeat(8)}<div class="nav"><a href="/">Home</a> | <a href="/index">Index</a></div><h1>Release 1.5.12</h1><p>${'Flour is ground once more. '.repeat(8)}</p>`,
    ),
    'ok',
  ],
  [
    'a list of names after a sentence',
    small(
      'Members',
      `${'<script src="/menu.js"></script>'.repeat(6)}<div id="main-nav"></div><div class="textblock">Here is a list of all documented members with links to the documentation of each:</div><ul><li>grind() : <a href="/m">Mill</a></ul>`,
    ),
    'ok',
  ],
  [
    'a thread in a noscript element',
    small(
      'Forum',
      `<section id="splash">Loading</section><noscript><div id="posts"><h1>Rye</h1>${'<p>Sow it early, and sow it deep.</p>'.repeat(30)}</div></noscript>${'<script src="/chunk.js"></script>'.repeat(9)}`,
    ),
    'ok',
  ],
  [
    'a long note that scripts are missing',
    small('App', `<noscript>${'Please enable JavaScript. '.repeat(9)}</noscript><script src="/a.js"></script>`),
    'js_required',
  ],
  [
    'links, a header and a footer around no content',
    small(
      'Shop',
      `<header><p>${'The shop of the mill. '.repeat(9)}</p></header><nav>${'<a href="/a">Flour</a> '.repeat(30)}</nav><div class="page-body"></div><footer>${'All rights reserved. '.repeat(9)}</footer>${'<script src="/chunk.js"></script>'.repeat(5)}`,
    ),
    'js_required',
  ],
  ...['<main class="wide"></main>', '<div class="wide" id="content"> </div>', '<section role=main id=x></section>'].map(
    (place) =>
      [
        `an empty place for the content, ${place}`,
        small(
          'Shop',
          `<p>${'The shop of the mill has flour of rye and of oats. '.repeat(6)}</p>${place}<script src="/a.js"></script>`,
        ),
        'js_required',
      ] as const,
  ),
  [
    'loading text and many scripts',
    small(
      'Shop',
      `<p>Please wait while your sacks are loading, which may take a moment on slow lines. Thank you.</p>${'<script src="/chunk.js"></script>'.repeat(5)}`,
    ),
    'js_required',
  ],
  ['a root without scripts', small('Mill', '<div id="root"><p>Hello</p></div>'), 'ok'],
  ['data and few words', small('Mill', '<p>Hi</p><script type="application/ld+json">{}</script>'), 'ok'],
  ['a root with content', article('Rye', '<div id="root"></div><script src="/app.js"></script>'), 'ok'],
];

for (const [title, html, verdict] of SHELLS) {
  test(`${title}: ${verdict}`, () => assert.equal(getVerdict(html), verdict));
}

test('pages of website builders count as js_required with more text than others', () => {
  const html = small('Mill', `<p>${'Flour and bread. '.repeat(20)}</p><script></script>`);
  assert.equal(getVerdict(html, { url: 'https://mill.framer.website/' }), 'js_required');
  assert.equal(getVerdict(html), 'ok');
});

const RENDERED: readonly (readonly [title: string, html: string, verdict: string])[] = [
  ['a page', article('Rye', ''), 'ok'],
  ['few words without scripts', small('Mill', '<p>Hello</p>'), 'ok'],
  ['few words with scripts', small('Mill', '<p>Hello</p><script></script>'), 'thin'],
  ['loading text', small('Mill', '<p>Loading your sacks</p><script></script>'), 'thin loading'],
  ['a placeholder', small('Mill', '<div class="card skeleton"></div><script></script>'), 'thin loading'],
  ['a framework that failed', small('', '<html id="__next_error__"><p>Oh</p>'), 'thin framework'],
  ['an empty root of a framework', small('', '<div id="__next"></div>'), 'thin framework'],
  ['an exception', small('', 'Application error: a client-side exception has occurred'), 'thin framework'],
  ['an article about exceptions', article('Application error: a client-side exception', ''), 'ok'],
];

for (const [title, html, verdict] of RENDERED) {
  test(`rendered, ${title}: ${verdict}`, () => assert.equal(getVerdict(html, {}, true), verdict));
}

test('the browser’s own error page is a failed rendering', () => {
  assert.equal(getVerdict(small('', ''), { url: 'chrome-error://chromewebdata/' }, true), 'render_failed error_page');
});

test('the multi-pattern search finds the same as a plain search', () => {
  const markers = ['abcabd', 'bcab', 'cabdabc'];
  const search = createMarkerSearch(markers);
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd'), maxLength: 200 });
  fc.assert(
    fc.property(letters, (text) => {
      const found = search(Buffer.from(text), text.length).map(({ marker, at }) => `${at} ${marker}`);
      const expected = markers.flatMap((needle, marker) =>
        Array.from(text, (_letter, at) => (text.startsWith(needle, at) ? `${at} ${marker}` : '')).filter(Boolean),
      );
      assert.deepEqual(found.toSorted(), expected.toSorted());
    }),
  );
});

test('any bytes, and text truncated anywhere, can be classified', () => {
  const whole = article(
    'Rye',
    `${quoted('<script>window._cf_chl_opt={}</script>')}<script>let a='</p>'</script><!-- x`,
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => assert.ok(judged(Buffer.from(bytes)).outcome)));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: whole.length }), (end) => {
      assert.notEqual(judged(whole.slice(0, end)).outcome, 'challenge');
    }),
  );
});

test('visible text contains what a reader sees, in order and counted', () => {
  const html = `<!-- no --><title>Ti&#39;tle</title><style>p{}</style><p>One <b>t</b>wo</p><script>no()</script><p>three</p>`;
  const seen = scanPage(new Uint8Array(Buffer.from(html)), []);
  assert.deepEqual(
    [seen.text, seen.visibleChars, seen.headings, seen.scripts],
    ['one two three', 'one two three'.length, "ti'tle", 1],
  );
});

test('floods of markup are classified in linear time', () => {
  const floods = [
    '<',
    '</',
    '<a b="',
    '<script>',
    '<script></scrip',
    '<!--',
    '<title></title>',
    '<h1>',
    '_cf_chl_op',
    'window._cf_chl_opt=',
    '<p class="skeleton" ',
    '<meta http-equiv=refresh content=',
    '&#',
    "<noscript type='",
    '<script type=x>_cf_chl_opt</script>',
  ];
  for (const flood of floods) {
    const html = Buffer.from(flood.repeat(100_000));
    assert.ok(judged(html).outcome, flood);
    assert.ok(judged(html, {}, true).outcome, flood);
  }
});

const RECORDED: readonly (readonly [file: string, status: number, verdict: string])[] = [
  ['shop-a/_blocked/waf-challenge.html', 200, 'challenge aws_waf'],
  ['shop-a/_blocked/bookhive-challenge-page.html', 200, 'challenge aws_waf'],
  ['shop-a/_blocked/captcha-field-keywords.html', 200, 'challenge amazon'],
  ['shop-a/_blocked/not_satisfied.html', 403, 'blocked cloudfront'],
  ['websearch/search/google__search_captcha.html', 200, 'challenge google'],
  ['websearch/search/baidu__search_captcha.html', 200, 'challenge baidu'],
  ['websearch/search/ecosia__search_captcha.html', 200, 'challenge cloudflare'],
  ['socialnet/adLibrary/client-challenge-or-error.html', 200, 'thin'],
];

test('recorded block pages are recognized', () => {
  const folder = join(process.env['QUERN_CORPUS'] ?? '', 'sites');
  const there =
    process.env['QUERN_CORPUS'] === undefined ? [] : RECORDED.filter(([file]) => existsSync(join(folder, file)));
  console.log(`${there.length} recordings`);
  for (const [file, status, verdict] of there) {
    assert.equal(getVerdict(readFileSync(join(folder, file)), { status }), verdict, file);
  }
});
