import { RANK, type Unit } from './units.ts';
import { FNV_START, hashNext } from '#extract/values/fnv.ts';

/** Units that become a chunk: from the first index up to the second, which is not included. */
export type UnitRange = { readonly from: number; readonly to: number };

/** No part of a section is cut off that is smaller than this share of the bound, if it can be cut elsewhere. */
const MIN_SHARE = 0.25;

/** In longer sections cuts are searched only in the middle half, so that the search stays short. */
const MAX_SPAN = 64;

type Packing = {
  readonly text: string;
  readonly units: readonly Unit[];
  readonly limit: number;
  /** The size of all units before each. */
  readonly sums: Float64Array;
  /** A hash of the text of each unit. */
  readonly hashes: Int32Array;
};

/**
 * Groups the units of a section into chunks of at most `limit`, cut at the best places. Of equally good places the
 * texts after them decide, by a hash, so that the cuts elsewhere stay where they are if the section is edited.
 */
export function packUnits(text: string, units: readonly Unit[], limit: number): readonly UnitRange[] {
  const sums = new Float64Array(units.length + 1);
  for (const [at, { size }] of units.entries()) sums[at + 1] = (sums[at] ?? 0) + size;
  const hashes = Int32Array.from(units, ({ from, to }) => hashText(text, from, to));
  const packing: Packing = { text, units, limit, sums, hashes };
  const packed: UnitRange[] = [];
  const waiting: UnitRange[] = [{ from: 0, to: units.length }];
  for (let range = waiting.pop(); range !== undefined; range = waiting.pop()) {
    const { from, to } = range;
    const cut = to - from < 2 || measure(packing, from, to) <= limit ? null : chooseCut(packing, range);
    if (cut === null) packed.push(range);
    else waiting.push({ from: cut, to }, { from, to: cut });
  }
  return packed;
}

/** The size of some units as a chunk, with what is repeated around parts of code and tables. */
function measure({ units, sums }: Packing, from: number, to: number): number {
  const first = units[from];
  const last = units[to - 1];
  const before = first === undefined || first.opens ? 0 : (first.wrap?.beforeSize ?? 0);
  const after = last === undefined || last.closes ? 0 : (last.wrap?.afterSize ?? 0);
  return (sums[to] ?? 0) - (sums[from] ?? 0) + before + after;
}

function chooseCut(packing: Packing, { from, to }: UnitRange): number {
  const { units, limit, hashes } = packing;
  const size = measure(packing, from, to);
  const margin = size > limit * MAX_SPAN ? size / 4 : limit * MIN_SHARE;
  let best = from + 1;
  let bestFit = -1;
  let bestRank = -1;
  let bestHash = 0;
  let bestDistance = 0;
  for (let at = from + 1; at < to; at++) {
    const before = measure(packing, from, at);
    const after = measure(packing, at, to);
    const fit = Number(before >= margin && after >= margin);
    if (fit < bestFit) continue;
    const rank = units[at - 1]?.kind === 'heading' ? RANK.portion : (units[at]?.rank ?? 0);
    const hash = (hashes[at] ?? 0) >>> 0;
    const distance = Math.abs(before - after);
    const isBetter =
      fit > bestFit ||
      rank > bestRank ||
      (rank === bestRank && (hash > bestHash || (hash === bestHash && distance < bestDistance)));
    if (!isBetter) continue;
    best = at;
    bestFit = fit;
    bestRank = rank;
    bestHash = hash;
    bestDistance = distance;
  }
  return best;
}

function hashText(text: string, from: number, to: number): number {
  let state = FNV_START;
  for (let at = from; at < to; at++) state = hashNext(state, text.charCodeAt(at));
  // The last step of MurmurHash3: texts that differ little get unrelated hashes.
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}
