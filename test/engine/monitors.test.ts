import assert from 'node:assert/strict';
import { onEveryStore } from '../support/store.ts';
import { withGate } from './gate.ts';
import { checkBooks } from './queue.ts';
import { monitorsOf, openShop, pass, runAll } from './watching.ts';

const HOUR_MS = 3_600_000;

onEveryStore('a monitor runs at once and at each tick, is charged by run, and keeps what changed', async (store) => {
  const { shop, rungs } = openShop();
  await withGate({ store, rungs }, async (gate) => {
    const monitors = monitorsOf(gate);
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
    assert.equal(shown.next_run_at, '2026-11-21T15:00:00.000Z');
    assert.deepEqual([shown.health, shown.estimated_credits_per_month, shown.current_run_id], ['ok', 1440, null]);
    assert.deepEqual(await gate.spent(), [6, 0]);
    assert.equal((await gate.db.query("select id from deliveries where status = 'pending'")).length, 1);
    assert.deepEqual(await gate.db.query('select id from jobs'), []);
    await checkBooks(gate);
  });
});
