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
  readonly told: readonly number[];
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
const COLOURS: ReadonlyMap<string, string> = new Map([
  ['info', 'Info'],
  ['error', 'Error'],
  ['seealso', 'See also'],
  ['remark', 'Remark'],
  ['todo', 'To do'],
]);
/** Names that say that an element is a remark. */
const REMARK =
  /(?:^|\s)(?:admonition(?:block)?|admonish-\w+|alert|callout|custom-block|markdown-alert|notecard|starlight-aside|theme-admonition)(?:\s|$)/i;
const MAY_BE = /note|tip|hint|important|warning|caution|danger|attention|admon|callout|alert|custom-block|section/i;
const BOXES = tagSet('div aside section dl details');
/** A list of definitions that is a remark has this name beside its kind. */
const LISTED = /(?:^|\s)section(?:\s|$)/;
const TITLED = /title|heading|label|caption|marker/i;
const MAX_TITLE = 120;
const FIRST_NODES = 40;
/** An element of more is a part of the page, whatever it is called. */
const MAX_NODES = 1000;

/** An element as a remark; null for any other. */
export function admonitionOf(view: View, node: number): Admonition | null {
  const { tree } = view;
  if (BOXES[tagOf(tree, node)] !== 1 || subtreeEndOf(tree, node) - node > MAX_NODES) return null;
  const names = knownAttribute(tree, node, ATTRIBUTE.class) ?? '';
  const isNote = /^note$/i.test(knownAttribute(tree, node, ATTRIBUTE.role) ?? '');
  if (!isNote && !MAY_BE.test(names)) return null;
  if (tagOf(tree, node) === TAG.dl && !LISTED.test(names)) return null;
  const isRemark = tagOf(tree, node) === TAG.dl || REMARK.test(names);
  const kind = kindOf(names, isRemark);
  const isOne = kind !== null || isNote || /(?:^|\s)admonition(?:\s|$)/i.test(names);
  return isOne ? withTitle(view, node, kind ?? 'Note') : null;
}

function kindOf(names: string, isRemark: boolean): string | null {
  const words = names.trim().toLowerCase().split(/\s+/);
  // A name that is nothing but the kind says so by itself.
  if (!isRemark) return words.length === 1 ? (KINDS.get(words[0] ?? '') ?? null) : null;
  for (const word of words.flatMap((name) => name.split(/[-_]+/))) {
    const kind = KINDS.get(word) ?? COLOURS.get(word);
    if (kind !== undefined) return kind;
  }
  return null;
}

/** The remark by its title: the first thing that it shows, where that is named so or says a kind and nothing else. */
function withTitle(view: View, node: number, kind: string): Admonition | null {
  const { tree, kept } = view;
  const end = Math.min(subtreeEndOf(tree, node), node + FIRST_NODES);
  const told: number[] = [];
  for (let at = node + 1; at < end; at++) {
    if (kept[at] !== 1) continue;
    if (tagOf(tree, at) === TAG.img) told.push(at);
    if (!isText(tree, at) || ((tree.flags[at] ?? 0) & WHITESPACE) !== 0 || isDrawn(tree, at)) continue;
    const block = blockAround(tree, at, node);
    const lead = charactersOf(tree, at, MAX_TITLE);
    if (block === node) return { label: startsWithKind(lead) ? null : kind, told: [] };
    const text = collapsedText(tree, block, 2 * MAX_TITLE);
    const isTitle = text.length <= MAX_TITLE && (saidKind(text) !== null || isTitled(tree, block, node));
    // A heading of its own makes a section of what has no other sign.
    if (!isTitle && isHeading(tree, block)) return null;
    if (isTitle) return { label: labelOf(text, kind), told: [...told, cellAround(tree, block, node) ?? block] };
    return { label: startsWithKind(lead) || startsWithKind(text) ? null : kind, told };
  }
  return null;
}

/** Whether a text is part of a drawing, or of what is not shown. */
function isDrawn(tree: Tree, text: number): boolean {
  const tag = tagOf(tree, parentOf(tree, text));
  return tag === TAG.title || tag === TAG.style || tag === TAG.script;
}

/** The innermost block around a text inside a remark; the remark itself where there is none. */
function blockAround(tree: Tree, text: number, remark: number): number {
  let block = parentOf(tree, text);
  while (block !== remark && !isBlock(tree, block)) block = parentOf(tree, block);
  return block;
}

/** The cell of a table inside a remark that a title stands in, which lays it out. */
function cellAround(tree: Tree, block: number, remark: number): number | null {
  for (let at = block; at !== remark; at = parentOf(tree, at)) {
    if (tagOf(tree, at) === TAG.td || tagOf(tree, at) === TAG.th) return at;
  }
  return null;
}

function isHeading(tree: Tree, node: number): boolean {
  const tag = tagOf(tree, node);
  return tag >= TAG.h1 && tag <= TAG.h6;
}

function isTitled(tree: Tree, block: number, remark: number): boolean {
  for (let at = block; at !== remark; at = parentOf(tree, at)) {
    const tag = tagOf(tree, at);
    if (tag === TAG.dt || tag === TAG.summary || tag === TAG.th) return true;
    if (TITLED.test(knownAttribute(tree, at, ATTRIBUTE.class) ?? '')) return true;
  }
  return false;
}

/** The kind that a text names and nothing else. */
function saidKind(text: string): string | null {
  const word = text
    .replace(/[^\p{L} ]/gu, '')
    .trim()
    .toLowerCase();
  return KINDS.get(word) ?? COLOURS.get(word.replaceAll(' ', '')) ?? null;
}

/** The kind and the title; a title of one word is the kind in the language of the page. */
function labelOf(title: string, kind: string): string {
  const said = saidKind(title);
  if (said !== null) return said;
  const plain = title.replace(/\s*[:.]\s*$/, '');
  const names = plain.toLowerCase().startsWith(kind.toLowerCase()) || !/\s/.test(plain);
  return names ? plain : `${kind}: ${plain}`;
}

/** Whether a text names its kind itself, as "Note: the mill is closed". */
function startsWithKind(text: string): boolean {
  const lead = /^[^\p{L}]*(\p{L}+(?: also)?)\s*(?:[:.!–—-]|$)/u.exec(text)?.[1];
  return lead !== undefined && saidKind(lead) !== null;
}
