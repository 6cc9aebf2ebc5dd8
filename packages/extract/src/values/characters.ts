/** A kind of character with the first and the last code of a range that is of it. */
export type CodeRange = readonly [kind: number, first: number, last: number];

/** The kind of each UTF-16 code unit, 0 for those in no range; of ranges that overlap the later one counts. */
export function kindsByCode(ranges: readonly CodeRange[]): Uint8Array {
  const kinds = new Uint8Array(2 ** 16);
  for (const [kind, first, last] of ranges) kinds.fill(kind, first, last + 1);
  return kinds;
}
