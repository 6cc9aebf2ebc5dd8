import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { splitIntoBlocks } from '#extract/content/features/blocks.ts';
import { chooseBlocks, computeFeatures, chooseMainContent } from '#extract/content/content.ts';
import { TRAINED_MODEL } from '#extract/content/model/trained.ts';
import type { BlockVerdict } from '#extract/content/rules/scored-page.ts';
import { FEATURES, fillFeatures, FIRST_PAGE_FACT, createRow } from '#extract/content/features/features.ts';
import { computeColumnLength, scoreEnsembleRow, scoreRows, scoreRow, toForest } from '#extract/content/model/forest.ts';
import { toModel } from '#extract/content/model/model.ts';
import { computeSurroundings } from '#extract/content/features/node-surroundings.ts';
import { parseHtml } from '#extract/html/parse.ts';
import { readCharacters, isText, type Tree } from '#extract/html/tree.ts';
import { paragraphs, read, sentence } from '../pages.ts';

const URL = 'https://example.org/news/2026/harbour';
const ARTICLE = readFileSync(new globalThis.URL('../fixtures/article.html', import.meta.url), 'utf8');

function page(body: string, head = ''): string {
  return `<!doctype html><html lang=en><head><title>The harbour | Herald</title>${head}<script src=/a.js></script></head><body>${body}</body></html>`;
}

function listTexts(tree: Tree): readonly string[] {
  const blocks = splitIntoBlocks(tree, computeSurroundings(tree, TRAINED_MODEL.names), TRAINED_MODEL.vocabulary) ?? [];
  return blocks.map(({ from, to }) => {
    let text = '';
    for (let node = from; node < to; node++) if (isText(tree, node)) text += readCharacters(tree, node);
    return text.trim();
  });
}

