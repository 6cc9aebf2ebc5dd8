import type { StoreKind } from './db.ts';

/*
 * The statements that differ between the two stores, for both of them; every other statement is one text for both.
 */

/**
 * A statement of a migration file for a store. Ids, days and cursors are compared as text, and PostgreSQL would compare
 * them by the locale of its database, so each text column gets a collation by bytes, as SQLite has. In those files the
 * words `text` and `blob` are used only for the types.
 */
export const TRANSLATE_MIGRATION: Readonly<Record<StoreKind, (sql: string) => string>> = {
  sqlite: (sql) => sql,
  postgres: (sql) => sql.replaceAll(/\btext\b/g, 'text collate "C"').replaceAll(/\bblob\b/g, 'bytea'),
};

/**
 * Shared commits that may be under way at once. SQLite has one writer. On PostgreSQL a batch may wait for a row that another
 * process has locked, while other batches go on.
 */
export const COMMIT_LANES: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 4 };

/** The end of a select of rows to change: each process skips the rows that another has locked. */
export const SKIP_LOCKED: Readonly<Record<StoreKind, string>> = { sqlite: '', postgres: ' for update skip locked' };

/**
 * Compares a column with the rows that a select finds. PostgreSQL may read a whole table to find rows after `in`, and with
 * statistics from when the table was almost empty runs the select again for each of its rows. An array is made only once.
 */
export const IS_AMONG: Readonly<Record<StoreKind, (column: string, select: string) => string>> = {
  sqlite: (column, select) => `${column} in (${select})`,
  postgres: (column, select) => `${column} = any (array(${select}))`,
};

/** Types of the columns of a bulk of rows. */
type ColumnTypes = Readonly<Record<string, 'text' | 'bigint'>>;

/**
 * Many rows in one parameter: a table of this name and columns from a JSON array of arrays, so that a batch is one statement
 * of any size. It stands after `from`.
 *
 * A `limit` without effect makes SQLite build the table once and look its rows up in other tables. Its planner would
 * otherwise assume a long table, scan the other one first, and parse the JSON again for each row.
 */
export function bulk(
  kind: StoreKind,
  parameter: string,
  { name, columns }: { name: string; columns: ColumnTypes },
): string {
  const cells = Object.entries(columns).map(([column, type], at) =>
    kind === 'sqlite'
      ? `json_extract(value, '$[${at}]') as ${column}`
      : `cast(value ->> ${at} as ${type}) as ${column}`,
  );
  const rows =
    kind === 'sqlite'
      ? `json_each(${parameter}) limit -1`
      : `jsonb_array_elements(cast(${parameter} as jsonb)) as t(value)`;
  return `(select ${cells.join(', ')} from ${rows}) as ${name}`;
}
/** Finds a table by its name. */
export const FIND_TABLE: Readonly<Record<StoreKind, string>> = {
  sqlite: "select name from sqlite_schema where type = 'table' and name = $1",
  postgres:
    'select table_name from information_schema.tables where table_schema = current_schema() and table_name = $1',
};

/** Whether equal statements are merged, to save round trips to a server; SQLite has none, and prepares each text once. */
export const MERGES_STATEMENTS: Readonly<Record<StoreKind, boolean>> = { sqlite: false, postgres: true };

/** Locks the rows of the tenants in a JSON array, in the order of their ids; with the one writer of SQLite there is no need. */
export const LOCK_TENANTS: Readonly<Record<StoreKind, string | null>> = {
  sqlite: null,
  postgres: `select id from tenants where id in (select json_array_elements_text($1)) order by id for no key update`,
};
