import { z } from 'zod';
import { newId } from '#kernel/ids.ts';
import type { Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import type { RunStatus, RunTrigger, SkippedReason } from './rows.ts';

/** A run to be added. */
export type NewRun = {
  readonly id: string;
  readonly monitorId: string;
  readonly trigger: RunTrigger;
  /** The tick, or the time of the call, ms. */
  readonly scheduledFor: number;
  /** When its job may be claimed, ms. Null for a run that is skipped because another is active. */
  readonly dueAt: number | null;
  /** Number of missed ticks that this run makes up for, null for a run on time. */
  readonly missedTicks: number | null;
};

export type RunReference = { readonly id: string; readonly monitorId: string | null };

/** The end of a run. Undefined fields are null in its row. */
export type RunEnd = {
  readonly status: RunStatus;
  readonly skippedReason?: SkippedReason | null;
  /** Times are in ms. */
  readonly startedAt: number | null;
  readonly finishedAt: number;
  readonly attempt: number;
  /** Whether it reported a change other than its first values. */
  readonly hasChanged?: boolean;
  readonly changeId?: string | null;
  /** JSON. */
  readonly snapshot?: string;
  readonly tier?: string;
  readonly usage?: string;
  readonly error?: string;
};

const END = `update monitor_runs set status = $2, skipped_reason = $3, started_at = $4, finished_at = $5, attempt = $6,
    changed = $7, change_id = $8, snapshot = $9, tier = $10, usage = $11, error = $12, watch = null
  where id = $1 and status = 'queued'`;
const FREE = 'update monitors set current_run_id = null where id = $1 and current_run_id = $2';

const Id = z.object({ id: z.string() });

/** Writes the end of a run, and lets its monitor run again. */
export async function endRun(tx: Queryable, run: RunReference, end: RunEnd): Promise<void> {
  const { status, skippedReason = null, startedAt, finishedAt, attempt, hasChanged = false } = end;
  const { changeId = null, snapshot = null, tier = null, usage = null, error = null } = end;
  const state = [status, skippedReason, startedAt, finishedAt, attempt, Number(hasChanged)];
  await tx.query(END, [run.id, ...state, changeId, snapshot, tier, usage, error]);
  await freeMonitor(tx, run);
}

/** Lets a monitor run again after its current run has ended. */
export async function freeMonitor(tx: Queryable, run: RunReference): Promise<void> {
  await tx.query(FREE, [run.monitorId, run.id]);
}

/** Creates the statements that add runs and their jobs, many at a time. */
export function createRunStatements(kind: StoreKind) {
  const runs = buildRowsTable(kind, '$1', {
    name: 'b',
    columns: {
      id: 'text',
      monitor_id: 'text',
      started_by: 'text',
      status: 'text',
      skipped_reason: 'text',
      scheduled_for: 'bigint',
      missed_ticks: 'bigint',
    },
  });
  const jobs = buildRowsTable(kind, '$1', {
    name: 'b',
    columns: { id: 'text', monitor_id: 'text', request_id: 'text', due_at: 'bigint' },
  });
  const current = buildRowsTable(kind, '$1', { name: 'b', columns: { id: 'text', monitor_id: 'text' } });
  const addRuns = `insert into monitor_runs (id, monitor_id, tenant_id, started_by, status, skipped_reason,
      scheduled_for, queued_at, finished_at, missed_ticks, monitor_version, target_version, watch)
    select b.id, b.monitor_id, monitors.tenant_id, b.started_by, b.status, b.skipped_reason,
      b.scheduled_for, cast($2 as bigint), case when b.status = 'skipped' then cast($2 as bigint) end, b.missed_ticks,
      monitors.version, monitors.target_version, case when b.status = 'queued' then monitors.watch end
    from ${runs} join monitors on monitors.id = b.monitor_id where true
    on conflict do nothing returning id`;
  const addJobs = `insert into jobs (id, tenant_id, request_id, kind, long_running, input, status, created_at, due_at,
      discovered, total, owner_id)
    select b.id, monitors.tenant_id, b.request_id, monitors.operation, monitors.long_running, monitors.input, 'queued',
      cast($2 as bigint), b.due_at, 1, 1, monitors.id
    from ${jobs} join monitors on monitors.id = b.monitor_id where true`;
  const setCurrent = `update monitors set current_run_id = b.id from ${current} where monitors.id = b.monitor_id`;

  return {
    /**
     * Adds runs and queues their jobs, in the transaction that locks their monitors. Returns the ids of the new runs.
     */
    async add(tx: Queryable, made: readonly NewRun[], now: number): Promise<ReadonlySet<string>> {
      const cells = made.map(({ id, monitorId, trigger, scheduledFor, dueAt, missedTicks }) => {
        const state = dueAt === null ? ['skipped', 'overlap'] : ['queued', null];
        return [id, monitorId, trigger, ...state, scheduledFor, missedTicks];
      });
      const added = new Set(readRows(Id, await tx.query(addRuns, [JSON.stringify(cells), now])).map(({ id }) => id));
      const queued = made.filter(({ id, dueAt }) => dueAt !== null && added.has(id));
      if (queued.length === 0) return added;
      const orders = queued.map(({ id, monitorId, dueAt }) => [id, monitorId, newId('req', now), dueAt]);
      await tx.query(addJobs, [JSON.stringify(orders), now]);
      await tx.query(setCurrent, [JSON.stringify(queued.map(({ id, monitorId }) => [id, monitorId]))]);
      return added;
    },
  };
}
