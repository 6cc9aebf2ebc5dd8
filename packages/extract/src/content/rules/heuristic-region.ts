import { allocateFloat64s, allocateInt32s, allocateUint8s } from '#extract/html/scratch.ts';
import { COMMENTS, FURNITURE, HEADER, LANDMARK, MAIN, NOT_SHOWN } from '#extract/content/features/name-evidence.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { isText, findNextTag, getParent, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { isContactLink } from '#extract/content/features/links.ts';
import { isBlock, isUnseen } from '#extract/view/view.ts';
import { measureTextLengths } from '#extract/view/visible.ts';

/** Minimum characters of running text in a prose block. */
const MIN_PROSE_CHARACTERS = 80;
/** A container is only a wrapper if one child has this share of its weight. */
const MIN_WRAPPED_SHARE = 0.85;

const NEVER_FURNITURE = buildTagSet(
  'html body main article h1 h2 h3 h4 h5 h6 table tbody tr td th pre code p blockquote',
);
const LINK_BOXES = buildTagSet('ul ol div section nav aside menu dl p');

/** Per node, over its subtree: visible characters, characters in links, and the weight of its prose. */
type NodeWeights = {
  readonly text: Int32Array;
  readonly linked: Int32Array;
  readonly prose: Float64Array;
  /** Characters outside nested blocks. */
  readonly running: Int32Array;
};

/**
 * A first estimate of the content by hand-written rules. Navigation, consent notices, sharing buttons and related links
 * are excluded by tag, role or name, unless they contain the bulk of the text. Then the smallest element with nearly
 * all prose is kept whole, with the page's first heading. If little would remain of a page with text, all of it is
 * kept. Returns 1 for every kept node. The estimate is also a feature of the model: it works on sites unlike any in the
 * training set.
 */
export function findHeuristicRegion(tree: Tree, evidence: Uint8Array): Uint8Array {
  const lengths = measureTextLengths(tree);
  const out = markUnseen(tree, evidence, lengths);
  const weights = createWeights(tree.count);
  weighNodes(tree, out, { lengths, weights });
  const total = weights.text[0] ?? 0;
  const whole = keepRegion(tree, 0, out);
  markFurniture(tree, evidence, { out, prose: weights.prose });
  weighNodes(tree, out, { lengths, weights });
  const region = findRegion(tree, evidence, { out, prose: weights.prose });
  dropLinkBoxes(tree, region, { out, weights });
  const kept = keepRegion(tree, region, out);
  const keptCharacters = countKeptCharacters(tree, kept, lengths);
  if (keptCharacters < 500 && keptCharacters < total / 4) return whole;
  keepHeading(tree, region, { kept, whole });
  return kept;
}

/**
 * 1 for every node that is not text for readers. Elements that the page hides are only marked if they have less than
 * half of the text.
 */
function markUnseen(tree: Tree, evidence: Uint8Array, all: Int32Array): Uint8Array {
  const out = allocateUint8s(tree.count);
  for (let node = 1; node < tree.count; node++) {
    const hidden = ((evidence[node] ?? 0) & NOT_SHOWN) !== 0 && (all[node] ?? 0) * 2 < (all[0] ?? 0);
    if (!isUnseen(tree, node) && !hidden) continue;
    const end = getSubtreeEnd(tree, node);
    out.fill(1, node, end);
    node = end - 1;
  }
  return out;
}

function createWeights(count: number): NodeWeights {
  return {
    text: allocateInt32s(count),
    linked: allocateInt32s(count),
    prose: allocateFloat64s(count),
    running: allocateInt32s(count),
  };
}

type WeightInput = { readonly lengths: Int32Array; readonly weights: NodeWeights };

/** Computes the weights of the nodes that are not excluded. */
function weighNodes(tree: Tree, out: Uint8Array, { lengths, weights }: WeightInput): void {
  const { text, linked, prose, running } = weights;
  for (const sums of [text, linked, prose, running]) sums.fill(0);
  for (let node = tree.count - 1; node > 0; node--) {
    if (out[node] === 1) continue;
    const parent = getParent(tree, node);
    const tag = getTag(tree, node);
    if (tag === TAG.text) {
      const length = lengths[node] ?? 0;
      if (length === 0) continue;
      text[node] = length;
      text[parent] = (text[parent] ?? 0) + length;
      running[parent] = (running[parent] ?? 0) + length;
      continue;
    }
    const isLink = tag === TAG.a && !isContactLink(tree, node);
    if (isLink) {
      linked[node] = text[node] ?? 0;
      prose[node] = 0;
    }
    if (isBlock(tree, node)) prose[node] = (prose[node] ?? 0) + weighRun(running[node] ?? 0);
    else if (!isLink) running[parent] = (running[parent] ?? 0) + (running[node] ?? 0);
    text[parent] = (text[parent] ?? 0) + (text[node] ?? 0);
    linked[parent] = (linked[parent] ?? 0) + (linked[node] ?? 0);
    prose[parent] = (prose[parent] ?? 0) + (prose[node] ?? 0);
  }
}

/** Short runs are labels, menus and buttons, so they weigh little. */
function weighRun(characters: number): number {
  return characters >= MIN_PROSE_CHARACTERS ? characters : (characters * characters) / MIN_PROSE_CHARACTERS;
}

type RegionState = { readonly out: Uint8Array; readonly prose: Float64Array };

const STRUCTURE_BITS = FURNITURE | COMMENTS | LANDMARK | HEADER;

