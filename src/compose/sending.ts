import type { Guard } from '#access/guard.ts';
import { LIMITS } from '#access/limits.ts';
import { openPosting } from '#access/posting.ts';
import type { News } from '#engine/job-news.ts';
import { ATTEMPT_MS } from '#engine/webhooks/attempting.ts';
import { buildDeliveryRows } from '#engine/webhooks/delivery-rows.ts';
import { PLACES } from '#engine/webhooks/lines.ts';
import { GRACE_MS, startSender } from '#engine/webhooks/sender.ts';
import { buildSettling } from '#engine/webhooks/settling.ts';
import type { Webhooks } from '#engine/webhooks/webhooks.ts';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Db } from '#store/db.ts';
import type { Reading } from '#transports/http/metrics.ts';

export type SendingParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly monotonic: Clock;
  readonly guard: Guard;
  readonly webhooks: Webhooks;
  readonly news: News;
  readonly isAlone: boolean;
  readonly report: (error: unknown) => void;
};

/** The sender of events with its connections, and what it says of itself. */
export function openSending({ db, clock, monotonic, guard, webhooks, news, isAlone, report }: SendingParts) {
  const posting = openPosting({ guard, limits: LIMITS, authorities: [], clock: monotonic });
  const rows = buildDeliveryRows({ db, clock, webhooks, sender: newId('snd', clock.now()) });
  const sender = startSender({
    rows,
    settle: buildSettling({ db, clock }),
    news,
    places: PLACES,
    clock,
    monotonic,
    posting,
    guard,
    random: Math.random,
    attemptMs: ATTEMPT_MS,
    graceMs: GRACE_MS,
    isAlone,
    report,
  });
  const readings: readonly Reading[] = [
    {
      name: 'quern_webhook_attempts_total',
      help: 'Attempts to deliver an event, by what came of them',
      kind: 'total',
      label: 'result',
      read: async () => sender.counts(),
    },
    {
      name: 'quern_webhook_pending',
      help: 'Deliveries that wait or are on their way',
      kind: 'level',
      label: null,
      read: async () => new Map([['', (await rows.backlog()).pending]]),
    },
    {
      name: 'quern_webhook_oldest_due_seconds',
      help: 'For how long the delivery that waits longest has been due',
      kind: 'level',
      label: null,
      read: async () => new Map([['', (await rows.backlog()).lateMs / 1000]]),
    },
  ];
  return {
    readings,
    async drain(): Promise<void> {
      await sender.drain();
      await posting.close();
    },
  };
}
