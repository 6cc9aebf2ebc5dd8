import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toUrlParts } from '#extract/urls/url-parts.ts';
import { createPatternCounter } from '#extract/urls/pattern-counter.ts';

const MAX = 10_000;

/** The patterns of a site that exceeded their limit, with the number of URLs over it. */
function countOverflows(paths: Iterable<string>, most = MAX): ReadonlyMap<string, number> {
  const counts = createPatternCounter(most);
  const left = new Map<string, number>();
  for (const path of paths) {
    const address = toUrlParts(`https://mill.example${path}`);
    assert.ok(address !== null);
    const pattern = counts.overflow(address);
    if (pattern !== null) left.set(pattern, (left.get(pattern) ?? 0) + 1);
  }
  return left;
}

function* many(count: number, pathOf: (at: number) => string): Generator<string> {
  for (let at = 0; at < count; at += 1) yield pathOf(at);
}

/** A random word of letters. */
function buildWord(at: number): string {
  let left = Math.imul(at + 1, 2_654_435_761) >>> 0;
  let word = '';
  for (; left > 0; left = Math.floor(left / 26)) word += String.fromCodePoint(97 + (left % 26));
  return word;
}

test('a large shop with many sections stays below the pattern limit', () => {
  assert.deepEqual(
    countOverflows([
      ...many(9_000, (at) => `/product/${buildWord(at)}-shoe`),
      ...many(9_000, (at) => `/blog/2026/11/${buildWord(at)}`),
      ...many(9_000, (at) => `/members/${buildWord(at)}`),
      ...many(9_000, (at) => `/forum/thread/${at}`),
      ...many(9_000, (at) => `/${buildWord(at)}-page`),
      ...many(20_000, (at) => `/search?q=${buildWord(at)}`),
    ]),
    new Map(),
  );
});

const MAZES: readonly (readonly [how: string, pathOf: (at: number) => string, pattern: string])[] = [
  ['numbers', (at) => `/maze/${at}`, 'mill.example/maze/*'],
  ['words', (at) => `/maze/${buildWord(at)}`, 'mill.example/maze/*'],
  [
    'directories of words',
    (at) => `/maze/${buildWord(at)}/${buildWord(at + 1)}/${buildWord(at + 2)}`,
    'mill.example/maze/*',
  ],
  ['ever deeper paths', (at) => `/maze${`/${at}`.repeat(1 + (at % 20))}`, 'mill.example/maze/*'],
];

for (const [how, pathOf, pattern] of MAZES)
  test(`a crawler trap of ${how} is one pattern and limited`, () => {
    const there = 3 * MAX;
    const left = countOverflows(many(there, pathOf)).get(pattern) ?? 0;
    // The first few words count as names of sections.
    assert.ok(left >= there - MAX - 3_000 && left <= there - MAX, `${left} are left out`);
  });

test('each section of a site is a pattern of its own', () => {
  const sections = ['rye', 'oats', 'spelt'];
  const paths = sections.flatMap((section) => [...many(12, (at) => `/shop/${section}/${at}`)]);
  assert.deepEqual(
    countOverflows(paths, 10),
    new Map(sections.map((section) => [`mill.example/shop/${section}/*`, 2])),
  );
});
