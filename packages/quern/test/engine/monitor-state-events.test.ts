import assert from 'node:assert/strict';
import { z } from 'zod';
import { events } from '#features/events.ts';
import { readRows } from '#store/rows.ts';
import type { Db } from '#store/db.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, withGate } from './gate.ts';
import { createMonitorCalls, openShop, pass, runAll } from '../support/engine/monitoring.ts';
import { getOperation } from '../support/engine/queue.ts';

const Event = z.object({
  id: z.string(),
  type: z.string(),
  run_id: z.string().optional(),
  monitor: z.object({ id: z.string(), url: z.string().optional() }),
  data: z.looseObject({
    reason: z.string().optional(),
    runs_without_result: z.int().optional(),
    skipped_reason: z.string().optional(),
    next_run_at: z.string().nullable().optional(),
    error: z.looseObject({ code: z.string() }).nullable().optional(),
  }),
});
const Delivery = z.object({ event_id: z.string(), body: z.string().transform((body): unknown => JSON.parse(body)) });

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const HOOK = 'https://hooks.example/x';
const OFTEN = { cron: '*/5 * * * *', webhook: HOOK };

/** The pending events in the order of their deliveries, each validated against its declaration. */
async function sentBy({ db }: Gate) {
  const rows = readRows(Delivery, await db.query('select event_id, body from deliveries order by due_at, id'));
  return rows.map(({ event_id: id, body }) => {
    const event = Event.parse(body);
    assert.equal(event.id, id);
    const declared = events.find(({ type }) => type === event.type);
    assert.ok(declared !== undefined, event.type);
    declared.schema.parse(body);
    return event;
  });
}

async function typesSentBy(gate: Gate): Promise<readonly string[]> {
  return (await sentBy(gate)).map(({ type }) => type);
}

onEveryStore('monitor.failing and monitor.recovered are sent once each, with the run', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made(OFTEN);
    await runAll(gate);
    shop.status = 404;
    await pass(gate, 11 * MINUTE_MS);
    assert.deepEqual([(await monitors.show(id)).consecutive_failures, await typesSentBy(gate)], [2, []]);
    await pass(gate, HOUR_MS);
    const [failing, ...more] = await sentBy(gate);
    assert.deepEqual([failing?.type, more], ['monitor.failing', []]);
    const failed = (await monitors.runs(id)).toReversed().filter(({ status }) => status === 'failed');
    assert.ok(failed.length > 3, `${failed.length} failed runs`);
    assert.equal(failing?.run_id, failed[2]?.id);
    assert.equal(failing?.data.runs_without_result, 3);
    assert.equal(failing?.data.error?.code, failed[2]?.error?.code);
    assert.equal(failing?.data['since'], failed[0]?.finished_at);
    assert.equal(failing?.data.next_run_at, failed[3]?.queued_at);
    assert.equal(failing?.monitor.url, 'https://mill.example/');

    shop.status = 200;
    shop.price = '90.00 EUR';
    await pass(gate, 2 * HOUR_MS);
    const types = await typesSentBy(gate);
    assert.deepEqual(types, ['monitor.failing', 'monitor.recovered', 'monitor.change_detected']);
    const recovered = (await sentBy(gate))[1];
    const first = (await monitors.runs(id)).toReversed().find(({ changed }) => changed);
    assert.equal(recovered?.run_id, first?.id);
    assert.equal(recovered?.data.runs_without_result, await failedRuns(monitors, id));

    shop.status = 404;
    await pass(gate, HOUR_MS);
    assert.deepEqual((await typesSentBy(gate)).slice(3), ['monitor.failing']);
  });
});

async function failedRuns(monitors: ReturnType<typeof createMonitorCalls>, id: string): Promise<number> {
  return (await monitors.runs(id)).filter(({ status }) => status === 'failed').length;
}

onEveryStore('runs skipped for lack of credits count as failing, and recover after a top-up', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits, limits: { credits_per_month: 3 } }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made(OFTEN);
    await runAll(gate);
    await pass(gate, 30 * MINUTE_MS);
    const [failing, ...more] = await sentBy(gate);
    assert.deepEqual(more, []);
    assert.deepEqual([failing?.type, failing?.data['status']], ['monitor.failing', 'skipped']);
    assert.equal(failing?.data.skipped_reason, 'credits_exhausted');
    assert.equal((await monitors.show(id)).health, 'failing');
    await gate.tenants.topUp(gate.tenant, 100);
    await pass(gate, 20 * MINUTE_MS);
    assert.deepEqual(await typesSentBy(gate), ['monitor.failing', 'monitor.recovered']);
    assert.equal((await monitors.show(id)).health, 'ok');
  });
});

onEveryStore('watch.failing_after says after how many runs a monitor counts as failing', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made({ ...OFTEN, watch: { failing_after: 1 } });
    shop.status = 404;
    await runAll(gate);
    assert.deepEqual(await typesSentBy(gate), ['monitor.failing']);
    assert.equal((await monitors.show(id)).health, 'failing');
    for (const wrong of [0, 101, 1.5]) {
      assert.equal((await monitors.create({ watch: { failing_after: wrong } })).code, 'invalid_request');
    }
  });
});

