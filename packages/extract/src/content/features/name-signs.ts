import { findWord, hashOf, newWordTable, takeWord, type WordTable } from './word-table.ts';

/** What words of names say that a page may hold, as bits: it is looked for only where they do. */
export const FORMULA_SIGN = 1;
export const PLAYER_SIGN = 2;

/** Names are split at case changes: `MathJax` is two words, and so is `YouTube`. */
const WORDS: readonly (readonly [number, string])[] = [
  [FORMULA_SIGN, 'katex latex math tex'],
  [PLAYER_SIGN, 'tube vimeo youtube'],
];

/** The bits of a word of a name by its hash, 0 for all others. */
export function readSign(hash: number): number {
  const slot = findWord(TABLE, hash);
  return slot < 0 ? 0 : (TABLE.bits[slot] ?? 0);
}

const TABLE = buildTable();

function buildTable(): WordTable {
  // Far more room than words, so that most of those that are not in it meet an empty slot at once.
  const table = newWordTable(64);
  for (const [bit, words] of WORDS)
    for (const word of words.split(' ')) table.bits[takeWord(table, hashOf(word))] = bit;
  return table;
}
