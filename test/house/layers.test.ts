import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { listImportFaults, listIdFaults, listSources, listSidewaysFaults } from './house.ts';

test('a file imports only from its own layer, a lower one, or a package that its own package uses', () => {
  assert.deepEqual(
    listSources().flatMap((source) => listImportFaults(source)),
    [],
  );
});

test('an operation never imports an operation', () => {
  assert.deepEqual(listSidewaysFaults(listSources()), []);
});

test('the rule rejects an import between operations, and allows shared modules that are not operations', () => {
  const sources = [
    {
      file: 'features/fetch/operation.ts',
      text: "import '#features/schema/reach.ts'; export const fetchPage = declareWork({});",
    },
    {
      file: 'features/crawl/operation.ts',
      text: "import '#features/fetch/operation.ts'; import '#features/schema/reach.ts'; declareRawControl({});",
    },
    { file: 'features/schema/reach.ts', text: '' },
    { file: 'features/operations.ts', text: "import '#features/fetch/operation.ts';" },
  ];
  assert.deepEqual(listSidewaysFaults(sources), [
    'features/crawl/operation.ts imports the operation features/fetch/operation.ts',
  ]);
});

test('no transport refers to an operation by its id', () => {
  assert.deepEqual(
    listSources().flatMap((source) => listIdFaults(source)),
    [],
  );
  const text = "if (operation.id === 'jobs.list') printJobs(body); else if (operation.kind === 'work') run();";
  assert.equal(listIdFaults({ file: 'transports/cli/cli.ts', text }).length, 1);
  assert.deepEqual(listIdFaults({ file: 'features/jobs/feature.ts', text }), []);
});

test('the rule rejects an import from a higher layer, even of a type only', () => {
  const text = "import type { Plan } from '#engine/identity/plans.ts';";
  assert.deepEqual(listImportFaults({ file: 'store/db.ts', text }), [
    'store/db.ts imports #engine/identity/plans.ts, which is not on a lower layer',
  ]);
});

test('the rule rejects a static, dynamic or re-exported import across layers', () => {
  for (const text of [
    "import { open } from '#store/db.ts';",
    "const store = await import('#store/db.ts');",
    "export { open } from '#store/db.ts';",
    "import '#store/db.ts';",
    "import {\n  open,\n} from '#store/db.ts';",
  ])
    assert.equal(listImportFaults({ file: 'access/http/http.ts', text }).length, 1, text);
});

test('the rule allows imports from the own layer, lower layers and packages', () => {
  const text = "import './x.ts';\nimport { z } from 'zod';\nimport '#kernel/ids.ts';\nimport '#access/page.ts';";
  assert.deepEqual(listImportFaults({ file: 'engine/call/perform.ts', text }), []);
});

test('the rule keeps extraction pure', () => {
  assert.equal(listImportFaults({ file: 'extract/links.ts', text: "import '#access/page.ts';" }).length, 1);
  assert.equal(listImportFaults({ file: 'extract/links.ts', text: "import '#kernel/warnings.ts';" }).length, 1);
  assert.deepEqual(listImportFaults({ file: 'extract/links.ts', text: "import '#extract/warnings.ts';" }), []);
});

test('the rule allows the service to import packages, and single sites only where it registers them', () => {
  const site = "import '#sites/codehost/repo.ts';";
  assert.equal(listImportFaults({ file: 'features/sites/visits.ts', text: site }).length, 1);
  assert.deepEqual(listImportFaults({ file: 'compose/endpoints.ts', text: site }), []);
  const shared = "import '#sites/framework/site.ts'; import '#extract/warnings.ts';";
  assert.deepEqual(listImportFaults({ file: 'features/sites/visits.ts', text: shared }), []);
  assert.equal(listImportFaults({ file: 'sites/codehost/repo.ts', text: "import '#kernel/clock.ts';" }).length, 1);
});

