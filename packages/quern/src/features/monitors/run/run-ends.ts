import type { ServiceError } from '#kernel/errors.ts';
import type { Queryable } from '#store/db.ts';
import { toChargeKey } from '#engine/credits/billing.ts';
import type { JobInput, JobRow } from '#engine/jobs/job-record.ts';
import { refundCharges } from '#engine/credits/ledger.ts';
import type { Usage } from '#engine/credits/prices.ts';
import { type NextRun, type NextRunCalculator, NO_NEXT_RUN } from '#features/monitors/schedule/next-run.ts';
import { computeBackoffEnd, hasFailedTooLong, computeInterval } from '#features/monitors/schedule/timing.ts';
import { endDigestWindow } from '#features/monitors/store/digest-windows.ts';
import type { MonitorRow, RunStatus, SkippedReason } from '#features/monitors/store/rows.ts';
import { lockMonitor } from '#features/monitors/store/monitor-statements.ts';
import { endRun } from '#features/monitors/store/run-statements.ts';
import { compareRun, getPlannedRun, type RunEndParts, writeCompletedRun } from './completed-run.ts';
import { toRunError, countUnseenRun } from './monitor-events.ts';

const COUNT_FAILURE = `update monitors set last_run_at = $2, consecutive_failures = $3, failing_since = $4,
    backoff_until = $5, next_run_at = $6, due_at = $7, active = $8, inactive_reason = $9 where id = $1`;

/** Errors that skip a run, because the target did not cause them. */
const SKIP_REASONS: Readonly<Partial<Record<ServiceError['code'], SkippedReason>>> = {
  credits_exhausted: 'credits_exhausted',
  daily_credit_cap_exceeded: 'daily_cap',
  plan_upgrade_required: 'plan',
  backend_unavailable: 'backend_unavailable',
};

type RunFailure = { readonly failure: ServiceError; readonly attempts: number };

/** Ends the runs of monitors, each in the transaction that ends the job of the run. */
export type RunEnds = ReturnType<typeof buildRunEnds>;

export function buildRunEnds(parts: RunEndParts) {
  const counts = new Map<string, number>();
  /** Statuses by run, to be counted after the commit, because a transaction may be repeated. */
  const uncounted = new Map<string, { readonly status: RunStatus; readonly code: string | null }>();
  return {
    /** Counts of runs that this process has ended, by status. */
    counts: (): ReadonlyMap<string, number> => counts,

    /** Whether an error skips a run, so that it is not retried. */
    isSkipped: ({ code }: ServiceError): boolean => code !== 'backend_unavailable' && SKIP_REASONS[code] !== undefined,

    /**
     * Reads and compares the answer of a run. Returns the function that writes the end of the run. Throws
     * `ServiceError` for an answer that must not be compared; nothing is charged then.
     */
    async prepare(row: JobRow, body: JobInput) {
      const run = await compareRun(parts, row, body);
      return async function record(tx: Queryable, usage: Usage): Promise<void> {
        await writeCompletedRun(tx, run, { ...parts, usage });
        uncounted.set(row.id, { status: 'completed', code: null });
      };
    },

    /** Ends a run whose work failed finally, or could not start. */
    async fail(tx: Queryable, row: JobRow, failed: RunFailure): Promise<void> {
      const status = await failRun(tx, row, { ...parts, failed });
      if (status !== null) uncounted.set(row.id, { status, code: failed.failure.code });
    },

    /** Ends a run that was cancelled with its monitor. */
    async cancel(tx: Queryable, row: JobRow): Promise<void> {
      await cancelRun(tx, row, parts.clock.now());
      uncounted.set(row.id, { status: 'cancelled', code: null });
    },

    /** Counts and logs the end of a run. Call it after the commit. */
    afterEnd({ id, owner_id: owner, tenant_id: tenant }: Pick<JobRow, 'id' | 'owner_id' | 'tenant_id'>): void {
      const ended = uncounted.get(id);
      if (ended === undefined) return;
      uncounted.delete(id);
      const { status, code } = ended;
      parts.observe({ type: 'run', id, monitor: owner ?? '', tenant, status, code });
      counts.set(status, (counts.get(status) ?? 0) + 1);
    },
  };
}

