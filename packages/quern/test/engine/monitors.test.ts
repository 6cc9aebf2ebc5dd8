import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadPlans } from '#engine/identity/plans.ts';
import { onEveryStore } from '../support/store.ts';
import { SITE, withGate } from './gate.ts';
import { checkBooks, getOperation } from '../support/engine/queue.ts';
import { createMonitorCalls, openShop, pass, runAll } from '../support/engine/monitoring.ts';

const HOUR_MS = 3_600_000;

onEveryStore('a monitor runs at once and at each tick, is charged per run, and stores its changes', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const { answer } = await monitors.create({ webhook: 'https://hooks.example/x' });
    assert.equal(answer?.status, 201);
    const id = String(answer.body['id']);
    assert.equal(answer.headers['location'], `/v1/monitors/${id}`);
    assert.match(JSON.stringify(answer.body['webhook']), /"secret":"whsec_/);
    const first = await monitors.latestRun(id);
    assert.equal(first.id, answer.body['current_run_id']);
    assert.deepEqual([first.status, first.trigger, first.changed], ['queued', 'create', false]);
    assert.deepEqual(await runAll(gate), ['ok']);
    const done = await monitors.latestRun(id);
    assert.deepEqual([done.status, done.first_run, done.changed, done.http_status], ['completed', true, false, 200]);
    assert.deepEqual(done.values, { price: 100 });
    assert.deepEqual(done.field_meta, { price: { source: 'extract', currency: 'EUR' } });
    assert.deepEqual(done.usage, { credits: 2, base: 2, surcharge: 0, tier: 'http' });
    assert.deepEqual(await gate.spent(), [2, 0]);

    assert.deepEqual(await pass(gate, HOUR_MS + 360_000), ['ok']);
    assert.equal((await monitors.latestRun(id)).changed, false);
    shop.price = '90.00 EUR';
    assert.deepEqual(await pass(gate, HOUR_MS), ['ok']);
    const run = await monitors.latestRun(id);
    assert.deepEqual([run.changed, run.trigger], [true, 'schedule']);
    assert.equal(run.scheduled_for, '2026-11-21T14:00:00.000Z');
    const [change] = await monitors.changes(id);
    assert.equal(change?.run_id, run.id);
    assert.equal(change.notified, true);
    assert.deepEqual(
      change.changes.map(({ field, previous_value, new_value }) => [field, previous_value, new_value]),
      [['price', 100, 90]],
    );
    const shown = await monitors.show(id);
    assert.match(shown.next_run_at ?? '', /^2026-11-21T15:0/);
    assert.deepEqual([shown.health, shown.estimated_credits_per_month, shown.current_run_id], ['ok', 1440, null]);
    assert.deepEqual(await gate.spent(), [6, 0]);
    assert.equal((await gate.db.query("select id from deliveries where status = 'pending'")).length, 1);
    assert.deepEqual(await gate.db.query('select id from jobs'), []);
    await checkBooks(gate);
    assert.equal(await gate.tenants.refund(gate.tenant, run.id), 2);
    await assert.rejects(gate.tenants.refund(gate.tenant, run.id), /was refunded before/);
    assert.deepEqual(await gate.spent(), [4, 0]);
  });
});

onEveryStore('the limit of active monitors holds for concurrent creations', async (store) => {
  await withGate({ store, plan: 'free' }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const said = await Promise.all(Array.from({ length: 20 }, async () => monitors.create()));
    assert.equal(said.filter(({ code }) => code === 'ok').length, 5);
    assert.equal(said.filter(({ code }) => code === 'plan_upgrade_required').length, 15);
    const { answer } = await monitors.create({ active: false });
    assert.equal(answer?.body['current_run_id'], null);
    const id = String(answer?.body['id']);
    assert.equal((await monitors.ask('update', { id, active: true })).code, 'plan_upgrade_required');
    const [first] = said.flatMap((one) => (one.answer === null ? [] : [String(one.answer.body['id'])]));
    assert.equal((await monitors.ask('delete', { id: first })).answer?.status, 204);
    assert.equal((await monitors.ask('update', { id, active: true })).answer?.body['active'], true);
    assert.equal((await monitors.create({ proxy: 'stealth' })).code, 'plan_upgrade_required');
  });
});

