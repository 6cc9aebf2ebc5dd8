import { allocateFloat32s, allocateInt32s, allocateUint16s, allocateUint8s } from '#extract/html/scratch.ts';
import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { buildTagTable, extendHash } from '#extract/html/tags.ts';
import { getParent, getTag, type Tree } from '#extract/html/tree.ts';
import {
  getPropertyEvidence,
  getRoleEvidence,
  combineEvidence,
  TAG_EVIDENCE,
  NOT_SHOWN,
  findNameHint,
} from './name-evidence.ts';
import {
  ARIA_HIDDEN,
  HIDDEN,
  readAttributeHiding,
  getHidingCache,
  readValueStart,
  WITHOUT_SCRIPT,
} from '#extract/view/hidden-elements.ts';
import { MAX_ATTRIBUTES, visitAttributeWords, type WordVisitor } from '#extract/view/name-words.ts';
import { createPanelTest } from '#extract/view/opened-panels.ts';
import { isUnseen } from '#extract/view/view.ts';
import { findWord, type WordTable } from './hash-tables.ts';

/** Kinds of elements that can contain a block. Each is a bit of `context`. */
export const BLOCK_CONTEXTS = [
  'nav',
  'header',
  'footer',
  'aside',
  'main',
  'article',
  'form',
  'ul',
  'ol',
  'dl',
  'table',
  'section',
  'figure',
  'figcaption',
  'blockquote',
  'pre',
  'details',
  'label',
  'heading',
] as const;

/** The bit of `context` for blocks inside such an element. */
export function getContextMask(name: (typeof BLOCK_CONTEXTS)[number]): number {
  return 2 ** BLOCK_CONTEXTS.indexOf(name);
}

const CONTEXT_BITS = buildTagTable(
  0,
  BLOCK_CONTEXTS.map((name, bit) => [name === 'heading' ? 'h1 h2 h3 h4 h5 h6' : name, 2 ** bit] as const),
);

/** Weights of words in class and id names, learned from other pages, with the bits of hand-written rules. */
export type NameWeights = { readonly words: WordTable; readonly tags: readonly number[] };

/**
 * Facts about each node and its ancestors. `low`, `high`, `against`, `inFavour` and `faded` are the evidence of names
 * in log-odds over all ancestors: the lowest and the highest word, the sums of negative and of positive words, and a
 * sum in which each level up counts less.
 */
export type NodeSurroundings = {
  readonly context: Int32Array;
  readonly hidden: Uint8Array;
  readonly depth: Uint16Array;
  /** 1 for nodes that no output includes. */
  readonly unseen: Uint8Array;
  /** A hash of the tag and the first class names: repeated siblings share it. */
  readonly shape: Int32Array;
  /** Evidence bits of each element; `allEvidence` includes its ancestors. */
  readonly evidence: Uint8Array;
  readonly allEvidence: Uint8Array;
  readonly ownLow: Float32Array;
  readonly ownHigh: Float32Array;
  readonly low: Float32Array;
  readonly high: Float32Array;
  readonly against: Float32Array;
  readonly inFavour: Float32Array;
  readonly faded: Float32Array;
  /** Bits for formulas and players that names on the page hint at. */
  readonly hints: number;
};

const FADE_FACTOR = 0.75;

/** Computes the surroundings of every node in one walk. */
export function computeSurroundings(tree: Tree, names: NameWeights): NodeSurroundings {
  const s = createSurroundings(tree.count);
  const element = createElementEvidence(names.words);
  const isOpened = createPanelTest(tree);
  const hidings = getHidingCache(tree);
  for (let node = 1; node < tree.count; node++) {
    const parent = getParent(tree, node);
    const tag = getTag(tree, node);
    s.unseen[node] = (s.unseen[parent] ?? 0) | (isUnseen(tree, node) || tag === TAG.svg || tag === TAG.video ? 1 : 0);
    if (tag === TAG.text || s.unseen[node] === 1) continue;
    element.weight = names.tags[tag] ?? 0;
    readElement(tree, node, element);
    hidings[node] = element.hiding + 1;
    if ((element.hiding === HIDDEN || element.hiding === ARIA_HIDDEN) && isOpened(node)) {
      element.hiding = 0;
      element.bits &= ~NOT_SHOWN;
    }
    s.depth[node] = (s.depth[parent] ?? 0) + 1;
    s.context[node] = (s.context[parent] ?? 0) | (CONTEXT_BITS[tag] ?? 0);
    s.hidden[node] = s.hidden[parent] === 0 ? element.hiding : (s.hidden[parent] ?? 0);
    s.shape[node] = element.shape;
    s.evidence[node] = combineEvidence(element.bits, tag);
    s.allEvidence[node] = (s.allEvidence[parent] ?? 0) | (s.evidence[node] ?? 0);
    addWeights(s, element, node, parent);
  }
  return { ...s, hints: element.hints };
}

