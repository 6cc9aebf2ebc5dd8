import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { buildDeliveryRetention } from '#features/webhooks/delivery-log.ts';
import { ServiceError } from '#kernel/errors.ts';
import { at, listAt, textAt } from '../support/members.ts';
import { inTemporaryFolder, onEveryStore } from '../support/store.ts';
import { oneMinute } from '../support/minute.ts';
import { type Gate, isBlocked, SITE, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation, runClaimed } from '../support/engine/queue.ts';
import { createMonitorCalls } from '../support/engine/monitoring.ts';

const HOOK = 'https://hooks.example/in';
const DAY_MS = 24 * 3_600_000;

async function readBodies({ db }: Gate): Promise<readonly unknown[]> {
  const rows = await db.query('select body from deliveries order by id');
  return rows.map((row) => JSON.parse(textAt(row, 'body')));
}

async function runNext(gate: Gate): Promise<string> {
  const [claimed] = await gate.queue.leases.claim('w1', 1);
  assert.ok(claimed !== undefined);
  return runClaimed(gate, claimed);
}

async function submitHooked(gate: Gate, webhook: unknown = HOOK, key?: string) {
  const raw = { kind: 'fetch', input: { url: SITE, cookies: [{ name: 'a', value: 'hidden' }] }, webhook };
  const { answer, error } = await gate.ask(getOperation('jobs.submit'), raw, { key });
  if (answer === null) throw error ?? new Error('no answer');
  return answer;
}

onEveryStore('the end of a job is enqueued for its webhook in the transaction that ends it', async (store) => {
  await withGate({ store }, async (gate) => {
    const jobs = openJobTools(gate);
    const { body } = await submitHooked(gate, HOOK, 'once');
    assert.match(textAt(body, 'webhook.secret'), /^whsec_/);
    assert.deepEqual((await submitHooked(gate, HOOK, 'once')).body, body);
    const id = textAt(body, 'id');
    assert.equal((await jobs.show(id)).webhook?.secret, undefined);
    assert.equal(await runNext(gate), 'ok');
    const [event, ...more] = await readBodies(gate);
    assert.equal(more.length, 0);
    assert.equal(textAt(event, 'type'), 'job.completed');
    assert.equal(textAt(event, 'job_id'), id);
    const { result: _result, webhook: _webhook, ...record } = await jobs.show(id);
    assert.deepEqual(JobRecord.parse(at(event, 'data')), record);
    assert.doesNotMatch(JSON.stringify(event), /hidden/);
    assert.deepEqual(record.input?.['webhook'], undefined);
    await checkBooks(gate);
  });
});

onEveryStore('a failed job sends an event, and a cancelled or requeued one does not', async (store) => {
  await withGate({ store, tierVisits: { http: isBlocked } }, async (gate) => {
    const jobs = openJobTools(gate);
    await submitHooked(gate);
    assert.equal(await runNext(gate), 'target_blocked');
    const [event] = await readBodies(gate);
    assert.equal(textAt(event, 'type'), 'job.failed');
    assert.equal(textAt(event, 'data.error.code'), 'target_blocked');
    const cancelled = textAt((await submitHooked(gate)).body, 'id');
    await jobs.cancel(cancelled);
    await submitHooked(gate, { url: HOOK, events: ['job.completed'] });
    assert.equal(await runNext(gate), 'target_blocked');
    assert.equal((await readBodies(gate)).length, 1);
    // A job also ends after five deaths of its worker.
    await submitHooked(gate);
    for (let death = 1; death <= 5; death += 1) {
      assert.equal((await gate.queue.leases.claim('w1', 1)).length, 1);
      assert.equal((await readBodies(gate)).length, 1);
      gate.clock.pass(30_001);
      await gate.queue.leases.recover(null, async () => gate.plan);
    }
    assert.equal(textAt((await readBodies(gate)).at(-1), 'data.error.code'), 'internal_error');
    await checkBooks(gate);
  });
});

onEveryStore('a job shows the deliveries of its webhook, and a delivery can be sent again', async (store) => {
  await withGate({ store }, async (gate) => {
    const id = textAt((await submitHooked(gate)).body, 'id');
    const list = async (more: object = {}, as = gate.tenant) =>
      gate.ask(getOperation('jobs.deliveries'), { id, ...more }, { as });
    assert.deepEqual(listAt((await list()).answer?.body, 'data'), []);
    assert.equal(await runNext(gate), 'ok');
    const { answer } = await list({ limit: 1 });
    const [shown] = listAt(answer?.body, 'data');
    assert.deepEqual(
      [at(shown, 'job_id'), at(shown, 'type'), at(shown, 'status'), at(answer?.body, 'next_cursor')],
      [id, 'job.completed', 'pending', null],
    );
    await gate.db.query("update deliveries set status = 'exhausted'");
    const again = await gate.ask(getOperation('deliveries.redeliver'), { id: textAt(shown, 'id') });
    assert.equal(again.answer?.status, 202);
    const [sent] = listAt((await list()).answer?.body, 'data');
    assert.deepEqual([at(sent, 'status'), at(sent, 'event_id')], ['pending', at(shown, 'event_id')]);
    const other = await gate.tenants.create('other', 'starter');
    assert.equal((await list({}, other)).code, 'not_found');
    assert.equal((await list({ id: 'job_unknown' })).code, 'not_found');
  });
});

