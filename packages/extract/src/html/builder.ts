import { allocateInt32s, allocateUint16s, allocateUint8s } from './scratch.ts';
import { TAG, TAG_NAMES } from './tag-names.ts';
import { getTagFlags, FOSTER, MAX_TAGS } from './tags.ts';
import { HTML_NAMESPACE } from './tree.ts';

/** Deeper elements become siblings, as in browsers, so that code that walks the tree may recurse. */
export const MAX_DEPTH = 512;
/** Parent of a node that is not in the tree yet. */
const UNPLACED = -1;

/** The insertion modes of the HTML standard, section 13.2.4.1. */
export const MODE = {
  initial: 0,
  beforeHtml: 1,
  beforeHead: 2,
  inHead: 3,
  afterHead: 4,
  inBody: 5,
  inTable: 6,
  inCaption: 7,
  inColgroup: 8,
  inSection: 9,
  inRow: 10,
  inCell: 11,
  inTemplate: 12,
  afterBody: 13,
  inFrameset: 14,
  afterFrameset: 15,
} as const;

/**
 * What a rule tells the token loop: DONE: the token is consumed. AGAIN: process it again in the new mode. RAW_CONTENT:
 * raw text follows.
 */
export const DONE = 0;
export const AGAIN = 1;
export const RAW_CONTENT = 2;
/** DONE, AGAIN or RAW_CONTENT. */
export type RuleResult = 0 | 1 | 2;

/** The state of one parse: the growing tree, the stack of open elements and the current token. */
export type Builder = {
  readonly source: string;
  count: number;
  tag: Uint16Array<ArrayBuffer>;
  parent: Int32Array<ArrayBuffer>;
  firstChild: Int32Array<ArrayBuffer>;
  lastChild: Int32Array<ArrayBuffer>;
  nextSibling: Int32Array<ArrayBuffer>;
  previousSibling: Int32Array<ArrayBuffer>;
  start: Int32Array<ArrayBuffer>;
  end: Int32Array<ArrayBuffer>;
  flags: Uint8Array<ArrayBuffer>;
  namespace: Uint8Array<ArrayBuffer>;
  open: Uint8Array<ArrayBuffer>;
  attributeStart: Int32Array<ArrayBuffer>;
  attributeCount: Int32Array<ArrayBuffer>;
  attributes: number;
  attributeId: Uint8Array<ArrayBuffer>;
  nameStart: Int32Array<ArrayBuffer>;
  nameEnd: Int32Array<ArrayBuffer>;
  valueStart: Int32Array<ArrayBuffer>;
  valueEnd: Int32Array<ArrayBuffer>;
  readonly names: string[];
  readonly ids: Map<string, number>;
  /** Open elements, the html element first. `openCount` counts them by tag. */
  readonly stack: Int32Array<ArrayBuffer>;
  depth: number;
  readonly openCount: Uint16Array<ArrayBuffer>;
  /** Active formatting elements, with `MARKER` between scopes. */
  readonly formatting: number[];
  /**
   * How many more formatting elements may be copied. Without a limit, hostile markup would create copies without end.
   */
  copiesLeft: number;
  readonly templateModes: number[];
  mode: number;
  head: number;
  body: number;
  form: number;
  framesetOk: boolean;
  quirks: boolean;
  /** Foster parenting: nodes inserted into the structure of a table go before the table. */
  foster: boolean;
  /** A node was not added at the end, so ids are no longer in document order. */
  moved: boolean;
  /** The depth limit closed an element early. */
  flattened: boolean;
  skipNewline: boolean;
  tokenTag: number;
  tokenStart: number;
  tokenEnd: number;
  tokenAttributes: number;
  selfClosing: boolean;
};