onEveryStore('a monitor that exceeds a smaller plan can be switched off', async (store) => {
  await withGate({ store, plan: 'pro' }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const before = await monitors.create({ cron: '* * * * *', proxy: 'stealth', metadata: { a: 1 } });
    const id = String(before.answer?.body['id']);
    const caller = { tenant: gate.tenant, keyId: 'key_1', plan: loadPlans(null).free };
    const { signal } = new AbortController();
    const ask = { caller, requestId: 'req_1', signal, idempotencyKey: null, lastEventId: null, lease: null };
    const update = async (raw: object) => gate.perform(getOperation('monitors.update'), { id, ...raw }, ask);
    await assert.rejects(update({ name: 'x' }), { code: 'plan_upgrade_required' });
    const { body } = await update({ active: false });
    assert.deepEqual([body['active'], body['inactive_reason'], body['next_run_at']], [false, 'user', null]);
    for (const member of ['url', 'extract', 'watch', 'metadata', 'cron', 'name']) {
      assert.deepEqual(body[member], before.answer?.body[member], member);
    }
    await assert.rejects(update({ active: true }), { code: 'plan_upgrade_required' });
  });
});

onEveryStore('a manual run is queued once per ten seconds, and returns the active run', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits, limits: { daily_cap: 9 } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ active: false });
    const before = (await monitors.show(id)).next_run_at;
    const { answer } = await monitors.ask('trigger', { id });
    assert.deepEqual([answer?.status, answer?.body['status']], [202, 'queued']);
    const again = (await monitors.ask('trigger', { id })).answer?.body;
    assert.deepEqual([again?.['run_id'], again?.['deduped']], [answer?.body['run_id'], true]);
    assert.deepEqual(await runAll(gate), ['ok']);
    const soon = await monitors.ask('trigger', { id });
    assert.deepEqual([soon.code, soon.error?.retryAfterSeconds], ['rate_limited', 10]);
    gate.clock.pass(10_000);
    assert.equal((await monitors.ask('trigger', { id })).code, 'ok');
    assert.deepEqual(await runAll(gate), ['ok']);
    assert.equal((await monitors.show(id)).next_run_at, before);
    assert.equal((await monitors.latestRun(id)).trigger, 'manual');
    gate.clock.pass(10_000);
    await gate.fetch();
    await gate.fetch();
    assert.equal((await monitors.ask('trigger', { id })).code, 'daily_credit_cap_exceeded');
    for (const foreign of ['show', 'trigger', 'runs', 'runs.latest', 'changes', 'changes.latest', 'delete', 'update']) {
      const other = await gate.tenants.create('other', 'starter');
      assert.equal((await monitors.ask(foreign, { id }, { as: other })).code, 'not_found', foreign);
    }
    assert.equal((await monitors.ask('changes.latest', { id })).code, 'not_found');
    await checkBooks(gate);
  });
});

onEveryStore('an idempotency key creates one monitor and one run', async (store) => {
  await withGate({ store }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const [one, two] = [await monitors.create({}, { key: 'a' }), await monitors.create({}, { key: 'a' })];
    assert.deepEqual(two.answer?.body, one.answer?.body);
    assert.equal(two.answer?.status, 201);
    assert.equal((await gate.db.query('select id from monitors')).length, 1);
    assert.equal((await monitors.create({ name: 'x' }, { key: 'a' })).code, 'idempotency_conflict');
  });
});

onEveryStore('a tick during a run is skipped, and missed ticks are caught up once', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ cron: '*/5 * * * *' });
    gate.clock.pass(300_000);
    await gate.queue.ticks.tick();
    const overlapped = await monitors.latestRun(id);
    assert.deepEqual([overlapped.status, overlapped.skipped_reason], ['skipped', 'overlap']);
    assert.deepEqual(await runAll(gate), ['ok']);
    // The service is down for three hours and seven minutes.
    gate.clock.pass(3 * HOUR_MS + 420_000);
    await gate.queue.ticks.tick();
    const caught = await monitors.latestRun(id);
    assert.deepEqual([caught.trigger, caught.missed_ticks], ['catch_up', 37]);
    assert.equal(caught.scheduled_for, '2026-11-21T15:10:00.000Z');
    assert.deepEqual(await runAll(gate), []);
    assert.deepEqual(await pass(gate, 60_000), ['ok']);
    assert.equal((await monitors.show(id)).next_run_at, '2026-11-21T15:15:00.000Z');
    // Clock steps: nothing runs again after a step back, or is made up for after a week forward.
    gate.clock.pass(-HOUR_MS);
    assert.equal((await gate.queue.ticks.tick()).due, 0);
    assert.deepEqual(await pass(gate, HOUR_MS), []);
    assert.deepEqual(await pass(gate, 300_000), ['ok']);
    assert.equal((await monitors.runs(id)).length, 4);
    await monitors.ask('update', { id, cron: '0 0 * * 0' });
    gate.clock.pass(15 * 24 * HOUR_MS + 13 * HOUR_MS);
    assert.deepEqual(await pass(gate, 120_000), []);
    await checkBooks(gate);
  });
});

