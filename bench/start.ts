/** Starts of the service, with and without a hundred further site endpoints, in turn: `npm run bench -- start [--rounds N]`. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { startService } from '#demo/service.ts';
import { CATALOGUE } from '#sites/catalogue.ts';
import { computeMedian, readFootprint } from './processes.ts';

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '9' } } });
const rounds = Number(values.rounds);
if (!(rounds >= 1)) throw new Error('--rounds takes a positive number');
const FURTHER = 100;
/** The garbage of a start is collected a second after it. */
const SETTLE_MS = 3000;
const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'quern-bench-start-'));

type Start = { readonly readyMs: number; readonly cpuMs: number; readonly mainMs: number; readonly rssMb: number };

try {
  const trees = { plain: copyTree('plain'), grown: copyTree('grown') };
  addEndpoints(trees.grown);
  const starts: Readonly<Record<keyof typeof trees, Start[]>> = { plain: [], grown: [] };
  for (let round = -1; round < rounds; round++) {
    for (const name of ['plain', 'grown'] as const) {
      const start = await measureStart(trees[name], join(folder, `data-${name}`));
      // The first start creates the data, and compiles.
      if (round >= 0) starts[name].push(start);
    }
  }
  const [plain, grown] = [computeMedians(starts.plain), computeMedians(starts.grown)];
  const differences = computeMedians(starts.grown.map((start, at) => subtract(start, starts.plain[at] ?? start)));
  process.stdout.write(`\nNode ${process.version}, medians of ${rounds} starts in turn\n\n`);
  process.stdout.write(`| | ${CATALOGUE.endpoints.length} endpoints | ${FURTHER} more | goal |\n|---|---|---|---|\n`);
  const rows = [
    ['start to ready', 'ms', 'readyMs', '≤ 500 ms'],
    ['CPU until ready, all threads', 'ms', 'cpuMs', '≤ 700 ms'],
    ['CPU until ready, main thread', 'ms', 'mainMs', 'difference ≤ 10 ms'],
    ['resident memory before the first fetch', 'MiB', 'rssMb', 'difference ≤ 3 MiB'],
  ] as const;
  for (const [label, unit, key, goal] of rows) {
    const more = `${grown[key].toFixed(0)} ${unit} (${differences[key].toFixed(1)} in pairs)`;
    process.stdout.write(`| ${label} | ${plain[key].toFixed(0)} ${unit} | ${more} | ${goal} |\n`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Copies the packages, which run with the installed dependencies of this checkout. */
function copyTree(name: string): string {
  const tree = join(folder, name);
  cpSync(join(root, 'package.json'), join(tree, 'package.json'));
  for (const one of ['quern', 'extract', 'sites', 'console'])
    for (const part of ['src', 'bin', 'package.json']) {
      const from = join(root, 'packages', one, part);
      if (part !== 'bin' || one === 'quern') cpSync(from, join(tree, 'packages', one, part), { recursive: true });
    }
  symlinkSync(join(root, 'node_modules'), join(tree, 'node_modules'));
  return tree;
}

/** Adds copies of existing endpoints to the catalogue of a tree, with ids and paths of their own. */
function addEndpoints(tree: string): void {
  const known = CATALOGUE.documented.flatMap((id) => CATALOGUE.endpoints.find((one) => one.id === id) ?? []);
  const further = Array.from({ length: FURTHER }, (_, at) => {
    const entry = known[at % known.length];
    if (entry === undefined) throw new Error('the catalogue is empty');
    return { ...entry, id: `${entry.id}-${at}`, path: entry.path.replace(/^\/[a-z-]+/, (first) => `${first}-${at}`) };
  });
  const catalogue = {
    ...CATALOGUE,
    endpoints: [...CATALOGUE.endpoints, ...further],
    documented: [...CATALOGUE.documented, ...further.map(({ id }) => id)],
  };
  const file = join(tree, 'packages/sites/src/catalogue.ts');
  const [head = ''] = readFileSync(file, 'utf8').split('export const');
  writeFileSync(file, `${head}export const CATALOGUE: Catalogue = ${JSON.stringify(catalogue)};\n`);
}

async function measureStart(tree: string, dataDir: string): Promise<Start> {
  mkdirSync(dataDir, { recursive: true });
  const program = join(tree, 'packages/quern/bin/quern.mjs');
  const settings = {
    QUERN_BOOTSTRAP_KEY: `qk_${'mill'.repeat(8)}`,
    QUERN_LOG_LEVEL: 'warn',
    QUERN_CHROMIUM: 'off',
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  };
  const service = await startService({ dataDir, settings, program });
  const { cpuSeconds } = readFootprint(service.pid);
  const mainMs = Number(readFileSync(`/proc/${service.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  await wait(SETTLE_MS);
  const { rssMb } = readFootprint(service.pid);
  await service.close();
  return { readyMs: service.readyMs, cpuMs: cpuSeconds * 1000, mainMs, rssMb };
}

function subtract(one: Start, other: Start): Start {
  return {
    readyMs: one.readyMs - other.readyMs,
    cpuMs: one.cpuMs - other.cpuMs,
    mainMs: one.mainMs - other.mainMs,
    rssMb: one.rssMb - other.rssMb,
  };
}

function computeMedians(starts: readonly Start[]): Start {
  const pick = (key: keyof Start) => computeMedian(starts.map((start) => start[key]));
  return { readyMs: pick('readyMs'), cpuMs: pick('cpuMs'), mainMs: pick('mainMs'), rssMb: pick('rssMb') };
}
