import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadKnownSchema, getNewestVersion } from '#store/schema.ts';
import { copyProgram } from './copy.ts';

/** Columns that a newer version may have added to existing tables, and a new table. */
const ADDED = `
alter table tenants add column motto text not null default 'grind';
alter table jobs add column weight bigint not null default 1;
alter table ledger add column note text;
alter table requests add column note text;
alter table reservations add column note text;
alter table idempotent_answers add column note text;
create table extras (id text primary key, n bigint not null default 0)`;

/** Another version of Quern, with one more migration than this one. */
export type Newer = { readonly program: string; readonly schema: number };

/** Creates a newer Quern in a folder: a copy of this one with the given version. */
export async function makeNewer(folder: string, version: string): Promise<Newer> {
  await copyProgram(folder);
  const manifest = join(folder, 'packages/quern/package.json');
  const own: unknown = JSON.parse(await readFile(manifest, 'utf8'));
  await writeFile(manifest, JSON.stringify({ ...Object(own), version }));
  const schema = getNewestVersion(await loadKnownSchema()) + 1;
  const name = `${String(schema).padStart(4, '0')}-newer.sql`;
  await writeFile(join(folder, 'packages/quern/src/store/migrations', name), ADDED.trim());
  return { program: join(folder, 'packages/quern/bin/quern.mjs'), schema };
}
