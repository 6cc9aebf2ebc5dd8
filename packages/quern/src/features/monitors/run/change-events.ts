import type { Statements } from '#store/db.ts';
import { enqueueDelivery } from '#features/webhooks/enqueue.ts';
import { toEnvelope } from '#features/webhooks/envelope.ts';
import type { RunDifference } from '#features/monitors/compare/diff.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import { toProvider } from '#features/monitors/store/monitor-record.ts';
import type { MonitorRow } from '#features/monitors/store/monitor-row.ts';

/** Most characters of a unified diff in an event; the change has all of it. */
const MAX_DIFF = 8 * 1024;

type EventOfRun = {
  readonly monitor: MonitorRow;
  /** The members of the monitor that define its target. */
  readonly target: JobInput;
  /** Made before the transaction, as the id of the change. */
  readonly eventId: string;
  readonly changeId: string;
  readonly runId: string;
  /** ms. */
  readonly now: number;
};

export type ChangeEvent = EventOfRun & {
  readonly change: NonNullable<RunDifference['change']>;
  /** The data of the event where it is not what changed. */
  readonly eventData: JobInput | null;
};

/** Enqueues the event of a change in its transaction; answers the ids of deliveries, none without a webhook for it. */
export async function enqueueChangeEvent(tx: Statements, notifications: ChangeEvent): Promise<readonly string[]> {
  const { monitor, target, eventId, changeId, runId, change, eventData, now } = notifications;
  const { content, changes, truncated, kind } = change;
  const type = 'monitor.change_detected';
  const body = toEnvelope({
    id: eventId,
    type,
    at: now,
    about: {
      ...aboutMonitor(monitor, target),
      run_id: runId,
      change_id: changeId,
      ...(kind === 'first_run' ? { first_run: true } : {}),
    },
    data: eventData ?? {
      changes,
      ...(truncated ? { truncated } : {}),
      ...(content === null ? {} : { content: shorten(content) }),
    },
    path: `/v1/monitors/${monitor.id}/changes`,
  });
  const delivery = await enqueueDelivery(tx, { eventId, type, owner: monitor.id, body, now });
  return delivery === null ? [] : [delivery];
}

/** Enqueues the event of an alert in the transaction of its run; answers the ids of deliveries. */
export async function enqueueAlertEvent(
  tx: Statements,
  { monitor, target, eventId, changeId, runId, alert, now }: EventOfRun & { readonly alert: JobInput },
): Promise<readonly string[]> {
  const type = 'monitor.rate_parity_alert';
  const about = { ...aboutMonitor(monitor, target), run_id: runId, change_id: changeId };
  const body = toEnvelope({
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

/** The members of an event that identify its monitor. */
export function aboutMonitor(row: MonitorRow, { url }: JobInput) {
  const { id, name, kind, metadata } = row;
  const known: unknown = JSON.parse(metadata);
  const monitor = { id, name, kind, ...toProvider(row), ...(typeof url === 'string' ? { url } : {}) };
  return { monitor_id: id, monitor, metadata: known };
}

function shorten(content: NonNullable<ChangeEvent['change']['content']>) {
  const { unified_diff: text } = content;
  if (text === null || text.length <= MAX_DIFF) return content;
  const whole = text.slice(0, MAX_DIFF);
  return { ...content, unified_diff: whole.slice(0, whole.lastIndexOf('\n') + 1), diff_truncated: true };
}
