import { TITLE_WEIGHT } from './index-store.ts';

/** How often a word is in a page, as the index of a server tells it; what lies between two counts as the smaller. */
export const COUNTS = [24, 15, 10, 7, 5, 4, 3, 2, 1] as const;

/** The words of a page for PostgreSQL. */
export type PageWords = {
  /** A number for each different word, the most frequent ones first, and that of the tenant. */
  readonly codes: readonly number[];
  /** For each of `COUNTS` the place among the codes, from 1, at which its words begin. */
  readonly begins: readonly number[];
  /** Words of the body. */
  readonly length: number;
};

/**
 * The words of a page without their places: a vector of PostgreSQL, which has these and the letters of each word, takes
 * four times the room, in the row and in its index.
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
  const byCount = COUNTS.map((): number[] => []);
  for (const [code, count] of counts) byCount[COUNTS.findIndex((least) => least <= count)]?.push(code);
  let begin = 1;
  const begins = byCount.map(({ length }) => (begin += length) - length);
  return { codes: byCount.flat(), begins, length: body.length };
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
