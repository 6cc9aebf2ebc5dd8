import type { StoreKind } from './db.ts';

/*
 * SQL that differs between SQLite and PostgreSQL. All other statements are the same for both.
 */

/**
 * Translates a statement of a migration file. PostgreSQL would compare ids, days and cursors by the locale of the database, so
 * text columns get a byte-wise collation, as in SQLite. Migration files use the words `text` and `blob` only for types.
 */
export const TRANSLATE_MIGRATION: Readonly<Record<StoreKind, (sql: string) => string>> = {
  sqlite: (sql) => sql,
  postgres: (sql) => sql.replaceAll(/\btext\b/g, 'text collate "C"').replaceAll(/\bblob\b/g, 'bytea'),
};

/**
 * Group commits that may run at once. SQLite has one writer. On PostgreSQL, a batch may wait for a row that another process has
 * locked while other batches continue.
 */
export const COMMIT_LANES: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 4 };

/** Suffix of a select of rows to change, so that a process skips rows that another one has locked. */
export const SKIP_LOCKED: Readonly<Record<StoreKind, string>> = { sqlite: '', postgres: ' for update skip locked' };

/**
 * Condition that a column is in the result of a select. For `in`, PostgreSQL may scan the whole table and, with outdated
 * statistics, run the select again for each row; an array is computed only once.
 */
export const IN_SELECT: Readonly<Record<StoreKind, (column: string, select: string) => string>> = {
  sqlite: (column, select) => `${column} in (${select})`,
  postgres: (column, select) => `${column} = any (array(${select}))`,
};

/** Types of the columns of a bulk of rows. */
type ColumnTypes = Readonly<Record<string, 'text' | 'bigint'>>;

/**
 * Builds a table expression (for use after `from`) whose rows come from one parameter, a JSON array of arrays, so that a batch
 * of any size is one statement.
 *
 * `limit -1` has no effect on the result, but makes SQLite build the table once and look up its rows in the other table.
 * Without it, the planner scans the other table first and parses the JSON again for each row.
 */
export function buildRowsTable(
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

/** Whether equal statements are merged to save round trips; SQLite has no round trips. */
export const MERGES_STATEMENTS: Readonly<Record<StoreKind, boolean>> = { sqlite: false, postgres: true };

/** Locks the rows of the tenants in a JSON array, in order of their ids; not needed for SQLite, which has one writer. */
export const LOCK_TENANTS: Readonly<Record<StoreKind, string | null>> = {
  sqlite: null,
  postgres: `select id from tenants where id in (select json_array_elements_text($1)) order by id for no key update`,
};
