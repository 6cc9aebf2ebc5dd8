import type { Db } from '#store/db.ts';

/** The SQL value of a column, by table and column; `n` counts the rows from 1. */
export type Columns = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Inserts `count` rows into tables, with one statement per table. */
export async function insertMany(db: Db, count: number, tables: Columns): Promise<void> {
  for (const [table, columns] of Object.entries(tables)) {
    await db.query(
      `insert into ${table} (${Object.keys(columns).join(', ')})
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})
        select ${Object.values(columns).join(', ')} from numbers`,
    );
  }
}
