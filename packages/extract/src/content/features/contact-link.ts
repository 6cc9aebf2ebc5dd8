import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import type { Tree } from '#extract/html/tree.ts';
import { startOfValue } from '#extract/view/hiding.ts';
import { MAX_ATTRIBUTES } from '#extract/view/name-words.ts';

const SCHEME = /^\s{0,9}(?:mailto|tel):/i;

/** Whether a link is a number or an address to write to: text of the page, not a way to another one. */
export function isContactLink(tree: Tree, node: number): boolean {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MAX_ATTRIBUTES);
  for (let at = first; at < end; at++) {
    if (tree.attributeId[at] === ATTRIBUTE.href) return !startsElse(tree, at) && SCHEME.test(startOfValue(tree, at));
  }
  return false;
}

/** Whether a value starts as most links do, with a slash, a hash or the `h` of `https`: there is no need to cut it out. */
function startsElse({ source, valueStart }: Tree, at: number): boolean {
  const code = source.charCodeAt(valueStart[at] ?? 0);
  return code === 47 || code === 35 || code === 104;
}
