import { readCollapsedText } from '#extract/html/element-text.ts';
import { isText, getParent, type Tree } from '#extract/html/tree.ts';
import { HIDDEN, readHiding } from './hiding.ts';

/** The visible text of an element. If the element itself is hidden, all of its text except hidden parts inside it. */
export function readShownText(tree: Tree, node: number, longest?: number): string {
  return readCollapsedText(tree, node, longest, (at) => !isHiddenElement(tree, at));
}

/** Whether an element or one of its ancestors is hidden. */
export function isInHidden(tree: Tree, node: number): boolean {
  for (let at = node; at !== 0; at = getParent(tree, at)) if (isHiddenElement(tree, at)) return true;
  return false;
}

function isHiddenElement(tree: Tree, node: number): boolean {
  return tree.attributeCount[node] !== 0 && !isText(tree, node) && readHiding(tree, node) === HIDDEN;
}
