import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError, toErrorBody } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Statements } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { chargeKeyOf } from '#engine/job-leases.ts';
import { openInput } from '#engine/job-record.ts';
import type { JobInput, JobRow } from '#engine/job-record.ts';
import type { Operation } from '#engine/operation.ts';
import { giveBack } from '#engine/refunds.ts';
import type { Usage } from '#engine/prices.ts';
import { Baseline } from './baseline.ts';
import { diff } from './diff.ts';
import type { Difference } from './diff.ts';
import { pageOfBody } from './definition.ts';
import { hurryDigest, openWindow } from './digests.ts';
import { NEVER } from './dues.ts';
import type { Dues } from './dues.ts';
import { MonitorRow } from './monitor-row.ts';
import type { SkippedReason } from './monitor-row.ts';
import { tellChange } from './notifying.ts';
import { observe, shapesOf } from './observing.ts';
import type { Observation } from './observation.ts';
import type { Shapes } from './shapes.ts';
import { toSeen } from './seen.ts';
import { backoffUntil, intervalAfter, isLost } from './timing.ts';
import { Watch } from './watch.ts';

const FIND = `select monitors.*, monitor_runs.watch as run_watch, monitor_runs.target_version as run_target
  from monitor_runs join monitors on monitors.id = monitor_runs.monitor_id where monitor_runs.id = $1`;
/** Holds the row until the transaction ends, and tells what it says now. */
const LOCK = 'update monitors set version = version where id = $1 returning *';
const END = `update monitor_runs set status = $2, skipped_reason = $3, started_at = $4, finished_at = $5, attempt = $6,
    changed = $7, change_id = $8, seen = $9, tier = $10, usage = $11, error = $12, watch = null
  where id = $1 and status = 'queued'`;
const ADD_CHANGE = `insert into monitor_changes (id, monitor_id, tenant_id, run_id, previous_run_id, baseline_run_id,
    detected_at, kind, record, delivery_ids, pending) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`;
const FREE = `update monitors set current_run_id = null where id = $1 and current_run_id = $2`;
const LEARN = `update monitors set baseline = $2, baseline_version = baseline_version + 1,
    last_change_at = coalesce($3, last_change_at) where id = $1`;
const SUCCEED = `update monitors set last_run_at = $2, last_completed_run_id = $3, completed_runs = completed_runs + 1,
    run_credits = $4, consecutive_failures = 0, failing_since = null, backoff_until = null,
    next_run_at = $5, due_at = $6 where id = $1`;
const FAIL = `update monitors set last_run_at = $2, consecutive_failures = $3, failing_since = $4, backoff_until = $5,
    next_run_at = $6, due_at = $7, active = $8, inactive_reason = $9 where id = $1`;

/** Failures that say that a run could not be begun; what they stand for is no fault of the target. */
const SKIPS: Readonly<Partial<Record<ServiceError['code'], SkippedReason>>> = {
  credits_exhausted: 'credits_exhausted',
  daily_credit_cap_exceeded: 'daily_cap',
  plan_upgrade_required: 'plan',
  backend_unavailable: 'backend_unavailable',
};

const RunOfMonitor = MonitorRow.extend({ run_watch: z.string().nullable(), run_target: z.number() });

export type RunningParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Of the inputs of jobs. */
  readonly sealer: Sealer;
  readonly operations: readonly Operation[];
  readonly dues: Dues;
};

type Failed = { readonly failure: ServiceError; readonly attempts: number };

/** What becomes of the runs of monitors, each in the transaction that ends the job which carries it out. */
export type RunEnds = ReturnType<typeof buildRunEnds>;

