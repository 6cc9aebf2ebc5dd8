import { allocateInt32s } from './scratch.ts';
import type { Builder } from './builder.ts';
import type { Tree } from './tree.ts';

/** Nodes as linked columns, of which the first `count` are used. */
export type LinkedNodes = { count: number } & Pick<
  Builder,
  | 'tag'
  | 'parent'
  | 'firstChild'
  | 'lastChild'
  | 'nextSibling'
  | 'previousSibling'
  | 'start'
  | 'end'
  | 'flags'
  | 'namespace'
  | 'attributeStart'
  | 'attributeCount'
>;

/**
 * Builds the final tree. Nodes that were moved or removed while parsing are renumbered, so that ids are in document
 * order.
 */
export function buildTree(b: Builder, hasNul: boolean): Tree {
  if (b.moved) renumberNodes(b);
  const { count } = b;
  return {
    source: b.source,
    hasNul,
    count,
    tag: b.tag,
    parent: b.parent,
    firstChild: b.firstChild,
    lastChild: b.lastChild,
    nextSibling: b.nextSibling,
    previousSibling: b.previousSibling,
    subtreeEnd: computeSubtreeEnds(b),
    start: b.start,
    end: b.end,
    flags: b.flags,
    namespace: b.namespace,
    attributeStart: b.attributeStart,
    attributeCount: b.attributeCount,
    attributeId: b.attributeId,
    nameStart: b.nameStart,
    nameEnd: b.nameEnd,
    valueStart: b.valueStart,
    valueEnd: b.valueEnd,
    names: b.names,
    flattened: b.flattened,
  };
}

/** The id after the last descendant of each node. Ids must be in document order. */
export function computeSubtreeEnds(b: LinkedNodes): Int32Array {
  const ends = allocateInt32s(b.count);
  ends[0] = b.count;
  for (let node = 1; node < b.count; node++) {
    const next = b.nextSibling[node] ?? 0;
    ends[node] = next === 0 ? (ends[b.parent[node] ?? 0] ?? 0) : next;
  }
  return ends;
}

/** Renumbers nodes in document order and drops those that no link leads to. */
export function renumberNodes(b: LinkedNodes): void {
  const order = allocateInt32s(b.count);
  const place = allocateInt32s(b.count);
  const count = fillOrder(b, order, place);
  for (const values of [b.tag, b.flags, b.namespace, b.start, b.end, b.attributeStart, b.attributeCount]) {
    const old = values.slice(0, b.count);
    for (let at = 0; at < count; at++) values[at] = old[order[at] ?? 0] ?? 0;
  }
  for (const links of [b.parent, b.firstChild, b.lastChild, b.nextSibling, b.previousSibling]) {
    const old = links.slice(0, b.count);
    for (let at = 0; at < count; at++) links[at] = place[old[order[at] ?? 0] ?? 0] ?? 0;
  }
  b.count = count;
}

/** Fills the nodes in document order, and the position of each node. Returns the number of nodes. */
function fillOrder(b: LinkedNodes, order: Int32Array, place: Int32Array): number {
  let count = 0;
  let node = 0;
  do {
    place[node] = count;
    order[count++] = node;
    node = getNextLinked(b, node);
  } while (node !== 0);
  return count;
}

/** The next node in document order by the links, 0 after the last one. Ids may be in any order. */
export function getNextLinked(b: LinkedNodes, from: number): number {
  const child = b.firstChild[from] ?? 0;
  if (child !== 0) return child;
  let node = from;
  while (node !== 0 && b.nextSibling[node] === 0) node = b.parent[node] ?? 0;
  return b.nextSibling[node] ?? 0;
}
