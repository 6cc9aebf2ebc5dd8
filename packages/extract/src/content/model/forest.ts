/**
 * Boosted trees as flat arrays, with nodes in preorder. The code of a split is its feature times {@link STEPS}, plus the
 * distance in nodes to the branch for values up to the threshold. The other branch directly follows the split. A leaf has
 * the code -1, and its `threshold` is its value.
 */
import { InvariantError } from '#extract/invariant-error.ts';

/** A forest of regression trees. Its score is `base` plus the values of the leaves reached. */
export type Forest = {
  readonly base: number;
  readonly roots: Int32Array;
  readonly code: Int32Array;
  readonly threshold: Float32Array;
};

const STEP_BITS = 16;
const STEPS = 2 ** STEP_BITS;

/** The feature that a split tests. */
export function getFeature(split: number): number {
  return split >> STEP_BITS;
}

/** The distance in nodes from a split to its branch of lower values. */
export function getStepsToLower(split: number): number {
  return split & (STEPS - 1);
}

/**
 * A tree as it is stored: nodes in preorder, `[feature, threshold]` for a split or `[value]` for a leaf. After a split
 * comes its branch of higher values, then that of lower values.
 */
export type StoredTree = readonly (readonly number[])[];

/** A forest as it is stored in `weights.json`. */
export type StoredForest = { readonly base: number; readonly trees: readonly StoredTree[] };

/** Converts stored trees to flat arrays. Throws {@link InvariantError} if a tree has too many nodes. */
export function toForest({ base, trees }: StoredForest): Forest {
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

/** Each split waits for its lower branch, which starts after the end of the higher one. */
function placeNodes({ code, threshold }: Forest, tree: StoredTree, offset: number): void {
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

/** The log-odds of one row of features. */
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
 * Forests trained on different parts of the pages. The first one scores every row. Rows that it is unsure about are
 * scored by all, and the mean of the log-odds is used.
 */
export type ForestEnsemble = { readonly first: Forest; readonly others: readonly Forest[] };

/** From this many log-odds on the first forest is sure: the others hardly ever change the choice. */
const MIN_SURE_LOG_ODDS = 1.75;

function isDoubtful(logOdds: number): boolean {
  return Math.abs(logOdds) < MIN_SURE_LOG_ODDS;
}

/** The log-odds that the ensemble gives to one row of features. */
export function scoreEnsembleRow({ first, others }: ForestEnsemble, row: Float32Array): number {
  const own = scoreRow(first, row);
  if (!isDoubtful(own)) return own;
  return others.reduce((sum, forest) => addTrees(forest, row, sum), own) / (1 + others.length);
}

/** Maximum rows that are scored at once. */
export const MAX_ROWS = 496;
/** Numbers in a cache line. */
const CACHE_LINE_FLOATS = 16;

/**
 * The length of columns for a number of rows: an odd number of cache lines, so that columns do not evict each other.
 */
export function computeColumnLength(rows: number): number {
  return (Math.ceil(Math.min(rows, MAX_ROWS) / CACHE_LINE_FLOATS) | 1) * CACHE_LINE_FLOATS;
}

/**
 * Rows in column order: `length` values of one feature, then the next feature. A page may use fewer rows. Features from
 * `shared` on have one value for all rows and come last.
 */
export type FeatureColumns = { readonly values: Float32Array; readonly length: number; readonly shared: number };

/**
 * Sets each sum to the log-odds of its row. Each split divides the rows into two branches, so that one threshold is
 * compared with many values of a column, and values that all rows share are tested once.
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

/** Writes the rows that the first forest is unsure about into `order` and returns that part of it. */
export function listDoubtful(sums: Float64Array, order: Uint16Array): Uint16Array {
  let count = 0;
  for (let row = 0; row < sums.length; row++) if (isDoubtful(sums[row] ?? 0)) order[count++] = row;
  return order.subarray(0, count);
}

type ForestWalk = {
  readonly columns: FeatureColumns;
  readonly sums: Float64Array;
  /** The rows to score. Rows at the same node are adjacent. */
  readonly order: Uint16Array;
  /** Pending branches, each as its node and its range of `order`. None has an empty range. */
  readonly waiting: Int32Array;
};

/** Adds the forest's value for each row to the sum of the row. */
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
  let pendingLength = 0;
  for (;;) {
    const split = code[node] ?? -1;
    const value = threshold[node] ?? 0;
    if (split < 0) {
      for (let at = from; at < to; at++) sums[order[at] ?? 0] = (sums[order[at] ?? 0] ?? 0) + value;
      if (pendingLength === 0) return;
      to = waiting[--pendingLength] ?? 0;
      from = waiting[--pendingLength] ?? 0;
      node = waiting[--pendingLength] ?? 0;
      continue;
    }
    const feature = getFeature(split);
    const lower = node + getStepsToLower(split);
    let middle = from;
    if (feature >= shared) {
      if ((values[shared * length + feature - shared] ?? 0) <= value) middle = to;
    } else {
      const column = feature * length;
      // Each row is swapped with the first higher one without a branch, which would often be mispredicted.
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
        waiting[pendingLength++] = lower;
        waiting[pendingLength++] = from;
        waiting[pendingLength++] = middle;
      }
      from = middle;
      node++;
    }
  }
}

/** Converts log-odds to a probability (the logistic function). */
export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
