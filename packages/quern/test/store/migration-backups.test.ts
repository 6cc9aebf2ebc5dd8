import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { backUpBeforeMigration } from '#store/backup.ts';
import { migrate } from '#store/migrate.ts';
import { type KnownSchema, loadKnownSchema, getNewestVersion } from '#store/schema.ts';
import { NOW, SECRET } from '#support/archive.ts';
import { inTemporaryFolder, onEveryStore, withStoreKind } from '#support/store.ts';

/** A newer schema version with one more migration file. */
async function nextCode(): Promise<KnownSchema> {
  const code = await loadKnownSchema();
  const more = { version: getNewestVersion(code) + 1, text: 'create table extras (id text primary key)' };
  return { quern: '9.0.0', migrations: [...code.migrations, more] };
}

onEveryStore('data is backed up before a migration, and the newest three such backups are kept', async (kind) => {
  await inTemporaryFolder(async (dataDir) =>
    withStoreKind(kind, async (db) => {
      const code = await nextCode();
      const notes: string[] = [];
      const folder = join(dataDir, 'backups');
      const before = async (at: number): Promise<void> =>
        backUpBeforeMigration(db, code, {
          dataDir,
          secret: () => ({ bytes: SECRET, included: true }),
          openObjects: async () => null,
          now: () => at,
          note: (line) => void notes.push(line),
        });
      await before(NOW);
      await writeFile(join(folder, 'schema-1-x.quern.part'), 'left by a crash');
      await writeFile(join(folder, 'own.quern'), 'of the operator');
      for (const days of [3, 1, 2]) await before(NOW + days * 86_400_000);
      const names = (await readdir(folder)).toSorted();
      const schema = getNewestVersion(code) - 1;
      const kept = [22, 23, 24].map((day) => `schema-${schema}-2026-11-${day}T120000.000Z.quern`);
      assert.deepEqual(names, ['own.quern', ...kept]);
      assert.equal((await stat(folder)).mode & 0o777, 0o700);
      assert.equal(notes.length, 4);
      await migrate(db, code);
      await before(NOW + 9 * 86_400_000);
      assert.deepEqual((await readdir(folder)).toSorted(), names, 'of the newest schema none is made');
    }),
  );
});
