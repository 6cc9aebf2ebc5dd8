/** Numbers from 0 to below 1, in the same order for the same seed. */
export type Random = () => number;

/** Mulberry32 over a mixed seed, so that seeds that differ by one have nothing in common. */
export function randomOf(seed: number): Random {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  state ^= state >>> 13;
  state = Math.imul(state, 0xc2b2ae35) >>> 0;
  state ^= state >>> 16;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from 0 to below the limit. */
export function below(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

export function pick(random: Random, list: readonly string[]): string {
  return list[below(random, list.length)] ?? '';
}

/** What `make` answers for 0, 1, 2 … in that order. */
export function times<T>(count: number, make: (at: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, at) => make(at));
}
