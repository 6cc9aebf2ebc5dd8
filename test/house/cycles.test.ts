import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { findCycles } from './cycles.ts';
import { listSources } from './house.ts';

test('no files import each other in a cycle, not even for types', () => {
  assert.deepEqual(findCycles(listSources()), []);
});

test('the rule finds a cycle through types and re-exports, and none in one-way imports', () => {
  const types = "import type { B } from './b.ts';";
  const circle = [
    { file: 'store/a.ts', text: types },
    { file: 'store/b.ts', text: "export { C } from '#store/c.ts';" },
    { file: 'store/c.ts', text: "const a = await import('./a.ts');" },
    { file: 'store/d.ts', text: "import './a.ts';" },
  ];
  assert.deepEqual(findCycles(circle), [['store/a.ts', 'store/b.ts', 'store/c.ts']]);
  assert.deepEqual(findCycles(circle.slice(0, 2)), []);
});
