import assert from 'node:assert/strict';
import { Keys } from '#engine/identity/keys.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import type { StoreKind } from '#store/db.ts';
import { openTestClock } from '../support/clock.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';

async function withKeys(
  store: StoreKind,
  work: (parts: {
    readonly keys: Keys;
    readonly tenants: Tenants;
    readonly dump: () => Promise<string>;
  }) => Promise<void>,
): Promise<void> {
  await withStoreKind(store, async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    await work({
      keys: new Keys({ db, clock, plans: loadPlans(null) }),
      tenants: new Tenants({ db, clock }),
      dump: async () => JSON.stringify(await db.query('select * from api_keys')),
    });
  });
}

onEveryStore(
  'a key is qk_ plus 32 characters, resolves to tenant and plan, and is never stored in plain text',
  async (store) => {
    await withKeys(store, async ({ keys, tenants, dump }) => {
      const tenant = await tenants.create('t', 'starter');
      const { key, keyId } = await keys.add(tenant, 'mine');
      assert.match(key, /^qk_[A-Za-z0-9]{32}$/);
      const caller = await keys.findCaller(key);
      assert.deepEqual([caller?.tenant, caller?.keyId, caller?.plan.name], [tenant, keyId, 'starter']);
      assert.ok(!(await dump()).includes(key.slice(3)));
    });
  },
);

onEveryStore('unknown, altered and revoked keys resolve to nobody', async (store) => {
  await withKeys(store, async ({ keys, tenants }) => {
    const { key, keyId } = await keys.add(await tenants.create('t', 'free'), 'mine');
    assert.equal(await keys.findCaller(`${key.slice(0, -1)}!`), null);
    assert.equal(await keys.findCaller(''), null);
    await keys.revoke(keyId);
    assert.equal(await keys.findCaller(key), null);
    await assert.rejects(keys.revoke(keyId), /no active key/);
  });
});

onEveryStore('rotation ends the old key and gives the tenant a new one', async (store) => {
  await withKeys(store, async ({ keys, tenants }) => {
    const tenant = await tenants.create('t', 'pro');
    const old = await keys.add(tenant, 'mine');
    const { key } = await keys.rotate(old.keyId);
    assert.equal(await keys.findCaller(old.key), null);
    assert.equal((await keys.findCaller(key))?.tenant, tenant);
    const listed = (await keys.list({ after: null, limit: 10 })).find((row) => row.id !== old.keyId);
    assert.deepEqual([listed?.name, listed?.revoked_at], ['mine', null]);
  });
});

onEveryStore('a configured first key works, and is still known after it is revoked', async (store) => {
  await withKeys(store, async ({ keys, tenants }) => {
    assert.equal(await keys.hasAny(), false);
    const { keyId } = await keys.add(await tenants.create('t', 'unlimited'), 'first', 'a-key-of-my-own');
    assert.equal((await keys.findCaller('a-key-of-my-own'))?.plan.name, 'unlimited');
    await keys.revoke(keyId);
    assert.deepEqual([await keys.exists('a-key-of-my-own'), await keys.exists('another')], [true, false]);
  });
});

onEveryStore('a plan change applies to the next call of a key', async (store) => {
  await withKeys(store, async ({ keys, tenants }) => {
    const tenant = await tenants.create('t', 'free');
    const { key } = await keys.add(tenant, 'mine');
    await tenants.update(tenant, { plan: 'scale' });
    assert.equal((await keys.findCaller(key))?.plan.name, 'scale');
    await assert.rejects(tenants.update('ten_none', { plan: 'free' }), /no tenant/);
  });
});