/** The verdict on the block that starts with the text. */
function findVerdict(html: string, start: string): BlockVerdict | undefined {
  const tree = parseHtml(html);
  const features = computeFeatures(tree, URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const { verdicts, blocks } = chooseBlocks(features, TRAINED_MODEL);
  const at = blocks.findIndex(({ from }) => readCharacters(tree, from).trim().startsWith(start));
  return verdicts[at];
}

test('a page is split into blocks of inline content', () => {
  const html = '<div>One <b>bold</b> run<p>A <a href=/x>link</a>.</p>and the rest<ul><li>item<li>other</ul></div>';
  assert.deepEqual(listTexts(parseHtml(html)), ['One bold run', 'A link.', 'and the rest', 'item', 'other']);
});

test('a block has counts of its words, links, marks, dates and prices', () => {
  const tree = parseHtml('<p>On 5 March 2024 it cost <b>$ 20</b>, they <a href=/x>told us</a>. Why?</p>');
  const [block] = splitIntoBlocks(tree, computeSurroundings(tree, TRAINED_MODEL.names), TRAINED_MODEL.vocabulary) ?? [];
  assert.ok(block !== undefined);
  const { words, commas, stops, questions, dated, priced, months } = block.text;
  assert.deepEqual(
    { words, commas, stops, questions, dated, priced, months },
    { words: 11, commas: 1, stops: 2, questions: 1, dated: true, priced: true, months: 1 },
  );
  assert.deepEqual([block.links, block.linked, block.bold], [1, 6, 2]);
});

test('character references count like the characters that they stand for', () => {
  const tree = parseHtml('<p>A caf&eacute; &amp; bar</p><p>a CAFÉ & bar</p>');
  const [one, two] =
    splitIntoBlocks(tree, computeSurroundings(tree, TRAINED_MODEL.names), TRAINED_MODEL.vocabulary) ?? [];
  assert.equal(one?.text.hash, two?.text.hash);
  assert.equal(one?.text.words, 3);
});

test('trees are evaluated in stored order: a split, its higher branch, its lower branch', () => {
  const forest = toForest({ base: 0.5, trees: [[[0, 10], [1, 3], [4], [2], [1]], [[0.25]]] });
  const score = (...row: number[]) => scoreRow(forest, Float32Array.from(row));
  assert.equal(score(11, 4), 0.5 + 4 + 0.25);
  assert.equal(score(11, 3), 0.5 + 2 + 0.25);
  assert.equal(score(10, 9), 0.5 + 1 + 0.25);
});

test('rows that the first forest is unsure about are scored by all forests', () => {
  const [first, second, third] = [
    { base: 0, trees: [[[0, 0], [3], [-1]]] },
    { base: 1, trees: [[[0.5]]] },
    { base: -1, trees: [[[0, -5], [4], [1]]] },
  ].map(toForest);
  assert.ok(first !== undefined && second !== undefined && third !== undefined);
  const council = { first, others: [second, third] };
  const values = Float32Array.of(1, -1, -6);
  const sums = new Float64Array(3);
  scoreRows(council, { values, length: 3, shared: 1 }, sums);
  assert.deepEqual([...sums], [3, (-1 + 1.5 + 3) / 3, (-1 + 1.5 + 0) / 3]);
  for (const [at, value] of values.entries()) assert.equal(scoreEnsembleRow(council, Float32Array.of(value)), sums[at]);
});

test('rows scored together get the same scores as one by one', () => {
  const features = computeFeatures(parseHtml(page(paragraphs(0, 150))), URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const single = createRow(features);
  const length = computeColumnLength(features.blocks.length);
  const together = createRow(features, length);
  const sums = new Float64Array(Math.min(length, features.blocks.length));
  for (let at = 0; at < sums.length; at++) fillFeatures(together, at);
  scoreRows(TRAINED_MODEL.content, { values: together.values, length, shared: FIRST_PAGE_FACT }, sums);
  const apart = sums.map((_, at) => {
    fillFeatures(single, at);
    return scoreEnsembleRow(TRAINED_MODEL.content, single.values);
  });
  assert.ok(new Set(apart).size > 5);
  assert.deepEqual(sums, apart);
});

test('weights that were trained on other features are rejected', () => {
  const written = { names: {}, tags: {}, words: {}, kinds: {}, content: [] };
  assert.throws(() => toModel({ ...written, features: ['words'] }), /other features/);
});

test('every block has a value for every feature', () => {
  const features = computeFeatures(parseHtml(ARTICLE), URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const row = createRow(features);
  row.values.fill(Number.NaN, 0, FIRST_PAGE_FACT);
  fillFeatures(row, features.blocks.length >> 1);
  assert.deepEqual(row.values.subarray(FIRST_PAGE_FACT), Float32Array.from(features.pageFacts));
  assert.deepEqual(
    FEATURES.filter((_, at) => !Number.isFinite(row.values[at])),
    [],
  );
});

test('reader comments below an article are excluded', () => {
  const comments = Array.from({ length: 6 }, (_, at) => `<li class=comment><p>I ${sentence(at + 300)}</p></li>`).join(
    '',
  );
  const html = page(
    `<article>${paragraphs(0, 12)}</article><div id=comments><ol class=comment-list>${comments}</ol></div>`,
  );
  assert.equal(findVerdict(html, 'The harbour kept its records of year 1803'), 'kept');
  assert.equal(findVerdict(html, 'I The harbour'), 'comment');
});

test('text in two parts of a page is kept once, repetition within an element is kept', () => {
  const html = page(
    `<article>${paragraphs(0, 8)}${paragraphs(4, 5)}<section>${paragraphs(3, 4)}</section>${paragraphs(8, 10)}</article>`,
  );
  const text = read(html, { outputs: ['text'], url: URL }).outputs.text ?? '';
  assert.equal(text.split('records of year 1803').length, 2);
  assert.equal(text.split('records of year 1804').length, 3);
});

test('a page that scripts fill has no content and a warning', () => {
  const html = page(
    '<div id=app><nav><a href=/a>Home</a> <a href=/b>Shop</a> <a href=/c>Cart</a></nav><p>Loading…</p></div>',
  );
  const { outputs, warnings } = read(html, { url: URL });
  assert.equal(outputs.markdown, '');
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['thin_content'],
  );
});

test('the main heading is kept if the text follows it directly', () => {
  const heading = '<h1>The harbour of 1803</h1>';
  const direct = read(page(`<main>${heading}${paragraphs(0, 6)}</main>`), { url: URL }).outputs.markdown ?? '';
  assert.match(direct, /^# The harbour of 1803\n\nThe harbour kept/);
});

test('code is kept whole or not at all', () => {
  const lines = Array.from({ length: 12 }, (_, at) => `<div class=line>let value${at} = ${at};</div>`).join('');
  const html = page(
    `<main><article>${paragraphs(0, 6)}<pre><code>${lines}</code></pre>${paragraphs(6, 10)}</article></main>`,
  );
  const markdown = read(html, { url: URL }).outputs.markdown ?? '';
  for (const at of [0, 5, 11]) assert.ok(markdown.includes(`let value${at} = ${at};`), String(at));
});

test('an image between two kept paragraphs is kept, one in the navigation is not', () => {
  const html = page(
    `<nav><a href=/><img src=/logo.png alt=Logo></a> <a href=/a>Home</a></nav><article>${paragraphs(0, 5)}<figure><img src=/boat.jpg alt=Boat></figure>${paragraphs(5, 9)}</article>`,
  );
  const markdown = read(html, { url: URL }).outputs.markdown ?? '';
  assert.match(markdown, /!\[Boat\]/);
  assert.doesNotMatch(markdown, /Logo/);
});

test('the choice includes a score and a verdict for every block, and the kind of the page', () => {
  const features = computeFeatures(parseHtml(ARTICLE), URL, TRAINED_MODEL);
  assert.ok(features !== null);
  const { blocks, scores, verdicts, kinds, threshold } = chooseBlocks(features, TRAINED_MODEL);
  assert.equal(scores.length, blocks.length);
  assert.equal(verdicts.length, blocks.length);
  assert.ok(kinds.article > kinds.forum);
  assert.ok(threshold > 0 && threshold <= 1);
});

test('very many elements, names and words are processed in linear time', () => {
  for (const flood of [
    '<p>a',
    '<div class="comment share related nav">x ',
    '<ul><li>a<a href=x>b</a>',
    '<td>1<b>2',
    '<h1>t</h1><i>',
    `<p class="${'word '.repeat(50)}">`,
    'a, ',
    '<div hidden>x</div>',
    '<h3><button>a</button></h3><div hidden>x</div>',
    '<div><h3><button aria-expanded=false aria-controls=p>q</button></h3><div id=p hidden>',
    '<button aria-expanded=false>a</button><div>',
    '<tr><td>The second gate was closed before, and nobody stands on the bridge.</td></tr>',
    '<div itemtype="https://schema.org/DiscussionForumPosting"><p>The second gate was closed before.</p></div>',
    '<ul><li><math><mi>x</mi></math>',
    '<p><span class=katex><math><mi>x</mi></math></span>',
    '<p>The second gate was closed before, and nobody stands on the bridge.</p><div><span>a</span></div>',
    '<div class=youtube-player data-id=abcdefgh>',
  ]) {
    const tree = parseHtml(flood.repeat(5_000));
    assert.equal(chooseMainContent(tree, URL).kept.length, tree.count, flood);
  }
});
