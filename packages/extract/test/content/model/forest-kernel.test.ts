import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createKernel } from '#extract/content/model/forest-kernel.ts';
import {
  computeColumnLength,
  type ForestEnsemble,
  type Forest,
  scoreEnsembleRow,
  scoreRows,
  toForest,
  type StoredTree,
} from '#extract/content/model/forest.ts';

const OWN = 3;
const SHARED = 2;

const feature = fc.integer({ min: 0, max: OWN + SHARED - 1 });
/** Few distinct values, so that rows equal thresholds. Sums must still be identical. */
const value = fc.constantFrom(-1e30, -2, -1, -0.1, -0, 0, 0.1, 1, 2, 3.3, 1e30, Number.POSITIVE_INFINITY);
const { tree } = fc.letrec<{ readonly tree: StoredTree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 7 },
    fc.float({ noNaN: true, min: -2, max: 2 }).map((leaf) => [[leaf]]),
    fc
      .tuple(feature, value, tie('tree'), tie('tree'))
      .map(([at, threshold, higher, lower]) => [[at, threshold], ...higher, ...lower]),
  ),
}));
const forest = fc
  .record({ base: fc.constantFrom(-0.3, 0, 0.7), trees: fc.array(tree, { maxLength: 6 }) })
  .map((written) => toForest(written));
const ensemble = fc.record({ first: forest, others: fc.array(forest, { maxLength: 2 }) });

test('the kernel and the plain code compute identical scores', () => {
  const cell = fc.oneof(value, fc.constant(Number.NaN));
  fc.assert(
    fc.property(ensemble, fc.integer({ min: 1, max: 496 }), fc.array(cell, { minLength: 7, maxLength: 97 }), compare),
    { numRuns: 300 },
  );
});

function compare(forests: ForestEnsemble, rows: number, cells: readonly number[]): void {
  const kernel = createKernel(forests, { own: OWN, shared: SHARED });
  assert.ok(kernel !== null);
  // Scored twice, to check that nothing remains of the first call.
  for (const shift of [1, 0]) {
    const length = computeColumnLength(rows);
    const values: Float32Array = kernel.values.subarray(0, OWN * length + SHARED);
    for (let at = 0; at < values.length; at++) values[at] = cells[(at + shift) % cells.length] ?? 0;
    const [sums, expected] = [new Float64Array(rows), new Float64Array(rows)];
    kernel.score(length, sums);
    scoreRows(forests, { values, length, shared: OWN }, expected);
    assert.deepEqual(sums, expected);
    const last = Array.from({ length: OWN }, (_, at) => values[at * length + rows - 1] ?? 0);
    assert.equal(scoreEnsembleRow(forests, Float32Array.of(...last, ...values.subarray(OWN * length))), sums[rows - 1]);
  }
}

test('forests too large for the kernel use the plain code', () => {
  const forests = [withSplits(4096), withSplits(4097), withDepth(64), withDepth(65)];
  const kernels = forests.map((first) => createKernel({ first, others: [] }, { own: 1, shared: 0 }));
  assert.deepEqual(
    kernels.map((kernel) => kernel === null),
    [false, true, false, true],
  );
});

function withSplits(count: number): Forest {
  return toForest({ base: 0, trees: Array.from({ length: count }, (_, at) => [[0, at], [1], [2]]) });
}

function withDepth(splits: number): Forest {
  const branches = Array.from({ length: splits }, (_, at) => [0, splits - at]);
  return toForest({ base: 0, trees: [[...branches, ...Array.from({ length: splits + 1 }, () => [1])]] });
}
