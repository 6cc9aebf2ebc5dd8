import { extendHash, toLowerCode } from '#extract/html/tags.ts';
import { allocateInt32s } from '#extract/html/scratch.ts';

/** How often pairs of numbers occur, by slot; a slot is free while its count is 0. */
type PairCounts = {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly counts: Int32Array;
  readonly mask: number;
};

/** Room for `most` different pairs at half of the slots. */
export function createPairCounts(most: number): PairCounts {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, most * 2)));
  return {
    first: allocateInt32s(size),
    second: allocateInt32s(size),
    counts: allocateInt32s(size),
    mask: size - 1,
  };
}

/** Only pairs made to collide need more slots than this; where they end is counted as one pair. */
const MAX_PROBES = 256;

/** Counts a pair once more; answers its slot. */
export function countPair({ first, second, counts: of, mask }: PairCounts, one: number, two: number): number {
  const hash = Math.imul(Math.imul(one, 0x9e3779b1) ^ two, 0x85ebca6b);
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (let looked = 0; looked < MAX_PROBES; looked++) {
    if ((of[slot] ?? 0) === 0 || (first[slot] === one && second[slot] === two)) break;
    slot = (slot + 1) & mask;
  }
  first[slot] = one;
  second[slot] = two;
  of[slot] = (of[slot] ?? 0) + 1;
  return slot;
}

/** Words by their hash, each with bits and a weight; two words of one hash count as one. */
export type WordTable = {
  readonly keys: Int32Array;
  readonly bits: Uint16Array;
  readonly weights: Float32Array;
  readonly mask: number;
  count: number;
};

/** A table with room for `most` words at two thirds of its slots. */
export function createWordTable(most: number): WordTable {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, most * 1.5)));
  return {
    keys: new Int32Array(size),
    bits: new Uint16Array(size),
    weights: new Float32Array(size),
    mask: size - 1,
    count: 0,
  };
}

/** The slot of a word, -1 when the table does not have it. */
export function findWord({ keys, mask }: WordTable, hash: number): number {
  const key = hash === 0 ? 1 : hash;
  for (let slot = key & mask; ; slot = (slot + 1) & mask) {
    const found = keys[slot] ?? 0;
    if (found === key) return slot;
    if (found === 0) return -1;
  }
}

/** The slot of a word, taken when it has none; -1 when two thirds of the slots are. */
export function addWord(table: WordTable, hash: number): number {
  const { keys, mask } = table;
  const key = hash === 0 ? 1 : hash;
  for (let slot = key & mask; ; slot = (slot + 1) & mask) {
    const found = keys[slot] ?? 0;
    if (found === key) return slot;
    if (found !== 0) continue;
    if (table.count * 3 > mask * 2) return -1;
    table.count++;
    keys[slot] = key;
    return slot;
  }
}

/** The hash of a word whatever the case of its letters. */
export function hashOf(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = extendHash(hash, toLowerLetter(word.charCodeAt(at)));
  return hash;
}

/** The code in lower case: Latin with and without accents, Cyrillic and Greek; other scripts have no case. */
export function toLowerLetter(code: number): number {
  if (code < 0xc0) return toLowerCode(code);
  if (code <= 0xde) return code === 0xd7 ? code : code | 32;
  if (code >= 0x391 && code <= 0x42f) return code <= 0x3a9 || code >= 0x410 ? code + 32 : code;
  return code;
}
