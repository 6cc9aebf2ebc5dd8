import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { removeSettings } from '#demo/service.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres, POSTGRES_LIMITS } from '#store/postgres.ts';
import { openSqlite } from '#store/sqlite.ts';
import { dump, populate, populateMore, SECRET } from '../support/archive.ts';
import { runHere } from '../support/command.ts';
import { ROOT } from '../support/copy.ts';
import { type Ended, serveQuern, type Settings } from '../support/quern.ts';
import { withSchema } from '../support/schema.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { ignore, inTemporaryFolder } from '../support/store.ts';

/** Creates a subfolder. */
async function makeFolder(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

/** Runs a command and kills it when standard error holds the text. */
async function killAt(said: string, folder: string, args: readonly string[], settings: Settings): Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'packages/quern/bin/quern.mjs'), ...args], {
    cwd: folder,
    env: { ...removeSettings(process.env), QUERN_DATA_DIR: folder, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit');
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    err += text;
    if (err.includes(said)) child.kill('SIGKILL');
  });
  const [, signal] = await ended;
  assert.equal(signal, 'SIGKILL', err);
}

function assertDone({ code, err }: Ended): void {
  assert.equal(code, 0, err);
}

suite('quern backup and restore', { concurrency: 2 }, () => {
  test('moving from the embedded store to PostgreSQL and back, while the service is running', async () => {
    await inTemporaryFolder(async (folder) =>
      withSchema(async (url) => {
        await using site = await startHttpServer((_, response) => response.end('<p>hello'));
        const allow = { QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` };
        const first = await makeFolder(folder, 'first');
        const file = join(folder, 'a.quern');
        {
          await using service = await serveQuern(first, allow);
          assert.equal((await service.call('/v1/fetch', { url: site.origin })).status, 200);
          const written = await runHere(first, ['backup', file, '--json']);
          assertDone(written);
          assert.match(written.err, /the file contains the secret key of the data folder/);
          const { rows, carries_secret } = JSON.parse(written.out);
          assert.deepEqual([rows.ledger, carries_secret], [1, true]);
          const refused = await runHere(first, ['restore', '--force', file]);
          assert.equal(refused.code, 1);
          assert.match(refused.err, /^quern: QUERN_DATA_DIR [^\n]*a service or a command uses it; stop it first\n$/);
        }
        const second = await makeFolder(folder, 'second');
        const settings = {
          ...allow,
          QUERN_DATABASE_URL: url,
          QUERN_SECRET_KEY: await readFile(join(first, 'secret.key'), 'utf8'),
        };
        assertDone(await runHere(second, ['restore', file], settings));
        {
          await using service = await serveQuern(second, settings);
          assert.equal((await service.call('/v1/usage')).body['credits_used'], 2);
          assert.equal((await service.call('/v1/fetch', { url: site.origin })).status, 200);
          const refused = await runHere(second, ['restore', '--force', file], settings);
          assert.match(refused.err, /^quern: QUERN_DATABASE_URL: a service or a command uses this database[^\n]*\n$/);
          const back = await runHere(second, ['backup', join(folder, 'b.quern')], settings);
          assertDone(back);
          assert.match(back.out, /^\S+b\.quern: \d+ rows, \d+ bytes, schema \d+\n$/);
          assert.match(back.err, /does not include the secret key: back up QUERN_SECRET_KEY/);
          assert.equal(await service.close(), 0);
        }
        // A service that was stopped left no leases to wait for.
        assertDone(await runHere(second, ['restore', '--force', file], settings));
        const third = await makeFolder(folder, 'third');
        const secret = { ...allow, QUERN_SECRET_KEY: settings.QUERN_SECRET_KEY };
        assertDone(await runHere(third, ['restore', join(folder, 'b.quern')], secret));
        await using service = await serveQuern(third, secret);
        assert.equal((await service.call('/v1/usage')).body['credits_used'], 4);
      }),
    );
  });

  test('sqlite: killed in the middle of a backup leaves no backup, in the middle of a restore the old data', async () => {
    await inTemporaryFolder(async (folder) => {
      const settings = { QUERN_SECRET_KEY: SECRET.toString('base64') };
      const look = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
        const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
        return work(db).finally(async () => db.close());
      };
      await killAndLook({ folder, settings, look });
      assert.ok((await readdir(folder)).every((name) => !name.endsWith('.restoring')));
    });
  });

  test('postgres: killed in the middle of a backup leaves no backup, in the middle of a restore the old data', async () => {
    await inTemporaryFolder(async (folder) =>
      withSchema(async (url) => {
        const settings = { QUERN_DATABASE_URL: url, QUERN_SECRET_KEY: SECRET.toString('base64') };
        const look = async <T>(work: (db: Db) => Promise<T>): Promise<T> => {
          const db = openPostgres(url, { ...POSTGRES_LIMITS, clock: SYSTEM_CLOCK, report: ignore });
          return work(db).finally(async () => db.close());
        };
        await killAndLook({ folder, settings, look });
      }),
    );
  });

  test('without data there is nothing to back up', async () => {
    await inTemporaryFolder(async (folder) => {
      const { code, err } = await runHere(folder, ['backup', join(folder, 'a.quern')]);
      assert.equal(code, 1);
      assert.match(err, /^quern: QUERN_DATA_DIR [^\n]*: there is nothing to back up\n$/);
    });
  });
});

type Place = {
  readonly folder: string;
  readonly settings: Settings;
  readonly look: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
};

async function killAndLook({ folder, settings, look }: Place): Promise<void> {
  const file = join(folder, 'a.quern');
  const content = await look(async (db) => {
    await migrate(db);
    await populate(db);
    await populateMore(db);
    return dump(db);
  });
  await killAt('rows written so far', folder, ['backup', file], settings);
  assert.ok(!(await readdir(folder)).includes('a.quern'));
  assertDone(await runHere(folder, ['backup', file], settings));
  await look(async (db) => db.query("update tenants set name = 'changed'"));
  const changed = await look(dump);
  await killAt('rows restored so far', folder, ['restore', '--force', file], settings);
  assert.deepEqual(await look(dump), changed);
  // The server notices a little later that its client is gone.
  while ((await runHere(folder, ['restore', '--force', file], settings)).code !== 0) await wait(100);
  assert.deepEqual(await look(dump), content);
}
