import assert from 'node:assert/strict';
import { test } from 'node:test';
import { showRequest, listRequests } from '#features/account/operations.ts';
import { listAt, textAt } from '../support/members.ts';
import { type Gate, withGate } from './gate.ts';

type Query = Readonly<Record<string, unknown>>;

/** The ids and the cursor of one page of the list. */
async function list(gate: Gate, query: Query = {}, as = gate.tenant) {
  const { answer, error } = await gate.ask(listRequests, query, { as });
  if (answer === null) throw error ?? new Error('no answer');
  const cursor = answer.body['next_cursor'];
  return { ids: listAt(answer.body, 'data').map((row) => textAt(row, 'id')), cursor };
}

test('the list is newest first, can be paged to its end, and is free', async () => {
  await withGate({}, async (gate) => {
    for (let count = 0; count < 5; count += 1) await gate.fetch();
    const first = await list(gate, { limit: 2 });
    assert.deepEqual(first.ids, ['req_0005', 'req_0004']);
    await gate.fetch();
    const second = await list(gate, { limit: 2, cursor: first.cursor });
    assert.deepEqual(second.ids, ['req_0003', 'req_0002']);
    const last = await list(gate, { limit: 2, cursor: second.cursor });
    assert.deepEqual([last.ids, last.cursor], [['req_0001'], null]);
    const { answer } = await gate.ask(listRequests, {});
    assert.equal(answer?.usage, null);
    assert.deepEqual(await gate.spent(), [12, 0]);
  });
});

test('the list is filtered by status, operation and time, including both ends', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    gate.clock.set('2026-11-21T13:00:00Z');
    await gate.fetch({ output: ['paper'] });
    gate.clock.set('2026-11-21T14:00:00Z');
    await gate.fetch();
    assert.deepEqual((await list(gate, { status: 400 })).ids, ['req_0002']);
    assert.deepEqual((await list(gate, { status: 200 })).ids, ['req_0003', 'req_0001']);
    assert.deepEqual((await list(gate, { operation: 'fetch' })).ids.length, 3);
    assert.deepEqual((await list(gate, { operation: 'crawl' })).ids, []);
    const hour = '2026-11-21T13:00:00Z';
    assert.deepEqual((await list(gate, { from: hour })).ids, ['req_0003', 'req_0002']);
    assert.deepEqual((await list(gate, { to: hour })).ids, ['req_0002', 'req_0001']);
    assert.deepEqual((await list(gate, { from: hour, to: hour, status: 200 })).ids, []);
    for (const query of [{ from: 'yesterday' }, { status: 99 }, { limit: 0 }, { limit: 1001 }]) {
      assert.equal((await gate.ask(listRequests, query)).code, 'invalid_request');
    }
  });
});

test('the list contains only own requests, and a cursor works only for its tenant and filters', async () => {
  await withGate({}, async (gate) => {
    const other = await gate.tenants.create('other', 'starter');
    for (const as of [gate.tenant, other, gate.tenant, other]) await gate.fetch({}, { as });
    const mine = await list(gate, { limit: 1 });
    assert.deepEqual(mine.ids, ['req_0003']);
    assert.deepEqual((await list(gate, {}, other)).ids, ['req_0004', 'req_0002']);
    const tricks: readonly (readonly [Query, string])[] = [
      [{ cursor: mine.cursor }, other],
      [{ cursor: mine.cursor, status: 200 }, gate.tenant],
      [{ cursor: `${String(mine.cursor)}A` }, gate.tenant],
      [{ cursor: '' }, gate.tenant],
      [{ tenant_id: other }, gate.tenant],
      [{ owner: other }, gate.tenant],
    ];
    for (const [query, as] of tricks)
      assert.equal((await gate.ask(listRequests, query, { as })).code, 'invalid_request');
  });
});

test("another tenant's request is reported as unknown", async () => {
  await withGate({}, async (gate) => {
    const other = await gate.tenants.create('other', 'starter');
    await gate.fetch({}, { as: other });
    const foreign = await gate.ask(showRequest, { request_id: 'req_0001' });
    const unknown = await gate.ask(showRequest, { request_id: 'req_9999' });
    assert.deepEqual([foreign.code, unknown.code], ['not_found', 'not_found']);
    assert.equal(foreign.error?.message.replace('req_0001', 'req_9999'), unknown.error?.message);
    const { answer } = await gate.ask(showRequest, { request_id: 'req_0001' }, { as: other });
    assert.equal(listAt(answer?.body, 'attempts').length, 1);
  });
});

test('requests older than a day are deleted, and the others stay', async () => {
  await withGate({}, async (gate) => {
    await gate.fetch();
    gate.clock.pass(23.5 * 3_600_000);
    await gate.fetch();
    gate.clock.pass(3_600_000);
    await gate.requestLog.deleteExpired();
    assert.deepEqual((await list(gate)).ids, ['req_0002']);
  });
});