onEveryStore('a failing monitor runs less often until a run completes', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ cron: '*/5 * * * *' });
    await runAll(gate);
    shop.status = 500;
    await pass(gate, 390_000);
    const run = await monitors.latestRun(id);
    assert.deepEqual([run.status, run.attempt, run.error?.code, run.usage], ['failed', 3, 'target_unreachable', null]);
    assert.match(run.error?.message ?? '', /answered 500/);
    assert.deepEqual(await gate.spent(), [2, 0]);
    await pass(gate, 600_000);
    const failing = await monitors.show(id);
    assert.deepEqual([failing.health, failing.consecutive_failures], ['failing', 3]);
    assert.ok(failing.backoff_until !== null && failing.next_run_at !== null);
    assert.ok(failing.next_run_at >= failing.backoff_until);
    shop.status = 200;
    await pass(gate, 900_000);
    const back = await monitors.show(id);
    assert.deepEqual([back.health, back.consecutive_failures, back.backoff_until], ['ok', 0, null]);
    assert.deepEqual(await monitors.changes(id), []);
    shop.status = 404;
    await gate.db.query('update monitors set consecutive_failures = 99, failing_since = $1', [gate.clock.now()]);
    await pass(gate, 600_000);
    const lost = await monitors.show(id);
    assert.deepEqual([lost.active, lost.inactive_reason, lost.next_run_at], [false, 'failing', null]);
    await checkBooks(gate);
  });
});

onEveryStore('without credits runs are skipped without a visit until a top-up', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits, limits: { credits_per_month: 3 } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ cron: '*/5 * * * *' });
    await runAll(gate);
    await pass(gate, 300_000);
    const skipped = await monitors.latestRun(id);
    assert.deepEqual([skipped.status, skipped.skipped_reason], ['skipped', 'credits_exhausted']);
    assert.equal(shop.visits, 1);
    assert.equal((await monitors.ask('trigger', { id })).code, 'credits_exhausted');
    assert.deepEqual([(await monitors.show(id)).active, (await monitors.show(id)).consecutive_failures], [true, 0]);
    await gate.tenants.topUp(gate.tenant, 10);
    await pass(gate, 300_000);
    assert.equal((await monitors.latestRun(id)).status, 'completed');
    await checkBooks(gate);
  });
});

onEveryStore('a new target starts a new baseline, a new schedule does not', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ cron: '*/5 * * * *' });
    await runAll(gate);
    await monitors.ask('update', {
      id,
      watch: { thresholds: { price: { pct: 5 } } },
      cron: '1-59/5 * * * *',
      name: 'Rye',
    });
    shop.price = '110.00 EUR';
    await pass(gate, 300_000);
    assert.equal((await monitors.latestRun(id)).changed, true);
    const changed = await monitors.ask('update', { id, url: `${SITE}other` });
    assert.equal(changed.answer?.body['url'], `${SITE}other`);
    assert.equal(changed.answer.body['name'], 'Rye');
    shop.price = '500.00 EUR';
    await pass(gate, 300_000);
    const reset = await monitors.latestRun(id);
    assert.deepEqual([reset.changed, reset.baseline_reset, reset.first_run], [false, true, false]);
    await monitors.ask('update', { id, active: false });
    const off = await monitors.show(id);
    assert.deepEqual([off.active, off.inactive_reason, off.next_run_at], [false, 'user', null]);
    assert.deepEqual(await pass(gate, 1_200_000), []);
    await monitors.ask('update', { id, active: true });
    shop.price = '900.00 EUR';
    await pass(gate, 300_000);
    assert.equal((await monitors.latestRun(id)).changed, true);
    assert.equal((await monitors.changes(id)).length, 2);
  });
});

onEveryStore('a run started before a change of the target does not change the baseline', async (store) => {
  const held = Promise.withResolvers<void>();
  const { shop, tierVisits } = openShop();
  const http: typeof tierVisits.http = async (request, signal) => {
    const page = await tierVisits.http(request, signal);
    await held.promise;
    return page;
  };
  await withGate({ store, tierVisits: { http } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ watch: { notify_on_first_run: true } });
    const running = runAll(gate);
    while (shop.visits === 0) await new Promise((resolve) => setImmediate(resolve));
    assert.equal((await monitors.latestRun(id)).status, 'running');
    await monitors.ask('update', { id, url: `${SITE}other` });
    held.resolve();
    assert.deepEqual(await running, ['ok']);
    assert.equal((await monitors.latestRun(id)).status, 'completed');
    assert.deepEqual(await monitors.changes(id), []);
    const [row] = await gate.db.query('select baseline from monitors');
    assert.equal(row?.['baseline'], null);
  });
});

