import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chown, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Db, StoreUnavailable } from '#store/db.ts';
import { FreeSpaceCheck } from '#store/free-space.ts';
import { mountSmallVolume } from '../support/small-volume.ts';
import { openTestClock } from '../support/clock.ts';
import { inTemporaryFolder, onEveryStore, TESTED_STORES, withStoreKind } from '../support/store.ts';

function buildSpace(db: Db, folders: readonly string[]) {
  const clock = openTestClock('2026-11-21T12:00:00Z');
  const seen = { failures: 0 };
  return { room: new FreeSpaceCheck({ db, folders, failures: () => seen.failures, clock }), clock, seen };
}

onEveryStore('free space is tested with a write that leaves nothing behind', async (kind) => {
  await inTemporaryFolder(async (folder) =>
    withStoreKind(kind, async (db) => {
      await buildSpace(db, [folder]).room.assertFree();
      assert.deepEqual(await readdir(folder), []);
      assert.deepEqual(await db.query('select filler from room'), []);
    }),
  );
});

const NO_FULL_DEVICE = existsSync('/dev/full')
  ? false
  : 'there is no /dev/full here, which refuses every byte as a full disk does';

test(
  'a full folder is detected at once after a failure, otherwise within ten seconds',
  { skip: NO_FULL_DEVICE },
  async () => {
    await inTemporaryFolder(async (folder) =>
      withStoreKind('sqlite', async (db) => {
        const { room, clock, seen } = buildSpace(db, [folder]);
        const fill = async (): Promise<void> => symlink('/dev/full', join(folder, 'room.tmp'));
        await fill();
        await assert.rejects(
          room.assertFree(),
          (error) => error instanceof StoreUnavailable && error.message.includes('ENOSPC'),
        );
        // The attempt has removed the file that simulated the full disk.
        await room.assertFree();
        await fill();
        await room.assertFree();
        seen.failures += 1;
        await assert.rejects(room.assertFree(), StoreUnavailable);
        await room.assertFree();
        await fill();
        clock.pass(11_000);
        await assert.rejects(room.assertFree(), StoreUnavailable);
      }),
    );
  },
);

test(
  'a full disk of PostgreSQL is detected while it can still update rows',
  { skip: !TESTED_STORES.includes('postgres') },
  async (t) => {
    await inTemporaryFolder(async (folder) =>
      withStoreKind('postgres', async (db) => {
        const [row] = await db.query(`select current_setting('data_directory') as data`);
        const mounted = await mountSmallVolume(join(folder, 'volume'), 4);
        if (typeof mounted === 'string') {
          t.skip(`no volume can be mounted here: ${mounted}`);
          return;
        }
        await using volume = mounted;
        const place = join(volume.folder, 'space');
        await mkdir(place);
        const { uid, gid } = await stat(String(row?.['data']));
        for (const own of [folder, volume.folder, place]) await chown(own, uid, gid);
        const space = `room_${process.pid}`;
        await db.query(`create tablespace ${space} location '${place}'`);
        try {
          await db.query(`alter table room set tablespace ${space}`);
          const { room, seen } = buildSpace(db, []);
          await room.assertFree();
          await volume.fill();
          seen.failures += 1;
          await db.query('update migrations set quern = quern where version = 1');
          await assert.rejects(room.assertFree(), StoreUnavailable);
          await volume.empty();
          await room.assertFree();
        } finally {
          await db.query('alter table room set tablespace pg_default');
          await db.query(`drop tablespace ${space}`);
        }
      }),
    );
  },
);
