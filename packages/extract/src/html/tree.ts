import { decodeHTML, decodeHTMLAttribute } from 'entities';
import { cutBesideReference, replaceCharacter, transformInPortions } from '#extract/values/portions.ts';
import { collapseSpace } from '#extract/values/space.ts';
import { ATTRIBUTE_NAMES, findAttributeId, TAG, TAG_NAMES } from './tag-names.ts';
import { BLOCK, getTagFlags, INVISIBLE } from './tags.ts';

/**
 * One parsed page as flat arrays indexed by node id. Ids are in document order: the descendants of `node` are the ids
 * from `node + 1` to `subtreeEnd[node] - 1`. Node 0 is the document, so 0 as a link means none. Text is only copied out
 * of the source on request. Comments and doctypes have no node.
 */
export type Tree = {
  /** The parsed text with line ends normalized to LF. All offsets refer to it. */
  readonly source: string;
  /** Whether the source contains NUL. Without it, texts need not be searched for NUL. */
  readonly hasNul: boolean;
  readonly count: number;
  readonly tag: Uint16Array;
  readonly parent: Int32Array;
  readonly firstChild: Int32Array;
  readonly lastChild: Int32Array;
  readonly nextSibling: Int32Array;
  readonly previousSibling: Int32Array;
  readonly subtreeEnd: Int32Array;
  /**
   * The range in the source: of an element its start tag, of a text node its characters. Empty for implied elements.
   */
  readonly start: Int32Array;
  readonly end: Int32Array;
  readonly flags: Uint8Array;
  readonly namespace: Uint8Array;
  readonly attributeStart: Int32Array;
  readonly attributeCount: Int32Array;
  /** Per attribute: its known id or 0, and the ranges of its name and value in the source. */
  readonly attributeId: Uint8Array;
  readonly nameStart: Int32Array;
  readonly nameEnd: Int32Array;
  readonly valueStart: Int32Array;
  readonly valueEnd: Int32Array;
  /** Tag names by id: the known ones, then the custom ones of this page. */
  readonly names: readonly string[];
  /** Elements beyond the depth limit were placed next to their parents. */
  readonly flattened: boolean;
};

/** Bits of `flags` of a text node. */
export const WHITESPACE = 1;
/** The text has character references to decode. */
export const HAS_REFERENCE = 2;
/** NUL becomes U+FFFD instead of nothing: in raw text and foreign content. */
export const KEEPS_NUL = 4;

/** Values of `namespace`. */
export const HTML_NAMESPACE = 0;
export const SVG_NAMESPACE = 1;
export const MATHML_NAMESPACE = 2;

/** An attribute with its lower-case name and decoded value. */
export type Attribute = { readonly name: string; readonly value: string };

/** The tag id of a node. */
export function getTag(tree: Tree, node: number): number {
  return tree.tag[node] ?? 0;
}

/** The parent of a node. 0 is the document. */
export function getParent(tree: Tree, node: number): number {
  return tree.parent[node] ?? 0;
}

/** The first child, 0 if there is none. */
export function getFirstChild(tree: Tree, node: number): number {
  return tree.firstChild[node] ?? 0;
}

/** The next sibling, 0 if there is none. */
export function getNextSibling(tree: Tree, node: number): number {
  return tree.nextSibling[node] ?? 0;
}

/** The previous sibling, 0 if there is none. */
export function getPreviousSibling(tree: Tree, node: number): number {
  return tree.previousSibling[node] ?? 0;
}

/** The id after the last descendant. */
export function getSubtreeEnd(tree: Tree, node: number): number {
  return tree.subtreeEnd[node] ?? 0;
}

/** The lower-case tag name, `#text`, or `#document`. */
export function getTagName(tree: Tree, node: number): string {
  const tag = getTag(tree, node);
  return TAG_NAMES[tag] ?? tree.names[tag] ?? '';
}

export function isText(tree: Tree, node: number): boolean {
  return tree.tag[node] === TAG.text;
}

export function isElement(tree: Tree, node: number): boolean {
  return getTag(tree, node) > TAG.text;
}

/** Whether a page has elements with a non-standard name that matches the pattern. */
export function hasCustomTag({ names }: Tree, pattern: RegExp): boolean {
  for (let tag = TAG_NAMES.length; tag < names.length; tag++) if (pattern.test(names[tag] ?? '')) return true;
  return false;
}

/** The first node with that tag from `from` on, 0 if there is none. */
export function findNextTag(tree: Tree, tag: number, from: number): number {
  const node = tree.tag.indexOf(tag, from);
  return node < 0 || node >= tree.count ? 0 : node;
}

/** The children of a node in order, including text nodes. */
export function listChildren(tree: Tree, node: number): readonly number[] {
  const children: number[] = [];
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) children.push(child);
  return children;
}

/** The decoded characters of a text node, from at most `longest` characters of source. */
export function readCharacters(tree: Tree, node: number, longest = Number.POSITIVE_INFINITY): string {
  const start = tree.start[node] ?? 0;
  const raw = tree.source.slice(start, Math.min(tree.end[node] ?? 0, start + longest));
  const flags = tree.flags[node] ?? 0;
  const text = (flags & HAS_REFERENCE) === 0 ? raw : transformInPortions(raw, cutBesideReference, decodeHTML);
  return tree.hasNul ? replaceCharacter(text, '\0', (flags & KEEPS_NUL) === 0 ? '' : '\uFFFD') : text;
}

/**
 * The decoded text of all descendants in order, without script, style, template and title. White space is not changed.
 */