test('the rule allows browser code to import served packages, but not the service', () => {
  const file = 'console/views/jobs.ts';
  for (const text of [
    "import { toTimestamp } from '#kernel/clock.ts';",
    "import { readFileSync } from 'node:fs';",
    "import { z } from 'zod';",
    "await import('#features/jobs/operations.ts');",
    "import type { Clock } from '#kernel/clock.ts';",
  ])
    assert.equal(listImportFaults({ file, text }).length, 1, text);
  const fine = "import { html } from 'htm/preact';\nimport './x.ts';\nimport '#console/app/api.ts';";
  assert.deepEqual(listImportFaults({ file, text: fine }), []);
});

test('the rule keeps the order of the folders of extract', () => {
  const file = 'extract/view/view.ts';
  assert.equal(listImportFaults({ file, text: "import '#extract/renderers/links.ts';" }).length, 1);
  assert.equal(listImportFaults({ file, text: "import '#extract/select/css.ts';" }).length, 1);
  const fine = "import './resolve.ts';\nimport '#extract/html/tree.ts';\nimport '#extract/reading.ts';";
  assert.deepEqual(listImportFaults({ file, text: fine }), []);
});

test('the rule keeps the root modules of access below its folders', () => {
  for (const specifier of ['#access/http/http.ts', './http/http.ts'])
    assert.equal(listImportFaults({ file: 'access/page.ts', text: `import '${specifier}';` }).length, 1, specifier);
  const fine = "import './limits.ts';\nimport '#access/failure.ts';";
  assert.deepEqual(listImportFaults({ file: 'access/page.ts', text: fine }), []);
  assert.deepEqual(listImportFaults({ file: 'access/http/http.ts', text: fine }), []);
});

test('the rule keeps the order of nested folders', () => {
  const file = 'features/monitors/store/monitors.ts';
  assert.equal(listImportFaults({ file, text: "import '#features/monitors/run/ticks.ts';" }).length, 1);
  assert.deepEqual(listImportFaults({ file, text: "import '#features/monitors/schedule/schedule.ts';" }), []);
});

test('the rule keeps unlisted features independent of each other, and above their shared modules', () => {
  const file = 'features/fetch/feature.ts';
  for (const other of ['interact/operation.ts', 'map/operation.ts', 'crawl/feature.ts'])
    assert.equal(listImportFaults({ file, text: `import '#features/${other}';` }).length, 1, other);
  for (const lower of ['schema/lists.ts', 'fetch/operation.ts', 'operations.ts'])
    assert.deepEqual(listImportFaults({ file, text: `import '#features/${lower}';` }), [], lower);
});

test('the rule keeps the comparison of monitors pure', () => {
  const file = 'features/monitors/compare/diff.ts';
  for (const text of [
    "import type { Db } from '#store/db.ts';",
    "import type { JobInput } from '#engine/jobs/job-record.ts';",
    "import { setTimeout } from 'node:timers/promises';",
    'const at = Date.now();',
    'setTimeout(done, 1000);',
    'const at = new Date();',
  ])
    assert.ok(listImportFaults({ file, text }).length > 0, text);
  const fine = "import { hash } from 'node:crypto';\nimport '#kernel/errors.ts';\nimport '#extract/grammar.ts';";
  assert.deepEqual(listImportFaults({ file, text: fine }), []);
});

test('the rule rejects parent paths, missing suffixes and unknown layers', () => {
  for (const [file, text] of [
    ['engine/jobs/jobs.ts', "import '../kernel/ids.ts';"],
    ['engine/jobs/jobs.ts', "import './plans';"],
    ['engine/jobs/jobs.ts', "import '#attic/box.ts';"],
    ['attic/box.ts', ''],
  ] as const)
    assert.equal(listImportFaults({ file, text }).length, 1, `${file} ${text}`);
});

test('the rule allows only one file to read the environment', () => {
  const text = 'const port = process.env.PORT;';
  assert.deepEqual(listImportFaults({ file: 'kernel/config.ts', text }), []);
  assert.equal(listImportFaults({ file: 'main.ts', text }).length, 1);
  assert.deepEqual(listImportFaults({ file: 'main.ts', text: '// process.env is read elsewhere' }), []);
});