type FailRunOptions = Pick<RunEndParts, 'clock' | 'nextRuns' | 'sealer'> & { readonly failed: RunFailure };

/** Ends a run as failed, skipped or cancelled. Returns null if its monitor is gone. */
async function failRun(
  tx: Queryable,
  row: JobRow,
  { failed: { failure, attempts }, clock, nextRuns, sealer }: FailRunOptions,
): Promise<RunStatus | null> {
  const now = clock.now();
  const skippedReason = attempts === 0 ? (SKIP_REASONS[failure.code] ?? null) : null;
  const monitor = await lockMonitor(tx, row.owner_id);
  if (monitor === null) {
    await refundRun(tx, row, now);
    return null;
  }
  const ended = skippedReason === null ? 'failed' : 'skipped';
  const status = monitor.deleted_at === null ? ended : 'cancelled';
  const error = toRunError(failure);
  await endRun(
    tx,
    { id: row.id, monitorId: monitor.id },
    {
      status,
      skippedReason,
      startedAt: skippedReason === null ? row.started_at : null,
      finishedAt: now,
      attempt: row.attempt,
      error: JSON.stringify(error),
    },
  );
  await refundRun(tx, row, now);
  if (status === 'cancelled') return status;
  const after = status === 'failed' ? await countFailure(tx, monitor, { nextRuns, now }) : keepSchedule(monitor);
  const run = { id: row.id, status: ended, skippedReason, error } as const;
  await countUnseenRun(tx, monitor, { ...after, run, sealer, now });
  return status;
}

/** The state of a monitor after a run without a result. */
type AfterFailure = { readonly isSwitchedOff: boolean; readonly next: NextRun };

/** A skipped run does not change the schedule, because the target did not cause it. */
function keepSchedule(monitor: MonitorRow): AfterFailure {
  return { isSwitchedOff: false, next: getPlannedRun(monitor) };
}

/** Counts a consecutive failure, and applies a backoff or switches the monitor off. */
async function countFailure(
  tx: Queryable,
  monitor: MonitorRow,
  { nextRuns, now }: { readonly nextRuns: NextRunCalculator; readonly now: number },
): Promise<AfterFailure> {
  const failures = monitor.consecutive_failures + 1;
  const since = monitor.failing_since ?? now;
  const isGivenUp = hasFailedTooLong(failures, since, now);
  const isActive = monitor.active === 1 && !isGivenUp;
  const schedule = isActive ? nextRuns.getSchedule(monitor) : null;
  const until = schedule === null ? null : computeBackoffEnd(now, computeInterval(schedule, now), failures);
  const later =
    until === null
      ? getPlannedRun(monitor)
      : nextRuns.computeNextRun({ ...monitor, consecutive_failures: 0 }, until - 1);
  const next = isActive ? later : NO_NEXT_RUN;
  const isSwitchedOff = monitor.active === 1 && isGivenUp;
  const reason = isSwitchedOff ? 'failing' : monitor.inactive_reason;
  const plan = [until, next.nextRunAt, next.dueAt, Number(isActive), reason];
  await tx.query(COUNT_FAILURE, [monitor.id, now, failures, since, ...plan]);
  if (isGivenUp) await endDigestWindow(tx, monitor.id, now);
  return { isSwitchedOff, next };
}

async function cancelRun(tx: Queryable, row: JobRow, now: number): Promise<void> {
  await lockMonitor(tx, row.owner_id);
  await endRun(
    tx,
    { id: row.id, monitorId: row.owner_id },
    {
      status: 'cancelled',
      startedAt: row.started_at,
      finishedAt: now,
      attempt: row.attempt,
    },
  );
  await refundRun(tx, row, now);
}

/** Refunds what a crawl was charged while it ran: a run that does not complete is free. */
async function refundRun(tx: Queryable, { id, tenant_id: tenant }: JobRow, now: number): Promise<void> {
  await refundCharges(tx, { tenant, key: toChargeKey(id), now });
}
