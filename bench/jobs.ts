/** Jobs a second on both stores beside two job queues on the same PostgreSQL; and how soon work goes on after a death. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { Client } from 'pg';
import { z } from 'zod';
import { startPostgres } from '#testkit/postgres.ts';
import { median } from './child.ts';
import { measureDeadWorker, measureRestart } from './jobs-deaths.ts';
import { AT_ONCE, CONNECTIONS, type Rates, SETTINGS, type ToolName, TOOLS } from './jobs-settings.ts';

const ROUND_MS = 60_000;
/** A job is submitted, begun and ended. */
const TRANSITIONS = 3;
const Printed = z.object({ submit: z.number(), work: z.number(), both: z.number() });

const { values } = parseArgs({
  options: { jobs: { type: 'string', default: '3000' }, rounds: { type: 'string', default: '3' } },
});
const jobs = Number(values.jobs);
const rounds = Number(values.rounds);
if (!(jobs >= 1 && rounds >= 1)) throw new Error('--jobs and --rounds take a positive number');

const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const server = await startPostgres('as installed');
try {
  const rates = await measureRates();
  progress('a start after kill -9 with 100,000 finished jobs');
  const restarts = {
    SQLite: await measureRestart({ folder: join(folder, 'restart'), url: null }),
    PostgreSQL: await measureRestart({ folder: join(folder, 'restart-pg'), url: await createDatabase('restart') }),
  };
  progress('a worker that dies with a job in hand');
  const rerunMs = await measureDeadWorker({ folder: join(folder, 'dead'), url: await createDatabase('dead') });
  print(rates, restarts, rerunMs);
} finally {
  await server.stop();
}

/** The tools in turn, each on a database of its own that is new in each round; medians of the rounds. */
async function measureRates(): Promise<ReadonlyMap<ToolName, Rates>> {
  const measured = new Map<ToolName, Rates[]>(TOOLS.map((tool) => [tool, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [at, tool] of TOOLS.entries()) {
      progress(`round ${round} of ${rounds}: ${tool}`);
      measured.get(tool)?.push(await runTool(tool, `round_${round}_${at}`));
    }
  }
  return new Map([...measured].map(([tool, list]) => [tool, middle(list)]));
}

function middle(list: readonly Rates[]): Rates {
  return {
    submit: median(list.map(({ submit }) => submit)),
    work: median(list.map(({ work }) => work)),
    both: median(list.map(({ both }) => both)),
  };
}

async function runTool(tool: ToolName, name: string): Promise<Rates> {
  const url = await createDatabase(name);
  const place = mkdtempSync(join(folder, 'round-'));
  const order = JSON.stringify({ tool, folder: place, url, jobs });
  const command = [...process.execArgv, join(import.meta.dirname, 'jobs-tool.ts'), order];
  const { stdout } = await promisify(execFile)(process.execPath, command, { timeout: ROUND_MS });
  rmSync(place, { recursive: true });
  await ask(`drop database ${name} with (force)`);
  return Printed.parse(JSON.parse(stdout));
}

async function createDatabase(name: string): Promise<string> {
  await ask(`create database ${name}`);
  const url = new URL(server.url);
  url.pathname = name;
  return url.href;
}

async function ask(sql: string): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  await client.query(sql);
  await client.end();
}

function print(rates: ReadonlyMap<ToolName, Rates>, restarts: Readonly<Record<string, number>>, rerunMs: number): void {
  const ours = rates.get('quern, PostgreSQL');
  const embedded = rates.get('quern, SQLite');
  if (ours === undefined || embedded === undefined) throw new Error('nothing was measured');
  say(`\nNode ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, medians of ${rounds} rounds of`);
  say(`${jobs} jobs, ${AT_ONCE} submissions in flight, ${CONNECTIONS} connections, fsync on\n`);
  say('| jobs a second | submitted | worked off | both | both, against Quern on PostgreSQL | settings |');
  say('|---|---|---|---|---|---|');
  for (const [tool, { submit, work, both }] of rates) {
    const figures = [submit, work, both].map((rate) => rate.toFixed(0)).join(' | ');
    say(`| ${tool} | ${figures} | ${(both / ours.both).toFixed(2)} | ${SETTINGS[tool]} |`);
  }
  const peers = [...rates].filter(([tool]) => tool === 'pg-boss' || tool === 'graphile-worker');
  const faster = (part: keyof Rates): number => Math.max(...peers.map(([, peer]) => peer[part]));
  say('\n| | measured | goal |\n|---|---|---|');
  say(`| transitions a second on SQLite | ${(embedded.both * TRANSITIONS).toFixed(0)} | ≥ 1,000 |`);
  for (const part of ['submit', 'work', 'both'] as const) {
    const ratio = (ours[part] / faster(part)).toFixed(2);
    say(`| ${part}: PostgreSQL, against the faster of pg-boss and graphile-worker | ${ratio} | ≥ 1.0 |`);
  }
  for (const [store, ms] of Object.entries(restarts)) {
    say(`| kill -9 with 100,000 finished jobs to ready, ${store} | ${ms.toFixed(0)} ms | ≤ 2,000 ms |`);
  }
  say(`| a dead worker's job begun again | ${(rerunMs / 1000).toFixed(1)} s | ≤ 35 s |`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function progress(text: string): void {
  process.stderr.write(`${text} …\n`);
}
