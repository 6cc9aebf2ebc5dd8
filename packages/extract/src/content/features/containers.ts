import { allocateFloat32s, allocateInt32s, allocateUint16s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { getFirstChild, isText, getNextSibling, findNextTag, getParent, type Tree } from '#extract/html/tree.ts';
import type { Block } from './blocks.ts';
import { countPair, createPairCounts } from './hash-tables.ts';
import type { NodeSurroundings } from './node-surroundings.ts';

/** Sums over the blocks inside each node. */
export type Containers = {
  readonly words: Float32Array;
  readonly linked: Float32Array;
  readonly characters: Float32Array;
  /** Weight of its paragraphs: longer texts that are not mostly links. */
  readonly prose: Float32Array;
  readonly blocks: Int32Array;
  /** The nearest ancestor with clearly more words. */
  readonly wider: Int32Array;
  /** The number of siblings of the same shape, including the node itself. 0 if it is the only one. */
  readonly siblings: Uint16Array;
  /**
   * The innermost node with three quarters of the page's prose; `core` is the innermost one in it with two fifths of
   * that.
   */
  readonly region: number;
  readonly core: number;
  /**
   * The innermost ancestor of each node that also contains the page's first h1, 0 without one; `withCore` is the same
   * for the core.
   */
  readonly withHeading: Int32Array;
  readonly withCore: Int32Array;
};

/** An ancestor is wider if its words exceed those of the node by this factor. */
const MIN_WIDER_RATIO = 1.15;
const MIN_PARAGRAPH_WORDS = 10;
const MAX_SIBLINGS = 500;

/** Sums the blocks of a page per node and finds its densest regions. */
export function computeContainers(tree: Tree, blocks: readonly Block[], s: NodeSurroundings): Containers {
  const nodes = tree.count;
  const sums = {
    words: allocateFloat32s(nodes),
    linked: allocateFloat32s(nodes),
    characters: allocateFloat32s(nodes),
    prose: allocateFloat32s(nodes),
    blocks: allocateInt32s(nodes),
  };
  for (const block of blocks) addBlock(sums, block);
  let holders = 0;
  for (let node = nodes - 1; node > 0; node--) {
    if ((sums.blocks[node] ?? 0) === 0) continue;
    holders++;
    const parent = getParent(tree, node);
    sums.words[parent] = (sums.words[parent] ?? 0) + (sums.words[node] ?? 0);
    sums.linked[parent] = (sums.linked[parent] ?? 0) + (sums.linked[node] ?? 0);
    sums.characters[parent] = (sums.characters[parent] ?? 0) + (sums.characters[node] ?? 0);
    sums.prose[parent] = (sums.prose[parent] ?? 0) + (sums.prose[node] ?? 0);
    sums.blocks[parent] = (sums.blocks[parent] ?? 0) + (sums.blocks[node] ?? 0);
  }
  const region = findInnermost(tree, sums.prose, { from: 0, share: 0.75 });
  const core = findInnermost(tree, sums.prose, { from: region, share: 0.4 });
  const heading = findNextTag(tree, TAG.h1, 1);
  return {
    ...sums,
    wider: findWiderContainers(tree, sums.words),
    siblings: countSiblings(tree, s, { blocks: sums.blocks, holders }),
    region,
    core,
    withHeading: findCommonAncestors(tree, heading),
    withCore: findCommonAncestors(tree, core),
  };
}

type ContainerSums = Pick<Containers, 'words' | 'linked' | 'characters' | 'prose' | 'blocks'>;

function addBlock(sums: ContainerSums, { node, text, linked }: Block): void {
  sums.words[node] = (sums.words[node] ?? 0) + text.words;
  sums.linked[node] = (sums.linked[node] ?? 0) + linked;
  sums.characters[node] = (sums.characters[node] ?? 0) + text.characters;
  sums.blocks[node] = (sums.blocks[node] ?? 0) + 1;
  if (text.words < MIN_PARAGRAPH_WORDS || linked >= 0.35 * text.characters) return;
  sums.prose[node] = (sums.prose[node] ?? 0) + Math.min(text.words, 60) + 2 * text.commas;
}

/** Descends from a node as long as one child has the given share of the prose. */
function findInnermost(tree: Tree, prose: Float32Array, { from, share }: { from: number; share: number }): number {
  let node = from;
  for (;;) {
    let best = 0;
    for (let child = getFirstChild(tree, node); child !== 0; child = getNextSibling(tree, child)) {
      if ((prose[child] ?? 0) > (prose[best] ?? 0) || best === 0) best = child;
    }
    if (best === 0 || (prose[best] ?? 0) === 0 || (prose[best] ?? 0) < share * (prose[node] ?? 0)) return node;
    node = best;
  }
}

/** The nearest ancestor of each node with clearly more words. */
function findWiderContainers(tree: Tree, words: Float32Array): Int32Array {
  const wider = allocateInt32s(tree.count);
  for (let node = 1; node < tree.count; node++) {
    const parent = getParent(tree, node);
    const grown = (words[parent] ?? 0) > MIN_WIDER_RATIO * (words[node] ?? 0) + 1;
    wider[node] = grown ? parent : (wider[parent] ?? 0);
  }
  return wider;
}

/** The number of blocks in each node, and how many nodes contain any. */
type BlockHolders = { readonly blocks: Int32Array; readonly holders: number };

/** The number of siblings of the same shape with blocks, per node. */
function countSiblings(tree: Tree, { shape }: NodeSurroundings, { blocks, holders }: BlockHolders): Uint16Array {
  const siblings = allocateUint16s(tree.count);
  const counts = createPairCounts(holders);
  const keys = allocateInt32s(tree.count);
  for (let node = 1; node < tree.count; node++) {
    if ((blocks[node] ?? 0) === 0 || isText(tree, node)) continue;
    keys[node] = countPair(counts, getParent(tree, node), (shape[node] ?? 0) >>> 8) + 1;
  }
  for (let node = 1; node < tree.count; node++) {
    if (keys[node] === 0) continue;
    const same = counts.counts[(keys[node] ?? 0) - 1] ?? 0;
    if (same > 1) siblings[node] = Math.min(same, MAX_SIBLINGS);
  }
  return siblings;
}

/** The innermost ancestor that each node shares with `other`. */
function findCommonAncestors(tree: Tree, other: number): Int32Array {
  const common = allocateInt32s(tree.count);
  if (other === 0) return common;
  for (let node = other; node !== 0; node = getParent(tree, node)) common[node] = node;
  for (let node = 1; node < tree.count; node++) {
    if (common[node] === 0) common[node] = common[getParent(tree, node)] ?? 0;
  }
  return common;
}
