import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { z } from 'zod';
import { runHere, serveHere } from '../support/command.ts';
import { type Ended, KEY, type Settings } from '../support/quern.ts';
import { withSchema } from '../support/schema.ts';
import { inTemporaryFolder } from '../support/store.ts';

const Made = z.object({ tenant: z.string(), key: z.string(), key_id: z.string(), plan: z.string() });

/** The outcome of a command without the id of its request. */
function withoutRequest({ code, out, err }: Ended) {
  return { code, out: out.replace(/req_\w+/, 'req_…'), err };
}

type Place = { readonly folder: string; readonly data: string; readonly settings: Settings };

function ownSecret() {
  return { QUERN_SECRET_KEY: randomBytes(32).toString('base64') };
}

/** A folder for a service, with each of the stores. */
function onEachStore(title: string, work: (place: Place) => Promise<void>): void {
  async function inPlace(folder: string, own: Settings): Promise<void> {
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    await work({ folder, data, settings: own });
  }
  test(`sqlite: ${title}`, async () => inTemporaryFolder(async (folder) => inPlace(folder, ownSecret())));
  test(`postgres: ${title}`, async () =>
    inTemporaryFolder(async (folder) =>
      withSchema(async (url) => inPlace(folder, { ...ownSecret(), QUERN_DATABASE_URL: url })),
    ));
}

suite('operator commands, locally and over the API', { concurrency: 2 }, () => {
  onEachStore('commands work on local data and on a server with the same output', async (place) => {
    const { folder, data, settings } = place;
    await using service = await serveHere(data, settings);
    const remote = { QUERN_URL: service.origin, QUERN_API_KEY: KEY };
    const there = async (...line: readonly string[]) => runHere(folder, line, remote);
    const here = async (...line: readonly string[]) => runHere(data, line, settings);
    const callForStatus = async (path: string, key: string, body?: unknown) =>
      (await service.call(path, body, key)).status;

    const {
      key,
      key_id: keyId,
      tenant,
    } = Made.parse(
      JSON.parse((await there('keys', 'create', '--plan', 'starter', '--name', 'newsroom', '--json')).out),
    );
    assert.equal(await callForStatus('/v1/usage', key), 200);
    const further = await here('keys', 'create', '--tenant', tenant, '--name', 'second');
    assert.match(further.out, /^qk_\w{32}\n$/);
    assert.equal(
      (await there('tenants', 'top-up', tenant, '500')).err,
      (await here('tenants', 'top-up', tenant, '500')).err,
    );
    for (const line of [
      ['keys', 'list'],
      ['keys', 'list', '--json'],
      ['tenants', 'list'],
      ['tenants', 'list', '--json'],
      ['admin', 'plans'],
      ['admin', 'usage', '--format', 'csv'],
      ['tenants', 'plan', tenant, 'gold'],
      ['tenants', 'resume', 'ten_none'],
      ['keys', 'revoke', 'key_none'],
    ]) {
      const [own, far] = [await here(...line), await there(...line)];
      assert.deepEqual(withoutRequest(far), withoutRequest(own), line.join(' '));
      if (line.at(-1) === '--json') assert.ok(own.out.includes(tenant));
    }

    assert.match((await there('tenants', 'suspend', tenant)).err, /^quern: ten_\w+ is suspended: [^\n]*\n$/);
    const fetched = await service.call('/v1/fetch', { url: 'http://127.0.0.1:9/' }, key);
    assert.equal(fetched.status, 403);
    assert.match(JSON.stringify(fetched.body), /"tenant_suspended"/);
    assert.equal(await callForStatus('/v1/jobs', key), 200);
    assert.match((await here('tenants', 'list')).out, /suspended_at/);
    assert.match((await here('tenants', 'resume', tenant)).err, /is resumed/);
    assert.notEqual(await callForStatus('/v1/fetch', key, { url: 'http://127.0.0.1:9/' }), 403);

    const rotated = (await there('keys', 'rotate', keyId)).out.trim();
    assert.deepEqual([await callForStatus('/v1/usage', key), await callForStatus('/v1/usage', rotated)], [401, 200]);

    for (const [line, says] of [
      [
        ['keys', 'create', '--operator', '--tenant', tenant],
        /commands go to http:\S+ \(QUERN_URL\), and operator keys can only be created on/,
      ],
      [['keys', 'create', '--operator', '--plan', 'free'], /operator keys can only be created on/],
      [
        ['restore', 'a.quern'],
        /a restore replaces all data, so no service may use them: stop the service and run the command on its machine; unset QUERN_URL/,
      ],
    ] as const) {
      const { code, out, err } = await there(...line);
      assert.deepEqual([code, out], [1, ''], line.join(' '));
      assert.match(err, says);
    }
    const asTenant = await runHere(folder, ['tenants', 'list'], { ...remote, QUERN_API_KEY: rotated });
    assert.deepEqual([asTenant.code, asTenant.out], [3, '']);
    assert.deepEqual(await readdir(folder), ['data']);
  });

  onEachStore(
    'a backup can be downloaded over the API and restored on another machine',
    async ({ folder, data, settings }) => {
      const { QUERN_SECRET_KEY } = settings;
      const file = join(folder, 'far.quern');
      const remote = async (service: { readonly origin: string }, ...line: readonly string[]) =>
        runHere(folder, line, { QUERN_URL: service.origin, QUERN_API_KEY: KEY });
      {
        await using service = await serveHere(data, settings);
        await remote(service, 'keys', 'create', '--plan', 'pro', '--name', 'kept');
        const { code, out, err } = await remote(service, 'backup', file);
        assert.equal(code, 0, err);
        assert.match(out, /^\S+far\.quern: \d+ rows, \d+ bytes, schema \d+\n$/);
        assert.match(err, /does not include the secret key: back up QUERN_SECRET_KEY/);
        const again = await remote(service, 'backup', file);
        assert.deepEqual([again.code, /already exists/.test(again.err)], [1, true]);
      }
      const other = join(folder, 'other');
      await mkdir(other, { mode: 0o700 });
      const without = await runHere(other, ['restore', file]);
      assert.match(without.err, /QUERN_SECRET_KEY: set it to the secret of the service that was backed up/);
      const own = { QUERN_SECRET_KEY: QUERN_SECRET_KEY ?? '' };
      const restored = await runHere(other, ['restore', file], own);
      assert.equal(restored.code, 0, restored.err);
      assert.match((await runHere(other, ['tenants', 'list'], own)).out, /kept/);
    },
  );
});