onEveryStore('monitor.stopped is sent once if the service switches a monitor off', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made(OFTEN);
    await runAll(gate);
    shop.status = 404;
    await pass(gate, 16 * MINUTE_MS);
    await gate.db.query('update monitors set consecutive_failures = 99');
    await pass(gate, HOUR_MS);
    const stopped = (await sentBy(gate)).at(-1);
    assert.deepEqual(await typesSentBy(gate), ['monitor.failing', 'monitor.stopped']);
    assert.deepEqual([stopped?.data.reason, stopped?.run_id], ['failing', (await monitors.latestRun(id)).id]);
    assert.equal((await monitors.show(id)).active, false);
    gate.clock.pass(HOUR_MS);
    await monitors.ask('trigger', { id });
    await runAll(gate);
    assert.equal((await sentBy(gate)).length, 2);
    shop.status = 200;
    await monitors.ask('update', { id, active: true });
    await pass(gate, 6 * MINUTE_MS);
    assert.deepEqual((await typesSentBy(gate)).slice(2), ['monitor.recovered']);
  });
});

onEveryStore('pausing and resuming a monitor sends nothing, and resets its failures', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made(OFTEN);
    await runAll(gate);
    shop.status = 404;
    await pass(gate, 11 * MINUTE_MS);
    await monitors.ask('update', { id, active: false });
    await pass(gate, HOUR_MS);
    await monitors.ask('update', { id, active: true });
    await pass(gate, 11 * MINUTE_MS);
    assert.equal((await monitors.show(id)).consecutive_failures, 2);
    assert.deepEqual(await sentBy(gate), []);
  });
});

onEveryStore('monitor.stopped and monitor.recovered are sent for a suspension', async (store) => {
  const { tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    await monitors.made(OFTEN);
    await monitors.made({ ...OFTEN, active: false });
    await monitors.made({ ...OFTEN, cron: null });
    await runAll(gate);
    assert.equal(await gate.queue.ticks.announceSuspension(), 0);
    await gate.tenants.update(gate.tenant, { isSuspended: true });
    await Promise.all([gate.queue.ticks.announceSuspension(), gate.queue.ticks.announceSuspension()]);
    assert.equal(await gate.queue.ticks.announceSuspension(), 0);
    const [stopped, ...more] = await sentBy(gate);
    assert.deepEqual([stopped?.type, stopped?.data.reason, more], ['monitor.stopped', 'suspended', []]);
    await pass(gate, 3 * HOUR_MS);
    await gate.tenants.update(gate.tenant, { isSuspended: false });
    await pass(gate, 10 * MINUTE_MS);
    assert.deepEqual(await typesSentBy(gate), ['monitor.stopped', 'monitor.recovered']);
    await gate.tenants.update(gate.tenant, { isSuspended: true });
    assert.equal(await gate.queue.ticks.announceSuspension(), 1);
  });
});

onEveryStore('monitor.stopped is sent when the stay has passed', async (store) => {
  await withGate({ store }, async (gate) => {
    const { answer } = await gate.ask(getOperation('hotel-b.monitors.create'), {
      property_id: 'gb/weir-house',
      check_in: '2026-11-23',
      check_out: '2026-11-25',
      webhook: HOOK,
    });
    assert.equal(answer?.status, 201);
    gate.clock.pass(4 * 24 * HOUR_MS);
    assert.equal(await gate.queue.ticks.expire(), 1);
    assert.equal(await gate.queue.ticks.expire(), 0);
    const [stopped, ...more] = await sentBy(gate);
    assert.deepEqual([stopped?.type, stopped?.data.reason, stopped?.run_id], ['monitor.stopped', 'expired', undefined]);
    assert.deepEqual(more, []);
  });
});

/** A store whose transactions fail at their end for as long as it is `broken`. */
function openBreaking() {
  const state = { broken: false };
  const through = (db: Db): Db => ({
    ...db,
    query: async (...args) => db.query(...args),
    transaction: async (work) =>
      db.transaction(async (tx) => {
        const made = await work(tx);
        if (state.broken) throw new Error('the process died before the commit');
        return made;
      }),
  });
  return { state, through };
}

onEveryStore('state events are neither lost nor repeated if the process dies before the commit', async (store) => {
  const { tierVisits } = openShop();
  const { state, through } = openBreaking();
  await withGate({ store, tierVisits, through }, async (gate) => {
    await createMonitorCalls(gate).made(OFTEN);
    await runAll(gate);
    await gate.tenants.update(gate.tenant, { isSuspended: true });
    state.broken = true;
    await assert.rejects(gate.queue.ticks.announceSuspension(), /died before the commit/);
    assert.deepEqual(await sentBy(gate), []);
    state.broken = false;
    assert.equal(await gate.queue.ticks.announceSuspension(), 1);
    assert.deepEqual(await typesSentBy(gate), ['monitor.stopped']);
  });
});

onEveryStore('a webhook with an event filter gets state events only if it lists them', async (store) => {
  const { shop, tierVisits } = openShop();
  shop.status = 404;
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const watch = { failing_after: 1 };
    await monitors.made({ watch, webhook: { url: HOOK, events: ['monitor.change_detected'] } });
    await monitors.made({ watch, webhook: { url: HOOK, events: ['monitor.failing', 'monitor.stopped'] } });
    await runAll(gate);
    assert.deepEqual(await typesSentBy(gate), ['monitor.failing']);
  });
});
