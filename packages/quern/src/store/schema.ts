import { readFile, readdir } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { z } from 'zod';
import { readVersion } from '#kernel/version.ts';
import { readRows } from './rows.ts';

/** One migration file: its SQL, and its number, which is the schema version it results in. */
export type Migration = { readonly version: number; readonly text: string };

/** The migrations that a version of Quern knows. */
export type KnownSchema = {
  /** The version of Quern, `0.1.0`. */
  readonly quern: string;
  /** In ascending order. */
  readonly migrations: readonly Migration[];
};

const COLUMN_TYPES = ['text', 'bigint', 'blob'] as const;

export type Column = { readonly name: string; readonly type: (typeof COLUMN_TYPES)[number] };

export type Table = {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The columns of its primary key, in order. */
  readonly key: readonly string[];
};

const SELECT_TABLES = "select name from sqlite_schema where type = 'table' order by name";
const SELECT_COLUMNS = 'select name, lower(type) as type, pk from pragma_table_info(?) order by cid';

const TableRow = z.object({ name: z.string() });
const ColumnRow = z.object({ name: z.string(), type: z.enum(COLUMN_TYPES), pk: z.number() });

/** Reads the migration files of a folder; by default those of this code. */
export async function loadKnownSchema(
  folder = join(import.meta.dirname, 'migrations'),
  quern = readVersion(),
): Promise<KnownSchema> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).toSorted();
  const migrations = names.map(async (name) => ({
    version: Number.parseInt(name, 10),
    text: await readFile(join(folder, name), 'utf8'),
  }));
  return { quern, migrations: await Promise.all(migrations) };
}

/** The newest schema version; 0 if there are no migrations. */
export function getNewestVersion({ migrations }: KnownSchema): number {
  return migrations.at(-1)?.version ?? 0;
}

/** The migrations from one schema version to another. */
export function listMigrations(code: KnownSchema, from: number, to: number): readonly Migration[] {
  return code.migrations.filter(({ version }) => version > from && version <= to);
}

/** The tables of a schema version, sorted by name. Read from SQLite in memory, because both databases have the same tables. */
export function readTables(code: KnownSchema, version: number): readonly Table[] {
  const empty = new DatabaseSync(':memory:');
  try {
    for (const { text } of listMigrations(code, 0, version)) empty.exec(text);
    return readRows(TableRow, empty.prepare(SELECT_TABLES).all()).map(({ name }) => {
      const columns = readRows(ColumnRow, empty.prepare(SELECT_COLUMNS).all(name));
      const key = columns.filter(({ pk }) => pk > 0).toSorted((a, b) => a.pk - b.pk);
      return {
        name,
        columns: columns.map(({ name: column, type }) => ({ name: column, type })),
        key: key.map((one) => one.name),
      };
    });
  } finally {
    empty.close();
  }
}
