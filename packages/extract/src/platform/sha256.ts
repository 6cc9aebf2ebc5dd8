/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of the first 8. */
const { rounds: ROUND_KEYS, start: START } = computeConstants();

function computeConstants(): { readonly rounds: Uint32Array; readonly start: Uint32Array } {
  const rounds = new Uint32Array(64);
  const start = new Uint32Array(8);
  let found = 0;
  for (let candidate = 2; found < 64; candidate++) {
    let divisor = 2;
    while (divisor * divisor <= candidate && candidate % divisor !== 0) divisor++;
    if (divisor * divisor <= candidate) continue;
    if (found < 8) start[found] = (Math.sqrt(candidate) % 1) * 2 ** 32;
    rounds[found] = (Math.cbrt(candidate) % 1) * 2 ** 32;
    found++;
  }
  return { rounds, start };
}

/** SHA-256 (FIPS 180-4) where the runtime has no synchronous one. */
export function computeSha256Bytes(bytes: Uint8Array): Uint8Array {
  const padded = new Uint8Array(Math.ceil((bytes.length + 9) / 64) * 64);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(bytes.length) * 8n);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.length; block += 64) addBlock(state, words, { view, block });
  const digest = new DataView(new ArrayBuffer(32));
  for (const [at, word] of state.entries()) digest.setUint32(4 * at, word);
  return new Uint8Array(digest.buffer);
}

function addBlock(
  state: Uint32Array,
  words: Uint32Array,
  { view, block }: { readonly view: DataView; readonly block: number },
): void {
  for (let at = 0; at < 16; at++) words[at] = view.getUint32(block + 4 * at);
  for (let at = 16; at < 64; at++) {
    const early = words[at - 15] ?? 0;
    const late = words[at - 2] ?? 0;
    const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    words[at] = (words[at - 16] ?? 0) + first + (words[at - 7] ?? 0) + second;
  }
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let at = 0; at < 64; at++) {
    const choice = (e & f) ^ (~e & g);
    const mixed =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (ROUND_KEYS[at] ?? 0) + (words[at] ?? 0);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const added = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + mixed) >>> 0, c, b, a, (mixed + added) >>> 0];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + word;
}

function rotate(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits));
}
