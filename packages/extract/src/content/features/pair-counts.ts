import { int32s } from '#extract/html/scratch.ts';

/** How often pairs of numbers occur, by slot; a slot is free while its count is 0. */
export type PairCounts = {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly of: Int32Array;
  readonly mask: number;
};

/** Room for `most` different pairs at half of the slots. */
export function newCounts(most: number): PairCounts {
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, most * 2)));
  return {
    first: int32s(size),
    second: int32s(size),
    of: int32s(size),
    mask: size - 1,
  };
}

/** Only pairs made to collide need more slots than this; where they end is counted as one pair. */
const MAX_LOOKED = 256;

/** Counts a pair once more; answers its slot. */
export function pairCount({ first, second, of, mask }: PairCounts, one: number, two: number): number {
  const hash = Math.imul(Math.imul(one, 0x9e3779b1) ^ two, 0x85ebca6b);
  let slot = (hash ^ (hash >>> 15)) & mask;
  for (let looked = 0; looked < MAX_LOOKED; looked++) {
    if ((of[slot] ?? 0) === 0 || (first[slot] === one && second[slot] === two)) break;
    slot = (slot + 1) & mask;
  }
  first[slot] = one;
  second[slot] = two;
  of[slot] = (of[slot] ?? 0) + 1;
  return slot;
}
