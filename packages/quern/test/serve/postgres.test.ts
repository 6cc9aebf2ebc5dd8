import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { openBlackhole } from '../support/blackhole.ts';
import { until } from '../support/fleet.ts';
import { runHere } from '../support/command.ts';
import { writePlans } from '../support/plans.ts';
import { runQuern, serveQuern, startQuern } from '../support/quern.ts';
import { withSchema } from '../support/schema.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

const SECRET = randomBytes(32).toString('base64');

/** Creates a subfolder. */
async function makeFolder(folder: string, name: string): Promise<string> {
  await mkdir(join(folder, name));
  return join(folder, name);
}

test('two services on one PostgreSQL share keys and credits, and each has its own cache', async () => {
  await inTemporaryFolder(async (folder) =>
    withSchema(async (url) => {
      await using site = await startHttpServer((_, response) => response.end('<p>hello'));
      const settings = {
        QUERN_DATABASE_URL: url,
        QUERN_SECRET_KEY: SECRET,
        QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
        QUERN_PLANS_FILE: await writePlans(folder, { credits_per_month: 20, concurrent_requests: 16 }),
      };
      await using services = new AsyncDisposableStack();
      const [one, two] = await Promise.all([
        serveQuern(await makeFolder(folder, 'one'), settings),
        serveQuern(await makeFolder(folder, 'two'), settings),
      ]);
      for (const service of [one, two]) services.use(service);
      const made = await runHere(
        await makeFolder(folder, 'three'),
        ['keys', 'create', '--plan', 'starter', '--name', 'shared', '--json'],
        settings,
      );
      const { key } = JSON.parse(made.out);
      const fetching = Array.from({ length: 16 }, async (_, at) =>
        (at % 2 === 0 ? one : two).call('/v1/fetch', { url: `${site.origin}/${at}` }, key),
      );
      const statuses = (await Promise.all(fetching)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, 10, statuses.join());
      assert.equal(statuses.filter((status) => status === 402).length, 6, statuses.join());
      for (const service of [one, two]) {
        const { body } = await service.call('/v1/usage', undefined, key);
        assert.deepEqual([body['credits_used'], body['credits_reserved'], body['credits_remaining']], [20, 0, 0]);
      }
      const page = { url: `${site.origin}/cached`, max_age_ms: 60_000 };
      const tiers: unknown[] = [];
      for (const service of [one, one, two, two]) {
        const { headers } = await service.call('/v1/fetch', page);
        tiers.push(headers.get('x-access-tier'));
      }
      assert.deepEqual(tiers, ['http', 'cache', 'http', 'cache']);
      assert.ok(!(await readdir(join(folder, 'one'))).includes('quern.db'));
    }),
  );
});

test('a service whose PostgreSQL stops responding returns backend_unavailable and recovers by itself', async () => {
  await inTemporaryFolder(async (folder) =>
    withSchema(async (schema) => {
      await using blackhole = await openBlackhole(Number(new URL(schema).port));
      const url = new URL(schema);
      url.port = String(blackhole.port);
      url.searchParams.set('query_timeout', '3000');
      await using service = await serveQuern(folder, { QUERN_DATABASE_URL: url.href, QUERN_SECRET_KEY: SECRET });
      assert.equal((await service.call('/v1/usage')).status, 200);
      blackhole.swallow();
      const { status, headers, body } = await service.call('/v1/usage');
      assert.deepEqual(
        [status, body['error']],
        [503, { code: 'backend_unavailable', message: 'the store cannot be read or written now: try again' }],
      );
      assert.equal(headers.get('retry-after'), '5');
      blackhole.heal();
      assert.equal((await service.call('/v1/usage')).status, 200);
      assert.equal((await service.call('/readyz')).status, 200);
      service.signal('SIGTERM');
      assert.equal(await service.ended, 0);
    }),
  );
});

