import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StoreUnavailable } from './db.ts';
import type { Db, Row } from './db.ts';
import { TO_SCHEMA } from './dialect.ts';
import { readRows } from './rows.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const Version = z.object({ version: z.number() });

/**
 * Brings the schema to the newest numbered file, each in one transaction; throws when it is newer than the code. Any
 * number of processes may do so at once.
 */
export async function migrate(db: Db): Promise<void> {
  const applied = readRows(Version, await openList(db)).map((row) => row.version);
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
  const newest = Math.max(0, ...applied);
  if (newest > files.length) {
    throw new Error(
      `the data were written by a newer Quern (schema ${newest}, this one knows ${files.length}): start that version, or name another ${db.kind === 'sqlite' ? 'QUERN_DATA_DIR' : 'QUERN_DATABASE_URL'}`,
    );
  }
  for (const name of files) await apply(db, name);
}

/** PostgreSQL lets one of two that make the same table at once fail; then the other's is there. */
async function openList(db: Db): Promise<readonly Row[]> {
  try {
    await db.query('create table if not exists migrations (version integer primary key)');
  } catch (error) {
    if (error instanceof StoreUnavailable) throw error;
    return db.query('select version from migrations').catch(() => {
      throw error;
    });
  }
  return db.query('select version from migrations');
}

/**
 * Another process may be applying the same file, so the version is claimed first: the claim of the second waits for the
 * first to commit, and then finds it taken.
 */
async function apply(db: Db, name: string): Promise<void> {
  const version = Number.parseInt(name, 10);
  const text = await readFile(join(FOLDER, name), 'utf8');
  await db.transaction(async (tx) => {
    const claimed = await tx.query(
      'insert into migrations (version) values ($1) on conflict do nothing returning version',
      [version],
    );
    if (claimed.length === 0) return;
    const statements = TO_SCHEMA[db.kind](text).split(';');
    for (const statement of statements) if (statement.trim() !== '') await tx.query(statement.trim());
  });
}
