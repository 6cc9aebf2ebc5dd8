import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import type { Db, Statements, StoreKind, Value } from '#store/db.ts';
import { LOCK_TENANTS } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';

const UNRESERVE = 'update tenants set reserved = reserved - $2 where id = $1';
const BEAT =
  'insert into processes (id, seen_at) values ($1, $2) on conflict (id) do update set seen_at = excluded.seen_at';
const LEAVE = 'delete from processes where id = $1';
const TENANTS_OF = 'select distinct tenant_id from reservations where process_id = $1';
const HOLDS_OF = 'delete from reservations where process_id = $1 returning tenant_id, credits';
const STALE_TENANTS = `select distinct tenant_id from reservations
  where process_id not in (select id from processes where seen_at >= $1)`;
const STALE_HOLDS = `delete from reservations
  where process_id not in (select id from processes where seen_at >= $1) returning tenant_id, credits`;
const LIVING = 'select id from processes where seen_at >= $1';
const DEAD_PROCESSES = 'delete from processes where seen_at < $1';

/** A process that was not seen for this long is dead, and what it reserved is free again. */
export const PROCESS_DEAD_MS = 40_000;

const LiveProcess = z.object({ id: z.string() });
const HeldOf = z.object({ tenant_id: z.string() });
const StaleHold = z.object({ tenant_id: z.string(), credits: z.number() });

type Freed = { readonly of: string; readonly drop: string; readonly values: readonly Value[] };

/** The processes that hold reservations: what one of them held is free when it is dead. */
export function buildProcesses(parts: {
  readonly db: Db;
  readonly clock: Clock;
  /** The id of this process. */
  readonly processId: string;
}) {
  const { db, clock, processId } = parts;

  return {
    /** The ids of the processes over this store that were seen lately. */
    async living(): Promise<readonly string[]> {
      return readRows(LiveProcess, await db.query(LIVING, [clock.now() - PROCESS_DEAD_MS])).map(({ id }) => id);
    },

    /** Frees what a process with this id held before; call it before anything is reserved. */
    async abandon(): Promise<void> {
      const freed = { of: TENANTS_OF, drop: HOLDS_OF, values: [processId] };
      await db.transaction(async (tx) => free(tx, db.kind, freed));
    },

    /** Says that this process ends; what it still holds is free at the next sweep of any other. */
    async leave(): Promise<void> {
      await db.query(LEAVE, [processId]);
    },

    /** Says that this process lives, and frees what dead ones held. */
    async sweep(): Promise<void> {
      const now = clock.now();
      await db.transaction(async (tx) => {
        await tx.query(BEAT, [processId, now]);
        await free(tx, db.kind, { of: STALE_TENANTS, drop: STALE_HOLDS, values: [now - PROCESS_DEAD_MS] });
        await tx.query(DEAD_PROCESSES, [now - PROCESS_DEAD_MS]);
      });
    },
  };
}

/** Frees credits that a tenant had set aside. */
export async function unreserve(tx: Statements, tenant: string, credits: number): Promise<void> {
  await tx.query(UNRESERVE, [tenant, credits]);
}

/** Frees holds, with the rows of their tenants taken first, as shared commits do, so that the two never wait for each other. */
async function free(tx: Statements, kind: StoreKind, { of, drop, values }: Freed): Promise<void> {
  const tenants = readRows(HeldOf, await tx.query(of, values)).map(({ tenant_id: tenant }) => tenant);
  if (tenants.length === 0) return;
  const lock = LOCK_TENANTS[kind];
  if (lock !== null) await tx.query(lock, [JSON.stringify(tenants)]);
  const dropped = readRows(StaleHold, await tx.query(drop, values));
  for (const { tenant_id, credits } of dropped.toSorted((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1))) {
    await unreserve(tx, tenant_id, credits);
  }
}
