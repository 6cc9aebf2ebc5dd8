import type { Statements } from '#store/db.ts';
import { enqueueDelivery } from '#features/webhooks/enqueue.ts';
import { toEnvelope } from '#features/webhooks/envelope.ts';
import type { RunDifference } from '#features/monitors/compare/diff.ts';
import type { MonitorRow } from '#features/monitors/store/monitor-row.ts';

/** Most characters of a unified diff in an event; the change has all of it. */
const MOST_DIFF = 8 * 1024;

export type ChangeEvent = {
  readonly monitor: MonitorRow;
  /** The watched page; null for a monitor that watches none. */
  readonly url: string | null;
  /** Made before the transaction, as the id of the change. */
  readonly eventId: string;
  readonly changeId: string;
  readonly runId: string;
  readonly change: NonNullable<RunDifference['change']>;
  /** ms. */
  readonly now: number;
};

/** Enqueues the event of a change in its transaction; answers the ids of deliveries, none without a webhook for it. */
export async function enqueueChangeEvent(tx: Statements, news: ChangeEvent): Promise<readonly string[]> {
  const { monitor, url, eventId, changeId, runId, change, now } = news;
  const { content, changes, truncated, kind } = change;
  const type = 'monitor.change_detected';
  const body = toEnvelope({
    id: eventId,
    type,
    at: now,
    about: {
      ...aboutMonitor(monitor, url),
      run_id: runId,
      change_id: changeId,
      ...(kind === 'first_run' ? { first_run: true } : {}),
    },
    data: {
      changes,
      ...(truncated ? { truncated } : {}),
      ...(content === null ? {} : { content: shorten(content) }),
    },
    path: `/v1/monitors/${monitor.id}/changes`,
  });
  const delivery = await enqueueDelivery(tx, { eventId, type, owner: monitor.id, body, now });
  return delivery === null ? [] : [delivery];
}

/** The members of an event that identify its monitor. */
export function aboutMonitor({ id, name, kind, metadata }: MonitorRow, url: string | null) {
  const known: unknown = JSON.parse(metadata);
  return { monitor_id: id, monitor: { id, name, kind, ...(url === null ? {} : { url }) }, metadata: known };
}

function shorten(content: NonNullable<ChangeEvent['change']['content']>) {
  const { unified_diff: text } = content;
  if (text === null || text.length <= MOST_DIFF) return content;
  const whole = text.slice(0, MOST_DIFF);
  return { ...content, unified_diff: whole.slice(0, whole.lastIndexOf('\n') + 1), diff_truncated: true };
}
