import { buildSealer } from '#kernel/sealing.ts';
import { buildNotifications } from '#engine/jobs/job-notifications.ts';
import { NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { Ticks } from '#features/monitors/run/ticks.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { NO_HINTS } from '#store/hints.ts';
import type { Bench } from './engine.ts';
import { seedMonitors } from './seed.ts';

const DAY_MS = 86_400_000;
const DUE = 1000;
const LOOKS = 2000;

export type Growth = { readonly monitors: number; readonly tickMs: number; readonly lookMs: number };

/** CPU of one due tick, of which there are a thousand, and of one look that finds nothing, beside so many monitors. */
export async function measureGrowth(bench: Bench, model: string, monitors: number): Promise<Growth> {
  const { db, hour, tenants } = bench;
  await db.query('delete from monitors where id <> $1', [model]);
  const common = { model, tenants, cron: '0 0 * * *', intervalMs: 0 };
  await seedMonitors(db, { ...common, count: DUE, tick: hour });
  await seedMonitors(db, { ...common, count: monitors - DUE, tick: hour + DAY_MS });
  const ticks = new Ticks({
    db,
    clock: { ...SYSTEM_CLOCK, now: () => hour + 1 },
    random: Math.random,
    sealer: buildSealer(new Uint8Array(32), 'bench'),
    notifications: buildNotifications(NO_HINTS, SYSTEM_CLOCK),
    nextRuns: new NextRunCalculator(),
  });
  const tickMs = await cpuOf(async () => {
    while ((await ticks.tick()).due > 0);
  });
  const lookMs = await cpuOf(async () => {
    for (let look = 0; look < LOOKS; look += 1) await ticks.tick();
  });
  await db.query('delete from jobs');
  await db.query('delete from monitor_runs');
  return { monitors, tickMs: tickMs / DUE, lookMs: lookMs / LOOKS };
}

/** CPU time of the process over some work, ms. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