test('a job with an invalid webhook is not queued', async () => {
  await withGate({}, async (gate) => {
    const bad = [
      'http://hooks.example/',
      'https://10.0.0.1/',
      { url: HOOK, events: ['monitor.digest'] },
      { headers: {} },
    ];
    for (const webhook of bad) {
      await assert.rejects(submitHooked(gate, webhook), (error) => {
        assert.ok(error instanceof ServiceError);
        assert.equal(error.code, 'invalid_request');
        assert.match(error.message, /^webhook/);
        return true;
      });
    }
    assert.deepEqual(await gate.db.query('select id from jobs'), []);
  });
});

test('finished deliveries and job webhooks are deleted after thirty days, and pending ones stay', async (t) => {
  await withGate({}, async (gate) => {
    await submitHooked(gate);
    assert.equal(await runNext(gate), 'ok');
    const monitor = await createMonitorCalls(gate).made({ active: false, webhook: HOOK });
    const ask = async (id: string, raw: object) => gate.ask(getOperation(id), raw);
    assert.equal((await ask('monitors.webhook.test', { id: monitor })).answer?.status, 202);
    await gate.db.query("update deliveries set status = 'succeeded' where type = 'job.completed'");
    const list = async () => listAt((await ask('monitors.deliveries', { id: monitor })).answer?.body, 'data');
    assert.equal((await list()).length, 1);
    gate.clock.pass(30 * DAY_MS + 1);
    await inTemporaryFolder(async (dataDir) => {
      for (let minute = 0; minute < 2; minute += 1) {
        assert.deepEqual(await oneMinute(t, gate, { dataDir, quota: { bytes: 1000 } }), []);
      }
    });
    assert.equal((await gate.db.query('select id from deliveries')).length, 1);
    assert.equal((await gate.db.query('select owner_id from webhooks')).length, 1);
    assert.equal((await list()).length, 1);
  });
});

onEveryStore('deliveries of pages of a crawl are deleted after three days, and pending ones stay', async (store) => {
  await withGate({ store }, async (gate) => {
    const webhook = { url: HOOK, events: ['crawl.page', 'job.completed'] };
    for (const status of ['succeeded', 'pending']) {
      const raw = { kind: 'crawl', input: { urls: [SITE], delay_ms: 0 }, webhook };
      assert.equal((await gate.ask(getOperation('jobs.submit'), raw)).code, 'ok');
      assert.equal(await runNext(gate), 'ok');
      await gate.db.query("update deliveries set status = $1 where status = 'pending'", [status]);
    }
    gate.clock.pass(3 * DAY_MS + 1);
    await buildDeliveryRetention(gate).tidy();
    const left = await gate.db.query('select type, status from deliveries order by status, type');
    assert.deepEqual(
      left.map(({ type, status }) => [type, status]),
      [
        ['crawl.page', 'pending'],
        ['job.completed', 'pending'],
        ['job.completed', 'succeeded'],
      ],
    );
  });
});

test('only the tenant of a webhook can read its log and secret', async () => {
  await withGate({}, async (gate) => {
    const monitor = await createMonitorCalls(gate).made({ active: false, webhook: HOOK });
    for (const id of [monitor, await createMonitorCalls(gate).made({ active: false, webhook: null })]) {
      const { answer } = await gate.ask(getOperation('monitors.deliveries'), { id });
      assert.deepEqual([listAt(answer?.body, 'data'), at(answer?.body, 'next_cursor')], [[], null]);
    }
    const stranger = await gate.tenants.create('other', 'starter');
    const first = await gate.ask(getOperation('monitors.webhook.test'), { id: monitor });
    const id = textAt(first.answer?.body, 'id');
    const calls = [
      ['monitors.deliveries', monitor],
      ['monitors.webhook.test', monitor],
      ['monitors.webhook.rotate-secret', monitor],
      ['deliveries.show', id],
      ['deliveries.redeliver', id],
    ] as const;
    for (const [name, about] of calls) {
      assert.equal((await gate.ask(getOperation(name), { id: about }, { as: stranger })).code, 'not_found', name);
      assert.equal((await gate.ask(getOperation(name), { id: `${about}0` })).code, 'not_found', name);
      assert.equal((await gate.ask(getOperation(name), { id: about })).code, 'ok', name);
    }
    gate.clock.pass(1);
    await gate.ask(getOperation('monitors.webhook.test'), { id: monitor });
    const page = (await gate.ask(getOperation('monitors.deliveries'), { id: monitor, limit: 1 })).answer?.body;
    const next = await gate.ask(getOperation('monitors.deliveries'), {
      id: monitor,
      limit: 1,
      cursor: textAt(page, 'next_cursor'),
    });
    assert.ok(textAt(next.answer?.body, 'data.0.id') < textAt(page, 'data.0.id'));
    const rotated = await gate.ask(getOperation('monitors.webhook.rotate-secret'), { id: monitor });
    assert.match(textAt(rotated.answer?.body, 'webhook.secret'), /^whsec_/);
    assert.doesNotMatch(JSON.stringify(page), /whsec_/);
  });
});
