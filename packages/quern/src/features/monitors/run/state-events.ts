import { toTimestamp } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Statements } from '#store/db.ts';
import { enqueueDelivery } from '#features/webhooks/enqueue.ts';
import { toEnvelope } from '#features/webhooks/envelope.ts';
import type { MONITOR_EVENTS } from '#features/webhooks/schema.ts';
import { StoredWatch } from '#features/monitors/compare/watch.ts';
import type { NextRun } from '#features/monitors/schedule/next-run.ts';
import { FAILING_AFTER } from '#features/monitors/schedule/timing.ts';
import { openBody } from '#features/monitors/store/definition.ts';
import type { MonitorRow, SkippedReason, MonitorStopReason } from '#features/monitors/store/monitor-row.ts';
import { aboutMonitor } from './change-events.ts';
import type { RunError } from './run-error.ts';

const COUNT_UNSEEN = `update monitors set unseen_runs = $2, unseen_since = $3, failing_at = coalesce(failing_at, $4),
    recovery_due = $5, rest_announced = 0 where id = $1`;

/** A run that saw nothing of its target. */
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
  /** ms. */
  readonly now: number;
};

/**
 * Counts a run that saw nothing, in the transaction that ends it with the monitor locked. The run after which the monitor is
 * failing, or is switched off, sends an event, whose id is derived from that of the run.
 */
export async function countUnseenRun(
  tx: Statements,
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
  const event = { monitor, sealer, id: toEventId(run.id), runId: run.id, now };
  if (isSwitchedOff) {
    await enqueueStop(tx, event, 'failing', facts);
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

/** Sends that a monitor sees its target again, in the transaction of the run that does. */
export async function enqueueRecovery(
  tx: Statements,
  monitor: MonitorRow,
  { runId, sealer, now }: { readonly runId: string; readonly sealer: Sealer; readonly now: number },
): Promise<void> {
  const { unseen_runs: count, unseen_since: since } = monitor;
  const data = { runs_without_result: count, since: since === null ? null : toTimestamp(since) };
  // A millisecond earlier than the change of the same run, so that it is delivered before.
  const event = { monitor, sealer, id: toEventId(runId), runId, now: now - 1 };
  await enqueueStateEvent(tx, { ...event, type: 'monitor.recovered', data });
}

/** Sends that a monitor has stopped without a run that caused it, in the transaction that stops it. */
export async function enqueueStopped(
  tx: Statements,
  monitor: MonitorRow,
  { reason, sealer, now }: { readonly reason: MonitorStopReason; readonly sealer: Sealer; readonly now: number },
): Promise<void> {
  const { unseen_runs: count, unseen_since: since } = monitor;
  const facts = { runs_without_result: count, since: since === null ? null : toTimestamp(since), error: null };
  await enqueueStop(tx, { monitor, sealer, id: newId('evt', now), runId: null, now }, reason, facts);
}

type EventFacts = {
  readonly monitor: MonitorRow;
  readonly sealer: Sealer;
  readonly id: string;
  /** Null where no run caused it. */
  readonly runId: string | null;
  readonly now: number;
};
type StateEvent = EventFacts & {
  readonly type: (typeof MONITOR_EVENTS)[number];
  readonly data: Readonly<Record<string, unknown>>;
};

async function enqueueStop(
  tx: Statements,
  event: EventFacts,
  reason: MonitorStopReason,
  facts: Readonly<Record<string, unknown>>,
): Promise<void> {
  await enqueueStateEvent(tx, { ...event, type: 'monitor.stopped', data: { reason, ...facts } });
}

async function enqueueStateEvent(tx: Statements, event: StateEvent): Promise<void> {
  const { monitor, sealer, id, runId, type, data, now } = event;
  const body = toEnvelope({
    id,
    type,
    at: now,
    about: {
      ...aboutMonitor(monitor, openBody(sealer, monitor.body)),
      ...(runId === null ? {} : { run_id: runId }),
    },
    data,
    path: runId === null ? `/v1/monitors/${monitor.id}` : `/v1/monitors/${monitor.id}/runs`,
  });
  await enqueueDelivery(tx, { eventId: id, type, owner: monitor.id, body, now });
}

/** The id of the one event that says how a run left the state of its monitor: the same whenever it is enqueued. */
function toEventId(runId: string): string {
  return `evt_${runId.slice('run_'.length)}`;
}
