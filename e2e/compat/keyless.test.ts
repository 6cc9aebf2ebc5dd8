import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '#kernel/config.ts';
import { textAt } from '#support/members.ts';
import { serveHere } from '#support/command.ts';
import { KEY } from '#support/quern.ts';
import { inTemporaryFolder } from '#support/store.ts';

const NOBODY = `ten_${'0'.repeat(26)}`;

test('both settings for callers without a key must be set', () => {
  const pattern = /QUERN_COMPAT_TENANT and QUERN_COMPAT_NETWORKS must be set together/;
  assert.throws(() => loadConfig({ QUERN_COMPAT_TENANT: NOBODY }, null), pattern);
  assert.throws(() => loadConfig({ QUERN_COMPAT_NETWORKS: '10.0.0.0/8' }, null), pattern);
  assert.throws(() => loadConfig({ QUERN_COMPAT_NETWORKS: 'lan', QUERN_COMPAT_TENANT: NOBODY }, null), /CIDRs/);
});

/** Creates a tenant, which needs a service that has opened the store. */
async function createTenant(folder: string, plan = 'free'): Promise<string> {
  await using service = await serveHere(folder);
  const { status, body } = await service.call('/v1/admin/tenants', { name: 'lan', plan });
  assert.equal(status, 201, JSON.stringify(body));
  return textAt(body, 'id');
}

test('callers of a listed network act as the tenant, within its request rate', async () => {
  await inTemporaryFolder(async (folder) => {
    const tenant = await createTenant(folder);
    const settings = {
      QUERN_COMPAT_TENANT: tenant,
      QUERN_COMPAT_NETWORKS: '10.0.0.0/8, 127.0.0.0/8',
      QUERN_TRUST_PROXY: '127.0.0.1',
    };
    await using service = await serveHere(folder, settings);
    const ask = async (headers: Readonly<Record<string, string>> = {}, path = '/crawl4ai/health') =>
      fetch(service.origin + path, { headers });
    const first = await ask();
    assert.equal(first.status, 200);
    assert.match(first.headers.get('ratelimit') ?? '', /r=19;/);
    assert.equal((await ask({ 'x-forwarded-for': '192.0.2.7' })).status, 401, 'another network');
    assert.equal((await ask({ authorization: 'Bearer wrong-key' })).status, 401, 'a wrong key is no missing key');
    assert.equal((await ask({ origin: 'https://page.example' })).status, 401, 'a web page');
    assert.equal((await ask({ 'sec-fetch-site': 'cross-site' })).status, 401, 'a link in a page');
    assert.equal((await ask({}, '/v1/usage')).status, 401, 'only the interfaces of other services');
    const rest = await Promise.all(Array.from({ length: 20 }, async () => ask()));
    assert.deepEqual(new Set(rest.map(({ status }) => status)), new Set([200, 429]));
  });
});

const read = async (origin: string) =>
  fetch(`${origin}/crawl4ai/md`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url: 'https://mill.example/' }),
  });

test('an unknown or suspended tenant serves nobody', async () => {
  const networks = { QUERN_COMPAT_NETWORKS: '127.0.0.1' };
  await inTemporaryFolder(async (folder) => {
    const tenant = await createTenant(folder);
    {
      await using service = await serveHere(folder, { QUERN_COMPAT_TENANT: NOBODY, ...networks });
      const response = await read(service.origin);
      assert.equal(response.status, 401);
      assert.match(
        textAt(await response.json(), 'detail'),
        /QUERN_COMPAT_TENANT is ten_0+, and there is no such tenant/,
      );
    }
    await using service = await serveHere(folder, { QUERN_COMPAT_TENANT: tenant, ...networks });
    const patch = { method: 'PATCH', headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' } };
    await fetch(`${service.origin}/v1/admin/tenants/${tenant}`, { ...patch, body: '{"suspended": true}' });
    const response = await read(service.origin);
    assert.equal(response.status, 403);
    assert.match(textAt(await response.json(), 'detail'), /suspended this tenant/);
  });
});
