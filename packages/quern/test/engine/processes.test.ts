import assert from 'node:assert/strict';
import { toResolverOption, ROOT } from '../support/copy.ts';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { Billing } from '#engine/credits/billing.ts';
import { ensureFirstKey, Tenants } from '#engine/credits/tenants.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import type { Db } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { migrate } from '#store/migrate.ts';
import { openPostgres, POSTGRES_LIMITS } from '#store/postgres.ts';
import { withSchema } from '../support/schema.ts';
import { openTestClock } from '../support/clock.ts';
import { atPlace, ignore, onEveryStore } from '../support/store.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';

const SPENDER = join(import.meta.dirname, '../support/spender.ts');
const SPENDER_MS = 60_000;
const Ends = z.array(z.string());

const WAITING = `select pid from pg_stat_activity
  where wait_event_type = 'Lock' and application_name = current_setting('application_name')`;

/** Starts a process that spends credits, and waits until it is ready. */
async function openSpender(order: Readonly<Record<string, unknown>>) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', toResolverOption(ROOT), SPENDER, JSON.stringify(order)],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      timeout: SPENDER_MS,
    },
  );
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, 'ready');
  return async function spend(): Promise<readonly string[]> {
    child.stdin.end('go\n');
    const ends = Ends.parse(JSON.parse(String((await lines.next()).value)));
    if (child.exitCode === null) await once(child, 'exit');
    return ends;
  };
}

test('two processes that race for the last credits neither overdraw, lose nor double-spend any', async () => {
  await atPlace('postgres', async (open, url) => {
    const db = await open();
    await migrate(db);
    const tenants = new Tenants({ db, clock: SYSTEM_CLOCK });
    const ids = await Promise.all(['a', 'b', 'c'].map(async (name) => tenants.create(name, 'starter')));
    const order = { url, tenants: ids, grant: 1000, credits: 15, calls: 60 };
    const spenders = await Promise.all(['one', 'two'].map(async (processId) => openSpender({ ...order, processId })));
    const ends = await Promise.all(spenders.map(async (spend) => spend()));
    const codes = new Set(ends.flat());
    assert.ok(codes.isSubsetOf(new Set(['charged', 'released', 'credits_exhausted'])), [...codes].join());
    const charged = ends.flat().filter((end) => end === 'charged').length;
    assert.ok(codes.has('credits_exhausted') && charged > 0);
    const rows = await db.query('select used, reserved from tenants order by id');
    const ledger = await db.query('select sum(credits) as n from ledger group by tenant_id order by tenant_id');
    assert.deepEqual(
      rows.map(({ used, reserved }) => [used, reserved]),
      ledger.map(({ n }) => [n, 0]),
    );
    assert.equal(
      rows.reduce((sum, { used }) => sum + Number(used), 0),
      charged * order.credits,
    );
    // Rejections are due to missing credits: less than one call with its raise remains.
    for (const { used } of rows) assert.ok(Number(used) <= 1000, `${String(used)} of 1000`);
    assert.equal((await db.query('select key from reservations')).length, 0);
  });
});

test('two processes that settle one call at the same moment charge it once', async () => {
  await withSchema(async (schema) => {
    const named = new URL(schema);
    named.searchParams.set('application_name', `settlers of ${process.pid}`);
    const stores = [1, 2].map(() =>
      openPostgres(named.href, { ...POSTGRES_LIMITS, clock: SYSTEM_CLOCK, report: ignore }),
    );
    const [first, second] = stores;
    assert.ok(first !== undefined && second !== undefined);
    await migrate(first);
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const tenant = await new Tenants({ db: first, clock }).create('t', 'starter');
    const account = { key: 'call', tenant, plan: { ...loadPlans(null).starter, credits_per_month: 1000 } };
    const open = (db: Db) => new Billing({ db, inTurn: createGroupCommit(db, SYSTEM_CLOCK), clock, processId: 'any' });
    // Without a reservation, as after a sweep, only the key of the ledger prevents a second charge.
    let late: Promise<unknown> = Promise.resolve();
    await open(first).settle(account, {
      operation: 'fetch',
      credits: 2,
      async record() {
        late = open(second)
          .settle(account, { operation: 'fetch', credits: 2, record: async () => {} })
          .catch(() => null);
        // The second has found no charge, and waits for the row that the first has locked.
        while ((await second.query(WAITING)).length === 0) await wait(5);
      },
    });
    await late;
    const rows = await first.query('select used, reserved from tenants');
    const charges = await first.query('select key from ledger');
    for (const db of stores) await db.close();
    assert.deepEqual({ ...rows[0] }, { used: 2, reserved: 0 });
    assert.equal(charges.length, 1);
  });
});

onEveryStore('of several processes starting on an empty store, one creates the first key', async (kind) => {
  await atPlace(kind, async (open) => {
    const first = await open();
    // Two handles of SQLite in one process would wait for each other on its only thread.
    const stores = kind === 'sqlite' ? [first, first, first] : [first, await open(), await open()];
    await migrate(first);
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const start = async (given?: string) =>
      Promise.all(stores.map(async (db) => ensureFirstKey({ db, clock, plans: loadPlans(null) }, given)));
    const made = (await start()).filter((key) => key !== null);
    assert.equal(made.length, 1);
    assert.deepEqual(
      (await start('a-given-key')).filter((key) => key !== null),
      ['given'],
    );
    assert.deepEqual(await start('a-given-key'), [null, null, null]);
    assert.equal((await first.query('select id from api_keys')).length, 2);
    assert.equal((await first.query('select id from tenants')).length, 2);
  });
});
