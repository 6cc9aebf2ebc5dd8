import type { Statements } from '#store/db.ts';
import { enqueueDelivery } from '#engine/webhooks/enqueue.ts';
import { toEnvelope } from '#engine/webhooks/envelope.ts';
import type { Difference } from './diff.ts';
import type { MonitorRow } from './monitor-row.ts';

/** Characters of a unified diff that an event carries; all of it is with the change. */
const MOST_DIFF = 8 * 1024;

export type ChangeNews = {
  readonly monitor: MonitorRow;
  /** What the monitor watches, for the receiver; null where that is no page. */
  readonly url: string | null;
  /** Made before the transaction, as the id of the change. */
  readonly eventId: string;
  readonly changeId: string;
  readonly runId: string;
  readonly change: NonNullable<Difference['change']>;
  /** ms. */
  readonly now: number;
};

/** Queues the event of a change, in its transaction; the ids of the deliveries, none where nobody listens. */
export async function tellChange(tx: Statements, news: ChangeNews): Promise<readonly string[]> {
  const { monitor, url, eventId, changeId, runId, change, now } = news;
  const { content, changes, truncated, kind } = change;
  const type = 'monitor.change_detected';
  const body = toEnvelope({
    id: eventId,
    type,
    at: now,
    about: {
      ...toAbout(monitor, url),
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

/** Which monitor an event is about. */
export function toAbout({ id, name, kind, metadata }: MonitorRow, url: string | null) {
  const known: unknown = JSON.parse(metadata);
  return { monitor_id: id, monitor: { id, name, kind, ...(url === null ? {} : { url }) }, metadata: known };
}

function shorten(content: NonNullable<ChangeNews['change']['content']>) {
  const { unified_diff: text } = content;
  if (text === null || text.length <= MOST_DIFF) return content;
  const whole = text.slice(0, MOST_DIFF);
  return { ...content, unified_diff: whole.slice(0, whole.lastIndexOf('\n') + 1), diff_truncated: true };
}
