import { TAG } from '#extract/html/tag-names.ts';
import { isText, parentOf, subtreeEndOf, tagOf, type Tree } from '#extract/html/tree.ts';
import type { Block } from '#extract/content/features/blocks.ts';
import { FORMULA_SIGN } from '#extract/content/features/name-signs.ts';
import type { NodeSurroundings } from '#extract/content/features/surroundings.ts';
import { holdsFormulas, isFormula } from '#extract/view/formula-nodes.ts';
import { isBlock } from '#extract/view/view.ts';
import type { BlockVerdict } from './scored-page.ts';

type Judged = {
  readonly tree: Tree;
  readonly blocks: readonly Block[];
  readonly verdicts: readonly BlockVerdict[];
  readonly surroundings: Pick<NodeSurroundings, 'signs'>;
};

/**
 * Keeps the formulas of a page with the text around them. A formula says nothing that scores know: it is read where the
 * words of its element are, and where it is all that its element holds, as in many cells and items, where its row, its list
 * or a block beside it is.
 */
export function keepFormulas({ tree, blocks, verdicts, surroundings }: Judged, kept: Uint8Array): void {
  if (!holdsFormulas(tree, (surroundings.signs & FORMULA_SIGN) !== 0)) return;
  let next = 0;
  for (let node = 1; node < tree.count; node++) {
    while (next < blocks.length && (blocks[next]?.from ?? 0) < node) next++;
    if (isText(tree, node) || !isFormula(tree, node)) continue;
    const end = subtreeEndOf(tree, node);
    const holder = holderOf(tree, node);
    if (kept[holder] === 1 || isBesideKept(tree, { node, holder, next, blocks, verdicts }, kept)) {
      kept.fill(1, node, end);
      for (let around = parentOf(tree, node); around !== 0 && kept[around] !== 1; around = parentOf(tree, around))
        kept[around] = 1;
    }
    node = end - 1;
  }
}

/** The nearest block element around a node. */
function holderOf(tree: Tree, node: number): number {
  let holder = parentOf(tree, node);
  while (holder !== 0 && !isBlock(tree, holder)) holder = parentOf(tree, holder);
  return holder;
}

type FormulaPlace = Pick<Judged, 'blocks' | 'verdicts'> & {
  readonly node: number;
  readonly holder: number;
  /** The first block that begins in or behind the formula. */
  readonly next: number;
};

/** Whether a formula that is all of its element stands in a list or table that is read, or beside a block that is. */
function isBesideKept(tree: Tree, { node, holder, next, blocks, verdicts }: FormulaPlace, kept: Uint8Array): boolean {
  const end = subtreeEndOf(tree, holder);
  const formulaEnd = subtreeEndOf(tree, node);
  let before = next - 1;
  let after = next;
  while ((blocks[after]?.from ?? end) < end) {
    if ((blocks[after]?.to ?? 0) > formulaEnd) return false;
    after++;
  }
  if ((blocks[before]?.from ?? 0) > holder) return false;
  const parent = parentOf(tree, holder);
  if (MEMBERS.has(tagOf(tree, holder)) && kept[parent] === 1) return true;
  for (let steps = 0; steps < MAX_REPEATS && verdicts[before] === 'repeated'; steps++) before--;
  const isIn = (at: number) => verdicts[at] === 'kept' && isWithin(tree, blocks[at]?.node ?? 0, parent);
  return isIn(before) || isIn(after);
}

/** Repeats before a formula behind which kept text is looked for. */
const MAX_REPEATS = 20;

const MEMBERS: ReadonlySet<number> = new Set([TAG.li, TAG.dt, TAG.dd, TAG.td, TAG.th, TAG.caption]);

function isWithin(tree: Tree, node: number, around: number): boolean {
  return node >= around && node < subtreeEndOf(tree, around);
}
