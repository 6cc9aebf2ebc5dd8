import { setImmediate as turn } from 'node:timers/promises';
import { z } from 'zod';
import type { Db, Row, StoreKind, Value } from '#store/db.ts';
import { readRow } from '#store/rows.ts';

/** Rows that one statement adds up: the embedded store answers nobody else meanwhile. */
const AT_A_TIME: Readonly<Record<StoreKind, number>> = { sqlite: 2000, postgres: 1_000_000 };

const Total = z.object({ bytes: z.number() });

/** How the rows of a table are walked through by an index that holds their bytes too. */
export type Walk = {
  /** The position of the row that comes so many (the last parameter) after the position of the first parameters. */
  readonly after: string;
  /** The sum of `bytes` behind the one position up to the other, and of all that are left. */
  readonly between: string;
  readonly rest: string;
  /** Sorts before every position. */
  readonly start: readonly Value[];
  readonly toPosition: (row: Row) => readonly Value[];
};

/** Adds up the bytes of any number of rows a piece at a time, so that others have their turn between two of them. */
export async function sumInPieces(db: Db, { after, between, rest, start, toPosition }: Walk): Promise<number> {
  let bytes = 0;
  for (let from = start; ;) {
    const [next] = await db.query(after, [...from, AT_A_TIME[db.kind] - 1]);
    if (next === undefined) return bytes + totalOf(await db.query(rest, from));
    const to = toPosition(next);
    bytes += totalOf(await db.query(between, [...from, ...to]));
    from = to;
    await turn();
  }
}

function totalOf(rows: readonly Row[]): number {
  return readRow(Total, rows)?.bytes ?? 0;
}
