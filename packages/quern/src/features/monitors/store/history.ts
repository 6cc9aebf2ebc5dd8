import { z } from 'zod';
import { RECORD_RETENTION_MS } from '#engine/identity/plans.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { changeInBatches, AFTER_ALL_IDS } from '#store/batches.ts';
import type { Db } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { type ChangeView, type RunRecord, toRunRecord } from './monitor-record.ts';
import { ChangeRow, RunRow } from './rows.ts';
import { type TriggeredRun, buildUnknownMonitorError } from './monitors.ts';

const FIND_MONITOR = 'select id from monitors where tenant_id = $1 and id = $2 and deleted_at is null';
const LIST_RUNS = `select monitor_runs.*, jobs.status as job_status, jobs.started_at as job_started_at,
    jobs.attempt as job_attempt
  from monitor_runs left join jobs on jobs.id = monitor_runs.id
  where monitor_runs.monitor_id = $1 and monitor_runs.id < $2
    and (monitor_runs.queued_at >= $3 or monitor_runs.status = 'queued')
  order by monitor_runs.id desc limit $4`;
const FIND_RUN = `select monitor_runs.*, jobs.status as job_status, jobs.started_at as job_started_at,
    jobs.attempt as job_attempt
  from monitor_runs left join jobs on jobs.id = monitor_runs.id
  where monitor_runs.monitor_id = $1 and monitor_runs.id = $2`;
/** Poll because another process may have ended the run. */
const POLL_MS = 1000;
const LIST_CHANGES = `select * from monitor_changes where monitor_id = $1 and id < $2 and detected_at >= $3
  and kind <> $5 order by id desc limit $4`;

/** The row of a run with the state of its job, if the job still exists. */
const RunWithJob = RunRow.extend({
  job_status: z.string().nullable(),
  job_started_at: z.number().nullable(),
  job_attempt: z.number().nullable(),
});

export type HistoryPage = {
  readonly tenant: string;
  readonly id: string;
  /** Id of the last row of the previous page, null for the first page. */
  readonly after: string | null;
  readonly limit: number;
};

/** The entries of one change in a list. */
type ShownChange = { readonly id: string; readonly entries: readonly unknown[] };

/** Reads runs and changes of monitors, newest first. */
export type MonitorHistory = ReturnType<typeof buildMonitorHistory>;

type HistoryParts = { readonly db: Db; readonly clock: Clock; readonly notifications: Notifications };

/** How long to wait for the end of a run. */
type RunWait = { readonly id: string; readonly ms: number; readonly signal: AbortSignal };

