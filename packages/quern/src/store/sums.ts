import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Db, Row, StoreKind, SqlValue } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';

/** Maximum rows that one statement sums up: the embedded store blocks other statements meanwhile. */
const PIECE_ROWS: Readonly<Record<StoreKind, number>> = { sqlite: 2000, postgres: 1_000_000 };

const Total = z.object({ bytes: z.number() });
const TenantTotal = z.object({ tenant: z.string(), bytes: z.number() });

/** The statements that read a table in pieces, through an index that includes the `bytes` column. */
export type SumQueries = {
  /** SQL for the position that is N rows (last parameter) after a given position (first parameters). */
  readonly after: string;
  /** SQL for the sum of `bytes` between two positions, and (`rest`) after a position. */
  readonly between: string;
  readonly rest: string;
  /** Sorts before every position. */
  readonly start: readonly SqlValue[];
  readonly toPosition: (row: Row) => readonly SqlValue[];
};

/** Sums up the bytes of all rows, one piece at a time, so that other statements can run in between. */
export async function sumInPieces(db: Db, walk: SumQueries): Promise<number> {
  let bytes = 0;
  for await (const rows of readPieces(db, walk)) bytes += getTotal(rows);
  return bytes;
}

/** Sums up the bytes by tenant; each piece returns a row for each tenant. */
export async function sumByTenant(db: Db, walk: SumQueries): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for await (const rows of readPieces(db, walk))
    for (const { tenant, bytes } of readRows(TenantTotal, rows)) sums.set(tenant, (sums.get(tenant) ?? 0) + bytes);
  return sums;
}

async function* readPieces(
  db: Db,
  { after, between, rest, start, toPosition }: SumQueries,
): AsyncGenerator<readonly Row[]> {
  for (let from = start; ;) {
    const [next] = await db.query(after, [...from, PIECE_ROWS[db.kind] - 1]);
    if (next === undefined) {
      yield await db.query(rest, from);
      return;
    }
    const to = toPosition(next);
    yield await db.query(between, [...from, ...to]);
    from = to;
    await turn();
  }
}

function getTotal(rows: readonly Row[]): number {
  return readRow(Total, rows)?.bytes ?? 0;
}
