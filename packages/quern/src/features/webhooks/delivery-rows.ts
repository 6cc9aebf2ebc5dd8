import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import type { Db, Queryable, StoreKind } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Webhooks, WebhookTarget } from './webhooks.ts';

const ANY_DUE = "select id from deliveries where status = 'pending' and due_at <= $1 limit 1";
/**
 * Lists the queues (column `queue`) after `$1`, and whether they have a due delivery and no other sender is busy with
 * their endpoint. Each step is one index lookup, regardless of the length of the queue.
 */
const LIST_QUEUES = `with recursive turns (queue, place) as (
    select (select min(queue) from deliveries where status = 'pending' and queue > $1), 1
    union all
    select (select min(queue) from deliveries where status = 'pending' and queue > turns.queue), place + 1
      from turns where queue is not null and place < $4)
  select queue, case when exists (select 1 from deliveries
      where status = 'pending' and deliveries.queue = turns.queue and due_at <= $2)
    and not exists (select 1 from deliveries as busy where busy.status = 'delivering' and busy.sender_id <> $3
      and busy.endpoint = (select endpoint from deliveries where status = 'pending' and deliveries.queue = turns.queue
        limit 1))
    then 1 else 0 end as is_due
  from turns where queue is not null order by queue`;
/** Serializes claims, so that no two senders use the same endpoint. With SQLite there is only one sender. */
const LOCK: Readonly<Record<StoreKind, string | null>> = {
  sqlite: null,
  postgres: "select pg_advisory_xact_lock(hashtext('quern deliveries'))",
};
/** Selects the due rows of each `[queue, max]` of the JSON array `$5`. SQLite gets one statement per queue. */
const SELECT_DUE: Readonly<Record<StoreKind, string>> = {
  sqlite: `select id from deliveries where status = 'pending' and queue = json_extract($5, '$[0][0]') and due_at <= $1
    order by due_at, id limit json_extract($5, '$[0][1]')`,
  postgres: `select one.id from jsonb_array_elements(cast($5 as jsonb)) as wanted cross join lateral (
    select id from deliveries where status = 'pending' and queue = wanted ->> 0 and due_at <= $1
      order by due_at, id limit cast(wanted ->> 1 as bigint)) as one`,
};
const QUEUES_PER_STATEMENT: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 64 };
const RECOVER = `update deliveries set status = 'pending', due_at = $1, lease_token = null, lease_until = null,
    sender_id = null where status = 'delivering' and lease_until < $2`;
/** Two counts, because each can use its own index. */
const BACKLOG = `select (select count(*) from deliveries where status = 'pending')
    + (select count(*) from deliveries where status = 'delivering') as pending,
  (select min(due_at) from deliveries where status = 'pending') as due_at`;

/** Longer than any attempt. When it expires, a delivery of a dead sender is due again. */
export const DELIVERY_LEASE_MS = 30_000;
/** Maximum number of queues per query, and of queries per claim. Further queues get their turn at the next claim. */
const MAX_QUEUES_PER_READ = 1024;
const MAX_QUEUE_READS = 8;

const QueueRow = z.object({ queue: z.string(), is_due: z.number() });
const BacklogRow = z.object({ pending: z.number(), due_at: z.number().nullable() });
const ClaimedRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  owner_id: z.string(),
  event_id: z.string(),
  type: z.string(),
  endpoint: z.string(),
  queue: z.string(),
  body: z.string(),
  attempts: z.number(),
  round: z.number(),
  most: z.number(),
  due_at: z.number(),
  lease_token: z.string(),
});

/** A delivery under a lease until `until` (ms), and its target; null if its webhook was deleted. */
export type ClaimedDelivery = z.output<typeof ClaimedRow> & {
  readonly until: number;
  readonly target: WebhookTarget | null;
};

/** Returns how many deliveries of a queue may be claimed now. Called once per queue. */
export type QueueCapacity = (name: string) => number;

export type DeliveryRowParts = {
  readonly db: Db;
  readonly clock: Clock;
  readonly webhooks: Pick<Webhooks, 'findTargets'>;
  /** Id of this process. */
  readonly sender: string;
};

/** Number of deliveries to claim per queue. */
type QueueShares = readonly (readonly [name: string, deliveries: number])[];

/** Deliveries as their senders see them. Each is sent under a lease, and its end must have the token of the lease. */
export class DeliveryRows {
  readonly #parts: DeliveryRowParts;
  readonly #claimRows: string;
  /** The queue that was claimed from last. The next claim starts after it. */
  #lastTurn = '';

