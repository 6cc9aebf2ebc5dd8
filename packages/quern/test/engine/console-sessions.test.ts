import assert from 'node:assert/strict';
import { ConsoleSessions, deleteExpiredSessions, type SessionCredentials } from '#engine/identity/console-sessions.ts';
import { Keys } from '#engine/identity/keys.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { openTestClock } from '../support/clock.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';

const HOUR = 3_600_000;

type Parts = {
  readonly sessions: ConsoleSessions;
  readonly keys: Keys;
  readonly clock: ReturnType<typeof openTestClock>;
  readonly db: Db;
  /** The key of an operator, and the key of a tenant. */
  readonly operator: string;
  readonly member: string;
};

async function withSessions(store: StoreKind, work: (parts: Parts) => Promise<void>): Promise<void> {
  await withStoreKind(store, async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const plans = loadPlans(null);
    const keys = new Keys({ db, clock, plans });
    const tenant = await new Tenants({ db, clock }).create('t', 'starter');
    const { keyId: member } = await keys.add(tenant, 'mine');
    const { keyId: operator } = await keys.create({ tenant, name: 'first', isOperator: true });
    const sessions = new ConsoleSessions({ db, clock, plans, noteUse: keys.recordUse });
    await work({ sessions, keys, clock, db, operator, member });
  });
}

onEveryStore(
  'a session resolves to the caller of its key, and its token is never stored in plain text',
  async (store) => {
    await withSessions(store, async ({ sessions, member, operator, db }) => {
      const opened = await sessions.open(member);
      const { token, secret } = opened;
      const found = await sessions.find(opened);
      assert.deepEqual(
        [found?.caller.keyId, found?.caller.plan.name, found?.caller.isOperator, found?.keyName, found?.tenantName],
        [member, 'starter', undefined, 'mine', 't'],
      );
      assert.equal((await sessions.find(await sessions.open(operator)))?.caller.isOperator, true);
      assert.equal(await sessions.find({ token: `${token}x`, secret }), null);
      const stored = JSON.stringify(await db.query('select * from console_sessions'));
      assert.deepEqual([stored.includes(token), stored.includes(secret)], [false, false]);
      await sessions.end(opened);
      assert.equal(await sessions.find(opened), null);
    });
  },
);

onEveryStore('a session ends after 12 idle hours or 7 days, and is then deleted', async (store) => {
  await withSessions(store, async ({ sessions, member, clock, db }) => {
    const idle = await sessions.open(member);
    const used = await sessions.open(member);
    for (let hours = 0; hours < 7 * 24 - 10; hours += 10) {
      clock.pass(10 * HOUR);
      assert.notEqual(await sessions.find(used), null, `after ${hours + 10} hours`);
    }
    assert.equal(await sessions.find(idle), null);
    clock.pass(10 * HOUR);
    assert.equal(await sessions.find(used), null);
    clock.pass(12 * HOUR);
    await deleteExpiredSessions({ db, clock });
    assert.deepEqual(await db.query('select hash from console_sessions'), []);
  });
});

onEveryStore('a token without the secret of its session neither opens nor ends it', async (store) => {
  await withSessions(store, async ({ sessions, member, operator, db }) => {
    const mine = await sessions.open(member);
    const other = await sessions.open(operator);
    const mixed = { token: mine.token, secret: other.secret };
    assert.equal(await sessions.find(mixed), null);
    await sessions.end(mixed);
    assert.equal((await sessions.find(mine))?.caller.keyId, member);
    await db.query('update console_sessions set secret_hash = null');
    assert.equal(await sessions.find(mine), null, 'a session from before there were secrets');
  });
});

onEveryStore('a session ends with its key', async (store) => {
  await withSessions(store, async ({ sessions, keys, member }) => {
    const opened = await sessions.open(member);
    await keys.revoke(member);
    assert.equal(await sessions.find(opened), null);
  });
});

onEveryStore('a key has at most a hundred sessions, and a new one ends the oldest', async (store) => {
  await withSessions(store, async ({ sessions, member, operator, clock }) => {
    const other = await sessions.open(operator);
    const first = await sessions.open(member);
    const later: SessionCredentials[] = [];
    for (let n = 0; n < 100; n += 1) {
      clock.pass(1);
      later.push(await sessions.open(member));
    }
    assert.equal(await sessions.find(first), null);
    assert.notEqual(await sessions.find(later[0] ?? first), null);
    assert.notEqual(await sessions.find(other), null);
  });
});

onEveryStore('a sign-in link works once within ten minutes, even if it is used concurrently', async (store) => {
  await withSessions(store, async ({ sessions, operator, clock, db }) => {
    const link = await sessions.createLink(operator);
    const taken = await Promise.all([sessions.consumeLink(link), sessions.consumeLink(link)]);
    assert.deepEqual(
      taken.filter((keyId) => keyId !== null),
      [operator],
    );
    const late = await sessions.createLink(operator);
    clock.pass(600_000);
    assert.equal(await sessions.consumeLink(late), null);
    await deleteExpiredSessions({ db, clock });
    assert.deepEqual(await db.query('select hash from console_links'), []);
  });
});

onEveryStore(
  'a first sign-in link exists for the oldest active operator key until somebody signs in',
  async (store) => {
    await withSessions(store, async ({ sessions, keys, operator, member }) => {
      assert.equal(await sessions.consumeLink((await sessions.createFirstLink()) ?? ''), operator);
      assert.notEqual(await sessions.createFirstLink(), null);
      await sessions.open(member);
      assert.equal(await sessions.createFirstLink(), null);
      assert.equal(await sessions.findOperatorKey(), operator);
      await keys.revoke(operator);
      assert.equal(await sessions.findOperatorKey(), null);
    });
  },
);
