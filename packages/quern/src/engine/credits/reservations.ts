import { z } from 'zod';
import type { Queryable } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import { releaseCredits } from './tenant-credits.ts';

const ADD = `insert into reservations (key, tenant_id, credits, process_id) values ($1, $2, $3, $4)
  on conflict (key) do nothing returning key`;
/**
 * The same for a call that counts towards the concurrency limit `most` of its tenant, whose row is locked. Returns no
 * row if the limit is reached.
 */
const ADD_WITH_PLACE = `with calls (key, tenant, credits, process_id, most) as (values ($1, $2, cast($3 as bigint), $4,
    cast($5 as bigint))),
  placed as (select calls.*, row_number() over (partition by tenant order by key) - 1 as before from calls)
  insert into reservations (key, tenant_id, credits, process_id, place)
  select key, tenant, credits, process_id, 1 from placed
  where most > before + (select count(*) from reservations where reservations.tenant_id = placed.tenant and place = 1)
  on conflict (key) do nothing returning key`;
const REDUCE = 'update reservations set credits = credits - $2 where key = $1';
const EXTEND = `insert into reservations (key, tenant_id, credits, process_id) values ($1, $2, $3, $4)
  on conflict (key) do update set credits = reservations.credits + excluded.credits`;
const SET = `insert into reservations (key, tenant_id, credits, process_id) values ($1, $2, $3, $4)
  on conflict (key) do update set credits = excluded.credits`;
// An update instead of a select, so that no sweep deletes the row before the transaction ends.
const LOCK = 'update reservations set credits = credits where key = $1 returning credits, place';
const DROP = `with calls (key) as (values ($1))
  delete from reservations where key in (select key from calls) returning key, credits`;

const DroppedRow = z.object({ credits: z.number() });
const LockedRow = DroppedRow.extend({ place: z.number() });

/** The key and tenant of a reservation. */
export type ReservationKey = { readonly key: string; readonly tenant: string };

type Reservation = ReservationKey & { readonly credits: number; readonly processId: string };

/**
 * Adds a reservation. `places` is the concurrency limit; null for none. Returns false if the reservation exists or the
 * limit is reached.
 */
export async function addReservation(
  tx: Queryable,
  { key, tenant, credits, processId }: Reservation,
  places: number | null,
): Promise<boolean> {
  const values = [key, tenant, credits, processId];
  const added = await (places === null ? tx.query(ADD, values) : tx.query(ADD_WITH_PLACE, [...values, places]));
  return added.length > 0;
}

/** Adds credits to a reservation, or creates it. */
export async function extendReservation(
  tx: Queryable,
  { key, tenant, credits, processId }: Reservation,
): Promise<void> {
  await tx.query(EXTEND, [key, tenant, credits, processId]);
}

/** Sets the credits of a reservation, or creates it. */
export async function setReservation(tx: Queryable, { key, tenant, credits, processId }: Reservation): Promise<void> {
  await tx.query(SET, [key, tenant, credits, processId]);
}

/** Subtracts credits from a reservation. */
export async function reduceReservation(tx: Queryable, key: string, credits: number): Promise<void> {
  await tx.query(REDUCE, [key, credits]);
}

/** Locks a reservation until the transaction ends. Returns its credits; 0 if there is none. */
export async function lockReservation(tx: Queryable, key: string): Promise<number> {
  return readRow(LockedRow, await tx.query(LOCK, [key]))?.credits ?? 0;
}

/** Deletes a reservation. Returns its credits; null if there was none. */
export async function dropReservation(tx: Queryable, key: string): Promise<number | null> {
  return readRow(DroppedRow, await tx.query(DROP, [key]))?.credits ?? null;
}

/** Deletes a reservation and releases its credits. */
export async function freeReservation(tx: Queryable, { key, tenant }: ReservationKey): Promise<void> {
  const reserved = await dropReservation(tx, key);
  if (reserved !== null) await releaseCredits(tx, tenant, reserved);
}

/**
 * Releases up to `credits` of a reservation. An empty one is deleted unless it counts towards the concurrency limit.
 */
export async function releasePart(tx: Queryable, { key, tenant }: ReservationKey, credits: number): Promise<void> {
  const reservation = readRow(LockedRow, await tx.query(LOCK, [key]));
  if (reservation === null) return;
  const freed = Math.min(reservation.credits, credits);
  await releaseCredits(tx, tenant, freed);
  if (freed === reservation.credits && reservation.place === 0) await tx.query(DROP, [key]);
  else await tx.query(REDUCE, [key, freed]);
}
