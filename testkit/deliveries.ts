import { DEFAULT_LIMITS } from '#access/limits.ts';
import { createPostClient } from '#access/http/post.ts';
import { createNotifications } from '#engine/jobs/job-notifications.ts';
import { DeliveryLog, type DeliveryRecord } from '#features/webhooks/delivery-log.ts';
import { DeliveryRows } from '#features/webhooks/delivery-rows.ts';
import { DELIVERIES_TOPIC, enqueueDelivery } from '#features/webhooks/enqueue.ts';
import type { WebhookFormat } from '#features/webhooks/formats.ts';
import { SENDING_LIMITS, type SendingLimits } from '#features/webhooks/endpoint-queues.ts';
import type { WebhookInput } from '#features/webhooks/schema.ts';
import { type Sender, startSender } from '#features/webhooks/sender.ts';
import { buildEndDeliveries } from '#features/webhooks/delivery-ends.ts';
import { Webhooks } from '#features/webhooks/webhooks.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ServiceEvent } from '#kernel/events.ts';
import { newId } from '#kernel/ids.ts';
import { createSealer } from '#kernel/sealer.ts';
import type { Db } from '#store/db.ts';
import { NO_HINTS } from '#store/hints.ts';
import { guardWith } from './visitor.ts';

export const TENANT = 'ten_1';
export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=';

export type SendingOptions = {
  readonly allow?: string;
  readonly attemptMs?: number;
  readonly places?: Partial<SendingLimits>;
  readonly formats?: readonly WebhookFormat[];
  readonly guard?: Parameters<typeof guardWith>[0];
};

/** Creates webhooks with their delivery log and senders on a store. */
export function createSending<C extends Clock>(db: Db, clock: C, options: SendingOptions = {}) {
  const { guard, refusals } = guardWith({ allow: options.allow ?? '127.0.0.0/8', ...options.guard });
  const sealer = createSealer(new Uint8Array(32), 'webhooks');
  const webhooks = new Webhooks({ db, clock, sealer, guard, formats: options.formats ?? [] });
  // Poll for due deliveries more often than a service does.
  const notifications = createNotifications(NO_HINTS, { after: (ms, work) => clock.after(ms / 20, work) });
  const log = new DeliveryLog({ db, clock, notifications });
  const posting = createPostClient({ guard, limits: DEFAULT_LIMITS, authorities: [], clock });
  const rows = new DeliveryRows({ db, clock, webhooks, sender: newId('snd', clock.now()) });
  const endDeliveries = buildEndDeliveries({ db, clock });
  const senders: Sender[] = [];
  const reported: unknown[] = [];
  const events: ServiceEvent[] = [];
  return {
    /** Events for the log and the metrics. */
    events,
    db,
    clock,
    notifications,
    webhooks,
    log,
    rows,
    endDeliveries,
    refusals,
    reported,

    start(isAlone = true): Sender {
      const sender = startSender({
        rows,
        endDeliveries,
        notifications,
        limits: { ...SENDING_LIMITS, ...options.places },
        clock,
        isAlone,
        posting,
        guard,
        random: () => 0.5,
        attemptMs: options.attemptMs ?? 5000,
        graceMs: 200,
        observe: (event) => void events.push(event),
        report: (error) => reported.push(error),
      });
      senders.push(sender);
      return sender;
    },

    async hook(owner: string, input: WebhookInput, tenant = TENANT) {
      const draft = webhooks.checkInput(input);
      return db.transaction(async (tx) => webhooks.saveWebhook(tx, { tenant, id: owner }, draft));
    },

    /** Enqueues an event of an owner; returns the id of the delivery. */
    async enqueue(owner: string, body = '{}'): Promise<string> {
      const event = { eventId: newId('evt', clock.now()), type: 'monitor.change_detected', owner, body } as const;
      const id = await db.transaction(async (tx) => enqueueDelivery(tx, { ...event, now: clock.now() }));
      if (id === null) throw new Error(`no webhook of ${owner} wants it`);
      notifications.notifyHere(DELIVERIES_TOPIC);
      return id;
    },

    /** Waits until the record matches. There is no timeout; the test runner has one. */
    async until(id: string, isSo: (record: DeliveryRecord) => boolean, tenant = TENANT): Promise<DeliveryRecord> {
      for (;;) {
        const record = await log.find(tenant, id);
        if (isSo(record)) return record;
        await notifications.next('nothing', 20, new AbortController().signal);
      }
    },

    async close(): Promise<void> {
      await Promise.all(senders.map(async (sender) => sender.drain()));
      await posting.close();
    },
  };
}
