import { countItems } from './tabs.ts';
import { writeInline } from './inline.ts';
import type { RenderState } from './inline-run.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  getAttribute,
  listChildren,
  getFirstChild,
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getTag,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { isBlock, isUnseen, type View } from '#extract/view/view.ts';
import {
  joinNextBlock,
  noteListEnd,
  type OpenList,
  settleList,
  chooseListSign,
  writeEmptyItem,
  writePrefixed,
} from './writer.ts';

/** The functions that write blocks: the content of a node, one block, and the pending run. */
export type BlockWriters = {
  readonly inside: (r: RenderState, parent: number) => void;
  readonly one: (r: RenderState, node: number) => void;
  readonly flush: (r: RenderState) => void;
};

const LIST_TAGS = buildTagSet('ul ol menu dir');
/** Blocks next to which a paragraph of an item needs a blank line. */
const PARAGRAPH_TAGS = buildTagSet('p pre blockquote table dl h1 h2 h3 h4 h5 h6 figure');
const MAX_NUMBER = 999_999_999;

/** Writes a list: its items, and content between them as a browser shows it. */
export function writeList(r: RenderState, list: number, blocks: BlockWriters): void {
  const shape = readListShape(r.view, list);
  // Old pages use lists without items for indentation.
  if (shape.text && !shape.items) return blocks.inside(r, list);
  const outer = r.tight;
  const nested = isNested(r.view, list);
  if (nested && outer) joinNextBlock(r.writer, r.writer.prefixes.at(-1)?.list);
  r.tight = !shape.loose;
  const before = r.writer.parts.length;
  const ordered = getTag(r.view.tree, list) === TAG.ol;
  const sign = chooseListSign(r.writer, ordered ? NUMBER_SIGNS : BULLETS);
  const open: OpenList = { closed: [], loose: shape.loose };
  writeItems(r, list, { blocks, shape, sign, open });
  settleList(r.writer, open);
  if (r.writer.parts.length > before) noteListEnd(r.writer, sign);
  r.tight = outer;
  r.writer.gap = 'blank';
}

/** Whether a list is inside an item, directly or in its own container. */
function isNested({ tree }: View, list: number): boolean {
  const around = getParent(tree, list);
  const isBoxed = PARAGRAPH_LIST_CLASS.test(getKnownAttribute(tree, around, ATTRIBUTE.class) ?? '');
  return getTag(tree, isBoxed ? getParent(tree, around) : around) === TAG.li;
}

type ListShape = {
  /** Whether the list directly contains text; `items` is true if it contains items. */
  readonly text: boolean;
  readonly items: boolean;
  /** Whether any item has content; otherwise the list is a placeholder for scripts. */
  readonly filled: boolean;
  /**
   * Whether items are separated by blank lines: one has several paragraphs, or a paragraph and a list, or each has a
   * paragraph.
   */
  readonly loose: boolean;
};

function readListShape(view: View, list: number): ListShape {
  const { tree, kept } = view;
  const shape = { text: false, items: false, filled: false, loose: false };
  const compact = isCompact(view, list);
  let strays = 0;
  let items = 0;
  let paragraphs = 0;
  for (let node = getFirstChild(tree, list); node !== 0; node = getNextSibling(tree, node)) {
    if (kept[node] !== 1 || isBlank(view, node)) continue;
    if (isText(tree, node) || PARAGRAPH_TAGS[getTag(tree, node)] === 1) shape.text = true;
    else if (getTag(tree, node) === TAG.li) {
      shape.items = true;
      shape.loose ||= isLoose(view, node, compact);
      if (isEmpty(view, node)) continue;
      shape.filled = true;
      items++;
      if (startsWithParagraph(view, node)) paragraphs++;
    } else strays++;
  }
  // A single child that is not an item does not make a list.
  if (!shape.items && strays === 1) shape.text = true;
  shape.loose ||= items > 1 && paragraphs === items && !compact;
  return shape;
}

/**
 * Classes that declare a compact list; `PARAGRAPH_LIST_CLASS` matches generators that put a paragraph into each item of
 * any list.
 */
