import { findCodeLanguage } from './code.ts';
import { findDrawnFormula } from './inline-objects.ts';
import { findFigureUrl, findImageUrl, isImage } from './images.ts';
import { followsMath, type Formula, readFormula, readPictureFormula, readScriptFormula } from './math.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagTable, getTagFlags, buildTagSet, VOID } from '#extract/html/tags.ts';
import {
  listAttributes,
  readCharacters,
  getFirstChild,
  isText,
  getKnownAttribute,
  getNextSibling,
  getTag,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { isUnseen, type View } from '#extract/view/view.ts';
import {
  escapeHtmlAttribute,
  escapeHtmlText,
  cutBesideSpace,
  transformInPortions,
  replaceCharacter,
} from '#extract/values/portions.ts';

const INCLUDED_TAGS = buildTagSet(
  'h1 h2 h3 h4 h5 h6 p blockquote pre ul ol li dl dt dd table caption colgroup col thead tbody tfoot tr td th figure figcaption details summary hr a abbr b bdi bdo br cite code data del dfn em i img ins kbd mark q rp rt ruby s samp small strong sub sup time u var wbr video audio picture',
);
/** Generic containers: replaced by their content, or by a paragraph if that is inline. */
const BOX_TAGS = buildTagSet(
  'div section article main header footer center address hgroup nav aside form fieldset body search legend label',
);
const LINE_TAGS = buildTagSet('h1 h2 h3 h4 h5 h6 p blockquote pre ul ol dl table figure details hr li tr dt dd');
const RENAMED_TAGS = buildTagTable('', [
  ['listing xmp plaintext', 'pre'],
  ['strike', 's'],
  ['tt', 'code'],
  ['amp-img amp-anim', 'img'],
  ['menu dir', 'ul'],
]);
const PLAIN_ATTRIBUTES = new Set(
  'alt title colspan rowspan scope headers lang dir datetime cite start reversed value width height open id controls span'.split(
    ' ',
  ),
);
const URL_ATTRIBUTES = new Set(['href', 'poster', 'cite']);

type HtmlOutput = { readonly view: View; readonly parts: string[]; preformatted: boolean; depth: number };

/**
 * Renders the included part of a page, or one element including itself, as HTML for use elsewhere: only text elements
 * and their attributes, each top-level block on its own line; no scripts, styles, event handlers, comments, forms or
 * frames; URLs absolute, `javascript:` removed.
 */
export function toCleanHtml(view: View, root = 0): string {
  const output: HtmlOutput = { view, parts: [], preformatted: false, depth: 0 };
  if (root === 0) writeChildren(output, 0);
  else writeNode(output, root);
  const html = output.parts.join('').trim();
  return html === '' ? '' : `${html}\n`;
}

function writeChildren(o: HtmlOutput, node: number): void {
  const { tree } = o.view;
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) writeNode(o, child);
}

function writeNode(o: HtmlOutput, node: number): void {
  const { tree, kept, hasBlock } = o.view;
  const tag = getTag(tree, node);
  if (tag === TAG.script) return void writeFormula(o, readScriptFormula(tree, node));
  if (kept[node] !== 1) return;
  if (isText(tree, node)) return writeText(o, node);
  if (isUnseen(tree, node) || tag === TAG.svg) return;
  const renamed = RENAMED_TAGS[tag] ?? '';
  const formula = isImage(tag) ? readPictureFormula(tree, node) : findDrawnFormula(tree, node);
  if (formula === 'elsewhere' || (formula !== null && isImage(tag) && followsMath(tree, node))) return;
  if (writeFormula(o, formula) || (tag === TAG.math && writeFormula(o, readFormula(tree, node)))) return;
  if (INCLUDED_TAGS[tag] === 1) writeElement(o, node, tree.names[tag] ?? '');
  else if (renamed !== '') writeElement(o, node, renamed);
  else if (BOX_TAGS[tag] === 1 && hasBlock[node] !== 1 && o.depth === 0) writeElement(o, node, 'p');
  else writeChildren(o, node);
}

