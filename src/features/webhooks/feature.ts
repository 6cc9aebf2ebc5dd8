import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import { toReply } from '#engine/call/operation.ts';
import type { DeliveryLog } from './delivery-log.ts';
import { buildDeliveryRetention } from './delivery-retention.ts';
import { DELIVERIES } from './enqueue.ts';
import { notifyOfJobEnd } from './job-events.ts';
import type { Sealer } from '#kernel/sealing.ts';
import { bindLists } from './lists.ts';
import { redeliver } from './operations.ts';
import { sendingLoop } from './sending-loop.ts';
import type { SendingParts } from './sending-loop.ts';
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
