/** Percent-encodes the query of a URL reference as browsers do: in the encoding of its page. */
export type EncodeQuery = (reference: string) => string;

/** The bytes of each non-ASCII character of an encoding. */
type Encoder = ReadonlyMap<string, readonly number[]>;

const ENCODED_AS_UTF8: ReadonlySet<string> = new Set([
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
/** Longer URLs are left unencoded, because they usually embed data. */
const MAX_QUERY_LENGTH = 8192;

/**
 * Creates the query encoder for pages in an encoding (URL standard, "percent-encode after encoding"). Characters that
 * the encoding lacks become numeric character references. Null for UTF-8 and UTF-16, where queries are UTF-8.
 */
export function createQueryEncoder(charset: string | null): EncodeQuery | null {
  if (charset === null || ENCODED_AS_UTF8.has(charset)) return null;
  return function encodeQuery(reference) {
    const [address = ''] = reference.split('#', 1);
    const start = address.indexOf('?');
    if (start < 0 || address.length > MAX_QUERY_LENGTH || !BEYOND_ASCII.test(address.slice(start))) return reference;
    const encoder = getEncoder(charset);
    const query = address.slice(start).replaceAll(CHARACTERS_BEYOND_ASCII, (character) => {
      const bytes = encoder.get(character) ?? toGb18030Bytes(character, charset);
      return bytes === null ? `%26%23${character.codePointAt(0)}%3B` : bytes.map(toEscape).join('');
    });
    return address.slice(0, start) + query + reference.slice(address.length);
  };
}

function toEscape(byte: number): string {
  return byte < 0x80 ? String.fromCharCode(byte) : `%${byte.toString(16).toUpperCase()}`;
}

/** The encoder of an encoding, built on first use by decoding all of its byte sequences with `TextDecoder`. */
function getEncoder(charset: string): Encoder {
  const known = encoders.get(charset);
  if (known !== undefined) return known;
  const sequences = [...buildRange(0x80, 0xff).map((byte) => [byte]), ...(PAIRS[charset]?.() ?? [])];
  const made = buildEncoder(charset, sequences);
  for (const [character, bytes] of EXTRAS[charset] ?? []) made.set(character, bytes);
  encoders.set(charset, made);
  return made;
}

/** Maps characters to the byte sequences that decode to them; if several do, the first one counts. */
function buildEncoder(charset: string, sequences: readonly (readonly number[])[]): Map<string, readonly number[]> {
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

function buildRange(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function buildPairs(leads: readonly number[], first: number, last: number): readonly (readonly number[])[] {
  return leads.flatMap((lead) => buildRange(first, last).map((trail) => [lead, trail]));
}

/** The two-byte sequences that the encoders of the Encoding standard may produce. */
const PAIRS: Readonly<Record<string, () => readonly (readonly number[])[]>> = {
  gbk: () => buildPairs(buildRange(0x81, 0xfe), 0x40, 0xfe),
  gb18030: () => buildPairs(buildRange(0x81, 0xfe), 0x40, 0xfe),
  big5: () => buildPairs(buildRange(0xa1, 0xf9), 0x40, 0xfe),
  'euc-kr': () => buildPairs(buildRange(0x81, 0xfe), 0x41, 0xfe),
  'euc-jp': () => buildPairs(buildRange(0xa1, 0xfe), 0xa1, 0xfe),
  // Characters that occur twice are not encoded as the rows of NEC-selected IBM extensions.
  shift_jis: () =>
    buildPairs([...buildRange(0x81, 0x9f), ...buildRange(0xe0, 0xec), ...buildRange(0xef, 0xfc)], 0x40, 0xfc),
};

const JAPANESE = [
  ['\u00a5', [0x5c]],
  ['\u203e', [0x7e]],
] as const;
const EXTRAS: Readonly<Record<string, readonly (readonly [character: string, bytes: readonly number[]])[]>> = {
  gbk: [['€', [0x80]]],
  'euc-jp': [
    ...JAPANESE,
    ...buildRange(0xa1, 0xdf).map((byte) => [String.fromCharCode(byte + 0xfec0), [0x8e, byte]] as const),
  ],
  shift_jis: JAPANESE,
};

/** The four bytes of a character beyond the BMP in GB 18030; null for other encodings and characters. */
function toGb18030Bytes(character: string, charset: string): readonly number[] | null {
  const far = (character.codePointAt(0) ?? 0) - 0x10000;
  if (charset !== 'gb18030' || far < 0) return null;
  return [
    0x90 + Math.floor(far / 12_600),
    0x30 + (Math.floor(far / 1260) % 10),
    0x81 + (Math.floor(far / 10) % 126),
    0x30 + (far % 10),
  ];
}
