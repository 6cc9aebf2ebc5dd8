import type { JobInput } from '#engine/jobs/job-record.ts';
import type { RunDifference } from '#features/monitors/compare/diff.ts';
import { StoredWatch } from '#features/monitors/compare/watch.ts';
import type { NextRun } from '#features/monitors/schedule/next-run.ts';
import { FAILING_AFTER } from '#features/monitors/schedule/timing.ts';
import { unsealBody } from '#features/monitors/store/definition.ts';
import { toProvider } from '#features/monitors/store/monitor-record.ts';
import type { MonitorRow, MonitorStopReason, SkippedReason } from '#features/monitors/store/rows.ts';
import { enqueueDelivery } from '#features/webhooks/enqueue.ts';
import { buildEnvelope } from '#features/webhooks/envelope.ts';
import type { MONITOR_EVENTS } from '#features/webhooks/schema.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { type ServiceError, toErrorBody } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Queryable } from '#store/db.ts';

const COUNT_UNSEEN = `update monitors set unseen_runs = $2, unseen_since = $3, failing_at = coalesce(failing_at, $4),
    recovery_due = $5, rest_announced = 0 where id = $1`;

/** A run without a result: failed or skipped. */
export type UnseenRun = {
  readonly id: string;
  readonly status: 'failed' | 'skipped';
  readonly skippedReason: SkippedReason | null;
  readonly error: RunError;
};

type UnseenFacts = {
  readonly run: UnseenRun;
  /** Whether the monitor is switched off after this run. */
  readonly isSwitchedOff: boolean;
  readonly next: NextRun;
  readonly sealer: Sealer;
  /** Current time, ms. */
  readonly now: number;
};

/**
 * Counts a run without a result, in the transaction that ends it with the monitor locked. If the monitor starts failing
 * or is switched off, an event is enqueued, whose id is derived from that of the run.
 */
export async function countUnseenRun(
  tx: Queryable,
  monitor: MonitorRow,
  { run, isSwitchedOff, next, sealer, now }: UnseenFacts,
): Promise<void> {
  const count = monitor.unseen_runs + 1;
  const since = monitor.unseen_since ?? now;
  const { failing_after: limit = FAILING_AFTER } = StoredWatch.parse(JSON.parse(monitor.watch));
  const isFailing = count >= limit && monitor.failing_at === null;
  const sendsEvent = isSwitchedOff || isFailing;
  const isRecoveryDue = sendsEvent || monitor.recovery_due === 1;
  await tx.query(COUNT_UNSEEN, [monitor.id, count, since, sendsEvent ? now : null, Number(isRecoveryDue)]);
  if (!sendsEvent) return;
  const facts = { runs_without_result: count, since: toTimestamp(since), error: run.error };
  const event = { monitor, sealer, id: buildEventId(run.id), runId: run.id, now };
  if (isSwitchedOff) {
    await enqueueStopEvent(tx, event, 'failing', facts);
    return;
  }
  await enqueueStateEvent(tx, {
    ...event,
    type: 'monitor.failing',
    data: {
      ...facts,
      status: run.status,
      ...(run.skippedReason === null ? {} : { skipped_reason: run.skippedReason }),
      next_run_at: next.dueAt === null ? null : toTimestamp(next.dueAt),
    },
  });
}

/** Enqueues `monitor.recovered`, in the transaction of the run that completed. */
export async function enqueueRecovery(
  tx: Queryable,
  monitor: MonitorRow,
  { runId, sealer, now }: { readonly runId: string; readonly sealer: Sealer; readonly now: number },
): Promise<void> {
  const { unseen_runs: count, unseen_since: since } = monitor;
  const data = { runs_without_result: count, since: since === null ? null : toTimestamp(since) };
  // A millisecond earlier than the change of the same run, so that it is delivered first.
  const event = { monitor, sealer, id: buildEventId(runId), runId, now: now - 1 };
  await enqueueStateEvent(tx, { ...event, type: 'monitor.recovered', data });
}

/** Enqueues `monitor.stopped` for a stop that no run caused, in the transaction that stops the monitor. */
export async function enqueueStoppedWithoutRun(
  tx: Queryable,
  monitor: MonitorRow,
  { reason, sealer, now }: { readonly reason: MonitorStopReason; readonly sealer: Sealer; readonly now: number },
): Promise<void> {
  const { unseen_runs: count, unseen_since: since } = monitor;
  const facts = { runs_without_result: count, since: since === null ? null : toTimestamp(since), error: null };
  await enqueueStopEvent(tx, { monitor, sealer, id: newId('evt', now), runId: null, now }, reason, facts);
}

type EventFacts = {
  readonly monitor: MonitorRow;
  readonly sealer: Sealer;
  readonly id: string;
  /** Null if no run caused it. */
  readonly runId: string | null;
  readonly now: number;
};
type StateEvent = EventFacts & {
  readonly type: (typeof MONITOR_EVENTS)[number];
  readonly data: Readonly<Record<string, unknown>>;
};

