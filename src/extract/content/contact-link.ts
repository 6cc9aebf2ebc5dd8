import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import type { Tree } from '#extract/html/tree.ts';
import { startOfValue } from './hiding.ts';
import { MOST_ATTRIBUTES } from './name-words.ts';

const SCHEME = /^\s{0,9}(?:mailto|tel):/i;

/** Whether a link is a number or an address to write to: text of the page, not a way to another one. */
export function isContactLink(tree: Tree, node: number): boolean {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MOST_ATTRIBUTES);
  for (let at = first; at < end; at++) {
    if (tree.attributeId[at] === ATTRIBUTE.href) return SCHEME.test(startOfValue(tree, at));
  }
  return false;
}
