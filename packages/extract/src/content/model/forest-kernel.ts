import { decodeBase64 } from '#extract/platform/node.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import {
  computeColumnLength,
  listDoubtful,
  type ForestEnsemble,
  getFeature,
  type Forest,
  MAX_ROWS,
  getStepsToLower,
} from './forest.ts';
import { FOREST_WASM } from './forest-wasm.ts';

/** Scores rows with forests in a WASM module (`forest.as.ts`), 128 rows at a time. */
export type ForestKernel = {
  /** Input memory: the columns of the rows to score. It holds the rows of one page at a time. */
  readonly values: Float32Array;
  /** Sets each sum to the log-odds of its row. `length` is the length of a column. */
  readonly score: (length: number, sums: Float64Array) => void;
};

/** The number of features with one value per row, and of those with one value for all rows. The latter come last. */
export type RowWidth = { readonly own: number; readonly shared: number };

/** Limits of the module: distinct splits of a forest, and pending branches of a tree. */
const MAX_SPLITS = 4096;
const MAX_PENDING = 64;
/** Size of a node in bytes, and in 4-byte numbers. */
const NODE_BYTES = 16;
const NODE_NUMBERS = NODE_BYTES / 4;
/** Size of a WebAssembly memory page. */
const PAGE_BYTES = 65_536;

/** Compiled once per thread. */
let compiledModule: WebAssembly.Module | null = null;

/** Creates a kernel with its own memory. Null if a forest has more splits or deeper trees than the module supports. */
export function createKernel({ first, others }: ForestEnsemble, { own, shared }: RowWidth): ForestKernel | null {
  const forests = [first, ...others].map((forest) => ({ forest, splits: numberSplits(forest) }));
  if (forests.some(({ forest, splits }) => splits.count > MAX_SPLITS || measureDepth(forest) > MAX_PENDING))
    return null;
  const values = own * MAX_ROWS + shared;
  const { buffer, take, addTrees, pick } = createModule(values * 8 + MAX_ROWS * 16 + measureForests(forests));
  const roots = new Map(
    forests.map(({ forest, splits }) => [forest, writeForest(forest, splits.numbers, { buffer, take })]),
  );
  const [allAt, pickedAt, sumsAt, rowsAt] = [
    take(values * 4),
    take(values * 4),
    take(MAX_ROWS * 8),
    take(MAX_ROWS * 2),
  ];
  const results = new Float64Array(buffer, sumsAt, MAX_ROWS);
  const rows = new Uint16Array(buffer, rowsAt, MAX_ROWS);

  function add(forest: Forest, count: number, { at, length }: { readonly at: number; readonly length: number }): void {
    for (let row = 0; row < count; row++) results[row] = (results[row] ?? 0) + forest.base;
    addTrees(roots.get(forest) ?? 0, forest.roots.length, at, length, own, count, sumsAt);
  }

  return {
    values: new Float32Array(buffer, allAt, values),
    score(length, sums) {
      results.fill(0);
      add(first, sums.length, { at: allAt, length });
      sums.set(results.subarray(0, sums.length));
      const doubtful = listDoubtful(sums, rows);
      const { length: count } = doubtful;
      const picked = { at: pickedAt, length: computeColumnLength(count) };
      pick(allAt, length, own, shared, rowsAt, count, picked.at, picked.length);
      for (let at = 0; at < count; at++) results[at] = sums[doubtful[at] ?? 0] ?? 0;
      for (const forest of others) add(forest, count, picked);
      for (let at = 0; at < count; at++) sums[doubtful[at] ?? 0] = (results[at] ?? 0) / (1 + others.length);
    },
  };
}

type Forests = readonly { readonly forest: Forest }[];

/** The bytes that the forests need, including padding. */
function measureForests(forests: Forests): number {
  const bytes = forests.map(({ forest: { code, roots } }) => code.length * NODE_BYTES + roots.length * 4 + NODE_BYTES);
  return bytes.reduce((sum, each) => sum + each, PAGE_BYTES);
}

/** Creates an instance with the given number of bytes and a simple allocator. */
function createModule(bytes: number) {
  compiledModule ??= new WebAssembly.Module(decodeBase64(FOREST_WASM));
  const { memory, heap, addTrees, pick } = new WebAssembly.Instance(compiledModule).exports;
  if (
    !(memory instanceof WebAssembly.Memory) ||
    typeof heap !== 'function' ||
    typeof addTrees !== 'function' ||
    typeof pick !== 'function'
  )
    throw new InvariantError('the forest module differs from its build: run npm run build:kernel');
  memory.grow(Math.ceil(bytes / PAGE_BYTES));
  let free: number = heap();
  function take(size: number): number {
    const at = free;
    free += Math.ceil(size / NODE_BYTES) * NODE_BYTES;
    return at;
  }
  return { buffer: memory.buffer, take, addTrees, pick };
}

/** Numbers the distinct splits of a forest and gives each node the number of its split. */
function numberSplits({ code, threshold }: Forest): { readonly numbers: Int32Array; readonly count: number } {
  const bits = new Uint32Array(threshold.buffer, threshold.byteOffset, threshold.length);
  const known = new Map<number, number>();
  const numbers = new Int32Array(code.length);
  for (let node = 0; node < code.length; node++) {
    const split = code[node] ?? -1;
    if (split < 0) continue;
    const name = getFeature(split) * 2 ** 32 + (bits[node] ?? 0);
    const number = known.get(name) ?? known.size;
    known.set(name, number);
    numbers[node] = number;
  }
  return { numbers, count: known.size };
}

/** The number of splits on the way to the deepest leaf. */
function measureDepth({ code }: Forest): number {
  const depth = new Int32Array(code.length);
  let deepest = 0;
  for (let node = 0; node < code.length; node++) {
    const split = code[node] ?? -1;
    if (split < 0) continue;
    const next = (depth[node] ?? 0) + 1;
    depth[node + 1] = next;
    depth[node + getStepsToLower(split)] = next;
    if (next > deepest) deepest = next;
  }
  return deepest;
}

type KernelMemory = { readonly buffer: ArrayBuffer; readonly take: (size: number) => number };

/**
 * Writes a forest in the layout of the module and returns the address of its roots. A node is a feature or -1, the
 * address of its lower branch, a threshold or value, and the number of its split.
 */
function writeForest({ code, threshold, roots }: Forest, splits: Int32Array, { buffer, take }: KernelMemory): number {
  const at = take(code.length * NODE_BYTES);
  const numbers = new Int32Array(buffer, at, code.length * NODE_NUMBERS);
  const reals = new Float32Array(buffer, at, code.length * NODE_NUMBERS);
  for (let node = 0; node < code.length; node++) {
    const split = code[node] ?? -1;
    const start = node * NODE_NUMBERS;
    numbers[start] = split < 0 ? -1 : getFeature(split);
    numbers[start + 1] = at + (node + getStepsToLower(split)) * NODE_BYTES;
    reals[start + 2] = threshold[node] ?? 0;
    numbers[start + 3] = splits[node] ?? 0;
  }
  const rootsAt = take(roots.length * 4);
  new Int32Array(buffer, rootsAt, roots.length).set(roots.map((root) => at + root * NODE_BYTES));
  return rootsAt;
}
