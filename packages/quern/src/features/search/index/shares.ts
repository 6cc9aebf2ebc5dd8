import { z } from 'zod';
import { planNamed, type Plans } from '#engine/identity/plans.ts';
import { findLevel } from '#kernel/shares.ts';
import type { Db } from '#store/db.ts';
import { bulk } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';

/** Gives the bytes of the index that each tenant may have while there is too little room; null for no bound of its own. */
export type IndexShares = (tenants: readonly string[]) => Promise<ReadonlyMap<string, number | null>>;

/** What a tenant has of an index. */
export type TenantPages = { readonly tenant: string; readonly pages: number; readonly bytes: number };

const Row = z.object({ id: z.string(), plan: z.string() });

/** The shares of tenants by their plans. */
export function sharesByPlan({ db, plans }: { readonly db: Db; readonly plans: Plans }): IndexShares {
  const asked = bulk(db.kind, '$1', { name: 'asked', columns: { id: 'text' } });
  const sql = `select id, plan from tenants where id in (select id from ${asked})`;
  return async (tenants) => {
    const rows = await db.query(sql, [JSON.stringify(tenants.map((id) => [id]))]);
    return new Map(readRows(Row, rows).map(({ id, plan }) => [id, planNamed(plans, plan).index_bytes]));
  };
}

/** Pages of a tenant that are to go. */
export type TenantCut = { readonly tenant: string; readonly pages: number };

/**
 * How many pages each tenant loses so that `room` is enough. Those that have the most for their share come down to one level of
 * it, and the others lose nothing. No share is larger than the room.
 */
export function cutToShares(
  held: readonly TenantPages[],
  shares: ReadonlyMap<string, number | null>,
  room: number,
): readonly TenantCut[] {
  const most = Math.max(1, room);
  const parts = held
    .map((one) => ({ ...one, share: Math.max(1, Math.min(shares.get(one.tenant) ?? most, most)) }))
    .toSorted((a, b) => b.bytes / b.share - a.bytes / a.share);
  const level = findLevel(parts, Math.max(0, room));
  return parts.flatMap(({ tenant, pages, bytes, share }) => {
    const beyond = bytes - level * share;
    return beyond > 0 ? [{ tenant, pages: Math.ceil((pages * beyond) / bytes) }] : [];
  });
}
