import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { buildKernel, KERNEL } from '#tools/kernel/build.ts';

test('the committed kernel matches its compiled source', () => {
  assert.equal(readFileSync(KERNEL, 'utf8'), buildKernel());
});
