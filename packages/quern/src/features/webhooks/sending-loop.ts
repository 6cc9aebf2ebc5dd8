import type { Guard } from '#access/guard/guard.ts';
import { LIMITS } from '#access/limits.ts';
import { openPosting } from '#access/http/post.ts';
import type { Loop, LoopStart, RunningLoop } from '#engine/call/feature.ts';
import { byValue, type Metric, single } from '#kernel/metric.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { ATTEMPT_MS } from './attempt.ts';
import { buildDeliveryEnds } from './delivery-ends.ts';
import { DeliveryRows } from './delivery-rows.ts';
import { SENDING_LIMITS } from './endpoint-queues.ts';
import { GRACE_MS, startSender } from './sender.ts';
import type { Webhooks } from './webhooks.ts';
import type { Observe } from '#kernel/events.ts';
import { newId } from '#kernel/ids.ts';

export type SendingParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly guard: Guard;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly observe: Observe;
  readonly report: (error: unknown) => void;
};

/** The loop that sends events, with connections of its own. */
export function sendingLoop(parts: SendingParts): Loop {
  return { beside: 'service', start: (how) => start(parts, how) };
}

function start(
  { db, clock, random, guard, webhooks, notifications, observe, report }: SendingParts,
  { isAlone }: LoopStart,
): RunningLoop {
  const posting = openPosting({ guard, limits: LIMITS, authorities: [], clock });
  const rows = new DeliveryRows({ db, clock, webhooks, sender: newId('snd', clock.now()) });
  const sender = startSender({
    rows,
    endDeliveries: buildDeliveryEnds({ db, clock }),
    notifications,
    limits: SENDING_LIMITS,
    clock,
    posting,
    guard,
    random,
    attemptMs: ATTEMPT_MS,
    graceMs: GRACE_MS,
    isAlone,
    observe,
    report,
  });
  const metrics: readonly Metric[] = [
    {
      name: 'quern_webhook_attempts_total',
      help: 'Attempts to deliver an event, by what came of them',
      kind: 'total',
      labels: ['result'],
      read: async () => byValue(sender.counts()),
    },
    {
      name: 'quern_webhook_pending',
      help: 'Deliveries that wait or are on their way',
      kind: 'level',
      labels: [],
      read: async () => single((await rows.backlog()).pending),
    },
    {
      name: 'quern_webhook_oldest_due_seconds',
      help: 'For how long the delivery that waits longest has been due',
      kind: 'level',
      labels: [],
      read: async () => single((await rows.backlog()).lateMs / 1000),
    },
  ];
  return {
    metrics,
    async close(): Promise<void> {
      await sender.drain();
      await posting.close();
    },
  };
}
