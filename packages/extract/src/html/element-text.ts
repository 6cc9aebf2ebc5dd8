import { collapseSpace } from '#extract/values/space.ts';
import { TAG } from './tag-names.ts';
import { BLOCK, flagsOf } from './tags.ts';
import { charactersOf, firstChildOf, isText, nextOf, previousOf, subtreeEndOf, tagOf, type Tree } from './tree.ts';

/** Default maximum number of characters read from one element. */
const MAX_LENGTH = 50_000;

/**
 * The text of an element with collapsed white space. Blocks and line breaks separate words. Elements for which `isRead`
 * returns false are skipped.
 */
export function collapsedText(
  tree: Tree,
  node: number,
  longest = MAX_LENGTH,
  isRead?: (element: number) => boolean,
): string {
  let text = '';
  const end = subtreeEndOf(tree, node);
  for (let at = node + 1; at < end && text.length < longest; at++) {
    const tag = tagOf(tree, at);
    if (tag === TAG.script || tag === TAG.style || isRead?.(at) === false) {
      at = subtreeEndOf(tree, at) - 1;
      continue;
    }
    if (tag === TAG.br || (flagsOf(tag) & BLOCK) !== 0) text += ' ';
    if (isText(tree, at)) {
      const before = previousOf(tree, at);
      if (before !== 0 && (flagsOf(tagOf(tree, before)) & BLOCK) !== 0) text += ' ';
      text += charactersOf(tree, at, longest);
    }
  }
  return collapseSpace(text);
}

/** The text nodes directly inside an element: the source of a script, the text of a title. */
export function ownText(tree: Tree, node: number): string {
  let text = '';
  for (let child = firstChildOf(tree, node); child !== 0; child = nextOf(tree, child)) {
    if (isText(tree, child)) text += charactersOf(tree, child);
  }
  return text;
}
