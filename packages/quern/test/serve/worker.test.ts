import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../support/command.ts';
import { serveQuern, workQuern } from '../support/quern.ts';
import { withSchema } from '../support/schema.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { inTemporaryFolder } from '../support/store.ts';

const SECRET = randomBytes(32).toString('base64');

test('a service without job slots leaves jobs to a worker, which is notified at once and stops on request', async () => {
  await inTemporaryFolder(async (folder) =>
    withSchema(async (url) => {
      await using site = await startHttpServer((_, response) => response.end('<p>hello'));
      const settings = {
        QUERN_DATABASE_URL: url,
        QUERN_SECRET_KEY: SECRET,
        QUERN_ALLOW_TARGETS: `127.0.0.1:${site.port}`,
      };
      for (const name of ['service', 'worker']) await mkdir(join(folder, name));
      await using service = await serveQuern(join(folder, 'service'), { ...settings, QUERN_JOB_SLOTS: '0' });
      assert.match(service.out(), /note {7}QUERN_JOB_SLOTS is 0: jobs wait for a quern worker/);
      const order = { kind: 'fetch', input: { url: site.origin } };
      const early = await service.call('/v1/jobs', order);
      const waited = await service.call(`/v1/jobs/${String(early.body['id'])}?wait_ms=300`);
      assert.equal(waited.body['status'], 'queued');
      await using worker = await workQuern(join(folder, 'worker'), { ...settings, QUERN_JOB_SLOTS: '2' });
      assert.match(worker.out(), /^Quern works on PostgreSQL at 127\.0\.0\.1:\d+\/\w+, 2 concurrent jobs\n$/);
      for (const id of [early.body['id'], (await service.call('/v1/jobs', order)).body['id']]) {
        const { body } = await service.call(`/v1/jobs/${String(id)}?wait_ms=20000`);
        assert.equal(body['status'], 'completed', JSON.stringify(body['error']));
      }
      assert.equal(await worker.close(), 0);
      assert.match(worker.err(), /^quern: stopped$/m);
    }),
  );
});

test('quern worker on the embedded store, or with no slots, is one line that names the setting', async () => {
  await inTemporaryFolder(async (folder) => {
    const embedded = await runHere(folder, ['worker']);
    assert.equal(embedded.code, 1);
    assert.match(embedded.err, /^quern: QUERN_DATABASE_URL: [^\n]*\n$/);
    const settings = { QUERN_DATABASE_URL: 'postgres://q@127.0.0.1:1/q', QUERN_SECRET_KEY: SECRET };
    const idle = await runHere(folder, ['worker'], { ...settings, QUERN_JOB_SLOTS: '0' });
    assert.equal(idle.code, 1);
    assert.match(idle.err, /^quern: QUERN_JOB_SLOTS [^\n]*\n$/);
    assert.equal((await runHere(folder, ['worker', 'more'])).code, 2);
  });
});
