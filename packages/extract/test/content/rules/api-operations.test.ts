import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { paragraphs, read } from '../../pages.ts';

/** The Markdown of an application rendered by Chromium, saved without styles, scripts and SVG. */
function readMarkdown(application: string): string {
  const source = readFileSync(new URL(`../../applications/${application}.html`, import.meta.url), 'utf8');
  return read(source, { url: 'https://mill.example/' }).outputs.markdown ?? '';
}

function assertHolds(markdown: string, texts: readonly string[]): void {
  for (const text of texts) assert.ok(markdown.includes(text), `${text} is not in\n${markdown}`);
}

const INTRODUCTION = ['The mill keeps **sacks** of flour', 'refused with the status 429'];
const SUMMARIES = [
  'List the sacks in store',
  'Fill a new sack',
  'Show one sack',
  'Throw a sack away',
  'List the orders of a baker',
  'Order flour',
  'Take an order back',
];

test('collapsed operations of Swagger UI are read with their method and path', () => {
  const markdown = readMarkdown('swagger-ui');
  assertHolds(markdown, [...INTRODUCTION, ...SUMMARIES, 'GET', 'DELETE', '[/orders/{id}/cancel]']);
  assert.doesNotMatch(markdown, /Skip to|Explore|Authorize/);
});

test('operations of Redoc are read with their responses, without the sidebar', () => {
  const markdown = readMarkdown('redoc');
  assertHolds(markdown, [
    ...INTRODUCTION,
    'List the sacks in store',
    'Only sacks of this grain',
    '**429**\n\nToo many calls within a second',
    'There is not enough grain for a sack',
  ]);
  assert.equal(markdown.split('Fill a new sack').length, 2);
  assert.doesNotMatch(markdown, /Search|API docs by/);
});

test('operations of Elements are read if only the sidebar lists them', () => {
  assertHolds(readMarkdown('elements'), [...INTRODUCTION, ...SUMMARIES]);
});

test('a page with one operation of Elements is read without the sidebar', () => {
  const markdown = readMarkdown('elements-operation');
  assertHolds(markdown, [
    '# List the sacks in store\n\nget\n\nhttps://mill.example.com/v1/sacks',
    'Only sacks of this grain',
    'The number that is sewn on it',
    'curl --request GET',
  ]);
  assert.doesNotMatch(markdown, /Fill a new sack|powered by|Overview/);
});

test('operations of RapiDoc are read if only the navigation lists them', () => {
  assertHolds(readMarkdown('rapidoc'), [...INTRODUCTION, ...SUMMARIES.map((one) => ` ${one}`), 'GET List']);
});

test('a page of docsify is read whole, without its sidebar', () => {
  const markdown = readMarkdown('docsify');
  assertHolds(markdown, [
    "mill.grind({ grain: 'rye', gap: 0.4 });",
    '| speed |',
    'Cancelled orders',
    'The stones are dressed',
  ]);
  assert.doesNotMatch(markdown, /History/);
});

const QUESTIONS = ['When does the cart leave?', 'Who dresses the stones?', 'Are cancelled orders free?'];

test('a heading inside a button is read, a button next to a heading is not', () => {
  const { markdown = '' } = read(
    `<h1>Mill</h1>${QUESTIONS.map((one, at) => `<h3><button aria-expanded="true">${one}</button></h3>${paragraphs(at, at + 1)}`).join('')}
    <h3>Prices <button>Copy link</button></h3>${paragraphs(4, 6)}<p><button>Order now</button></p>`,
  ).outputs;
  for (const one of QUESTIONS) assert.ok(markdown.includes(`### ${one}`), markdown);
  assert.match(markdown, /### Prices\n/);
  assert.doesNotMatch(markdown, /Copy link|Order now/);
});

test('a button with a heading and a paragraph is content', () => {
  const { markdown = '' } = read(
    `<h1>Mill</h1>${paragraphs(0, 3)}<button><h3>Rye</h3><p>Ground on Mondays, and sold from the yard.</p></button>${paragraphs(3, 6)}`,
    { onlyMainContent: false },
  ).outputs;
  assert.match(markdown, /### Rye\n\nGround on Mondays/);
});

for (const [what, item] of [
  ['that leads to operations on other pages', (one: string) => `<a href="/calls/${one}"><b>${one}</b> Call ${one}</a>`],
  ['of methods alone', (one: string) => `<a href="#${one}"><code>${one}</code></a>`],
] as const)
  test(`navigation ${what} is no content`, () => {
    const links = ['GET', 'PUT', 'POST', 'PATCH'].map((one) => `<li>${item(one)}</li>`).join('');
    const { markdown = '' } = read(
      `<title>Limits</title><nav><ul>${links}</ul></nav><main><h1>Limits</h1>${paragraphs(0, 6)}</main>`,
    ).outputs;
    assert.match(markdown, /# Limits/);
    assert.doesNotMatch(markdown, /PATCH/);
  });

test('very many buttons and method names are processed in linear time', () => {
  const empty = '<i></i>'.repeat(20_000);
  for (const flood of [
    '<b>GET</b>',
    '<button>a</button>',
    '<nav><b>GET</b> one</nav>',
    '<button><b>GET</b></button>',
  ]) {
    const { markdown } = read(`<h2>${empty}${flood.repeat(20_000)}</h2>`).outputs;
    assert.equal(typeof markdown, 'string', flood);
  }
});

test('an article about HTTP methods is read as an article', () => {
  const chrome = '<div class="related"><h4>More</h4><a href="/a">Another post of ours</a></div>';
  const source = `<html><head><title>On methods</title><meta property="og:type" content="article"></head><body><nav><a href="/">Home</a></nav><article><h1>On methods</h1>${paragraphs(0, 6)}<p><code>GET</code>, <code>PUT</code>, <code>POST</code> and <code>PATCH</code></p></article>${chrome}</body></html>`;
  const { markdown = '' } = read(source).outputs;
  assert.match(markdown, /`GET`, `PUT`/);
  assert.doesNotMatch(markdown, /Another post/);
});
