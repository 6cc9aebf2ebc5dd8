import { TAG } from '#extract/html/tag-names.ts';
import { isText, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import { HIDDEN, hidingOf } from '#extract/view/hiding.ts';
import { readLineText } from './inline-labels.ts';
import { splitNameWords } from './names.ts';

/** Words that say of a name that a number is asked for, and what such numbers are commonly of. */
const COUNTING_WORDS: ReadonlySet<string> = new Set('count number num no total amount'.split(' '));
const COMMON_COUNTS: ReadonlySet<string> = new Set(
  'review reviews rating ratings vote votes comment comments answer answers reply replies view views like likes'.split(
    ' ',
  ),
);
/** An element that shows a number and what it counts is this small. */
const MAX_COUNT_NODES = 8;
const MAX_COUNT_LENGTH = 60;
const NUMBER = String.raw`(\d[\d.,' \u00a0\u202f]*\d|\d)\s?([kKM](?!\p{L}))?\+?\s`;
const OUT_OF = /(?<![\d.,])(\d(?:[.,]\d{1,2})?)\s?(?:\/|out of|von|sur|de|su|van|av|af|z|из)\s?(?:5|10)(?![\d.,])/iu;

/** Of a page the number beside the word that a name is: 213 of `(213 reviews)` for `reviews` or `review_count`; null when it shows none. */
export function findShownCount(tree: Tree, scope: number, name: string, isNumber: boolean): string | null {
  const words = splitNameWords(name).filter((word) => !COUNTING_WORDS.has(word));
  const [word] = words;
  if (word === undefined || words.length > 1 || (!isNumber && !COMMON_COUNTS.has(word))) return null;
  const stem = word.length > 3 ? word.replace(/s$/, '') : word;
  const counted = new RegExp(String.raw`(?<![\d.,])${NUMBER}(?:\p{L}+\s)?${stem}s?(?!\p{L})`, 'iu');
  const found = findFirstMatch(tree, scope, counted);
  return found === null ? null : `${(found[1] ?? '').trim()}${found[2] ?? ''}`;
}

/** The rating that a page shows out of five or ten; null when it shows none. */
export function findShownRating(tree: Tree, scope: number): string | null {
  return findFirstMatch(tree, scope, OUT_OF)?.[1] ?? null;
}

function findFirstMatch(tree: Tree, scope: number, pattern: RegExp): RegExpExecArray | null {
  const end = subtreeEndOf(tree, scope);
  for (let at = scope + 1; at < end; at++) {
    const tag = tagOf(tree, at);
    if (tag === TAG.script || tag === TAG.style || tag === TAG.template || tag === TAG.title) {
      at = subtreeEndOf(tree, at) - 1;
      continue;
    }
    if (!isText(tree, at) && hidingOf(tree, at) === HIDDEN) {
      at = subtreeEndOf(tree, at) - 1;
      continue;
    }
    if (subtreeEndOf(tree, at) - at > MAX_COUNT_NODES) continue;
    const text = readLineText(tree, at, MAX_COUNT_LENGTH + 1);
    const match = text.length > MAX_COUNT_LENGTH ? null : pattern.exec(text);
    if (match !== null) return match;
  }
  return null;
}
