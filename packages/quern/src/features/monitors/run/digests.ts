import { z } from 'zod';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Queryable } from '#store/db.ts';
import { SKIP_LOCKED } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { DELIVERIES_TOPIC, enqueueDelivery } from '#features/webhooks/enqueue.ts';
import { buildEnvelope } from '#features/webhooks/envelope.ts';
import { unsealBody } from '#features/monitors/store/definition.ts';
import { MonitorRow } from '#features/monitors/store/rows.ts';
import { buildMonitorSubject } from './monitor-events.ts';

const ANY_DUE = 'select id from monitors where digest_due_at <= $1 limit 1';
const DUE = 'select * from monitors where digest_due_at <= $1 order by digest_due_at limit $2';
const CLOSE = 'update monitors set digest_from = null, digest_due_at = null where id = $1';
const PENDING = `select id, run_id, detected_at, record from monitor_changes where monitor_id = $1 and pending = 1
  order by id limit $2`;
const COUNT = 'select count(*) as n from monitor_changes where monitor_id = $1 and pending = 1';
const MARK_SENT = 'update monitor_changes set pending = 0, delivery_ids = $2 where monitor_id = $1 and pending = 1';

/** Maximum number of monitors per transaction. */
const MONITORS_PER_BATCH = 5;
/** Maximum number of changes in one event. */
const MAX_ITEMS = 100;

const Count = z.object({ n: z.number() });
const Change = z.object({
  id: z.string(),
  run_id: z.string(),
  detected_at: z.number(),
  record: z.string().transform((record) => ChangeContent.parse(JSON.parse(record))),
});
const ChangeContent = z.object({
  changes: z.array(z.unknown()),
  content: z.looseObject({}).nullable(),
});

export type DigestParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Seals the inputs of jobs. */
  readonly sealer: Sealer;
  readonly notifications: Notifications;
};

export type Digests = ReturnType<typeof buildDigests>;

/** Builds the sending of digests: the changes of a window as one event when the window has ended. */
export function buildDigests({ db, clock, sealer, notifications }: DigestParts) {
  const due = DUE + SKIP_LOCKED[db.kind];

  async function flushBatch(tx: Queryable): Promise<number> {
    const now = clock.now();
    const monitors = readRows(MonitorRow, await tx.query(due, [now, MONITORS_PER_BATCH]));
    for (const monitor of monitors) {
      const delivery = await enqueueDigest(tx, monitor, { target: unsealBody(sealer, monitor.body), now });
      await tx.query(MARK_SENT, [monitor.id, JSON.stringify(delivery === null ? [] : [delivery])]);
      await tx.query(CLOSE, [monitor.id]);
    }
    return monitors.length;
  }

  return {
    /** Enqueues the digests of ended windows, at most one batch. Returns their number. */
    async flush(): Promise<number> {
      // A query costs less than a transaction, and usually nothing is due.
      if ((await db.query(ANY_DUE, [clock.now()])).length === 0) return 0;
      const flushed = await db.transaction(flushBatch);
      if (flushed > 0) notifications.notify(DELIVERIES_TOPIC);
      return flushed;
    },
  };
}

/** Enqueues the event of a window. Returns the id of its delivery, null if there is no change or no webhook for it. */
async function enqueueDigest(
  tx: Queryable,
  monitor: MonitorRow,
  { target, now }: { readonly target: JobInput; readonly now: number },
): Promise<string | null> {
  const changes = readRows(Change, await tx.query(PENDING, [monitor.id, MAX_ITEMS]));
  if (changes.length === 0) return null;
  const { digest_from: from, digest_due_at: to } = monitor;
  const count = readRow(Count, await tx.query(COUNT, [monitor.id]))?.n ?? 0;
  const eventId = newId('evt', now);
  const type = 'monitor.digest';
  const body = buildEnvelope({
    id: eventId,
    type,
    at: now,
    about: buildMonitorSubject(monitor, target),
    data: {
      period: { from: toTimestamp(from ?? now), to: toTimestamp(to ?? now) },
      changes_count: count,
      items: changes.map(toDigestItem),
      ...(count > changes.length ? { truncated: true } : {}),
    },
    path: `/v1/monitors/${monitor.id}/changes`,
  });
  return enqueueDelivery(tx, { eventId, type, owner: monitor.id, body, now });
}

/** Builds one change of a digest, without text diffs. */
function toDigestItem({ id, run_id, detected_at, record: { changes, content } }: z.output<typeof Change>) {
  const { unified_diff: _diff, diff_truncated: _isCut, ...facts } = content ?? {};
  return {
    change_id: id,
    run_id,
    detected_at: toTimestamp(detected_at),
    changes,
    ...(content === null ? {} : { content: facts }),
  };
}
