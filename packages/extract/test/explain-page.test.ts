import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainPage } from '#extract/explain-page.ts';
import type { PageExplanation } from '#extract/explained.ts';
import type { ExplainedBlock, Explanation } from '#extract/content/explain.ts';

const URL = 'https://example.org/news/2026/harbour';
const ARTICLE = readFileSync(new globalThis.URL('./fixtures/article.html', import.meta.url), 'utf8');

function explain(html: string): PageExplanation {
  const explanation = explainPage(html, { url: URL, mediaType: 'text/html' });
  assert.ok(explanation !== null);
  return explanation;
}

function listTexts(html: string, mediaType: string): readonly string[] | undefined {
  return explainPage(html, { url: URL, mediaType })?.blocks.map(({ text }) => text);
}

function findBlock({ blocks }: Explanation, start: string): ExplainedBlock {
  const found = blocks.find(({ text }) => text.startsWith(start));
  assert.ok(found !== undefined, start);
  return found;
}

test('every block of a page has its verdict, its score and its path', () => {
  const explanation = explain(ARTICLE);
  const { outcome, blocks, count, threshold } = explanation;
  assert.equal(outcome, 'chosen');
  assert.equal(blocks.length, count);
  const title = findBlock(explanation, 'Winter village describes valley');
  assert.equal(title.verdict, 'kept');
  assert.ok(title.score >= threshold);
  assert.equal(title.place, 'main#content > article.story > div.story__body > h2#part-0');
  const link = findBlock(explanation, 'River');
  assert.deepEqual([link.verdict, link.words], ['low_score', 1]);
  assert.ok(link.score < threshold);
});

test('a block decided by score names the most influential group of features, one decided by a rule does not', () => {
  const explanation = explain(ARTICLE);
  const { blocks } = explanation;
  const kept = blocks.filter(({ verdict, score }) => verdict === 'kept' && score > 0.8);
  assert.ok(kept.length > 10);
  for (const { because, score } of kept) assert.ok(because !== null && because.otherwise < score);
  assert.equal(findBlock(explanation, 'We use cookies').verdict, 'consent');
  assert.equal(findBlock(explanation, 'We use cookies').because, null);
});

test('a shell is reported, and a page without text has no explanation', () => {
  const shell = explain(
    '<title>App</title><nav><a href=/a>Start</a> <a href=/b>Other</a></nav><script src=a.js></script>',
  );
  assert.equal(shell.outcome, 'shell');
  assert.ok(shell.blocks.every(({ verdict }) => verdict === 'shell'));
  assert.equal(explainPage('<title>Nothing</title><img src=a.png>', { url: URL, mediaType: 'text/html' }), null);
});

test('XHTML is parsed as XHTML, and a frameset is explained by its fallback text', () => {
  const xhtml = '<html><head><title>Sacks</title><script src="a.js"/></head><body><p>Rye and oats.</p></body></html>';
  const frames = '<frameset><frame src=a><noframes><p>Rye and oats.</p></noframes></frameset>';
  assert.deepEqual(listTexts(xhtml, 'application/xhtml+xml'), ['Rye and oats.']);
  assert.equal(listTexts(xhtml, 'text/html'), undefined);
  assert.equal(listTexts(frames, 'text/html')?.[0], 'Rye and oats.');
});

test('a page with very many blocks is explained up to a limit, with their number', () => {
  const { blocks, count } = explain('<p>One line of the list.</p>'.repeat(6000));
  assert.deepEqual([blocks.length, count], [5000, 6000]);
});

test('each fact in the metadata has its source and its path in the page', () => {
  const html = `<!doctype html><html lang=en><title>Harbour reopens | The Bay Post</title>
<meta property="og:site_name" content="The Bay Post"><meta name=description content="After a year.">
<meta property="og:image" content="/harbour.jpg"><link rel=canonical href="/news/2026/harbour">
<script type="application/ld+json">{"@type":"NewsArticle","headline":"Harbour reopens","datePublished":"2026-03-04",
"dateModified":"2026-03-05T08:00:00Z"}</script>
<main><article><h1>Harbour reopens</h1><p class=byline>By Ana Ruiz</p><time datetime="2026-03-04T09:00:00Z">4 March</time>
<p>The harbour of the town has reopened after a year of work on its walls.</p></article></main>`;
  const told = explain(html).facts.map(({ fact, value, by, place, also }) => [fact, value, by, place, also.join(', ')]);
  assert.deepEqual(told, [
    ['title', 'Harbour reopens', 'h1', 'body > main > article > h1', ''],
    ['description', 'After a year.', 'meta description', null, ''],
    ['language', 'en', 'html lang', null, ''],
    ['canonical_url', 'https://example.org/news/2026/harbour', 'link canonical', null, ''],
    ['image', 'https://example.org/harbour.jpg', 'meta og:image', null, ''],
    ['site_name', 'The Bay Post', 'meta og:site_name', null, ''],
    ['author', 'Ana Ruiz', 'byline', 'body > main > article > p.byline', ''],
    [
      'published',
      '2026-03-04T09:00:00.000Z',
      'time',
      'body > main > article > time',
      'json-ld NewsArticle datePublished',
    ],
    ['modified', '2026-03-05T08:00:00.000Z', 'json-ld NewsArticle dateModified', null, ''],
  ]);
});

test('a fact from microdata or a meta element names that source', () => {
  const html = `<meta name=citation_author content="Bo Li"><meta name=application-name content="Papers">
<div itemscope itemtype="https://schema.org/Article"><b itemprop=headline>On tides</b></div><p>Some text of the page.`;
  const told = new Map(explain(html).facts.map(({ fact, by }) => [fact, by]));
  assert.deepEqual(Object.fromEntries(told), {
    title: 'microdata Article headline',
    site_name: 'meta application-name',
    author: 'meta citation_author',
  });
});
