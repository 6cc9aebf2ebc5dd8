import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Db, Row, StoreKind, Value } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';

/** Rows that one statement adds up, since the embedded store serves nothing else meanwhile. */
const PIECE_ROWS: Readonly<Record<StoreKind, number>> = { sqlite: 2000, postgres: 1_000_000 };

const Total = z.object({ bytes: z.number() });
const TenantTotal = z.object({ tenant: z.string(), bytes: z.number() });

/** How the rows of a table are read in pieces, through an index that includes their bytes. */
export type Walk = {
  /** The statement for the position N rows (the last parameter) after a given position (the first parameters). */
  readonly after: string;
  /** The statements for the sum of `bytes` between two positions, and for that of the remaining rows. */
  readonly between: string;
  readonly rest: string;
  /** Sorts before every position. */
  readonly start: readonly Value[];
  readonly toPosition: (row: Row) => readonly Value[];
};

/** Adds up the bytes of any number of rows a piece at a time, so that other statements run in between. */
export async function sumInPieces(db: Db, walk: Walk): Promise<number> {
  let bytes = 0;
  for await (const rows of readPieces(db, walk)) bytes += getTotal(rows);
  return bytes;
}

/** The same for each tenant, of which each piece has a row with its `bytes`. */
export async function sumByTenant(db: Db, walk: Walk): Promise<ReadonlyMap<string, number>> {
  const sums = new Map<string, number>();
  for await (const rows of readPieces(db, walk))
    for (const { tenant, bytes } of readRows(TenantTotal, rows)) sums.set(tenant, (sums.get(tenant) ?? 0) + bytes);
  return sums;
}

async function* readPieces(db: Db, { after, between, rest, start, toPosition }: Walk): AsyncGenerator<readonly Row[]> {
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
