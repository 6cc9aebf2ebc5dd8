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
