import { collapseSpace } from '#extract/values/space.ts';
import { TAG } from './tag-names.ts';
import { BLOCK, getTagFlags } from './tags.ts';
import {
  readCharacters,
  getFirstChild,
  isText,
  getNextSibling,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
} from './tree.ts';

/** Default maximum number of characters read from one element. */
const MAX_LENGTH = 50_000;

/**
 * The text of an element with collapsed white space. Blocks and line breaks separate words. Elements for which `isRead`
 * returns false are skipped.
 */
export function readCollapsedText(
  tree: Tree,
  node: number,
  longest = MAX_LENGTH,
  isRead?: (element: number) => boolean,
): string {
  let text = '';
  const end = getSubtreeEnd(tree, node);
  for (let at = node + 1; at < end && text.length < longest; at++) {
    const tag = getTag(tree, at);
    if (tag === TAG.script || tag === TAG.style || isRead?.(at) === false) {
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (tag === TAG.br || (getTagFlags(tag) & BLOCK) !== 0) text += ' ';
    if (isText(tree, at)) {
      const before = getPreviousSibling(tree, at);
      if (before !== 0 && (getTagFlags(getTag(tree, before)) & BLOCK) !== 0) text += ' ';
      text += readCharacters(tree, at, longest);
    }
  }
  return collapseSpace(text);
}

/** The text nodes directly inside an element: the source of a script, the text of a title. */
export function readOwnText(tree: Tree, node: number): string {
  let text = '';
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) {
    if (isText(tree, child)) text += readCharacters(tree, child);
  }
  return text;
}
