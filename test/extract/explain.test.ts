import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { explainContent } from '#extract/content/explain.ts';
import type { ExplainedBlock, Explanation } from '#extract/content/explain.ts';

const URL = 'https://example.org/news/2026/harbour';
const ARTICLE = readFileSync(new globalThis.URL('./fixtures/article.html', import.meta.url), 'utf8');

function explain(html: string): Explanation {
  const explanation = explainContent(html, URL);
  assert.ok(explanation !== null);
  return explanation;
}

function blockOf({ blocks }: Explanation, start: string): ExplainedBlock {
  const found = blocks.find(({ text }) => text.startsWith(start));
  assert.ok(found !== undefined, start);
  return found;
}

test('every block of a page is told with its verdict, its score and its place', () => {
  const explanation = explain(ARTICLE);
  const { outcome, blocks, count, threshold } = explanation;
  assert.equal(outcome, 'chosen');
  assert.equal(blocks.length, count);
  const title = blockOf(explanation, 'Winter village describes valley');
  assert.equal(title.verdict, 'kept');
  assert.ok(title.score >= threshold);
  assert.equal(title.place, 'main#content > article.story > div.story__body > h2#part-0');
  const link = blockOf(explanation, 'River');
  assert.deepEqual([link.verdict, link.words], ['low_score', 1]);
  assert.ok(link.score < threshold);
});

test('what decides by score names what would change it most, and what a rule decides names none', () => {
  const explanation = explain(ARTICLE);
  const { blocks } = explanation;
  const kept = blocks.filter(({ verdict, score }) => verdict === 'kept' && score > 0.8);
  assert.ok(kept.length > 10);
  for (const { because, score } of kept) assert.ok(because !== null && because.otherwise < score);
  assert.equal(blockOf(explanation, 'We use cookies').verdict, 'consent');
  assert.equal(blockOf(explanation, 'We use cookies').because, null);
});

test('a shell says so, and a page without text has nothing to explain', () => {
  const shell = explain(
    '<title>App</title><nav><a href=/a>Start</a> <a href=/b>Other</a></nav><script src=a.js></script>',
  );
  assert.equal(shell.outcome, 'shell');
  assert.ok(shell.blocks.every(({ verdict }) => verdict === 'shell'));
  assert.equal(explainContent('<title>Nothing</title><img src=a.png>', URL), null);
});

test('a page of very many blocks is told up to a bound, and says how many it has', () => {
  const { blocks, count } = explain('<p>One line of the list.</p>'.repeat(6000));
  assert.deepEqual([blocks.length, count], [5000, 6000]);
});
