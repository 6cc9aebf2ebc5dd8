/**
 * Boosted trees as flat arrays, nodes in preorder. The code of a split is its feature times {@link STEPS}, plus the steps
 * to the branch of values up to the threshold; the other branch follows the split itself. A leaf has the code -1, and its
 * `threshold` is its value.
 */
import { InvariantError } from '#extract/invariant-error.ts';

export type Forest = {
  readonly base: number;
  readonly roots: Int32Array;
  readonly code: Int32Array;
  readonly threshold: Float32Array;
};

const STEP_BITS = 16;
const STEPS = 2 ** STEP_BITS;

/** The feature that a split looks at. */
export function getFeature(split: number): number {
  return split >> STEP_BITS;
}

/** How many nodes after a split its branch of lower values begins. */
export function getStepsToLower(split: number): number {
  return split & (STEPS - 1);
}

/**
 * A tree as it is written down: nodes in preorder, `[feature, threshold]` or `[value]`; after a split comes its branch of
 * higher values, then that of lower ones.
 */
export type WrittenTree = readonly (readonly number[])[];

export type WrittenForest = { readonly base: number; readonly trees: readonly WrittenTree[] };

/** The trees as {@link scoreRow} walks them. Throws when one has too many nodes. */
export function toForest({ base, trees }: WrittenForest): Forest {
  const count = trees.reduce((sum, tree) => sum + tree.length, 0);
  const forest = {
    base,
    roots: new Int32Array(trees.length),
    code: new Int32Array(count),
    threshold: new Float32Array(count),
  };
  let offset = 0;
  for (const [at, tree] of trees.entries()) {
    if (tree.length > STEPS) throw new InvariantError('a tree has too many nodes');
    forest.roots[at] = offset;
    placeNodes(forest, tree, offset);
    offset += tree.length;
  }
  return forest;
}

/** Splits wait for their lower branch, which starts where the higher one ends. */
function placeNodes({ code, threshold }: Forest, tree: WrittenTree, offset: number): void {
  const waiting: number[] = [];
  for (const [at, [first = 0, second]] of tree.entries()) {
    const node = offset + at;
    code[node] = second === undefined ? -1 : first * STEPS;
    threshold[node] = second ?? first;
    if (second !== undefined) waiting.push(node);
    else {
      const split = waiting.pop();
      if (split !== undefined) code[split] = (code[split] ?? 0) + node + 1 - split;
    }
  }
}

/** The log-odds that the trees give to one row of features. */
export function scoreRow(forest: Forest, row: Float32Array): number {
  return addTrees(forest, row, 0);
}

function addTrees({ base, roots, code, threshold }: Forest, row: Float32Array, before: number): number {
  let sum = before + base;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? 0;
    let split = code[node] ?? -1;
    while (split >= 0) {
      node += (row[getFeature(split)] ?? 0) <= (threshold[node] ?? 0) ? getStepsToLower(split) : 1;
      split = code[node] ?? -1;
    }
    sum += threshold[node] ?? 0;
  }
  return sum;
}

/**
 * Forests that learned the same from other parts of the pages. The first is asked about every row; of rows that it is in
 * doubt of, all are asked, and the mean of their log-odds is taken.
 */
export type ForestEnsemble = { readonly first: Forest; readonly others: readonly Forest[] };

/** The first forest is in doubt of what it gives fewer log-odds: beyond, what others say hardly changes a choice. */
const MIN_SURE_LOG_ODDS = 1.75;

function isDoubtful(logOdds: number): boolean {
  return Math.abs(logOdds) < MIN_SURE_LOG_ODDS;
}

/** The log-odds that the forests give to one row of features. */
export function scoreEnsembleRow({ first, others }: ForestEnsemble, row: Float32Array): number {
  const own = scoreRow(first, row);
  if (!isDoubtful(own)) return own;
  return others.reduce((sum, forest) => addTrees(forest, row, sum), own) / (1 + others.length);
}

