/** Boosted trees as flat arrays: a node below 0 in `feature` is a leaf, whose `threshold` is its value. */
export type Forest = {
  readonly base: number;
  readonly roots: Int32Array;
  readonly feature: Int16Array;
  readonly threshold: Float32Array;
  /** The node for values up to the threshold; the other one follows the node itself. */
  readonly lower: Int32Array;
};

/**
 * A tree as it is written down: nodes in preorder, `[feature, threshold]` or `[value]`; after a split comes its branch of
 * higher values, then that of lower ones.
 */
export type WrittenTree = readonly (readonly number[])[];

export type WrittenForest = { readonly base: number; readonly trees: readonly WrittenTree[] };

/** The trees as {@link scoreRow} walks them. */
export function toForest({ base, trees }: WrittenForest): Forest {
  const count = trees.reduce((sum, tree) => sum + tree.length, 0);
  const forest = {
    base,
    roots: new Int32Array(trees.length),
    feature: new Int16Array(count),
    threshold: new Float32Array(count),
    lower: new Int32Array(count),
  };
  let offset = 0;
  for (const [at, tree] of trees.entries()) {
    forest.roots[at] = offset;
    placeNodes(forest, tree, offset);
    offset += tree.length;
  }
  return forest;
}

/** Splits wait for their lower branch, which starts where the higher one ends. */
function placeNodes({ feature, threshold, lower }: Forest, tree: WrittenTree, offset: number): void {
  const waiting: number[] = [];
  for (const [at, [first = 0, second]] of tree.entries()) {
    const node = offset + at;
    feature[node] = second === undefined ? -1 : first;
    threshold[node] = second ?? first;
    if (second !== undefined) waiting.push(node);
    else {
      const split = waiting.pop();
      if (split !== undefined) lower[split] = node + 1;
    }
  }
}

/** The log-odds that the trees give to one row of features. */
export function scoreRow({ base, roots, feature, threshold, lower }: Forest, row: Float32Array): number {
  let sum = base;
  for (let tree = 0; tree < roots.length; tree++) {
    let node = roots[tree] ?? 0;
    let column = feature[node] ?? -1;
    while (column >= 0) {
      node = (row[column] ?? 0) <= (threshold[node] ?? 0) ? (lower[node] ?? 0) : node + 1;
      column = feature[node] ?? -1;
    }
    sum += threshold[node] ?? 0;
  }
  return sum;
}

export function toProbability(logOdds: number): number {
  return 1 / (1 + Math.exp(-logOdds));
}
