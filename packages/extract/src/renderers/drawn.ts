import {
  followsMath,
  type Formula,
  readFormula,
  findMath,
  readNamedFormula,
  precedesScript,
  readScriptFormula,
} from './math.ts';
import { writeFormula } from './objects.ts';
import type { RenderState } from './run.ts';
import { ATTRIBUTE } from '#extract/html/tag-names.ts';
import { knownAttribute, type Tree } from '#extract/html/tree.ts';

/** The formula of a script that holds one; nothing of any other script. */
export function writeScript(r: RenderState, node: number): void {
  const formula = readScriptFormula(r.view.tree, node);
  if (formula !== null) writeFormula(r, formula);
}

const POSSIBLE_FORMULA_CLASS = /math|katex|mjx|tex/i;
const PREVIEW_CLASS = /(?:^|\s)(?:MathJax_Preview|MJX_Assistive_MathML)(?:\s|$)/;
const DRAWING_CLASS = /(?:^|\s)(?:MathJax(?:_\w+)?|mjx-\w+|mwe-math-element)(?:\s|$)/;

/** A formula as it is drawn, written once from its source; false for what is none or has no source. */
export function writeDrawnFormula(r: RenderState, node: number): boolean {
  const drawn = findDrawnFormula(r.view.tree, node);
  if (drawn !== null && drawn !== 'elsewhere') writeFormula(r, drawn);
  return drawn !== null;
}

/** The formula that an element draws. `elsewhere`: its source is in a neighbouring element. Null: no formula, or none with a source. */
export function findDrawnFormula(tree: Tree, node: number): Formula | 'elsewhere' | null {
  const names = knownAttribute(tree, node, ATTRIBUTE.class);
  if (names === null || !POSSIBLE_FORMULA_CLASS.test(names)) return null;
  const named = readNamedFormula(tree, node);
  if (named === null && !DRAWING_CLASS.test(names)) {
    const isTold = PREVIEW_CLASS.test(names) || (/(?:^|\s)katex-html(?:\s|$)/.test(names) && followsMath(tree, node));
    return isTold ? 'elsewhere' : null;
  }
  if (PREVIEW_CLASS.test(names) || precedesScript(tree, node)) return 'elsewhere';
  const math = named === null ? findMath(tree, node) : 0;
  return math === 0 ? named : readFormula(tree, math);
}
