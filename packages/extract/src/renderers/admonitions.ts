import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import {
  readCharacters,
  isText,
  getKnownAttribute,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
  WHITESPACE,
  readCollapsedText,
} from '#extract/html/tree.ts';
import { isBlock, type View } from '#extract/view/view.ts';

/** An admonition as documentation uses them, such as a note or a warning. */
export type Admonition = {
  /** `Warning`, or its own title; null if its text begins with the kind. */
  readonly label: string | null;
  /** The element with the title, and icons before it; neither is written again. */
  readonly titleNodes: readonly number[];
};

/**
 * Kinds by the class names that generators use. Those of `WEAK_KINDS` also style ordinary boxes, so they need a class
 * that declares an admonition.
 */
const KINDS: ReadonlyMap<string, string> = new Map([
  ['note', 'Note'],
  ['tip', 'Tip'],
  ['hint', 'Hint'],
  ['important', 'Important'],
  ['warning', 'Warning'],
  ['caution', 'Caution'],
  ['danger', 'Danger'],
  ['attention', 'Attention'],
]);
const WEAK_KINDS: ReadonlyMap<string, string> = new Map([
  ['info', 'Info'],
  ['error', 'Error'],
  ['seealso', 'See also'],
  ['remark', 'Remark'],
  ['todo', 'To do'],
]);
/** Class names that declare an admonition. */
const ADMONITION_CLASS =
  /(?:^|\s)(?:admonition(?:block)?|admonish-\w+|alert|callout|custom-block|markdown-alert|notecard|starlight-aside|theme-admonition)(?:\s|$)/i;
const POSSIBLE_CLASS =
  /note|tip|hint|important|warning|caution|danger|attention|admon|callout|alert|custom-block|section/i;
const BOX_TAGS = buildTagSet('div aside section dl details');
/** A definition list that is an admonition has this class besides its kind. */
const SECTION_CLASS = /(?:^|\s)section(?:\s|$)/;
const TITLE_CLASS = /title|heading|label|caption|marker/i;
const MAX_TITLE_LENGTH = 120;
const MAX_TITLE_NODES = 40;
/** A larger element is a part of the page, whatever its class. */
const MAX_NODES = 1000;

/** Reads an element as an admonition; null if it is none. */
export function findAdmonition(view: View, node: number): Admonition | null {
  const { tree } = view;
  if (BOX_TAGS[getTag(tree, node)] !== 1 || getSubtreeEnd(tree, node) - node > MAX_NODES) return null;
  const names = getKnownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  const isNote = /^note$/i.test(getKnownAttribute(tree, node, ATTRIBUTE.role) ?? '');
  if (!isNote && !POSSIBLE_CLASS.test(names)) return null;
  if (getTag(tree, node) === TAG.dl && !SECTION_CLASS.test(names)) return null;
  const isRemark = getTag(tree, node) === TAG.dl || ADMONITION_CLASS.test(names);
  const kind = findKind(names, isRemark);
  const isOne = kind !== null || isNote || /(?:^|\s)admonition(?:\s|$)/i.test(names);
  return isOne ? readAdmonition(view, node, kind ?? 'Note') : null;
}

function findKind(names: string, isRemark: boolean): string | null {
  const words = names.trim().toLowerCase().split(/\s+/);
  // A class attribute that consists only of the kind is enough.
  if (!isRemark) return words.length === 1 ? (KINDS.get(words[0] ?? '') ?? null) : null;
  for (const word of words.flatMap((name) => name.split(/[-_]+/))) {
    const kind = KINDS.get(word) ?? WEAK_KINDS.get(word);
    if (kind !== undefined) return kind;
  }
  return null;
}

/** Reads the title of an admonition: its first text, if its class says so or if it only names a kind. */
function readAdmonition(view: View, node: number, kind: string): Admonition | null {
  const { tree, kept } = view;
  const end = Math.min(getSubtreeEnd(tree, node), node + MAX_TITLE_NODES);
  const titleNodes: number[] = [];
  for (let at = node + 1; at < end; at++) {
    if (kept[at] !== 1) continue;
    if (getTag(tree, at) === TAG.img) titleNodes.push(at);
    if (!isText(tree, at) || ((tree.flags[at] ?? 0) & WHITESPACE) !== 0 || isInDrawing(tree, at)) continue;
    const block = findBlock(tree, at, node);
    const lead = readCharacters(tree, at, MAX_TITLE_LENGTH);
    if (block === node) return { label: startsWithKind(lead) ? null : kind, titleNodes: [] };
    const text = readCollapsedText(tree, block, 2 * MAX_TITLE_LENGTH);
    const isTitle = text.length <= MAX_TITLE_LENGTH && (parseKind(text) !== null || isTitleBlock(tree, block, node));
    // With a heading of its own and no other sign it is a section.
    if (!isTitle && isHeading(tree, block)) return null;
    if (isTitle)
      return { label: formatLabel(text, kind), titleNodes: [...titleNodes, findCell(tree, block, node) ?? block] };
    return { label: startsWithKind(lead) || startsWithKind(text) ? null : kind, titleNodes: titleNodes };
  }
  return null;
}

/** Whether a text is part of an SVG drawing or is not displayed. */
function isInDrawing(tree: Tree, text: number): boolean {
  const tag = getTag(tree, getParent(tree, text));
  return tag === TAG.title || tag === TAG.style || tag === TAG.script;
}

/** The innermost block around a text inside an admonition; the admonition itself if there is none. */
function findBlock(tree: Tree, text: number, remark: number): number {
  let block = getParent(tree, text);
  while (block !== remark && !isBlock(tree, block)) block = getParent(tree, block);
  return block;
}

/** The layout table cell around a title inside an admonition; null if there is none. */
function findCell(tree: Tree, block: number, remark: number): number | null {
  for (let at = block; at !== remark; at = getParent(tree, at)) {
    if (getTag(tree, at) === TAG.td || getTag(tree, at) === TAG.th) return at;
  }
  return null;
}

function isHeading(tree: Tree, node: number): boolean {
  const tag = getTag(tree, node);
  return tag >= TAG.h1 && tag <= TAG.h6;
}

function isTitleBlock(tree: Tree, block: number, remark: number): boolean {
  for (let at = block; at !== remark; at = getParent(tree, at)) {
    const tag = getTag(tree, at);
    if (tag === TAG.dt || tag === TAG.summary || tag === TAG.th) return true;
    if (TITLE_CLASS.test(getKnownAttribute(tree, at, ATTRIBUTE.class) ?? '')) return true;
  }
  return false;
}

/** The kind, if the text consists only of its name; else null. */
function parseKind(text: string): string | null {
  const word = text
    .replace(/[^\p{L} ]/gu, '')
    .trim()
    .toLowerCase();
  return KINDS.get(word) ?? WEAK_KINDS.get(word.replaceAll(' ', '')) ?? null;
}

/** The label for a title and kind. A one-word title is taken as the kind in the page's language. */
function formatLabel(title: string, kind: string): string {
  const ownKind = parseKind(title);
  if (ownKind !== null) return ownKind;
  const plain = title.replace(/\s*[:.]\s*$/, '');
  const names = plain.toLowerCase().startsWith(kind.toLowerCase()) || !/\s/.test(plain);
  return names ? plain : `${kind}: ${plain}`;
}

/** Whether a text names its kind itself, as in "Note: the mill is closed". */
function startsWithKind(text: string): boolean {
  const lead = /^[^\p{L}]*(\p{L}+(?: also)?)\s*(?:[:.!–—-]|$)/u.exec(text)?.[1];
  return lead !== undefined && parseKind(lead) !== null;
}
