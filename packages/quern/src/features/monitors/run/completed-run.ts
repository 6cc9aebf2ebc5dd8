import { InvariantError } from '#extract/invariant-error.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { type JobInput, type JobRow, openInput } from '#engine/jobs/job-record.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { Baseline } from '#features/monitors/compare/baseline.ts';
import type { RunDifference } from '#features/monitors/compare/diff.ts';
import { buildRunSnapshot } from '#features/monitors/compare/run-snapshot.ts';
import { StoredWatch } from '#features/monitors/compare/watch.ts';
import type { ComparedAnswer } from '#features/monitors/presets/preset.ts';
import { getPreset } from '#features/monitors/presets/presets.ts';
import type { NextRun, NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { unsealBody, sealWithMembers } from '#features/monitors/store/definition.ts';
import { openDigestWindow } from '#features/monitors/store/digest-windows.ts';
import { MonitorRow, RunOfMonitor } from '#features/monitors/store/rows.ts';
import { lockMonitor } from '#features/monitors/store/monitor-statements.ts';
import { endRun } from '#features/monitors/store/run-statements.ts';
import { enqueueAlertEvent, enqueueChangeEvent, enqueueRecovery } from './monitor-events.ts';

const FIND = `select monitors.*, monitor_runs.watch as run_watch, monitor_runs.target_version as run_target
  from monitor_runs join monitors on monitors.id = monitor_runs.monitor_id where monitor_runs.id = $1`;
const ADD_CHANGE = `insert into monitor_changes (id, monitor_id, tenant_id, run_id, previous_run_id, baseline_run_id,
    detected_at, kind, record, delivery_ids, pending) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const SET_BASELINE = `update monitors set baseline = $2, last_change_at = coalesce($3, last_change_at) where id = $1`;
/** The new version makes a concurrent change of the definition retry. */
const RECORD_MEMBERS = 'update monitors set body = $2, input = $3, version = version + 1 where id = $1';
const SUCCEED = `update monitors set last_run_at = $2, last_completed_run_id = $3, completed_runs = completed_runs + 1,
    run_credits = $4, consecutive_failures = 0, failing_since = null, backoff_until = null,
    unseen_runs = 0, unseen_since = null, failing_at = null, recovery_due = 0, rest_announced = 0,
    next_run_at = $5, due_at = $6 where id = $1`;

export type RunEndParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Seals the inputs of jobs. */
  readonly sealer: Sealer;
  readonly operations: readonly Operation[];
  readonly nextRuns: NextRunCalculator;
  readonly observe: ObserveEvent;
};

/** A completed run, compared with the baseline of its monitor and not yet written. */
export type ComparedRun = {
  readonly row: JobRow;
  readonly body: JobInput;
  readonly monitorId: string;
  /** The version of the target that it used. */
  readonly targetVersion: number;
  readonly compared: ComparedAnswer;
  /** The fields of its monitor that define the target. */
  readonly target: JobInput;
  /** The sealed body and input for all later runs, null if they do not change. */
  readonly recorded: readonly [body: string, input: string] | null;
  /** Created before the transaction, which may be repeated. */
  readonly changeId: string;
  readonly eventId: string;
  readonly alertId: string;
  readonly alertEventId: string;
};

type Change = NonNullable<RunDifference['change']>;

/**
 * Reads the answer of a run and compares it. A monitor has one run at a time, and a change of its target makes the run
 * outdated, so the baseline read here is still current when the run is written.
 */
export async function compareRun(
  { db, clock, sealer, operations }: RunEndParts,
  row: JobRow,
  body: JobInput,
): Promise<ComparedRun> {
  const run = readRow(RunOfMonitor, await db.query(FIND, [row.id]));
  if (run === null) throw new ServiceError('not_found', `the monitor of ${row.id} is gone`);
  const operation = operations.find(({ id }) => id === row.kind);
  if (operation === undefined) throw new InvariantError(`no operation ${row.kind}`);
  const input = openInput(sealer, row) ?? {};
  const watch = StoredWatch.parse(JSON.parse(run.run_watch ?? '{}'));
  const baseline = run.baseline === null ? null : Baseline.parse(JSON.parse(run.baseline));
  const compared = getPreset(run.kind).compare({ operation, input, body, watch, runId: row.id }, baseline);
  const target = unsealBody(sealer, run.body);
  const now = clock.now();
  return {
    row,
    body,
    monitorId: run.id,
    targetVersion: run.run_target,
    compared,
    target,
    recorded: compared.recorded === null ? null : sealWithMembers(sealer, { body: target, input }, compared.recorded),
    changeId: newId('chg', now),
    eventId: newId('evt', now),
    // An alert of the same run is sorted after its change.
    alertId: newId('chg', now + 1),
    alertEventId: newId('evt', now + 1),
  };
}

/** Writes the end of a compared run: the run, its change and event, the baseline, and the next tick. */
export async function writeCompletedRun(
  tx: Queryable,
  run: ComparedRun,
  { usage, clock, nextRuns, sealer }: Pick<RunEndParts, 'clock' | 'nextRuns' | 'sealer'> & { readonly usage: Usage },
): Promise<void> {
  const now = clock.now();
  const monitor = await lockMonitor(tx, run.monitorId);
  // A run of a deleted monitor is not charged.
  if (monitor === null || monitor.deleted_at !== null) throw new ServiceError('job_cancelled', 'the monitor is gone');
  const isOutdated = monitor.target_version !== run.targetVersion;
  const change = isOutdated ? null : getReportedChange(monitor, run);
  if (monitor.recovery_due === 1) await enqueueRecovery(tx, monitor, { runId: run.row.id, sealer, now });
  if (change !== null) await addChange(tx, monitor, { run, change, now });
  if (!isOutdated && run.compared.alert !== null) await addAlert(tx, monitor, { run, now });
  await writeRun(tx, monitor, { run, change, usage, now });
  if (!isOutdated) {
    const baseline = JSON.stringify(run.compared.difference.baseline);
    await tx.query(SET_BASELINE, [monitor.id, baseline, change === null ? null : now]);
    if (run.recorded !== null) await tx.query(RECORD_MEMBERS, [monitor.id, ...run.recorded]);
  }
  const isBack = monitor.backoff_until !== null && monitor.active === 1;
  const { nextRunAt, dueAt } = isBack
    ? nextRuns.computeNextRun({ ...monitor, consecutive_failures: 0 }, now)
    : getPlannedRun(monitor);
  await tx.query(SUCCEED, [monitor.id, now, run.row.id, usage.credits, nextRunAt, dueAt]);
}

/** Gets the next run from the row of a monitor. */
export function getPlannedRun({ next_run_at: nextRunAt, due_at: dueAt }: MonitorRow): NextRun {
  return { nextRunAt, dueAt };
}

/** Whether a monitor has runs but no baseline, because its target was changed. */
function isBaselineReset({ baseline, completed_runs: completed }: MonitorRow): boolean {
  return baseline === null && completed > 0;
}

/** Gets the change to report. The first values after a reset are no change. */
function getReportedChange(
  monitor: MonitorRow,
  {
    compared: {
      difference: { change },
    },
  }: ComparedRun,
): Change | null {
  return isBaselineReset(monitor) && change?.kind === 'first_run' ? null : change;
}

async function writeRun(
  tx: Queryable,
  monitor: MonitorRow,
  { run, change, usage, now }: RunOutcome & { readonly usage: Usage },
): Promise<void> {
  const { row, body, compared } = run;
  const { observation, difference, status, facts } = compared;
  const how = {
    isFirst: monitor.completed_runs === 0,
    isReset: isBaselineReset(monitor),
    isRebased: difference.rebased,
  };
  const ofMonitor = { id: row.id, monitorId: monitor.id };
  await endRun(tx, ofMonitor, {
    status,
    startedAt: row.started_at,
    finishedAt: now,
    attempt: row.attempt,
    hasChanged: change !== null && change.kind !== 'first_run',
    changeId: change === null ? null : run.changeId,
    snapshot: JSON.stringify(buildRunSnapshot({ observation, body, ...how, facts, warnings: difference.warnings })),
    tier: usage.tier,
    usage: JSON.stringify(usage),
  });
}

type RunOutcome = { readonly run: ComparedRun; readonly change: Change | null; readonly now: number };

async function addChange(
  tx: Queryable,
  monitor: MonitorRow,
  { run, change, now }: RunOutcome & { readonly change: Change },
): Promise<void> {
  const { changeId, eventId, target, compared } = run;
  const { view, eventData } = compared;
  const runId = run.row.id;
  const { kind, baseline_run_id: baselineRun, ...record } = change;
  const { digest } = StoredWatch.parse(JSON.parse(monitor.watch));
  if (digest !== null) await openDigestWindow(tx, { monitor, rule: digest, now });
  const event = { monitor, target, eventId, changeId, runId, change, eventData, now };
  const deliveries = digest === null ? await enqueueChangeEvent(tx, event) : [];
  const links = [changeId, monitor.id, monitor.tenant_id, runId, monitor.last_completed_run_id, baselineRun];
  const stored = { ...record, ...(view === null ? {} : { view }) };
  const texts = [kind, JSON.stringify(stored), JSON.stringify(deliveries)];
  await tx.query(ADD_CHANGE, [...links, now, ...texts, Number(digest !== null)]);
}

/** Stores an alert as a change of its monitor, and enqueues its event. A digest does not delay it. */
async function addAlert(
  tx: Queryable,
  monitor: MonitorRow,
  { run, now }: { readonly run: ComparedRun; readonly now: number },
): Promise<void> {
  const { alertId, alertEventId, target, compared } = run;
  const runId = run.row.id;
  const alert = compared.alert ?? {};
  const about = { monitor, target, eventId: alertEventId, changeId: alertId, runId, now: now + 1 };
  const deliveries = await enqueueAlertEvent(tx, { ...about, alert });
  const links = [alertId, monitor.id, monitor.tenant_id, runId, monitor.last_completed_run_id, null];
  const record = JSON.stringify({ changes: [], truncated: false, content: null, alert });
  await tx.query(ADD_CHANGE, [...links, now, 'parity', record, JSON.stringify(deliveries), 0]);
}