/** Excludes elements that names and tags mark as not content, unless they have the bulk of the prose. */
function markFurniture(tree: Tree, evidence: Uint8Array, { out, prose }: RegionState): void {
  const total = Math.max(1, prose[0] ?? 0);
  let mainEnd = 0;
  for (let node = 1; node < tree.count; node++) {
    if (out[node] === 1) continue;
    const bits = evidence[node] ?? 0;
    if ((bits & MAIN) !== 0) mainEnd = Math.max(mainEnd, getSubtreeEnd(tree, node));
    if ((bits & STRUCTURE_BITS) === 0 || (bits & MAIN) !== 0 || NEVER_FURNITURE[getTag(tree, node)] === 1) continue;
    const share = (prose[node] ?? 0) / total;
    if (share >= getMaxProseShare(bits, node < mainEnd, total - (prose[node] ?? 0))) continue;
    const end = getSubtreeEnd(tree, node);
    out.fill(1, node, end);
    node = end - 1;
  }
}

/** Elements with at least this share of the page's prose are kept despite the evidence. */
function getMaxProseShare(bits: number, inMain: boolean, rest: number): number {
  if ((bits & COMMENTS) !== 0 && rest > 800) return 1;
  if ((bits & LANDMARK) !== 0) return 0.4;
  if ((bits & FURNITURE) !== 0) return 0.3;
  return (bits & HEADER) !== 0 && !inMain ? 0.15 : 0;
}

/** The innermost element with nearly all prose. The declared main content may have less. */
function findRegion(tree: Tree, evidence: Uint8Array, { out, prose }: RegionState): number {
  const total = prose[0] ?? 0;
  let region = 0;
  for (;;) {
    const child = findHeaviestChild(tree, region, prose);
    if (child === 0 || (prose[child] ?? 0) < MIN_WRAPPED_SHARE * (prose[region] ?? 0)) break;
    if (NEVER_REGION[getTag(tree, child)] === 1) break;
    region = child;
  }
  const declared = findDeclaredMain(tree, evidence, { out, prose });
  return declared > region && (prose[declared] ?? 0) > 0.6 * total ? declared : region;
}

/** Parts of a whole that is read together. */
const NEVER_REGION = buildTagSet(
  'p li tr tbody thead td th dd dt blockquote h1 h2 h3 h4 h5 h6 pre figure ul ol dl table a span',
);

function findHeaviestChild(tree: Tree, parent: number, prose: Float64Array): number {
  let best = 0;
  for (let node = tree.firstChild[parent] ?? 0; node !== 0; node = tree.nextSibling[node] ?? 0) {
    if (best === 0 || (prose[node] ?? 0) > (prose[best] ?? 0)) best = node;
  }
  return best;
}

function findDeclaredMain(tree: Tree, evidence: Uint8Array, { out, prose }: RegionState): number {
  let best = 0;
  for (let node = 1; node < tree.count; node++) {
    if (((evidence[node] ?? 0) & MAIN) === 0 || out[node] === 1) continue;
    if (best === 0 || (prose[node] ?? 0) > (prose[best] ?? 0)) best = node;
  }
  return best;
}

/** Excludes boxes of links before the first and after the last prose, unless the page is mostly links. */
function dropLinkBoxes(tree: Tree, region: number, { out, weights }: { out: Uint8Array; weights: NodeWeights }): void {
  const { text, linked, prose } = weights;
  if ((linked[region] ?? 0) > 0.5 * (text[region] ?? 0)) return;
  const end = getSubtreeEnd(tree, region);
  let first = end;
  let last = region;
  for (let node = region + 1; node < end; node++) {
    if (out[node] === 1 || !isBlock(tree, node) || (prose[node] ?? 0) < MIN_PROSE_CHARACTERS) continue;
    first = Math.min(first, node);
    last = node;
  }
  for (let node = region + 1; node < end; node++) {
    if (out[node] === 1 || LINK_BOXES[getTag(tree, node)] !== 1) continue;
    const inside = getSubtreeEnd(tree, node);
    const outer = inside <= first || node > last;
    if (!outer || (text[node] ?? 0) === 0 || (linked[node] ?? 0) < 0.66 * (text[node] ?? 0)) continue;
    out.fill(1, node, inside);
    node = inside - 1;
  }
}

/** The nodes of a region that are not excluded, and its ancestors. */
function keepRegion(tree: Tree, region: number, out: Uint8Array): Uint8Array {
  const kept = allocateUint8s(tree.count);
  const end = getSubtreeEnd(tree, region);
  for (let node = region; node < end; node++) kept[node] = out[node] === 1 ? 0 : 1;
  keepAncestors(tree, region, kept);
  return kept;
}

function keepAncestors(tree: Tree, node: number, kept: Uint8Array): void {
  for (let ancestor = node; ancestor !== 0; ancestor = getParent(tree, ancestor)) kept[ancestor] = 1;
  kept[0] = 1;
}

function countKeptCharacters(tree: Tree, kept: Uint8Array, lengths: Int32Array): number {
  let characters = 0;
  for (let node = 1; node < tree.count; node++) {
    if (kept[node] === 1 && isText(tree, node)) characters += lengths[node] ?? 0;
  }
  return characters;
}

/** Keeps the only h1 if it precedes the region, as it often does. */
function keepHeading(tree: Tree, region: number, { kept, whole }: { kept: Uint8Array; whole: Uint8Array }): void {
  let heading = 0;
  for (let node = findNextTag(tree, TAG.h1, 1); node !== 0; node = findNextTag(tree, TAG.h1, node + 1)) {
    if (whole[node] !== 1) continue;
    if (heading !== 0 || kept[node] === 1) return;
    heading = node;
  }
  if (heading === 0 || heading > region) return;
  const end = getSubtreeEnd(tree, heading);
  for (let node = heading; node < end; node++) kept[node] = whole[node] ?? 0;
  keepAncestors(tree, heading, kept);
}
