import { followsMath, type Formula, formulaOf, mathIn, namedFormula, precedesScript, scriptFormula } from './math.ts';
import { writeFormula } from './objects.ts';
import type { Render } from './run.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { knownAttribute, type Tree } from '#extract/html/tree.ts';

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
  const drawn = drawnFormula(r.view.tree, node);
  if (drawn !== null && drawn !== 'elsewhere') writeFormula(r, drawn);
  return drawn !== null;
}

/** The formula that an element draws. `elsewhere`: its source is in a neighbouring element. Null: no formula, or none with a source. */
export function drawnFormula(tree: Tree, node: number): Formula | 'elsewhere' | null {
  const names = knownAttribute(tree, node, ATTRIBUTE.class);
  if (names === null || !MAYBE_DRAWN.test(names)) return null;
  const named = namedFormula(tree, node);
  if (named === null && !DRAWING.test(names)) {
    const isTold = PREVIEW.test(names) || (/(?:^|\s)katex-html(?:\s|$)/.test(names) && followsMath(tree, node));
    return isTold ? 'elsewhere' : null;
  }
  if (PREVIEW.test(names) || precedesScript(tree, node)) return 'elsewhere';
  const math = named === null ? mathIn(tree, node) : 0;
  return math === 0 ? named : formulaOf(tree, math);
}