/** Creates an empty document for the tokens of `source`. */
export function createBuilder(source: string): Builder {
  // Most pages have one node per 40 to 100 characters, and one attribute per 60 to 120. For others the arrays grow.
  const nodes = 64 + (source.length >> 5);
  const attributes = 64 + Math.floor(source.length / 48);
  const builder: Builder = {
    source,
    count: 0,
    tag: allocateUint16s(nodes),
    parent: allocateInt32s(nodes),
    firstChild: allocateInt32s(nodes),
    lastChild: allocateInt32s(nodes),
    nextSibling: allocateInt32s(nodes),
    previousSibling: allocateInt32s(nodes),
    start: allocateInt32s(nodes),
    end: allocateInt32s(nodes),
    flags: allocateUint8s(nodes),
    namespace: allocateUint8s(nodes),
    open: allocateUint8s(nodes),
    attributeStart: allocateInt32s(nodes),
    attributeCount: allocateInt32s(nodes),
    attributes: 0,
    attributeId: allocateUint8s(attributes),
    nameStart: allocateInt32s(attributes),
    nameEnd: allocateInt32s(attributes),
    valueStart: allocateInt32s(attributes),
    valueEnd: allocateInt32s(attributes),
    names: [...TAG_NAMES],
    ids: new Map(),
    stack: allocateInt32s(MAX_DEPTH + 16),
    depth: 0,
    openCount: allocateUint16s(MAX_TAGS),
    formatting: [],
    copiesLeft: 4096 + (source.length >> 6),
    templateModes: [],
    mode: MODE.initial,
    head: 0,
    body: 0,
    form: 0,
    framesetOk: true,
    quirks: false,
    foster: false,
    moved: false,
    flattened: false,
    skipNewline: false,
    tokenTag: 0,
    tokenStart: 0,
    tokenEnd: 0,
    tokenAttributes: 0,
    selfClosing: false,
  };
  createNode(builder, TAG.document, 0, source.length);
  builder.parent[0] = 0;
  return builder;
}

/** The id of a tag name that HTML does not define, assigned by this parse. */
export function registerTag(b: Builder, name: string): number {
  const known = b.ids.get(name);
  if (known !== undefined) return known;
  if (b.names.length >= MAX_TAGS) return TAG.span;
  const id = b.names.length;
  b.names.push(name);
  b.ids.set(name, id);
  return id;
}

/** Creates a node outside the tree. */
export function createNode(b: Builder, tag: number, start: number, end: number): number {
  if (b.count === b.tag.length) growNodes(b);
  const node = b.count++;
  b.tag[node] = tag;
  b.parent[node] = UNPLACED;
  b.start[node] = start;
  b.end[node] = end;
  b.attributeStart[node] = b.attributes;
  return node;
}

function growNodes(b: Builder): void {
  const size = b.tag.length * 2;
  b.tag = copyInto(b.tag, allocateUint16s(size));
  b.flags = copyInto(b.flags, allocateUint8s(size));
  b.namespace = copyInto(b.namespace, allocateUint8s(size));
  b.open = copyInto(b.open, allocateUint8s(size));
  b.parent = copyInto(b.parent, allocateInt32s(size));
  b.firstChild = copyInto(b.firstChild, allocateInt32s(size));
  b.lastChild = copyInto(b.lastChild, allocateInt32s(size));
  b.nextSibling = copyInto(b.nextSibling, allocateInt32s(size));
  b.previousSibling = copyInto(b.previousSibling, allocateInt32s(size));
  b.start = copyInto(b.start, allocateInt32s(size));
  b.end = copyInto(b.end, allocateInt32s(size));
  b.attributeStart = copyInto(b.attributeStart, allocateInt32s(size));
  b.attributeCount = copyInto(b.attributeCount, allocateInt32s(size));
}

/** Reserves the next attribute and returns its index. */
export function addAttribute(b: Builder): number {
  if (b.attributes === b.attributeId.length) {
    const size = b.attributes * 2;
    b.attributeId = copyInto(b.attributeId, allocateUint8s(size));
    b.nameStart = copyInto(b.nameStart, allocateInt32s(size));
    b.nameEnd = copyInto(b.nameEnd, allocateInt32s(size));
    b.valueStart = copyInto(b.valueStart, allocateInt32s(size));
    b.valueEnd = copyInto(b.valueEnd, allocateInt32s(size));
  }
  return b.attributes++;
}

function copyInto<A extends Uint8Array | Uint16Array | Int32Array>(from: A, to: A): A {
  to.set(from);
  return to;
}

/** The element that content is inserted into. */
export function getCurrent(b: Builder): number {
  return b.stack[b.depth - 1] ?? 0;
}

/** The tag of the current element. */
export function getCurrentTag(b: Builder): number {
  return b.tag[b.stack[b.depth - 1] ?? 0] ?? 0;
}

/** Adds a node after the last child of `parent`. */
export function appendChild(b: Builder, parent: number, node: number): void {
  const last = b.lastChild[parent] ?? 0;
  b.parent[node] = parent;
  b.previousSibling[node] = last;
  if (last === 0) b.firstChild[parent] = node;
  else b.nextSibling[last] = node;
  b.lastChild[parent] = node;
}

