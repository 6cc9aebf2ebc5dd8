import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import * as fc from 'fast-check';
import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { findColumns } from '#features/jobs/exports/columns.ts';
import { writeCsv } from '#features/jobs/exports/csv.ts';
import { writeFullText, writeLlmsText } from '#features/jobs/exports/llms-text.ts';
import { writeParquet } from '#features/jobs/exports/parquet.ts';
import { writeZip } from '#features/jobs/exports/zip.ts';
import { inTemporaryFolder } from '../support/store.ts';

const run = promisify(execFile);

type Write = (list: () => AsyncIterable<JsonObject>) => AsyncIterable<string | Uint8Array>;

function asList(elements: readonly JsonObject[]): () => AsyncIterable<JsonObject> {
  return async function* list() {
    yield* elements;
  };
}

async function collect(pieces: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece));
  return Buffer.concat(parts);
}

/** Writes a list to a file and reads it with a program that has nothing to do with ours. */
async function readBack<T>(
  write: Write,
  elements: readonly JsonObject[],
  read: (file: string) => Promise<T>,
): Promise<T> {
  return inTemporaryFolder(async (folder) => {
    const file = join(folder, 'export');
    await writeFile(file, await collect(write(asList(elements))));
    return read(file);
  });
}

async function readParquet(file: string): Promise<readonly unknown[]> {
  const database = await DuckDBInstance.create(':memory:');
  const connection = await database.connect();
  const reader = await connection.runAndReadAll(`select * from read_parquet('${file}')`);
  const rows = reader.getRowObjectsJS();
  connection.closeSync();
  database.closeSync();
  return rows;
}

/** Runs Python's standard library, whose output is JSON. */
async function readInPython(code: string, file: string): Promise<unknown> {
  const { stdout } = await run('python3', ['-c', code, file], { maxBuffer: 1 << 28 });
  return JSON.parse(stdout);
}

const READ_CSV = `import csv,json,sys
csv.field_size_limit(1 << 30)
json.dump(list(csv.reader(open(sys.argv[1], encoding='utf-8', newline=''))), sys.stdout)`;

const READ_ZIP = `import json,sys,zipfile
archive = zipfile.ZipFile(sys.argv[1])
assert archive.testzip() is None
json.dump({name: archive.read(name).decode('utf-8') for name in archive.namelist()}, sys.stdout)`;

const PAGES = [
  {
    url: 'https://example.com/',
    status_code: 200,
    markdown: '# Home\n\n"Quoted", and\nmore',
    metadata: { title: 'Home [of] all', description: 'The  start\npage', site_name: 'Example' },
    links: ['https://example.com/a'],
  },
  {
    url: 'https://example.com/docs/a.html',
    status_code: 200,
    markdown: 'A',
    metadata: { title: 'A', words: 1.5 },
    near: true,
  },
  { url: 'https://example.com/gone', status_code: 404, error: { code: 'target_error', message: 'gone' } },
] satisfies readonly JsonObject[];

test('a table has a column for each member, and one level of objects', async () => {
  const columns = await findColumns(asList(PAGES)());
  assert.deepEqual(
    columns.map(({ name, kind }) => [name, kind]),
    [
      ['url', 'text'],
      ['status_code', 'integer'],
      ['markdown', 'text'],
      ['metadata.title', 'text'],
      ['metadata.description', 'text'],
      ['metadata.site_name', 'text'],
      ['metadata.words', 'number'],
      ['links', 'json'],
      ['near', 'boolean'],
      ['error.code', 'text'],
      ['error.message', 'text'],
    ],
  );
});

test('an object with many members, or mixed with other values, is one column of JSON', async () => {
  const wide = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`m${at}`, at]));
  assert.deepEqual(await findColumns(asList([{ wide, mixed: { a: 1 } }, { mixed: 'text' }, { 'mixed.a': 2 }])()), [
    { name: 'wide', path: ['wide'], kind: 'json' },
    { name: 'mixed', path: ['mixed'], kind: 'json' },
    { name: 'mixed.a', path: ['mixed.a'], kind: 'integer' },
  ]);
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`m${at}`, at]));
  await assert.rejects(findColumns(asList([many])()), /more than 1000 columns; use jsonl/);
});

test('CSV is read back by Python with the same cells', async () => {
  const rows = z
    .array(z.array(z.string()))
    .parse(await readBack(writeCsv, PAGES, async (file) => readInPython(READ_CSV, file)));
  const [names = [], ...cells] = rows;
  assert.equal(cells.length, 3);
  const first = Object.fromEntries(names.map((name, at) => [name, cells[0]?.[at]]));
  assert.equal(first['markdown'], PAGES[0]?.markdown);
  assert.equal(first['links'], JSON.stringify(PAGES[0]?.links));
  assert.equal(first['error.code'], '');
  assert.equal(cells[2]?.[names.indexOf('error.code')], 'target_error');
});