export function readText(tree: Tree, node: number): string {
  if (isText(tree, node)) return readCharacters(tree, node);
  let text = '';
  const end = getSubtreeEnd(tree, node);
  for (let at = node + 1; at < end; at++) {
    const tag = getTag(tree, at);
    if (tag === TAG.text) text += readCharacters(tree, at);
    else if ((getTagFlags(tag) & INVISIBLE) !== 0) at = getSubtreeEnd(tree, at) - 1;
  }
  return text;
}

/** The decoded value of a known attribute (`ATTRIBUTE.href`). Null if the element does not have it. */
export function getKnownAttribute(tree: Tree, node: number, id: number): string | null {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + (tree.attributeCount[node] ?? 0);
  for (let at = first; at < end; at++) {
    if (tree.attributeId[at] === id) return readAttributeValue(tree, at);
  }
  return null;
}

/** The decoded value of an attribute by its lower-case name. Null if the element does not have it. */
export function getAttribute(tree: Tree, node: number, name: string): string | null {
  const id = findAttributeId(name);
  if (id > 0) return getKnownAttribute(tree, node, id);
  const first = tree.attributeStart[node] ?? 0;
  const end = first + (tree.attributeCount[node] ?? 0);
  for (let at = first; at < end; at++) {
    if (tree.attributeId[at] === 0 && hasNameAt(tree, at, name)) return readAttributeValue(tree, at);
  }
  return null;
}

/** The elements with an attribute of that lower-case name, in document order. */
export function listElementsWith(tree: Tree, name: string): readonly number[] {
  const id = findAttributeId(name);
  const found: number[] = [];
  if (id > 0 && !tree.attributeId.includes(id)) return found;
  for (let node = 1; node < tree.count; node++) {
    const first = tree.attributeStart[node] ?? 0;
    const end = first + (tree.attributeCount[node] ?? 0);
    for (let at = first; at < end; at++) {
      if (tree.attributeId[at] !== id || (id === 0 && !hasNameAt(tree, at, name))) continue;
      found.push(node);
      break;
    }
  }
  return found;
}

/** Whether an attribute has a lower-case name. Most are distinguished by length, without a copy. */
function hasNameAt(tree: Tree, at: number, name: string): boolean {
  const start = tree.nameStart[at] ?? 0;
  const isAsLong = (tree.nameEnd[at] ?? 0) - start === name.length;
  return isAsLong && (tree.source.startsWith(name, start) || readAttributeName(tree, at) === name);
}

/** The attributes of an element in source order. Of a repeated name only the first is included. */
export function listAttributes(tree: Tree, node: number): readonly Attribute[] {
  const first = tree.attributeStart[node] ?? 0;
  const end = first + (tree.attributeCount[node] ?? 0);
  const found = new Map<string, Attribute>();
  for (let at = first; at < end; at++) {
    const name = readAttributeName(tree, at);
    if (!found.has(name)) found.set(name, { name, value: readAttributeValue(tree, at) });
  }
  return [...found.values()];
}

function readAttributeName(tree: Tree, at: number): string {
  const id = tree.attributeId[at] ?? 0;
  if (id > 0) return ATTRIBUTE_NAMES[id] ?? '';
  return replaceNul(tree, toAsciiLowerCase(tree.source.slice(tree.nameStart[at] ?? 0, tree.nameEnd[at] ?? 0)));
}

function readAttributeValue(tree: Tree, at: number): string {
  const raw = tree.source.slice(tree.valueStart[at] ?? 0, tree.valueEnd[at] ?? 0);
  return replaceNul(tree, raw.includes('&') ? transformInPortions(raw, cutBesideReference, decodeHTMLAttribute) : raw);
}

/** Converts A to Z to lower case, as HTML compares names. */
export function toAsciiLowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function replaceNul({ hasNul }: Tree, text: string): string {
  return hasNul ? replaceCharacter(text, '\0', '\uFFFD') : text;
}

/** Default maximum number of characters read from one element. */
const MAX_LENGTH = 50_000;

/**
 * The text of an element with collapsed white space. Blocks and line breaks separate words. Elements for which `isRead`
 * returns false are skipped.
 */
export function readCollapsedText(
  tree: Tree,
  node: number,
  longest = MAX_LENGTH,
  isRead?: (element: number) => boolean,
): string {
  let text = '';
  const end = getSubtreeEnd(tree, node);
  for (let at = node + 1; at < end && text.length < longest; at++) {
    const tag = getTag(tree, at);
    if (tag === TAG.script || tag === TAG.style || isRead?.(at) === false) {
      at = getSubtreeEnd(tree, at) - 1;
      continue;
    }
    if (tag === TAG.br || (getTagFlags(tag) & BLOCK) !== 0) text += ' ';
    if (isText(tree, at)) {
      const before = getPreviousSibling(tree, at);
      if (before !== 0 && (getTagFlags(getTag(tree, before)) & BLOCK) !== 0) text += ' ';
      text += readCharacters(tree, at, longest);
    }
  }
  return collapseSpace(text);
}

/** The text nodes directly inside an element: the source of a script, the text of a title. */
export function readOwnText(tree: Tree, node: number): string {
  let text = '';
  for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) {
    if (isText(tree, child)) text += readCharacters(tree, child);
  }
  return text;
}

/** Binary search: the index of the first node greater than `node` in ascending nodes. Their length if there is none. */
export function findFirstAfter(nodes: readonly number[], node: number): number {
  let from = 0;
  let to = nodes.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((nodes[middle] ?? 0) > node) to = middle;
    else from = middle + 1;
  }
  return from;
}
