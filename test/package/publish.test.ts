import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { toPublishedTree } from '#tools/publish.ts';

function publish(sources: Readonly<Record<string, string>>, file: string, name = 'quern'): string | undefined {
  return toPublishedTree(name, new Map(Object.entries(sources))).get(file)?.text;
}

test('types are replaced by blanks, so line numbers do not change', () => {
  const source = 'type Grain = { readonly name: string };\nexport const rye: Grain = { name: "rye" };\n';
  const text = publish({ 'kernel/grain.ts': source }, 'kernel/grain.ts') ?? '';
  assert.equal(text.split('\n')[1]?.replaceAll(' ', ''), 'exportconstrye={name:"rye"};');
  assert.equal(text.split('\n').length, source.split('\n').length);
});

test('import paths within and between folders point to the published files', () => {
  const sources = {
    'engine/mill.ts':
      "import { a } from './stone.ts';\nimport { b } from '#kernel/water.ts';\nawait import('#kernel/water.ts');",
    'engine/stone.ts': '',
    'kernel/water.ts': '',
  };
  const text = publish(sources, 'engine/mill.ts');
  assert.equal(
    text,
    "import { a } from './stone.js';\nimport { b } from '../kernel/water.js';\nawait import('../kernel/water.js');",
  );
});

test('modules of other packages are imported by their export name, and own modules by relative path', () => {
  const sources = { 'values/a.ts': '', 'html/b.ts': "import '#extract/values/a.ts';" };
  assert.equal(publish(sources, 'html/b.ts', 'extract'), "import '../values/a.js';");
  assert.equal(publish(sources, 'html/b.ts', 'sites'), "import '@quern/extract/internal/values/a.js';");
});

test('a worker named by URL or by folder is found after publishing', () => {
  const sources = {
    'engine/mill.ts':
      "new URL('./stone.worker.ts', import.meta.url); join(import.meta.dirname, 'stone.worker.ts'); `${import.meta.dirname}/stone.worker.ts`",
    'engine/stone.worker.ts': '',
  };
  assert.equal(publish(sources, 'engine/mill.ts')?.match(/stone\.worker\.js/g)?.length, 3);
});

test('text that mentions a TypeScript file is unchanged', () => {
  const sources = { 'kernel/a.ts': "const hint = 'see b.ts'; const other = 'nothing.ts';", 'kernel/b.ts': '' };
  assert.equal(publish(sources, 'kernel/a.ts'), sources['kernel/a.ts']);
});

test('an unresolved import aborts packing', () => {
  assert.throws(
    () => publish({ 'kernel/a.ts': "import './gone.ts';" }, 'kernel/a.ts'),
    /kernel\/a\.ts imports \.\/gone\.ts/,
  );
});