export function buildMonitorHistory({ db, clock, notifications }: HistoryParts) {
  /** Older records are hidden, whether or not retention has deleted them. */
  function earliest(): number {
    return clock.now() - RECORD_RETENTION_MS;
  }

  async function demand(tenant: string, id: string): Promise<void> {
    if ((await db.query(FIND_MONITOR, [tenant, id])).length === 0) throw buildUnknownMonitorError(id);
  }

  async function loadRuns(id: string, after: string, limit: number): Promise<readonly RunRecord[]> {
    return readRows(RunWithJob, await db.query(LIST_RUNS, [id, after, earliest(), limit])).map((row) =>
      toRunRecord(applyJobState(row)),
    );
  }

  async function loadChanges(
    id: string,
    { after, limit }: { readonly after: string; readonly limit: number },
    { hiddenKind, toEntries }: ChangeView,
  ): Promise<readonly ShownChange[]> {
    const rows = await db.query(LIST_CHANGES, [id, after, earliest(), limit, hiddenKind ?? '']);
    return readRows(ChangeRow, rows).map((row) => ({ id: row.id, entries: toEntries(row) }));
  }

  return {
    /** Throws `not_found` if the tenant has no such monitor. */
    demand,

    async runs({ tenant, id, after, limit }: HistoryPage): Promise<readonly RunRecord[]> {
      await demand(tenant, id);
      return loadRuns(id, after ?? AFTER_ALL_IDS, limit);
    },

    async latestRun(tenant: string, id: string): Promise<RunRecord> {
      await demand(tenant, id);
      const [latest] = await loadRuns(id, AFTER_ALL_IDS, 1);
      if (latest === undefined) throw new ServiceError('not_found', `${id} has not run yet`);
      return latest;
    },

    /** Waits for a run to end. Returns null if it takes longer. */
    async endedRun(tenant: string, { run_id: runId }: TriggeredRun, wait: RunWait): Promise<RunRecord | null> {
      const until = clock.monotonic() + wait.ms;
      for (;;) {
        await demand(tenant, wait.id);
        const row = readRow(RunWithJob, await db.query(FIND_RUN, [wait.id, runId]));
        const run = row === null ? null : toRunRecord(applyJobState(row));
        if (run !== null && run.status !== 'queued' && run.status !== 'running') return run;
        const left = until - clock.monotonic();
        if (left <= 0 || wait.signal.aborted) return null;
        await notifications.next(runId, Math.min(left, POLL_MS), wait.signal);
      }
    },

    /** Reads a page of changes with their entries in a list. */
    async changes({ tenant, id, after, limit }: HistoryPage, view: ChangeView): Promise<readonly ShownChange[]> {
      await demand(tenant, id);
      return loadChanges(id, { after: after ?? AFTER_ALL_IDS, limit }, view);
    },

    /** Reads the first entry of the latest change. */
    async latestChange(tenant: string, id: string, view: ChangeView): Promise<unknown> {
      await demand(tenant, id);
      const [latest] = await loadChanges(id, { after: AFTER_ALL_IDS, limit: 1 }, view);
      const [entry] = latest?.entries ?? [];
      if (entry === undefined) throw new ServiceError('not_found', `${id} has no change yet`);
      return entry;
    },
  };
}

/** Completes the row of an unfinished run with the state of its job. */
function applyJobState({
  job_status: status,
  job_started_at: startedAt,
  job_attempt: attempt,
  ...row
}: z.output<typeof RunWithJob>) {
  if (row.status !== 'queued' || status === null) return row;
  return {
    ...row,
    status: status === 'running' ? ('running' as const) : row.status,
    started_at: startedAt,
    attempt: attempt ?? 0,
  };
}

const FORGET_RUNS = `delete from monitor_runs where id in (
  select id from monitor_runs where queued_at < $1 and status <> 'queued' order by queued_at limit $2) returning id`;
const FORGET_CHANGES = `delete from monitor_changes where id in (
  select id from monitor_changes where detected_at < $1 order by detected_at limit $2) returning id`;
/** Records of deleted monitors are deleted before the monitors. */
const DELETED_MONITORS = 'select id from monitors where deleted_at is not null';
const DROP_RUNS = `delete from monitor_runs where id in (
  select id from monitor_runs where monitor_id in (${DELETED_MONITORS}) and status <> 'queued' limit $1) returning id`;
const DROP_CHANGES = `delete from monitor_changes where id in (
  select id from monitor_changes where monitor_id in (${DELETED_MONITORS}) limit $1) returning id`;
const DROP_MONITORS = `delete from monitors where id in (
  select id from monitors where deleted_at is not null
    and not exists (select 1 from monitor_runs where monitor_id = monitors.id)
    and not exists (select 1 from monitor_changes where monitor_id = monitors.id) limit $1) returning id`;

/** Builds the deletion of runs and changes after 90 days, and of the records of deleted monitors. */
export function buildMonitorRetention({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  return {
    async tidy(signal?: AbortSignal): Promise<void> {
      const before = clock.now() - RECORD_RETENTION_MS;
      for (const sql of [FORGET_RUNS, FORGET_CHANGES]) await changeInBatches(db, { sql, values: [before] }, signal);
      for (const sql of [DROP_RUNS, DROP_CHANGES, DROP_MONITORS])
        await changeInBatches(db, { sql, values: [] }, signal);
    },
  };
}
