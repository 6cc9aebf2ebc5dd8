/** 64 bits as two unsigned halves. */
export type Simhash = { readonly high: number; readonly low: number };

/** Fewer words are too few to be nearly equal: one changed word moves many bits. */
const FEWEST_WORDS = 40;
const MOST_WORDS = 20_000;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/**
 * The simhash of a text over runs of three words, case apart (Charikar 2002; Manku, Jain and Das Sarma 2007, who take
 * pages within 3 bits for near-duplicates). Of scripts that do not part words each character is one. Null for a text
 * of fewer than 40 words.
 */
export function simhashOf(text: string): Simhash | null {
  // The table folds the case of ASCII by itself.
  const folded = NOT_ASCII.test(text) ? text.toLowerCase() : text;
  const tally: Tally = {
    words: 0,
    first: 0,
    second: 0,
    inBytes: 0,
    bytes: new Int32Array(16),
    bits: new Int32Array(64),
  };
  let word = 0;
  for (let at = 0; at < folded.length && tally.words < MOST_WORDS; at++) {
    const code = folded.charCodeAt(at);
    const letter = code < 0x80 ? (LETTERS[code] ?? GAP) : kindOf(code);
    if (letter > 0) word = hashOn(word === 0 ? FNV_START : word, letter);
    else {
      if (word !== 0) addWord(tally, word);
      if (letter === WORD) addWord(tally, hashOn(FNV_START, code));
      word = 0;
    }
  }
  if (word !== 0) addWord(tally, word);
  emptyBytes(tally);
  if (tally.words < FEWEST_WORDS) return null;
  const half = (tally.words - 2) / 2;
  return { high: majorityOf(tally.bits, 32, half), low: majorityOf(tally.bits, 0, half) };
}

/** In how many bits two simhashes differ. */
export function distanceOf(a: Simhash, b: Simhash): number {
  return bitsOf(a.high ^ b.high) + bitsOf(a.low ^ b.low);
}

type Tally = {
  words: number;
  /** The hashes of the last two words. */
  first: number;
  second: number;
  /** Runs counted in `bytes`, four counts in each number. */
  inBytes: number;
  readonly bytes: Int32Array;
  readonly bits: Int32Array;
};

const GAP = 0;
const WORD = -1;
const NOT_ASCII = /[^\0-\x7f]/;
/** Letters and digits of ASCII as themselves in lower case, all else as a gap. */
const LETTERS = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[a-z0-9]/i.test(String.fromCharCode(code)) ? String.fromCharCode(code).toLowerCase().charCodeAt(0) : GAP,
);

/** A character beyond ASCII, lower case: itself as a part of a word, a word by itself, or a gap between words. */
function kindOf(code: number): number {
  if (code < 0xc0 || code === 0xd7 || code === 0xf7) return GAP;
  if (code < 0x0e00) return code;
  if (code < 0x0f00) return WORD;
  if (code >= 0x1780 && code < 0x1800) return WORD;
  if (code >= 0x2000 && code < 0x3040) return code < 0x2c00 || code >= 0x2e00 ? GAP : code;
  if ((code >= 0x3040 && code < 0xa000) || (code >= 0xf900 && code < 0xfb00)) return WORD;
  return (code >= 0xd800 && code < 0xf900) || code >= 0xfe00 ? GAP : code;
}

/** A step of FNV-1a. */
function hashOn(state: number, code: number): number {
  return Math.imul(state ^ code, FNV_PRIME);
}

function addWord(tally: Tally, word: number): void {
  tally.words++;
  if (tally.words >= 3) {
    const run = Math.imul(tally.first, 31) + Math.imul(tally.second, FNV_PRIME) + word;
    addBits(tally, mix(run), mix(run ^ 0x9e3779b9));
  }
  tally.first = tally.second;
  tally.second = word;
}

/** Counts the set bits of a run, four at a time: bits 0, 8, 16 and 24 in the bytes of one number, and so on. */
function addBits(tally: Tally, low: number, high: number): void {
  const { bytes } = tally;
  for (let shift = 0; shift < 8; shift++) {
    bytes[shift] = (bytes[shift] ?? 0) + ((low >>> shift) & 0x01010101);
    bytes[shift + 8] = (bytes[shift + 8] ?? 0) + ((high >>> shift) & 0x01010101);
  }
  tally.inBytes++;
  if (tally.inBytes === 255) emptyBytes(tally);
}

function emptyBytes(tally: Tally): void {
  for (let bit = 0; bit < 64; bit++) {
    const place = (bit % 8) + (bit < 32 ? 0 : 8);
    const count = ((tally.bytes[place] ?? 0) >>> (bit & 24)) & 0xff;
    tally.bits[bit] = (tally.bits[bit] ?? 0) + count;
  }
  tally.bytes.fill(0);
  tally.inBytes = 0;
}

/** The finisher of MurmurHash3: each bit of the input reaches each of the output. */
function mix(value: number): number {
  let state = value ^ (value >>> 16);
  state = Math.imul(state, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}

/** The bits that more than half of the runs have. */
function majorityOf(bits: Int32Array, from: number, half: number): number {
  let majority = 0;
  for (let bit = 0; bit < 32; bit++) if ((bits[from + bit] ?? 0) > half) majority |= 1 << bit;
  return majority >>> 0;
}

function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
