import {
  findCodeLabels,
  findCodeLanguage,
  readCodeText,
  buildFence,
  isCodeBox,
  isEditor,
  isEditorGutter,
  isLoneCode,
  readListedCode,
  removeIndent,
  isCopyButton,
} from './code.ts';
import { type Admonition, findAdmonition } from './admonitions.ts';
import { keepsLines, separatesText } from './inline-style.ts';
import { escapeLineStarts, escapeText, toDestination } from './escape.ts';
import { addHeadingAnchor, type HeadingAnchors } from './heading-anchors.ts';
import { findFootnotes, NO_FOOTNOTES } from './footnotes.ts';
import { writeDrawnFormula, writeMedia, writePicture } from './inline-objects.ts';
import { renderInlineLine, writeInline } from './inline.ts';
import { writeList, writeLooseItem, writeNote } from './lists.ts';
import { type RenderState, takeRun } from './inline-run.ts';
import { findTabs, mayHaveBootstrapTabs } from './tabs.ts';
import { type TableWriters, writeTable } from './table-blocks.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagTable, buildTagSet } from '#extract/html/tags.ts';
import {
  getAttribute,
  getFirstChild,
  isText,
  getKnownAttribute,
  getNextSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { isPlayer } from '#extract/view/players.ts';
import { isBlock, isUnseen, type View } from '#extract/view/view.ts';
import { joinNextBlock, finishText, createWriter, type TextFormat, writeBlock, writePrefixed } from './writer.ts';
import { replaceCharacter } from '#extract/values/portions.ts';

/**
 * Renders the included part of a page as GitHub Flavored Markdown. URLs are absolute. Page text is
 * escaped, so that it is never interpreted as markup. The anchors of its headings are added to `anchors`.
 */
export function toMarkdown(view: View, anchors: HeadingAnchors | null = null): string {
  return renderText(view, 'markdown', { anchors });
}

/** Renders the plain text of what {@link toMarkdown} shows, or of one element: one block per line, without markup. */
export function toPlainText(view: View, root = 0): string {
  return renderText(view, 'text', { root });
}

type RenderOptions = { readonly root?: number; readonly anchors?: HeadingAnchors | null };

function renderText(view: View, dialect: TextFormat, { root = 0, anchors = null }: RenderOptions): string {
  const r: RenderState = {
    view,
    writer: createWriter(dialect),
    plain: dialect === 'text',
    footnotes: dialect === 'text' ? NO_FOOTNOTES : findFootnotes(view),
    parts: [],
    spaced: true,
    inCell: false,
    cellBreak: false,
    inLine: false,
    inLink: false,
    heading: 0,
    anchors,
    hasTypesetter: null,
    keepsLines: false,
    tight: false,
    open: new Set(),
    written: findCodeLabels(view),
    tabs: mayHaveBootstrapTabs(view.tree) ? findTabs(view) : null,
    code: null,
    pendingLink: null,
  };
  writeBlocks(r, root);
  return finishText(r.writer);
}

type Visit = (r: RenderState, node: number) => void;

const VISITS: readonly Visit[] = buildTagTable<Visit>(writeBlocks, [
  ['h1 h2 h3 h4 h5 h6', writeHeading],
  ['hr', writeRule],
  ['ul ol menu dir', writeItems],
  ['li', (r, node) => writeLooseItem(r, node, BLOCKS)],
  ['pre listing xmp plaintext', writeCode],
  ['blockquote', writeQuote],
  ['table', (r, node) => writeTable(r, node, BLOCKS)],
  ['div', writeBox],
  ['figure', writeFigure],
  ['dl', writeBlocks],
  ['dt summary', writeTerm],
  ['dd', writeDefinition],
]);

const BLOCKS: TableWriters = {
  inside: writeBlocks,
  one: (r, node) => (VISITS[getTag(r.view.tree, node)] ?? writeBlocks)(r, node),
  flush: flushRun,
  code: writeFenced,
};

/** Writes the content of a node as blocks; runs of inline content become paragraphs. */
function writeBlocks(r: RenderState, parent: number): void {
  const { tree, kept, hasBlock } = r.view;
  for (let node = getFirstChild(tree, parent); node !== 0; node = getNextSibling(tree, node)) {
    const tag = getTag(tree, node);
    if (tag === TAG.script || tag === TAG.object) writeInline(r, node);
    if (kept[node] !== 1 || isUnseen(tree, node) || r.written.has(node)) {
      if (r.parts.length > 0 && separatesText(r.view, node)) flushRun(r);
      continue;
    }
    if (isBlock(tree, node) && tag !== TAG.iframe) {
      flushRun(r);
      if (r.tight && TIGHT_TAGS[tag] === 1 && getTag(tree, parent) === TAG.li) closeItem(r);
      writeBlockNode(r, node);
    } else if (hasBlock[node] === 1 && !isText(tree, node) && tag !== TAG.math && tag !== TAG.svg) {
      flushRun(r);
      if (tag === TAG.a) writeLinkedBlocks(r, node);
      else writeBlocks(r, node);
    } else if (tag === TAG.code && isLoneCode(r.view, node)) {
      flushRun(r);
      writeFenced(r, removeIndent(readCodeText(r.view, node)), node);
    } else writeInline(r, node);
  }
  flushRun(r);
}

/** Blocks that can follow an item's text without a blank line, which would make the list loose. */
const TIGHT_TAGS = buildTagSet('blockquote pre h1 h2 h3 h4 h5 h6');

function closeItem({ writer }: RenderState): void {
  const item = writer.prefixes.at(-1);
  if (item?.used === true) joinNextBlock(writer, item.list);
}

function writeBlockNode(r: RenderState, node: number): void {
  const { notes, dropped } = r.footnotes;
  if (dropped.has(node) || !writeTabLabel(r, node)) return;
  const note = notes.get(node);
  const remark = r.plain || hasNote(r, node) ? null : findAdmonition(r.view, node);
  if (remark !== null) writeAdmonition(r, node, remark);
  else if (note === undefined) writeStyledBlock(r, node);
  else writeNote(r, note, () => BLOCKS.one(r, node));
}

/** Writes the label of a tab above its panel; false if the node is a tab list, which is not written. */
function writeTabLabel(r: RenderState, node: number): boolean {
  const { tree } = r.view;
  if (r.tabs === null) {
    const role = tree.attributeCount[node] === 0 ? null : getKnownAttribute(tree, node, ATTRIBUTE.role);
    if (role !== 'tabpanel' && role !== 'tablist') return true;
    r.tabs = findTabs(r.view);
  }
  const label = r.tabs.labels.get(node);
  if (label !== undefined) writeBlock(r.writer, r.plain ? label : `**${escapeText(label)}**`);
  return !r.tabs.lists.has(node);
}

/** The most nodes of a footnote container before its first note. */
const MAX_NOTE_NODES = 100;

/** Whether an element contains footnotes, and so is not an admonition. */
function hasNote({ view: { tree }, footnotes: { notes } }: RenderState, node: number): boolean {
  if (notes.size === 0) return false;
  const end = Math.min(getSubtreeEnd(tree, node), node + MAX_NOTE_NODES);
  for (let inside = node + 1; inside < end; inside++) if (notes.has(inside)) return true;
  return false;
}

/** Writes a block whose style may preserve line breaks. */
function writeStyledBlock(r: RenderState, node: number): void {
  const outer = r.keepsLines;
  r.keepsLines = keepsLines(r.view.tree, node) ?? outer;
  BLOCKS.one(r, node);
  r.keepsLines = outer;
}

/** Writes an admonition as a quote that starts with its label. */
function writeAdmonition(r: RenderState, node: number, { label, titleNodes }: Admonition): void {
  writePrefixed(r.writer, { first: '> ', rest: '> ' }, () => {
    if (label !== null) writeBlock(r.writer, `**${escapeText(label)}**`);
    for (const part of titleNodes) r.written.add(part);
    if (getTag(r.view.tree, node) === TAG.dl) writeAdmonitionList(r, node);
    else BLOCKS.one(r, node);
  });
}

/** Writes the definitions of a definition list that is an admonition as blocks. */
function writeAdmonitionList(r: RenderState, list: number): void {
  const { tree, kept } = r.view;
  for (let node = getFirstChild(tree, list); node !== 0; node = getNextSibling(tree, node)) {
    if (kept[node] !== 1 || r.written.has(node) || isText(tree, node)) continue;
    if (getTag(tree, node) === TAG.dd) writeBlocks(r, node);
    else BLOCKS.one(r, node);
  }
}

/** Writes a container: as a heading, code, player or formula if it is one, else its blocks. */
function writeBox(r: RenderState, node: number): void {
  if (r.view.tree.attributeCount[node] !== 0) {
    const level = readHeadingLevel(r.view.tree, node);
    if (level !== 0) return writeHeadingAt(r, node, level);
    if (isEditorGutter(r.view.tree, node)) return;
    if (isCopyButton(r.view.tree, node, getKnownAttribute(r.view.tree, node, ATTRIBUTE.class) ?? '')) return;
    if (isEditor(r.view.tree, node)) return writeFenced(r, removeIndent(readCodeText(r.view, node)), node);
  }
  if (isPlayer(r.view.tree, node)) {
    writeMedia(r, node);
    return flushRun(r);
  }
  if (r.view.hasBlock[node] === 1) {
    const code = readListedCode(r.view, node);
    return code === null ? writeBlocks(r, node) : writeFenced(r, code, node);
  }
  if (isCodeBox(r.view, node)) return writeFenced(r, removeIndent(readCodeText(r.view, node)), node);
  if (writeDrawnFormula(r, node)) flushRun(r);
  else writeBlocks(r, node);
}

/** Writes a list, or the code whose lines are its items. */
function writeItems(r: RenderState, node: number): void {
  const code = r.view.tree.attributeCount[node] === 0 ? null : readListedCode(r.view, node);
  if (code === null) writeList(r, node, BLOCKS);
  else writeFenced(r, code, node);
}

function writeFigure(r: RenderState, node: number): void {
  writePicture(r, node);
  flushRun(r);
  writeBlocks(r, node);
}

/** Writes a link around blocks: the first text inside it gets the link. */
function writeLinkedBlocks(r: RenderState, node: number): void {
  const reference = getKnownAttribute(r.view.tree, node, ATTRIBUTE.href);
  const outer = r.pendingLink;
  r.pendingLink = reference === null || /^\s*#/.test(reference) ? outer : r.view.findTarget(node);
  writeBlocks(r, node);
  r.pendingLink = r.pendingLink === null ? null : outer;
}

/** Writes the run as paragraphs; double line breaks separate them. */
function flushRun(r: RenderState): void {
  if (r.parts.length === 0) return;
  const run = takeRun(r);
  if (!run.includes('\n')) return writeParagraph(r, run.trim());
  for (const paragraph of run.split(/\n[ \n]*\n/)) writeParagraph(r, paragraph.trim().replace(/(?<! ) *\n */g, '\n'));
}

function writeParagraph(r: RenderState, lines: string): void {
  if (lines === '') return;
  if (r.plain) return writeBlock(r.writer, lines);
  writeBlock(r.writer, replaceCharacter(wrapInPendingLink(r, escapeLineStarts(lines)), '\n', '  \n'));
}

/** Puts the text into the pending link, if there is one. */
function wrapInPendingLink(r: RenderState, text: string): string {
  const url = r.pendingLink;
  if (url === null || r.plain || removeImages(text).includes('](')) return text;
  r.pendingLink = null;
  return `[${text.replaceAll('\n', ' ')}](${toDestination(url)})`;
}

/** Removes the images from Markdown. Linear: after an unmatched bracket the search continues behind it. */
function removeImages(text: string): string {
  const parts: string[] = [];
  let kept = 0;
  let at = 0;
  for (;;) {
    const open = text.indexOf('![', at);
    const label = open < 0 ? -1 : text.indexOf(']', open + 2);
    if (label < 0) break;
    at = label + 1;
    if (text.charAt(at) !== '(') continue;
    const end = text.indexOf(')', at);
    if (end < 0) break;
    parts.push(text.slice(kept, open));
    kept = end + 1;
    at = kept;
  }
  return parts.join('') + text.slice(kept);
}

function writeHeading(r: RenderState, node: number): void {
  writeHeadingAt(r, node, getTag(r.view.tree, node) - TAG.h1 + 1);
}

/** The level of an element with the role `heading`, 2 unless stated (WAI-ARIA); 0 for other elements. */
function readHeadingLevel(tree: Tree, node: number): number {
  if (getKnownAttribute(tree, node, ATTRIBUTE.role)?.trim().toLowerCase() !== 'heading') return 0;
  const level = Number.parseInt(getAttribute(tree, node, 'aria-level') ?? '', 10);
  return level >= 1 ? Math.min(level, 6) : 2;
}

function writeHeadingAt(r: RenderState, node: number, level: number): void {
  r.heading = node;
  const line = renderInlineLine(r, node);
  r.heading = 0;
  if (line === '') return;
  if (r.plain) return writeBlock(r.writer, line);
  // Hashes at the end would be read as a closing sequence.
  const text = `${'#'.repeat(level)} ${wrapInPendingLink(r, line.replace(/(^|\s)(#+)$/, '$1\\$2'))}`;
  if (r.anchors !== null && r.writer.prefixes.length === 0)
    addHeadingAnchor(r.anchors, text, { tree: r.view.tree, node });
  writeBlock(r.writer, text);
}

function writeRule(r: RenderState): void {
  // At the start of a list item, dashes or asterisks would merge with its marker.
  if (!r.plain) writeBlock(r.writer, r.writer.prefixes.length > 0 ? '___' : '---');
}

function writeCode(r: RenderState, node: number): void {
  writeFenced(r, readCodeText(r.view, node), node);
}

/** Writes a fenced code block in the language of the node. */
function writeFenced(r: RenderState, text: string, node: number): void {
  const code = text.replace(/^\n+/, '').trimEnd();
  if (code === '') return;
  if (r.plain) return writeBlock(r.writer, code);
  const fence = buildFence(code, '```');
  writeBlock(r.writer, `${fence}${findCodeLanguage(r.view.tree, node)}\n${code}\n${fence}`);
}

function writeQuote(r: RenderState, node: number): void {
  writePrefixed(r.writer, { first: '> ', rest: '> ' }, () => writeBlocks(r, node));
}

function writeTerm(r: RenderState, node: number): void {
  if (r.view.hasBlock[node] === 1) return writeBlocks(r, node);
  r.open.add('strong');
  const line = renderInlineLine(r, node);
  r.open.delete('strong');
  if (line !== '') writeBlock(r.writer, r.plain ? line : `**${line}**`);
}

/**
 * Writes a definition after a colon. Its further lines are indented to separate it from the next term, but only once,
 * since four spaces would be code. Code, lists and tables cannot follow the colon.
 */
function writeDefinition(r: RenderState, node: number): void {
  const around = r.writer.prefixes.at(-1)?.first.trim();
  const rest = around === '' || around === ':' ? '' : '  ';
  const first = startsWithText(r.view, node) ? ': ' : rest;
  writePrefixed(r.writer, { first, rest }, () => writeBlocks(r, node));
}

const TEXT_BOX_TAGS = buildTagSet('div section article p');

/** Whether the first visible content of an element is running text. */
function startsWithText(view: View, parent: number): boolean {
  const { tree, kept } = view;
  for (let node = getFirstChild(tree, parent); node !== 0; node = getNextSibling(tree, node)) {
    const tag = getTag(tree, node);
    if (kept[node] !== 1 || isUnseen(tree, node) || ((tree.flags[node] ?? 0) & WHITESPACE) !== 0) continue;
    // It becomes a fenced code block.
    if (tag === TAG.code && isLoneCode(view, node)) return false;
    if (isBlock(tree, node) ? TEXT_BOX_TAGS[tag] !== 1 : view.hasBlock[node] !== 1) return !isBlock(tree, node);
    if (getFirstChild(tree, node) === 0) continue;
    return startsWithText(view, node);
  }
  return false;
}