function createSurroundings(count: number): Omit<NodeSurroundings, 'hints'> {
  const floats = () => allocateFloat32s(count);
  return {
    context: allocateInt32s(count),
    hidden: allocateUint8s(count),
    depth: allocateUint16s(count),
    unseen: allocateUint8s(count),
    shape: allocateInt32s(count),
    evidence: allocateUint8s(count),
    allEvidence: allocateUint8s(count),
    ownLow: floats(),
    ownHigh: floats(),
    low: floats(),
    high: floats(),
    against: floats(),
    inFavour: floats(),
    faded: floats(),
  };
}

/** The evidence of one element. The same record is reused for each element. */
type ElementEvidence = {
  /** The learned weight of its tag. */
  weight: number;
  hiding: number;
  shape: number;
  bits: number;
  low: number;
  high: number;
  against: number;
  inFavour: number;
  /** The hints of all elements so far. */
  hints: number;
  readonly noteWord: WordVisitor;
};

function createElementEvidence(words: WordTable): ElementEvidence {
  const element: ElementEvidence = {
    weight: 0,
    hiding: 0,
    shape: 0,
    bits: 0,
    low: 0,
    high: 0,
    against: 0,
    inFavour: 0,
    hints: 0,
    noteWord,
  };
  function noteWord(_start: number, _end: number, hash: number): void {
    element.hints |= findNameHint(hash);
    const slot = findWord(words, hash);
    if (slot < 0) return;
    element.bits |= words.bits[slot] ?? 0;
    const weight = words.weights[slot] ?? 0;
    if (weight < 0) {
      if (weight < element.low) element.low = weight;
      element.against += weight;
    } else {
      if (weight > element.high) element.high = weight;
      element.inFavour += weight;
    }
  }
  return element;
}

function readElement(tree: Tree, node: number, element: ElementEvidence): void {
  const tag = getTag(tree, node);
  element.hiding = tag === TAG.noscript ? WITHOUT_SCRIPT : 0;
  element.shape = tag;
  element.bits = TAG_EVIDENCE[tag] ?? 0;
  element.low = element.against = Math.min(0, element.weight);
  element.high = element.inFavour = Math.max(0, element.weight);
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, MAX_ATTRIBUTES);
  for (let at = first; at < end; at++) readAttribute(tree, at, element);
}

function readAttribute(tree: Tree, at: number, element: ElementEvidence): void {
  const id = tree.attributeId[at] ?? 0;
  if (id === 0) return;
  if (element.hiding === 0) {
    element.hiding = readAttributeHiding(tree, at);
    if (element.hiding === HIDDEN || element.hiding === ARIA_HIDDEN) element.bits |= NOT_SHOWN;
  }
  if (id === ATTRIBUTE.class) element.shape = hashShape(tree, at, element.shape);
  else if (id === ATTRIBUTE.role) element.bits |= getRoleEvidence(readValueStart(tree, at));
  else if (id === ATTRIBUTE.itemprop) element.bits |= getPropertyEvidence(readValueStart(tree, at));
  visitAttributeWords(tree, at, element.noteWord);
}

/** Hashes the first two class names. Digits, which number siblings, are skipped. */
function hashShape({ source, valueStart, valueEnd }: Tree, at: number, tagShape: number): number {
  let hash = tagShape;
  const start = valueStart[at] ?? 0;
  const end = Math.min(valueEnd[at] ?? 0, start + 100);
  for (let place = start, names = 0; place < end; place++) {
    const code = source.charCodeAt(place);
    if (code >= 48 && code <= 57) continue;
    if (code <= 32 && place > start && ++names === 2) break;
    hash = extendHash(hash, code);
  }
  return hash;
}

function addWeights(s: Omit<NodeSurroundings, 'hints'>, element: ElementEvidence, node: number, parent: number): void {
  const { low, high, against, inFavour } = element;
  s.ownLow[node] = low;
  s.ownHigh[node] = high;
  s.low[node] = Math.min(low, s.low[parent] ?? 0);
  s.high[node] = Math.max(high, s.high[parent] ?? 0);
  s.against[node] = against + (s.against[parent] ?? 0);
  s.inFavour[node] = inFavour + (s.inFavour[parent] ?? 0);
  s.faded[node] = against + inFavour + FADE_FACTOR * (s.faded[parent] ?? 0);
}
