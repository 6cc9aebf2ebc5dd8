import { join } from 'node:path';
import { OperatorError } from '#kernel/errors.ts';
import { makeBackups, prune, toMigrationName } from './backups-folder.ts';
import { type ReadObject, type Secret, writeBackup } from './backup.ts';
import type { Db, Statements, StoreKind } from './db.ts';
import { findApplied, refuseNewer, schemaOf } from './migrate.ts';
import { type Code, newestOf } from './schema.ts';

/** The parts of a backup before a migration. */
export type MigrationBackups = {
  readonly dataDir: string;
  /** Called only when a backup is made. */
  readonly secret: () => Secret;
  /** Called only when a backup is made; null leaves large results out of it. */
  readonly openObjects: () => Promise<ReadObject | null>;
  readonly now: () => number;
  /** Receives a line about the backup. */
  readonly note: (line: string) => void;
};

/**
 * Backs up data of an older schema; an empty store has nothing to lose. Throws `OperatorError` when the backup cannot
 * be written, so that no migration begins without one.
 */
export async function backUpBeforeMigration(db: Db, code: Code, backups: MigrationBackups): Promise<void> {
  const applied = await findApplied(db, db.kind);
  refuseNewer(applied, { code, kind: db.kind });
  const schema = schemaOf(applied);
  if (schema === 0 || schema >= newestOf(code)) return;
  try {
    await db.snapshot(async (view) => backUp({ view, kind: db.kind, schema }, code, backups));
  } catch (error) {
    // Another process has begun the migration meanwhile, after a backup of its own; renamed columns cannot be read as before.
    if (schemaOf(await findApplied(db, db.kind)) > schema) return;
    throw new OperatorError(
      `QUERN_DATA_DIR ${backups.dataDir}: no backup can be made before the data are brought to schema ${newestOf(code)}, and nothing was changed: make room there, or start the older version again (${error instanceof Error ? error.message : String(error)})`,
      { cause: error },
    );
  }
}

type OldStore = { readonly view: Statements; readonly kind: StoreKind; readonly schema: number };

/** Writes the backup into the data folder, and deletes the oldest ones beyond the limit. */
async function backUp({ view, kind, schema }: OldStore, code: Code, backups: MigrationBackups): Promise<void> {
  const { dataDir, secret, openObjects, now, note } = backups;
  const at = now();
  const folder = await makeBackups(dataDir);
  const file = join(folder, toMigrationName(schema, at));
  const facts = { code, secret: secret(), readObject: await openObjects(), now: at, progress: ignore };
  await writeBackup({ view, kind }, file, { ...facts, signal: new AbortController().signal });
  await prune(folder);
  note(`the data are backed up in ${file} before they are brought from schema ${schema} to ${newestOf(code)}`);
}

/** Ignores progress: a start does not show it. */
function ignore(): void {}
