import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getAttribute, isText, getKnownAttribute, getNextSibling, getTag, type Tree } from '#extract/html/tree.ts';
import { findPlayerSource, getPlayerName } from '#extract/view/players.ts';
import { toDestination, toTitle } from './escape.ts';
import { findFigureUrl, findImageUrl } from './images.ts';
import {
  findMath,
  followsMath,
  type Formula,
  precedesScript,
  readFormula,
  readNamedFormula,
  readPictureFormula,
  readScriptFormula,
} from './math.ts';
import {
  escapeForCell,
  escapeForRun,
  formatFormula,
  type RenderState,
  writeMarkdown,
  writeSpace,
} from './inline-run.ts';

/** Writes an image, or the formula that it shows. */
export function writeImage(r: RenderState, node: number): void {
  const { tree, resolve } = r.view;
  const formula = readPictureFormula(tree, node);
  if (formula !== null) return followsMath(tree, node) ? undefined : writeFormula(r, formula);
  if (r.plain) return;
  const url = findImageUrl(tree, node, resolve);
  if (url === null) return;
  const alt = (getKnownAttribute(tree, node, ATTRIBUTE.alt) ?? '').replace(/\s+/g, ' ').trim();
  const title = toTitle(getKnownAttribute(tree, node, ATTRIBUTE.title));
  writeMarkdown(r, `![${escapeForRun(r, alt)}](${escapeForCell(r, toDestination(url) + title)})`);
}

/** Writes the declared image of a figure that contains none. */
export function writePicture(r: RenderState, figure: number): void {
  const url = r.plain ? null : findFigureUrl(r.view.tree, figure, r.view.resolve);
  if (url !== null) writeMarkdown(r, `![](${escapeForCell(r, toDestination(url))})`);
}

/** Writes a checkbox: as a task list marker (GFM) at the start of an item, else as a symbol. */
export function writeCheckbox(r: RenderState, node: number): void {
  const { tree } = r.view;
  if (r.plain || getKnownAttribute(tree, node, ATTRIBUTE.type) !== 'checkbox' || isToggle(tree, node)) return;
  const open = getKnownAttribute(tree, node, ATTRIBUTE.checked) === null;
  const item = r.writer.prefixes.at(-1);
  const opensItem = item?.list !== undefined && !item.used && r.parts.length === 0;
  writeMarkdown(r, opensItem ? (open ? '[ ]' : '[x]') : open ? '☐' : '☑');
  writeSpace(r);
}

const TOGGLE_CLASS = /toggle|switch|collaps|spoiler|expand|accordion/i;

/** Whether a checkbox is a switch for CSS: by its class, or because a label and the content that it toggles follow it. */
function isToggle(tree: Tree, node: number): boolean {
  if (TOGGLE_CLASS.test(getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '')) return true;
  const id = getKnownAttribute(tree, node, ATTRIBUTE.id);
  if (id === null || getAttribute(tree, node, 'disabled') !== null) return false;
  const label = nextElement(tree, node);
  if (getTag(tree, label) !== TAG.label || getKnownAttribute(tree, label, ATTRIBUTE.for) !== id) return false;
  return nextElement(tree, label) !== 0;
}

function nextElement(tree: Tree, node: number): number {
  let next = getNextSibling(tree, node);
  while (next !== 0 && isText(tree, next)) next = getNextSibling(tree, next);
  return next;
}

/** Adds a formula to the run; plain text shows its TeX. */
export function writeFormula(r: RenderState, formula: Formula): void {
  writeMarkdown(r, r.plain ? formula.tex : escapeForCell(r, formatFormula(r, formula)));
}

/** Writes a player or frame as a link to its content. */
export function writeMedia(r: RenderState, node: number): void {
  if (r.plain || r.inLink) return;
  const { tree, resolve } = r.view;
  const source = findPlayerSource(tree, node);
  const url = source === null ? null : resolve(source);
  if (url === null) return;
  // Separates adjacent players.
  if (r.parts.at(-1)?.endsWith(')') === true) writeSpace(r);
  const title = (getKnownAttribute(tree, node, ATTRIBUTE.title) ?? getAttribute(tree, node, 'playlabel') ?? '').trim();
  const name = title === '' ? getPlayerName(tree, node) : title.replace(/\s+/g, ' ');
  writeMarkdown(r, `[${escapeForRun(r, name)}](${escapeForCell(r, toDestination(url))})`);
}

/** Writes the formula of a TeX script; nothing for any other script. */
export function writeScript(r: RenderState, node: number): void {
  const formula = readScriptFormula(r.view.tree, node);
  if (formula !== null) writeFormula(r, formula);
}

const POSSIBLE_FORMULA_CLASS = /math|katex|mjx|tex/i;
const PREVIEW_CLASS = /(?:^|\s)(?:MathJax_Preview|MJX_Assistive_MathML)(?:\s|$)/;
const DRAWING_CLASS = /(?:^|\s)(?:MathJax(?:_\w+)?|mjx-\w+|mwe-math-element)(?:\s|$)/;

/** Writes a rendered formula once, from its source; false if the element is none or has no source. */
export function writeDrawnFormula(r: RenderState, node: number): boolean {
  const drawn = findDrawnFormula(r.view.tree, node);
  if (drawn !== null && drawn !== 'elsewhere') writeFormula(r, drawn);
  return drawn !== null;
}

/**
 * The formula that an element renders; `elsewhere` if its source is in a neighbouring element; null if it is no formula
 * or has no source.
 */
export function findDrawnFormula(tree: Tree, node: number): Formula | 'elsewhere' | null {
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class);
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
