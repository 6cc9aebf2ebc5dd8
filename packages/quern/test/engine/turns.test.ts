import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createNotifications } from '#engine/jobs/job-notifications.ts';
import { mergeHooks } from '#engine/jobs/job-hooks.ts';
import { Leases } from '#engine/jobs/job-leases.ts';
import { loadPlans, type PlanName } from '#engine/identity/plans.ts';
import { Results } from '#engine/results/results.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createSealer } from '#kernel/sealer.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { ignoreEvents } from '#kernel/events.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { NO_HINTS } from '#store/hints.ts';
import { openTestClock } from '../support/clock.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';

const NOW = '2026-11-21T12:00:00Z';
const ADD = `insert into jobs (id, tenant_id, request_id, kind, status, created_at, due_at)
  values ($1, $2, 'req', 'fetch', 'queued', $3, $3)`;

/** Queues one job for each of the given number of tenants. */
const ADD_MANY: Readonly<Record<StoreKind, string>> = {
  sqlite: `with recursive counted (n) as (select 1 union all select n + 1 from counted where n < $2)
    insert into jobs (id, tenant_id, request_id, kind, status, created_at, due_at)
    select 'm' || n, 't' || n, 'req', 'fetch', 'queued', $1, $1 from counted`,
  postgres: `insert into jobs (id, tenant_id, request_id, kind, status, created_at, due_at)
    select 'm' || n, 't' || n, 'req', 'fetch', 'queued', cast($1 as bigint), cast($1 as bigint)
    from generate_series(1, cast($2 as bigint)) as n`,
};

function roomOfZ(tenant: string): number {
  return tenant === 'z' ? 1 : 0;
}

async function tenantOn(db: Db, plan: PlanName): Promise<string> {
  return new Tenants({ db, clock: openTestClock(NOW) }).create('t', plan);
}

function openLeases(db: Db) {
  const clock = openTestClock(NOW);
  const sealer = createSealer(new Uint8Array(32), 'jobs');
  const leases = new Leases({
    db,
    inTurn: createGroupCommit(db, SYSTEM_CLOCK),
    clock,
    sealer,
    notifications: createNotifications(NO_HINTS, clock),
    results: new Results({ db, objects: null, space: 'test' }),
    random: () => 0.5,
    hooks: mergeHooks(() => []),
    plans: loadPlans(null),
    observe: ignoreEvents,
  });
  return { leases, clock };
}

/** Queues the given number of jobs of a tenant, due one after another, starting at a time in the past. */
async function queue(db: Db, tenant: string, jobs: number, agoMs = 1000): Promise<void> {
  const first = Date.parse(NOW) - agoMs;
  await db.transaction(async (tx) => {
    for (let at = 0; at < jobs; at += 1) await tx.query(ADD, [`${tenant}-${at}`, tenant, first + at]);
  });
}

onEveryStore('one job of a tenant does not wait behind the many of another', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await queue(db, 'many', 200, 60_000);
    await queue(db, 'one', 1);
    await queue(db, 'zest', 1);
    const { leases } = openLeases(db);
    const ids = (await leases.claim('w', 8)).map(({ row }) => row.id);
    assert.deepEqual(ids.slice(0, 3), ['many-0', 'one-0', 'zest-0']);
    // The first tenant gets the remaining slots, its oldest job first.
    assert.deepEqual(ids.slice(3), ['many-1', 'many-2', 'many-3', 'many-4', 'many-5']);
  });
});

onEveryStore('tenants take turns, and the order continues where it ended', async (kind) => {
  await withStoreKind(kind, async (db) => {
    for (const tenant of ['a', 'b', 'c']) await queue(db, tenant, 3);
    const { leases } = openLeases(db);
    const ids: string[] = [];
    for (let claim = 0; claim < 9; claim += 1) ids.push(...(await leases.claim('w', 1)).map(({ row }) => row.id));
    assert.deepEqual(ids, ['a-0', 'b-0', 'c-0', 'a-1', 'b-1', 'c-1', 'a-2', 'b-2', 'c-2']);
    assert.deepEqual(await leases.claim('w', 1), []);
  });
});

