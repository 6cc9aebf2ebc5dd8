import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Queryable, StoreKind } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import type { ClaimedDelivery } from './delivery-rows.ts';
import { MAX_SHOWN_ATTEMPTS, TEST_EVENT } from './schema.ts';

const DISABLE_AFTER_MS = 5 * 24 * 3600 * 1000;

/** One attempt as stored in the log. Times are in ms. */
export type DeliveryAttempt = {
  readonly at: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Null if the attempt succeeded. */
  readonly error: string | null;
  readonly excerpt: string | null;
  readonly nextAt: number | null;
};

/** How the claim of a delivery ended. */
export type DeliveryEnd = {
  readonly claimed: ClaimedDelivery;
  readonly status: 'pending' | 'succeeded' | 'exhausted' | 'suspended' | 'cancelled';
  /** When it is due again if it is pending, ms. */
  readonly dueAt: number;
  /** Null if the delivery was not sent. */
  readonly attempt: DeliveryAttempt | null;
  /** Whether the receiver answered 410 (Gone). */
  readonly isGone: boolean;
};

/** Writes the ends of many claims in one transaction. A delivery whose lease was lost is not changed. */
export type EndDeliveries = (ends: readonly DeliveryEnd[]) => Promise<void>;

/** Deletes attempts beyond the number that a record shows. */
const PRUNE_ATTEMPTS = 'delete from delivery_attempts where delivery_id = $1 and n <= $2';

const IdRow = z.object({ id: z.string() });

export function buildEndDeliveries({ db, clock }: { readonly db: Db; readonly clock: Clock }): EndDeliveries {
  const writeEnds = buildEndWrite(db.kind);
  const logAttempts = buildAttemptLog(db.kind);
  const updateWebhooks = buildHealthUpdate(db.kind);
  return async (ends) => {
    await db.transaction(async (tx) => {
      const written = await writeEnds(tx, ends);
      await logAttempts(tx, written);
      await updateWebhooks(tx, written, clock.now());
    });
  };
}

/** Builds the statement that ends claims. It returns the ends whose lease was still valid. */
function buildEndWrite(kind: StoreKind) {
  const rows = buildRowsTable(kind, '$1', {
    name: 'b',
    columns: { delivery: 'text', token: 'text', state: 'text', due: 'bigint', n: 'bigint', tries: 'bigint' },
  });
  const write = `update deliveries set status = b.state, due_at = b.due, attempts = b.n, round = b.tries,
      lease_token = null, lease_until = null, sender_id = null
    from ${rows} where id = b.delivery and lease_token = b.token and status = 'delivering' returning id`;
  return async (tx: Queryable, ends: readonly DeliveryEnd[]): Promise<readonly DeliveryEnd[]> => {
    const cells = ends.map(({ claimed, status, dueAt, attempt }) => {
      const more = attempt === null ? 0 : 1;
      return [claimed.id, claimed.lease_token, status, dueAt, claimed.attempts + more, claimed.round + more];
    });
    const written = new Set(readRows(IdRow, await tx.query(write, [JSON.stringify(cells)])).map(({ id }) => id));
    return ends.filter(({ claimed }) => written.has(claimed.id));
  };
}

/** Builds the statements that log the attempts. */
function buildAttemptLog(kind: StoreKind) {
  const rows = buildRowsTable(kind, '$1', {
    name: 'b',
    columns: {
      delivery: 'text',
      n: 'bigint',
      began: 'bigint',
      took: 'bigint',
      code: 'bigint',
      why: 'text',
      excerpt: 'text',
      next: 'bigint',
    },
  });
  const log = `insert into delivery_attempts
      (delivery_id, n, at, duration_ms, status_code, error, response_excerpt, next_attempt_at)
    select delivery, n, began, took, code, why, excerpt, next from ${rows} where true on conflict do nothing`;
  return async (tx: Queryable, ends: readonly DeliveryEnd[]): Promise<void> => {
    const cells = ends.flatMap(({ claimed, attempt }) => (attempt === null ? [] : [toAttemptCells(claimed, attempt)]));
    if (cells.length > 0) await tx.query(log, [JSON.stringify(cells)]);
    const long = ends.filter(({ claimed, attempt }) => attempt !== null && claimed.attempts >= MAX_SHOWN_ATTEMPTS);
    for (const { claimed } of long)
      await tx.query(PRUNE_ATTEMPTS, [claimed.id, claimed.attempts + 1 - MAX_SHOWN_ATTEMPTS]);
  };
}

/** Builds the statements that update the health of webhooks, and disable those that have failed for too long. */
function buildHealthUpdate(kind: StoreKind) {
  const owners = buildRowsTable(kind, '$1', { name: 'b', columns: { owner: 'text', gone: 'bigint' } });
  const heal = `update webhooks set failing_since = null from ${owners}
    where owner_id = b.owner and failing_since is not null`;
  const fail = `update webhooks set failing_since = coalesce(failing_since, $2),
      disabled_at = case when b.gone = 1 or failing_since <= $3 then $2 else disabled_at end
    from ${owners} where owner_id = b.owner and disabled_at is null
      and (failing_since is null or b.gone = 1 or failing_since <= $3)`;
  const suspend = `update deliveries set status = 'suspended' where status = 'pending' and owner_id in (
    select owner_id from ${owners} join webhooks on owner_id = b.owner where disabled_at is not null)`;
  return async (tx: Queryable, ends: readonly DeliveryEnd[], now: number): Promise<void> => {
    const latest = findLatestByOwner(ends);
    const healthy = latest.filter(({ attempt }) => attempt?.error === null);
    const failing = latest.filter(({ attempt }) => attempt?.error !== null);
    if (healthy.length > 0) await tx.query(heal, [formatOwnerCells(healthy)]);
    if (failing.length === 0) return;
    await tx.query(fail, [formatOwnerCells(failing), now, now - DISABLE_AFTER_MS]);
    await tx.query(suspend, [formatOwnerCells(failing)]);
  };
}

/** Finds the last attempt for each owner, without test events, sorted by owner. */
function findLatestByOwner(ends: readonly DeliveryEnd[]): readonly DeliveryEnd[] {
  const attempted = ends.filter(({ claimed, attempt }) => attempt !== null && claimed.type !== TEST_EVENT);
  const latest = new Map(attempted.map((end) => [end.claimed.owner_id, end]));
  return [...latest].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, end]) => end);
}

function formatOwnerCells(ends: readonly DeliveryEnd[]): string {
  return JSON.stringify(ends.map(({ claimed, isGone }) => [claimed.owner_id, isGone ? 1 : 0]));
}

function toAttemptCells({ id, attempts }: ClaimedDelivery, attempt: DeliveryAttempt) {
  const { at, durationMs, statusCode, error, excerpt, nextAt } = attempt;
  return [id, attempts + 1, at, durationMs, statusCode, error, excerpt, nextAt];
}
