import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Queryable } from '#store/db.ts';
import { buildRowsTable, SKIP_LOCKED } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { DELIVERIES_TOPIC } from '#features/webhooks/enqueue.ts';
import type { NextRun, NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { endDigestWindow } from '#features/monitors/store/digest-windows.ts';
import { MonitorRow } from '#features/monitors/store/rows.ts';
import { cancelQueuedRun } from '#features/monitors/store/monitor-statements.ts';
import { createRunStatements, type NewRun } from '#features/monitors/store/run-statements.ts';
import { findCatchUp } from '#features/monitors/schedule/timing.ts';
import { enqueueStoppedWithoutRun } from './monitor-events.ts';

/** Monitors of a suspended tenant do not run. The first tick after the suspension catches up on missed ones. */
const IS_DUE = `due_at <= $1
  and not exists (select 1 from tenants where tenants.id = monitors.tenant_id and suspended_at is not null)`;
const ANY_DUE = `select id from monitors where ${IS_DUE} limit 1`;
const BACKLOG = `select count(*) as n from monitors where ${IS_DUE}`;
const DUE = `select id, cron, timezone, next_run_at, due_at, current_run_id, consecutive_failures from monitors
  where ${IS_DUE} order by due_at limit $2`;

/** Monitors of suspended tenants whose `monitor.stopped` event has not been sent yet. */
const UNANNOUNCED = `monitors where active = 1 and rest_announced = 0 and cron is not null
  and tenant_id in (select id from tenants where suspended_at is not null)`;
const ANY_UNANNOUNCED = `select id from ${UNANNOUNCED} limit 1`;
const LIST_UNANNOUNCED = `select * from ${UNANNOUNCED} limit $1`;
const MARK_ANNOUNCED = 'update monitors set rest_announced = 1, recovery_due = 1 where id = $1';

const ANY_EXPIRED = 'select id from monitors where active = 1 and expires_at <= $1 limit 1';
const EXPIRED = 'select * from monitors where active = 1 and expires_at <= $1 order by expires_at limit $2';
const EXPIRE = `update monitors set active = 0, inactive_reason = 'expired', next_run_at = null, due_at = null,
    backoff_until = null, updated_at = $2, version = version + 1 where id = $1`;

/** Maximum number of monitors per transaction. */
const MONITORS_PER_BATCH = 25;
/** A run queued later than this after its tick counts as catching up. */
const ON_TIME_MS = 60_000;
/** Catch-up runs are spread over this time. */
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

/** The result of one transaction. */
export type TickBatch = {
  /** Number of monitors that were due. */
  readonly due: number;
  /** For each run on time, how long after its due time it was queued, ms. */
  readonly lateness: readonly number[];
};

export type TickParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Seals the inputs of jobs. */
  readonly sealer: Sealer;
  readonly notifications: Notifications;
  readonly nextRuns: NextRunCalculator;
};

/** Turns due ticks into runs. The cost grows with the number of ticks, not of monitors. */
export class Ticks {
  readonly #parts: TickParts;
  readonly #runs: ReturnType<typeof createRunStatements>;
  readonly #due: string;
  readonly #advance: string;
  readonly #expired: string;
  readonly #rest: string;

