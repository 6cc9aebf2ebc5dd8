import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import {
  charactersOf,
  isText,
  knownAttribute,
  parentOf,
  subtreeEndOf,
  tagOf,
  type Tree,
  WHITESPACE,
} from '#extract/html/tree.ts';
import { collapsedText } from '#extract/html/element-text.ts';
import { isBlock, type View } from '#extract/view/view.ts';

/** A remark that stands apart from the text, as documentation has them: what kind it is of, and what in it only says so. */
export type Admonition = {
  /** `Warning`, or its own title; null where its text begins with the kind. */
  readonly label: string | null;
  /** The element that holds the title, and pictures that stand for it. */
  readonly titleNodes: readonly number[];
};

/** Kinds by the names that generators give them; what only colours many a box needs a name that says that it is a remark. */
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
/** Names that say that an element is a remark. */
const ADMONITION_CLASS =
  /(?:^|\s)(?:admonition(?:block)?|admonish-\w+|alert|callout|custom-block|markdown-alert|notecard|starlight-aside|theme-admonition)(?:\s|$)/i;
const POSSIBLE_CLASS =
  /note|tip|hint|important|warning|caution|danger|attention|admon|callout|alert|custom-block|section/i;
const BOX_TAGS = tagSet('div aside section dl details');
/** A list of definitions that is a remark has this name beside its kind. */
const SECTION_CLASS = /(?:^|\s)section(?:\s|$)/;
const TITLE_CLASS = /title|heading|label|caption|marker/i;
const MAX_TITLE_LENGTH = 120;
const MAX_TITLE_NODES = 40;
/** An element of more is a part of the page, whatever it is called. */
const MAX_NODES = 1000;

/** An element as a remark; null for any other. */
export function findAdmonition(view: View, node: number): Admonition | null {
  const { tree } = view;
  if (BOX_TAGS[tagOf(tree, node)] !== 1 || subtreeEndOf(tree, node) - node > MAX_NODES) return null;
  const names = knownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  const isNote = /^note$/i.test(knownAttribute(tree, node, ATTRIBUTE.role) ?? '');
  if (!isNote && !POSSIBLE_CLASS.test(names)) return null;
  if (tagOf(tree, node) === TAG.dl && !SECTION_CLASS.test(names)) return null;
  const isRemark = tagOf(tree, node) === TAG.dl || ADMONITION_CLASS.test(names);
  const kind = findKind(names, isRemark);
  const isOne = kind !== null || isNote || /(?:^|\s)admonition(?:\s|$)/i.test(names);
  return isOne ? readAdmonition(view, node, kind ?? 'Note') : null;
}

function findKind(names: string, isRemark: boolean): string | null {
  const words = names.trim().toLowerCase().split(/\s+/);
  // A name that is nothing but the kind says so by itself.
  if (!isRemark) return words.length === 1 ? (KINDS.get(words[0] ?? '') ?? null) : null;
  for (const word of words.flatMap((name) => name.split(/[-_]+/))) {
    const kind = KINDS.get(word) ?? WEAK_KINDS.get(word);
    if (kind !== undefined) return kind;
  }
  return null;
}

/** The remark by its title: the first thing that it shows, where that is named so or says a kind and nothing else. */
function readAdmonition(view: View, node: number, kind: string): Admonition | null {
  const { tree, kept } = view;
  const end = Math.min(subtreeEndOf(tree, node), node + MAX_TITLE_NODES);
  const told: number[] = [];
  for (let at = node + 1; at < end; at++) {
    if (kept[at] !== 1) continue;
    if (tagOf(tree, at) === TAG.img) told.push(at);
    if (!isText(tree, at) || ((tree.flags[at] ?? 0) & WHITESPACE) !== 0 || isInDrawing(tree, at)) continue;
    const block = findBlock(tree, at, node);
    const lead = charactersOf(tree, at, MAX_TITLE_LENGTH);
    if (block === node) return { label: startsWithKind(lead) ? null : kind, titleNodes: [] };
    const text = collapsedText(tree, block, 2 * MAX_TITLE_LENGTH);
    const isTitle = text.length <= MAX_TITLE_LENGTH && (parseKind(text) !== null || isTitleBlock(tree, block, node));
    // A heading of its own makes a section of what has no other sign.
    if (!isTitle && isHeading(tree, block)) return null;
    if (isTitle) return { label: formatLabel(text, kind), titleNodes: [...told, findCell(tree, block, node) ?? block] };
    return { label: startsWithKind(lead) || startsWithKind(text) ? null : kind, titleNodes: told };
  }
  return null;
}

/** Whether a text is part of a drawing, or of what is not shown. */
function isInDrawing(tree: Tree, text: number): boolean {
  const tag = tagOf(tree, parentOf(tree, text));
  return tag === TAG.title || tag === TAG.style || tag === TAG.script;
}

/** The innermost block around a text inside a remark; the remark itself where there is none. */
function findBlock(tree: Tree, text: number, remark: number): number {
  let block = parentOf(tree, text);
  while (block !== remark && !isBlock(tree, block)) block = parentOf(tree, block);
  return block;
}

/** The cell of a table inside a remark that a title stands in, which lays it out. */
function findCell(tree: Tree, block: number, remark: number): number | null {
  for (let at = block; at !== remark; at = parentOf(tree, at)) {
    if (tagOf(tree, at) === TAG.td || tagOf(tree, at) === TAG.th) return at;
  }
  return null;
}

function isHeading(tree: Tree, node: number): boolean {
  const tag = tagOf(tree, node);
  return tag >= TAG.h1 && tag <= TAG.h6;
}

function isTitleBlock(tree: Tree, block: number, remark: number): boolean {
  for (let at = block; at !== remark; at = parentOf(tree, at)) {
    const tag = tagOf(tree, at);
    if (tag === TAG.dt || tag === TAG.summary || tag === TAG.th) return true;
    if (TITLE_CLASS.test(knownAttribute(tree, at, ATTRIBUTE.class) ?? '')) return true;
  }
  return false;
}

/** The kind that a text names and nothing else. */
function parseKind(text: string): string | null {
  const word = text
    .replace(/[^\p{L} ]/gu, '')
    .trim()
    .toLowerCase();
  return KINDS.get(word) ?? WEAK_KINDS.get(word.replaceAll(' ', '')) ?? null;
}

/** The kind and the title; a title of one word is the kind in the language of the page. */
function formatLabel(title: string, kind: string): string {
  const said = parseKind(title);
  if (said !== null) return said;
  const plain = title.replace(/\s*[:.]\s*$/, '');
  const names = plain.toLowerCase().startsWith(kind.toLowerCase()) || !/\s/.test(plain);
  return names ? plain : `${kind}: ${plain}`;
}

/** Whether a text names its kind itself, as "Note: the mill is closed". */
function startsWithKind(text: string): boolean {
  const lead = /^[^\p{L}]*(\p{L}+(?: also)?)\s*(?:[:.!–—-]|$)/u.exec(text)?.[1];
  return lead !== undefined && parseKind(lead) !== null;
}
