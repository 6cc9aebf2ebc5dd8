import { FNV_PRIME, FNV_START } from '#extract/values/fnv.ts';

/** Slots of the table, a power of two: 1.3 MB in all. */
const SLOTS = 131_072;

/** Slots in which a piece may be. If all of them have other pieces, it replaces the first one. */
const MAX_PROBES = 8;

/** The multiplier of MurmurHash2. */
const OTHER_PRIME = 0x5bd1e995;

/**
 * The token counts of pieces of text, for all pages of a thread. Pieces are known by a 64-bit hash, so that looking one
 * up makes no string, which would take longer than all other counting. Two pieces of the same hash get the same count.
 */
export class PieceCounts {
  readonly #first = new Int32Array(SLOTS);
  readonly #second = new Int32Array(SLOTS);
  /** The counts by slot, 0 for a slot that is not used. */
  readonly #counts = new Uint16Array(SLOTS);
  #hash = 0;
  #otherHash = 0;
  #slot = 0;

  /** The count of a part of a text, 0 if it is unknown. */
  find(text: string, from: number, end: number): number {
    let hash = FNV_START;
    let other = 0;
    for (let at = from; at < end; at++) {
      const code = text.charCodeAt(at);
      hash = Math.imul(hash ^ code, FNV_PRIME);
      other = Math.imul(other + code + 1, OTHER_PRIME) ^ (other >>> 15);
    }
    this.#hash = hash;
    this.#otherHash = other;
    const start = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    this.#slot = start;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const slot = (start + probe) & (SLOTS - 1);
      const count = this.#counts[slot] ?? 0;
      if (count === 0) {
        this.#slot = slot;
        return 0;
      }
      if (this.#first[slot] === hash && this.#second[slot] === other) return count;
    }
    return 0;
  }

  /** Sets the count of the part that was looked up last. */
  add(count: number): void {
    this.#first[this.#slot] = this.#hash;
    this.#second[this.#slot] = this.#otherHash;
    this.#counts[this.#slot] = count;
  }
}
