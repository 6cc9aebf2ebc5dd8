import assert from 'node:assert/strict';
import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Db, StoreKind } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import { getNewestVersion, loadKnownSchema } from '#store/schema.ts';
import { openSqlite } from '#store/sqlite.ts';
import {
  backUp,
  dump,
  populate,
  populateMore,
  readArchive,
  restoreToFolder,
  restoreToServer,
  SECRET,
} from '../support/archive.ts';
import { atPlace, inTemporaryFolder, onEveryStore, withStoreKind, TESTED_STORES } from '../support/store.ts';

/** A migrated store with rows, and a folder for its backups. */
async function withRows(kind: StoreKind, work: (db: Db, folder: string) => Promise<void>): Promise<void> {
  await inTemporaryFolder(async (folder) =>
    withStoreKind(kind, async (db) => {
      await populate(db);
      await work(db, folder);
    }),
  );
}

/** The data after a backup of one store is restored into the other kind. */
async function dumpRestored(kind: StoreKind, file: string): Promise<unknown> {
  return atPlace(kind, async (open, place) => {
    if (kind === 'postgres') {
      const db = await open();
      return inTemporaryFolder(async (dataDir) => {
        await restoreToServer(db, { file, dataDir });
        return dump(db);
      });
    }
    await restoreToFolder({ file, dataDir: place });
    return dump(await open());
  });
}

suite('a backup', { concurrency: 2 }, () => {
  for (const from of TESTED_STORES) {
    for (const to of TESTED_STORES) {
      test(`of ${from} restores to the same values in ${to}`, async () => {
        await withRows(from, async (db, folder) => {
          await populateMore(db);
          const file = join(folder, 'a.quern');
          const { rows } = await backUp(db, file);
          assert.equal(rows['requests'], 1200);
          assert.deepEqual([rows['cached_pages'], rows['processes']], [undefined, undefined]);
          assert.deepEqual(await dumpRestored(to, file), await dump(db));
        });
      });
    }
  }

  onEveryStore('is consistent at one moment while the service keeps writing', async (kind) => {
    await withRows(kind, async (db, folder) => {
      const go = new AbortController();
      let moved = 0;
      async function move(): Promise<void> {
        while (!go.signal.aborted) {
          await turn();
          await db.transaction(async (tx) => {
            await tx.query("update tenants set used = used + 1 where id = 'ten_1'");
            await tx.query(
              `insert into ledger (key, tenant_id, at, cycle, day, kind, operation, credits)
                values ($1, 'ten_1', '', '', '', 'charge', 'fetch', 1)`,
              [`m${(moved += 1)}`],
            );
          });
        }
      }
      const moving = move();
      const file = join(folder, 'a.quern');
      const { rows } = await backUp(db, file);
      go.abort();
      await moving;
      const tenant = (await readArchive(file)).find((line) => line.startsWith('["ten_1","Mühle'));
      assert.equal(JSON.parse(tenant ?? '[]')[5], 40 + (rows['ledger'] ?? 0));
    });
  });

  onEveryStore(
    'stores referenced objects inside the rows, and keeps the reference of a missing object',
    async (kind) => {
      await withRows(kind, async (db, folder) => {
        const file = join(folder, 'a.quern');
        const asked: unknown[] = [];
        await backUp(db, file, {
          async readObject(key, bytes) {
            asked.push([key, bytes]);
            return key.endsWith('here') ? Uint8Array.of(1, 2, 3, 4) : null;
          },
        });
        assert.deepEqual(asked, [
          ['space/job_3/here', 4],
          ['space/job_3/gone', 4],
        ]);
        await inTemporaryFolder(async (dataDir) => {
          await restoreToFolder({ file, dataDir });
          const restored = openSqlite(join(dataDir, 'quern.db'), { sync: 'normal' });
          const rows = await restored.query('select packed, object from result_segments where seq > 0 order by seq');
          await restored.close();
          assert.deepEqual(
            rows.map((row) => ({ ...row })),
            [
              { packed: Uint8Array.of(1, 2, 3, 4), object: null },
              { packed: null, object: 'space/job_3/gone' },
            ],
          );
        });
      });
    },
  );

  test('is readable only by its owner, overwrites no file, and leaves nothing if it cannot be written', async () => {
    await withRows('sqlite', async (db, folder) => {
      const file = join(folder, 'a.quern');
      const { bytes } = await backUp(db, file);
      const { mode, size } = await stat(file);
      assert.deepEqual([mode & 0o777, size], [0o600, bytes]);
      await assert.rejects(backUp(db, file), /a\.quern: already exists; choose another file/);
      await assert.rejects(backUp(db, join(folder, 'none/a.quern')), /none\/a\.quern: cannot be written \(ENOENT\)$/);
      assert.deepEqual(await readdir(folder), ['a.quern']);
    });
  });

  test('that fails halfway leaves no file', async () => {
    await withRows('sqlite', async (db, folder) => {
      await db.query(`update tenants set used = 9007199254740992 where id = 'ten_2'`);
      await assert.rejects(backUp(db, join(folder, 'a.quern')), RangeError);
      assert.deepEqual(await readdir(folder), []);
    });
  });

  test('contains the secret of a data folder, but only the fingerprint of a configured one', async () => {
    await withRows('sqlite', async (db, folder) => {
      const own = join(folder, 'own.quern');
      const set = join(folder, 'set.quern');
      await backUp(db, own);
      await backUp(db, set, { included: false });
      const key = SECRET.toString('base64');
      assert.ok((await readArchive(own))[0]?.includes(key));
      assert.ok(!(await readArchive(set)).join('').includes(key));
    });
  });

  onEveryStore('of an empty store, or of an unknown schema, is rejected', async (kind) => {
    await inTemporaryFolder(async (folder) =>
      atPlace(kind, async (open) => {
        const db = await open();
        await assert.rejects(backUp(db, join(folder, 'a')), /nothing to back up/);
        await migrate(db);
        const code = await loadKnownSchema();
        const older = { ...code, migrations: code.migrations.slice(0, -1) };
        await assert.rejects(
          backUp(db, join(folder, 'a'), { code: older }),
          new RegExp(
            `the data has schema ${getNewestVersion(code)}, but this Quern, .*, supports ${getNewestVersion(older)}`,
          ),
        );
        assert.deepEqual(await readdir(folder), []);
      }),
    );
  });

  test('leaves no file if it is interrupted', async () => {
    await withRows('sqlite', async (db, folder) => {
      await writeFile(join(folder, 'other'), '');
      const interrupted = AbortSignal.abort(new Error('stop'));
      await assert.rejects(backUp(db, join(folder, 'a.quern'), { signal: interrupted }));
      assert.deepEqual(await readdir(folder), ['other']);
    });
  });
});