function insertBefore(b: Builder, reference: number, node: number): void {
  const parent = b.parent[reference] ?? 0;
  const previous = b.previousSibling[reference] ?? 0;
  b.parent[node] = parent;
  b.previousSibling[node] = previous;
  b.nextSibling[node] = reference;
  b.previousSibling[reference] = node;
  if (previous === 0) b.firstChild[parent] = node;
  else b.nextSibling[previous] = node;
}

/** Removes a node from its parent, if it has one. */
export function detach(b: Builder, node: number): void {
  const parent = b.parent[node] ?? UNPLACED;
  if (parent === UNPLACED) return;
  const previous = b.previousSibling[node] ?? 0;
  const next = b.nextSibling[node] ?? 0;
  if (previous === 0) b.firstChild[parent] = next;
  else b.nextSibling[previous] = next;
  if (next === 0) b.lastChild[parent] = previous;
  else b.previousSibling[next] = previous;
  b.nextSibling[node] = 0;
  b.previousSibling[node] = 0;
  b.parent[node] = UNPLACED;
  b.moved = true;
}

/** Inserts a node into the current element, or before the table when fostering. */
export function placeNode(b: Builder, node: number): void {
  const parent = getCurrent(b);
  if (b.foster && isFosterParent(b, parent)) placeBeforeTable(b, node);
  else appendChild(b, parent, node);
}

/** Whether content of this element must move before its table. */
export function isFosterParent(b: Builder, node: number): boolean {
  return (getTagFlags(b.tag[node] ?? 0) & FOSTER) !== 0 && b.namespace[node] === HTML_NAMESPACE;
}

/** Inserts content that a table cannot contain at the "appropriate place" of the standard. */
export function placeBeforeTable(b: Builder, node: number): void {
  b.moved = true;
  for (let at = b.depth - 1; at > 0; at--) {
    const element = b.stack[at] ?? 0;
    const tag = b.tag[element];
    if (tag === TAG.template) return appendChild(b, element, node);
    if (tag !== TAG.table) continue;
    if ((b.parent[element] ?? UNPLACED) !== UNPLACED) return insertBefore(b, element, node);
    return appendChild(b, b.stack[at - 1] ?? 0, node);
  }
  appendChild(b, b.stack[0] ?? 0, node);
}

/** Opens an element: puts it on the stack. */
export function pushOpen(b: Builder, node: number): void {
  const tag = b.tag[node] ?? 0;
  b.stack[b.depth++] = node;
  b.open[node] = 1;
  b.openCount[tag] = (b.openCount[tag] ?? 0) + 1;
}

/** Closes the current element and returns it. */
export function popOpen(b: Builder): number {
  const node = b.stack[--b.depth] ?? 0;
  const tag = b.tag[node] ?? 0;
  b.open[node] = 0;
  b.openCount[tag] = (b.openCount[tag] ?? 0) - 1;
  return node;
}

/** Removes an element from the middle of the stack. */
export function removeOpen(b: Builder, node: number): void {
  const at = b.stack.lastIndexOf(node, b.depth - 1);
  if (at < 0) return;
  b.stack.copyWithin(at, at + 1, b.depth);
  b.stack[b.depth - 1] = node;
  popOpen(b);
}

/** Inserts the element of the token and opens it. */
export function insertElement(b: Builder): number {
  const node = createNode(b, b.tokenTag, b.tokenStart, b.tokenEnd);
  b.attributeStart[node] = b.tokenAttributes;
  b.attributeCount[node] = b.attributes - b.tokenAttributes;
  return insertNode(b, node);
}

/** Inserts a node and opens it. At the depth limit the current element is closed first. */
export function insertNode(b: Builder, node: number): number {
  if (b.depth >= MAX_DEPTH) {
    b.flattened = true;
    popOpen(b);
  }
  placeNode(b, node);
  pushOpen(b, node);
  return node;
}

/** Inserts the element of the token and closes it. */
export function insertVoid(b: Builder): RuleResult {
  insertElement(b);
  popOpen(b);
  return DONE;
}

/** Inserts and opens an element that is not in the source. */
export function insertImplied(b: Builder, tag: number): number {
  return insertNode(b, createNode(b, tag, b.tokenStart, b.tokenStart));
}

/** Closes elements until the stack has this depth. */
export function popToDepth(b: Builder, depth: number): void {
  while (b.depth > depth) popOpen(b);
}
