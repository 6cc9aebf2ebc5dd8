/** A whole site crawled by Quern, beside a bare loop over its addresses and beside other crawlers. */
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { median } from './child.ts';
import { serveWorld } from './crawl/nginx.ts';
import { runProgram } from './crawl/program.ts';
import type { Reading } from './crawl/program.ts';
import { compare, runQuern } from './crawl/quern.ts';
import { prepareWorld } from './crawl/world.ts';
import type { World } from './crawl/world.ts';

const CONTENDERS = ['quern', 'undici'] as const;
type Contender = (typeof CONTENDERS)[number];

const { values } = parseArgs({
  options: {
    pages: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string', default: CONTENDERS.join(',') },
    port: { type: 'string', default: '18010' },
    profile: { type: 'string' },
  },
});
const pages = Number(values.pages);
const rounds = Number(values.rounds);
const port = Number(values.port);
if (!(pages >= 20 && rounds >= 1)) throw new Error('--pages takes a number from 20 on, --rounds from 1 on');
const only = values.only.split(',');
const contenders = CONTENDERS.filter((name) => only.includes(name));
const profile = values.profile === undefined ? null : resolve(values.profile);

const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const world = await prepareWorld(pages, port);
const origin = await serveWorld(world, { folder: join(folder, 'nginx'), log: null });
try {
  print(await measure());
} finally {
  await origin.close();
}

async function measure(): Promise<ReadonlyMap<Contender, readonly Reading[]>> {
  const readings = new Map<Contender, Reading[]>(contenders.map((name) => [name, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const name of contenders) {
      process.stderr.write(`round ${round} of ${rounds}: ${name} …\n`);
      readings.get(name)?.push(await run(name, world, round));
    }
  }
  return readings;
}

async function run(name: Contender, over: World, round: number): Promise<Reading> {
  if (name !== 'quern') return runProgram(join(import.meta.dirname, 'crawl/undici-loop.ts'), over, 600_000);
  const data = join(folder, `quern-${round}`);
  const reading = await runQuern(over, { folder: data, profile });
  rmSync(data, { recursive: true });
  const { found, of, twice, missing, others } = compare(over, reading.crawled);
  say(`pages ${found} of ${of}, ${twice.length} twice, ${others.length} others, ${reading.crawled.credits} credits`);
  if (found !== of || twice.length > 0) {
    process.exitCode = 1;
    for (const url of [...missing, ...twice].slice(0, 10)) say(`  wrong: ${url}`);
  }
  return { ...reading, pages: found };
}

function print(readings: ReadonlyMap<Contender, readonly Reading[]>): void {
  say(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, medians of ${rounds} rounds\n`);
  say('| | pages | pages/s | CPU s a 1,000 pages | peak MiB |\n|---|---|---|---|---|');
  for (const [name, list] of readings) {
    const rate = median(list.map((one) => one.pages / one.seconds));
    const cpu = median(list.map((one) => (one.cpuSeconds / one.pages) * 1000));
    const peak = median(list.map(({ peakMb }) => peakMb));
    const had = median(list.map((one) => one.pages));
    say(`| ${name} | ${had} | ${rate.toFixed(0)} | ${cpu.toFixed(2)} | ${peak.toFixed(0)} |`);
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
