/** Encodes the query of a reference as browsers do: in the encoding of its page. */
export type EncodeQuery = (reference: string) => string;

/** The bytes of each character that an encoding has beyond ASCII. */
type Encoder = ReadonlyMap<string, readonly number[]>;

const UTF: ReadonlySet<string> = new Set([
  'utf-8',
  'utf-16le',
  'utf-16be',
  'replacement',
  'iso-2022-jp',
  'x-user-defined',
]);
const encoders = new Map<string, Encoder>();
const BEYOND_ASCII = /[^\0-\x7f]/;
const CHARACTERS_BEYOND_ASCII = /[^\0-\x7f]/gu;
/** Queries beyond this length are data. */
const MAX_QUERY = 8192;

/**
 * The encoder of queries for a page in that encoding (URL standard, "percent-encode after encoding"): a character that
 * the encoding lacks becomes a numeric reference. Null for pages in UTF-8 and UTF-16, whose queries are UTF-8.
 */
export function queryEncoderOf(charset: string | null): EncodeQuery | null {
  if (charset === null || UTF.has(charset)) return null;
  return function encodeQuery(reference) {
    const [address = ''] = reference.split('#', 1);
    const start = address.indexOf('?');
    if (start < 0 || address.length > MAX_QUERY || !BEYOND_ASCII.test(address.slice(start))) return reference;
    const encoder = encoderOf(charset);
    const query = address.slice(start).replaceAll(CHARACTERS_BEYOND_ASCII, (character) => {
      const bytes = encoder.get(character) ?? farBytes(character, charset);
      return bytes === null ? `%26%23${character.codePointAt(0)}%3B` : bytes.map(toEscape).join('');
    });
    return address.slice(0, start) + query + reference.slice(address.length);
  };
}

function toEscape(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`;
}

/** The encoder of an encoding that `TextDecoder` can decode, made of all that it decodes when it is first needed. */
function encoderOf(charset: string): Encoder {
  const known = encoders.get(charset);
  if (known !== undefined) return known;
  const sequences = [...range(0x80, 0xff).map((byte) => [byte]), ...(PAIRS[charset]?.() ?? [])];
  const made = invert(charset, sequences);
  for (const [character, bytes] of EXTRAS[charset] ?? []) made.set(character, bytes);
  encoders.set(charset, made);
  return made;
}

/** The characters of byte sequences; of several sequences for one character the first counts. */
function invert(charset: string, sequences: readonly (readonly number[])[]): Map<string, readonly number[]> {
  const decoder = new TextDecoder(charset);
  const bytes = Uint8Array.from(sequences.flatMap((sequence) => [...sequence, LINE_FEED]));
  const characters = decoder.decode(bytes).split('\n');
  const found = new Map<string, readonly number[]>();
  for (const [at, sequence] of sequences.entries()) {
    const character = characters[at] ?? '';
    const isOne = character.length === 1 || (character.length === 2 && (character.codePointAt(0) ?? 0) > 0xffff);
    const isKept =
      isOne && character !== '\uFFFD' && BEYOND_ASCII.test(character) && !/[\u0080-\u009f]/.test(character);
    if (isKept && !found.has(character)) found.set(character, sequence);
  }
  return found;
}

const LINE_FEED = 0x0a;

function range(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function pairs(leads: readonly number[], first: number, last: number): readonly (readonly number[])[] {
  return leads.flatMap((lead) => range(first, last).map((trail) => [lead, trail]));
}

/** The two-byte sequences that the encoders of the Encoding standard use. */
const PAIRS: Readonly<Record<string, () => readonly (readonly number[])[]>> = {
  gbk: () => pairs(range(0x81, 0xfe), 0x40, 0xfe),
  gb18030: () => pairs(range(0x81, 0xfe), 0x40, 0xfe),
  big5: () => pairs(range(0xa1, 0xf9), 0x40, 0xfe),
  'euc-kr': () => pairs(range(0x81, 0xfe), 0x41, 0xfe),
  'euc-jp': () => pairs(range(0xa1, 0xfe), 0xa1, 0xfe),
  // Of the characters that it has twice, those of the two rows that NEC selected are not used.
  shift_jis: () => pairs([...range(0x81, 0x9f), ...range(0xe0, 0xec), ...range(0xef, 0xfc)], 0x40, 0xfc),
};

const JAPANESE = [
  ['\u00a5', [0x5c]],
  ['\u203e', [0x7e]],
] as const;
const EXTRAS: Readonly<Record<string, readonly (readonly [character: string, bytes: readonly number[]])[]>> = {
  gbk: [['€', [0x80]]],
  'euc-jp': [
    ...JAPANESE,
    ...range(0xa1, 0xdf).map((byte) => [String.fromCharCode(byte + 0xfec0), [0x8e, byte]] as const),
  ],
  shift_jis: JAPANESE,
};

/** The four bytes of a character beyond the BMP in GB 18030; null in any other encoding. */
function farBytes(character: string, charset: string): readonly number[] | null {
  const far = (character.codePointAt(0) ?? 0) - 0x10000;
  if (charset !== 'gb18030' || far < 0) return null;
  return [
    0x90 + Math.floor(far / 12_600),
    0x30 + (Math.floor(far / 1260) % 10),
    0x81 + (Math.floor(far / 10) % 126),
    0x30 + (far % 10),
  ];
}
