import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import { type BoundControl, bindRawControl, bindControl } from '#engine/call/bound-operation.ts';
import { toReply } from '#engine/call/operation.ts';
import { JobRow, openInput, toRecord } from '#engine/jobs/job-record.ts';
import { readListPage } from '#features/schema/lists.ts';
import { type Clock, toTimestamp } from '#kernel/clock.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { DELIVERY_STATUSES, type DeliveryLog, buildDeliveryRetention } from './delivery-log.ts';
import { DELIVERIES_TOPIC, enqueueDelivery } from './enqueue.ts';
import { buildEnvelope } from './envelope.ts';
import { buildContent } from './formats.ts';
import { listAllDeliveries, listWebhooks, redeliverAll } from './list-operations.ts';
import { showDelivery, redeliverOne } from './operations.ts';
import { type JOB_EVENTS, MAX_EVENT_WAIT_MS } from './schema.ts';
import { buildSendingLoop, type SendingParts } from './sender.ts';
import type { Webhooks } from './webhooks.ts';

export type WebhooksParts = SendingParts & {
  readonly deliveries: DeliveryLog;
  readonly cursors: Cursors;
  readonly webhooks: Webhooks;
  /** Seals the inputs of jobs. */
  readonly sealer: Sealer;
};

/** Builds the feature that sends events to webhooks, including those of ended jobs. */
export function buildWebhooksFeature(parts: WebhooksParts): Feature {
  const { clock, notifications, deliveries, sealer } = parts;
  const retention = buildDeliveryRetention(parts);
  return {
    operations: [
      ...bindLists(parts),
      bindRawControl(redeliverOne, async ({ id }, { caller }) =>
        toReply(202, await deliveries.redeliver(caller.tenant, id)),
      ),
    ],
    jobHooks: {
      end: async (tx, jobId, status) => enqueueJobEnd(tx, jobId, { type: `job.${status}`, sealer, now: clock.now() }),
      // The job may have enqueued events. Notifying the local sender is cheap because it combines notifications.
      afterEnd: ({ notify }) =>
        notify === 1 ? notifications.notify(DELIVERIES_TOPIC) : notifications.notifyHere(DELIVERIES_TOPIC),
    },
    rounds: [{ name: 'deliveries', run: async (signal) => retention.tidy(signal) }],
    loops: [buildSendingLoop(parts)],
  };
}

/** Sends the events of pages that wait for more pages. The concatenation keeps SQLite from reading all events of the job. */
const STOP_WAITING = `update deliveries set due_at = $2
  where status = 'pending' and due_at > $2 and due_at <= $3 and owner_id || '' = $1 and type = 'crawl.page' and attempts = 0`;
const FIND_JOB = 'select * from jobs where id = $1';

type JobEndEvent = {
  readonly type: (typeof JOB_EVENTS)[number];
  /** Opens the sealed input of the job. */
  readonly sealer: Sealer;
  /** Current time, ms. */
  readonly now: number;
};

/** Enqueues the event of an ended job with its record, in the transaction that ends the job. */
async function enqueueJobEnd(tx: Queryable, jobId: string, { type, sealer, now }: JobEndEvent): Promise<void> {
  const row = readRow(JobRow, await tx.query(FIND_JOB, [jobId]));
  if (row === null) return;
  // A job ends once, so the event id is derived from the job id. A repeated transaction enqueues the same event.
  const eventId = jobId.replace('job_', 'evt_');
  const data = toRecord(row, openInput(sealer, row), now);
  const about = { job_id: jobId };
  const body = buildEnvelope({ id: eventId, type, at: now, about, data, path: `/v1/jobs/${jobId}` });
  await tx.query(STOP_WAITING, [jobId, now, now + MAX_EVENT_WAIT_MS]);
  await enqueueDelivery(tx, { eventId, type, owner: jobId, body, now });
}

type ListParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly webhooks: Webhooks;
  readonly deliveries: DeliveryLog;
  readonly cursors: Cursors;
};

/** Binds the operations on a tenant's webhooks and deliveries. */
function bindLists({ db, clock, webhooks, deliveries, cursors }: ListParts): readonly BoundControl[] {
  return [
    bindControl(listWebhooks, async ({ limit, cursor }, { caller: { tenant } }) => {
      const scope = { tenant, operation: 'webhooks.list', filters: {} };
      return readListPage({
        limit,
        after: cursors.read(scope, cursor ?? null),
        load: async (after, most) => (await webhooks.list({ tenant, after, limit: most })).map(toListedWebhook),
        getPosition: (row) => row.owner_id,
        writeCursor: (last) => cursors.write(scope, last),
      });
    }),
    bindControl(
      listAllDeliveries,
      async ({ status = null, monitor_id: monitor, job_id: job, limit, cursor }, { caller }) => {
        const { tenant } = caller;
        const owner = monitor ?? job ?? null;
        const scope = { tenant, operation: 'deliveries.list', filters: { status, owner } };
        return readListPage({
          limit,
          after: cursors.read(scope, cursor ?? null),
          load: async (after, most) => deliveries.listAll({ tenant, owner, status, after, limit: most }),
          getPosition: (row) => row.id,
          writeCursor: (last) => cursors.write(scope, last),
        });
      },
    ),
    bindControl(showDelivery, async ({ id }, { caller: { tenant } }) => {
      const record = await deliveries.find(tenant, id);
      const owner = record.monitor_id ?? record.job_id ?? '';
      const view = await webhooks.findWebhook(db, owner);
      const target = (await webhooks.findTargets(db, [owner])).get(owner);
      const content = await buildContent(target?.format ?? null, {
        id: record.event_id,
        type: record.type,
        attempt: Math.max(1, record.attempts.length),
        at: clock.now(),
        body: await deliveries.readBody(tenant, id),
        metadata: target?.metadata ?? null,
        secrets: [],
      });
      const headers = {
        ...view?.headers,
        'content-type': 'application/json; charset=utf-8',
        ...content.headers,
      };
      return { ...record, request: { method: 'POST' as const, headers, body: content.body } };
    }),
    bindRawControl(redeliverAll, async ({ monitor_id: monitor, job_id: job }, { caller }) =>
      toReply(202, await deliveries.redeliverAll(caller.tenant, monitor ?? job ?? null)),
    ),
  ];
}

function toListedWebhook({ view, ...row }: Awaited<ReturnType<Webhooks['list']>>[number]) {
  const isOfJob = row.owner_id.startsWith('job_');
  return {
    ...view,
    owner_id: row.owner_id,
    ...(isOfJob ? { job_id: row.owner_id } : { monitor_id: row.owner_id }),
    name: row.name,
    created_at: toTimestamp(row.created_at),
    last_delivery: toLastDelivery(row),
  };
}

type LastDelivery = Pick<
  Awaited<ReturnType<Webhooks['list']>>[number],
  'delivery_id' | 'delivery_status' | 'delivery_round' | 'delivered_at'
>;

function toLastDelivery({
  delivery_id: id,
  delivery_status: status,
  delivery_round: round,
  delivered_at: at,
}: LastDelivery) {
  if (id === null || at === null) return null;
  const isRetried = status === 'pending' && (round ?? 0) > 0;
  const shown = DELIVERY_STATUSES.find((one) => one === (isRetried ? 'failed' : status));
  return shown === undefined ? null : { id, status: shown, created_at: toTimestamp(at) };
}
