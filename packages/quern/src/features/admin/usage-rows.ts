import { z } from 'zod';
import type { Db } from '#store/db.ts';
import { readRows } from '#store/rows.ts';

const TENANTS = 'select id, name from tenants where id >= $1 order by id limit $2';
const ONE_TENANT = 'select id, name from tenants where id = $1 and id >= $2';
const ROWS = `select day as date, operation, calls, credits from ledger_days
  where tenant_id = $1 and day >= $2 and day <= $3 and (day > $4 or (day = $4 and operation > $5))
  order by day, operation limit $6`;

/** Tenants and rows that one statement reads, so that other calls of an embedded store have their turn. */
const TENANTS_AT_ONCE = 100;
const ROWS_AT_ONCE = 500;

const Tenant = z.object({ id: z.string(), name: z.string() });
const DayRow = z.object({ date: z.string(), operation: z.string(), calls: z.number(), credits: z.number() });
const Position = z.tuple([z.string(), z.string(), z.string()]);

/** What a tenant used on one day by one operation. */
export type TenantUsage = z.output<typeof DayRow> & { readonly tenant_id: string; readonly tenant: string };

export type UsageRange = {
  /** First and last day, inclusive, `2026-11-21`. */
  readonly from: string;
  readonly to: string;
  /** Null for all. */
  readonly tenant: string | null;
  /** The position of the last row that the reader has, null for none. */
  readonly after: string | null;
};

/** Where a row stands, for a cursor. */
export function positionOf({ tenant_id: tenant, date, operation }: TenantUsage): string {
  return JSON.stringify([tenant, date, operation]);
}

/** Rows by tenant, day and operation; each statement reads a bounded range of one index. */
export async function* readUsageRows(
  db: Db,
  { from, to, tenant, after }: UsageRange,
): AsyncGenerator<TenantUsage, void> {
  let [first, day, operation] = after === null ? ['', '', ''] : Position.parse(JSON.parse(after));
  for (;;) {
    const found =
      tenant === null ? await db.query(TENANTS, [first, TENANTS_AT_ONCE]) : await db.query(ONE_TENANT, [tenant, first]);
    const tenants = readRows(Tenant, found);
    for (const one of tenants) {
      if (one.id !== first) [day, operation] = ['', ''];
      for (;;) {
        const rows = readRows(DayRow, await db.query(ROWS, [one.id, from, to, day, operation, ROWS_AT_ONCE]));
        for (const row of rows) yield { ...row, tenant_id: one.id, tenant: one.name };
        const last = rows.at(-1);
        if (last === undefined || rows.length < ROWS_AT_ONCE) break;
        ({ date: day, operation } = last);
      }
    }
    const last = tenants.at(-1);
    if (tenant !== null || last === undefined || tenants.length < TENANTS_AT_ONCE) return;
    // The next tenant is behind every id that begins with this one's.
    first = `${last.id}\u0001`;
  }
}
