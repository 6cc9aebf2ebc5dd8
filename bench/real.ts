/**
 * Prints how sites of real generators and wikis are crawled and read, against the Markdown that they are made of:
 * `npm run bench -- real [--only vitepress,dokuwiki] [--sources 200] [--cache FOLDER] [--worst 5]`.
 * What they need is installed below FOLDER, and built once; the first run takes half an hour. Exits 1 below a floor.
 */
import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readNumber, readOnly } from './options.ts';
import { compareSite } from './real/comparison.ts';
import { failingOf, printHead, printRow, printWorst } from './real/printing.ts';
import { SITES } from './real/sites.ts';
import { listSources } from './real/sources.ts';

const options = {
  only: { type: 'string' },
  sources: { type: 'string', default: '200' },
  cache: { type: 'string', default: join(tmpdir(), 'quern-real') },
  worst: { type: 'string', default: '0' },
} as const;

const { values } = parseArgs({ options });
const names = readOnly(values.only, Object.keys(SITES));
const sources = listSources(readNumber(values, 'sources', { least: 1, most: 1000 }) ?? 1);
const worst = readNumber(values, 'worst', { least: 0, most: 1000 }) ?? 0;
const absent: string[] = [];
const failing: string[] = [];

mkdirSync(values.cache, { recursive: true });
printHead();
for (const name of names) {
  const site = SITES[name];
  const compared = site === undefined ? null : await compareSite(site, sources, values.cache);
  if (compared === null) {
    absent.push(name);
    continue;
  }
  printRow(name, compared);
  printWorst(name, compared, worst);
  failing.push(...failingOf(name, compared));
}
if (absent.length > 0) console.log(`\nnot installed: ${absent.join(', ')}`);
for (const line of failing) console.log(`below the floor: ${line}`);
process.exitCode = failing.length > 0 ? 1 : 0;
