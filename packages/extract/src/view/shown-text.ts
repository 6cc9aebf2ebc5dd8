import { collapsedText } from '#extract/html/element-text.ts';
import { isText, parentOf, type Tree } from '#extract/html/tree.ts';
import { HIDDEN, hidingOf } from './hiding.ts';

/** The visible text of an element. If the element itself is hidden, all of its text except hidden parts inside it. */
export function shownText(tree: Tree, node: number, longest?: number): string {
  return collapsedText(tree, node, longest, (at) => !isHiddenElement(tree, at));
}

/** Whether an element or one of its ancestors is hidden. */
export function isWithinHidden(tree: Tree, node: number): boolean {
  for (let at = node; at !== 0; at = parentOf(tree, at)) if (isHiddenElement(tree, at)) return true;
  return false;
}

function isHiddenElement(tree: Tree, node: number): boolean {
  return tree.attributeCount[node] !== 0 && !isText(tree, node) && hidingOf(tree, node) === HIDDEN;
}
