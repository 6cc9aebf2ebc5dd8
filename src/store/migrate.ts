import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Db } from './db.ts';
import { readRows } from './rows.ts';

const FOLDER = join(import.meta.dirname, 'migrations');
const Version = z.object({ version: z.number() });

/** Brings the schema to the newest numbered file, each in one transaction; throws when it is newer than the code. */
export async function migrate(db: Db): Promise<void> {
  await db.query('create table if not exists migrations (version integer primary key)');
  const applied = readRows(Version, await db.query('select version from migrations')).map((row) => row.version);
  const files = (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).toSorted();
  const newest = Math.max(0, ...applied);
  if (newest > files.length) {
    throw new Error(
      `the data were written by a newer Quern (schema ${newest}, this one knows ${files.length}): start that version, or name another QUERN_DATA_DIR`,
    );
  }
  for (const name of files) await apply(db, name);
}

/** Another process may have applied the same file since it was listed, so the version is claimed first. */
async function apply(db: Db, name: string): Promise<void> {
  const version = Number.parseInt(name, 10);
  const text = await readFile(join(FOLDER, name), 'utf8');
  await db.transaction(async (tx) => {
    const claimed = await tx.query(
      'insert into migrations (version) values ($1) on conflict do nothing returning version',
      [version],
    );
    if (claimed.length === 0) return;
    for (const statement of text.split(';')) if (statement.trim() !== '') await tx.query(statement.trim());
  });
}