export function buildRunEnds({ db, clock, sealer, operations, dues }: RunningParts) {
  const ended = new Map<string, number>();

  /** A transaction that is made again counts again: figures for a graph, not for the books. */
  function count(status: string): void {
    ended.set(status, (ended.get(status) ?? 0) + 1);
  }

  function look(row: JobRow, body: JobInput, watchText: string): Sight {
    const operation = operations.find(({ id }) => id === row.kind);
    if (operation === undefined) throw new Error(`no operation ${row.kind}`);
    const input = openInput(sealer, row) ?? {};
    const watch = Watch.parse(JSON.parse(watchText));
    const shapes = shapesOf(operation, input);
    return { runId: row.id, body, watch, shapes, observation: observe({ operation, input, body, watch }, shapes) };
  }

  return {
    /** Runs that this process has ended, by status. */
    counts: (): ReadonlyMap<string, number> => ended,

    /** Whether a failure ends a run that has not begun, so that it is not tried again. */
    isSkipped: ({ code }: ServiceError): boolean => code !== 'backend_unavailable' && SKIPS[code] !== undefined,

    /**
     * Reads the answer of a run's operation and compares it; what it answers writes the end of the run. Throws
     * `ServiceError` where the answer is none that may be compared, and then nothing is charged.
     */
    async prepare(row: JobRow, body: JobInput) {
      const found = readRow(RunOfMonitor, await db.query(FIND, [row.id]));
      if (found === null) throw new ServiceError('not_found', `the monitor of ${row.id} is gone`);
      const sight = look(row, body, found.run_watch ?? '{}');
      const early = compare(found, sight);
      const ids = { changeId: newId('chg', clock.now()), eventId: newId('evt', clock.now()), runId: row.id };
      const url = pageOfBody(sealer, found.body);

      return async function record(tx: Statements, usage: Usage): Promise<void> {
        const now = clock.now();
        const monitor = readRow(MonitorRow, await tx.query(LOCK, [found.id]));
        // Whoever deleted a monitor is not charged for it any more.
        if (monitor === null || monitor.deleted_at !== null)
          throw new ServiceError('job_cancelled', 'the monitor is gone');
        // What ran was another target than the one that is watched now.
        const isOutdated = monitor.target_version !== found.run_target;
        const difference = monitor.baseline_version === found.baseline_version ? early : compare(monitor, sight);
        const isFirst = monitor.baseline === null;
        const isReset = isFirst && monitor.completed_runs > 0;
        const isNews = !isOutdated && !(isReset && difference.change?.kind === 'first_run');
        const change = isNews ? difference.change : null;
        if (change !== null) await addChange(tx, monitor, { change, ...ids, url, now });
        const facts = { isFirst: monitor.completed_runs === 0, isReset, warnings: difference.warnings };
        const seen = toSeen({ ...sight, ...facts });
        const hasChanged = change !== null && change.kind !== 'first_run';
        const end = [row.id, 'completed', null, row.started_at, now, row.attempt, Number(hasChanged)];
        const outcome = [
          change === null ? null : ids.changeId,
          JSON.stringify(seen),
          usage.tier,
          JSON.stringify(usage),
        ];
        await tx.query(END, [...end, ...outcome, null]);
        if (!isOutdated) {
          await tx.query(LEARN, [monitor.id, JSON.stringify(difference.baseline), change === null ? null : now]);
        }
        const isBack = monitor.backoff_until !== null && monitor.active === 1;
        const due = isBack ? dues.after({ ...monitor, consecutive_failures: 0 }, now) : toDue(monitor);
        await tx.query(SUCCEED, [monitor.id, now, row.id, usage.credits, due.nextRunAt, due.dueAt]);
        await tx.query(FREE, [monitor.id, row.id]);
        count('completed');
      };
    },

    /** Ends a run whose work failed for good, or could not begin. */
    async fail(tx: Statements, row: JobRow, { failure, attempts }: Failed): Promise<void> {
      const now = clock.now();
      const skipped = attempts === 0 ? (SKIPS[failure.code] ?? null) : null;
      const monitor = readRow(MonitorRow, await tx.query(LOCK, [row.monitor_id]));
      if (monitor === null) {
        await giveBackRun(tx, row, now);
        return;
      }
      const status = monitor.deleted_at !== null ? 'cancelled' : skipped === null ? 'failed' : 'skipped';
      const startedAt = skipped === null ? row.started_at : null;
      const error = JSON.stringify(toRunError(failure));
      const end = [row.id, status, skipped, startedAt, now, row.attempt];
      await tx.query(END, [...end, 0, null, null, null, null, error]);
      await tx.query(FREE, [monitor.id, row.id]);
      await giveBackRun(tx, row, now);
      count(status);
      if (status !== 'failed') return;
      const failures = monitor.consecutive_failures + 1;
      const since = monitor.failing_since ?? now;
      const isGivenUp = isLost(failures, since, now);
      const goesOn = monitor.active === 1 && !isGivenUp;
      const schedule = goesOn ? dues.scheduleOf(monitor) : null;
      const until = schedule === null ? null : backoffUntil(now, intervalAfter(schedule, now), failures);
      const later = until === null ? toDue(monitor) : dues.after({ ...monitor, consecutive_failures: 0 }, until - 1);
      const { nextRunAt, dueAt } = goesOn ? later : NEVER;
      const reason = monitor.active === 1 && isGivenUp ? 'failing' : monitor.inactive_reason;
      const state = [goesOn ? 1 : 0, reason];
      await tx.query(FAIL, [monitor.id, now, failures, since, until, nextRunAt, dueAt, ...state]);
      if (isGivenUp) await hurryDigest(tx, monitor.id, now);
    },

    /** Ends a run that was cancelled with its monitor. */
    async cancel(tx: Statements, row: JobRow): Promise<void> {
      await tx.query(LOCK, [row.monitor_id]);
      const end = [row.id, 'cancelled', null, row.started_at, clock.now(), row.attempt];
      await tx.query(END, [...end, 0, null, null, null, null, null]);
      await tx.query(FREE, [row.monitor_id, row.id]);
      await giveBackRun(tx, row, clock.now());
      count('cancelled');
    },
  };
}

