import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { z } from 'zod';
import { Tenants } from '#engine/credits/tenants.ts';
import { oneMinute } from '../support/minute.ts';
import { inTemporaryFolder, onEveryStore } from '../support/store.ts';
import { type Gate, withGate } from './gate.ts';
import {
  begin,
  commit,
  complete,
  buildEntries,
  listing,
  listStoredObjects,
  readLines,
} from '../support/engine/listing.ts';
import { checkBooks, openJobTools, getOperation } from '../support/engine/queue.ts';

/** Text that is too large for a row even when it is compressed. */
const LARGE = 100_000;

onEveryStore(
  'the oldest results are deleted first if space runs out, but never those of a running job',
  async (store) => {
    await withGate({ store, more: [listing] }, async (gate) => {
      const jobs = openJobTools(gate);
      const running = await begin(gate);
      await commit(gate, running, buildEntries(3, LARGE));
      const ids: string[] = [];
      for (let at = 0; at < 3; at += 1) {
        gate.clock.pass(1000);
        ids.push(await complete(gate, { pages: 3, chars: LARGE }));
      }
      const [first = '', second = '', third = ''] = ids;
      const all = await gate.diskUsage.measureBytes();
      assert.ok(all > 12 * LARGE * 0.7, String(all));
      await gate.diskUsage.evict(all);
      assert.equal((await readLines(gate, first)).length, 3);
      await gate.diskUsage.evict(all - 1);
      assert.equal((await jobs.result(first)).code, 'result_expired');
      assert.equal((await jobs.show(first)).status, 'expired');
      assert.equal((await readLines(gate, second)).length, 3);
      await gate.diskUsage.evict(0);
      for (const id of [second, third]) assert.equal((await jobs.result(id)).code, 'result_expired');
      assert.equal((await readLines(gate, running.row.id, { partial: true })).length, 3);
      assert.equal((await listStoredObjects(gate)).length, 1);
      await checkBooks(gate);
    });
  },
);

onEveryStore('only results of the tenant with the most data for its plan are deleted', async (store) => {
  await withGate({ store, more: [listing] }, async (gate) => {
    const other = await new Tenants(gate).create('other', 'pro');
    const theirs = await complete(gate, { pages: 3, chars: LARGE });
    await gate.db.query('update jobs set tenant_id = $2 where id = $1', [theirs, other]);
    const theirBytes = await gate.diskUsage.measureBytes();
    const own: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      gate.clock.pass(1000);
      own.push(await complete(gate, { pages: 3, chars: LARGE }));
    }
    await gate.diskUsage.evict(theirBytes * 2.5);
    const codes = await Promise.all(own.map(async (id) => (await openJobTools(gate).result(id)).code));
    assert.deepEqual(codes, ['result_expired', 'result_expired', 'result_expired', 'ok']);
    const [kept] = await gate.db.query('select status from jobs where id = $1', [theirs]);
    assert.equal(kept?.['status'], 'completed');
  });
});

onEveryStore('stored data stays within a byte quota, and the cache is reduced first', async (store) => {
  await withGate({ store, more: [listing] }, async (gate) => {
    await gate.fetch();
    const ids: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      gate.clock.pass(1000);
      ids.push(await complete(gate, { pages: 3, chars: LARGE }));
    }
    const quota = { bytes: Math.ceil((await gate.diskUsage.measureBytes()) * 0.6) };
    await inTemporaryFolder(async (dataDir) => {
      assert.deepEqual(await oneMinute({ mock }, gate, { dataDir, quota }), []);
    });
    assert.equal(await gate.pageCache.measureBytes(), 0);
    assert.ok((await gate.diskUsage.measureBytes()) <= quota.bytes);
    const codes = await Promise.all(ids.map(async (id) => (await openJobTools(gate).result(id)).code));
    assert.deepEqual(codes, ['result_expired', 'result_expired', 'ok', 'ok']);
  });
});

onEveryStore('the key of a deleted answer stays used, so nothing is done or charged twice', async (store) => {
  await withGate({ store, more: [listing] }, async (gate) => {
    const input = { pages: 1, chars: LARGE };
    const first = await gate.ask(listing.operation, input, { key: 'once' });
    assert.equal(first.code, 'ok');
    const spent = await gate.spent();
    await gate.idempotentAnswers.dropAnswer({ tenant: gate.tenant, key: 'once', requestId: 'req_0001' });
    const again = await gate.ask(listing.operation, input, { key: 'once' });
    assert.equal(again.answer?.status, 409);
    assert.match(JSON.stringify(again.answer?.body), /QUERN_MAX_DISK/);
    assert.deepEqual(await gate.spent(), spent);
  });
});

onEveryStore('the oldest stored answers of a tenant are deleted above the limit of its plan', async (store) => {
  const limits = { kept_answer_bytes: 3 * LARGE };
  await withGate({ store, more: [listing], limits }, async (gate) => {
    const input = { pages: 1, chars: LARGE };
    for (const key of ['a', 'b', 'c', 'd']) {
      await gate.ask(listing.operation, input, { key });
      gate.clock.pass(1000);
    }
    const spent = await gate.spent();
    await gate.diskUsage.trim();
    const statuses = [];
    for (const key of ['a', 'b', 'c', 'd'])
      statuses.push((await gate.ask(listing.operation, input, { key })).answer?.status);
    assert.deepEqual(statuses, [409, 409, 200, 200]);
    assert.deepEqual(await gate.spent(), spent);
  });
});

const Kept = z.looseObject({
  result_bytes: z.number(),
  kept_result_bytes: z.number().nullable(),
  file_bytes: z.number(),
  kept_file_bytes: z.number().nullable(),
});

async function usageIn(gate: Gate): Promise<z.output<typeof Kept>> {
  return Kept.parse((await gate.ask(getOperation('usage'), {})).answer?.body);
}

