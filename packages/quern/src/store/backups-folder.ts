import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { toTimestamp } from '#kernel/clock.ts';

const KEPT = 3;
const BEFORE_MIGRATION = /^schema-\d+-(.+)\.quern$/;
const UNFINISHED = /\.part$/;

/** The folder of automatic backups in the data folder; created if it is missing. */
export async function makeBackups(dataDir: string): Promise<string> {
  const folder = join(dataDir, 'backups');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** The instant as a part of a file name: `2026-11-21T120000.000Z`. */
export function toFileInstant(now: number): string {
  return toTimestamp(now).replaceAll(':', '');
}

/** The name of a backup before a migration from `schema`. */
export function toMigrationName(schema: number, now: number): string {
  return `schema-${schema}-${toFileInstant(now)}.quern`;
}

/** Deletes all but the newest backups before migrations, and the partial file of one that a crash ended. */
export async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  const ours = names
    .filter((name) => BEFORE_MIGRATION.test(name))
    .toSorted((a, b) => (instantOf(a) < instantOf(b) ? 1 : -1));
  for (const name of [...ours.slice(KEPT), ...names.filter((one) => UNFINISHED.test(one))])
    await rm(join(folder, name));
}

function instantOf(name: string): string {
  return BEFORE_MIGRATION.exec(name)?.[1] ?? '';
}
