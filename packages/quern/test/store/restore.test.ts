import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Db, StoreKind } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import type { RestoreResult, RestoreOptions } from '#store/restore.ts';
import { type KnownSchema, loadKnownSchema, getNewestVersion } from '#store/schema.ts';
import { lockStore } from '#store/locks.ts';
import {
  backUp,
  dump,
  NOW,
  populate,
  readArchive,
  restoreToFolder,
  restoreToServer,
  SECRET,
  writeArchive,
} from '../support/archive.ts';
import { atPlace, inTemporaryFolder, type OpenStore, TESTED_STORES, withStore } from '../support/store.ts';

type Site = {
  readonly open: OpenStore;
  readonly dataDir: string;
  readonly restore: (given: Partial<RestoreOptions> & { readonly file: string }) => Promise<RestoreResult>;
};

/** An empty location of the given kind, and a function that restores into it. */
async function withSite(kind: StoreKind, work: (site: Site) => Promise<void>): Promise<void> {
  await atPlace(kind, async (open, place) => {
    if (kind === 'sqlite') {
      return work({ open, dataDir: place, restore: async (given) => restoreToFolder({ dataDir: place, ...given }) });
    }
    return inTemporaryFolder(async (dataDir) =>
      work({ open, dataDir, restore: async (given) => restoreToServer(await open(), { dataDir, ...given }) }),
    );
  });
}

/** An existing store with one tenant that no backup contains. */
async function occupy({ open }: Site): Promise<unknown> {
  const db = await open();
  await migrate(db);
  await addTenant(db, 'ten_before');
  const found = await dump(db);
  await db.close();
  return found;
}

async function addTenant(db: Db, id: string): Promise<void> {
  const statement = "insert into tenants (id, name, plan, created_at, cycle, day) values ($1, '', 'free', '', '', '')";
  await db.query(statement, [id]);
}

async function dumpStore({ open }: Site): Promise<unknown> {
  const db = await open();
  const found = await dump(db);
  await db.close();
  return found;
}

let folder = '';
/** A small backup of the embedded store: its lines without the footer, the footer, and the content. */
let good = '';
let lines: readonly string[] = [];
let lastLine = '';
let content: unknown = null;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quern-test-'));
  good = join(folder, 'good.quern');
  await withStore(async (db) => {
    await populate(db);
    await backUp(db, good);
    content = await dump(db);
  });
  const whole = await readArchive(good);
  lines = whole.slice(0, -1);
  lastLine = whole.at(-1) ?? '';
});
after(async () => rm(folder, { recursive: true, force: true }));

/** The lines, with the line of the given prefix replaced by others. */
function withLine(start: string, ...others: readonly string[]): readonly string[] {
  const at = lines.findIndex((line) => line.startsWith(start));
  assert.ok(at >= 0, start);
  return lines.toSpliced(at, 1, ...others);
}

/** The first line with some of its members changed. */
function withHead(change: Readonly<Record<string, unknown>>): readonly string[] {
  return [JSON.stringify({ ...JSON.parse(lines[0] ?? ''), ...change }), ...lines.slice(1)];
}

function findRow(start: string): string {
  return lines.find((line) => line.startsWith(start)) ?? '';
}

const KEY_1 = '["key_1"';

