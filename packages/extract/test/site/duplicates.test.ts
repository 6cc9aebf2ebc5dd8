import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { computeFingerprint } from '#extract/urls/content-fingerprint.ts';
import { createNearDuplicateIndex } from '#extract/urls/near-duplicates.ts';
import { computeDistance, type Simhash, computeSimhash } from '#extract/urls/simhash.ts';

const WORDS = 'river bridge harbour engine wheel copper silver window lantern kettle ladder basket carpet mirror'.split(
  ' ',
);

/** A text with the given number of words, different for each seed. */
function buildText(seed: number, words: number): string {
  let state = seed + 1;
  const said = Array.from({ length: words }, () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return `${WORDS[(state >>> 16) % WORDS.length]}${(state >>> 8) % 97}`;
  });
  return said.join(' ');
}

function computeDigest(text: string, title: string | null = null): string | null {
  return computeFingerprint({ title, text }).digest;
}

function simhash(text: string): Simhash {
  const found = computeSimhash(text);
  assert.ok(found !== null);
  return found;
}

const LONG = buildText(1, 100);

test('fingerprints ignore white space, composition and invisible characters', () => {
  const given = computeDigest(`Caf\u00e9 ${LONG}`);
  for (const text of [
    `  Cafe\u0301\n\n${LONG}\t`,
    `Ca\u00adf\u00e9 \u200b${LONG}\ufeff`,
    `Caf\u00e9\u00a0${LONG}\u0000`,
  ])
    assert.equal(computeDigest(text), given);
  assert.match(given ?? '', /^[\w-]{22}$/);
});

test('fingerprints depend on case, digits and punctuation', () => {
  const digests = [LONG, LONG.toUpperCase(), `${LONG} 1`, `${LONG}.`].map((text) => computeDigest(text));
  assert.equal(new Set(digests).size, 4);
});

test('the title counts for short texts only', () => {
  assert.notEqual(computeDigest('Loading', 'App 1'), computeDigest('Loading', 'App 2'));
  assert.equal(computeDigest('Loading', 'App 1'), computeDigest(' Loading', 'App  1'));
  assert.equal(computeDigest(LONG, 'To read'), computeDigest(LONG, 'To print'));
});

test('a page without letters or digits equals no other', () => {
  for (const text of ['', ' \n', '\u200b', '– • –']) {
    assert.deepEqual(computeFingerprint({ title: 'Shell', text }), { digest: null, simhash: null });
  }
});

test('a text of few words has no simhash', () => {
  assert.equal(computeSimhash(buildText(1, 39)), null);
  assert.notEqual(computeSimhash(buildText(1, 40)), null);
  assert.notEqual(computeSimhash('\u6e2f'.repeat(40)), null);
});

test('a long text with one changed sentence is a near-duplicate, another text is not', () => {
  const long = buildText(7, 3000);
  const changed = long.replace(/(?:\S+ ){8}/, 'Updated on the third of May by the desk ');
  assert.ok(computeDistance(simhash(long), simhash(changed)) <= 3);
  assert.ok(computeDistance(simhash(long), simhash(long.toUpperCase())) === 0);
  const distances = Array.from({ length: 200 }, (_, at) =>
    computeDistance(simhash(long), simhash(buildText(100 + at, 300))),
  );
  assert.ok(Math.min(...distances) > 10);
});

test('the bits of simhashes are evenly distributed', () => {
  const hashes = Array.from({ length: 400 }, (_, at) => simhash(buildText(at, 60)));
  for (let bit = 0; bit < 64; bit++) {
    const set = hashes.filter(({ high, low }) => (((bit < 32 ? low : high) >>> (bit % 32)) & 1) === 1).length;
    assert.ok(set > 100 && set < 300, `bit ${bit} is set in ${set}`);
  }
});

function flipBits({ high, low }: Simhash, bits: readonly number[]): Simhash {
  let [above, below] = [high, low];
  for (const bit of bits) {
    if (bit < 32) below ^= 1 << bit;
    else above ^= 1 << (bit - 32);
  }
  return { high: above >>> 0, low: below >>> 0 };
}

const bit = fc.nat(63);
const half = fc.integer({ min: 0, max: 0xffffffff });
const anyHash = fc.record({ high: half, low: half });

test('the distance of simhashes is the number of differing bits', () => {
  fc.assert(
    fc.property(anyHash, fc.uniqueArray(bit), (one, bits) => {
      assert.equal(computeDistance(one, flipBits(one, bits)), bits.length);
    }),
  );
});

test('an index finds exactly the simhashes within three bits, with few or many pages', () => {
  for (const size of [200, 3000]) {
    const index = createNearDuplicateIndex();
    const hashes = fc.sample(anyHash, { numRuns: size, seed: size });
    for (const [page, one] of hashes.entries()) assert.equal(index.add(one, page), true);
    const asked = fc.sample(fc.tuple(fc.nat(size - 1), fc.uniqueArray(bit, { maxLength: 6 })), {
      numRuns: 500,
      seed: 1,
    });
    for (const [page, bits] of asked) {
      const one = flipBits(hashes[page] ?? { high: 0, low: 0 }, bits);
      const near = hashes.findLastIndex((other) => computeDistance(one, other) <= 3);
      assert.equal(index.find(one), near < 0 ? null : near);
    }
  }
});

test('an index returns the latest of several near-duplicates', () => {
  const index = createNearDuplicateIndex();
  const one = simhash(LONG);
  assert.equal(index.find(one), null);
  index.add(one, 4_000_000_000);
  assert.equal(index.find(flipBits(one, [1, 20, 63])), 4_000_000_000);
  index.add(flipBits(one, [5]), 7);
  assert.equal(index.find(one), 7);
});

test('many pages in one band cost a bounded number of comparisons', () => {
  const index = createNearDuplicateIndex();
  for (let page = 0; page < 20_000; page++) index.add({ high: Math.imul(page, 0x9e3779b1) >>> 0, low: 0xffff }, page);
  assert.equal(index.find({ high: Math.imul(19_999, 0x9e3779b1) >>> 0, low: 0xffff }), 19_999);
});
