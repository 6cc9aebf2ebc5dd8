import assert from 'node:assert/strict';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { startHttpServer } from '#testkit/servers.ts';
import { runHere } from '../support/command.ts';
import { KEY, runQuern, serveQuern } from '../support/quern.ts';
import { inTemporaryFolder, withStore } from '../support/store.ts';

suite('quern serve', { concurrency: 4 }, () => {
  test('the first start prints its address, the data folder, the first key and a command to try', async () => {
    await inTemporaryFolder(async (folder) => {
      const first = await serveQuern(folder, { QUERN_BOOTSTRAP_KEY: '' });
      const key = /first key {2}(qk_[A-Za-z0-9]{32}) /.exec(first.out())?.[1] ?? '';
      assert.ok(first.out().includes(folder));
      assert.match(first.out(), new RegExp(`curl -s ${first.origin}/v1/fetch -H "Authorization: Bearer ${key}"`));
      const { status, body } = await first.call('/v1/usage', undefined, key);
      assert.deepEqual([status, body['plan']], [200, 'unlimited']);
      assert.equal(await first.close(), 0);
      assert.ok(!first.err().includes(key), 'the key is in no log');
      await using second = await serveQuern(folder, { QUERN_BOOTSTRAP_KEY: '' });
      assert.doesNotMatch(second.out(), /qk_/);
      assert.equal((await second.call('/v1/usage', undefined, key)).status, 200);
    });
  });

  test('with QUERN_BOOTSTRAP_KEY, the first start prints everything except the key', async () => {
    await inTemporaryFolder(async (folder) => {
      const data = join(folder, 'data');
      await mkdir(data, { mode: 0o700 });
      await using served = await serveQuern(data);
      assert.ok(!served.out().includes(KEY));
      assert.match(served.out(), /Bearer \$QUERN_BOOTSTRAP_KEY/);
      assert.equal((await stat(join(data, 'secret.key'))).mode & 0o077, 0, 'its secret is for no one else to read');
      assert.equal((await readFile(join(data, 'secret.key'), 'utf8')).trim().length, 44);
      const { code, err } = await runQuern(data, ['serve'], { QUERN_PORT: '0' });
      assert.equal(code, 1, 'a second service on the same data is refused');
      assert.match(err, /^quern: QUERN_DATA_DIR .*another quern serve uses it[^\n]*\n$/);
      assert.equal((await served.call('/v1/usage')).status, 200, 'and the first goes on');
    });
  });

  test('stored files are not readable for other users, even in a folder that they can enter', async () => {
    await inTemporaryFolder(async (folder) => {
      const data = join(folder, 'data');
      await mkdir(data);
      await chmod(data, 0o755);
      await using site = await startHttpServer((_request, response) => {
        response.setHeader('content-type', 'text/html').end('<title>Mill</title><p>The mill grinds rye and wheat.');
      });
      const settings = { QUERN_SEARCH_INDEX: 'on', QUERN_ALLOW_TARGETS: new URL(site.origin).host };
      await using served = await serveQuern(data, settings);
      const fetched = await served.call('/v1/fetch', { url: site.origin, max_age_ms: 60_000 });
      assert.equal(fetched.status, 200);
      const stored = await readdir(data, { recursive: true });
      assert.ok(stored.includes('quern.db') && stored.some((name) => name.startsWith('cache/')), stored.join());
      const open: string[] = [];
      for (const name of stored) if (((await stat(join(data, name))).mode & 0o077) !== 0) open.push(name);
      assert.deepEqual(open, []);
    });
  });

  test('a port in use is reported in one line, and no key is created', async () => {
    await inTemporaryFolder(async (folder) => {
      const other = createServer().listen(0, '127.0.0.1');
      await once(other, 'listening');
      const address = other.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      const { code, out, err } = await runQuern(folder, ['serve'], { QUERN_PORT: String(port) });
      other.close();
      assert.equal(code, 1);
      assert.match(err, new RegExp(`^quern: QUERN_PORT ${port}: is in use[^\\n]*\\n$`));
      assert.equal(out, '');
      const keys = await runHere(folder, ['keys', 'list', '--json']);
      assert.deepEqual(JSON.parse(keys.out), []);
    });
  });

  test('a data folder that cannot be created is reported in one line', async () => {
    await inTemporaryFolder(async (folder) => {
      await writeFile(join(folder, 'file'), '');
      for (const data of [join(folder, 'file/data'), '/proc/quern']) {
        const { code, err } = await runHere(folder, ['serve'], { QUERN_DATA_DIR: data, QUERN_PORT: '0' });
        assert.equal(code, 1);
        assert.match(err, new RegExp(`^quern: QUERN_DATA_DIR ${data}: cannot be written[^\\n]*\\n$`));
      }
    });
  });

  test('an incomplete new plan in the plans file stops the start with one line', async () => {
    await inTemporaryFolder(async (folder) => {
      const file = join(folder, 'plans.json');
      await writeFile(file, '{"free":{},"newsroom":{}}');
      const { code, err } = await runHere(folder, ['serve'], { QUERN_PLANS_FILE: file });
      assert.equal(code, 1);
      assert.match(err, /^quern: QUERN_PLANS_FILE [^\n]*plans\.json: newsroom: a new plan needs[^\n]*\n$/);
    });
  });

  test('a schema newer than the code is reported in one line, and nothing is changed', async () => {
    await withStore(async (db, folder) => {
      await db.query('insert into migrations (version, quern) values ($1, $2)', [999, '9.0.0']);
      const { code, err } = await runHere(folder, ['serve'], { QUERN_PORT: '0' });
      assert.equal(code, 1);
      assert.match(err, /^quern: the data was written by a newer Quern[^\n]*\n$/);
      assert.equal((await db.query('select id from api_keys')).length, 0);
    });
  });

  test('an unknown setting is reported in one line with the closest name', async () => {
    await inTemporaryFolder(async (folder) => {
      const { code, err } = await runHere(folder, ['serve'], { QUERN_PROT: '1' });
      assert.equal(code, 1);
      assert.match(err, /^quern: QUERN_PROT is not a setting; the nearest is QUERN_PORT[^\n]*\n$/);
    });
  });

  test('a clock file replaces the time with a notice at the start; it is rejected on a public address', async () => {
    await inTemporaryFolder(async (folder) => {
      const file = join(folder, 'clock');
      await writeFile(file, '2031-02-03T04:05:06Z');
      await using served = await serveQuern(folder, { QUERN_CLOCK_FILE: file });
      assert.match(served.out(), /the time is that of .*clock/);
      const { body } = await served.call('/v1/usage');
      assert.equal(body['daily_resets_at'], '2031-02-04T00:00:00.000Z');
      const open = await runHere(folder, ['serve'], { QUERN_HOST: '0.0.0.0', QUERN_CLOCK_FILE: file });
      assert.equal(open.code, 1);
      assert.match(open.err, /^quern: QUERN_CLOCK_FILE [^\n]*\n$/);
    });
  });
});
