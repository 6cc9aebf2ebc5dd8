import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import { toReply } from '#engine/call/operation.ts';
import { JobRow, openInput, toRecord } from '#engine/jobs/job-record.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Statements } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { buildDeliveryRetention } from './delivery-retention.ts';
import { DELIVERIES, enqueueDelivery } from './enqueue.ts';
import { toEnvelope } from './envelope.ts';
import { bindLists } from './lists.ts';
import { redeliver } from './operations.ts';
import type { JOB_EVENTS } from './schema.ts';
import { sendingLoop, type SendingParts } from './sending-loop.ts';
import type { Webhooks } from './webhooks.ts';

export type WebhooksParts = SendingParts & {
  readonly deliveries: DeliveryLog;
  readonly cursors: Cursors;
  readonly webhooks: Webhooks;
  /** Seals the inputs of jobs. */
  readonly sealer: Sealer;
};

/** Sends events to webhooks, those of ended jobs included. */
export function buildWebhooksFeature(parts: WebhooksParts): Feature {
  const { clock, notifications, deliveries, sealer } = parts;
  const retention = buildDeliveryRetention(parts);
  return {
    operations: [
      ...bindLists(parts),
      redeliver.runs(async ({ id }, { caller }) => toReply(202, await deliveries.redeliver(caller.tenant, id))),
    ],
    jobHooks: {
      end: async (tx, jobId, status) => notifyOfJobEnd(tx, jobId, { type: `job.${status}`, sealer, now: clock.now() }),
      // What ran may have enqueued events, and the sender of this process asks the store only once for many.
      afterEnd: ({ notify }) =>
        notify === 1 ? notifications.notify(DELIVERIES) : notifications.notifyHere(DELIVERIES),
    },
    rounds: [{ name: 'deliveries', run: async (signal) => retention.tidy(signal) }],
    loops: [sendingLoop(parts)],
  };
}

const FIND = 'select * from jobs where id = $1';

type JobEndEvent = {
  readonly type: (typeof JOB_EVENTS)[number];
  /** Sealed the input of the job. */
  readonly sealer: Sealer;
  /** ms. */
  readonly now: number;
};

/** Enqueues the event of an ended job with its record, in the transaction that ends the job. */
async function notifyOfJobEnd(tx: Statements, jobId: string, { type, sealer, now }: JobEndEvent): Promise<void> {
  const row = readRow(JobRow, await tx.query(FIND, [jobId]));
  if (row === null) return;
  // A job ends once, so its event has the id of the job: enqueued again in a repeated transaction it is the same.
  const eventId = jobId.replace('job_', 'evt_');
  const data = toRecord(row, openInput(sealer, row), now);
  const about = { job_id: jobId };
  const body = toEnvelope({ id: eventId, type, at: now, about, data, path: `/v1/jobs/${jobId}` });
  await enqueueDelivery(tx, { eventId, type, owner: jobId, body, now });
}