/** Writes a formula between TeX delimiters, where MathJax and KaTeX find it; false if there is none. */
function writeFormula(o: HtmlOutput, formula: Formula | null): boolean {
  if (formula === null) return false;
  const tex = escapeHtmlText(formula.tex);
  o.parts.push(formula.display ? `\\[${tex}\\]` : `\\(${tex}\\)`);
  return true;
}

function writeText(o: HtmlOutput, node: number): void {
  const { tree } = o.view;
  const text = readCharacters(tree, node);
  if (o.preformatted) o.parts.push(escapeHtmlText(text));
  else if (((tree.flags[node] ?? 0) & WHITESPACE) === 0) o.parts.push(escapeHtmlText(collapseRuns(text)));
  else if (o.depth > 0) o.parts.push(' ');
}

/** Runs of white space, and white space other than a space. Single spaces, the common case, do not match. */
const UNEVEN = /[ \t\r\n\f]{2,}|[\t\r\n\f]/g;

function collapseRuns(text: string): string {
  return transformInPortions(text, cutBesideSpace, (part) => part.replace(UNEVEN, ' '));
}

function writeElement(o: HtmlOutput, node: number, name: string): void {
  const tag = getTag(o.view.tree, node);
  const attributes = isImage(tag) ? renderImageAttributes(o, node) : renderAttributes(o, node, tag);
  if (attributes === null) return;
  const mark = o.parts.length;
  o.parts.push(`<${name}${attributes}>`);
  if ((getTagFlags(tag) & VOID) === 0 && !isImage(tag)) {
    const outer = o.preformatted;
    o.preformatted ||= name === 'pre';
    o.depth++;
    const picture = tag === TAG.figure ? findFigureUrl(o.view.tree, node, o.view.resolve) : null;
    if (picture !== null) o.parts.push(`<img src="${escapeQuoted(picture)}">`);
    writeChildren(o, node);
    o.depth--;
    o.preformatted = outer;
    // A container without text leaves an empty paragraph.
    if (name === 'p' && o.parts.slice(mark + 1, mark + 4).every((part) => part === ' ')) {
      o.parts.length = mark;
      return;
    }
    o.parts.push(`</${name}>`);
  }
  if (o.depth === 0 && (LINE_TAGS[tag] === 1 || name === 'p')) o.parts.push('\n');
}

function renderAttributes(o: HtmlOutput, node: number, tag: number): string {
  const { tree, resolve } = o.view;
  if (tree.attributeCount[node] === 0) return '';
  let text = '';
  for (const { name, value } of listAttributes(tree, node)) {
    if (URL_ATTRIBUTES.has(name) || (name === 'src' && (tag === TAG.video || tag === TAG.audio))) {
      const url = resolve(value);
      if (url !== null) text += ` ${name}="${escapeQuoted(url)}"`;
    } else if (PLAIN_ATTRIBUTES.has(name)) text += ` ${name}="${escapeQuoted(value)}"`;
  }
  if (tag !== TAG.pre && tag !== TAG.code) return text;
  const language = findCodeLanguage(tree, node);
  return language === '' ? text : `${text} class="language-${escapeQuoted(language)}"`;
}

function renderImageAttributes(o: HtmlOutput, node: number): string | null {
  const { tree, resolve } = o.view;
  const url = findImageUrl(tree, node, resolve);
  if (url === null) return null;
  let text = ` src="${escapeQuoted(url)}"`;
  for (const id of [ATTRIBUTE.alt, ATTRIBUTE.title, ATTRIBUTE.width, ATTRIBUTE.height] as const) {
    const value = getKnownAttribute(tree, node, id);
    if (value !== null) text += ` ${ATTRIBUTE_NAMES[id]}="${escapeQuoted(value)}"`;
  }
  return text;
}

/** Escapes an attribute value. Angle brackets are escaped too, so that tags can be found by them. */
function escapeQuoted(value: string): string {
  return replaceCharacter(replaceCharacter(escapeHtmlAttribute(value), '<', '&lt;'), '>', '&gt;');
}

const ATTRIBUTE_NAMES = {
  [ATTRIBUTE.alt]: 'alt',
  [ATTRIBUTE.title]: 'title',
  [ATTRIBUTE.width]: 'width',
  [ATTRIBUTE.height]: 'height',
} as const;
