import type { StoreKind } from './db.ts';

/*
 * Where the two stores need different words, both stand here side by side; every other statement is one text for both.
 */

/**
 * A statement of a migration file as the store needs it. Ids, days and cursors are compared as text, and PostgreSQL
 * would compare them by the language of its database, so each text column is told to compare bytes as SQLite does. In
 * those files the words `text` and `blob` stand for the types and nothing else.
 */
export const TO_SCHEMA: Readonly<Record<StoreKind, (sql: string) => string>> = {
  sqlite: (sql) => sql,
  postgres: (sql) => sql.replaceAll(/\btext\b/g, 'text collate "C"').replaceAll(/\bblob\b/g, 'bytea'),
};

/**
 * How many shared commits may be under way at once. SQLite has one writer. On PostgreSQL a batch may wait for a row that
 * another process holds, and the others go on beside it.
 */
export const COMMIT_LANES: Readonly<Record<StoreKind, number>> = { sqlite: 1, postgres: 4 };

/** Behind a select of rows that are to be changed: of several processes each passes over those that another one has. */
export const SKIP_LOCKED: Readonly<Record<StoreKind, string>> = { sqlite: '', postgres: ' for update skip locked' };

/** Types of the columns of a bulk of rows. */
type Columns = Readonly<Record<string, 'text' | 'bigint'>>;

/**
 * Many rows in one parameter: a table of that name and columns, made of a JSON array of arrays, so that a batch is one
 * statement whatever its size. Write it after `from`.
 *
 * A `limit` without effect has SQLite make the table once and look its rows up in others. It would else fold the JSON into
 * the statement, guess that it is long, go through all that may match first, and read the JSON anew for each of those.
 */
export function bulk(
  kind: StoreKind,
  parameter: string,
  { name, columns }: { name: string; columns: Columns },
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
export const HAS_TABLE: Readonly<Record<StoreKind, string>> = {
  sqlite: "select name from sqlite_schema where type = 'table' and name = $1",
  postgres:
    'select table_name from information_schema.tables where table_schema = current_schema() and table_name = $1',
};

/** Where a statement costs a way to the server, equal ones go as one; SQLite prepares each text once and runs it at once. */
export const MERGES: Readonly<Record<StoreKind, boolean>> = { sqlite: false, postgres: true };

/** Takes the rows of the tenants of a JSON array, in the order of their ids. SQLite's one writer has them all. */
export const LOCK_TENANTS: Readonly<Record<StoreKind, string | null>> = {
  sqlite: null,
  postgres: `select id from tenants where id in (select json_array_elements_text($1)) order by id for no key update`,
};
