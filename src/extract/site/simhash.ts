/** 64 bits as two unsigned halves. */
export type Simhash = { readonly high: number; readonly low: number };

/** Fewer words are too few to be nearly equal: one changed word moves many bits. */
const FEWEST_WORDS = 40;
const MOST_WORDS = 20_000;
/** Words; of scripts that do not part words each character. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]|[\p{L}\p{N}\p{M}]+/gu;

/**
 * The simhash of a text over runs of three words, case apart (Charikar 2002; Manku, Jain and Das Sarma 2007, who take
 * pages within 3 bits for near-duplicates). Null for a text of fewer than 40 words.
 */
export function simhashOf(text: string): Simhash | null {
  const words = text.toLowerCase().matchAll(WORD);
  const votes = new Int32Array(64);
  let count = 0;
  let [first, second] = [0, 0];
  for (const [word] of words) {
    const third = hashOf(word);
    count++;
    if (count >= 3) vote(votes, Math.imul(first, 31) + Math.imul(second, 0x01000193) + third);
    [first, second] = [second, third];
    if (count >= MOST_WORDS) break;
  }
  return count < FEWEST_WORDS ? null : { high: signsOf(votes, 32), low: signsOf(votes, 0) };
}

/** In how many bits two simhashes differ. */
export function distanceOf(a: Simhash, b: Simhash): number {
  return bitsOf(a.high ^ b.high) + bitsOf(a.low ^ b.low);
}

/** FNV-1a. */
function hashOf(word: string): number {
  let state = 0x811c9dc5;
  for (let at = 0; at < word.length; at++) state = Math.imul(state ^ word.charCodeAt(at), 0x01000193);
  return state;
}

function vote(votes: Int32Array, run: number): void {
  const low = mix(run);
  const high = mix(run ^ 0x9e3779b9);
  for (let bit = 0; bit < 32; bit++) {
    votes[bit] = (votes[bit] ?? 0) + (((low >>> bit) & 1) << 1) - 1;
    votes[bit + 32] = (votes[bit + 32] ?? 0) + (((high >>> bit) & 1) << 1) - 1;
  }
}

/** The finisher of MurmurHash3: each bit of the input reaches each of the output. */
function mix(value: number): number {
  let state = value ^ (value >>> 16);
  state = Math.imul(state, 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}

function signsOf(votes: Int32Array, from: number): number {
  let signs = 0;
  for (let bit = 0; bit < 32; bit++) if ((votes[from + bit] ?? 0) > 0) signs |= 1 << bit;
  return signs >>> 0;
}

function bitsOf(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
