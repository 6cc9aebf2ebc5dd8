import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { readRows } from '#store/rows.ts';
import { startServerProcess } from './processes.ts';
import { type MonitorBench, createBench, seedMonitors, measureGrowth } from './monitors/engine.ts';
import { measureWebhookRate } from './webhook-rate.ts';

/*
 * Measures the lateness of ticks, runs and events for ten thousand monitors of one service on the embedded store, with jitter
 * and with all monitors of a minute due at once.
 */

const HOURLY = { cron: '0 * * * *', intervalMs: 3_600_000 };
/** Five-minute monitors have no jitter, so a fifth of them is due at the same time each minute. */
const FIVE_MINUTES = { cron: '*/5 * * * *', intervalMs: 300_000 };
const PHASES = 5;
const GROWTH_COUNTS = [1000, 10_000, 100_000];

const { values } = parseArgs({
  options: { monitors: { type: 'string', default: '10000' }, seconds: { type: 'string', default: '60' } },
});
const monitors = Number(values.monitors);
const seconds = Number(values.seconds);

const RUNS = `select monitor_id, scheduled_for, queued_at, started_at, finished_at,
    (select due_at from due where due.id = monitor_id) as due_at
  from monitor_runs where status <> 'skipped'`;
const FIRST_ATTEMPTS = `select delivery_attempts.at - deliveries.created_at as late from deliveries
  join delivery_attempts on delivery_id = deliveries.id where n = 1`;
const OPEN = "select id from deliveries where status = 'pending' or status = 'delivering' limit 1";

const RunRow = z.object({ due_at: z.number(), queued_at: z.number(), started_at: z.number(), finished_at: z.number() });
const LateRow = z.object({ late: z.number() });

const origin = await startServerProcess('monitors/origin.ts');
printLine(`${monitors} active monitors, SQLite, ${values.seconds} s of spread ticks`);
try {
  await withBench(async (bench) => {
    const model = await bench.model();
    const { db, tenants, hour } = bench;
    // Hourly monitors are spread over five minutes; the measured part has more than a tenth of them.
    await seedMonitors(db, { model, tenants, count: monitors, tick: hour, ...HOURLY });
    printReport('spread, each hour at minute 0', await runDueMonitors(bench, seconds * 1000), seconds);
  });
  await withBench(async (bench) => {
    const model = await bench.model();
    const { db, tenants, hour } = bench;
    for (let phase = 0; phase < PHASES; phase += 1) {
      const cron = phase === 0 ? FIVE_MINUTES.cron : `${phase}-59/5 * * * *`;
      const tick = hour + phase * 60_000;
      await seedMonitors(db, { model, tenants, count: monitors / PHASES, tick, ...FIVE_MINUTES, cron });
    }
    printReport('at once, a fifth of those of five minutes', await runDueMonitors(bench, 55_000), 55);
  });
  await withBench(async (bench) => {
    const model = await bench.model();
    for (const count of GROWTH_COUNTS) {
      const { tickMs, lookMs } = await measureGrowth(bench, model, count);
      printLine(
        `${count} monitors: ${tickMs.toFixed(3)} ms of CPU a due tick, ${lookMs.toFixed(3)} ms a look without one`,
      );
    }
  });
} finally {
  await origin.close();
}
printLine(`deliveries to one local sink: ${Math.round(await measureWebhookRate())} a second`);

type WatchResult = {
  readonly lateness: readonly number[];
  readonly starts: readonly number[];
  readonly ends: readonly number[];
  readonly deliveries: readonly number[];
  readonly failed: number;
  readonly cpuMs: number;
};

/** Runs the monitors due within `ms` after the hour, and waits until all runs have ended. */
async function runDueMonitors(bench: MonitorBench, ms: number): Promise<WatchResult> {
  const { db } = bench;
  await db.query('create table due as select id, due_at from monitors');
  await db.query('create index due_by_id on due (id)');
  bench.rewind();
  const before = process.cpuUsage();
  const worker = bench.work('bench', bench.slots);
  const how = { id: 'bench', isAlone: true };
  const [besideJobs, besideService] = [bench.start('jobs', how), bench.start('service', how)];
  while (bench.clock.now() < bench.hour + ms) await wait(100);
  await besideJobs.close();
  const { user, system } = process.cpuUsage(before);
  await waitUntilEmpty(db, 'select id from jobs limit 1');
  await waitUntilEmpty(db, OPEN);
  await worker.drain();
  await besideService.close();
  const all = readRows(RunRow, await db.query(`${RUNS} and status = 'completed'`));
  const failed = await db.query("select id from monitor_runs where status not in ('completed', 'skipped')");
  const late = readRows(LateRow, await db.query(FIRST_ATTEMPTS));
  return {
    lateness: all.map((run) => run.queued_at - run.due_at),
    starts: all.map((run) => run.started_at - run.due_at),
    ends: all.map((run) => run.finished_at - run.due_at),
    deliveries: late.map((one) => one.late),
    failed: failed.length,
    cpuMs: (user + system) / 1000,
  };
}

async function waitUntilEmpty(db: MonitorBench['db'], sql: string): Promise<void> {
  while ((await db.query(sql)).length > 0) await wait(100);
}

async function withBench(work: (bench: MonitorBench) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-monitors-'));
  const bench = await createBench(folder, origin.origin);
  try {
    await work(bench);
  } finally {
    await bench.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

function printReport(title: string, seen: WatchResult, over: number): void {
  const { lateness, starts, ends, deliveries, failed, cpuMs } = seen;
  printLine(`${title}: ${lateness.length} runs completed in and after ${over} s, ${failed} not`);
  printLine(`  tick to queue          ${formatSpread(lateness)}`);
  printLine(`  tick to start of run   ${formatSpread(starts)}`);
  printLine(`  tick to end of run     ${formatSpread(ends)}`);
  printLine(`  commit to first attempt ${formatSpread(deliveries)}`);
  printLine(
    `  CPU ${(cpuMs / 1000).toFixed(1)} s, ${(cpuMs / Math.max(1, lateness.length)).toFixed(1)} ms a run with its event`,
  );
}

function formatSpread(figures: readonly number[]): string {
  const sorted = figures.toSorted((a, b) => a - b);
  const at = (share: number): string => `${Math.round(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)} ms`;
  return `p50 ${at(0.5)}, p95 ${at(0.95)}, p99 ${at(0.99)}, max ${at(1)}`;
}

function printLine(line: string): void {
  process.stdout.write(`${line}\n`);
}
