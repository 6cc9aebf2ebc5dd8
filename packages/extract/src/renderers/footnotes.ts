import {
  readCollapsedText,
  getAttribute,
  readCharacters,
  isText,
  getKnownAttribute,
  getNextSibling,
  getParent,
  getPreviousSibling,
  getSubtreeEnd,
  getTag,
  type Tree,
} from '#extract/html/tree.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { getTagFlags, HEADING, buildTagSet } from '#extract/html/tags.ts';
import { isBlock, type View } from '#extract/view/view.ts';

/** The footnotes of the included part of a page, each with its note and at least one reference. */
export type Footnotes = {
  /** Labels by the link that refers to the note. */
  readonly references: ReadonlyMap<number, string>;
  /** Labels by the block that contains the note. */
  readonly notes: ReadonlyMap<number, string>;
  /** Nodes that are only navigation: back links, their containers, and headings with nothing else. */
  readonly dropped: ReadonlySet<number>;
  /** For texts at the start of notes, the number of leading characters that are the label. */
  readonly labelled: ReadonlyMap<number, number>;
};

/** The footnotes of a page without any. */
export const NO_FOOTNOTES: Footnotes = {
  references: new Map(),
  notes: new Map(),
  dropped: new Set(),
  labelled: new Map(),
};

const LABEL = /^[[(]?\s*(\d{1,4}|[a-z]{1,2}|[ivxl]{1,6}|[*†‡§¶#]{1,3}|(?:note|nb|fn)\.?\s?\d{1,3})\s*[\])]?$/i;
/** Elements that may be a note; table cells cannot, because a Markdown row has no blocks. */
const NOTE_TAGS = buildTagSet('li p div dd aside section article h4 h5 h6');
const HEADING_TAGS = buildTagSet('h4 h5 h6');
const MAX_REFERENCES = 5000;
/** The most nodes and source characters of a link that is only a label. */
const MAX_LABEL_NODES = 12;
const MAX_LABEL_LENGTH = 40;
/** A longer element is a part of the page, not a note. */
const MAX_NOTE_NODES = 2000;
/** The most nodes between a reference and its anchor, before and after the link. */
const MAX_ANCHOR_BEFORE = 8;
const MAX_ANCHOR_AFTER = 3;

/** The start of a note, in source characters, in which it must have text besides the back link. */
const MAX_LABELLED_LENGTH = 2000;

type Reference = { readonly link: number; readonly fragment: string; readonly label: string };

/**
 * Finds footnotes by their links, whatever their classes: a short label that links to a block that links back to it; a
 * superscript that links to a list item; or a number or symbol after a word that links to a block starting with it.
 */
export function findFootnotes(view: View): Footnotes {
  const references = listReferences(view);
  if (references.length === 0) return NO_FOOTNOTES;
  const anchors = findAnchors(view.tree, new Set(references.map(({ fragment }) => fragment)));
  const candidates = new Map<number, Reference[]>();
  for (const reference of references) {
    const note = findNote(view, anchors.get(reference.fragment) ?? 0);
    // A back link has a short label too, but leads to an earlier position.
    if (note === 0 || reference.link >= note) continue;
    const known = candidates.get(note);
    if (known === undefined) candidates.set(note, [reference]);
    else known.push(reference);
  }
  return candidates.size === 0 ? NO_FOOTNOTES : buildFootnotes(view, candidates);
}

function listReferences({ tree, kept }: View): readonly Reference[] {
  const found: Reference[] = [];
  for (let link = 1; link < tree.count; link++) {
    if (tree.tag[link] !== TAG.a || kept[link] !== 1 || !mayBeLabel(tree, link)) continue;
    const fragment = getFragment(tree, link);
    if (fragment === '') continue;
    const label = LABEL.exec(readCollapsedText(tree, link, 20))?.[1];
    if (label !== undefined) found.push({ link, fragment, label });
    if (found.length >= MAX_REFERENCES) break;
  }
  return found;
}

/** Whether a link is short enough to be a label; most links are not. */
function mayBeLabel(tree: Tree, link: number): boolean {
  const end = getSubtreeEnd(tree, link);
  if (end > link + MAX_LABEL_NODES) return false;
  let characters = 0;
  for (let node = link + 1; node < end; node++) {
    if (isText(tree, node)) characters += (tree.end[node] ?? 0) - (tree.start[node] ?? 0);
  }
  return characters > 0 && characters <= MAX_LABEL_LENGTH;
}

/** The fragment that a link refers to; `''` if there is none. */
function getFragment(tree: Tree, link: number): string {
  const reference = getKnownAttribute(tree, link, ATTRIBUTE.href) ?? '';
  const at = reference.indexOf('#');
  return at < 0 ? '' : reference.slice(at + 1).trim();
}

/** The first element with each wanted ID or anchor name. */
function findAnchors(tree: Tree, wanted: ReadonlySet<string>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (let node = 1; node < tree.count; node++) {
    if (tree.attributeCount[node] === 0) continue;
    const id = getKnownAttribute(tree, node, ATTRIBUTE.id);
    const name = getTag(tree, node) === TAG.a ? getKnownAttribute(tree, node, ATTRIBUTE.name) : null;
    for (const key of [id, name]) if (key !== null && wanted.has(key) && !found.has(key)) found.set(key, node);
  }
  return found;
}

/** The note block that contains an anchor; 0 if there is none. */
function findNote({ tree, kept }: View, anchor: number): number {
  let node = anchor;
  while (node !== 0 && !isBlock(tree, node)) node = getParent(tree, node);
  if (node === 0 || kept[node] !== 1 || NOTE_TAGS[getTag(tree, node)] !== 1) return 0;
  return getSubtreeEnd(tree, node) - node <= MAX_NOTE_NODES ? node : 0;
}

function buildFootnotes(view: View, candidates: ReadonlyMap<number, readonly Reference[]>): Footnotes {
  const { tree } = view;
  const references = new Map<number, string>();
  const notes = new Map<number, string>();
  const dropped = new Set<number>();
  const labelled = new Map<number, number>();
  const labels = new Map<string, number>();
  for (const [note, mentions] of candidates) {
    const back = listBackLinks(tree, note, mentions);
    const isItem = getTag(tree, note) === TAG.li && mentions.some(({ link }) => isRaised(tree, link));
    const start = back.length === 0 ? readOneWayStart(tree, note, mentions) : null;
    if (back.length === 0 && !isItem && start === null) continue;
    const block = start === null ? findNoteBlock(tree, note, back) : note;
    if (block === 0 || notes.has(block)) continue;
    for (const [text, characters] of start ?? []) labelled.set(text, characters);
    const label = buildUniqueLabel(mentions[0]?.label ?? '', labels);
    for (const { link } of mentions) references.set(link, label);
    for (const link of back) dropped.add(findBackLinkBox(tree, link, note));
    for (const link of back) dropped.add(link);
    if (block !== note) dropped.add(note);
    notes.set(block, label);
  }
  return { references, notes, dropped, labelled };
}

/** For the first texts of a note, how many characters belong to its label. */
type NoteStart = readonly (readonly [text: number, characters: number])[];

/** Elements that may be a note without a back link; a section is too large. */
const ONE_WAY_NOTE_TAGS = buildTagSet('li p div dd aside');
/** A single letter is likely to be a link of an index. */
const ONE_WAY_LABEL = /^(?:\d{1,4}|[*†‡§¶]{1,3})$/;
/** The most texts over which a label may extend, and the characters of each that are read. */
const MAX_LABEL_TEXTS = 4;
const MAX_LABEL_CHARACTERS = 60;

/**
 * The label at the start of a note without a back link; an empty list if the note is the list item with that number.
 * Null if the block is no note: a reference must be a superscript or directly follow a word, unlike the links of a
 * table of contents or an index.
 */
function readOneWayStart(tree: Tree, note: number, mentions: readonly Reference[]): NoteStart | null {
  const label = mentions[0]?.label ?? '';
  if (!ONE_WAY_LABEL.test(label) || ONE_WAY_NOTE_TAGS[getTag(tree, note)] !== 1) return null;
  if (!mentions.some(({ link }) => isRaised(tree, link) || followsWord(tree, link)) || hasHeading(tree, note))
    return null;
  return isItemNumbered(tree, note, Number(label)) ? [] : readLabelAtStart(tree, note, label);
}

/** The most nodes before a link in which the word before it is searched for. */
const MAX_GLUE_NODES = 40;

/**
 * Whether a word directly precedes a link or a series of such links, as for a footnote number. Before a section number
 * there is a space.
 */
function followsWord(tree: Tree, link: number): boolean {
  let block = getParent(tree, link);
  while (block !== 0 && !isBlock(tree, block)) block = getParent(tree, block);
  const first = Math.max(block + 1, link - MAX_GLUE_NODES);
  for (let node = link - 1; node >= first; node--) {
    if (!isText(tree, node)) continue;
    const text = readCharacters(tree, node);
    if (getTag(tree, getParent(tree, node)) === TAG.a && LABEL.test(text)) continue;
    if (/^[\s,;]{0,3}$/.test(text)) continue;
    return /[\p{L}\p{N}\p{P}](?<![(#])$/u.test(text.replace(/\s*\[$/, '['));
  }
  return false;
}

function hasHeading(tree: Tree, node: number): boolean {
  const end = getSubtreeEnd(tree, node);
  for (let inside = node + 1; inside < end; inside++)
    if ((getTagFlags(getTag(tree, inside)) & HEADING) !== 0) return true;
  return false;
}

/** Whether an item has the given number in its list. */
function isItemNumbered(tree: Tree, item: number, number: number): boolean {
  const list = getParent(tree, item);
  if (getTag(tree, item) !== TAG.li || getTag(tree, list) !== TAG.ol || Number.isNaN(number)) return false;
  let before = number - Number.parseInt(getKnownAttribute(tree, list, ATTRIBUTE.start) ?? '1', 10);
  for (let node = getPreviousSibling(tree, item); node !== 0 && before >= 0; node = getPreviousSibling(tree, node))
    if (getTag(tree, node) === TAG.li) before--;
  return before === 0;
}

/**
 * How many characters at the start of a note are its label with the punctuation around it; null if it does not start
 * with the label, or has no other text.
 */
function readLabelAtStart(tree: Tree, note: number, label: string): NoteStart | null {
  const texts: (readonly [node: number, text: string])[] = [];
  const end = getSubtreeEnd(tree, note);
  for (let node = note + 1; node < end && texts.length < MAX_LABEL_TEXTS; node++)
    if (isText(tree, node)) texts.push([node, readCharacters(tree, node, MAX_LABEL_CHARACTERS)]);
  const start = texts.map(([, text]) => text).join('');
  const marked = /^\s*[[(]?\s*([\d*†‡§¶]{1,4})\s*[\])]?\s*[.:)–—-]?\s*/u.exec(start);
  if (marked === null || marked[1] !== label || marked[0].length === start.length) return null;
  let left = marked[0].length;
  // "1.5 metres" does not start with a label.
  if (/^\d/.test(start.slice(left)) && !/\s$/.test(marked[0])) return null;
  return texts.map(([node, text]) => {
    const own = Math.min(left, text.length);
    left -= own;
    return [node, own] as const;
  });
}

/** The links of a note that lead back to its references. */
function listBackLinks(tree: Tree, note: number, mentions: readonly Reference[]): readonly number[] {
  const links: number[] = [];
  const fragments = new Set<string>();
  for (const { link } of mentions) {
    for (let node = Math.max(1, link - MAX_ANCHOR_BEFORE); node <= link + MAX_ANCHOR_AFTER; node++) {
      for (const id of [ATTRIBUTE.id, ATTRIBUTE.name]) fragments.add(getKnownAttribute(tree, node, id) ?? '');
    }
  }
  fragments.delete('');
  const end = getSubtreeEnd(tree, note);
  for (let node = note; node < end; node++) {
    if (getTag(tree, node) !== TAG.a || !fragments.has(getFragment(tree, node))) continue;
    if (getTag(tree, note) === TAG.li || isBackLinkText(readCollapsedText(tree, node, 50))) links.push(node);
  }
  return links;
}

/** Whether a link text is a number or symbol. Words are a link between a table of contents and a heading. */
function isBackLinkText(text: string): boolean {
  return LABEL.test(text) || !/[\p{L}\p{N}]/u.test(text);
}

/** The inline container around a back link if it has nothing but symbols and back links; else the link itself. */
function findBackLinkBox(tree: Tree, link: number, note: number): number {
  let box = getParent(tree, link);
  while (box > note && !isBlock(tree, box) && getTag(tree, box) !== TAG.span) box = getParent(tree, box);
  if (box <= note || isBlock(tree, box) || getSubtreeEnd(tree, box) - box > MAX_BACK_NODES) return link;
  for (let node = box + 1; node < getSubtreeEnd(tree, box); node++) {
    if (getTag(tree, node) === TAG.a) node = getSubtreeEnd(tree, node) - 1;
    else if (isText(tree, node) && /[\p{L}\p{N}]/u.test(readCharacters(tree, node))) return link;
  }
  return box;
}

/** The most nodes of a container of back links. */
const MAX_BACK_NODES = 200;

function isRaised(tree: Tree, link: number): boolean {
  if (getTag(tree, getParent(tree, link)) === TAG.sup) return true;
  if (getAttribute(tree, link, 'role') === 'doc-noteref') return true;
  for (let node = link + 1; node < getSubtreeEnd(tree, link); node++) if (getTag(tree, node) === TAG.sup) return true;
  return false;
}

/** The block with the text of a note: the next block if this one only has the back link; 0 if there is none. */
function findNoteBlock(tree: Tree, note: number, back: readonly number[]): number {
  const links = back.reduce((sum, link) => sum + readCollapsedText(tree, link, 50).length, 0);
  if (readCollapsedText(tree, note, MAX_LABELLED_LENGTH).length > links + 1) {
    return HEADING_TAGS[getTag(tree, note)] === 1 ? 0 : note;
  }
  let next = getNextSibling(tree, note);
  while (next !== 0 && isText(tree, next)) next = getNextSibling(tree, next);
  return NOTE_TAGS[getTag(tree, next)] === 1 && back.length > 0 ? next : 0;
}

/** Converts a label to a valid footnote name; a second note with the same label gets a number. */
function buildUniqueLabel(text: string, taken: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const label = plain === '' ? String(taken.size + 1) : plain;
  const count = (taken.get(label) ?? 0) + 1;
  taken.set(label, count);
  return count === 1 ? label : `${label}-${count}`;
}
