import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Db, Statements } from '#store/db.ts';
import { bulk, SKIP_LOCKED } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { News } from '#engine/job-news.ts';
import type { Due, Dues } from './dues.ts';
import { buildRunRows } from './run-rows.ts';
import type { NewRun } from './run-rows.ts';
import { catchUp } from './timing.ts';

const IS_DUE = 'select id from monitors where due_at <= $1 limit 1';
const BACKLOG = 'select count(*) as n from monitors where due_at <= $1';
const DUE = `select id, cron, timezone, next_run_at, due_at, current_run_id, consecutive_failures from monitors
  where due_at <= $1 order by due_at limit $2`;

/** Monitors of one transaction. */
const BATCH = 25;
/** A run that begins later than this after it was due makes up for a tick that was missed. */
const ON_TIME_MS = 60_000;
/** Runs that make up for missed ticks begin within this time, so that they do not all begin at once. */
const CATCH_UP_MS = 60_000;

const DueRow = z.object({
  id: z.string(),
  cron: z.string().nullable(),
  timezone: z.string(),
  next_run_at: z.number(),
  due_at: z.number(),
  current_run_id: z.string().nullable(),
  consecutive_failures: z.number(),
});
const Count = z.object({ n: z.number() });

type DueRow = z.output<typeof DueRow>;

/** What one transaction did. */
export type Ticked = {
  /** Monitors that were due. */
  readonly due: number;
  /** How long after it was due each run was queued, ms; those that make up for missed ticks are not in it. */
  readonly lateness: readonly number[];
};

export type SchedulingParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly news: News;
  readonly dues: Dues;
};

export type Scheduling = ReturnType<typeof buildScheduling>;

/** Turns ticks that are due into runs. Its cost grows with the ticks, not with the monitors. */
export function buildScheduling({ db, clock, random, news, dues }: SchedulingParts) {
  const due = DUE + SKIP_LOCKED[db.kind];
  const runs = buildRunRows(db.kind);
  const advance = `update monitors set next_run_at = b.next_run_at, due_at = b.due_at from ${bulk(db.kind, '$1', {
    name: 'b',
    columns: { id: 'text', next_run_at: 'bigint', due_at: 'bigint' },
  })} where monitors.id = b.id`;

  async function tickBatch(tx: Statements): Promise<Ticked> {
    const now = clock.now();
    const rows = readRows(DueRow, await tx.query(due, [now, BATCH]));
    if (rows.length === 0) return { due: 0, lateness: [] };
    const decided = rows.map((row) => decide(row, now));
    const cells = decided.map(({ id, next }) => [id, next.nextRunAt, next.dueAt]);
    await tx.query(advance, [JSON.stringify(cells)]);
    await runs.add(
      tx,
      decided.flatMap(({ run }) => (run === null ? [] : [run])),
      now,
    );
    const onTime = rows.filter((_row, at) => decided[at]?.run?.trigger === 'schedule');
    return { due: rows.length, lateness: onTime.map((row) => now - row.due_at) };
  }

  /** What a due monitor is given: a run for its tick, one for the newest of those that were missed, or none. */
  function decide(row: DueRow, now: number): { id: string; next: Due; run: NewRun | null } {
    const { id, next_run_at: tick, current_run_id: active } = row;
    const schedule = dues.scheduleOf(row);
    const following = schedule?.nextTick(tick) ?? null;
    const isOnTime = now - row.due_at <= ON_TIME_MS && (following === null || following > now);
    const next = dues.after(row, isOnTime ? tick : now);
    const missed = isOnTime || schedule === null ? null : catchUp(schedule, tick, now);
    if (!isOnTime && missed === null) return { id, next, run: null };
    const run = {
      id: newId('run', now),
      monitorId: id,
      trigger: missed === null ? ('schedule' as const) : ('catch_up' as const),
      scheduledFor: missed?.tick ?? tick,
      dueAt: missed === null ? now : now + Math.floor(random() * CATCH_UP_MS),
      missedTicks: missed?.missed ?? null,
    };
    return { id, next, run: active === null ? run : { ...run, dueAt: null } };
  }

  return {
    /** How many monitors are due now. */
    async backlog(): Promise<number> {
      return readRow(Count, await db.query(BACKLOG, [clock.now()]))?.n ?? 0;
    },

    /** Queues the runs of what is due, at most one batch of it. */
    async tick(): Promise<Ticked> {
      // A look costs less than a transaction, and most looks find nothing.
      if ((await db.query(IS_DUE, [clock.now()])).length === 0) return { due: 0, lateness: [] };
      const ticked = await db.transaction(tickBatch);
      if (ticked.due > 0) news.spread('queue');
      return ticked;
    },
  };
}
