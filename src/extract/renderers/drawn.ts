import { followsMath, formulaOf, mathIn, namedFormula, precedesScript, scriptFormula } from './math.ts';
import { writeFormula } from './objects.ts';
import type { Render } from './run.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { knownAttribute } from '#extract/html/tree.ts';

/** The formula of a script that holds one; nothing of any other script. */
export function writeScript(r: Render, node: number): void {
  const formula = scriptFormula(r.view.tree, node);
  if (formula !== null) writeFormula(r, formula);
}

const MAYBE_DRAWN = /math|katex|mjx|tex/i;
const PREVIEW = /(?:^|\s)(?:MathJax_Preview|MJX_Assistive_MathML)(?:\s|$)/;
const DRAWING = /(?:^|\s)(?:MathJax(?:_\w+)?|mjx-\w+|mwe-math-element)(?:\s|$)/;

/** A formula as it is drawn, written once from its source; false for what is none or has no source. */
export function writeDrawn(r: Render, node: number): boolean {
  const { tree } = r.view;
  const names = knownAttribute(tree, node, ATTRIBUTE.class);
  if (names === null || !MAYBE_DRAWN.test(names)) return false;
  const named = namedFormula(tree, node);
  if (named === null && !DRAWING.test(names))
    return PREVIEW.test(names) || (/(?:^|\s)katex-html(?:\s|$)/.test(names) && followsMath(tree, node));
  if (PREVIEW.test(names) || precedesScript(tree, node)) return true;
  const math = named === null ? mathIn(tree, node) : 0;
  const formula = math === 0 ? named : formulaOf(tree, math);
  if (formula !== null) writeFormula(r, formula);
  return formula !== null;
}
