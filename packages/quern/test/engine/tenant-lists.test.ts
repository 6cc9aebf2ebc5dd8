import assert from 'node:assert/strict';
import { z } from 'zod';
import { insertMany } from '../support/engine/many-rows.ts';
import { createMonitorCalls } from '../support/engine/monitoring.ts';
import { getOperation } from '../support/engine/queue.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, withGate } from './gate.ts';

const List = z.looseObject({ data: z.array(z.looseObject({})), next_cursor: z.string().nullable() });

async function fetchList(gate: Gate, id: string, input: object = {}) {
  const { answer, error } = await gate.ask(getOperation(id), input);
  assert.equal(error, null);
  return List.parse(answer?.body);
}

async function callForCode(gate: Gate, id: string, input: object): Promise<string> {
  return (await gate.ask(getOperation(id), input)).code;
}

/** Creates deliveries of an owner in these states, the newest last. */
async function deliver(gate: Gate, owner: string, statuses: readonly string[]): Promise<void> {
  const now = gate.clock.now();
  for (const [at, status] of statuses.entries()) {
    await insertMany(gate.db, 1, {
      deliveries: {
        id: `'dlv_${owner}_${at}'`,
        tenant_id: `'${gate.tenant}'`,
        owner_id: `'${owner}'`,
        event_id: `'evt_${owner}_${at}'`,
        type: "'monitor.change_detected'",
        url: "'https://hooks.example/in'",
        endpoint: "'https://hooks.example:443'",
        queue: "'x'",
        body: `'{"n":${at}}'`,
        status: `'${status}'`,
        most: '12',
        due_at: String(now),
        created_at: String(now),
      },
    });
  }
}

onEveryStore('a tenant lists its webhooks and deliveries, and can resend all exhausted ones', async (store) => {
  await withGate({ store }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const webhook = { url: 'https://hooks.example/in', headers: { authorization: 'secret word' } };
    const id = await monitors.made({ cron: null, name: 'rye', webhook });
    gate.clock.pass(1);
    const other = await monitors.made({ cron: null, webhook: 'https://hooks.example/in' });
    await deliver(gate, id, ['succeeded', 'exhausted', 'exhausted', 'suspended']);
    await deliver(gate, other, ['exhausted']);
    const hooks = await fetchList(gate, 'webhooks.list');
    assert.deepEqual(
      hooks.data.map(({ monitor_id: monitor }) => monitor),
      [other, id],
    );
    const { name, headers, last_delivery: last } = hooks.data[1] ?? {};
    assert.deepEqual([name, headers], ['rye', { authorization: '********' }]);
    assert.equal(z.looseObject({ status: z.string() }).parse(last).status, 'suspended');
    const first = await fetchList(gate, 'webhooks.list', { limit: 1 });
    const second = await fetchList(gate, 'webhooks.list', { limit: 1, cursor: first.next_cursor });
    assert.deepEqual([...first.data, ...second.data], hooks.data);

    assert.equal((await fetchList(gate, 'deliveries.list')).data.length, 5);
    assert.equal((await fetchList(gate, 'deliveries.list', { status: 'exhausted' })).data.length, 3);
    assert.equal((await fetchList(gate, 'deliveries.list', { status: 'exhausted', monitor_id: id })).data.length, 2);
    assert.equal(await callForCode(gate, 'deliveries.list', { monitor_id: id, job_id: 'job_1' }), 'invalid_request');
    const shown = await gate.ask(getOperation('deliveries.show'), { id: `dlv_${id}_1` });
    const { request } = z.looseObject({ request: z.looseObject({}) }).parse(shown.answer?.body);
    assert.deepEqual(request['body'], '{"n":1}');
    assert.ok(!JSON.stringify(request).includes('secret word'));
    assert.ok(JSON.stringify(request).includes(`evt_${id}_1`));

    const again = async (input: object) => {
      const { answer } = await gate.ask(getOperation('deliveries.redeliver-all'), input);
      return [answer?.status, answer?.body['redelivered'], answer?.body['left']];
    };
    assert.deepEqual(await again({ monitor_id: id }), [202, 2, 0]);
    assert.deepEqual(await again({}), [202, 1, 0]);
    assert.deepEqual(await again({}), [202, 0, 0]);
    assert.equal((await fetchList(gate, 'deliveries.list', { status: 'pending' })).data.length, 4 - 1);
  });
});

