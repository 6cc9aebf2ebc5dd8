import { toTex } from './mathml.ts';
import { ownText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import {
  attributeOf,
  charactersOf,
  firstChildOf,
  isText,
  knownAttribute,
  nameOf,
  nextOf,
  nextTagged,
  parentOf,
  previousOf,
  subtreeEndOf,
  tagOf,
  textOf,
  type Tree,
} from '#extract/html/tree.ts';

/** A formula as TeX, and whether it is one of its own line. */
export type Formula = { readonly tex: string; readonly display: boolean };

/** The formula of a MathML element: the TeX source it carries, else what it shows as TeX; null without either. */
export function readFormula(tree: Tree, math: number): Formula | null {
  const source =
    findAnnotation(tree, math) ?? attributeOf(tree, math, 'alttext') ?? knownAttribute(tree, math, ATTRIBUTE.alt);
  const tex = normalizeTex(source ?? '') ?? normalizeTex(toTex(tree, math));
  return tex === null ? null : { tex, display: isDisplay(tree, math) };
}

const TEX_ATTRIBUTES = ['data-math', 'data-tex', 'data-latex', 'data-expr'];
const FORMULA_CLASS = /(?:^|\s)(?:katex|katex-display|math(?:-\w+)?|MathJax\w*|tex|latex|mjx-\w+)(?:\s|$)/;
const DISPLAY_CLASS = /(?:^|[\s_-])(?:display|block|Display)(?:\s|$)/;

/** The formula that an element around its drawing names as TeX in an attribute. */
export function readNamedFormula(tree: Tree, node: number): Formula | null {
  if (!FORMULA_CLASS.test(knownAttribute(tree, node, ATTRIBUTE.class) ?? '')) return null;
  for (const name of TEX_ATTRIBUTES) {
    const tex = normalizeTex(attributeOf(tree, node, name) ?? '');
    if (tex !== null) return { tex, display: isDisplay(tree, node) || tagOf(tree, node) === TAG.div };
  }
  return null;
}

/** The formula of a `math/tex` script, which MathJax reads and leaves in the page. */
export function readScriptFormula(tree: Tree, script: number): Formula | null {
  const type = knownAttribute(tree, script, ATTRIBUTE.type) ?? '';
  if (!/^math\/(?:tex|latex)/i.test(type)) return null;
  const tex = normalizeTex(ownText(tree, script));
  return tex === null ? null : { tex, display: /mode\s*=\s*display/i.test(type) };
}

const FORMULA_PICTURE_CLASS = /(?:^|\s)(?:latex|tex|math|mwe-math-fallback-image-(?:inline|display))(?:\s|$)/;

/** The formula that a picture of one has as its alternative text. */
export function readPictureFormula(tree: Tree, image: number): Formula | null {
  const names = knownAttribute(tree, image, ATTRIBUTE.class) ?? '';
  if (!FORMULA_PICTURE_CLASS.test(names)) return null;
  const tex = normalizeTex(knownAttribute(tree, image, ATTRIBUTE.alt) ?? '');
  return tex === null ? null : { tex, display: /-display(?:\s|$)/.test(names) };
}

/** The MathML inside an element, the first one; 0 when there is none. */
export function findMath(tree: Tree, node: number): number {
  const end = subtreeEndOf(tree, node);
  for (let at = node + 1; at < end; at++) if (tagOf(tree, at) === TAG.math) return at;
  return 0;
}

/** Whether a formula stands right before a node, without text between. */
export function followsMath(tree: Tree, node: number): boolean {
  const before = previousOf(tree, node);
  return before !== 0 && (tagOf(tree, before) === TAG.math || findMath(tree, before) !== 0);
}

/** Whether the source of a drawn formula stands in a script right after it. */
export function precedesScript(tree: Tree, node: number): boolean {
  let next = nextOf(tree, node);
  for (let steps = 0; steps < 3 && next !== 0; steps++) {
    if (tagOf(tree, next) === TAG.script) return readScriptFormula(tree, next) !== null;
    next = nextOf(tree, next);
  }
  return false;
}

function findAnnotation(tree: Tree, math: number): string | null {
  const end = subtreeEndOf(tree, math);
  for (let node = math + 1; node < end; node++) {
    if (isText(tree, node) || tagOf(tree, node) !== TAG.annotation) continue;
    const encoding = knownAttribute(tree, node, ATTRIBUTE.encoding) ?? 'tex';
    if (/tex/i.test(encoding) && firstChildOf(tree, node) !== 0) return textOf(tree, node);
  }
  return null;
}

function isDisplay(tree: Tree, node: number): boolean {
  if (attributeOf(tree, node, 'display') === 'block') return true;
  let around = node;
  for (let steps = 0; steps < 5 && around !== 0; steps++) {
    const names = knownAttribute(tree, around, ATTRIBUTE.class) ?? '';
    if (FORMULA_CLASS.test(names) && DISPLAY_CLASS.test(names)) return true;
    if (nameOf(tree, around) === 'mjx-container') return attributeOf(tree, around, 'display') === 'true';
    around = parentOf(tree, around);
  }
  return false;
}

/**
 * TeX on one line that stays a formula also for a reader who knows none: it holds no dollar sign, element, link or
 * code. Spaces mean nothing in a formula. Null when nothing is left.
 */
export function normalizeTex(source: string): string | null {
  const line = source.replace(/\s+/g, ' ').trim();
  const tex = (/^\{\\displaystyle ([^]*)\}$/.exec(line)?.[1] ?? line).trim();
  if (tex === '' || tex.includes('$')) return null;
  return tex
    .replace(/<(?=[a-zA-Z/!?])/g, '< ')
    .replace(/\](?=[([:])/g, '] ')
    .replaceAll('`', "'")
    .replace(/(?<!\\)\\+$/, '')
    .trimEnd();
}

/** `$$..$$`, `$..$`, `\(..\)` and `\[..\]` as MathJax and KaTeX find them; a delimiter ends the search for the one before it. */
const DELIMITED_FORMULA =
  /\$\$([^$]{1,2000})\$\$|\$(?=[^\s$])([^$]{1,400})(?<=\S)\$(?!\d)|\\\(((?:(?!\\[()]).){1,2000})\\\)|\\\[((?:(?!\\[[\]]).){1,2000})\\\]/g;
/** Two prices in a sentence are no formula. */
const LIKELY_FORMULA = /[\\^_{}=]|^[a-zA-Z]'?$/;

const TYPESETTER_NAME = /mathjax|katex/i;
/** Characters of a script in which its setting up of a typesetter begins. */
const MAX_SETUP_LENGTH = 1000;

/** Whether a script of the page is MathJax or KaTeX, or sets one of them up. */
export function hasTypesetter(tree: Tree): boolean {
  for (let node = nextTagged(tree, TAG.script, 1); node !== 0; node = nextTagged(tree, TAG.script, node + 1)) {
    const source = knownAttribute(tree, node, ATTRIBUTE.src);
    const text = source ?? charactersOf(tree, firstChildOf(tree, node), MAX_SETUP_LENGTH);
    if (TYPESETTER_NAME.test(text)) return true;
  }
  return false;
}

/** Whether a text holds what may delimit a formula. */
export function mayHaveFormula(text: string): boolean {
  return text.includes('$') || (text.includes('\\') && /\\[([]/.test(text));
}

/** The text of a page that typesets formulas, in pieces: texts and the formulas between them. */
export function splitFormulas(text: string): readonly (string | Formula)[] {
  const pieces: (string | Formula)[] = [];
  let from = 0;
  for (const found of text.matchAll(DELIMITED_FORMULA)) {
    const [whole, double, single, round, square] = found;
    if (single !== undefined && !LIKELY_FORMULA.test(single)) continue;
    const tex = normalizeTex(double ?? single ?? round ?? square ?? '');
    if (tex === null) continue;
    pieces.push(text.slice(from, found.index), { tex, display: double !== undefined || square !== undefined });
    from = found.index + whole.length;
  }
  pieces.push(text.slice(from));
  return pieces.filter((piece) => piece !== '');
}
