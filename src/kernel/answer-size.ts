/** What one answer may have as JSON in UTF-8, and what of it the outputs of one page may have. */
export const ANSWER_BYTES = 32 * 1024 * 1024;
export const PAGE_BYTES = 30 * 1024 * 1024;

/** A character of a string may be written as `\u0000`. */
const LONGEST_CHARACTER = 6;
/** A number, a word, or what stands around a member. */
const SMALL = 32;

/** The bytes of a value as JSON, in UTF-8: exactly where they may be more than `most`, else `most` or less. */
export function jsonBytes(value: unknown, most: number): number {
  const bound = boundOf(value, most);
  if (bound <= most) return bound;
  try {
    return Buffer.byteLength(JSON.stringify(value) ?? '');
  } catch (error) {
    // V8 makes no string of more than half a gigabyte.
    if (error instanceof RangeError) return Infinity;
    throw error;
  }
}

/** What a value may have at most, counted without writing it; counts no further than `most`. */
function boundOf(root: unknown, most: number): number {
  let bytes = 0;
  const open: unknown[] = [root];
  while (open.length > 0 && bytes <= most) {
    const value = open.pop();
    bytes += SMALL;
    if (typeof value === 'string') bytes += value.length * LONGEST_CHARACTER;
    if (typeof value !== 'object' || value === null) continue;
    for (const [name, member] of Object.entries(value)) {
      bytes += name.length * LONGEST_CHARACTER;
      open.push(member);
    }
  }
  return bytes;
}
