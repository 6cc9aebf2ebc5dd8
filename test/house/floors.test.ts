import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { faultsOf, listSources, sidewaysFaultsOf } from './house.ts';

const LONG_FILE_LINES = 300;

test('every file imports only from its own room or from a lower floor', () => {
  assert.deepEqual(
    listSources().flatMap((source) => faultsOf(source)),
    [],
  );
});

test('an operation never imports an operation', () => {
  assert.deepEqual(sidewaysFaultsOf(listSources()), []);
});

test('the rule refuses an operation that imports an operation, and lets both share what is none', () => {
  const sources = [
    { file: 'operations/fetch.ts', text: "import './reach.ts'; export const fetchPage = defineOperation({});" },
    { file: 'operations/crawl.ts', text: "import './fetch.ts'; import './reach.ts'; defineOperation({});" },
    { file: 'operations/reach.ts', text: '' },
    { file: 'operations/index.ts', text: "import './fetch.ts';" },
  ];
  assert.deepEqual(sidewaysFaultsOf(sources), ['operations/crawl.ts imports the operation operations/fetch.ts']);
});

test('long files are named, because they often hold two ideas', (t) => {
  for (const { file, text } of listSources()) {
    const lines = text.split('\n').length - 1;
    if (lines > LONG_FILE_LINES) t.diagnostic(`src/${file} has ${lines} lines`);
  }
});

test('the rule refuses an import from a higher floor, even of a type alone', () => {
  const text = "import type { Plan } from '#engine/plans.ts';";
  assert.deepEqual(faultsOf({ file: 'store/db.ts', text }), [
    'store/db.ts imports #engine/plans.ts, which is not on a lower floor',
  ]);
});

test('the rule refuses an import across a floor, whether static, dynamic or passed on', () => {
  for (const text of [
    "import { open } from '#store/db.ts';",
    "const store = await import('#store/db.ts');",
    "export { open } from '#store/db.ts';",
    "import '#store/db.ts';",
    "import {\n  open,\n} from '#store/db.ts';",
  ])
    assert.equal(faultsOf({ file: 'access/http.ts', text }).length, 1, text);
});

test('the rule lets a file see its own room, lower floors and packages', () => {
  const text = "import './x.ts';\nimport { z } from 'zod';\nimport '#kernel/ids.ts';\nimport '#access/page.ts';";
  assert.deepEqual(faultsOf({ file: 'engine/perform.ts', text }), []);
});

test('the rule keeps extraction pure', () => {
  assert.equal(faultsOf({ file: 'extract/links.ts', text: "import '#access/page.ts';" }).length, 1);
  assert.deepEqual(faultsOf({ file: 'extract/links.ts', text: "import '#kernel/warnings.ts';" }), []);
});

test('the rule keeps the folders of the reading room in their order', () => {
  const file = 'extract/content/view.ts';
  assert.equal(faultsOf({ file, text: "import '#extract/formats/links.ts';" }).length, 1);
  assert.equal(faultsOf({ file, text: "import '#extract/select/css.ts';" }).length, 1);
  const fine = "import './resolve.ts';\nimport '#extract/html/tree.ts';\nimport '#extract/reading.ts';";
  assert.deepEqual(faultsOf({ file, text: fine }), []);
});

test('the rule refuses climbing paths, missing suffixes and unknown rooms', () => {
  for (const [file, text] of [
    ['engine/jobs.ts', "import '../kernel/ids.ts';"],
    ['engine/jobs.ts', "import './plans';"],
    ['engine/jobs.ts', "import '#attic/box.ts';"],
    ['attic/box.ts', ''],
  ] as const)
    assert.equal(faultsOf({ file, text }).length, 1, `${file} ${text}`);
});

test('the rule lets one file read the environment and none else', () => {
  const text = 'const port = process.env.PORT;';
  assert.deepEqual(faultsOf({ file: 'kernel/config.ts', text }), []);
  assert.equal(faultsOf({ file: 'main.ts', text }).length, 1);
  assert.deepEqual(faultsOf({ file: 'main.ts', text: '// process.env is read elsewhere' }), []);
});