test('an unusable PostgreSQL or a missing secret stops the start with one line that names the setting', async () => {
  await inTemporaryFolder(async (folder) => {
    const settings = { QUERN_PORT: '0', QUERN_DATABASE_URL: 'postgres://q:hush@127.0.0.1:1/q' };
    const loose = await runHere(folder, ['serve'], settings);
    assert.equal(loose.code, 1);
    assert.match(loose.err, /^quern: QUERN_DATABASE_URL requires QUERN_SECRET_KEY[^\n]*\n$/);
    const impatient = { ...settings, QUERN_SECRET_KEY: SECRET, QUERN_STORE_WAIT_SECONDS: '0' };
    const gone = await runQuern(folder, ['serve'], impatient);
    assert.equal(gone.code, 1);
    assert.match(gone.err, /^quern: QUERN_DATABASE_URL: the database cannot be used \([^\n]*ECONNREFUSED[^\n]*\n$/);
    assert.ok(!gone.err.includes('hush'));
    const doctor = await runHere(folder, ['doctor'], { ...settings, QUERN_SECRET_KEY: SECRET });
    assert.match(doctor.out, /^failed +store +QUERN_DATABASE_URL/m);
  });
});

test('a start waits for PostgreSQL with a message, and continues once it is available', async () => {
  await inTemporaryFolder(async (folder) =>
    withSchema(async (schema) => {
      const url = new URL(schema);
      const upstream = Number(url.port);
      const closed = createServer().listen(0, '127.0.0.1');
      await once(closed, 'listening');
      const address = closed.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      closed.close();
      url.port = String(port);
      const settings = { QUERN_PORT: '0', QUERN_DATABASE_URL: url.href, QUERN_SECRET_KEY: SECRET };
      for (const command of ['serve', 'worker']) {
        await using process = startQuern(await makeFolder(folder, command), [command], settings);
        await process.waitForOutput('waiting up to 60 s (QUERN_STORE_WAIT_SECONDS)');
        assert.match(process.err(), /QUERN_DATABASE_URL: the database cannot be used \([^\n]*ECONNREFUSED/);
        const server = createServer((client) => {
          const to = connect(upstream, '127.0.0.1');
          for (const socket of [client, to]) socket.on('error', () => undefined);
          client.pipe(to).pipe(client);
        }).listen(port, '127.0.0.1');
        await until('it has begun', async () => /^Quern (?:listens|works) on/m.test(process.out()));
        assert.equal(await process.close(), 0);
        server.close();
        await once(server, 'close');
      }
    }),
  );
});

test('a start that waits for its database ends at a signal, and after its time limit', async () => {
  await inTemporaryFolder(async (folder) => {
    const settings = {
      QUERN_PORT: '0',
      QUERN_DATABASE_URL: 'postgres://q:hush@127.0.0.1:1/q',
      QUERN_SECRET_KEY: SECRET,
    };
    for (const name of ['SIGINT', 'SIGTERM'] as const) {
      await using process = startQuern(folder, ['serve'], settings);
      await process.waitForOutput('QUERN_STORE_WAIT_SECONDS');
      process.signal(name);
      assert.equal(await process.ended, 0);
    }
    const { code, err } = await runQuern(folder, ['serve'], { ...settings, QUERN_STORE_WAIT_SECONDS: '1' });
    assert.equal(code, 1);
    assert.match(err, /waited 1 s for it \(QUERN_STORE_WAIT_SECONDS\)\n$/);
  });
});

test('a wrong password and an unknown database are not waited for', async () => {
  await inTemporaryFolder(async (folder) =>
    withSchema(async (schema) => {
      const unknown = new URL(schema);
      unknown.pathname = 'nobody-made-this';
      const user = new URL(schema);
      user.username = 'nobody';
      for (const { href } of [unknown, user]) {
        const settings = { QUERN_PORT: '0', QUERN_DATABASE_URL: href, QUERN_SECRET_KEY: SECRET };
        const { code, err } = await runQuern(folder, ['serve'], settings);
        assert.equal(code, 1);
        assert.match(err, /^quern: QUERN_DATABASE_URL: the database cannot be used \([^\n]*\)\n$/);
      }
    }),
  );
});

test('quern doctor names the store', async () => {
  await inTemporaryFolder(async (folder) =>
    withSchema(async (url) => {
      const settings = { QUERN_SECRET_KEY: SECRET };
      const embedded = await runHere(folder, ['doctor'], settings);
      assert.match(embedded.out, /^ok +store +SQLite in /m);
      const server = await runHere(folder, ['doctor'], { ...settings, QUERN_DATABASE_URL: url });
      assert.match(server.out, /^ok +store +PostgreSQL at 127\.0\.0\.1:\d+\/postgres can be read and written$/m);
    }),
  );
});
