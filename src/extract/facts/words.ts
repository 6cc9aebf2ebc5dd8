import { isUnseen } from '#extract/content/view.ts';
import type { View } from '#extract/content/view.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { BLOCK, flagsOf } from '#extract/html/tags.ts';
import { charactersOf, HAS_REFERENCE, KEEPS_NUL, subtreeEndOf, tagOf } from '#extract/html/tree.ts';

type Tally = { count: number; inWord: boolean };

/** The words of a text: runs without white space that hold a letter or digit; Chinese and Japanese characters count one each. */
export function countWords(text: string): number {
  const tally: Tally = { count: 0, inWord: false };
  tallyWords(tally, text, 0, text.length);
  return tally.count;
}

/** The words of what is kept of a page, counted in its source; blocks part words, other elements do not. */
export function countVisibleWords({ tree, kept }: View): number {
  const tally: Tally = { count: 0, inWord: false };
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] !== 1) continue;
    const tag = tagOf(tree, node);
    if (tag === TAG.text) {
      if (((tree.flags[node] ?? 0) & (HAS_REFERENCE | KEEPS_NUL)) === 0) {
        tallyWords(tally, tree.source, tree.start[node] ?? 0, tree.end[node] ?? 0);
      } else {
        const text = charactersOf(tree, node);
        tallyWords(tally, text, 0, text.length);
      }
    } else if (isUnseen(tag)) node = subtreeEndOf(tree, node) - 1;
    else if ((flagsOf(tag) & BLOCK) !== 0 || tag === TAG.br) tally.inWord = false;
  }
  return tally.count;
}

function tallyWords(tally: Tally, text: string, start: number, end: number): void {
  let { count, inWord } = tally;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    // NUL shows nothing, so that it parts no word.
    if (code === 0) continue;
    if (isSpace(code)) inWord = false;
    else if (isIdeograph(code)) {
      count += 1;
      inWord = false;
    } else if (!inWord && isWordCharacter(code)) {
      count += 1;
      inWord = true;
    }
  }
  tally.count = count;
  tally.inWord = inWord;
}

function isSpace(code: number): boolean {
  return code <= 0x20 || (code >= 0xa0 && isWideSpace(code));
}

function isWideSpace(code: number): boolean {
  return code === 0xa0 || (code >= 0x2000 && code <= 0x200b) || code === 0x2028 || code === 0x3000;
}

function isWordCharacter(code: number): boolean {
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
  return (
    code >= 0xaa &&
    !(code >= 0x2000 && code <= 0x2bff) &&
    !(code >= 0x3000 && code <= 0x303f) &&
    !(code >= 0xfe00 && code <= 0xff0f)
  );
}

/** Kana, Han and the leading halves of the pairs that write rarer Han. */
function isIdeograph(code: number): boolean {
  if (code < 0x3041) return false;
  return (
    code <= 0x30ff ||
    (code >= 0x3400 && code <= 0x9fff) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xd840 && code <= 0xd88d)
  );
}
