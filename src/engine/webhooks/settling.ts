import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Statements } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import type { Claimed } from './delivery-rows.ts';
import { SHOWN_ATTEMPTS, TEST_EVENT } from './schema.ts';

const DISABLE_AFTER_MS = 5 * 24 * 3600 * 1000;

/** One attempt as the log keeps it; instants are ms. */
export type Tried = {
  readonly at: number;
  readonly durationMs: number;
  readonly statusCode: number | null;
  /** Why there was no good answer, null where there was one. */
  readonly error: string | null;
  readonly excerpt: string | null;
  readonly nextAt: number | null;
};

/** What becomes of a claimed delivery; `tried` is null when it was not sent. */
export type Settled = {
  readonly claimed: Claimed;
  readonly status: 'pending' | 'succeeded' | 'exhausted' | 'suspended' | 'cancelled';
  /** When it is due again, ms, where it is pending. */
  readonly dueAt: number;
  readonly tried: Tried | null;
  /** Whether the receiver said that it is no more. */
  readonly isGone: boolean;
};

/** One that is sent again and again keeps what its record shows. */
const PRUNE = 'delete from delivery_attempts where delivery_id = $1 and n <= $2';

const Id = z.object({ id: z.string() });

/** Writes the ends of many deliveries in one transaction; what was taken away meanwhile keeps what it has. */
export function buildSettling({ db, clock }: { readonly db: Db; readonly clock: Clock }) {
  const ends = bulk(db.kind, '$1', {
    name: 'b',
    columns: { delivery: 'text', token: 'text', state: 'text', due: 'bigint', n: 'bigint', tries: 'bigint' },
  });
  const end = `update deliveries set status = b.state, due_at = b.due, attempts = b.n, round = b.tries,
      lease_token = null, lease_until = null, sender_id = null
    from ${ends} where id = b.delivery and lease_token = b.token and status = 'delivering' returning id`;
  const tries = bulk(db.kind, '$1', {
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
    select delivery, n, began, took, code, why, excerpt, next from ${tries} where true on conflict do nothing`;
  const owners = bulk(db.kind, '$1', { name: 'b', columns: { owner: 'text', gone: 'bigint' } });
  const heal = `update webhooks set failing_since = null from ${owners}
    where owner_id = b.owner and failing_since is not null`;
  const fail = `update webhooks set failing_since = coalesce(failing_since, $2),
      disabled_at = case when b.gone = 1 or failing_since <= $3 then $2 else disabled_at end
    from ${owners} where owner_id = b.owner and disabled_at is null
      and (failing_since is null or b.gone = 1 or failing_since <= $3)`;
  /** Of disabled webhooks nothing is sent any more. */
  const suspend = `update deliveries set status = 'suspended' where status = 'pending' and owner_id in (
    select owner_id from ${owners} join webhooks on owner_id = b.owner where disabled_at is not null)`;

  async function judgeWebhooks(tx: Statements, settled: readonly Settled[], now: number): Promise<void> {
    const last = new Map<string, Settled>();
    for (const one of settled) {
      if (one.tried !== null && one.claimed.type !== TEST_EVENT) last.set(one.claimed.owner_id, one);
    }
    const all = [...last].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const cells = (those: typeof all) => JSON.stringify(those.map(([owner, one]) => [owner, one.isGone ? 1 : 0]));
    const failing = all.filter(([, one]) => one.tried?.error !== null);
    const healthy = all.filter(([, one]) => one.tried?.error === null);
    if (healthy.length > 0) await tx.query(heal, [cells(healthy)]);
    if (failing.length === 0) return;
    await tx.query(fail, [cells(failing), now, now - DISABLE_AFTER_MS]);
    await tx.query(suspend, [cells(failing)]);
  }

  return async function settle(settled: readonly Settled[]): Promise<void> {
    const rows = settled.map(({ claimed, status, dueAt, tried }) => {
      const more = tried === null ? 0 : 1;
      return [claimed.id, claimed.lease_token, status, dueAt, claimed.attempts + more, claimed.round + more];
    });
    await db.transaction(async (tx) => {
      const written = new Set(readRows(Id, await tx.query(end, [JSON.stringify(rows)])).map(({ id }) => id));
      const ours = settled.filter(({ claimed }) => written.has(claimed.id));
      const attempts = ours.flatMap(({ claimed, tried }) => (tried === null ? [] : [toCells(claimed, tried)]));
      if (attempts.length > 0) await tx.query(log, [JSON.stringify(attempts)]);
      const long = ours.filter(({ claimed, tried }) => tried !== null && claimed.attempts >= SHOWN_ATTEMPTS);
      for (const { claimed } of long) await tx.query(PRUNE, [claimed.id, claimed.attempts + 1 - SHOWN_ATTEMPTS]);
      await judgeWebhooks(tx, ours, clock.now());
    });
  };
}

function toCells({ id, attempts }: Claimed, tried: Tried) {
  const { at, durationMs, statusCode, error, excerpt, nextAt } = tried;
  return [id, attempts + 1, at, durationMs, statusCode, error, excerpt, nextAt];
}