const COMPACT_CLASS = /(?:^|\s)(?:simple|compact)(?:\s|$)/;
const PARAGRAPH_LIST_CLASS = /(?:^|\s)(?:ulist|olist|itemizedlist|orderedlist)(?:\s|$)/;

function isCompact({ tree }: View, list: number): boolean {
  if (getAttribute(tree, list, 'compact') !== null) return true;
  const names = getKnownAttribute(tree, list, ATTRIBUTE.class) ?? '';
  if (COMPACT_CLASS.test(names) || PARAGRAPH_LIST_CLASS.test(names)) return true;
  return PARAGRAPH_LIST_CLASS.test(getKnownAttribute(tree, getParent(tree, list), ATTRIBUTE.class) ?? '');
}

function isLoose({ tree }: View, item: number, compact: boolean): boolean {
  let paragraphs = 0;
  let lists = 0;
  let texts = 0;
  for (let node = getFirstChild(tree, item); node !== 0; node = getNextSibling(tree, node)) {
    const tag = getTag(tree, node);
    if (tag === TAG.p) texts++;
    if (PARAGRAPH_TAGS[tag] === 1) paragraphs++;
    else if (LIST_TAGS[tag] === 1) lists++;
    if (paragraphs > 1 || (texts > 0 && lists > 0 && !compact)) return true;
  }
  return false;
}

function startsWithParagraph(view: View, item: number): boolean {
  const first = getFirstChild(view.tree, item);
  return getTag(view.tree, isBlank(view, first) ? getNextSibling(view.tree, first) : first) === TAG.p;
}

function isBlank({ tree }: View, node: number): boolean {
  return isText(tree, node) && ((tree.flags[node] ?? 0) & WHITESPACE) !== 0;
}

function isEmpty(view: View, item: number): boolean {
  const first = getFirstChild(view.tree, item);
  return first === 0 || (isBlank(view, first) && getNextSibling(view.tree, first) === 0);
}

const BULLETS = ['-', '*'] as const;
const NUMBER_SIGNS = ['.', ')'] as const;

type ListContext = {
  readonly blocks: BlockWriters;
  readonly shape: ListShape;
  readonly sign: string;
  readonly open: OpenList;
};

function writeItems(r: RenderState, list: number, { blocks, shape, sign, open }: ListContext): void {
  const { tree, kept } = r.view;
  const ordered = getTag(tree, list) === TAG.ol;
  const { step, start } = ordered ? readNumbering(r.view, list) : { step: 1, start: 0 };
  let number = start;
  let first = true;
  let mark = `${sign} `;
  for (const node of listItems(r, list)) {
    const tag = getTag(tree, node);
    if (kept[node] !== 1 || isBlank(r.view, node) || isUnseen(tree, node)) continue;
    if (shape.text && tag !== TAG.li && !isBlock(tree, node)) {
      writeInline(r, node);
      continue;
    }
    const afterText = r.parts.length > 0;
    blocks.flush(r);
    const note = r.footnotes.notes.get(node);
    if (ordered && tag === TAG.li) number = parseNumber(getKnownAttribute(tree, node, ATTRIBUTE.value), number);
    const empty = tag === TAG.li && isEmpty(r.view, node);
    if (empty && !shape.filled) continue;
    const aside = PARAGRAPH_TAGS[tag] === 1 || afterText || (r.plain && shape.loose);
    if (!first && note === undefined && !aside) joinNextBlock(r.writer, open);
    // Only a list that starts at one with a nonempty item can follow a paragraph without a blank line.
    else if (aside || (ordered && number !== 1) || empty || note !== undefined) r.writer.gap = 'blank';
    const before = r.writer.parts.length;
    const stray = LIST_TAGS[tag] === 1 || PARAGRAPH_TAGS[tag] === 1;
    if (!stray) mark = ordered ? formatMark(number, sign) : `${sign} `;
    const rest = formatIndent(mark);
    if (note !== undefined) writeNote(r, note, () => writeItem(r, node, blocks));
    // A list or paragraph directly inside a list belongs to the previous item.
    else if (stray && first) blocks.one(r, node);
    else if (stray) writePrefixed(r.writer, { first: rest, rest, list: open }, () => blocks.one(r, node));
    else if (empty) writePrefixed(r.writer, { first: mark, rest, list: open }, () => writeEmptyItem(r.writer));
    else writePrefixed(r.writer, { first: mark, rest, list: open }, () => writeItem(r, node, blocks));
    if (ordered && !stray) number = Math.min(number + step, MAX_NUMBER);
    if (r.writer.parts.length > before) first = false;
  }
  blocks.flush(r);
}

