import { uint8s } from '#extract/html/scratch.ts';
import { TAG } from '#extract/html/tag-names.ts';
import { tagSet } from '#extract/html/tags.ts';
import { isText, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { keepFormulas } from './kept-formulas.ts';
import type { BlockVerdict } from './scored-page.ts';
import { hidesMost } from './hidden-page.ts';
import { isPlayer, isPlayerName } from '#extract/view/players.ts';
import { HIDDEN } from '#extract/view/hiding.ts';
import { PLAYER_SIGN } from '#extract/content/features/name-signs.ts';
import type { NodeSurroundings } from '#extract/content/features/surroundings.ts';

type KeptBlocks = {
  readonly tree: Tree;
  readonly blocks: readonly Block[];
  readonly verdicts: readonly BlockVerdict[];
  readonly surroundings: NodeSurroundings;
};

/** Elements that are read whole once most of them is: half a listing of code is no code. */
const WHOLE = tagSet('pre math');
const WITHOUT_TEXT = tagSet('img amp-img amp-anim picture iframe video audio embed object hr br math input');

/** Marks the nodes that are read: kept blocks, what is between them, and the elements around. */
export function keptNodes(judged: KeptBlocks): Uint8Array {
  const { tree, blocks, verdicts } = judged;
  const kept = uint8s(tree.count);
  for (const { at, from, to } of blocks) {
    if (verdicts[at] !== 'kept') continue;
    for (let node = from; node < to; node++) keepWithParents(tree, node, kept);
  }
  keepWhole(judged, kept);
  keepSigns(judged, kept);
  keepFormulas(judged, kept);
  keepMedia(judged, kept);
  kept[0] = 1;
  return kept;
}

/** Every node up to one that is kept already. */
function keepWithParents(tree: Tree, node: number, kept: Uint8Array): void {
  for (let at = node; at !== 0 && kept[at] !== 1; at = parentOf(tree, at)) kept[at] = 1;
}

function keepWhole({ tree, blocks, verdicts }: KeptBlocks, kept: Uint8Array): void {
  let at = 0;
  for (let node = 1; node < tree.count; node++) {
    if (WHOLE[tagOf(tree, node)] !== 1 || kept[node] !== 1) continue;
    const end = subtreeEndOf(tree, node);
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

const SIGNS = tagSet('td th dt dd pre');

/** Cells, terms and code that hold no word but signs, as a tick or an operator, are read where what is around them is. */
function keepSigns({ tree, blocks, verdicts, surroundings }: KeptBlocks, kept: Uint8Array): void {
  let next = 0;
  for (let node = 1; node < tree.count; node++) {
    if (SIGNS[tagOf(tree, node)] !== 1 || kept[node] === 1) continue;
    while (next < blocks.length && (blocks[next]?.from ?? 0) < node) next++;
    const end = subtreeEndOf(tree, node);
    if ((blocks[next]?.from ?? end) < end) continue;
    const isBetween = verdicts[next - 1] === 'kept' && verdicts[next] === 'kept';
    if (kept[parentOf(tree, node)] !== 1 && !isBetween) continue;
    keepWithParents(tree, node, kept);
    for (let inside = node; inside < end; inside++) if (surroundings.unseen[inside] === 0) kept[inside] = 1;
    node = end - 1;
  }
}

/**
 * Images, frames and rules are read where the text on both sides of them is, where they lead a text that is, and as
 * figures beside one.
 */
function keepMedia(judged: KeptBlocks, kept: Uint8Array): void {
  const { tree, blocks, verdicts, surroundings } = judged;
  const isHidden = hidesMost(blocks, surroundings)
    ? () => false
    : (node: number) => surroundings.hidden[node] === HIDDEN;
  const besideText = parentsOfText(judged);
  const mayPlay = (surroundings.signs & PLAYER_SIGN) !== 0 || tree.names.some(isPlayerName);
  const isBetween = betweenText(judged);
  let next = 0;
  for (let node = 1; node < tree.count; node++) {
    while (next < blocks.length && (blocks[next]?.from ?? 0) < node) next++;
    if (kept[node] === 1 || isText(tree, node) || isHidden(node)) continue;
    if (WITHOUT_TEXT[tagOf(tree, node)] !== 1 && !(mayPlay && isPlayer(tree, node))) continue;
    const before = verdicts[next - 1] === 'kept';
    const after = verdicts[next] === 'kept';
    const figure = figureAround(tree, node);
    const isBeside = besideText[parentOf(tree, figure)] === 1 || (figure !== 0 && isBetween(figure, next));
    if (!before && !after && !isBeside) continue;
    if (!(before && after) && !isBeside) {
      const frame = outermost(tree, node, kept);
      const alone =
        (blocks[next - 1]?.from ?? 0) < frame && (blocks[next]?.from ?? tree.count) >= subtreeEndOf(tree, frame);
      const leads = after || tagOf(tree, frame) === TAG.figure;
      if (!alone || !leads || tagOf(tree, parentOf(tree, frame)) === TAG.body) continue;
    }
    keepWithParents(tree, node, kept);
    const end = subtreeEndOf(tree, node);
    for (let inside = node + 1; inside < end; inside++) if (!isText(tree, inside)) kept[inside] = 1;
  }
}

/**
 * Tells whether the blocks on both sides of a figure are kept, those in it left out; `next` is the first block behind an
 * image of it. Each figure is looked at once.
 */
function betweenText({ tree, blocks, verdicts }: KeptBlocks): (figure: number, next: number) => boolean {
  const known = new Map<number, boolean>();
  return (figure, next) => {
    const told = known.get(figure);
    if (told !== undefined) return told;
    const end = subtreeEndOf(tree, figure);
    let before = next - 1;
    while ((blocks[before]?.from ?? 0) > figure) before--;
    let after = next;
    while ((blocks[after]?.from ?? end) < end) after++;
    const isBetween = verdicts[before] === 'kept' && verdicts[after] === 'kept';
    known.set(figure, isBetween);
    return isBetween;
  };
}

/** 1 for every element with a kept paragraph or heading as its child. */
function parentsOfText({ tree, blocks, verdicts }: KeptBlocks): Uint8Array {
  const parents = uint8s(tree.count);
  for (const { at, node } of blocks) {
    if (verdicts[at] === 'kept' && PROSE[tagOf(tree, node)] === 1) parents[parentOf(tree, node)] = 1;
  }
  parents[0] = 0;
  return parents;
}

const PROSE = tagSet('p h1 h2 h3 h4 h5 h6 pre blockquote');
const FIGURE_LEVELS = 8;

/** The figure that a node stands in, 0 for none. */
function figureAround(tree: Tree, node: number): number {
  let around = node;
  for (let level = 0; level < FIGURE_LEVELS && around !== 0; level++, around = parentOf(tree, around)) {
    if (tagOf(tree, around) === TAG.figure) return around;
  }
  return 0;
}

/** The widest element around a node that is not kept. */
function outermost(tree: Tree, node: number, kept: Uint8Array): number {
  let frame = node;
  for (let around = parentOf(tree, node); around !== 0 && kept[around] !== 1; around = parentOf(tree, around))
    frame = around;
  return frame;
}
