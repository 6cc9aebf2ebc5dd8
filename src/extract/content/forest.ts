/**
 * Boosted trees as flat arrays, nodes in preorder. The code of a split is its feature times {@link STEPS}, plus the steps
 * to the branch of values up to the threshold; the other branch follows the split itself. A leaf has the code -1, and its
 * `threshold` is its value.
 */
export type Forest = {
  readonly base: number;
  readonly roots: Int32Array;
  readonly code: Int32Array;
  readonly threshold: Float32Array;
};

const STEP_BITS = 16;
const STEPS = 2 ** STEP_BITS;

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
    if (tree.length > STEPS) throw new Error('a tree has too many nodes');
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
export function scoreRow({ base, roots, code, threshold }: Forest, row: Float32Array): number {
  let sum = base;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? 0;
    let split = code[node] ?? -1;
    while (split >= 0) {
      node += (row[split >> STEP_BITS] ?? 0) <= (threshold[node] ?? 0) ? split & (STEPS - 1) : 1;
      split = code[node] ?? -1;
    }
    sum += threshold[node] ?? 0;
  }
  return sum;
}

const ROW_BITS = 8;

/** Rows that are scored at once. */
export const ROWS = 2 ** ROW_BITS;

/**
 * Sets each sum to what the trees say of its row; `columns` holds the rows side by side, {@link ROWS} values of a feature
 * after each other. Tree by tree is faster than row by row: rows that follow each other mostly take the same branches.
 */
export function scoreRows({ base, roots, code, threshold }: Forest, columns: Float32Array, sums: Float64Array): void {
  sums.fill(base);
  for (let tree = 0; tree < roots.length; tree++) {
    const root = roots[tree] ?? 0;
    for (let row = 0; row < sums.length; row++) {
      let node = root;
      let split = code[node] ?? -1;
      while (split >= 0) {
        const value = columns[((split >> STEP_BITS) << ROW_BITS) | row] ?? 0;
        node += value <= (threshold[node] ?? 0) ? split & (STEPS - 1) : 1;
        split = code[node] ?? -1;
      }
      sums[row] = (sums[row] ?? 0) + (threshold[node] ?? 0);
    }
  }
}

export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
