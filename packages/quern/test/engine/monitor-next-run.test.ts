import assert from 'node:assert/strict';
import { onEveryStore } from '../support/store.ts';
import { type Gate, withGate } from './gate.ts';
import { createMonitorCalls, openShop, pass, runAll } from '../support/engine/monitoring.ts';

const HOUR_MS = 3_600_000;

/** Asserts that the next run starts exactly at `next_run_at`. */
async function assertBegins(gate: Gate, id: string): Promise<void> {
  const monitors = createMonitorCalls(gate);
  const at = (await monitors.show(id)).next_run_at;
  assert.ok(at !== null);
  const runs = (await monitors.runs(id)).length;
  gate.clock.pass(Date.parse(at) - 1 - gate.clock.now());
  assert.equal((await gate.queue.ticks.tick()).due, 0);
  gate.clock.pass(1);
  assert.equal((await gate.queue.ticks.tick()).due, 1);
  const begun = await monitors.runs(id);
  assert.deepEqual([begun.length, begun[0]?.queued_at], [runs + 1, at]);
}

onEveryStore('next_run_at is the start of the next run, also in the list', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made();
    const shown = await monitors.show(id);
    assert.ok((shown.next_run_at ?? '') > '2026-11-21T13:00:00.000Z', 'an hourly monitor has a delay of its own');
    const list = JSON.stringify((await monitors.ask('list', {})).answer?.body['data']);
    assert.match(list, new RegExp(`"next_run_at":"${shown.next_run_at}"`));
    await runAll(gate);
    await assertBegins(gate, id);
    // The run of this tick is still active.
    const during = (await monitors.show(id)).next_run_at;
    assert.equal(Date.parse(during ?? '') - Date.parse(shown.next_run_at ?? ''), HOUR_MS);
    await runAll(gate);
    assert.equal((await monitors.show(id)).next_run_at, during);
    await assertBegins(gate, id);
  });
});

onEveryStore('next_run_at of a monitor that fails is the run after its backoff', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made();
    await runAll(gate);
    shop.status = 404;
    await pass(gate, 4 * HOUR_MS);
    const failing = await monitors.show(id);
    assert.ok(failing.backoff_until !== null && (failing.next_run_at ?? '') >= failing.backoff_until);
    await assertBegins(gate, id);
    shop.status = 200;
    await runAll(gate);
    await assertBegins(gate, id);
  });
});

onEveryStore('next_run_at is null while nothing is planned', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const manual = await monitors.made({ cron: null });
    const paused = await monitors.made({ active: false });
    const id = await monitors.made();
    assert.equal((await monitors.show(manual)).next_run_at, null);
    assert.equal((await monitors.show(paused)).next_run_at, null);
    const more = { suspendedAt: '2026-11-21T12:00:00.000Z' };
    assert.equal((await monitors.ask('show', { id }, more)).answer?.body['next_run_at'], null);
    const list = JSON.stringify((await monitors.ask('list', {}, more)).answer?.body['data']);
    assert.deepEqual([...new Set(list.match(/"next_run_at":[^,]*/g))], ['"next_run_at":null']);
    await runAll(gate);
    await monitors.ask('delete', { id });
    await monitors.ask('update', { id: paused, active: true });
    await assertBegins(gate, paused);
  });
});