/** Invalid backup files, and the error message of each. */
function hostileLines(): readonly (readonly [string, readonly string[], RegExp, string?])[] {
  const [columns] = JSON.parse(lines[0] ?? '').tables;
  const tables = JSON.parse(lines[0] ?? '').tables;
  return [
    ['another JSON', ['{"hello":1}'], /does not start with the header/],
    ['not JSON', ['hello'], /not JSON/],
    ['a newer format', withHead({ quern_backup: 2 }), /made by a newer Quern/],
    ['a newer schema', withHead({ schema: 99, quern: '7.1.0' }), /made by a newer Quern \(7\.1\.0 with schema 99, /],
    ['an unknown member', withHead({ more: 1 }), /first line is not a valid backup header/],
    ['an unknown table', withHead({ tables: [...tables, { name: 'robots', columns: ['id'] }] }), /a table robots/],
    [
      'a statement as a table',
      withHead({ tables: [{ name: 'jobs; drop table jobs', columns: ['id'] }] }),
      /first line/,
    ],
    ['a path as a table', withHead({ tables: [{ name: '../../etc/passwd', columns: ['id'] }] }), /first line/],
    [
      'a table that backups must not contain',
      withHead({ tables: [...tables, { name: 'cached_pages', columns: ['file'] }] }),
      /a table cached_pages/,
    ],
    ['no tables', withHead({ tables: [] }), /does not have the tables of its schema/],
    [
      'an unknown column',
      withHead({ tables: [{ ...columns, columns: [...columns.columns, 'size'] }, ...tables.slice(1)] }),
      /a column api_keys\.size/,
    ],
    [
      'a column twice',
      withHead({ tables: [{ ...columns, columns: [...columns.columns, 'id'] }, ...tables.slice(1)] }),
      /a column of api_keys occurs twice/,
    ],
    ['an unknown line', withLine(KEY_1, '{"file":"../../x"}'), /it has an invalid line/],
    ['rows of no table', withLine('{"table":"api_keys"}', '{"table":"robots"}'), /rows of a table robots/],
    ['a table twice', [...lines, '{"table":"api_keys"}'], /the table api_keys occurs twice/],
    ['a row too short', withLine(KEY_1, '["key_1"]'), /a row with the wrong number of values/],
    [
      'a value of another type',
      withLine(KEY_1, findRow(KEY_1).replace('"key_1"', '7')),
      /a value of id is not of the type text/,
    ],
    [
      'a fraction',
      withLine('["ten_1"', findRow('["ten_1"').replace(',40,', ',40.5,')),
      /a value of used is not of the type bigint/,
    ],
    [
      'a number beyond the safe range',
      withLine('["ten_1"', findRow('["ten_1"').replace(',40,', ',9007199254740993,')),
      /a value of used/,
    ],
    ['an object', withLine(KEY_1, findRow(KEY_1).replace('"key_1"', '{"bytes":"AAAA"}')), /a value of id/],
    ['depth', withLine(KEY_1, `${'['.repeat(100_000)}${']'.repeat(100_000)}`), /a row with the wrong number of values/],
    [
      'a missing required value',
      withLine(KEY_1, findRow(KEY_1).replace('"hash1"', 'null')),
      /a row of api_keys is refused/,
    ],
    ['a key twice', withLine(KEY_1, findRow(KEY_1), findRow(KEY_1)), /a row of api_keys is refused/],
    [
      'a value that violates a check',
      withLine('["ten_1"', findRow('["ten_1"').replace(',40,', ',-40,')),
      /a row of tenants is refused/,
    ],
    [
      'other counts',
      lines,
      /its numbers of rows differ from those in its last line/,
      '{"foot":{"rows":{},"sha256":""}}',
    ],
    ['another end', lines, /it has an invalid line/, '{"foot":1}'],
    ['a row too few', withLine(KEY_1), /its numbers of rows differ|its checksum/, lastLine],
    [
      'other content',
      withLine(KEY_1, findRow(KEY_1).replace('hash1', 'hash3')),
      /its checksum does not match/,
      lastLine,
    ],
  ];
}

suite('a restore', { concurrency: 2 }, () => {
  for (const kind of TESTED_STORES) {
    test(`${kind}: rejects an incomplete backup in one sentence, and changes nothing`, async () => {
      await withSite(kind, async (site) => {
        const found = await occupy(site);
        const file = join(folder, `${kind}-hostile.quern`);
        for (const [name, written, says, foot] of hostileLines()) {
          await writeArchive(file, written, foot);
          const failing = site.restore({ file, force: true });
          await assert.rejects(failing, (error: Error) => {
            assert.match(error.message, /^\S+hostile\.quern: cannot be restored: [^\n]+$/, name);
            assert.match(error.message, says, name);
            return true;
          });
        }
        assert.deepEqual(await dumpStore(site), found);
        assert.deepEqual(await readdir(join(site.dataDir, 'backups')), []);
        assert.ok(!(await readdir(site.dataDir)).includes('quern.db.restoring'));
      });
    });

    test(`${kind}: replaces data only if told to, and backs it up first`, async () => {
      await withSite(kind, async (site) => {
        const found = await occupy(site);
        await assert.rejects(site.restore({ file: good }), /there is data already: quern restore --force FILE/);
        assert.deepEqual(await dumpStore(site), found);
        const notes: string[] = [];
        const { replaced } = await site.restore({ file: good, force: true, note: (line) => void notes.push(line) });
        assert.deepEqual(await dumpStore(site), content);
        assert.match(replaced ?? '', /backups\/replaced-2026-11-21T120000\.000Z\.quern$/);
        assert.deepEqual(notes, [`the previous data is backed up in ${replaced}`]);
        await site.restore({ file: replaced ?? '', force: true, now: NOW + 1 });
        assert.deepEqual(await dumpStore(site), found);
      });
    });

    test(`${kind}: migrates data of an older schema`, async () => {
      await withSite(kind, async (site) => {
        const code = await loadKnownSchema();
        const next: KnownSchema = {
          quern: '0.3.0',
          migrations: [
            ...code.migrations,
            {
              version: getNewestVersion(code) + 1,
              text: "alter table tenants add column motto text not null default 'grind'",
            },
          ],
        };
        await site.restore({ file: good, code: next });
        const db = await site.open();
        const rows = await db.query("select name, motto from tenants where id = 'ten_2'");
        assert.deepEqual({ ...rows[0] }, { name: '', motto: 'grind' });
        await assert.rejects(migrate(db, code), /written by a newer Quern \(0\.3\.0 with schema/);
        await migrate(db, next);
      });
    });
  }

  test('rejects every truncation and every flipped bit', async () => {
    await inTemporaryFolder(async (dataDir) => {
      const whole = await readFile(good);
      const file = join(folder, 'broken.quern');
      // Node ends a zstd stream with an empty frame of 13 bytes, without which the content is whole.
      for (let at = 0; at < whole.length - 13; at += 19) {
        await writeFile(file, whole.subarray(0, at));
        await assert.rejects(restoreToFolder({ file, dataDir }), /cannot be restored/, `cut at ${at}`);
        const flipped = Buffer.from(whole);
        flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (at % 8)), at);
        // A bit that no reader uses changes nothing.
        if (unpacked(flipped)?.equals(unpacked(whole) ?? flipped) === true) continue;
        await writeFile(file, flipped);
        await assert.rejects(restoreToFolder({ file, dataDir }), /cannot be restored/, `flipped at ${at}`);
      }
      assert.deepEqual(await readdir(dataDir), []);
    });
  });

  test('rejects a decompression bomb of one endless line before it fills the memory', async () => {
    await inTemporaryFolder(async (dataDir) => {
      const file = join(folder, 'bomb.quern');
      await writeFile(file, zstdCompressSync(Buffer.alloc(300 * 1024 * 1024, 'x')));
      assert.ok((await stat(file)).size < 100_000);
      await assert.rejects(restoreToFolder({ file, dataDir }), /a line that is too long/);
    });
  });

  test('rejects a path that is not a file', async () => {
    await inTemporaryFolder(async (dataDir) => {
      await assert.rejects(restoreToFolder({ file: dataDir, dataDir }), /: is not a file$/);
      await assert.rejects(
        restoreToFolder({ file: join(dataDir, 'none'), dataDir }),
        /none: cannot be read \(ENOENT\)$/,
      );
    });
  });

  test('sqlite: is rejected while the folder is in use, and locks the folder while it runs', async () => {
    await inTemporaryFolder(async (dataDir) => {
      const [service, command] = [lockStore(dataDir, 'shared'), lockStore(dataDir, 'shared')];
      await assert.rejects(restoreToFolder({ file: good, dataDir }), /a service or a command uses it; stop it first$/);
      service.release();
      command.release();
      const other = lockStore(dataDir, 'alone');
      assert.throws(() => lockStore(dataDir, 'shared'), /a restore is running there$/);
      await assert.rejects(restoreToFolder({ file: good, dataDir }), /a service or a command uses it/);
      other.release();
    });
  });

  test('sqlite: leaves no log of the old data that could be applied to the new data', async () => {
    await withSite('sqlite', async (site) => {
      await occupy(site);
      const other = await site.open();
      await addTenant(other, 'ten_late');
      await assert.rejects(
        site.restore({ file: good, force: true }),
        /is open in another program; stop that program first$/,
      );
      await other.close();
      await site.restore({ file: good, force: true, now: NOW + 1 });
      assert.deepEqual(await dumpStore(site), content);
      assert.equal(existsSync(join(site.dataDir, 'quern.db.restoring')), false);
    });
  });

  test('postgres: is rejected if a service was seen within 40 seconds', async () => {
    await withSite('postgres', async (site) => {
      await occupy(site);
      const db = await site.open();
      await db.query('insert into processes (id, seen_at) values ($1, $2)', ['hld_1', NOW - 39_000]);
      await assert.rejects(site.restore({ file: good, force: true }), /a service or a command uses this database/);
      await db.query('update processes set seen_at = $1', [NOW - 41_000]);
      await site.restore({ file: good, force: true });
      assert.deepEqual(await dumpStore(site), content);
    });
  });

  test('restores the secret of a data folder, and never replaces an existing one', async () => {
    await inTemporaryFolder(async (place) => {
      const fresh = join(place, 'fresh');
      await mkdir(fresh);
      await restoreToFolder({ file: good, dataDir: fresh, secretSetting: undefined });
      const key = join(fresh, 'secret.key');
      assert.equal((await readFile(key, 'utf8')).trim(), SECRET.toString('base64'));
      assert.equal((await stat(key)).mode & 0o777, 0o600);
      const other = join(place, 'other');
      await mkdir(other);
      await writeFile(join(other, 'secret.key'), Buffer.alloc(32, 1).toString('base64'));
      const failing = restoreToFolder({ file: good, dataDir: other, secretSetting: undefined, force: true });
      await assert.rejects(failing, /has a secret\.key that differs from that of the backup: use an empty folder$/);
      assert.deepEqual(await readdir(other), ['secret.key']);
    });
  });

  test('requires the QUERN_SECRET_KEY that the backup was made with', async () => {
    await withStore(async (db, place) => {
      const file = join(place, 'set.quern');
      await populate(db);
      await backUp(db, file, { included: false });
      const dataDir = join(place, 'data');
      await mkdir(dataDir);
      await assert.rejects(
        restoreToFolder({ file, dataDir, secretSetting: undefined }),
        /^Error: QUERN_SECRET_KEY: set it/,
      );
      const other = Buffer.alloc(32, 1).toString('base64');
      await assert.rejects(
        restoreToFolder({ file, dataDir, secretSetting: other }),
        /^Error: QUERN_SECRET_KEY is not the/,
      );
      assert.deepEqual(await readdir(dataDir), []);
      await restoreToFolder({ file, dataDir });
      assert.ok(!(await readdir(dataDir)).includes('secret.key'));
    });
  });
});

/** The content of a zstd stream, or null if it is corrupt. */
function unpacked(stream: Buffer): Buffer | null {
  try {
    return zstdDecompressSync(stream);
  } catch {
    return null;
  }
}