onEveryStore('jobs that are not due yet yield their turn to others', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await queue(db, 'early', 100, -60_000);
    await queue(db, 'ready', 2);
    const { leases, clock } = openLeases(db);
    assert.deepEqual(
      (await leases.claim('w', 4)).map(({ row }) => row.id),
      ['ready-0', 'ready-1'],
    );
    clock.pass(60_000);
    assert.deepEqual(
      (await leases.claim('w', 4)).map(({ row }) => row.id),
      ['early-0'],
    );
  });
});

onEveryStore('all tenants get a turn, even if there are more than one claim considers', async (kind) => {
  await withStoreKind(kind, async (db) => {
    for (let at = 0; at < 100; at += 1) await queue(db, `t${at}`, 1);
    const { leases } = openLeases(db);
    const ids = new Set<string>();
    for (let claim = 0; claim < 12; claim += 1) {
      for (const { row } of await leases.claim('w', 10)) ids.add(row.id);
    }
    assert.equal(ids.size, 100);
  });
});

onEveryStore('a slot goes to the tenant that has the fewest running jobs', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await queue(db, 'a', 4);
    const { leases } = openLeases(db);
    assert.equal((await leases.claim('w', 3)).length, 3);
    await queue(db, 'b', 4);
    const ids: string[] = [];
    for (let claim = 0; claim < 4; claim += 1) ids.push(...(await leases.claim('w', 1)).map(({ row }) => row.id));
    assert.deepEqual(ids, ['b-0', 'b-1', 'b-2', 'a-3']);
  });
});

onEveryStore('no more jobs of a tenant run than its plan allows, whoever claims', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const free = await tenantOn(db, 'free');
    await queue(db, free, 9);
    await queue(db, 'z', 1);
    const workers = Array.from({ length: 6 }, () => openLeases(db));
    const claims = await Promise.all(workers.map(async ({ leases }, at) => leases.claim(`w${at}`, 4)));
    const tenants = claims.flat().map(({ row }) => row.tenant_id);
    const { running_jobs: most } = loadPlans(null).free;
    assert.deepEqual(tenants.toSorted(), [...Array.from({ length: most ?? 0 }, () => free), 'z'].toSorted());
  });
});

onEveryStore('any number of tenants without permitted jobs does not block the others', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await db.query(ADD_MANY[kind], [Date.parse(NOW) - 1000, 1200]);
    await queue(db, 'z', 1);
    const { leases } = openLeases(db);
    const ids: string[] = [];
    for (let claim = 0; claim < 2; claim += 1) {
      const claimed = await leases.claim('w', 4, { choice: 'all', getCapacity: roomOfZ });
      ids.push(...claimed.map(({ row }) => row.id));
    }
    assert.deepEqual(ids, ['z-0']);
  });
});

onEveryStore('a job whose worker dies repeatedly is restarted as soon as its lease has expired', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await queue(db, 'a', 1);
    const { leases, clock } = openLeases(db);
    const plan = loadPlans(null).starter;
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const [claimed] = await leases.claim('w', 1);
      assert.equal(claimed?.row.attempt, attempt);
      clock.pass(30_001);
      await leases.recover(null, async () => plan);
    }
    assert.deepEqual(await leases.claim('w', 1), []);
    assert.equal((await db.query('select status from jobs'))[0]?.['status'], 'failed');
  });
});

test('concurrent claims in one process share no job', async () => {
  await withStoreKind('postgres', async (db) => {
    await queue(db, 'a', 40);
    const workers = [openLeases(db), openLeases(db), openLeases(db)];
    const claims = await Promise.all(workers.map(async ({ leases }, at) => leases.claim(`w${at}`, 10)));
    const ids = claims.flat().map(({ row }) => row.id);
    assert.equal(new Set(ids).size, ids.length);
    const tokens = new Set(claims.flat().map(({ token }) => token));
    assert.equal(tokens.size, ids.length);
  });
});
