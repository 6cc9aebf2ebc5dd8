import { FNV_PRIME, FNV_START, hashNext } from '#extract/values/fnv.ts';

/** A 64-bit hash as two unsigned 32-bit halves. */
export type Simhash = { readonly high: number; readonly low: number };

/** Shorter texts have no simhash: a single changed word would change many bits. */
const MIN_WORDS = 40;
const MAX_WORDS = 20_000;

/**
 * Computes the simhash of a text from its runs of three words, ignoring case (Charikar 2002; Manku, Jain and Das Sarma
 * 2007, who treat pages within 3 bits as near-duplicates). In scripts without spaces each character is a word. Null for
 * a text of fewer than 40 words.
 */
export function computeSimhash(text: string): Simhash | null {
  // The lookup table lowers ASCII letters itself.
  const folded = CAPITAL.test(text) ? text.toLowerCase() : text;
  const tally = tallyWords(folded);
  if (tally.words < MIN_WORDS) return null;
  countWaitingRuns(tally);
  const half = (tally.words - 2) / 2;
  return { high: computeMajority(tally.highPlanes, half), low: computeMajority(tally.lowPlanes, half) };
}

/** The number of bits by which two simhashes differ (Hamming distance). */
export function computeDistance(a: Simhash, b: Simhash): number {
  return countBits(a.high ^ b.high) + countBits(a.low ^ b.low);
}

type Tally = {
  words: number;
  /** The hashes of the last two words. */
  first: number;
  second: number;
  /** The number of hashes in `low` and `high` that are not yet counted; unused entries are 0. */
  waiting: number;
  readonly low: Int32Array;
  readonly high: Int32Array;
  /** The counts per bit, bit-sliced: plane n holds bit n of all 32 counts. */
  readonly lowPlanes: Int32Array;
  readonly highPlanes: Int32Array;
};

/** Hashes the words of a text. A separate function, so that V8 can optimize the loop while it runs. */
function tallyWords(folded: string): Tally {
  const tally: Tally = {
    words: 0,
    first: 0,
    second: 0,
    waiting: 0,
    low: new Int32Array(RUNS_PER_BATCH),
    high: new Int32Array(RUNS_PER_BATCH),
    lowPlanes: new Int32Array(PLANE_COUNT),
    highPlanes: new Int32Array(PLANE_COUNT),
  };
  const { length } = folded;
  for (let at = 0; at < length && tally.words < MAX_WORDS; at++) {
    let letter = classifyAt(folded, at);
    if (letter > 0) {
      let word = FNV_START;
      do {
        word = hashNext(word, letter);
        letter = ++at < length ? classifyAt(folded, at) : GAP;
      } while (letter > 0);
      addWord(tally, word);
    }
    if (letter === WORD) addWord(tally, hashNext(FNV_START, folded.charCodeAt(at)));
  }
  return tally;
}

/** The number of runs that are counted in one batch. */
const RUNS_PER_BATCH = 8;
/** Enough bits for the largest possible count. */
const PLANE_COUNT = 15;

const GAP = 0;
const WORD = -1;
/** Non-ASCII ranges with capital letters, and surrogates. */
const CAPITAL =
  /[\xc0-\xde\u0100-\u0587\u10a0-\u13ff\u1c80-\u1fff\u2100-\u24cf\u2c00-\u2dff\ua640-\uabff\ud800-\udfff\uff21-\uff3a]/;
/** ASCII letters and digits in lower case; everything else separates words. */
const LETTERS = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : GAP,
);

/** Classifies the character at a position, by {@link LETTERS} if ASCII, else by {@link classifyCharacter}. */
function classifyAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code < 0x80 ? (LETTERS[code] ?? GAP) : classifyCharacter(code);
}

/** Classifies a lower-case non-ASCII character: its code if it is a letter, `WORD` if it is a word by itself, else `GAP`. */
function classifyCharacter(code: number): number {
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return GAP;
  if (code < 0x0e00) return code;
  if (code < 0x0f00) return WORD;
  if (code >= 0x1780 && code < 0x1800) return WORD;
  if (code >= 0x2000 && code < 0x3040) return code < 0x2c00 || code >= 0x2e00 ? GAP : code;
  if ((code >= 0x3040 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00)) return WORD;
  return (code >= 0xd800 && code < 0xf900) || code >= 0xfe00 ? GAP : code;
}

function addWord(tally: Tally, word: number): void {
  tally.words++;
  if (tally.words >= 3) {
    const run = Math.imul(tally.first, 31) + Math.imul(tally.second, FNV_PRIME) + word;
    tally.low[tally.waiting] = mixBits(run);
    tally.high[tally.waiting] = mixBits(run ^ 0x9e3779b9);
    tally.waiting++;
    if (tally.waiting === RUNS_PER_BATCH) countWaitingRuns(tally);
  }
  tally.first = tally.second;
  tally.second = word;
}

function countWaitingRuns(tally: Tally): void {
  addEight(tally.lowPlanes, tally.low);
  addEight(tally.highPlanes, tally.high);
  tally.low.fill(0);
  tally.high.fill(0);
  tally.waiting = 0;
}

/**
 * Adds eight numbers to the bit counts in parallel with carry-save adders (Harley and Seal; Muła, Kurz and Lemire
 * 2018): three numbers of one weight become one of the same weight and one of the next.
 */
function addEight(planes: Int32Array, runs: Int32Array): void {
  let carry = addPair(planes, 2, addFour(planes, runs, 0), addFour(planes, runs, 4));
  for (let plane = 3; carry !== 0; plane++) {
    const before = planes[plane] ?? 0;
    planes[plane] = before ^ carry;
    carry &= before;
  }
}

/** Adds four numbers to the planes of ones and twos; returns the carry to the fours. */
function addFour(planes: Int32Array, runs: Int32Array, at: number): number {
  const twos = addPair(planes, 0, runs[at] ?? 0, runs[at + 1] ?? 0);
  return addPair(planes, 1, twos, addPair(planes, 0, runs[at + 2] ?? 0, runs[at + 3] ?? 0));
}

/** Adds two numbers to a plane of the same weight; returns the carry to the next. */
function addPair(planes: Int32Array, plane: number, one: number, other: number): number {
  const before = planes[plane] ?? 0;
  planes[plane] = before ^ one ^ other;
  return (one & other) | (before & (one ^ other));
}

/** The finalizer of MurmurHash3: each input bit affects all output bits. */
function mixBits(value: number): number {
  let state = value ^ (value >>> 16);
  state = Math.imul(state, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}

/** The bits that are set in more than half of the runs. */
function computeMajority(planes: Int32Array, half: number): number {
  let majority = 0;
  for (let bit = 0; bit < 32; bit++) {
    let count = 0;
    for (let plane = 0; plane < PLANE_COUNT; plane++) count += (((planes[plane] ?? 0) >>> bit) & 1) << plane;
    if (count > half) majority |= 1 << bit;
  }
  return majority >>> 0;
}

function countBits(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
