import { MAX_DEPTH } from './builder.ts';
import { getNextLinked, type LinkedNodes, renumberNodes, computeSubtreeEnds } from './document-order.ts';
import { TAG } from './tag-names.ts';
import { buildTagSet } from './tags.ts';
import {
  getAttribute,
  isElement,
  getTagName,
  findNextTag,
  getParent,
  getSubtreeEnd,
  getTag,
  type Tree,
} from './tree.ts';

/** Standard elements that may have a shadow tree; custom elements may too (DOM standard, "valid shadow host name"). */
const HOST_TAGS = buildTagSet(
  'article aside blockquote body div footer h1 h2 h3 h4 h5 h6 header main nav p section span',
);

/**
 * Returns the tree as browsers render it: each declarative shadow root replaces the content of its host, and that
 * content fills the slots (DOM standard, "flat tree"). Content without a slot is not rendered. Returns the same tree if
 * it has no shadow roots, or if nested slots would exceed the depth limit. Linear in the nodes.
 */
export function placeShadowRoots(tree: Tree): Tree {
  const roots = findShadowRoots(tree);
  if (roots.size === 0) return tree;
  const { count, names, source } = tree;
  const nodes: LinkedNodes = {
    count,
    tag: tree.tag.slice(0, count),
    parent: tree.parent.slice(0, count),
    firstChild: tree.firstChild.slice(0, count),
    lastChild: tree.lastChild.slice(0, count),
    nextSibling: tree.nextSibling.slice(0, count),
    previousSibling: tree.previousSibling.slice(0, count),
    start: tree.start.slice(0, count),
    end: tree.end.slice(0, count),
    flags: tree.flags.slice(0, count),
    namespace: tree.namespace.slice(0, count),
    attributeStart: tree.attributeStart.slice(0, count),
    attributeCount: tree.attributeCount.slice(0, count),
  };
  const slots = new Set([...roots].flatMap(([host, root]) => composeShadow(tree, nodes, { host, root })));
  for (const slot of sortSlots(nodes, slots)) unwrapSlot(nodes, slot);
  renumberNodes(nodes);
  const isTooDeep = measureDepth(nodes) > MAX_DEPTH;
  return isTooDeep ? tree : { ...tree, ...nodes, source, names, subtreeEnd: computeSubtreeEnds(nodes) };
}

/** The template of each host that becomes its shadow tree: the first child with a shadow root mode. */
function findShadowRoots(tree: Tree): ReadonlyMap<number, number> {
  const roots = new Map<number, number>();
  for (let node = findNextTag(tree, TAG.template, 1); node !== 0; node = findNextTag(tree, TAG.template, node + 1)) {
    const host = getParent(tree, node);
    const mode = getAttribute(tree, node, 'shadowrootmode')?.toLowerCase();
    if (mode !== 'open' && mode !== 'closed') continue;
    if (!roots.has(host) && (HOST_TAGS[getTag(tree, host)] === 1 || getTagName(tree, host).includes('-')))
      roots.set(host, node);
  }
  return roots;
}

type ShadowRoot = { readonly host: number; readonly root: number };

/** Puts a shadow tree in place and returns its slots. */
function composeShadow(tree: Tree, nodes: LinkedNodes, { host, root }: ShadowRoot): readonly number[] {
  const light = new Map<string, number[]>();
  for (const node of listChildNodes(tree, host)) {
    if (node === root) continue;
    const slot = isElement(tree, node) ? (getAttribute(tree, node, 'slot') ?? '') : '';
    const assigned = light.get(slot);
    if (assigned === undefined) light.set(slot, [node]);
    else assigned.push(node);
  }
  setChildren(nodes, host, listChildNodes(tree, root));
  const slots: number[] = [];
  const end = getSubtreeEnd(tree, root);
  for (let node = root + 1; node < end; node++) {
    const tag = getTag(tree, node);
    // The content of a nested template is another tree.
    if (tag === TAG.template) node = getSubtreeEnd(tree, node) - 1;
    if (tag !== TAG.slot) continue;
    slots.push(node);
    const name = getAttribute(tree, node, 'name') ?? '';
    const assigned = light.get(name) ?? [];
    light.delete(name);
    if (assigned.length > 0) setChildren(nodes, node, assigned);
  }
  return slots;
}

/** The slots that are rendered, outer ones first. */
function sortSlots(nodes: LinkedNodes, slots: ReadonlySet<number>): readonly number[] {
  const found: number[] = [];
  let node = 0;
  do {
    if (slots.has(node)) found.push(node);
    node = getNextLinked(nodes, node);
  } while (node !== 0);
  return found;
}

/** Replaces a slot with its content. */
function unwrapSlot(nodes: LinkedNodes, slot: number): void {
  const parent = nodes.parent[slot] ?? 0;
  const before = nodes.previousSibling[slot] ?? 0;
  const after = nodes.nextSibling[slot] ?? 0;
  const first = nodes.firstChild[slot] ?? 0;
  const last = nodes.lastChild[slot] ?? 0;
  for (let node = first; node !== 0; node = nodes.nextSibling[node] ?? 0) nodes.parent[node] = parent;
  linkSiblings(nodes, { parent, before, after: first === 0 ? after : first });
  if (first !== 0) linkSiblings(nodes, { parent, before: last, after });
}

type SiblingGap = { readonly parent: number; readonly before: number; readonly after: number };

/** Makes two nodes neighbours. 0 means the edge of their parent. */
function linkSiblings(nodes: LinkedNodes, { parent, before, after }: SiblingGap): void {
  if (before === 0) nodes.firstChild[parent] = after;
  else nodes.nextSibling[before] = after;
  if (after === 0) nodes.lastChild[parent] = before;
  else nodes.previousSibling[after] = before;
}

function listChildNodes(tree: Tree, parent: number): readonly number[] {
  const children: number[] = [];
  for (let node = tree.firstChild[parent] ?? 0; node !== 0; node = tree.nextSibling[node] ?? 0) children.push(node);
  return children;
}

function setChildren(nodes: LinkedNodes, parent: number, children: readonly number[]): void {
  nodes.firstChild[parent] = children[0] ?? 0;
  nodes.lastChild[parent] = children.at(-1) ?? 0;
  for (const [at, node] of children.entries()) {
    nodes.parent[node] = parent;
    nodes.previousSibling[node] = children[at - 1] ?? 0;
    nodes.nextSibling[node] = children[at + 1] ?? 0;
  }
}

function measureDepth({ count, parent }: LinkedNodes): number {
  const depths = new Int32Array(count);
  let deepest = 0;
  for (let node = 1; node < count; node++) {
    const depth = (depths[parent[node] ?? 0] ?? 0) + 1;
    depths[node] = depth;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}
