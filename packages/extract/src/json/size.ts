import { JsonBytes } from './json-bytes.ts';

/** Most bytes of the outputs of one page, as JSON in UTF-8. */
export const PAGE_BYTES = 30 * 1024 * 1024;

/** Most bytes of a character of a string, which may be written as `\u0000`. */
const MAX_CHARACTER_BYTES = 6;
/** Most bytes of a number, of a literal, or of the punctuation around a member. */
const MAX_SCALAR_BYTES = 32;

/** The bytes of a value as JSON in UTF-8: exact if they may exceed `most`, else some number up to `most`. */
export function jsonBytes(value: unknown, most: number): number {
  const bound = sumBytes(value, most, MAX_CHARACTER_BYTES, MAX_SCALAR_BYTES);
  if (bound <= most) return bound;
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch (error) {
    // The longest string of V8 has half a gigabyte.
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

/** A lower bound of the bytes of a value as JSON, counted without serializing it; counting stops at `most`. */
export function leastJsonBytes(value: unknown, most: number): number {
  return sumBytes(value, most, 1, 1);
}

/** Sums the characters and the members of a value at so many bytes each, until that is above `most`. */
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
