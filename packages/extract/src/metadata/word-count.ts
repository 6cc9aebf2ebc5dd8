import { buildCodeKinds } from '#extract/values/code-kinds.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { BLOCK, getTagFlags } from '#extract/html/tags.ts';
import { getSubtreeEnd, getTag, HAS_REFERENCE, KEEPS_NUL, readCharacters } from '#extract/html/tree.ts';
import { isUnseen, type View } from '#extract/view/view.ts';

type WordTally = { count: number; inWord: number };

/**
 * Counts the words of a text: runs without white space that have a letter or digit. Each Chinese and Japanese character
 * is a word.
 */
export function countWords(text: string): number {
  const tally: WordTally = { count: 0, inWord: 0 };
  tallyWords(tally, text, 0, text.length);
  return tally.count;
}

/**
 * Counts the words of the included part of a page without copying its text. Block elements separate words, inline
 * elements do not.
 */
export function countVisibleWords({ tree, kept }: View): number {
  const tally: WordTally = { count: 0, inWord: 0 };
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1) continue;
    const tag = getTag(tree, node);
    if (tag === TAG.text) {
      if (((tree.flags[node] ?? 0) & (HAS_REFERENCE | KEEPS_NUL)) === 0) {
        tallyWords(tally, tree.source, tree.start[node] ?? 0, tree.end[node] ?? 0);
      } else {
        const text = readCharacters(tree, node);
        tallyWords(tally, text, 0, text.length);
      }
    } else if (isUnseen(tree, node)) node = getSubtreeEnd(tree, node) - 1;
    else if ((getTagFlags(tag) & BLOCK) !== 0 || tag === TAG.br) tally.inWord = 0;
  }
  return tally.count;
}

function tallyWords(tally: WordTally, text: string, start: number, end: number): void {
  let { count, inWord } = tally;
  for (let at = start; at < end; at++) {
    const kind = CHARACTER_KINDS[text.charCodeAt(at)] ?? 0;
    count += (kind & ~inWord & LETTER) + (kind >> 2);
    inWord = (kind | (inWord & (kind >> 1))) & LETTER;
  }
  tally.count = count;
  tally.inWord = inWord;
}

/** The role of a character: letters are part of a word, marks neither start nor end one, everything else ends it. */
const SPACE = 0;
const LETTER = 1;
const MARK = 2;
const IDEOGRAPH = 4;

/** NUL is invisible, so it counts as a mark. Of surrogate pairs for rare Han characters only the first half counts. */
const CHARACTER_KINDS = buildCodeKinds([
  [MARK, 0, 0xffff],
  [SPACE, 0x01, 0x20],
  [LETTER, 0x30, 0x39],
  [LETTER, 0x41, 0x5a],
  [LETTER, 0x61, 0x7a],
  [SPACE, 0xa0, 0xa0],
  [LETTER, 0xaa, 0x1fff],
  [SPACE, 0x2000, 0x200b],
  [SPACE, 0x2028, 0x2028],
  [LETTER, 0x2c00, 0x2fff],
  [SPACE, 0x3000, 0x3000],
  [LETTER, 0x3040, 0xfdff],
  [LETTER, 0xff10, 0xffff],
  [IDEOGRAPH, 0x3041, 0x30ff],
  [IDEOGRAPH, 0x3400, 0x9fff],
  [IDEOGRAPH, 0xd840, 0xd88d],
  [IDEOGRAPH, 0xf900, 0xfaff],
]);