onEveryStore('a tenant sees its spending by operation and day, and its own keys', async (store) => {
  await withGate({ store }, async (gate) => {
    const days = [
      ['2026-11-20', 'crawl', 3],
      ['2026-11-20', 'fetch', 2],
      ['2026-11-21', 'fetch', 1],
    ] as const;
    for (const [day, operation, credits] of days) {
      await gate.db.query(
        'insert into ledger_days (tenant_id, day, operation, calls, credits) values ($1, $2, $3, 1, $4)',
        [gate.tenant, day, operation, credits],
      );
    }
    const input = { by: 'day_and_operation', from: '2026-11-01', to: '2026-11-30' };
    const all = await fetchList(gate, 'usage.history', input);
    assert.deepEqual(
      all.data.map(({ date, operation, credits }) => [date, operation, credits]),
      [days[2], days[0], days[1]],
    );
    const first = await fetchList(gate, 'usage.history', { ...input, limit: 2 });
    const rest = await fetchList(gate, 'usage.history', { ...input, limit: 2, cursor: first.next_cursor });
    assert.deepEqual([...first.data, ...rest.data], all.data);

    const stranger = await gate.tenants.create('two', 'starter');
    await gate.keys.add(stranger, 'not shown');
    const { key, keyId } = await gate.keys.add(gate.tenant, 'mine');
    const keys = await fetchList(gate, 'account.keys');
    const mine = keys.data.find((one) => one['id'] === keyId);
    assert.equal(mine?.['name'], 'mine');
    assert.ok(!JSON.stringify(keys).includes('not shown') && !JSON.stringify(keys).includes(key));
  });
});

onEveryStore('only an operator sees the health of all endpoints, the process and its store', async (store) => {
  await withGate({ store }, async (gate) => {
    for (const id of ['admin.sites', 'admin.instance']) assert.equal(getOperation(id).audience, 'operator');
    gate.siteHealth.observe('codehost.repo', { by: gate.tenant, kind: 'failed', code: 'timeout' });
    gate.siteHealth.observe('shop-a.search', { by: gate.tenant, kind: 'failed', code: 'target_blocked' });
    assert.equal((await gate.ask(getOperation('fast-search'), { search: 'rye' })).code, 'backend_unavailable');
    await gate.siteHealth.close();
    const { answer } = await gate.ask(getOperation('admin.sites'), {}, { isOperator: true });
    const { data } = z.looseObject({ data: z.array(z.looseObject({ endpoint: z.string() })) }).parse(answer?.body);
    const repo = data.find(({ endpoint }) => endpoint === 'codehost.repo');
    assert.deepEqual([repo?.['last_failure'], repo?.['failed_in_row'], repo?.['site']], ['timeout', 1, 'codehost']);
    const findRow = (id: string) => data.find(({ endpoint }) => endpoint === id);
    // The health of a list crawl is that of the list.
    assert.equal(findRow('shop-a.search.crawl')?.['last_failure'], 'target_blocked');
    const search = findRow('fast-search');
    assert.deepEqual([search?.['verified'], search?.['last_failure']], [null, 'backend_unavailable']);
    assert.deepEqual(
      [findRow('websearch.search')?.['verified'], findRow('websearch.search')?.['level']],
      [true, 'unused'],
    );
    const sites = data.map(({ site }) => String(site));
    assert.deepEqual(sites, sites.toSorted());
    assert.ok(data.length >= 90);
    const instance = (await gate.ask(getOperation('admin.instance'), {}, { isOperator: true })).answer?.body;
    const { store: shown } = z
      .looseObject({ store: z.object({ kind: z.string(), schema: z.number(), bytes: z.number() }) })
      .parse(instance);
    assert.equal(shown.kind, store);
    assert.ok(shown.bytes > 0 && shown.schema >= 25);
  });
});
