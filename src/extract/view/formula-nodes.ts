import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { knownAttribute, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { isBlock } from './view.ts';

/** What a page with formulas has in its source. */
const SIGN = /[kl]atex|math\/tex|MathJax|<math|data-(?:tex|math|expr)/;
const DRAWN = /(?:^|\s)(?:katex(?:-display)?|math(?:-\w+)?|MathJax\w*|mwe-math-element|tex|latex)(?:\s|$)/;

/** Whether a page may hold formulas: asked before its elements are looked at for them. */
export function mayHoldFormulas({ source }: Tree): boolean {
  return SIGN.test(source);
}

/** Whether an element is a formula, the source of one, or drawn as one. */
export function isFormula(tree: Tree, node: number): boolean {
  const tag = tagOf(tree, node);
  if (tag === TAG.math) return true;
  if (tree.attributeCount[node] === 0) return false;
  if (tag === TAG.script) return /^\s*math\//i.test(knownAttribute(tree, node, ATTRIBUTE.type) ?? '');
  if (tree.names[tag] === 'mjx-container') return true;
  return !isBlock(tree, node) && DRAWN.test(knownAttribute(tree, node, ATTRIBUTE.class) ?? '');
}
