import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { listSources } from './house.ts';
import { declaredOften, exportedTwice } from './names.ts';
import left from './names.json' with { type: 'json' };

/** The names that still have several meanings stand in names.json: take out one that has none left, and never add one. */
test('no name is exported by two files', () => {
  assert.deepEqual(Object.keys(exportedTwice(listSources())), left.exported);
});

test('no type name is declared in more than three files', () => {
  assert.deepEqual(Object.keys(declaredOften(listSources())), left.types);
});

test('the rule finds an exported name of two files, and counts a schema and its type once', () => {
  const sources = [
    { file: 'a.ts', text: 'export const Row = z.object({});\nexport type Row = z.output<typeof Row>;' },
    { file: 'b.ts', text: 'type Row = string;\nexport async function read() {}' },
    { file: 'c.ts', text: 'export const read = 1;' },
  ];
  assert.deepEqual(exportedTwice(sources), { read: ['b.ts', 'c.ts'] });
});

test('the rule finds a type of four files, exported or not', () => {
  const sources = ['a', 'b', 'c', 'd'].map((name) => ({ file: `${name}.ts`, text: 'type Place = number;' }));
  assert.deepEqual(declaredOften(sources), { Place: ['a.ts', 'b.ts', 'c.ts', 'd.ts'] });
  assert.deepEqual(declaredOften(sources.slice(1)), {});
});