  constructor(parts: TickParts) {
    const { kind } = parts.db;
    this.#parts = parts;
    this.#runs = createRunStatements(kind);
    this.#due = DUE + SKIP_LOCKED[kind];
    this.#expired = EXPIRED + SKIP_LOCKED[kind];
    this.#rest = LIST_UNANNOUNCED + SKIP_LOCKED[kind];
    const rows = buildRowsTable(kind, '$1', {
      name: 'b',
      columns: { id: 'text', next_run_at: 'bigint', due_at: 'bigint' },
    });
    this.#advance = `update monitors set next_run_at = b.next_run_at, due_at = b.due_at from ${rows}
      where monitors.id = b.id`;
  }

  /** Counts the monitors that are due now. */
  async countDue(): Promise<number> {
    const { db, clock } = this.#parts;
    return readRow(Count, await db.query(BACKLOG, [clock.now()]))?.n ?? 0;
  }

  /** Switches off expired monitors, at most one batch. Returns their number. */
  async expire(): Promise<number> {
    const { db, clock, sealer, notifications } = this.#parts;
    if ((await db.query(ANY_EXPIRED, [clock.now()])).length === 0) return 0;
    const count = await db.transaction(async (tx) => {
      const now = clock.now();
      const expired = readRows(MonitorRow, await tx.query(this.#expired, [now, MONITORS_PER_BATCH]));
      for (const monitor of expired) {
        await tx.query(EXPIRE, [monitor.id, now]);
        await cancelQueuedRun(tx, monitor.id, now);
        await endDigestWindow(tx, monitor.id, now);
        await enqueueStoppedWithoutRun(tx, monitor, { reason: 'expired', sealer, now });
      }
      return expired.length;
    });
    if (count > 0) notifications.notify(DELIVERIES_TOPIC);
    return count;
  }

  /** Enqueues `monitor.stopped` for monitors of suspended tenants, at most one batch. Returns their number. */
  async announceSuspension(): Promise<number> {
    const { db, clock, sealer, notifications } = this.#parts;
    if ((await db.query(ANY_UNANNOUNCED)).length === 0) return 0;
    const count = await db.transaction(async (tx) => {
      const now = clock.now();
      const resting = readRows(MonitorRow, await tx.query(this.#rest, [MONITORS_PER_BATCH]));
      for (const monitor of resting) {
        await tx.query(MARK_ANNOUNCED, [monitor.id]);
        await enqueueStoppedWithoutRun(tx, monitor, { reason: 'suspended', sealer, now });
      }
      return resting.length;
    });
    if (count > 0) notifications.notify(DELIVERIES_TOPIC);
    return count;
  }

  /** Queues the runs of due monitors, at most one batch. */
  async tick(): Promise<TickBatch> {
    const { db, clock, notifications } = this.#parts;
    // A query costs less than a transaction, and usually nothing is due.
    if ((await db.query(ANY_DUE, [clock.now()])).length === 0) return { due: 0, lateness: [] };
    const batch = await db.transaction(async (tx) => this.#tickBatch(tx));
    if (batch.due > 0) notifications.notify('queue');
    return batch;
  }

  async #tickBatch(tx: Queryable): Promise<TickBatch> {
    const now = this.#parts.clock.now();
    const rows = readRows(DueRow, await tx.query(this.#due, [now, MONITORS_PER_BATCH]));
    if (rows.length === 0) return { due: 0, lateness: [] };
    const decided = rows.map((row) => this.#decide(row, now));
    const cells = decided.map(({ id, next }) => [id, next.nextRunAt, next.dueAt]);
    await tx.query(this.#advance, [JSON.stringify(cells)]);
    const runs = decided.map(({ run }) => run).filter((run) => run !== null);
    await this.#runs.add(tx, runs, now);
    const onTime = rows.filter((_row, at) => decided[at]?.run?.trigger === 'schedule');
    return { due: rows.length, lateness: onTime.map((row) => now - row.due_at) };
  }

  /** Decides the run of a due monitor: for its tick, for the newest missed tick, or none. */
  #decide(row: DueRow, now: number): DecidedTick {
    const { nextRuns, random } = this.#parts;
    const { id, next_run_at: tick, current_run_id: active } = row;
    const schedule = nextRuns.getSchedule(row);
    const following = schedule?.nextTick(tick) ?? null;
    const isOnTime = now - row.due_at <= ON_TIME_MS && (following === null || following > now);
    const next = nextRuns.computeNextRun(row, isOnTime ? tick : now);
    const missed = isOnTime || schedule === null ? null : findCatchUp(schedule, tick, now);
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
}

type DecidedTick = { readonly id: string; readonly next: NextRun; readonly run: NewRun | null };
