import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { attributeOf, isText, knownAttribute, parentOf, subtreeEndOf, tagOf, textOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';

/** The TeX source that a MathML element carries, and whether it is a formula of its own line; null without a source. */
export function texOf(tree: Tree, math: number): { readonly tex: string; readonly display: boolean } | null {
  const tex = annotation(tree, math) ?? attributeOf(tree, math, 'alttext') ?? knownAttribute(tree, math, ATTRIBUTE.alt);
  const clean = tex?.replace(/\s+/g, ' ').trim() ?? '';
  if (clean === '' || clean.includes('$')) return null;
  return { tex: clean, display: isDisplay(tree, math) };
}

function annotation(tree: Tree, math: number): string | null {
  const end = subtreeEndOf(tree, math);
  for (let node = math + 1; node < end; node++) {
    if (!isText(tree, node) && tagOf(tree, node) === TAG.annotation) return textOf(tree, node);
  }
  return null;
}

function isDisplay(tree: Tree, math: number): boolean {
  if (attributeOf(tree, math, 'display') === 'block') return true;
  let around = parentOf(tree, math);
  for (let steps = 0; steps < 4 && around !== 0; steps++) {
    if (/\bkatex-display\b|\bMathJax_Display\b/.test(knownAttribute(tree, around, ATTRIBUTE.class) ?? '')) return true;
    around = parentOf(tree, around);
  }
  return false;
}