/** Rows that are scored at once at most. */
export const MAX_ROWS = 496;
/** Numbers that fill a line of the cache. */
const CACHE_LINE_FLOATS = 16;

/** How long columns for so many rows are: an odd number of cache lines, so that columns do not push each other out. */
export function computeColumnLength(rows: number): number {
  return (Math.ceil(Math.min(rows, MAX_ROWS) / CACHE_LINE_FLOATS) | 1) * CACHE_LINE_FLOATS;
}

/**
 * Rows side by side: `length` values of a feature after each other, of which a page may use fewer. Features from `shared`
 * on have one value for all rows, and stand after the others.
 */
export type FeatureColumns = { readonly values: Float32Array; readonly length: number; readonly shared: number };

/**
 * Sets each sum to what the forests say of its row. Node by node, the rows are parted into those of its two branches: one
 * threshold is held against many values of a column, and what all rows share is looked at once.
 */
export function scoreRows({ first, others }: ForestEnsemble, columns: FeatureColumns, sums: Float64Array): void {
  const order = new Uint16Array(sums.length);
  for (let row = 0; row < order.length; row++) order[row] = row;
  const walk: ForestWalk = { columns, sums, order, waiting: new Int32Array(3 * sums.length) };
  sums.fill(0);
  walkForest(first, walk);
  const doubtful = listDoubtful(sums, order);
  for (const forest of others) walkForest(forest, { ...walk, order: doubtful });
  for (const row of doubtful) sums[row] = (sums[row] ?? 0) / (1 + others.length);
}

/** The rows that the first forest is in doubt of, written into `order`. */
export function listDoubtful(sums: Float64Array, order: Uint16Array): Uint16Array {
  let count = 0;
  for (let row = 0; row < sums.length; row++) if (isDoubtful(sums[row] ?? 0)) order[count++] = row;
  return order.subarray(0, count);
}

type ForestWalk = {
  readonly columns: FeatureColumns;
  readonly sums: Float64Array;
  /** The rows to score; those that are at one node stand together. */
  readonly order: Uint16Array;
  /** Branches to be walked later, each as its node and its part of the order; none is without a row of its own. */
  readonly waiting: Int32Array;
};

/** Adds what the trees say of each row to its sum. */
function walkForest(forest: Forest, walk: ForestWalk): void {
  const { order, sums } = walk;
  for (const row of order) sums[row] = (sums[row] ?? 0) + forest.base;
  if (order.length > 0) for (const root of forest.roots) walkTree(forest, walk, root);
}

function walkTree({ code, threshold }: Forest, { columns, sums, order, waiting }: ForestWalk, root: number): void {
  const { values, length, shared } = columns;
  let node = root;
  let from = 0;
  let to = order.length;
  let waits = 0;
  for (;;) {
    const split = code[node] ?? -1;
    const value = threshold[node] ?? 0;
    if (split < 0) {
      for (let at = from; at < to; at++) sums[order[at] ?? 0] = (sums[order[at] ?? 0] ?? 0) + value;
      if (waits === 0) return;
      to = waiting[--waits] ?? 0;
      from = waiting[--waits] ?? 0;
      node = waiting[--waits] ?? 0;
      continue;
    }
    const feature = getFeature(split);
    const lower = node + getStepsToLower(split);
    let middle = from;
    if (feature >= shared) {
      if ((values[shared * length + feature - shared] ?? 0) <= value) middle = to;
    } else {
      const column = feature * length;
      // Each row changes places with the first higher one, whether it is lower or not: a branch would be guessed wrongly.
      for (let at = from; at < to; at++) {
        const row = order[at] ?? 0;
        order[at] = order[middle] ?? 0;
        order[middle] = row;
        middle += Number((values[column + row] ?? 0) <= value);
      }
    }
    if (middle === to) node = lower;
    else {
      if (middle > from) {
        waiting[waits++] = lower;
        waiting[waits++] = from;
        waiting[waits++] = middle;
      }
      from = middle;
      node++;
    }
  }
}

export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
