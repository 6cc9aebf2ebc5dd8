import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { z } from 'zod';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import type { Visit } from '#access/page.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db, StoreKind } from '#store/db.ts';
import { ConsoleSessions } from '#engine/identity/console-sessions.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { SharedRates } from '#engine/identity/rates.ts';
import { openWithReceipts } from '#store/receipts.ts';
import { loadKnownSchema, getNewestVersion, readTables } from '#store/schema.ts';
import { losing } from '../support/losing.ts';
import { startHttpServer } from '#testkit/servers.ts';
import { ignore, onEveryStore, withStoreKind } from '../support/store.ts';
import { type Gate, isBlocked, SITE, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { createSending, TENANT } from '#testkit/deliveries.ts';
import { openTestClock } from '../support/clock.ts';
import { serves, buildSite, crawlIn } from '../support/engine/crawl-modes.ts';
import { createMonitorCalls, openShop, pass, runAll } from '../support/engine/monitoring.ts';

const WRITES = /\b(?:insert into|update|delete from) (?!set\b)(\w+)/g;
const MINUTE_MS = 60_000;
const SHOP = `${SITE}price`;
type Shop = ReturnType<typeof openShop>['shop'];

const COUNT = z.object({ n: z.number() });
/** Host leases are only written by processes that share a store, and files of pages only by calls with a browser. */
const ELSEWHERE = new Set(['migrations', 'receipts', 'host_leases', 'artifacts', 'room']);

const site = buildSite({
  '/': { links: ['/a', '/b', '/c'] },
  '/a': { links: ['/d', '/none'] },
  '/b': { links: ['/a'] },
  '/c': { links: [] },
  '/d': { links: [] },
});
const PAGES = 5;

/** A store whose commits all succeed while their confirmations are lost; `wrote` receives the changed tables. */
function losesAll(wrote: Set<string>) {
  return async (db: Db): Promise<Db> =>
    openWithReceipts(
      losing(db, (statements) => {
        for (const [, table = ''] of statements.join('\n').matchAll(WRITES)) wrote.add(table);
        return true;
      }),
      SYSTEM_CLOCK,
    );
}

async function countRows(db: Db, sql: string): Promise<number> {
  return COUNT.parse((await db.query(`select count(*) as n from ${sql}`))[0]).n;
}

async function runOne(gate: Gate): Promise<string> {
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  return runClaimed(gate, claimed);
}

onEveryStore('a claim whose answer is lost claims its pages once, and the crawl ends', async (store) => {
  let lost = 0;
  const choose = (statements: readonly string[]): boolean => {
    if (!statements.some((sql) => sql.startsWith('update crawl_urls set state = 1'))) return false;
    lost += 1;
    return lost === 1;
  };
  const through = async (db: Db): Promise<Db> => openWithReceipts(losing(db, choose), SYSTEM_CLOCK);
  const asked: string[] = [];
  await withGate({ store, through, tierVisits: { http: serves(site, asked) } }, async (gate) => {
    const body = await crawlIn(gate, { mode: store, kind: 'crawl' }, {});
    assert.equal(z.array(z.unknown()).parse(body['pages']).length, PAGES);
    assert.ok(lost > 1);
    assert.equal(asked.filter((path) => path === '/').length, 1);
    assert.deepEqual(await gate.spent(), [PAGES * 2, 0]);
    await checkBooks(gate);
  });
});

/** The kinds of work by name. */
const WORK: Readonly<Record<string, (gate: Gate, shop: Shop) => Promise<void>>> = {
  async 'calls are charged once, and give back what they held'(gate) {
    const said = await Promise.all(Array.from({ length: 8 }, async () => gate.fetch({ max_age_ms: 0 })));
    assert.deepEqual(
      said.map(({ code }) => code),
      said.map(() => 'ok'),
    );
    assert.deepEqual(await gate.spent(), [16, 0]);
    assert.equal((await gate.fetch({ url: 'https://mill.example/blocked' })).code, 'target_blocked');
    assert.deepEqual(await gate.spent(), [16, 0]);
    assert.equal(await countRows(gate.db, 'requests'), 9);
  },

  async 'a call under a key is made once, and its answer is kept'(gate) {
    const first = await gate.fetch({}, { key: 'once' });
    const again = await gate.fetch({}, { key: 'once' });
    assert.equal(first.code, 'ok');
    assert.deepEqual(again.answer?.body, first.answer?.body);
    const submitted = await openJobTools(gate).submit({}, { key: 'queued' });
    assert.deepEqual((await openJobTools(gate).submit({}, { key: 'queued' })).answer?.body, submitted.answer?.body);
    assert.equal(await countRows(gate.db, 'jobs'), 1);
    assert.equal(await runOne(gate), 'ok');
    assert.deepEqual(await gate.spent(), [4, 0]);
  },

  async 'pages are compared with their last copy, and not with themselves'(gate) {
    const input = { url: SITE, output: ['changes'] };
    const at = new Date(gate.clock.now()).toISOString();
    const { answer } = await gate.fetch(input);
    assert.deepEqual(answer?.body['changes'], { status: 'new', previous_at: null });
    gate.clock.pass(MINUTE_MS);
    const submitted = await gate.ask(getOperation('jobs.submit'), { kind: 'fetch', input });
    assert.equal(await runOne(gate), 'ok');
    const result = await openJobTools(gate).result(String(submitted.answer?.body['id']), {});
    assert.deepEqual(result.answer?.body['changes'], { status: 'same', previous_at: at });
    assert.equal((await gate.fetch(input)).code, 'ok');
    assert.equal(await countRows(gate.db, 'page_copies'), 1);
    assert.deepEqual(await gate.spent(), [6, 0]);
  },

  async 'jobs are claimed once, and end once'(gate) {
    const jobs = openJobTools(gate);
    const ids = [await jobs.queued(), await jobs.queued({ max_age_ms: 0 })];
    assert.deepEqual([await runOne(gate), await runOne(gate)], ['ok', 'ok']);
    for (const id of ids) assert.equal((await jobs.show(id)).status, 'completed');
    assert.equal(await countRows(gate.db, "jobs where status = 'running'"), 0);
    const failing = await jobs.queued({ url: 'https://mill.example/blocked' });
    assert.equal(await runOne(gate), 'target_blocked');
    assert.equal((await jobs.show(failing)).status, 'failed');
    const left = await jobs.queued();
    assert.equal((await jobs.cancel(left)).code, 'ok');
    assert.equal((await jobs.show(left)).status, 'cancelled');
    assert.equal((await jobs.cancel(ids[0] ?? '')).code, 'ok');
    assert.deepEqual(await gate.spent(), [4, 0]);
  },

  async 'a job of a dead worker is given back once'(gate) {
    const id = await openJobTools(gate).queued();
    const [dead] = await gate.queue.leases.claim('w1', 1);
    assert.ok(dead !== undefined);
    gate.clock.pass(31_000);
    await gate.queue.leases.recover(null, async () => gate.plan);
    assert.equal(await runOne(gate), 'ok');
    assert.equal(await runClaimed(gate, dead), 'lost');
    assert.deepEqual([(await openJobTools(gate).show(id)).status, await gate.spent()], ['completed', [2, 0]]);
  },

  async 'crawls and maps hold each page once'(gate) {
    for (const [kind, list] of [
      ['crawl', 'pages'],
      ['map', 'urls'],
    ] as const) {
      for (const mode of ['inline', gate.db.kind] as const) {
        const body = await crawlIn(gate, { mode, kind }, {});
        const found = z.array(z.looseObject({ url: z.string() })).parse(body[list]);
        assert.equal(new Set(found.map(({ url }) => url)).size, found.length);
        if (kind === 'crawl') assert.equal(found.length, PAGES);
      }
    }
    assert.equal((await gate.spent())[1], 0);
  },

  async 'a monitor is made, ticks, tells and is changed once'(gate, shop) {
    const monitors = createMonitorCalls(gate);
    const digest = { interval_minutes: 60 };
    const id = await monitors.made({ url: SHOP, webhook: 'https://hooks.example/in', watch: { digest } });
    assert.deepEqual(await runAll(gate), ['ok']);
    shop.price = '90.00 EUR';
    assert.equal((await monitors.ask('trigger', { id })).code, 'ok');
    assert.deepEqual(await runAll(gate), ['ok']);
    assert.deepEqual(await pass(gate, 65 * MINUTE_MS), ['ok']);
    await gate.queue.digests.flush();
    assert.equal((await monitors.runs(id)).length, 3);
    assert.equal((await monitors.changes(id)).length, 1);
    assert.equal(await countRows(gate.db, "deliveries where type = 'monitor.digest'"), 1);
    assert.equal((await monitors.ask('update', { id, name: 'rye' })).code, 'ok');
    assert.equal((await monitors.show(id)).name, 'rye');
    assert.equal((await monitors.ask('delete', { id })).code, 'ok');
    assert.equal((await monitors.ask('show', { id })).code, 'not_found');
  },

  async 'tenants and keys are made and changed once'(gate) {
    const tenant = await gate.tenants.create('two', 'starter');
    await gate.tenants.topUp(tenant, 5);
    await gate.tenants.update(tenant, { plan: 'free' });
    await gate.tenants.ensureLocal();
    const made = await gate.keys.add(tenant, 'first');
    const next = await gate.keys.rotate(made.keyId);
    assert.equal(await gate.keys.findCaller(made.key), null);
    assert.equal((await gate.keys.findCaller(next.key))?.tenant, tenant);
    await gate.keys.revoke(next.keyId);
    assert.equal(await countRows(gate.db, "ledger where kind = 'top_up'"), 1);
    assert.equal(await countRows(gate.db, 'api_keys'), 2);
    assert.equal((await gate.fetch()).code, 'ok');
    assert.equal(await gate.tenants.refund(gate.tenant, 'req_0001'), 2);
    assert.deepEqual(await gate.spent(), [0, 0]);
  },

  async 'a session is imported, shown and deleted once'(gate) {
    const cookie = { name: 'sid', value: 'rye', domain: 'mill.example', path: '/' };
    const asked = async (id: string, raw: object) => (await gate.ask(getOperation(id), { name: 'shop', ...raw })).code;
    assert.equal(await asked('sessions.import', { cookies: [cookie] }), 'ok');
    assert.equal(await countRows(gate.db, "sessions where name = 'shop'"), 1);
    assert.equal((await gate.fetch({ session: 'shop' })).code, 'ok');
    assert.equal(await asked('sessions.delete', {}), 'ok');
    assert.equal(await asked('sessions.show', {}), 'not_found');
  },

  async 'a sign-in to the console begins one session, and its link is used up'(gate) {
    const { db, clock, keys } = gate;
    const sessions = new ConsoleSessions({ db, clock, plans: loadPlans(null), noteUse: keys.recordUse });
    const { keyId } = await keys.add(gate.tenant, 'first');
    const link = await sessions.createLink(keyId);
    assert.equal(await sessions.consumeLink(link), keyId);
    assert.equal(await sessions.consumeLink(link), null);
    const opened = await sessions.open(keyId);
    assert.equal((await sessions.find(opened))?.caller.keyId, keyId);
    assert.equal(await countRows(db, 'console_sessions'), 1);
    await sessions.end(opened);
    assert.equal(await sessions.find(opened), null);
  },

  async 'the pages of an ended crawl are taken over once'(gate) {
    await crawlIn(gate, { mode: gate.db.kind, kind: 'crawl' }, {});
    await buildCrawlRetention(gate).tidy();
    assert.equal(await countRows(gate.db, 'crawl_pages where state = 2'), PAGES);
    assert.equal(await countRows(gate.db, 'crawl_urls'), 0);
  },

  async 'requests are counted once'({ db, clock }) {
    const rates = new SharedRates({ db, clock, report: ignore });
    const counted = await Promise.all(Array.from({ length: 10 }, async () => rates.count('key')));
    assert.deepEqual(
      counted.map(({ n }) => n),
      counted.map((_, at) => at + 1),
    );
  },

  async 'upkeep goes on'(gate) {
    await gate.processes.sweep();
    await gate.processes.freeOwn();
    assert.deepEqual(await gate.processes.listLive(), ['here']);
    gate.siteHealth.observe('mill.page', { by: gate.tenant, kind: 'failed', code: 'timeout' });
    await gate.siteHealth.close();
    assert.equal(await countRows(gate.db, 'site_health where failed_in_row = 1'), 1);
  },
};

onEveryStore('a transaction whose commit answer is lost runs once', async (store) => {
  const wrote = new Set<string>();
  for (const [what, work] of Object.entries(WORK)) {
    const { shop, tierVisits } = openShop();
    const http: Visit = async (request, signal) => {
      if (request.url.href === SHOP) return tierVisits.http(request, signal);
      return (request.url.pathname === '/blocked' ? isBlocked : serves(site))(request, signal);
    };
    await withGate({ store, through: losesAll(wrote), tierVisits: { http } }, async (gate) => {
      await work(gate, shop).catch((error: unknown) => assert.fail(`${what}: ${inspect(error)}`));
      await checkBooks(gate);
    });
  }
  await sendOnce(store, wrote);
  const code = await loadKnownSchema();
  const tables = readTables(code, getNewestVersion(code)).map(({ name }) => name);
  assert.deepEqual(
    tables.filter((name) => !wrote.has(name) && !ELSEWHERE.has(name)),
    [],
  );
});

/** Events are claimed, sent and settled once, and again when they are redelivered. */
async function sendOnce(store: StoreKind, wrote: Set<string>): Promise<void> {
  let got = 0;
  await using receiver = await startHttpServer((_request, response) => {
    got += 1;
    response.end();
  });
  await withStoreKind(store, async (db) => {
    const sending = createSending(await losesAll(wrote)(db), openTestClock(new Date().toISOString()));
    try {
      sending.start();
      await sending.hook('mon_1', { url: `${receiver.origin}/in` });
      const id = await sending.enqueue('mon_1');
      await sending.until(id, ({ status }) => status === 'succeeded');
      assert.equal((await sending.log.redeliver(TENANT, id)).id, id);
      const record = await sending.until(id, ({ status, attempts }) => status === 'succeeded' && attempts.length === 2);
      assert.deepEqual([record.status, got, sending.reported], ['succeeded', 2, []]);
    } finally {
      await sending.close();
    }
  });
}
