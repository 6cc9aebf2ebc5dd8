import type { StoredForest, StoredTree } from '#extract/content/model/forest.ts';

/** Feature values in at most 64 bins per column, stored by column. */
export type BinnedData = {
  readonly rows: number;
  readonly columns: number;
  readonly bins: Uint8Array;
  /** For each column the highest value of each bin except the last. */
  readonly edges: readonly Float32Array[];
};

export type Boosting = {
  readonly trees: number;
  readonly leaves: number;
  readonly rate: number;
  /** Minimum number of rows of a leaf. */
  readonly fewest: number;
  /** Regularization added to the weight of a leaf. */
  readonly shrinkage: number;
  /** The weight, in rows, of the value of the parent in the value of a node. */
  readonly smoothing: number;
  /** The share of columns for a tree, the share of these for a split, and the share of row groups for a tree. */
  readonly columnShare: number;
  readonly splitShare: number;
  readonly groupShare: number;
  readonly seed: number;
};

/** Target value (0 to 1), weight and page of each row. */
export type Targets = {
  readonly target: Float32Array;
  readonly weight: Float32Array;
  readonly group: Int32Array;
};

const BINS = 64;

/** Splits each column at quantiles; the edges are rounded, so that they can be stored. */
export function buildBins(values: Float32Array, columns: number): BinnedData {
  const rows = values.length / columns;
  const bins = new Uint8Array(rows * columns);
  const edges = Array.from({ length: columns }, (_, column) => {
    const ofColumn = new Float32Array(rows);
    for (let row = 0; row < rows; row++) ofColumn[row] = values[row * columns + column] ?? 0;
    const cuts = computeCuts(ofColumn);
    for (let row = 0; row < rows; row++) bins[column * rows + row] = findBin(cuts, ofColumn[row] ?? 0);
    return cuts;
  });
  return { rows, columns, bins, edges };
}

function computeCuts(values: Float32Array): Float32Array {
  const sorted = values.toSorted();
  const cuts = new Set<number>();
  const distinct = new Set(sorted);
  if (distinct.size <= BINS) {
    const list = [...distinct];
    for (let at = 1; at < list.length; at++) cuts.add(roundValue(((list[at - 1] ?? 0) + (list[at] ?? 0)) / 2));
  } else {
    for (let part = 1; part < BINS; part++)
      cuts.add(roundValue(sorted[Math.floor((part * sorted.length) / BINS)] ?? 0));
  }
  return Float32Array.from(cuts).toSorted();
}

function roundValue(value: number): number {
  return Number(value.toPrecision(4));
}

