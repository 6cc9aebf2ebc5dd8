import { z } from 'zod';
import { toTimestamp } from '#kernel/clock.ts';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Statements } from '#store/db.ts';
import { SKIP_LOCKED } from '#store/dialect.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { News } from '#engine/job-news.ts';
import { DELIVERIES, enqueueDelivery } from '#engine/webhooks/enqueue.ts';
import { toEnvelope } from '#engine/webhooks/envelope.ts';
import { windowAt } from './digest-window.ts';
import type { DigestRule } from './digest-window.ts';
import { pageOfBody } from './definition.ts';
import type { Definition } from './definition.ts';
import { MonitorRow } from './monitor-row.ts';
import { toAbout } from './notifying.ts';
import { wallOf } from './schedule.ts';
import { Watch } from './watch.ts';

const IS_DUE = 'select id from monitors where digest_due_at <= $1 limit 1';
const DUE = 'select * from monitors where digest_due_at <= $1 order by digest_due_at limit $2';
const OPEN = `update monitors set digest_from = coalesce(digest_from, $2), digest_due_at = coalesce(digest_due_at, $3)
  where id = $1`;
const CLOSE = 'update monitors set digest_from = null, digest_due_at = null where id = $1';
const HURRY = 'update monitors set digest_due_at = $2 where id = $1 and digest_due_at > $2';
const PENDING = `select id, run_id, detected_at, record from monitor_changes where monitor_id = $1 and pending = 1
  order by id limit $2`;
const COUNT = 'select count(*) as n from monitor_changes where monitor_id = $1 and pending = 1';
const TOLD = 'update monitor_changes set pending = 0, delivery_ids = $2 where monitor_id = $1 and pending = 1';

/** Monitors of one transaction. */
const BATCH = 5;
/** Changes that one event carries; all of them are with the monitor. */
const MOST_ITEMS = 100;

const Count = z.object({ n: z.number() });
const Change = z.object({
  id: z.string(),
  run_id: z.string(),
  detected_at: z.number(),
  record: z.string().transform((record) => Known.parse(JSON.parse(record))),
});
const Known = z.object({
  changes: z.array(z.unknown()),
  content: z.looseObject({}).nullable(),
});

/** Notes that a change waits for the end of its window, in the transaction that writes it with the monitor held. */
export async function openWindow(tx: Statements, monitor: MonitorRow, rule: DigestRule, now: number): Promise<void> {
  const { from, to } = windowAt(rule, wallOf(monitor.timezone), now);
  await tx.query(OPEN, [monitor.id, from, to]);
}

/** Ends the open window of a monitor now: its digest is sent at the next look. */
export async function hurryDigest(tx: Statements, monitorId: string, now: number): Promise<void> {
  await tx.query(HURRY, [monitorId, now]);
}

/** The same where a monitor is about to be another one: switched off, or with windows that end at other times. */
export async function hurryChangedDigest(
  tx: Statements,
  row: MonitorRow,
  { definition, now }: { readonly definition: Definition; readonly now: number },
): Promise<void> {
  const [before, after] = [Watch.parse(JSON.parse(row.watch)).digest, Watch.parse(definition.watch).digest];
  const isSame = row.timezone === definition.timezone && JSON.stringify(before) === JSON.stringify(after);
  if (!definition.active || !isSame) await hurryDigest(tx, row.id, now);
}

export type DigestParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** Of the inputs of jobs. */
  readonly sealer: Sealer;
  readonly news: News;
};

export type Digests = ReturnType<typeof buildDigests>;

/** Sends the changes of a window as one event when it has ended. */
export function buildDigests({ db, clock, sealer, news }: DigestParts) {
  const due = DUE + SKIP_LOCKED[db.kind];

  async function flushBatch(tx: Statements): Promise<number> {
    const now = clock.now();
    const monitors = readRows(MonitorRow, await tx.query(due, [now, BATCH]));
    for (const monitor of monitors) {
      const told = await tell(tx, monitor, now);
      await tx.query(TOLD, [monitor.id, JSON.stringify(told === null ? [] : [told])]);
      await tx.query(CLOSE, [monitor.id]);
    }
    return monitors.length;
  }

  async function tell(tx: Statements, monitor: MonitorRow, now: number): Promise<string | null> {
    const changes = readRows(Change, await tx.query(PENDING, [monitor.id, MOST_ITEMS]));
    if (changes.length === 0) return null;
    const { digest_from: from, digest_due_at: to } = monitor;
    const count = readRow(Count, await tx.query(COUNT, [monitor.id]))?.n ?? 0;
    const eventId = newId('evt', now);
    const type = 'monitor.digest';
    const body = toEnvelope({
      id: eventId,
      type,
      at: now,
      about: toAbout(monitor, pageOfBody(sealer, monitor.body)),
      data: {
        period: { from: toTimestamp(from ?? now), to: toTimestamp(to ?? now) },
        changes_count: count,
        items: changes.map(toItem),
        ...(count > changes.length ? { truncated: true } : {}),
      },
      path: `/v1/monitors/${monitor.id}/changes`,
    });
    return enqueueDelivery(tx, { eventId, type, owner: monitor.id, body, now });
  }

  return {
    /** Queues the digests whose window has ended, at most one batch; how many there were. */
    async flush(): Promise<number> {
      // A look costs less than a transaction, and most looks find nothing.
      if ((await db.query(IS_DUE, [clock.now()])).length === 0) return 0;
      const flushed = await db.transaction(flushBatch);
      if (flushed > 0) news.spread(DELIVERIES);
      return flushed;
    },
  };
}

/** One change of a digest; the diff of a text is left with the change. */
function toItem({ id, run_id, detected_at, record: { changes, content } }: z.output<typeof Change>) {
  const { unified_diff: _diff, diff_truncated: _isCut, ...facts } = content ?? {};
  return {
    change_id: id,
    run_id,
    detected_at: toTimestamp(detected_at),
    changes,
    ...(content === null ? {} : { content: facts }),
  };
}
