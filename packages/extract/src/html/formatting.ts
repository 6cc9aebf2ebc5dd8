import {
  appendChild,
  type Builder,
  createNode,
  getCurrent,
  getCurrentTag,
  detach,
  insertNode,
  isFosterParent,
  placeBeforeTable,
  popOpen,
  popToDepth,
  pushOpen,
  removeOpen,
} from './builder.ts';
import { closeImplied, isInScope, isSpecial } from './scope.ts';
import { HTML_NAMESPACE } from './tree.ts';

/** Separates the formatting elements inside a cell, caption, template or object from those outside. */
const MARKER = -1;
/** Maximum active formatting elements in one scope. A page that leaves more open is hostile. */
const MAX_FORMATTING = 64;

/** Starts a new scope of formatting elements. */
export function pushMarker(b: Builder): void {
  b.formatting.push(MARKER);
}

/** Removes formatting elements up to and including the last marker. */
export function clearToMarker(b: Builder): void {
  while (b.formatting.length > 0) {
    if (b.formatting.pop() === MARKER) return;
  }
}

/** Adds an open formatting element. The first of four equal ones is removed. */
export function pushFormatting(b: Builder, node: number): void {
  const list = b.formatting;
  let equal = 0;
  let at = list.length - 1;
  for (; at >= 0 && list[at] !== MARKER; at--) {
    const other = list[at] ?? 0;
    if (isSameElement(b, other, node) && ++equal === 3) {
      list.splice(at, 1);
      break;
    }
  }
  if (list.length - 1 - at >= MAX_FORMATTING) list.splice(at + 1, 1);
  list.push(node);
}

function isSameElement(b: Builder, one: number, other: number): boolean {
  const count = b.attributeCount[one] ?? 0;
  if (b.tag[one] !== b.tag[other] || count !== b.attributeCount[other]) return false;
  for (let at = 0; at < count; at++) {
    if (readAttributeSource(b, one, at) !== readAttributeSource(b, other, at)) return false;
  }
  return true;
}

function readAttributeSource(b: Builder, node: number, at: number): string {
  const attribute = (b.attributeStart[node] ?? 0) + at;
  return b.source.slice(b.nameStart[attribute] ?? 0, b.valueEnd[attribute] ?? 0);
}

/** The innermost active element with that tag in the scope, -1 if there is none. */
export function findLastFormatting(b: Builder, tag: number): number {
  for (let at = b.formatting.length - 1; at >= 0; at--) {
    const node = b.formatting[at] ?? MARKER;
    if (node === MARKER) return -1;
    if (b.tag[node] === tag) return node;
  }
  return -1;
}

/** Reopens the formatting elements that a block closed. */
export function reconstructFormatting(b: Builder): void {
  const list = b.formatting;
  let at = list.length - 1;
  if (at < 0 || isOpenOrMarker(b, list[at] ?? MARKER)) return;
  while (at > 0 && !isOpenOrMarker(b, list[at - 1] ?? MARKER)) at--;
  for (; at < list.length && b.copiesLeft > 0; at++) {
    list[at] = insertNode(b, copyElement(b, list[at] ?? 0));
  }
}

function isOpenOrMarker(b: Builder, entry: number): boolean {
  return entry === MARKER || b.open[entry] === 1;
}

function copyElement(b: Builder, node: number): number {
  const copy = createNode(b, b.tag[node] ?? 0, b.start[node] ?? 0, b.end[node] ?? 0);
  b.attributeStart[copy] = b.attributeStart[node] ?? 0;
  b.attributeCount[copy] = b.attributeCount[node] ?? 0;
  b.copiesLeft--;
  return copy;
}

/** Removes an element from the active formatting elements. */
export function forgetFormatting(b: Builder, node: number): void {
  const at = b.formatting.lastIndexOf(node);
  if (at >= 0) b.formatting.splice(at, 1);
}

