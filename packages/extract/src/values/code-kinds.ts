/** A range of UTF-16 code units, both ends included, and the kind that its characters have. */
export type CodeRange = readonly [kind: number, first: number, last: number];

/** The kind of each UTF-16 code unit; 0 outside all ranges. Where ranges overlap, the last one wins. */
export function buildCodeKinds(ranges: readonly CodeRange[]): Uint8Array {
  const kinds = new Uint8Array(2 ** 16);
  for (const [kind, first, last] of ranges) kinds.fill(kind, first, last + 1);
  return kinds;
}