onEveryStore('a monitor keeps its session when other fields are changed', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ session: 'shop', cron: '*/5 * * * *' });
    await runAll(gate);
    await monitors.ask('update', { id, name: 'Rye' });
    const { answer } = await monitors.ask('show', { id });
    assert.equal(answer?.body['session'], 'shop');
    await pass(gate, 300_000);
    assert.equal((await monitors.latestRun(id)).baseline_reset, undefined);
  });
});

onEveryStore('deleting a monitor deletes its queued run at once, and its history later', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made();
    await runAll(gate);
    shop.price = '1.00 EUR';
    gate.clock.pass(10_000);
    await monitors.ask('trigger', { id });
    assert.equal((await monitors.ask('delete', { id })).answer?.status, 204);
    for (const call of ['show', 'delete', 'trigger', 'runs']) {
      assert.equal((await monitors.ask(call, { id })).code, 'not_found');
    }
    assert.deepEqual(await runAll(gate), []);
    await gate.queue.monitorRetention.tidy();
    await gate.queue.monitorRetention.tidy();
    for (const table of ['monitors', 'monitor_runs', 'monitor_changes', 'jobs']) {
      assert.deepEqual(await gate.db.query(`select * from ${table}`), [], table);
    }
    await checkBooks(gate);
  });
});

onEveryStore('runs are not listed as jobs of the tenant, and are deleted after 90 days', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ cron: null });
    const run = await monitors.latestRun(id);
    assert.deepEqual((await gate.ask(getOperation('jobs.list'), {})).answer?.body['data'], []);
    assert.equal((await gate.ask(getOperation('jobs.show'), { id: run.id })).code, 'not_found');
    assert.equal((await gate.ask(getOperation('jobs.cancel'), { id: run.id })).code, 'not_found');
    assert.deepEqual(await runAll(gate), ['ok']);
    for (let more = 0; more < 2; more += 1) {
      gate.clock.pass(10_000);
      await monitors.ask('trigger', { id });
      await runAll(gate);
    }
    const page = (await monitors.ask('runs', { id, limit: 2 })).answer?.body;
    const rest = (await monitors.ask('runs', { id, limit: 2, cursor: page?.['next_cursor'] })).answer?.body;
    assert.equal(JSON.stringify(rest?.['data']).includes(run.id), true);
    assert.equal((await monitors.ask('changes', { id, cursor: page?.['next_cursor'] })).code, 'invalid_request');
    const list = (await monitors.ask('list', { active: true, kind: 'generic' })).answer?.body;
    assert.equal(JSON.stringify(list).includes(id), true);
    gate.clock.pass(90 * 24 * HOUR_MS + 60_000);
    await gate.queue.monitorRetention.tidy();
    assert.deepEqual(await monitors.runs(id), []);
  });
});

test('every priced operation can be watched, and so can the text of a page', async () => {
  const { shop, tierVisits } = openShop();
  await withGate({ tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const bare = { url: undefined, extract: undefined };
    const map = await monitors.made({
      ...bare,
      target: { operation: 'map', input: { url: SITE, sources: ['links'] } },
    });
    const crawl = await monitors.made({ ...bare, target: { operation: 'crawl', input: { url: SITE, max_pages: 2 } } });
    const text = await monitors.made({ extract: undefined, watch: { mode: 'content' } });
    const came = await runAll(gate);
    assert.deepEqual(came, ['ok', 'ok', 'ok']);
    for (const id of [map, crawl, text]) assert.equal((await monitors.latestRun(id)).status, 'completed');
    assert.match(JSON.stringify((await monitors.latestRun(map)).values), /mill\.example/);
    assert.match(JSON.stringify((await monitors.latestRun(crawl)).values), /mill\.example/);
    shop.price = '7.00 EUR';
    gate.clock.pass(10_000);
    await monitors.ask('trigger', { id: text });
    await runAll(gate);
    const [change] = await monitors.changes(text);
    assert.equal(change?.kind, 'content');
    assert.match(change.content?.unified_diff ?? '', /-100\.00 EUR[\s\S]*\+7\.00 EUR/);
    await gate.queue.retention.tidy();
    assert.deepEqual(await gate.db.query('select * from result_segments'), []);
    await checkBooks(gate);
  });
});
