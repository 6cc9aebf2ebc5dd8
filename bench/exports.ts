/**
 * Exports of a list of 100,000 pages in each format: CPU, size, and memory beside what the process had before. The pages are
 * built from the words of this documentation. `npm run bench -- exports [--pages N]`
 */
import { readFileSync, rmSync, mkdtempSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import type { JsonObject } from '#extract/values/json-object.ts';
import { EXPORT_FORMATS, EXPORTERS } from '#features/jobs/exports/exports.ts';

const { values } = parseArgs({ options: { pages: { type: 'string', default: '100000' } } });
const pages = Number(values.pages);
if (!(pages >= 1)) throw new Error('--pages takes a positive number');

const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const words = readFileSync(join(import.meta.dirname, '../docs/guide/crawling.md'), 'utf8').split(/\s+/);
/** Words of a page: about 4.5 KB. */
const WORDS = 700;

async function* listPages(): AsyncGenerator<JsonObject> {
  for (let page = 0; page < pages; page += 1) {
    const start = page % words.length;
    const text = Array.from({ length: WORDS }, (_, at) => words[(start + at) % words.length]).join(' ');
    const url = `https://mill.example/pages/${page}`;
    yield {
      url,
      status_code: 200,
      depth: page % 5,
      markdown: `${text} ${page}`,
      metadata: { title: `Page ${page}` },
      links: [url],
    };
    // A store answers in turns of the event loop.
    if (page % 50 === 0) await turn();
  }
}

process.stdout.write(`\nNode ${process.version}, ${pages} pages\n\n`);
process.stdout.write(
  '| format | size | CPU per 1,000 pages | memory beside the start | goal |\n|---|---|---|---|---|\n',
);
for (const format of EXPORT_FORMATS) {
  const write = await EXPORTERS[format].load();
  globalThis.gc?.();
  const before = process.memoryUsage.rss();
  const cpu = process.cpuUsage();
  const file = await open(join(folder, format), 'w');
  let peak = before;
  let bytes = 0;
  for await (const piece of write(listPages)) {
    await file.writeFile(piece);
    bytes += piece.length;
    peak = Math.max(peak, process.memoryUsage.rss());
  }
  await file.close();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (user + system) / 1000 / pages;
  process.stdout.write(
    `| ${format} | ${(bytes / 1e6).toFixed(0)} MB | ${seconds.toFixed(2)} s | ${((peak - before) / 2 ** 20).toFixed(0)} MiB | ${format === 'parquet' ? '≤ 64 MiB' : ''} |\n`,
  );
}

const database = await DuckDBInstance.create(':memory:');
const connection = await database.connect();
const counted = await connection.runAndReadAll(
  `select count(*) as rows, count(distinct url) as urls, sum(length(markdown)) as chars from read_parquet('${join(folder, 'parquet')}')`,
);
process.stdout.write(`\nDuckDB reads ${JSON.stringify(counted.getRowObjectsJson())} from the Parquet file.\n`);
connection.closeSync();
database.closeSync();
