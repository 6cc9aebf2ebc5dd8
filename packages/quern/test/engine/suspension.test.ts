import assert from 'node:assert/strict';
import * as admin from '#features/admin/operations.ts';
import { showUsage } from '#features/account/operations.ts';
import { operations } from '#features/operations.ts';
import { onEveryStore } from '../support/store.ts';
import { createMonitorCalls, openShop, pass, runAll } from '../support/engine/monitoring.ts';
import { checkBooks, openJobTools, openWorker, getOperation } from '../support/engine/queue.ts';
import { until } from '../support/fleet.ts';
import { brings, type Gate, buildTestPage, SITE, withGate } from './gate.ts';

const HOUR_MS = 3_600_000;
const OPERATOR = { isOperator: true };

/** Suspends or resumes the tenant of a gate; returns the answer. */
async function suspend(gate: Gate, suspended: boolean, id = gate.tenant) {
  const { answer, error } = await gate.ask(admin.updateTenant, { id, suspended }, OPERATOR);
  if (answer === null) throw error;
  return answer.body;
}

onEveryStore('a key of a suspended tenant can only read until the tenant is resumed', async (store) => {
  await withGate({ store, tierVisits: { http: brings() } }, async (gate) => {
    const { key } = await gate.keys.add(gate.tenant, 'mine');
    const job = await openJobTools(gate).queued();
    assert.equal((await gate.keys.findCaller(key))?.suspendedAt, undefined);
    const at = (await suspend(gate, true))['suspended_at'];
    assert.equal(at, '2026-11-21T12:00:00.000Z');
    gate.clock.pass(HOUR_MS);
    assert.equal((await suspend(gate, true))['suspended_at'], at);
    const suspendedAt = (await gate.keys.findCaller(key))?.suspendedAt;
    assert.equal(suspendedAt, at);
    for (const operation of operations.filter(({ audience }) => audience !== 'operator')) {
      const isReading = operation.kind === 'control' && operation.route?.startsWith('GET ') === true;
      // Reads return 200 or 404. Other calls are refused before their input is parsed.
      const { code, error } = await gate.ask(operation, isReading ? operation.example : null, { suspendedAt });
      if (isReading) assert.notEqual(code, 'tenant_suspended', operation.id);
      else assert.deepEqual([code, error?.status, error?.retryable], ['tenant_suspended', 403, false], operation.id);
    }
    assert.equal((await gate.ask(showUsage, {}, { suspendedAt })).code, 'ok');
    assert.equal((await gate.ask(getOperation('jobs.show'), { id: job }, { suspendedAt })).code, 'ok');
    // An operator can resume the tenant of the operator key.
    assert.equal((await gate.ask(admin.listTenants, {}, { ...OPERATOR, suspendedAt })).code, 'ok');
    assert.equal((await suspend(gate, false))['suspended_at'], null);
    assert.equal((await gate.keys.findCaller(key))?.suspendedAt, undefined);
    assert.equal((await gate.fetch()).code, 'ok');
    await checkBooks(gate);
  });
});

onEveryStore('an idempotency key of a suspended tenant returns no stored answer, and stores nothing', async (store) => {
  await withGate({ store, tierVisits: { http: brings() } }, async (gate) => {
    const suspendedAt = '2026-11-21T12:00:00.000Z';
    assert.equal((await gate.fetch({}, { key: 'a' })).code, 'ok');
    for (const key of ['a', 'b']) assert.equal((await gate.fetch({}, { key, suspendedAt })).code, 'tenant_suspended');
    assert.equal((await gate.fetch({ output: ['text'] }, { key: 'b' })).code, 'ok');
  });
});

onEveryStore('jobs of a suspended tenant wait until it is resumed, while those of others run', async (store) => {
  await withGate({ store, tierVisits: { http: brings() } }, async (gate) => {
    const other = await gate.tenants.create('other', 'starter');
    const id = await openJobTools(gate).queued();
    await suspend(gate, true);
    gate.clock.pass(1000);
    assert.equal((await gate.queueState.read()).oldest, null);
    await openJobTools(gate).submit({}, { as: other });
    const claimed = await gate.queue.leases.claim('w1', 8);
    assert.deepEqual(
      claimed.map(({ row }) => row.tenant_id),
      [other],
    );
    assert.deepEqual(await gate.queue.leases.claim('w1', 8), []);
    await suspend(gate, false);
    assert.deepEqual(await runAll(gate), ['ok']);
    assert.equal((await openJobTools(gate).show(id)).status, 'completed');
  });
});

onEveryStore(
  'a running job is requeued when its tenant is suspended, and restarts when it is resumed',
  async (store) => {
    const visits: AbortSignal[] = [];
    const http: ReturnType<typeof brings> = async ({ url }, signal) => {
      visits.push(signal);
      if (visits.length > 1) return buildTestPage({ url: url.href });
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }));
    };
    await withGate({ store, tierVisits: { http } }, async (gate) => {
      const id = await openJobTools(gate).queued();
      const worker = openWorker(gate);
      try {
        await until('the job has begun', async () => visits.length === 1);
        await suspend(gate, true);
        await until('the job is back in the queue', async () => {
          gate.clock.pass(1000);
          return (await openJobTools(gate).show(id)).status === 'queued';
        });
        assert.deepEqual([visits[0]?.aborted, await gate.spent()], [true, [0, 0]]);
        await suspend(gate, false);
        await until('the job has ended', async () => {
          gate.clock.pass(1000);
          return (await openJobTools(gate).show(id)).status === 'completed';
        });
        assert.equal((await openJobTools(gate).show(id)).attempt, 1);
        await checkBooks(gate);
      } finally {
        await worker.drain();
      }
    });
  },
);

onEveryStore('monitors of a suspended tenant pause, and catch up once when it is resumed', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made();
    assert.deepEqual(await runAll(gate), ['ok']);
    await suspend(gate, true);
    assert.deepEqual(await pass(gate, 3 * HOUR_MS), []);
    assert.equal(await gate.queue.ticks.countDue(), 0);
    assert.equal(shop.visits, 1);
    await suspend(gate, false);
    assert.deepEqual(await pass(gate, 120_000), ['ok']);
    const { trigger, missed_ticks: missed } = await monitors.latestRun(id);
    assert.deepEqual([trigger, missed], ['catch_up', 3]);
    assert.equal((await monitors.runs(id)).length, 2);
  });
});

onEveryStore('the tenant of the command line and unknown tenants cannot be suspended', async (store) => {
  await withGate({ store }, async (gate) => {
    await gate.tenants.ensureLocal();
    const callForCode = async (raw: unknown) => (await gate.ask(admin.updateTenant, raw, OPERATOR)).code;
    assert.equal(await callForCode({ id: 'local', suspended: true }), 'invalid_request');
    assert.equal(await callForCode({ id: 'local', suspended: false }), 'ok');
    assert.equal(await callForCode({ id: 'ten_none', suspended: true }), 'not_found');
    assert.equal(await callForCode({ id: gate.tenant, suspended: 'yes' }), 'invalid_request');
    assert.equal((await gate.ask(getOperation('fetch'), { url: SITE })).code, 'ok');
  });
});
