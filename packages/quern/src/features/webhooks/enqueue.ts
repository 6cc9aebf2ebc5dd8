import { z } from 'zod';
import { newId } from '#kernel/ids.ts';
import type { Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRow } from '#store/rows.ts';
import type { EventType } from './schema.ts';
import { MAX_ATTEMPTS } from './retry-policy.ts';

/** The insert itself checks whether a webhook subscribes to the event. */
const ENQUEUE = `with calls (event, delivery, owner, kind, wanted, content, tries, at) as (values ($1, $2, $3, $4, $5, $6,
    cast($7 as bigint), cast($8 as bigint)))
  insert into deliveries (id, tenant_id, owner_id, event_id, type, url, endpoint, queue, body, status, most, due_at, created_at)
  select delivery, tenant_id, owner_id, event, kind, url, endpoint, queue, content, 'pending', tries, at, at
  from calls join webhooks on webhooks.owner_id = calls.owner
  where disabled_at is null and (events is null or wanted is null or events like wanted)
  on conflict (event_id) do update set event_id = deliveries.event_id returning event_id, id`;

const AddedRow = z.object({ id: z.string() });

export type QueuedEvent = {
  /** Id of the event, created before the transaction, so that a repeated transaction enqueues the same delivery. */
  readonly eventId: string;
  readonly type: EventType;
  /** Id of the monitor or job that has the webhook. */
  readonly owner: string;
  /** Body built by `toEnvelope`. */
  readonly body: string;
  /** Current time, ms. */
  readonly now: number;
};

/**
 * Enqueues an event for its owner's webhook, in the transaction that causes the event. Returns the id of the delivery,
 * null if no enabled webhook subscribes to the event. Publish `DELIVERIES` after the commit, so that the sender need
 * not wait for its next poll.
 */
export async function enqueueDelivery(tx: Queryable, event: QueuedEvent): Promise<string | null> {
  return insertDelivery(tx, event, { wanted: `% ${event.type} %`, most: MAX_ATTEMPTS });
}

/** Enqueues a test event, regardless of the webhook's subscription, with a single attempt. */
export async function enqueueTest(tx: Queryable, event: QueuedEvent): Promise<string | null> {
  return insertDelivery(tx, event, { wanted: null, most: 1 });
}

async function insertDelivery(
  tx: Queryable,
  { eventId, type, owner, body, now }: QueuedEvent,
  { wanted, most }: { readonly wanted: string | null; readonly most: number },
): Promise<string | null> {
  const values = [eventId, newId('dlv', now), owner, type, wanted, body, most, now];
  return readRow(AddedRow, await tx.query(ENQUEUE, values))?.id ?? null;
}

/** An event that is sent from `dueAt` (ms) on. */
export type TimedEvent = Pick<QueuedEvent, 'eventId' | 'body'> & { readonly dueAt: number };

export type QueuedEvents = Pick<QueuedEvent, 'type' | 'owner' | 'now'> & { readonly events: readonly TimedEvent[] };

const EXTEND = `update deliveries set body = $2, due_at = $3
  where event_id = $1 and status = 'pending' and attempts = 0 and due_at > $4 returning id`;

/** Replaces the body of an event that is not due at the time `now` (ms). Returns false if it may have been sent. */
export async function extendDelivery(
  tx: Queryable,
  { eventId, body, dueAt, now }: TimedEvent & { readonly now: number },
): Promise<boolean> {
  return (await tx.query(EXTEND, [eventId, body, dueAt, now])).length > 0;
}

/**
 * Enqueues events of one type that a webhook gets only if it lists them. An event that is already queued stays as it
 * is. Publish `DELIVERIES` after the commit.
 */
export function buildEnqueueListed(kind: StoreKind) {
  const rows = buildRowsTable(kind, '$1', {
    name: 'b',
    columns: { delivery: 'text', event: 'text', content: 'text', due: 'bigint' },
  });
  const enqueue = `insert into deliveries
      (id, tenant_id, owner_id, event_id, type, url, endpoint, queue, body, status, most, due_at, created_at)
    select b.delivery, tenant_id, owner_id, b.event, cast($2 as text), url, endpoint, queue, b.content, 'pending',
      cast($3 as bigint), b.due, cast($4 as bigint)
    from ${rows} join webhooks on webhooks.owner_id = $5 where disabled_at is null and events like $6
    on conflict (event_id) do nothing`;
  return async (tx: Queryable, { type, owner, now, events }: QueuedEvents): Promise<void> => {
    const cells = events.map(({ eventId, body, dueAt }) => [newId('dlv', now), eventId, body, dueAt]);
    await tx.query(enqueue, [JSON.stringify(cells), type, MAX_ATTEMPTS, now, owner, `% ${type} %`]);
  };
}

/** The notification topic for new deliveries. */
export const DELIVERIES_TOPIC = 'deliveries';
