import { extendHash, toLowerCode } from '#extract/html/tags.ts';
import { allocateInt32s } from '#extract/html/scratch.ts';

/** Counts of number pairs, by slot of a hash table. A slot with count 0 is free. */
type PairCounts = {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly counts: Int32Array;
  readonly mask: number;
};

/** Creates a table for at most `capacity` different pairs, half full at most. */
export function createPairCounts(capacity: number): PairCounts {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, capacity * 2)));
  return {
    first: allocateInt32s(size),
    second: allocateInt32s(size),
    counts: allocateInt32s(size),
    mask: size - 1,
  };
}

/** Only pairs chosen to collide need more probes. After these, pairs share a count. */
const MAX_PROBES = 256;

/** Counts a pair and returns its slot. */
export function countPair({ first, second, counts: of, mask }: PairCounts, one: number, two: number): number {
  const hash = Math.imul(Math.imul(one, 0x9e3779b1) ^ two, 0x85ebca6b);
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (let probes = 0; probes < MAX_PROBES; probes++) {
    if ((of[slot] ?? 0) === 0 || (first[slot] === one && second[slot] === two)) break;
    slot = (slot + 1) & mask;
  }
  first[slot] = one;
  second[slot] = two;
  of[slot] = (of[slot] ?? 0) + 1;
  return slot;
}

/** Words by hash, each with bits and a weight. Two words with the same hash share an entry. */
export type WordTable = {
  readonly keys: Int32Array;
  readonly bits: Uint16Array;
  readonly weights: Float32Array;
  readonly mask: number;
  count: number;
};

/** Creates a table for at most `capacity` words, two thirds full at most. */
export function createWordTable(capacity: number): WordTable {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, capacity * 1.5)));
  return {
    keys: new Int32Array(size),
    bits: new Uint16Array(size),
    weights: new Float32Array(size),
    mask: size - 1,
    count: 0,
  };
}

/** The slot of a word, -1 if the table does not have it. */
export function findWord({ keys, mask }: WordTable, hash: number): number {
  const key = hash === 0 ? 1 : hash;
  for (let slot = key & mask; ; slot = (slot + 1) & mask) {
    const found = keys[slot] ?? 0;
    if (found === key) return slot;
    if (found === 0) return -1;
  }
}

/** The slot of a word, which is added if needed. -1 if the table is full. */
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

/** Case-insensitive hash of a word. */
export function hashWord(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) hash = extendHash(hash, toLowerLetter(word.charCodeAt(at)));
  return hash;
}

/** The character code in lower case, for Latin, Cyrillic and Greek. Other scripts have no case. */
export function toLowerLetter(code: number): number {
  if (code < 0xc0) return toLowerCode(code);
  if (code <= 0xde) return code === 0xd7 ? code : code | 32;
  if (code >= 0x391 && code <= 0x42f) return code <= 0x3a9 || code >= 0x410 ? code + 32 : code;
  return code;
}
