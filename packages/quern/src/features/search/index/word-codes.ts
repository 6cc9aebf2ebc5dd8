import { TITLE_WEIGHT } from './index-store.ts';

const MAX_COUNTED = 255;

/** The words of a page for PostgreSQL. */
export type PageWords = {
  /** A number for each different word, and that of the tenant, in their order, so that one is found by halving. */
  readonly codes: Int32Array;
  /** How often the word of each code is there, one byte each. */
  readonly counts: Uint8Array;
  /** Words of the body. */
  readonly length: number;
};

/**
 * The words of a page without their places: a vector of PostgreSQL, which has these and the letters of each word, takes
 * three times the room, in the row and in its index.
 */
export function toPageWords(tenant: string, title: readonly string[], body: readonly string[]): PageWords {
  const counts = new Map<number, number>();
  const add = (word: string, count: number): void => {
    const code = codeOf(word);
    counts.set(code, (counts.get(code) ?? 0) + count);
  };
  for (const word of title) add(word, TITLE_WEIGHT);
  for (const word of body) add(word, 1);
  counts.set(codeOfTenant(tenant), 1);
  const codes = Int32Array.from(counts.keys()).toSorted();
  return {
    codes,
    counts: Uint8Array.from(codes, (code) => Math.min(MAX_COUNTED, counts.get(code) ?? 0)),
    length: body.length,
  };
}

/** FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/) as a number of 32 bits with a sign, which PostgreSQL has. */
export function codeOf(word: string): number {
  let code = 0x81_1c_9d_c5;
  for (let at = 0; at < word.length; at += 1) code = Math.imul(code ^ word.charCodeAt(at), 0x01_00_01_93);
  return code;
}

/** The tenant is a word of its pages, so that a query passes over the pages of others; no word begins with a space. */
export function codeOfTenant(tenant: string): number {
  return codeOf(` ${tenant}`);
}
