import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Queryable, StoreKind, SqlValue } from '#store/db.ts';
import { LOCK_TENANTS } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';
import { releaseCredits } from './tenant-credits.ts';

const BEAT =
  'insert into processes (id, seen_at) values ($1, $2) on conflict (id) do update set seen_at = excluded.seen_at';
const LEAVE = 'delete from processes where id = $1';
const TENANTS_OF = 'select distinct tenant_id from reservations where process_id = $1';
const HOLDS_OF = 'delete from reservations where process_id = $1 returning tenant_id, credits';
const STALE_TENANTS = `select distinct tenant_id from reservations
  where process_id not in (select id from processes where seen_at >= $1)`;
const STALE_HOLDS = `delete from reservations
  where process_id not in (select id from processes where seen_at >= $1) returning tenant_id, credits`;
const LIVING = 'select id, seen_at from processes where seen_at >= $1 order by id';
const DEAD_PROCESSES = 'delete from processes where seen_at < $1';

/** A process that has not reported for this long is considered dead, and its reservations are released. */
export const PROCESS_DEAD_MS = 40_000;

const ProcessRow = z.object({ id: z.string(), seen_at: z.number() });
const TenantIdRow = z.object({ tenant_id: z.string() });
const ReservationRow = z.object({ tenant_id: z.string(), credits: z.number() });

/** The statements that find the tenants of reservations (`of`) and delete the reservations (`drop`). */
type FreeStatements = { readonly of: string; readonly drop: string; readonly values: readonly SqlValue[] };

type ProcessesParts = {
  readonly db: Db;
  readonly clock: Clock;
  /** The id of this process. */
  readonly processId: string;
};

/** Tracks live processes and releases the reservations of dead ones. */
export class Processes {
  readonly #parts: ProcessesParts;

  constructor(parts: ProcessesParts) {
    this.#parts = parts;
  }

  /** Lists the ids of the live processes on this store. */
  async listLive(): Promise<readonly string[]> {
    return (await this.listSeen()).map(({ id }) => id);
  }

  /** Lists the live processes with the time of their last report, ms. */
  async listSeen(): Promise<readonly { readonly id: string; readonly seenAt: number }[]> {
    const { db, clock } = this.#parts;
    const rows = readRows(ProcessRow, await db.query(LIVING, [clock.now() - PROCESS_DEAD_MS]));
    return rows.map(({ id, seen_at: seenAt }) => ({ id, seenAt }));
  }

  /** Releases the reservations of an earlier process with the same id. Call it before anything is reserved. */
  async freeOwn(): Promise<void> {
    const { db, processId } = this.#parts;
    const freed = { of: TENANTS_OF, drop: HOLDS_OF, values: [processId] };
    await db.transaction(async (tx) => freeReservations(tx, db.kind, freed));
  }

  /** Records that this process ends. The next sweep of another process releases its remaining reservations. */
  async signOff(): Promise<void> {
    await this.#parts.db.query(LEAVE, [this.#parts.processId]);
  }

  /** Records that this process is alive and releases the reservations of dead ones. */
  async sweep(): Promise<void> {
    const { db, clock, processId } = this.#parts;
    const now = clock.now();
    await db.transaction(async (tx) => {
      await tx.query(BEAT, [processId, now]);
      await freeReservations(tx, db.kind, { of: STALE_TENANTS, drop: STALE_HOLDS, values: [now - PROCESS_DEAD_MS] });
      await tx.query(DEAD_PROCESSES, [now - PROCESS_DEAD_MS]);
    });
  }
}

/**
 * Deletes reservations and releases their credits. The rows of the tenants are locked first, in the same order as group
 * commits, to avoid deadlocks.
 */
async function freeReservations(tx: Queryable, kind: StoreKind, { of, drop, values }: FreeStatements): Promise<void> {
  const tenants = readRows(TenantIdRow, await tx.query(of, values)).map(({ tenant_id: tenant }) => tenant);
  if (tenants.length === 0) return;
  const lock = LOCK_TENANTS[kind];
  if (lock !== null) await tx.query(lock, [JSON.stringify(tenants)]);
  const dropped = readRows(ReservationRow, await tx.query(drop, values));
  for (const { tenant_id, credits } of dropped.toSorted((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1))) {
    await releaseCredits(tx, tenant_id, credits);
  }
}