const ANY_ROWS = fc.array(
  fc.record(
    {
      text: fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\r', ' ')),
      whole: fc.maxSafeInteger(),
      number: fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
      flag: fc.boolean(),
      list: fc.array(fc.integer()),
      mixed: fc.oneof(fc.integer(), fc.string(), fc.constant(null)),
    },
    { requiredKeys: [] },
  ),
  { minLength: 1, maxLength: 40 },
);

test('Parquet is read back by DuckDB with equal rows', async () => {
  await fc.assert(
    fc.asyncProperty(ANY_ROWS, async (given) => {
      const rows = given.map((row, id) => ({ id, ...row }));
      const columns = await findColumns(asList(rows)());
      const back = z.array(z.record(z.string(), z.unknown())).parse(await readBack(writeParquet, rows, readParquet));
      assert.equal(back.length, rows.length);
      for (const [at, row] of rows.entries()) {
        for (const { name, kind } of columns) {
          const value: unknown = Object.entries(row).find(([member]) => member === name)?.[1] ?? null;
          const read = back[at]?.[name];
          const wanted =
            kind === 'json' || (kind === 'text' && typeof value !== 'string' && value !== null)
              ? value === null
                ? null
                : JSON.stringify(value)
              : value;
          assert.deepEqual(typeof read === 'bigint' ? Number(read) : read, wanted, name);
        }
      }
    }),
    { numRuns: 25 },
  );
});

test('a Parquet file has a row group for each two megabytes, and one without rows is valid', async () => {
  const rows = Array.from({ length: 300 }, (_, id) => ({ id, text: `${id} `.repeat(5000) }));
  const back = await readBack(writeParquet, rows, readParquet);
  assert.equal(back.length, 300);
  let pieces = 0;
  for await (const piece of writeParquet(asList(rows))) pieces += Math.sign(piece.length);
  assert.ok(pieces > 2, `${pieces} pieces`);
  assert.deepEqual(await readBack(writeParquet, [{ id: 1 }], readParquet), [{ id: 1n }]);
});

test('any text is read back from CSV by Python', async () => {
  const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 200 });
  await fc.assert(
    fc.asyncProperty(texts, async (given) => {
      const rows = given.map((text, id) => ({ id, text: `${text},` }));
      const back = await readBack(writeCsv, rows, async (file) => readInPython(READ_CSV, file));
      assert.deepEqual(back, [['id', 'text'], ...rows.map(({ id, text }) => [String(id), text])]);
    }),
    { numRuns: 10 },
  );
});

test('a ZIP archive has a Markdown file for each page with Markdown, and Python reads it', async () => {
  const twice = [
    ...PAGES,
    { url: 'https://example.com/docs/a.html?x=1', markdown: 'Ä' },
    { url: 'https://example.com/DOCS/A', markdown: 'B' },
  ];
  const files = z
    .record(z.string(), z.string())
    .parse(await readBack(writeZip, twice, async (file) => readInPython(READ_ZIP, file)));
  assert.deepEqual(
    Object.keys(files).map((name) => name.replace(/-[0-9a-f]{8}\.md$/, '-HASH.md')),
    ['example.com/index.md', 'example.com/docs/a.md', 'example.com/docs/a-HASH.md', 'example.com/DOCS/A-HASH.md'],
  );
  assert.match(
    files['example.com/index.md'] ?? '',
    /^---\nurl: "https:\/\/example\.com\/"\ntitle: "Home \[of\] all"\n[^]*\n---\n\n# Home\n\n"Quoted", and\nmore\n$/,
  );
});

async function* broken(): AsyncGenerator<JsonObject> {
  yield { url: 'https://example.com/', markdown: 'A' };
  throw new Error('the store is away');
}

test('a ZIP archive that is not read to its end stops, and an error of its list reaches the reader', async () => {
  let listed = 0;
  async function* list(): AsyncGenerator<JsonObject> {
    for (; listed < 10_000; listed += 1)
      yield { url: `https://example.com/${listed}`, markdown: String(Math.random()).repeat(20_000) };
  }
  for await (const piece of writeZip(list)) {
    if (piece.length > 100) break;
  }
  assert.ok(listed < 100, `${listed} pages were read`);
  await assert.rejects(collect(writeZip(broken)), /the store is away/);
});

test('llms.txt lists the pages by the first part of their path', async () => {
  assert.equal(
    String(await collect(writeLlmsText(asList(PAGES)))),
    `# Example

> The start page

## Pages

- [Home \\[of\\] all](<https://example.com/>): The start page

## docs

- [A](<https://example.com/docs/a.html>)
`,
  );
  assert.equal(
    String(await collect(writeFullText(asList(PAGES)))),
    `# Home [of] all\n\nSource: https://example.com/\n\n# Home\n\n"Quoted", and\nmore\n\n---\n\n# A\n\nSource: https://example.com/docs/a.html\n\nA\n\n---\n\n`,
  );
});