/** The class of a Google Docs list: the ID of the whole list, and the level. */
const GOOGLE_DOCS_LEVEL = /(?:^|\s)lst-(kix_\w+)-(\d)(?:\s|$)/;

/**
 * The children of a list. Google Docs writes each level and each section of a list as a separate sibling list;
 * following lists of a deeper level are nested, and the items of those of the same level are appended.
 */
function* listItems(r: RenderState, list: number): Generator<number> {
  const { tree } = r.view;
  yield* listChildren(tree, list);
  const own = GOOGLE_DOCS_LEVEL.exec(getKnownAttribute(tree, list, ATTRIBUTE.class) ?? '');
  if (own === null) return;
  for (let next = getNextSibling(tree, list); next !== 0; next = getNextSibling(tree, next)) {
    if (isBlank(r.view, next) || r.written.has(next)) continue;
    const level =
      LIST_TAGS[getTag(tree, next)] === 1
        ? GOOGLE_DOCS_LEVEL.exec(getKnownAttribute(tree, next, ATTRIBUTE.class) ?? '')
        : null;
    const depth = level !== null && level[1] === own[1] ? Number(level[2]) - Number(own[2]) : -1;
    if (depth < 0 || (depth === 0 && getTag(tree, next) !== getTag(tree, list))) return;
    r.written.add(next);
    if (depth > 0) yield next;
    else yield* listChildren(tree, next);
  }
}

function parseNumber(value: string | null, otherwise: number): number {
  const number = value === null ? otherwise : Number.parseInt(value, 10);
  return Math.abs(number) <= MAX_NUMBER ? number : otherwise;
}

/** The marker of a numbered item. Markdown has no negative numbers, so those become the text of a bullet. */
function formatMark(number: number, sign: string): string {
  return number < 0 ? `- ${number}${sign} ` : `${number}${sign} `;
}

/** The indentation of the further lines of an item. */
function formatIndent(mark: string): string {
  return ' '.repeat(/^[-*] /.test(mark) ? 2 : mark.length);
}

/** The number of the first item, and the increment. */
function readNumbering(view: View, list: number): { readonly step: number; readonly start: number } {
  const isReversed = getAttribute(view.tree, list, 'reversed') !== null;
  const start = parseNumber(
    getKnownAttribute(view.tree, list, ATTRIBUTE.start),
    isReversed ? countItems(view.tree, list) : 1,
  );
  return { step: isReversed ? -1 : 1, start };
}

function writeItem(r: RenderState, item: number, blocks: BlockWriters): void {
  if (getTag(r.view.tree, item) === TAG.li) return blocks.inside(r, item);
  if (isBlock(r.view.tree, item)) return blocks.one(r, item);
  writeInline(r, item);
  blocks.flush(r);
}

/** Writes an item outside of any list. */
export function writeLooseItem(r: RenderState, node: number, blocks: BlockWriters): void {
  writePrefixed(r.writer, { first: '- ', rest: '  ' }, () => writeItem(r, node, blocks));
}

/** Writes a footnote definition; its blocks are indented by four spaces, as GitHub and Pandoc expect. */
export function writeNote(r: RenderState, label: string, write: () => void): void {
  r.writer.gap = 'blank';
  writePrefixed(r.writer, { first: `[^${label}]: `, rest: '    ' }, write);
  r.writer.gap = 'blank';
}
