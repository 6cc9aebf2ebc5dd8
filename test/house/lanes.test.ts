import { strict as assert } from 'node:assert';
import { relative } from 'node:path';
import { test } from 'node:test';
import { FOLDERS, findFolder, listTests, MAX_LENGTH, planLane, SHARED_PROCESS } from '../lanes.ts';
import { ROOT } from './house.ts';

test('every test file is in a lane, and every folder of a lane has test files', () => {
  const used = new Set(listTests().map((file) => findFolder(file)?.name ?? relative(ROOT, file)));
  assert.deepEqual(used, new Set(FOLDERS.map(({ name }) => name)));
});

test('the lane all runs each test file once, and the lane quick runs a part of them', () => {
  const everything = planLane('all').flat();
  assert.deepEqual(everything.toSorted(), listTests());
  const quick = planLane('quick').flat();
  assert.ok(quick.length < everything.length && quick.every((file) => everything.includes(file)));
});

test('every file in the plan exists', () => {
  const known = new Set(listTests().map((file) => relative(ROOT, file)));
  assert.deepEqual(
    [...Object.keys(MAX_LENGTH), ...SHARED_PROCESS].filter((file) => !known.has(file)),
    [],
  );
});
