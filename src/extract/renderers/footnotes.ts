import { collapsedText } from '#extract/html/element-text.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import {
  attributeOf,
  charactersOf,
  knownAttribute,
  nextOf,
  isText,
  parentOf,
  subtreeEndOf,
  tagOf,
} from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { isBlock } from '#extract/view/view.ts';
import type { View } from '#extract/view/view.ts';

/** The footnotes of what is read, each of them with its note and at least one reference to it. */
export type Footnotes = {
  /** The label by the link that refers to the note. */
  readonly references: ReadonlyMap<number, string>;
  /** The label by the block that is the note. */
  readonly notes: ReadonlyMap<number, string>;
  /** Navigation within a note: links back, and headings that hold nothing else. */
  readonly dropped: ReadonlySet<number>;
};

export const NO_FOOTNOTES: Footnotes = { references: new Map(), notes: new Map(), dropped: new Set() };

const LABEL = /^[[(]?\s*(\d{1,4}|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§¶#]{1,3}|(?:note|nb|fn)\.?\s?\d{1,3})\s*[\])]?$/i;
/** Blocks that can be a note; a cell cannot, because a row holds no blocks. */
const NOTES = tagSet('li p div dd aside section article h4 h5 h6');
const HEADINGS = tagSet('h4 h5 h6');
const MOST_REFERENCES = 5000;
/** Nodes and characters of the source inside a link that is a label, references to characters included. */
const MOST_LABEL_NODES = 12;
const LONGEST_LABEL = 40;
/** A note is long at most; a link to a part of the page with a short name is no reference. */
const MOST_NOTE_NODES = 2000;
/** How far from its link the anchor of a reference stands, in nodes before and after. */
const ANCHOR_BEFORE = 8;
const ANCHOR_AFTER = 3;

/** Characters of a note in which some text besides the link back has to stand, indentation included. */
const LONGEST_LABELLED = 2000;

type Reference = { readonly link: number; readonly fragment: string; readonly label: string };

/**
 * Finds footnotes without regard to the names that a page gives them: a short label that links to a block of the page
 * which links back to it, or a raised one that links to an item of a list.
 */
export function footnotesOf(view: View): Footnotes {
  const references = referencesOf(view);
  if (references.length === 0) return NO_FOOTNOTES;
  const anchors = anchorsOf(view.tree, new Set(references.map(({ fragment }) => fragment)));
  const candidates = new Map<number, Reference[]>();
  for (const reference of references) {
    const note = noteOf(view, anchors.get(reference.fragment) ?? 0);
    // The link back of a note is a short label too; what it leads to stands before it.
    if (note === 0 || reference.link >= note) continue;
    const known = candidates.get(note);
    if (known === undefined) candidates.set(note, [reference]);
    else known.push(reference);
  }
  return candidates.size === 0 ? NO_FOOTNOTES : joined(view, candidates);
}

function referencesOf({ tree, kept }: View): readonly Reference[] {
  const found: Reference[] = [];
  for (let link = 1; link < tree.count; link++) {
    if (tree.tag[link] !== TAG.a || kept[link] !== 1 || !isShort(tree, link)) continue;
    const fragment = fragmentOf(tree, link);
    if (fragment === '') continue;
    const label = LABEL.exec(collapsedText(tree, link, 20))?.[1];
    if (label !== undefined) found.push({ link, fragment, label });
    if (found.length >= MOST_REFERENCES) break;
  }
  return found;
}

/** Whether a link may hold no more than a label: most do not, and are not looked at further. */
function isShort(tree: Tree, link: number): boolean {
  const end = subtreeEndOf(tree, link);
  if (end > link + MOST_LABEL_NODES) return false;
  let characters = 0;
  for (let node = link + 1; node < end; node++) {
    if (isText(tree, node)) characters += (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  }
  return characters > 0 && characters <= LONGEST_LABEL;
}

/** The part of a page that a link names, `''` when it names none. */
function fragmentOf(tree: Tree, link: number): string {
  const reference = knownAttribute(tree, link, ATTRIBUTE.href) ?? '';
  const at = reference.indexOf('#');
  return at < 0 ? '' : reference.slice(at + 1).trim();
}

/** The first element of each wanted id, or anchor of that name. */
function anchorsOf(tree: Tree, wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let node = 1; node < tree.count; node++) {
    if (tree.attributeCount[node] === 0) continue;
    const id = knownAttribute(tree, node, ATTRIBUTE.id);
    const name = tagOf(tree, node) === TAG.a ? knownAttribute(tree, node, ATTRIBUTE.name) : null;
    for (const key of [id, name]) if (key !== null && wanted.has(key) && !found.has(key)) found.set(key, node);
  }
  return found;
}

/** The block that an anchor marks as a note, 0 for none. */
function noteOf({ tree, kept }: View, anchor: number): number {
  let node = anchor;
  while (node !== 0 && !isBlock(tree, node)) node = parentOf(tree, node);
  if (node === 0 || kept[node] !== 1 || NOTES[tagOf(tree, node)] !== 1) return 0;
  return subtreeEndOf(tree, node) - node <= MOST_NOTE_NODES ? node : 0;
}

function joined(view: View, candidates: ReadonlyMap<number, readonly Reference[]>): Footnotes {
  const { tree } = view;
  const references = new Map<number, string>();
  const notes = new Map<number, string>();
  const dropped = new Set<number>();
  const labels = new Map<string, number>();
  for (const [note, mentions] of candidates) {
    const back = linksBack(tree, note, mentions);
    if (back.length === 0 && !(tagOf(tree, note) === TAG.li && mentions.some(({ link }) => isRaised(tree, link))))
      continue;
    const block = blockOf(tree, note, back);
    if (block === 0 || notes.has(block)) continue;
    const label = uniqueLabel(mentions[0]?.label ?? '', labels);
    for (const { link } of mentions) references.set(link, label);
    for (const link of back) dropped.add(boxOf(tree, link, note));
    for (const link of back) dropped.add(link);
    if (block !== note) dropped.add(note);
    notes.set(block, label);
  }
  return { references, notes, dropped };
}

/** The links of a note that lead to where it is referred to. */
function linksBack(tree: Tree, note: number, mentions: readonly Reference[]): readonly number[] {
  const links: number[] = [];
  const fragments = new Set<string>();
  for (const { link } of mentions) {
    for (let node = Math.max(1, link - ANCHOR_BEFORE); node <= link + ANCHOR_AFTER; node++) {
      for (const id of [ATTRIBUTE.id, ATTRIBUTE.name]) fragments.add(knownAttribute(tree, node, id) ?? '');
    }
  }
  fragments.delete('');
  const end = subtreeEndOf(tree, note);
  for (let node = note; node < end; node++) {
    if (tagOf(tree, node) !== TAG.a || !fragments.has(fragmentOf(tree, node))) continue;
    if (tagOf(tree, note) === TAG.li || isMark(collapsedText(tree, node, 50))) links.push(node);
  }
  return links;
}

/** A number or an arrow, not the words that a table of contents and the heading of a chapter link each other by. */
function isMark(text: string): boolean {
  return LABEL.test(text) || !/[\p{L}\p{N}]/u.test(text);
}

/** The box around a link back that shows nothing but marks and such links, as a caret; the link itself where there is none. */
function boxOf(tree: Tree, link: number, note: number): number {
  let box = parentOf(tree, link);
  while (box > note && !isBlock(tree, box) && tagOf(tree, box) !== TAG.span) box = parentOf(tree, box);
  if (box <= note || isBlock(tree, box) || subtreeEndOf(tree, box) - box > MOST_BACK_NODES) return link;
  for (let node = box + 1; node < subtreeEndOf(tree, box); node++) {
    if (tagOf(tree, node) === TAG.a) node = subtreeEndOf(tree, node) - 1;
    else if (isText(tree, node) && /[\p{L}\p{N}]/u.test(charactersOf(tree, node))) return link;
  }
  return box;
}

/** Nodes of a box with the links back of a note. */
const MOST_BACK_NODES = 200;

function isRaised(tree: Tree, link: number): boolean {
  if (tagOf(tree, parentOf(tree, link)) === TAG.sup) return true;
  if (attributeOf(tree, link, 'role') === 'doc-noteref') return true;
  for (let node = link + 1; node < subtreeEndOf(tree, link); node++) if (tagOf(tree, node) === TAG.sup) return true;
  return false;
}

/** The block with the text of a note: after one that holds nothing but the link back the next, 0 when there is none. */
function blockOf(tree: Tree, note: number, back: readonly number[]): number {
  const links = back.reduce((sum, link) => sum + collapsedText(tree, link, 50).length, 0);
  if (collapsedText(tree, note, LONGEST_LABELLED).length > links + 1) {
    return HEADINGS[tagOf(tree, note)] === 1 ? 0 : note;
  }
  let next = nextOf(tree, note);
  while (next !== 0 && isText(tree, next)) next = nextOf(tree, next);
  return NOTES[tagOf(tree, next)] === 1 && back.length > 0 ? next : 0;
}

/** The label as it may stand in brackets; a second note of the same label is told apart by a number. */
function uniqueLabel(text: string, taken: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const label = plain === '' ? String(taken.size + 1) : plain;
  const count = (taken.get(label) ?? 0) + 1;
  taken.set(label, count);
  return count === 1 ? label : `${label}-${count}`;
}
