import { ATTRIBUTE, TAG } from '#extract/html/tag-names.ts';
import { byTag } from '#extract/html/tags.ts';
import { hashStep } from '#extract/html/name-table.ts';
import { parentOf, tagOf } from '#extract/html/tree.ts';
import type { Tree } from '#extract/html/tree.ts';
import { hidingOf } from './hiding.ts';
import { visitNameWords } from './name-words.ts';
import { isUnseen } from './view.ts';
import { findWord } from './word-table.ts';
import type { WordTable } from './word-table.ts';

/** Elements that a block may stand in, each a bit of `context`. */
export const CONTEXTS = [
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

const CONTEXT_BITS = byTag(
  0,
  CONTEXTS.map((name, bit) => [name === 'heading' ? 'h1 h2 h3 h4 h5 h6' : name, 2 ** bit] as const),
);

/** What class and id words of a page's elements tell, as learned from other pages. */
export type NameWeights = { readonly words: WordTable; readonly tags: readonly number[] };

/**
 * What stands around each node, itself included. The evidence of names is in log-odds of content over the chain of
 * elements up to the root: the lowest and the highest word, both sums, and a sum in which each step up counts less.
 */
export type Surroundings = {
  readonly context: Int32Array;
  readonly hidden: Uint8Array;
  readonly depth: Uint16Array;
  /** 1 for what no reading shows. */
  readonly unseen: Uint8Array;
  /** A hash of tag and first class names: siblings of one shape repeat. */
  readonly shape: Int32Array;
  readonly ownLow: Float32Array;
  readonly ownHigh: Float32Array;
  readonly low: Float32Array;
  readonly high: Float32Array;
  readonly against: Float32Array;
  readonly inFavour: Float32Array;
  readonly faded: Float32Array;
};

const FADING = 0.75;

/** Reads the surroundings of every node in one walk. */
export function surroundingsOf(tree: Tree, names: NameWeights): Surroundings {
  const s = newSurroundings(tree.count);
  for (let node = 1; node < tree.count; node++) {
    const parent = parentOf(tree, node);
    const tag = tagOf(tree, node);
    s.unseen[node] = (s.unseen[parent] ?? 0) | (isUnseen(tag) || tag === TAG.svg || tag === TAG.video ? 1 : 0);
    if (tag === TAG.text || s.unseen[node] === 1) continue;
    s.depth[node] = (s.depth[parent] ?? 0) + 1;
    s.context[node] = (s.context[parent] ?? 0) | (CONTEXT_BITS[tag] ?? 0);
    s.hidden[node] = s.hidden[parent] === 0 ? hidingOf(tree, node) : (s.hidden[parent] ?? 0);
    s.shape[node] = shapeOf(tree, node);
    weighNames(tree, node, { s, names, parent });
  }
  return s;
}

function newSurroundings(count: number): Surroundings {
  const floats = () => new Float32Array(count);
  return {
    context: new Int32Array(count),
    hidden: new Uint8Array(count),
    depth: new Uint16Array(count),
    unseen: new Uint8Array(count),
    shape: new Int32Array(count),
    ownLow: floats(),
    ownHigh: floats(),
    low: floats(),
    high: floats(),
    against: floats(),
    inFavour: floats(),
    faded: floats(),
  };
}

type Weighing = { readonly s: Surroundings; readonly names: NameWeights; readonly parent: number };

function weighNames(tree: Tree, node: number, { s, names, parent }: Weighing): void {
  const { words, tags } = names;
  const ofTag = tags[tagOf(tree, node)] ?? 0;
  let low = Math.min(0, ofTag);
  let high = Math.max(0, ofTag);
  let against = low;
  let inFavour = high;
  if ((tree.attributeCount[node] ?? 0) > 0) {
    visitNameWords(tree, node, (_start, _end, hash) => {
      const weight = words.weights[findWord(words, hash)] ?? 0;
      if (weight < 0) {
        low = Math.min(low, weight);
        against += weight;
      } else {
        high = Math.max(high, weight);
        inFavour += weight;
      }
    });
  }
  s.ownLow[node] = low;
  s.ownHigh[node] = high;
  s.low[node] = Math.min(low, s.low[parent] ?? 0);
  s.high[node] = Math.max(high, s.high[parent] ?? 0);
  s.against[node] = against + (s.against[parent] ?? 0);
  s.inFavour[node] = inFavour + (s.inFavour[parent] ?? 0);
  s.faded[node] = against + inFavour + FADING * (s.faded[parent] ?? 0);
}

/** Tag and first two class names; digits in them, which number siblings, do not count. */
function shapeOf(tree: Tree, node: number): number {
  let hash = tagOf(tree, node);
  const first = tree.attributeStart[node] ?? 0;
  const end = first + Math.min(tree.attributeCount[node] ?? 0, 50);
  for (let at = first; at < end; at++) {
    if (tree.attributeId[at] !== ATTRIBUTE.class) continue;
    const { source } = tree;
    const start = tree.valueStart[at] ?? 0;
    const last = Math.min(tree.valueEnd[at] ?? 0, start + 100);
    for (let place = start, names = 0; place < last; place++) {
      const code = source.charCodeAt(place);
      if (code >= 48 && code <= 57) continue;
      if (code <= 32 && place > start && ++names === 2) break;
      hash = hashStep(hash, code);
    }
  }
  return hash;
}
