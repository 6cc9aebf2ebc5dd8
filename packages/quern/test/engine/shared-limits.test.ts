import assert from 'node:assert/strict';
import { Billing } from '#engine/credits/billing.ts';
import { Processes } from '#engine/credits/processes.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { createLocalRates, SharedRates } from '#engine/identity/rates.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { openTestClock, type TestClock } from '../support/clock.ts';
import { ignore, onEveryStore, withStoreKind } from '../support/store.ts';
import { SITE, withGate } from './gate.ts';
import { checkBooks, getOperation } from '../support/engine/queue.ts';
import { hangsAt, serves, buildSite } from '../support/engine/crawl-modes.ts';

const NOON = '2026-11-21T12:00:00Z';
const MINUTE_MS = 60_000;
const LIMIT = 5;

const site = buildSite({ '/': { links: ['/a', '/b'] }, '/a': { links: [] }, '/b': { links: [] } });

function sharedRates(db: Db, clock: TestClock) {
  return new SharedRates({ db, clock, report: ignore });
}

onEveryStore('processes on one store count requests together, per name and minute', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const clock = openTestClock(NOON);
    const processes = [sharedRates(db, clock), sharedRates(db, clock)];
    const count = async (name: string, times: number) =>
      Promise.all(Array.from({ length: times }, async (_, at) => processes[at % processes.length]?.count(name)));
    const [many, few] = await Promise.all([count('many', 40), count('few', 3)]);
    const numbers = (rates: typeof many) => rates.map((rate) => rate?.n).toSorted((a = 0, b = 0) => a - b);
    assert.deepEqual(
      numbers(many),
      Array.from({ length: 40 }, (_, at) => at + 1),
    );
    assert.deepEqual(numbers(few), [1, 2, 3]);
    assert.deepEqual(new Set(many.map((rate) => rate?.leftMs)), new Set([MINUTE_MS]));
    clock.pass(20_000);
    assert.deepEqual(await processes[0]?.count('many'), { n: 41, leftMs: 40_000 });
    clock.pass(40_000);
    assert.deepEqual(await processes[1]?.count('many'), { n: 1, leftMs: MINUTE_MS });
  });
});

onEveryStore('counts of past minutes are deleted', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const clock = openTestClock(NOON);
    const rates = sharedRates(db, clock);
    await Promise.all(Array.from({ length: 2500 }, async (_, at) => rates.count(`address ${at}`)));
    clock.pass(MINUTE_MS);
    await rates.count('one');
    while ((await db.query('select key from rates')).length > 1);
    assert.equal((await rates.count('one')).n, 2);
  });
});

onEveryStore('a count that the store rejects is reported, and the next one is written', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const clock = openTestClock(NOON);
    let isAway = true;
    const away: Db = {
      ...db,
      transaction: async (...args) => (isAway ? Promise.reject(new Error('away')) : db.transaction(...args)),
    };
    const rates = sharedRates(away, clock);
    await assert.rejects(rates.count('one'), /away/);
    isAway = false;
    assert.equal((await rates.count('one')).n, 1);
    assert.equal((await createLocalRates().count('one')).n, 1);
  });
});

onEveryStore(
  'concurrent calls of a tenant are limited over all processes, and those of a dead process end',
  async (kind) => {
    await withStoreKind(kind, async (db) => {
      const clock = openTestClock(NOON);
      const plan = { ...loadPlans(null).starter, concurrent_requests: LIMIT };
      const tenants = new Tenants({ db, clock });
      const [tenant, other] = [await tenants.create('t', 'starter'), await tenants.create('o', 'starter')];
      const open = (processId: string) =>
        new Billing({ db, inTurn: createGroupCommit(db, SYSTEM_CLOCK), clock, processId });
      const [one, two] = [open('one'), open('two')];
      const account = (key: string, whose = tenant) => ({ key, tenant: whose, plan, maxConcurrent: LIMIT });
      const call = async (billing: typeof one, key: string) =>
        billing.reserve(account(key), 2).then(
          () => 'ok',
          (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
        );
      for (const processId of ['one', 'two']) await new Processes({ db, clock, processId }).sweep();
      const codes = await Promise.all(
        Array.from({ length: 4 * LIMIT }, async (_, at) => call(at % 2 === 0 ? one : two, `call ${at}`)),
      );
      assert.equal(codes.filter((code) => code === 'ok').length, LIMIT);
      assert.equal(codes.filter((code) => code === 'concurrency_limit_exceeded').length, 3 * LIMIT);
      await two.reserve(account('of another', other), 2);
      // A job uses no slot.
      await one.reserve({ key: 'job:1', tenant, plan }, 2);
      const [held] = codes.flatMap((code, at) => (code === 'ok' ? [at] : []));
      await (held === undefined ? one : two).release(account(`call ${held}`));
      assert.equal(await call(one, 'next'), 'ok');
      assert.equal(await call(two, 'too many'), 'concurrency_limit_exceeded');
      clock.pass(41_000);
      await new Processes({ db, clock, processId: 'two' }).sweep();
      const left = await db.query("select key from reservations where place = 1 and process_id = 'one'");
      assert.equal(left.length, 0);
      const [row] = await db.query('select reserved from tenants where id = $1', [tenant]);
      const [holds] = await db.query('select coalesce(sum(credits), 0) as n from reservations where tenant_id = $1', [
        tenant,
      ]);
      assert.equal(row?.['reserved'], holds?.['n']);
    });
  },
);

onEveryStore(
  'a crawl keeps its slot without a reservation, and lack of credits is reported before lack of slots',
  async (store) => {
    const { visit, death } = hangsAt('/a', serves(site));
    const limits = { concurrent_requests: 1, credits_per_month: 10 };
    await withGate({ store, limits, tierVisits: { http: visit } }, async (gate) => {
      const crawl = gate.ask(getOperation('crawl'), { url: SITE, delay_ms: 0, max_pages: 3 });
      await death.came;
      assert.equal((await gate.fetch()).code, 'concurrency_limit_exceeded');
      assert.equal((await gate.fetch({ output: ['markdown'], proxy: 'stealth' })).code, 'credits_exhausted');
      death.end();
      assert.equal((await crawl).code, 'ok');
      assert.equal((await gate.fetch()).code, 'ok');
      assert.deepEqual(await gate.spent(), [8, 0]);
      await checkBooks(gate);
    });
  },
);