  constructor(parts: DeliveryRowParts) {
    this.#parts = parts;
    this.#claimRows = `with picked as materialized (${SELECT_DUE[parts.db.kind]})
      update deliveries set status = 'delivering', lease_token = $2 || id, lease_until = $3, sender_id = $4
      where status = 'pending' and id in (select id from picked) returning *`;
  }

  /** Claims at most `most` due deliveries. Queues take turns, and none gets more than its capacity. */
  async claim(most: number, getCapacity: QueueCapacity): Promise<readonly ClaimedDelivery[]> {
    const { db, clock, webhooks } = this.#parts;
    const now = clock.now();
    // A query costs less than a transaction, and usually nothing is due.
    if ((await db.query(ANY_DUE, [now])).length === 0) return [];
    const until = now + DELIVERY_LEASE_MS;
    const lease = { now, until, token: `${newId('lse', now)} ` };
    const lock = LOCK[db.kind];
    const { last, rows, targets } = await db.transaction(async (tx) => {
      if (lock !== null) await tx.query(lock);
      const shared = await this.#shareCapacity(tx, most, getCapacity);
      const taken = await this.#takeRows(tx, shared.shares, lease);
      const owners = taken.map((row) => row.owner_id);
      return { last: shared.last, rows: taken, targets: await webhooks.findTargets(tx, owners) };
    }, 'redone');
    this.#lastTurn = last;
    return rows
      .toSorted((a, b) => a.due_at - b.due_at || (a.id < b.id ? -1 : 1))
      .map((row) => ({ ...row, until, target: targets.get(row.owner_id) ?? null }));
  }

  /** Makes the deliveries of dead senders due: those whose lease has expired, or all if there is no other sender. */
  async recover(whose: 'dead' | 'all'): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.db.query(RECOVER, [now, whose === 'all' ? Number.MAX_SAFE_INTEGER : now]);
  }

  /** Counts unfinished deliveries, and measures for how long the oldest of them has been due (ms). */
  async backlog(): Promise<{ readonly pending: number; readonly lateMs: number }> {
    const { db, clock } = this.#parts;
    const { pending = 0, due_at: due = null } = readRow(BacklogRow, await db.query(BACKLOG)) ?? {};
    return { pending, lateMs: due === null ? 0 : Math.max(0, clock.now() - due) };
  }

  /**
   * Visits each queue at most once and shares `most` deliveries among them. `last` is the queue at which it stopped.
   */
  async #shareCapacity(
    tx: Queryable,
    most: number,
    getCapacity: QueueCapacity,
  ): Promise<{ readonly shares: QueueShares; readonly last: string }> {
    const { clock, sender } = this.#parts;
    const lastTurn = this.#lastTurn;
    const capacities = new Map<string, number>();
    let last = lastTurn;
    let hasWrapped = lastTurn === '';
    for (let looks = 0; looks < MAX_QUEUE_READS; looks += 1) {
      const queues = readRows(QueueRow, await tx.query(LIST_QUEUES, [last, clock.now(), sender, MAX_QUEUES_PER_READ]));
      const turns = hasWrapped && lastTurn !== '' ? queues.filter(({ queue }) => queue <= lastTurn) : queues;
      for (const { queue, is_due: isDue } of turns) {
        if (capacities.size === most) break;
        const capacity = isDue === 1 ? getCapacity(queue) : 0;
        if (capacity > 0) capacities.set(queue, capacity);
      }
      const isEnd = turns.length < MAX_QUEUES_PER_READ;
      if (capacities.size === most || (isEnd && hasWrapped)) break;
      hasWrapped ||= isEnd;
      last = isEnd ? '' : (turns.at(-1)?.queue ?? '');
    }
    const shares = shareRoundRobin(capacities, most);
    return { shares, last: shares.at(-1)?.[0] ?? last };
  }

  async #takeRows(
    tx: Queryable,
    shares: QueueShares,
    { now, until, token }: { readonly now: number; readonly until: number; readonly token: string },
  ): Promise<readonly z.output<typeof ClaimedRow>[]> {
    const atATime = QUEUES_PER_STATEMENT[this.#parts.db.kind];
    const taken: z.output<typeof ClaimedRow>[] = [];
    for (let at = 0; at < shares.length; at += atATime) {
      const some = JSON.stringify(shares.slice(at, at + atATime));
      taken.push(
        ...readRows(ClaimedRow, await tx.query(this.#claimRows, [now, token, until, this.#parts.sender, some])),
      );
    }
    return taken;
  }
}

/** Assigns one delivery to each queue in turn until `most` are assigned. */
function shareRoundRobin(capacities: ReadonlyMap<string, number>, most: number): QueueShares {
  const shares = [...capacities].map(([name, capacity]) => ({ name, capacity, given: 0 }));
  let left = most;
  for (let round = 0; left > 0 && shares.some(({ capacity }) => capacity > round); round += 1) {
    for (const share of shares) {
      if (left === 0) break;
      if (share.capacity <= share.given) continue;
      share.given += 1;
      left -= 1;
    }
  }
  return shares.map(({ name, given }) => [name, given]);
}
