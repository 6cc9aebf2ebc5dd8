import type { Block } from '#extract/content/features/blocks.ts';
import { FORMULA_HINT, PLAYER_HINT } from '#extract/content/features/name-evidence.ts';
import type { NodeSurroundings } from '#extract/content/features/node-surroundings.ts';
import { allocateUint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { buildTagSet } from '#extract/html/tags.ts';
import { isText, getParent, getSubtreeEnd, getTag, type Tree } from '#extract/html/tree.ts';
import { hasFormulas, isFormula } from '#extract/view/formula-nodes.ts';
import { HIDDEN } from '#extract/view/hidden-elements.ts';
import { isPlayer, isPlayerName } from '#extract/view/players.ts';
import { isBlock } from '#extract/view/view.ts';
import { type BlockVerdict, isMostlyHidden } from './scored-page.ts';

type FormulaContext = {
  readonly tree: Tree;
  readonly blocks: readonly Block[];
  readonly verdicts: readonly BlockVerdict[];
  readonly surroundings: Pick<NodeSurroundings, 'hints'>;
};

/**
 * Keeps the formulas of a page together with the text around them. Formulas have no words that the model could score. A
 * formula is kept if the words of its element are. If it is alone in its element, as in many cells and items, it is
 * kept if its row, its list or a block next to it is.
 */
function keepFormulas({ tree, blocks, verdicts, surroundings }: FormulaContext, kept: Uint8Array): void {
  if (!hasFormulas(tree, (surroundings.hints & FORMULA_HINT) !== 0)) return;
  let next = 0;
  for (let node = 1; node < tree.count; node++) {
    while (next < blocks.length && (blocks[next]?.from ?? 0) < node) next++;
    if (isText(tree, node) || !isFormula(tree, node)) continue;
    const end = getSubtreeEnd(tree, node);
    const holder = findBlockElement(tree, node);
    if (kept[holder] === 1 || isNextToKept(tree, { node, holder, next, blocks, verdicts }, kept)) {
      kept.fill(1, node, end);
      for (
        let ancestor = getParent(tree, node);
        ancestor !== 0 && kept[ancestor] !== 1;
        ancestor = getParent(tree, ancestor)
      )
        kept[ancestor] = 1;
    }
    node = end - 1;
  }
}

/** The nearest block element around a node. */
function findBlockElement(tree: Tree, node: number): number {
  let holder = getParent(tree, node);
  while (holder !== 0 && !isBlock(tree, holder)) holder = getParent(tree, holder);
  return holder;
}

type FormulaPosition = Pick<FormulaContext, 'blocks' | 'verdicts'> & {
  readonly node: number;
  readonly holder: number;
  /** The first block that starts in or after the formula. */
  readonly next: number;
};

/** Whether a formula that is alone in its element is in a kept list or table, or next to a kept block. */
function isNextToKept(
  tree: Tree,
  { node, holder, next, blocks, verdicts }: FormulaPosition,
  kept: Uint8Array,
): boolean {
  const end = getSubtreeEnd(tree, holder);
  const formulaEnd = getSubtreeEnd(tree, node);
  let before = next - 1;
  let after = next;
  while ((blocks[after]?.from ?? end) < end) {
    if ((blocks[after]?.to ?? 0) > formulaEnd) return false;
    after++;
  }
  if ((blocks[before]?.from ?? 0) > holder) return false;
  const parent = getParent(tree, holder);
  if (MEMBER_TAGS.has(getTag(tree, holder)) && kept[parent] === 1) return true;
  for (let steps = 0; steps < MAX_REPEATS && verdicts[before] === 'repeated'; steps++) before--;
  const isKeptSibling = (at: number) => verdicts[at] === 'kept' && isWithin(tree, blocks[at]?.node ?? 0, parent);
  return isKeptSibling(before) || isKeptSibling(after);
}

/** Maximum repeated blocks before a formula that are skipped in the search for kept text. */
const MAX_REPEATS = 20;

const MEMBER_TAGS: ReadonlySet<number> = new Set([TAG.li, TAG.dt, TAG.dd, TAG.td, TAG.th, TAG.caption]);

function isWithin(tree: Tree, node: number, ancestor: number): boolean {
  return node >= ancestor && node < getSubtreeEnd(tree, ancestor);
}

type KeptBlocks = {
  readonly tree: Tree;
  readonly blocks: readonly Block[];
  readonly verdicts: readonly BlockVerdict[];
  readonly surroundings: NodeSurroundings;
};

/** Elements that are kept whole if most of their words are: half a code listing is useless. */
const WHOLE_TAGS = buildTagSet('pre math');
const MEDIA_TAGS = buildTagSet('img amp-img amp-anim picture iframe video audio embed object hr br math input');

/** Marks the nodes to read: kept blocks, what is between them, and their ancestors. */
export function markKeptNodes(choice: KeptBlocks): Uint8Array {
  const { tree, blocks, verdicts } = choice;
  const kept = allocateUint8s(tree.count);
  for (const { at, from, to } of blocks) {
    if (verdicts[at] !== 'kept') continue;
    for (let node = from; node < to; node++) keepWithAncestors(tree, node, kept);
  }
  keepWhole(choice, kept);
  keepSymbols(choice, kept);
  keepFormulas(choice, kept);
  keepMedia(choice, kept);
  kept[0] = 1;
  return kept;
}

/** Keeps a node and its ancestors up to one that is already kept. */
function keepWithAncestors(tree: Tree, node: number, kept: Uint8Array): void {
  for (let at = node; at !== 0 && kept[at] !== 1; at = getParent(tree, at)) kept[at] = 1;
}

function keepWhole({ tree, blocks, verdicts }: KeptBlocks, kept: Uint8Array): void {
  let at = 0;
  for (let node = 1; node < tree.count; node++) {
    if (WHOLE_TAGS[getTag(tree, node)] !== 1 || kept[node] !== 1) continue;
    const end = getSubtreeEnd(tree, node);
    let all = 0;
    let inside = 0;
    while (at < blocks.length && (blocks[at]?.from ?? 0) < node) at++;
    for (; at < blocks.length && (blocks[at]?.from ?? 0) < end; at++) {
      const words = blocks[at]?.text.words ?? 0;
      all += words;
      if (verdicts[at] === 'kept') inside += words;
    }
    if (inside * 2 >= all) kept.fill(1, node, end);
    node = end - 1;
  }
}

const SYMBOL_TAGS = buildTagSet('td th dt dd pre');

/** Keeps cells, terms and code without words, such as a tick or an operator, if their surroundings are kept. */
function keepSymbols({ tree, blocks, verdicts, surroundings }: KeptBlocks, kept: Uint8Array): void {
  let next = 0;
  for (let node = 1; node < tree.count; node++) {
    if (SYMBOL_TAGS[getTag(tree, node)] !== 1 || kept[node] === 1) continue;
    while (next < blocks.length && (blocks[next]?.from ?? 0) < node) next++;
    const end = getSubtreeEnd(tree, node);
    if ((blocks[next]?.from ?? end) < end) continue;
    const isBetween = verdicts[next - 1] === 'kept' && verdicts[next] === 'kept';
    if (kept[getParent(tree, node)] !== 1 && !isBetween) continue;
    keepWithAncestors(tree, node, kept);
    for (let inside = node; inside < end; inside++) if (surroundings.unseen[inside] === 0) kept[inside] = 1;
    node = end - 1;
  }
}

/** Keeps images, frames and rules between kept texts, before a kept text, and as figures next to one. */
function keepMedia(choice: KeptBlocks, kept: Uint8Array): void {
  const { tree, blocks, verdicts, surroundings } = choice;
  const isHidden = isMostlyHidden(blocks, surroundings)
    ? () => false
    : (node: number) => surroundings.hidden[node] === HIDDEN;
  const textParents = markTextParents(choice);
  const mayPlay = (surroundings.hints & PLAYER_HINT) !== 0 || tree.names.some(isPlayerName);
  const isBetween = createFigureTest(choice);
  let next = 0;
  for (let node = 1; node < tree.count; node++) {
    while (next < blocks.length && (blocks[next]?.from ?? 0) < node) next++;
    if (kept[node] === 1 || isText(tree, node) || isHidden(node)) continue;
    if (MEDIA_TAGS[getTag(tree, node)] !== 1 && !(mayPlay && isPlayer(tree, node))) continue;
    const before = verdicts[next - 1] === 'kept';
    const after = verdicts[next] === 'kept';
    const figure = findFigure(tree, node);
    const isNextToText = textParents[getParent(tree, figure)] === 1 || (figure !== 0 && isBetween(figure, next));
    if (!before && !after && !isNextToText) continue;
    if (!(before && after) && !isNextToText) {
      const frame = findOutermost(tree, node, kept);
      const alone =
        (blocks[next - 1]?.from ?? 0) < frame && (blocks[next]?.from ?? tree.count) >= getSubtreeEnd(tree, frame);
      const isLead = after || getTag(tree, frame) === TAG.figure;
      if (!alone || !isLead || getTag(tree, getParent(tree, frame)) === TAG.body) continue;
    }
    keepWithAncestors(tree, node, kept);
    const end = getSubtreeEnd(tree, node);
    for (let inside = node + 1; inside < end; inside++) if (!isText(tree, inside)) kept[inside] = 1;
  }
}

/**
 * Returns a test whether the blocks on both sides of a figure are kept, ignoring those inside it. `next` is the first
 * block after an image in the figure. Results are cached per figure.
 */
function createFigureTest({ tree, blocks, verdicts }: KeptBlocks): (figure: number, next: number) => boolean {
  const known = new Map<number, boolean>();
  return (figure, next) => {
    const cached = known.get(figure);
    if (cached !== undefined) return cached;
    const end = getSubtreeEnd(tree, figure);
    let before = next - 1;
    while ((blocks[before]?.from ?? 0) > figure) before--;
    let after = next;
    while ((blocks[after]?.from ?? end) < end) after++;
    const isBetween = verdicts[before] === 'kept' && verdicts[after] === 'kept';
    known.set(figure, isBetween);
    return isBetween;
  };
}

/** 1 for every parent of a kept paragraph or heading. */
function markTextParents({ tree, blocks, verdicts }: KeptBlocks): Uint8Array {
  const parents = allocateUint8s(tree.count);
  for (const { at, node } of blocks) {
    if (verdicts[at] === 'kept' && PROSE_TAGS[getTag(tree, node)] === 1) parents[getParent(tree, node)] = 1;
  }
  parents[0] = 0;
  return parents;
}

const PROSE_TAGS = buildTagSet('p h1 h2 h3 h4 h5 h6 pre blockquote');
const MAX_FIGURE_LEVELS = 8;

/** The figure that contains a node, 0 if there is none. */
function findFigure(tree: Tree, node: number): number {
  let ancestor = node;
  for (let level = 0; level < MAX_FIGURE_LEVELS && ancestor !== 0; level++, ancestor = getParent(tree, ancestor)) {
    if (getTag(tree, ancestor) === TAG.figure) return ancestor;
  }
  return 0;
}

/** The outermost ancestor of a node that is not kept. */
function findOutermost(tree: Tree, node: number, kept: Uint8Array): number {
  let frame = node;
  for (
    let ancestor = getParent(tree, node);
    ancestor !== 0 && kept[ancestor] !== 1;
    ancestor = getParent(tree, ancestor)
  )
    frame = ancestor;
  return frame;
}