function findBin(cuts: Float32Array, value: number): number {
  let low = 0;
  let high = cuts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (value <= (cuts[middle] ?? 0)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A generator of numbers from 0 to 1 that depend only on the seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A leaf that may be split: its rows, its sums, and the best split found. */
type Leaf = {
  readonly rows: Int32Array;
  readonly gradients: Float64Array;
  readonly weights: Float64Array;
  readonly counts: Float64Array;
  readonly gradient: number;
  readonly weight: number;
  split: Split | null;
  branches: { readonly higher: Leaf; readonly lower: Leaf } | null;
};

type Split = { readonly column: number; readonly bin: number; readonly gain: number };

/**
 * Gradient boosting of trees on logistic loss, grown leaf by leaf (Friedman 2001; histograms as in LightGBM, Ke et al.
 * 2017). Each tree sees a share of the pages and of the columns, and each split a share of these. This has an effect similar
 * to averaging several models.
 */
export function trainBoosting(binned: BinnedData, targets: Targets, options: Boosting): StoredForest {
  const random = createRandom(options.seed);
  const base = computeLogit(computeWeightedMean(targets));
  const scores = new Float64Array(binned.rows).fill(base);
  const trees: StoredTree[] = [];
  const groups = targets.group.reduce((most, group) => Math.max(most, group), -1) + 1;
  for (let count = 0; count < options.trees; count++) {
    const seen = Uint8Array.from({ length: groups }, () => (random() < options.groupShare ? 1 : 0));
    const columns = Array.from({ length: binned.columns }, (_, column) => column).filter(
      () => random() < options.columnShare,
    );
    const grower = createGrower({ binned, targets, options, scores, columns, random });
    const root = grower.toLeaf(listRows(targets, seen));
    grower.grow(root);
    const tree: number[][] = [];
    writeTree(tree, { leaf: root, above: 0 }, { binned, options });
    trees.push(tree);
    addScores(scores, tree, binned);
  }
  return { base: roundValue(base), trees };
}

function computeWeightedMean({ target, weight }: Targets): number {
  let sum = 0;
  let all = 0;
  for (const [row, value] of target.entries()) {
    sum += value * (weight[row] ?? 0);
    all += weight[row] ?? 0;
  }
  return sum / all;
}

function computeLogit(share: number): number {
  return Math.log(share / (1 - share));
}

function listRows({ group, weight }: Targets, seen: Uint8Array): Int32Array {
  const rows: number[] = [];
  for (const [row, of] of group.entries()) if (seen[of] === 1 && (weight[row] ?? 0) > 0) rows.push(row);
  return Int32Array.from(rows);
}

type Growing = {
  readonly binned: BinnedData;
  readonly targets: Targets;
  readonly options: Boosting;
  readonly scores: Float64Array;
  readonly columns: readonly number[];
  readonly random: () => number;
};

function createGrower({ binned, targets, options, scores, columns, random }: Growing) {
  const { rows: count, bins } = binned;
  const gradients = new Float64Array(count);
  const weights = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const found = 1 / (1 + Math.exp(-(scores[row] ?? 0)));
    const weight = targets.weight[row] ?? 0;
    gradients[row] = weight * ((targets.target[row] ?? 0) - found);
    weights[row] = weight * found * (1 - found);
  }

  function sumBins(rows: Int32Array): Pick<Leaf, 'gradients' | 'weights' | 'counts'> {
    const size = columns.length * BINS;
    const sums = { gradients: new Float64Array(size), weights: new Float64Array(size), counts: new Float64Array(size) };
    for (let at = 0; at < columns.length; at++) {
      const start = (columns[at] ?? 0) * count;
      const offset = at * BINS;
      for (let index = 0; index < rows.length; index++) {
        const row = rows[index] ?? 0;
        const slot = offset + (bins[start + row] ?? 0);
        sums.gradients[slot] = (sums.gradients[slot] ?? 0) + (gradients[row] ?? 0);
        sums.weights[slot] = (sums.weights[slot] ?? 0) + (weights[row] ?? 0);
        sums.counts[slot] = (sums.counts[slot] ?? 0) + 1;
      }
    }
    return sums;
  }

  function finish(rows: Int32Array, sums: Pick<Leaf, 'gradients' | 'weights' | 'counts'>): Leaf {
    let gradient = 0;
    let weight = 0;
    for (const row of rows) {
      gradient += gradients[row] ?? 0;
      weight += weights[row] ?? 0;
    }
    const leaf: Leaf = { rows, ...sums, gradient, weight, split: null, branches: null };
    leaf.split = findBestSplit(leaf, { columns, options, random });
    return leaf;
  }

  function divide(leaf: Leaf, { column, bin }: Split): { higher: Leaf; lower: Leaf } {
    const start = column * count;
    const isLower = (row: number) => (bins[start + row] ?? 0) <= bin;
    const lowerRows = leaf.rows.filter(isLower);
    const higherRows = leaf.rows.filter((row) => !isLower(row));
    const smaller = sumBins(lowerRows.length < higherRows.length ? lowerRows : higherRows);
    const larger = {
      gradients: leaf.gradients.map((sum, at) => sum - (smaller.gradients[at] ?? 0)),
      weights: leaf.weights.map((sum, at) => sum - (smaller.weights[at] ?? 0)),
      counts: leaf.counts.map((sum, at) => sum - (smaller.counts[at] ?? 0)),
    };
    const lowerIsSmaller = lowerRows.length < higherRows.length;
    return {
      higher: finish(higherRows, lowerIsSmaller ? larger : smaller),
      lower: finish(lowerRows, lowerIsSmaller ? smaller : larger),
    };
  }

  function grow(root: Leaf): void {
    const leaves = [root];
    while (leaves.length < options.leaves) {
      const best = leaves.reduce((a, b) => ((b.split?.gain ?? 0) > (a.split?.gain ?? 0) ? b : a));
      if (best.split === null) return;
      best.branches = divide(best, best.split);
      leaves.splice(leaves.indexOf(best), 1, best.branches.higher, best.branches.lower);
    }
  }

  return { toLeaf: (rows: Int32Array) => finish(rows, sumBins(rows)), grow };
}

type Search = Pick<Growing, 'columns' | 'options' | 'random'>;

function findBestSplit(leaf: Leaf, { columns, options, random }: Search): Split | null {
  const { fewest, shrinkage, splitShare } = options;
  const computeGain = (gradient: number, weight: number) => (gradient * gradient) / (weight + shrinkage);
  const whole = computeGain(leaf.gradient, leaf.weight);
  let best: Split | null = null;
  for (const [at, column] of columns.entries()) {
    if (random() >= splitShare) continue;
    let gradient = 0;
    let weight = 0;
    let rows = 0;
    for (let bin = 0; bin < BINS - 1; bin++) {
      const slot = at * BINS + bin;
      gradient += leaf.gradients[slot] ?? 0;
      weight += leaf.weights[slot] ?? 0;
      rows += leaf.counts[slot] ?? 0;
      if (rows < fewest) continue;
      if (leaf.rows.length - rows < fewest) break;
      const gain = computeGain(gradient, weight) + computeGain(leaf.gradient - gradient, leaf.weight - weight) - whole;
      if (gain > (best?.gain ?? 1e-9)) best = { column, bin, gain };
    }
  }
  return best;
}

type Writing = { readonly binned: BinnedData; readonly options: Boosting };

/** A leaf or a split node, and the value of its parent. */
type Placed = { readonly leaf: Leaf; readonly above: number };

/** Writes a tree. Each value is pulled towards that of its parent, more so if the node has few rows (as in LightGBM). */
function writeTree(tree: number[][], { leaf, above }: Placed, writing: Writing): void {
  const { split, branches } = leaf;
  const { rate, shrinkage, smoothing } = writing.options;
  const share = leaf.rows.length / (leaf.rows.length + smoothing);
  const value = (share * leaf.gradient) / (leaf.weight + shrinkage) + (1 - share) * above;
  if (split === null || branches === null) {
    tree.push([Number((rate * value).toFixed(4))]);
    return;
  }
  tree.push([split.column, roundValue(writing.binned.edges[split.column]?.[split.bin] ?? 0)]);
  writeTree(tree, { leaf: branches.higher, above: value }, writing);
  writeTree(tree, { leaf: branches.lower, above: value }, writing);
}

/** Adds the prediction of a tree to each row, including rows it was not trained on. */
function addScores(scores: Float64Array, tree: StoredTree, { rows, bins, edges }: BinnedData): void {
  const lowerNodes = lowerBranches(tree);
  const binAt = tree.map(([column = 0, edge]) =>
    edge === undefined ? -1 : (edges[column] ?? new Float32Array()).indexOf(Math.fround(edge)),
  );
  for (let row = 0; row < rows; row++) {
    let at = 0;
    while ((binAt[at] ?? -1) >= 0) {
      const column = tree[at]?.[0] ?? 0;
      at = (bins[column * rows + row] ?? 0) <= (binAt[at] ?? 0) ? (lowerNodes[at] ?? 0) : at + 1;
    }
    scores[row] = (scores[row] ?? 0) + (tree[at]?.[0] ?? 0);
  }
}

function lowerBranches(tree: StoredTree): readonly number[] {
  const lower: number[] = [];
  const waiting: number[] = [];
  for (const [at, node] of tree.entries()) {
    if (node.length > 1) {
      waiting.push(at);
      continue;
    }
    // The last leaf ends the tree, because no split has an open branch.
    const split = waiting.pop();
    if (split !== undefined) lower[split] = at + 1;
  }
  return lower;
}