/** A walk is charged as it goes on, and a run that does not complete costs nothing. */
async function giveBackRun(tx: Statements, { id, tenant_id: tenant }: JobRow, now: number): Promise<void> {
  await giveBack(tx, { tenant, key: chargeKeyOf(id), now });
}

type Sight = {
  readonly runId: string;
  readonly body: JobInput;
  readonly watch: Watch;
  readonly shapes: Shapes;
  readonly observation: Observation;
};

type Found = {
  readonly change: NonNullable<Difference['change']>;
  readonly changeId: string;
  readonly eventId: string;
  readonly runId: string;
  readonly url: string | null;
  readonly now: number;
};

/** Compares what a run has seen with the baseline that a row of its monitor holds. */
function compare(monitor: MonitorRow, { observation, watch, shapes, runId }: Sight): Difference {
  const known = monitor.baseline === null ? null : Baseline.parse(JSON.parse(monitor.baseline));
  return diff(known, observation, { watch, shapes, runId });
}

async function addChange(tx: Statements, monitor: MonitorRow, found: Found): Promise<void> {
  const { change, changeId, eventId, runId, url, now } = found;
  const { kind, baseline_run_id: baselineRun, ...record } = change;
  const { digest } = Watch.parse(JSON.parse(monitor.watch));
  if (digest !== null) await openWindow(tx, monitor, digest, now);
  const told = digest === null ? await tellChange(tx, { monitor, url, eventId, changeId, runId, change, now }) : [];
  const links = [changeId, monitor.id, monitor.tenant_id, runId, monitor.last_completed_run_id, baselineRun];
  const texts = [kind, JSON.stringify(record), JSON.stringify(told)];
  await tx.query(ADD_CHANGE, [...links, now, ...texts, Number(digest !== null)]);
}

function toDue({ next_run_at: nextRunAt, due_at: dueAt }: MonitorRow) {
  return { nextRunAt, dueAt };
}

/** What the record of a run says of its failure. */
function toRunError(failure: ServiceError) {
  const { error, diagnostics } = toErrorBody(failure, '');
  const { outcome: _, ...more } = diagnostics ?? { outcome: 'failed' };
  return { ...error, retryable: failure.retryable, ...more };
}