async function codeAndReason(gate: Gate, id: string): Promise<readonly [string, string]> {
  const { code, error } = await openJobTools(gate).result(id);
  return [code, error?.message ?? ''];
}

onEveryStore('above its storage limit a tenant loses its oldest results, and the job says why', async (store) => {
  const limits = { kept_result_bytes: 6 * LARGE };
  await withGate({ store, plan: 'free', more: [listing], limits }, async (gate) => {
    const other = await new Tenants(gate).create('other', 'pro');
    const theirs = await complete(gate, { pages: 9, chars: LARGE });
    await gate.db.query('update jobs set tenant_id = $2 where id = $1', [theirs, other]);
    const ids: string[] = [];
    for (let at = 0; at < 4; at += 1) {
      gate.clock.pass(1000);
      ids.push(await complete(gate, { pages: 3, chars: LARGE }));
    }
    const running = await begin(gate);
    await commit(gate, running, buildEntries(8, LARGE));
    await gate.keptRoom.trim();
    const codes = await Promise.all(ids.map(async (id) => (await openJobTools(gate).result(id)).code));
    assert.deepEqual(codes, ['result_expired', 'result_expired', 'ok', 'ok']);
    const [, reason] = await codeAndReason(gate, ids[0] ?? '');
    assert.match(reason, /kept_result_bytes/);
    assert.equal((await openJobTools(gate).show(ids[0] ?? '')).evicted_for, 'plan');
    const [kept] = await gate.db.query('select status from jobs where id = $1', [theirs]);
    assert.equal(kept?.['status'], 'completed');
    assert.equal((await readLines(gate, running.row.id, { partial: true })).length, 8);
    await gate.keptRoom.trim();
    assert.equal((await openJobTools(gate).result(ids[2] ?? '')).code, 'ok');
    await checkBooks(gate);
  });
});

onEveryStore('the usage of a tenant contains its stored bytes and the storage limit of its plan', async (store) => {
  await withGate(
    { store, more: [listing], limits: { kept_result_bytes: 1000, kept_file_bytes: null } },
    async (gate) => {
      const none = { result_bytes: 0, kept_result_bytes: 1000, file_bytes: 0, kept_file_bytes: null };
      assert.partialDeepStrictEqual(await usageIn(gate), none);
      const id = await complete(gate, { pages: 3, chars: LARGE });
      const [sum] = await gate.db.query(
        'select cast(sum(packed_bytes) as bigint) as bytes from result_segments where job_id = $1',
        [id],
      );
      assert.equal((await usageIn(gate)).result_bytes, Number(sum?.['bytes']));
      await keepFile(gate, 500);
      assert.equal((await usageIn(gate)).file_bytes, 500);
      await openJobTools(gate).cancel(id);
      assert.equal((await usageIn(gate)).result_bytes, 0);
    },
  );
});

onEveryStore('above its storage limit a tenant loses its oldest files, and the answer says why', async (store) => {
  await withGate({ store, limits: { kept_file_bytes: 1000 } }, async (gate) => {
    const other = await new Tenants(gate).create('other', 'pro');
    const theirs = await keepFile(gate, 5000, other);
    const ids: string[] = [];
    for (let at = 0; at < 3; at += 1) {
      gate.clock.pass(1000);
      ids.push(await keepFile(gate, 400));
    }
    await gate.keptRoom.trim();
    const [first = '', second = '', third = ''] = ids;
    await assert.rejects(gate.artifacts.find(gate.tenant, first), {
      code: 'result_expired',
      message: /kept_file_bytes/,
    });
    for (const id of [second, third]) assert.equal((await gate.artifacts.find(gate.tenant, id)).bytes, 400);
    assert.equal((await gate.artifacts.find(other, theirs)).bytes, 5000);
  });
});

onEveryStore('no results are deleted if the plan has no storage limit', async (store) => {
  await withGate({ store, plan: 'unlimited', more: [listing] }, async (gate) => {
    const id = await complete(gate, { pages: 9, chars: LARGE });
    await gate.keptRoom.trim();
    assert.equal((await openJobTools(gate).result(id)).code, 'ok');
    assert.equal((await usageIn(gate)).kept_result_bytes, null);
  });
});

onEveryStore('a full disk deletes results of the tenant furthest above its storage limit', async (store) => {
  // With equal weight, since the byte limits of the plans count.
  const limits = { turn_weight: 1, kept_result_bytes: 4 * LARGE, kept_file_bytes: LARGE };
  await withGate({ store, plan: 'starter', more: [listing], limits }, async (gate) => {
    const other = await new Tenants(gate).create('other', 'free');
    const theirs = await complete(gate, { pages: 6, chars: LARGE });
    await gate.db.query('update jobs set tenant_id = $2 where id = $1', [theirs, other]);
    gate.clock.pass(1000);
    const own = await complete(gate, { pages: 5, chars: LARGE });
    await gate.diskUsage.evict((await gate.diskUsage.measureBytes()) - 1);
    const [code, reason] = await codeAndReason(gate, own);
    assert.equal(code, 'result_expired');
    assert.match(reason, /QUERN_MAX_DISK/);
    const [kept] = await gate.db.query('select status from jobs where id = $1', [theirs]);
    assert.equal(kept?.['status'], 'completed');
  });
});

async function keepFile(gate: Gate, size: number, tenant = gate.tenant): Promise<string> {
  const files = gate.artifacts.begin({ tenant, plan: gate.plan, jobId: null });
  const { id } = await files.store({
    kind: 'screenshot',
    contentType: 'image/png',
    bytes: new Uint8Array(size),
    size: null,
  });
  await gate.db.transaction(async (tx) => files.add(tx));
  return id;
}
