import { z } from 'zod';
import { resolvePlan, type Plans } from '#engine/identity/plans.ts';
import { computeShareLevel } from '#kernel/share-level.ts';
import type { Db } from '#store/db.ts';
import { buildRowsTable } from '#store/dialect.ts';
import { readRows } from '#store/rows.ts';

/** Finds how many bytes of the index each tenant may use when space is scarce; null if the plan sets no limit. */
export type IndexShares = (tenants: readonly string[]) => Promise<ReadonlyMap<string, number | null>>;

/** The index usage of a tenant. */
export type TenantUsage = { readonly tenant: string; readonly pages: number; readonly bytes: number };

const Row = z.object({ id: z.string(), plan: z.string() });

/** The shares of tenants according to their plans. */
export function buildSharesByPlan({ db, plans }: { readonly db: Db; readonly plans: Plans }): IndexShares {
  const given = buildRowsTable(db.kind, '$1', { name: 'asked', columns: { id: 'text' } });
  const sql = `select id, plan from tenants where id in (select id from ${given})`;
  return async (tenants) => {
    const rows = await db.query(sql, [JSON.stringify(tenants.map((id) => [id]))]);
    return new Map(readRows(Row, rows).map(({ id, plan }) => [id, resolvePlan(plans, plan).index_bytes]));
  };
}

/** Number of pages to remove of a tenant. */
export type TenantCut = { readonly tenant: string; readonly pages: number };

/**
 * Computes how many pages each tenant loses so that the index fits into `maxBytes`. Tenants with the highest usage relative to their
 * share are reduced to a common level; the others lose nothing.
 */
export function computeCuts(
  usage: readonly TenantUsage[],
  shares: ReadonlyMap<string, number | null>,
  maxBytes: number,
): readonly TenantCut[] {
  const most = Math.max(1, maxBytes);
  const parts = usage
    .map((one) => ({ ...one, share: Math.max(1, Math.min(shares.get(one.tenant) ?? most, most)) }))
    .toSorted((a, b) => b.bytes / b.share - a.bytes / a.share);
  const level = computeShareLevel(parts, Math.max(0, maxBytes));
  return parts.flatMap(({ tenant, pages, bytes, share }) => {
    const beyond = bytes - level * share;
    return beyond > 0 ? [{ tenant, pages: Math.ceil((pages * beyond) / bytes) }] : [];
  });
}
