/**
 * Size of a node in bytes. A node is its feature (-1 for a leaf), the address of the branch for lower values, its
 * threshold or value, and the number of its split.
 */
const NODE: usize = 16;
/** Rows that are processed together: the number of bits in two vectors. */
const TOGETHER: i32 = 256;

const MAX_SPLITS: usize = 4096;

/** For each split of a forest: whether its rows are computed, and which rows pass it. */
const known: usize = memory.data(4096);
const passing: usize = memory.data(131072, 16);
/** Pending branches, at most 64: their rows and their node. */
const waitingRows: usize = memory.data(2048, 16);
const waitingNodes: usize = memory.data(256, 16);

/** The current rows: address of their columns, bytes per column, groups of 16 rows, and address of their sums. */
let columns: usize = 0;
let stride: usize = 0;
let groups: usize = 0;
let sums: usize = 0;
/** The number of features with one value per row, and the base address of the other features. */
let own: i32 = 0;
let facts: usize = 0;

/** The address where memory is free for the caller. */
export function heap(): usize {
  return __heap_base;
}

/**
 * Adds the values of the trees at `roots` to the sums of rows. At `values` are `length` values for each of the first
 * `width` features, one per row, then one value for each feature that all rows share.
 */
export function addTrees(
  roots: usize,
  trees: i32,
  values: usize,
  length: usize,
  width: i32,
  rows: i32,
  results: usize,
): void {
  columns = values;
  sums = results;
  stride = length << 2;
  own = width;
  facts = values + (stride - 4) * width;
  for (let left = rows; left > 0; left -= TOGETHER) {
    memory.fill(known, 0, MAX_SPLITS);
    groups = (min(left, TOGETHER) + 15) >> 4;
    const low = firstOf(left);
    const high = firstOf(left - 128);
    for (let tree = 0; tree < trees; tree++) walk(load<u32>(roots + (tree << 2)), low, high);
    columns += TOGETHER << 2;
    sums += TOGETHER << 3;
  }
}

/** A mask of the first rows, at most 128. */
function firstOf(rows: i32): v128 {
  return i64x2(lowest(rows), lowest(rows - 64));
}

/** A mask of the lowest bits. */
function lowest(bits: i32): i64 {
  return bits >= 64 ? -1 : bits <= 0 ? 0 : (1 << (<i64>bits)) - 1;
}

/** Copies the values of selected rows, and the shared values, into columns of length `into` at `to`. */
export function pick(
  values: usize,
  length: usize,
  width: usize,
  facts: usize,
  rows: usize,
  count: usize,
  to: usize,
  into: usize,
): void {
  for (let feature: usize = 0; feature < width; feature++) {
    const column = values + ((feature * length) << 2);
    const picked = to + ((feature * into) << 2);
    for (let at: usize = 0; at < count; at++)
      store<f32>(picked + (at << 2), load<f32>(column + ((<usize>load<u16>(rows + (at << 1))) << 2)));
  }
  memory.copy(to + ((width * into) << 2), values + ((width * length) << 2), facts << 2);
}

/** Walks a tree with all rows at once: each split divides them into its two branches. */
function walk(root: usize, first: v128, second: v128): void {
  let node = root;
  let rows = first;
  let more = second;
  let waits: usize = 0;
  while (true) {
    const feature = load<i32>(node);
    const threshold = load<f32>(node, 8);
    if (feature < 0) {
      addLeaf(rows, more, threshold);
      if (waits === 0) return;
      waits--;
      node = load<u32>(waitingNodes + (waits << 2));
      rows = v128.load(waitingRows + (waits << 5));
      more = v128.load(waitingRows + (waits << 5), 16);
      continue;
    }
    const lower: usize = load<u32>(node, 4);
    if (feature >= own) {
      node = load<f32>(facts + (feature << 2)) <= threshold ? lower : node + NODE;
      continue;
    }
    const passed = passedBy(load<u32>(node, 12), feature, threshold);
    const low = v128.and(rows, v128.load(passed));
    const lowMore = v128.and(more, v128.load(passed, 16));
    const high = v128.xor(rows, low);
    const highMore = v128.xor(more, lowMore);
    if (!v128.any_true(v128.or(high, highMore))) node = lower;
    else {
      if (v128.any_true(v128.or(low, lowMore))) {
        store<u32>(waitingNodes + (waits << 2), lower);
        v128.store(waitingRows + (waits << 5), low);
        v128.store(waitingRows + (waits << 5), lowMore, 16);
        waits++;
        rows = high;
        more = highMore;
      }
      node += NODE;
    }
  }
}

/** Adds a value to the sums of rows. */
function addLeaf(rows: v128, more: v128, value: f64): void {
  addTo(sums, i64x2.extract_lane(rows, 0), value);
  addTo(sums + 512, i64x2.extract_lane(rows, 1), value);
  addTo(sums + 1024, i64x2.extract_lane(more, 0), value);
  addTo(sums + 1536, i64x2.extract_lane(more, 1), value);
}

/** Adds a value to the sums of some of 64 rows. */
function addTo(first: usize, rows: i64, value: f64): void {
  for (let left = rows; left !== 0; left &= left - 1) {
    const sum = first + ((<usize>ctz(left)) << 3);
    store<f64>(sum, load<f64>(sum) + value);
  }
}

/** The address of the mask of rows with a value up to the threshold. Computed once per split. */
function passedBy(split: usize, feature: usize, threshold: f32): usize {
  const rows = passing + (split << 5);
  if (load<u8>(known + split) === 0) {
    store<u8>(known + split, 1);
    const most = f32x4.splat(threshold);
    let values = columns + feature * stride;
    for (let group: usize = 0; group < groups; group++) {
      store<u16>(rows + (group << 1), sixteen(values, most));
      values += 64;
    }
  }
  return rows;
}

/** Compares 16 values with a threshold and returns one bit for each. */
function sixteen(values: usize, most: v128): u16 {
  const first = i16x8.narrow_i32x4_s(f32x4.le(v128.load(values), most), f32x4.le(v128.load(values, 16), most));
  const second = i16x8.narrow_i32x4_s(f32x4.le(v128.load(values, 32), most), f32x4.le(v128.load(values, 48), most));
  return u16(i8x16.bitmask(i8x16.narrow_i16x8_s(first, second)));
}