async function enqueueStopEvent(
  tx: Queryable,
  event: EventFacts,
  reason: MonitorStopReason,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  await enqueueStateEvent(tx, { ...event, type: 'monitor.stopped', data: { reason, ...facts } });
}

async function enqueueStateEvent(tx: Queryable, event: StateEvent): Promise<void> {
  const { monitor, sealer, id, runId, type, data, now } = event;
  const body = buildEnvelope({
    id,
    type,
    at: now,
    about: {
      ...buildMonitorSubject(monitor, unsealBody(sealer, monitor.body)),
      ...(runId === null ? {} : { run_id: runId }),
    },
    data,
    path: runId === null ? `/v1/monitors/${monitor.id}` : `/v1/monitors/${monitor.id}/runs`,
  });
  await enqueueDelivery(tx, { eventId: id, type, owner: monitor.id, body, now });
}

/** Builds the id of the state event of a run, so that a repeated transaction enqueues the same event. */
function buildEventId(runId: string): string {
  return `evt_${runId.slice('run_'.length)}`;
}

/** The error of a run as its record and events show it. */
type RunError = ReturnType<typeof toRunError>;

export function toRunError(failure: ServiceError) {
  const { error, diagnostics } = toErrorBody(failure, '');
  const { outcome: _, ...more } = diagnostics ?? { outcome: 'failed' };
  return { ...error, retryable: failure.retryable, ...more };
}

/** Maximum length of a diff in an event; the change record has all of it. */
const MAX_EVENT_DIFF_CHARS = 8 * 1024;

type RunEvent = {
  readonly monitor: MonitorRow;
  /** The fields of the monitor that define its target. */
  readonly target: JobInput;
  /** Created before the transaction, like the id of the change. */
  readonly eventId: string;
  readonly changeId: string;
  readonly runId: string;
  /** Current time, ms. */
  readonly now: number;
};

type ChangeEvent = RunEvent & {
  readonly change: NonNullable<RunDifference['change']>;
  /** Data of the event, null for the default data. */
  readonly eventData: JobInput | null;
};

/**
 * Enqueues the event of a change in its transaction. Returns the ids of its deliveries, none if no webhook subscribes
 * to it.
 */
export async function enqueueChangeEvent(tx: Queryable, notifications: ChangeEvent): Promise<readonly string[]> {
  const { monitor, target, eventId, changeId, runId, change, eventData, now } = notifications;
  const { content, changes, truncated, kind } = change;
  const type = 'monitor.change_detected';
  const body = buildEnvelope({
    id: eventId,
    type,
    at: now,
    about: {
      ...buildMonitorSubject(monitor, target),
      run_id: runId,
      change_id: changeId,
      ...(kind === 'first_run' ? { first_run: true } : {}),
    },
    data: eventData ?? {
      changes,
      ...(truncated ? { truncated } : {}),
      ...(content === null ? {} : { content: shortenDiff(content) }),
    },
    path: `/v1/monitors/${monitor.id}/changes`,
  });
  const delivery = await enqueueDelivery(tx, { eventId, type, owner: monitor.id, body, now });
  return delivery === null ? [] : [delivery];
}

/** Enqueues the event of an alert in the transaction of its run. Returns the ids of its deliveries. */
export async function enqueueAlertEvent(
  tx: Queryable,
  { monitor, target, eventId, changeId, runId, alert, now }: RunEvent & { readonly alert: JobInput },
): Promise<readonly string[]> {
  const type = 'monitor.rate_parity_alert';
  const about = { ...buildMonitorSubject(monitor, target), run_id: runId, change_id: changeId };
  const body = buildEnvelope({
    id: eventId,
    type,
    at: now,
    about,
    data: alert,
    path: `/v1/monitors/${monitor.id}/changes`,
  });
  const delivery = await enqueueDelivery(tx, { eventId, type, owner: monitor.id, body, now });
  return delivery === null ? [] : [delivery];
}

/** The fields of an event that identify its monitor. */
export function buildMonitorSubject(row: MonitorRow, { url }: JobInput) {
  const { id, name, kind, metadata } = row;
  const known: unknown = JSON.parse(metadata);
  const monitor = { id, name, kind, ...toProvider(row), ...(typeof url === 'string' ? { url } : {}) };
  return { monitor_id: id, monitor, metadata: known };
}

function shortenDiff(content: NonNullable<ChangeEvent['change']['content']>) {
  const { unified_diff: text } = content;
  if (text === null || text.length <= MAX_EVENT_DIFF_CHARS) return content;
  const whole = text.slice(0, MAX_EVENT_DIFF_CHARS);
  return { ...content, unified_diff: whole.slice(0, whole.lastIndexOf('\n') + 1), diff_truncated: true };
}
