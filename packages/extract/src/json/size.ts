import { countUtf8Bytes } from '#extract/platform/node.ts';

/** A response member that is already serialized as JSON in UTF-8. `JSON.stringify` writes it as its value. */
export class JsonBytes {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  toJSON(): unknown {
    return JSON.parse(new TextDecoder().decode(this.bytes));
  }
}

/** The most bytes of the outputs of one page as JSON in UTF-8. */
export const MAX_PAGE_BYTES = 30 * 1024 * 1024;

/** The most bytes of one character of a string, as in `\u0000`. */
const MAX_CHARACTER_BYTES = 6;
/** The most bytes of a number, a keyword or the punctuation around a member. */
const MAX_SCALAR_BYTES = 32;

/** The size of a value as JSON in UTF-8. Exact if it may exceed `most`, else an upper bound of at most `most`. */
export function measureJsonBytes(value: unknown, most: number): number {
  const bound = sumBytes(value, most, MAX_CHARACTER_BYTES, MAX_SCALAR_BYTES);
  if (bound <= most) return bound;
  try {
    return countUtf8Bytes(JSON.stringify(value) ?? '');
  } catch (error) {
    // V8 limits strings to half a gigabyte.
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

/** A lower bound of the size of a value as JSON in bytes, computed without serializing it. Stops counting above `most`. */
export function estimateMinJsonBytes(value: unknown, most: number): number {
  return sumBytes(value, most, 1, 1);
}

/** Estimates the size of a value with fixed costs per character and member; stops above `most`. */
function sumBytes(root: unknown, most: number, character: number, each: number): number {
  let bytes = 0;
  const open: unknown[] = [root];
  while (open.length > 0 && bytes <= most) {
    const value = open.pop();
    bytes += each;
    if (typeof value === 'string') bytes += value.length * character;
    if (typeof value !== 'object' || value === null) continue;
    if (value instanceof JsonBytes) {
      bytes += value.bytes.byteLength;
      continue;
    }
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined) continue;
      bytes += name.length * character;
      open.push(member);
    }
  }
  return bytes;
}
