import type { Clock } from '#kernel/clock.ts';
import type { Observe } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Statements } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { openInput } from '#engine/jobs/job-record.ts';
import type { JobInput, JobRow } from '#engine/jobs/job-record.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { Baseline } from '#features/monitors/compare/baseline.ts';
import { diff } from '#features/monitors/compare/diff.ts';
import type { RunDifference } from '#features/monitors/compare/diff.ts';
import { observe } from '#features/monitors/compare/observation.ts';
import type { RunObservation } from '#features/monitors/compare/observation.ts';
import { toRunSnapshot } from '#features/monitors/compare/run-snapshot.ts';
import { shapesOf } from '#features/monitors/compare/shapes.ts';
import { Watch } from '#features/monitors/compare/watch.ts';
import type { NextRun, NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { pageOfBody } from '#features/monitors/store/definition.ts';
import { openDigestWindow } from '#features/monitors/store/digest-windows.ts';
import { MonitorRow, RunOfMonitor } from '#features/monitors/store/monitor-row.ts';
import { lockMonitor } from '#features/monitors/store/monitor-rows.ts';
import { endRun } from '#features/monitors/store/run-rows.ts';
import { enqueueChangeEvent } from './change-events.ts';

const FIND = `select monitors.*, monitor_runs.watch as run_watch, monitor_runs.target_version as run_target
  from monitor_runs join monitors on monitors.id = monitor_runs.monitor_id where monitor_runs.id = $1`;
const ADD_CHANGE = `insert into monitor_changes (id, monitor_id, tenant_id, run_id, previous_run_id, baseline_run_id,
    detected_at, kind, record, delivery_ids, pending) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const SET_BASELINE = `update monitors set baseline = $2, last_change_at = coalesce($3, last_change_at) where id = $1`;
const SUCCEED = `update monitors set last_run_at = $2, last_completed_run_id = $3, completed_runs = completed_runs + 1,
    run_credits = $4, consecutive_failures = 0, failing_since = null, backoff_until = null,
    next_run_at = $5, due_at = $6 where id = $1`;

export type RunEndParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Of the inputs of jobs. */
  readonly sealer: Sealer;
  readonly operations: readonly Operation[];
  readonly nextRuns: NextRunCalculator;
  readonly observe: Observe;
};

/** A completed run, compared with the baseline of its monitor and not yet written. */
export type ComparedRun = {
  readonly row: JobRow;
  readonly body: JobInput;
  readonly monitorId: string;
  /** The version of the target that it ran. */
  readonly targetVersion: number;
  readonly observation: RunObservation;
  readonly difference: RunDifference;
  /** The watched page for receivers of events; null where the monitor watches none. */
  readonly url: string | null;
  /** Made before the transaction, which may run again. */
  readonly changeId: string;
  readonly eventId: string;
};

type Change = NonNullable<RunDifference['change']>;

/**
 * Reads the answer of a run and compares it. A monitor has one run at a time, and a change of its target makes the run
 * outdated, so the baseline that is read here is still the one to compare with when the run is written.
 */
export async function compareRun(
  { db, clock, sealer, operations }: RunEndParts,
  row: JobRow,
  body: JobInput,
): Promise<ComparedRun> {
  const found = readRow(RunOfMonitor, await db.query(FIND, [row.id]));
  if (found === null) throw new ServiceError('not_found', `the monitor of ${row.id} is gone`);
  const operation = operations.find(({ id }) => id === row.kind);
  if (operation === undefined) throw new Error(`no operation ${row.kind}`);
  const input = openInput(sealer, row) ?? {};
  const watch = Watch.parse(JSON.parse(found.run_watch ?? '{}'));
  const shapes = shapesOf(operation, input);
  const observation = observe({ operation, input, body, watch }, shapes);
  const baseline = found.baseline === null ? null : Baseline.parse(JSON.parse(found.baseline));
  return {
    row,
    body,
    monitorId: found.id,
    targetVersion: found.run_target,
    observation,
    difference: diff(baseline, observation, { watch, shapes, runId: row.id }),
    url: pageOfBody(sealer, found.body),
    changeId: newId('chg', clock.now()),
    eventId: newId('evt', clock.now()),
  };
}

/** Writes the end of a compared run: the run, its change with the event of it, the baseline and the next tick. */
export async function writeCompletedRun(
  tx: Statements,
  run: ComparedRun,
  { usage, clock, nextRuns }: Pick<RunEndParts, 'clock' | 'nextRuns'> & { readonly usage: Usage },
): Promise<void> {
  const now = clock.now();
  const monitor = await lockMonitor(tx, run.monitorId);
  // A run of a monitor that was deleted meanwhile is not charged.
  if (monitor === null || monitor.deleted_at !== null) throw new ServiceError('job_cancelled', 'the monitor is gone');
  const isOutdated = monitor.target_version !== run.targetVersion;
  const change = isOutdated ? null : reportedChange(monitor, run);
  if (change !== null) await addChange(tx, monitor, { run, change, now });
  await writeRun(tx, monitor, { run, change, usage, now });
  if (!isOutdated) {
    const baseline = JSON.stringify(run.difference.baseline);
    await tx.query(SET_BASELINE, [monitor.id, baseline, change === null ? null : now]);
  }
  const isBack = monitor.backoff_until !== null && monitor.active === 1;
  const { nextRunAt, dueAt } = isBack
    ? nextRuns.after({ ...monitor, consecutive_failures: 0 }, now)
    : plannedRun(monitor);
  await tx.query(SUCCEED, [monitor.id, now, run.row.id, usage.credits, nextRunAt, dueAt]);
}

/** The next run as the row of a monitor has it. */
export function plannedRun({ next_run_at: nextRunAt, due_at: dueAt }: MonitorRow): NextRun {
  return { nextRunAt, dueAt };
}

/** Whether a monitor has runs, but no baseline any more. */
function isReset({ baseline, completed_runs: completed }: MonitorRow): boolean {
  return baseline === null && completed > 0;
}

/** The first values after a reset are no change. */
function reportedChange(monitor: MonitorRow, { difference: { change } }: ComparedRun): Change | null {
  return isReset(monitor) && change?.kind === 'first_run' ? null : change;
}

async function writeRun(
  tx: Statements,
  monitor: MonitorRow,
  { run, change, usage, now }: RunOutcome & { readonly usage: Usage },
): Promise<void> {
  const { row, body, observation, difference } = run;
  const facts = { isFirst: monitor.completed_runs === 0, isReset: isReset(monitor), warnings: difference.warnings };
  const ofMonitor = { id: row.id, monitorId: monitor.id };
  await endRun(tx, ofMonitor, {
    status: 'completed',
    startedAt: row.started_at,
    finishedAt: now,
    attempt: row.attempt,
    hasChanged: change !== null && change.kind !== 'first_run',
    changeId: change === null ? null : run.changeId,
    snapshot: JSON.stringify(toRunSnapshot({ observation, body, ...facts })),
    tier: usage.tier,
    usage: JSON.stringify(usage),
  });
}

type RunOutcome = { readonly run: ComparedRun; readonly change: Change | null; readonly now: number };

async function addChange(
  tx: Statements,
  monitor: MonitorRow,
  { run, change, now }: RunOutcome & { readonly change: Change },
): Promise<void> {
  const { changeId, eventId, url } = run;
  const runId = run.row.id;
  const { kind, baseline_run_id: baselineRun, ...record } = change;
  const { digest } = Watch.parse(JSON.parse(monitor.watch));
  if (digest !== null) await openDigestWindow(tx, { monitor, rule: digest, now });
  const event = { monitor, url, eventId, changeId, runId, change, now };
  const deliveries = digest === null ? await enqueueChangeEvent(tx, event) : [];
  const links = [changeId, monitor.id, monitor.tenant_id, runId, monitor.last_completed_run_id, baselineRun];
  const texts = [kind, JSON.stringify(record), JSON.stringify(deliveries)];
  await tx.query(ADD_CHANGE, [...links, now, ...texts, Number(digest !== null)]);
}
