import { join } from 'node:path';
import { makeBackups, prune, toMigrationName } from './backups-folder.ts';
import { writeBackup } from './backup.ts';
import type { ReadObject, Secret } from './backup.ts';
import type { Db } from './db.ts';
import { findApplied, refuseNewer, schemaOf } from './migrate.ts';
import { newestOf } from './schema.ts';
import type { Code } from './schema.ts';

/** Where a backup goes before a migration, and what it takes. */
export type MigrationBackups = {
  readonly dataDir: string;
  /** Asked for only when a backup is made. */
  readonly secret: () => Secret;
  /** Asked for only when a backup is made; null leaves large results where they are. */
  readonly openObjects: () => Promise<ReadObject | null>;
  readonly now: () => number;
  /** Told of the backup, a line. */
  readonly note: (line: string) => void;
};

/**
 * Backs up data of an older schema; an empty store has nothing to lose. Throws an Error of one line when the backup cannot
 * be written, so that no migration begins without one.
 */
export async function backUpBeforeMigration(db: Db, code: Code, backups: MigrationBackups): Promise<void> {
  const { dataDir, secret, openObjects, now, note } = backups;
  await db.snapshot(async (view) => {
    const applied = await findApplied(view, db.kind);
    refuseNewer(applied, { code, kind: db.kind });
    const schema = schemaOf(applied);
    if (schema === 0 || schema >= newestOf(code)) return;
    const at = now();
    try {
      const folder = await makeBackups(dataDir);
      const file = join(folder, toMigrationName(schema, at));
      const facts = { code, secret: secret(), readObject: await openObjects(), now: at, progress: ignore };
      await writeBackup({ view, kind: db.kind }, file, { ...facts, signal: new AbortController().signal });
      await prune(folder);
      note(`the data are backed up in ${file} before they are brought from schema ${schema} to ${newestOf(code)}`);
    } catch (error) {
      throw new Error(
        `QUERN_DATA_DIR ${dataDir}: no backup can be made before the data are brought to schema ${newestOf(code)}, and nothing was changed: make room there, or start the older version again (${error instanceof Error ? error.message : String(error)})`,
        { cause: error },
      );
    }
  });
}

/** A start says nothing of how far it is. */
function ignore(): void {}