/** The adoption agency algorithm of the HTML standard: closes a formatting element with blocks inside. */
export function runAdoptionAgency(b: Builder, tag: number): void {
  if (getCurrentTag(b) === tag) {
    const isLast = b.formatting.at(-1) === getCurrent(b);
    if (isLast) b.formatting.pop();
    if (isLast || !b.formatting.includes(getCurrent(b))) {
      popOpen(b);
      return;
    }
  }
  for (let round = 0; round < 8; round++) {
    const element = findLastFormatting(b, tag);
    if (element < 0) return closeOrdinary(b, tag);
    if (b.open[element] === 0) return forgetFormatting(b, element);
    if (!isInScope(b, tag, 'element')) return;
    const at = b.stack.lastIndexOf(element, b.depth - 1);
    const block = findFurthestBlock(b, at);
    if (block < 0 || b.copiesLeft <= 0) {
      popToDepth(b, at);
      return forgetFormatting(b, element);
    }
    adoptBlock(b, { element, at, block });
  }
}

/** The stack position of the outermost special element inside the one at `at`, -1 if there is none. */
function findFurthestBlock(b: Builder, at: number): number {
  for (let inner = at + 1; inner < b.depth; inner++) {
    const element = b.stack[inner] ?? 0;
    if (isSpecial(b, element)) return inner;
  }
  return -1;
}

type Adoption = { readonly element: number; readonly at: number; readonly block: number };

function adoptBlock(b: Builder, { element, at, block }: Adoption): void {
  const furthest = b.stack[block] ?? 0;
  const ancestor = b.stack[at - 1] ?? 0;
  let bookmark = b.formatting.lastIndexOf(element);
  let last = furthest;
  let inner = 0;
  for (let place = block - 1; place > at; place--) {
    inner++;
    const node = b.stack[place] ?? 0;
    const listed = b.formatting.lastIndexOf(node);
    if (listed < 0 || inner > 3) {
      if (listed >= 0) b.formatting.splice(listed, 1);
      if (listed >= 0 && listed < bookmark) bookmark--;
      removeOpen(b, node);
      continue;
    }
    const copy = copyElement(b, node);
    b.formatting[listed] = copy;
    b.stack[place] = copy;
    b.open[node] = 0;
    b.open[copy] = 1;
    if (last === furthest) bookmark = listed + 1;
    moveNode(b, copy, last);
    last = copy;
  }
  detach(b, last);
  if (isFosterParent(b, ancestor)) placeBeforeTable(b, last);
  else appendChild(b, ancestor, last);
  const copy = copyElement(b, element);
  moveChildren(b, furthest, copy);
  appendChild(b, furthest, copy);
  b.moved = true;
  replaceFormatting(b, { element, copy, bookmark });
  removeOpen(b, element);
  openAbove(b, furthest, copy);
}

function moveNode(b: Builder, parent: number, node: number): void {
  detach(b, node);
  appendChild(b, parent, node);
}

function moveChildren(b: Builder, from: number, to: number): void {
  let child = b.firstChild[from] ?? 0;
  while (child !== 0) {
    const next = b.nextSibling[child] ?? 0;
    b.nextSibling[child] = 0;
    appendChild(b, to, child);
    child = next;
  }
  b.firstChild[from] = 0;
  b.lastChild[from] = 0;
}

type Replacement = { readonly element: number; readonly copy: number; readonly bookmark: number };

function replaceFormatting(b: Builder, { element, copy, bookmark }: Replacement): void {
  const old = b.formatting.lastIndexOf(element);
  b.formatting.splice(old, 1);
  b.formatting.splice(old < bookmark ? bookmark - 1 : bookmark, 0, copy);
}

/** Inserts `node` right above `below` in the stack. */
function openAbove(b: Builder, below: number, node: number): void {
  const at = b.stack.lastIndexOf(below, b.depth - 1) + 1;
  pushOpen(b, node);
  b.stack.copyWithin(at + 1, at, b.depth - 1);
  b.stack[at] = node;
}

/**
 * An end tag without its own rule: closes the innermost element with that tag unless a special element is in between.
 */
export function closeOrdinary(b: Builder, tag: number): void {
  if (b.openCount[tag] === 0) return;
  for (let at = b.depth - 1; at > 0; at--) {
    const element = b.stack[at] ?? 0;
    if (b.namespace[element] === HTML_NAMESPACE && b.tag[element] === tag) {
      closeImplied(b, tag);
      return popToDepth(b, at);
    }
    if (isSpecial(b, element)) return;
  }
}
