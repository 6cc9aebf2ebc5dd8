import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scoreRow, toForest, toProbability } from '#extract/content/model/forest.ts';
import { alignBlocks } from '#tools/content/align.ts';
import { trainBoosting, buildBins } from '#tools/content/boosting.ts';
import { removeNames } from '#tools/content/nameless.ts';
import { weighWords } from '#tools/content/word-counts.ts';

/** Rows of equal weight, each from a separate page. */
function toTargets(target: Float32Array) {
  return { target, weight: new Float32Array(target.length).fill(1), group: Int32Array.from(target.keys()) };
}

test('blocks of a page are aligned with the labelled text, in order and when moved', () => {
  const blocks = [
    'Home Shop About',
    'The ferry left at dawn.',
    'Read more',
    'Nobody on the pier had seen it come back.',
  ];
  const shares = alignBlocks(blocks, 'The ferry left at dawn. Nobody on the pier had seen it come back.');
  assert.deepEqual(
    shares.map(({ kept, words }) => kept / words),
    [0, 1, 0, 1],
  );
  const moved = alignBlocks(
    ['one two three four five six', 'seven eight nine ten eleven'],
    'seven eight nine ten eleven one two three four five six',
  );
  assert.deepEqual(
    moved.map(({ kept }) => kept),
    [6, 5],
  );
});

test('a page without class names and ids has the same texts in other elements', () => {
  const html =
    '<main id=top class="post wide"><nav-bar role=menu>A</nav-bar><article title=t>B <a rel=nofollow href=/c class=x>C</a></article></main>';
  assert.equal(
    removeNames(html, { landmarks: false }),
    '<div x=top x="post wide"><nav-bar x=menu>A</nav-bar><div title=t>B <a x=nofollow href=/c x=x>C</a></div></div>',
  );
  assert.match(removeNames(html, { landmarks: true }), /^<main x=top .*<article title=t>/);
});

test('long texts are aligned by their unique word sequences', () => {
  const lines = Array.from(
    { length: 400 },
    (_, at) => `line ${at} speaks of harbour number ${at * 7} and of nothing else`,
  );
  const shares = alignBlocks(['menu and more', ...lines], lines.filter((_, at) => at % 2 === 0).join('\n'));
  const right = lines.filter((_, at) => {
    const { kept, words } = shares[at + 1] ?? { kept: 0, words: 1 };
    return kept / words > 0.9 === (at % 2 === 0);
  });
  assert.ok(right.length > 390, String(right.length));
});

test('boosted trees learn a combination of features, and training is reproducible', () => {
  const rows = 400;
  const values = new Float32Array(rows * 2);
  const target = new Float32Array(rows);
  for (let row = 0; row < rows; row++) {
    const a = row % 20;
    const b = Math.floor(row / 20);
    values.set([a, b], row * 2);
    target[row] = a < 10 !== b < 7 ? 1 : 0;
  }
  const targets = toTargets(target);
  const options = {
    trees: 40,
    leaves: 8,
    rate: 0.3,
    fewest: 5,
    shrinkage: 1,
    smoothing: 0,
    columnShare: 1,
    splitShare: 0.7,
    groupShare: 0.8,
    seed: 1,
  };
  const written = trainBoosting(buildBins(values, 2), targets, options);
  const forest = toForest(written);
  const right = Array.from(target).filter(
    (wanted, row) => scoreRow(forest, values.subarray(row * 2, row * 2 + 2)) > 0 === (wanted === 1),
  );
  assert.ok(right.length > 390, String(right.length));
  assert.deepEqual(trainBoosting(buildBins(values, 2), targets, options), written);
});

test('leaf values equal the share of content in the labels, on both sides of a split', () => {
  const rows = 200;
  const values = Float32Array.from({ length: rows }, (_, row) => row % 2);
  const targets = toTargets(values.map((value) => (value === 0 ? 0.2 : 0.8)));
  const options = {
    trees: 60,
    leaves: 4,
    rate: 0.3,
    fewest: 5,
    shrinkage: 0.1,
    smoothing: 0,
    columnShare: 1,
    splitShare: 1,
    groupShare: 1,
    seed: 1,
  };
  const forest = toForest(trainBoosting(buildBins(values, 1), targets, options));
  const computeShare = (value: number) => toProbability(scoreRow(forest, Float32Array.of(value))).toFixed(2);
  assert.deepEqual([computeShare(0), computeShare(1)], ['0.20', '0.80']);
});

test('a word counts if enough sites have it, and each site has one vote', () => {
  const names = new Map([['sidebar', { content: 0, all: 10 }]]);
  const pages = ['a', 'b', 'c', 'c', 'c'].map((site) => ({
    site,
    counts: { names, tags: new Map(), words: new Map() },
  }));
  assert.deepEqual(weighWords(pages.slice(0, 1)).names, {});
  assert.deepEqual(weighWords(pages).names, { sidebar: Number(Math.log(1 / 4).toFixed(2)) });
});
