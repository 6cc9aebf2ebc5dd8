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
