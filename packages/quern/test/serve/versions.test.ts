import assert from 'node:assert/strict';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { SECRET } from '../support/archive.ts';
import { runHere } from '../support/command.ts';
import { makeNewer } from '../support/newer.ts';
import { runQuern, type RunningService, serveQuern } from '../support/quern.ts';
import { runStatement } from '#testkit/postgres.ts';
import { withSchema } from '../support/schema.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

const KEYS = ['keys', 'list', '--json'];
const BACKED_UP = /^quern: the data was backed up to (\S+) before the migration from schema \d+ to \d+$/m;
const secret = { QUERN_SECRET_KEY: SECRET.toString('base64') };

async function makeFolder(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

async function backupsIn(folder: string): Promise<readonly string[]> {
  return readdir(join(folder, 'backups')).catch(() => []);
}

suite('versions', { concurrency: 2 }, () => {
  test('sqlite: a newer version backs up before it migrates, and the older version can restore that backup', async () => {
    await inTemporaryFolder(async (folder) => {
      const { program, schema } = await makeNewer(await makeFolder(folder, 'newer'), '9.0.0');
      const data = await makeFolder(folder, 'data');
      await runHere(data, ['usage']);
      const made = await runHere(data, ['keys', 'create', '--plan', 'starter']);
      assert.deepEqual([made.code, await backupsIn(data)], [0, []], 'a new store has nothing to back up');
      await writeFile(join(data, 'backups'), 'in the way');
      const refused = await runQuern(data, KEYS, {}, program);
      assert.equal(refused.code, 1);
      assert.match(
        refused.err,
        /^quern: QUERN_DATA_DIR [^\n]*: the backup before the migration[^\n]*nothing was changed[^\n]*\n$/,
      );
      const { out: before } = await runHere(data, KEYS);
      await rm(join(data, 'backups'));
      const migrated = await runQuern(data, KEYS, {}, program);
      const file = BACKED_UP.exec(migrated.err)?.[1] ?? '';
      assert.deepEqual([migrated.out, await backupsIn(data)], [before, [file.split('/').at(-1)]]);
      assert.match(file, new RegExp(`/schema-${schema - 1}-\\d{4}-[^/]*\\.quern$`));
      assert.doesNotMatch((await runQuern(data, KEYS, {}, program)).err, BACKED_UP);
      const back = await runHere(data, KEYS);
      assert.equal(back.code, 1);
      assert.match(back.err, /^quern: the data was written by a newer Quern \(9\.0\.0 with schema[^\n]*\n$/);
      const other = await makeFolder(folder, 'other');
      assert.equal((await runHere(other, ['restore', file])).code, 0);
      assert.equal((await runHere(other, KEYS)).out, before);
    });
  });

  test('postgres: if several services start on older data, one of them backs up and migrates', async () => {
    await inTemporaryFolder(async (folder) =>
      withSchema(async (url) => {
        const settings = { ...secret, QUERN_DATABASE_URL: url };
        const { program } = await makeNewer(await makeFolder(folder, 'newer'), '9.0.0');
        const old = await makeFolder(folder, 'old');
        await runHere(old, ['usage'], settings);
        const made = await runHere(old, ['keys', 'create', '--plan', 'pro'], settings);
        assert.equal(made.code, 0, made.err);
        const folders = [await makeFolder(folder, 'one'), await makeFolder(folder, 'two')];
        const ended = await Promise.all(folders.map(async (one) => runQuern(one, KEYS, settings, program)));
        assert.deepEqual(
          ended.map(({ code }) => code),
          [0, 0],
        );
        assert.equal(ended.filter(({ err }) => BACKED_UP.test(err)).length, 1);
        assert.equal((await Promise.all(folders.map(backupsIn))).flat().length, 1);
      }),
    );
  });

  test('postgres: services of one minor version work side by side, and an older one may start again', async () => {
    await inTemporaryFolder(async (folder) =>
      withSchema(async (url) => {
        await using site = await startHttpServer((_, response) => response.end('<p>hello'));
        const settings = { ...secret, QUERN_DATABASE_URL: url, QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}` };
        const { program } = await makeNewer(await makeFolder(folder, 'code'), '0.2.999');
        const oldFolder = await makeFolder(folder, 'old');
        await using services = new AsyncDisposableStack();
        const old = services.use(await serveQuern(oldFolder, settings));
        let spent = await useAll(old, site.origin, 0);
        const next = services.use(await serveQuern(await makeFolder(folder, 'new'), settings, program));
        await runStatement(url, "select n from extras where id = ''");
        spent = await useAll(next, site.origin, spent);
        spent = await useAll(old, site.origin, spent);
        assert.equal(await old.close(), 0);
        const again = services.use(await serveQuern(oldFolder, settings));
        spent = await useAll(again, site.origin, spent);
        await useAll(next, site.origin, spent);
      }),
    );
  });
});

/** Fetches, runs a job, repeats a call with its key and reads all records; returns the credits spent. */
async function useAll(service: RunningService, url: string, spent: number): Promise<number> {
  const fetched = await service.call('/v1/fetch', { url });
  assert.equal(fetched.status, 200, JSON.stringify(fetched.body));
  const { body: job } = await service.call('/v1/jobs', { kind: 'fetch', input: { url } });
  const { body: ended } = await service.call(`/v1/jobs/${String(job['id'])}?wait_ms=20000`);
  assert.equal(ended['status'], 'completed', JSON.stringify(ended));
  for (const path of ['/v1/requests', '/v1/jobs', '/v1/usage/history', `/v1/jobs/${String(job['id'])}/result`])
    assert.equal((await service.call(path)).status, 200, path);
  const { body } = await service.call('/v1/usage');
  assert.deepEqual([body['credits_used'], body['credits_reserved']], [spent + 4, 0]);
  return spent + 4;
}
