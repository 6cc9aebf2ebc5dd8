import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getKnownAttribute, findNextTag, getTag, type Tree } from '#extract/html/tree.ts';
import { isBlock } from './view.ts';

/** Occurs in the source of every page with formulas. */
const FORMULA_SOURCE = /[kl]atex|math\/tex|MathJax|<math|data-(?:tex|math|expr)/;
const MATHJAX_CONTAINER = 'mjx-container';
const RENDERED_CLASS = /(?:^|\s)(?:katex(?:-display)?|math(?:-\w+)?|MathJax\w*|mwe-math-element|tex|latex)(?:\s|$)/;

/** Whether a page may have formulas. Checked before its elements are searched. */
export function mayHaveFormulas({ source }: Tree): boolean {
  return FORMULA_SOURCE.test(source);
}

/** Whether a page has formulas. `isNamed` says that a class name hints at them. */
export function hasFormulas(tree: Tree, isNamed: boolean): boolean {
  if (isNamed || findNextTag(tree, TAG.math, 1) !== 0 || tree.names.includes(MATHJAX_CONTAINER)) return true;
  for (let node = findNextTag(tree, TAG.script, 1); node !== 0; node = findNextTag(tree, TAG.script, node + 1))
    if (isFormula(tree, node)) return true;
  return false;
}

/** Whether an element is a formula, its source, or its rendering. */
export function isFormula(tree: Tree, node: number): boolean {
  const tag = getTag(tree, node);
  if (tag === TAG.math) return true;
  if (tree.attributeCount[node] === 0) return false;
  if (tag === TAG.script) return /^\s*math\//i.test(getKnownAttribute(tree, node, ATTRIBUTE.type) ?? '');
  if (tree.names[tag] === MATHJAX_CONTAINER) return true;
  return !isBlock(tree, node) && RENDERED_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '');
}
