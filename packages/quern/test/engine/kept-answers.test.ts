import assert from 'node:assert/strict';
import { IdempotentAnswers } from '#engine/call/idempotency.ts';
import { createSealer } from '#kernel/sealer.ts';
import { newId } from '#kernel/ids.ts';
import { type Db, type StoreKind, StoreUnavailable } from '#store/db.ts';
import { onEveryStore } from '../support/store.ts';
import { brings, isBlocked, isLate, SITE, withGate } from './gate.ts';
import { checkBooks, openJobTools, getOperation } from '../support/engine/queue.ts';

const DAY_MS = 24 * 3600 * 1000;
/** From now on no answer can be stored. */
const DENY: Readonly<Record<StoreKind, string>> = {
  sqlite: 'create trigger deny before update on idempotent_answers begin select raise(abort, 0); end',
  postgres: 'alter table idempotent_answers add constraint deny check (answer is null)',
};

onEveryStore('50 parallel repeats are one call: one visit, one charge, one answer', async (store) => {
  await withGate({ store }, async (gate) => {
    const said = await Promise.all(Array.from({ length: 50 }, async () => gate.fetch({}, { key: 'once' })));
    const bodies = new Set(said.map(({ answer }) => JSON.stringify(answer?.body)));
    assert.equal(bodies.size, 1);
    const replayed = said.filter(({ answer }) => answer?.headers['idempotent-replayed'] === 'true');
    assert.equal(replayed.length, 49);
    assert.equal(gate.visits.length, 1);
    assert.deepEqual(await gate.spent(), [2, 0]);
    const first = said[0]?.answer?.body['request_id'];
    for (const { answer } of replayed) assert.equal(answer?.headers['x-request-id'], first);
    await checkBooks(gate);
  });
});

onEveryStore('a key recorded just before a store outage is free again afterwards', async (store) => {
  let isAway = true;
  const through = (db: Db): Db => ({
    ...db,
    async query(sql, values) {
      const rows = await db.query(sql, values);
      if (!isAway || !sql.startsWith('insert into idempotent_answers')) return rows;
      isAway = false;
      throw new StoreUnavailable('away');
    },
  });
  await withGate({ store, through }, async (gate) => {
    await assert.rejects(gate.fetch({}, { key: 'k' }), StoreUnavailable);
    assert.equal((await gate.fetch({}, { key: 'k' })).code, 'ok');
    assert.deepEqual(await gate.spent(), [2, 0]);
  });
});

onEveryStore('50 parallel submissions under one key are one job', async (store) => {
  await withGate({ store }, async (gate) => {
    const said = await Promise.all(
      Array.from({ length: 50 }, async () => openJobTools(gate).submit({}, { key: 'once' })),
    );
    assert.equal(new Set(said.map(({ answer }) => answer?.body['id'])).size, 1);
    assert.equal(new Set(said.map(({ answer }) => answer?.headers['location'])).size, 1);
    assert.equal((await gate.db.query('select id from jobs')).length, 1);
  });
});

onEveryStore('another body or operation under the same key is a conflict, but another tenant is not', async (store) => {
  await withGate({ store }, async (gate) => {
    assert.equal((await gate.fetch({}, { key: 'k' })).code, 'ok');
    assert.equal((await gate.fetch({ max_age_ms: 1 }, { key: 'k' })).code, 'idempotency_conflict');
    assert.equal((await openJobTools(gate).submit({}, { key: 'k' })).code, 'idempotency_conflict');
    const other = await gate.tenants.create('other', 'starter');
    assert.equal((await gate.fetch({ max_age_ms: 1 }, { key: 'k', as: other })).code, 'ok');
    assert.equal((await gate.fetch({}, { key: '' })).code, 'invalid_request');
    assert.equal((await gate.fetch({}, { key: 'x'.repeat(256) })).code, 'invalid_request');
    assert.equal((await gate.fetch({}, { key: 'x'.repeat(255) })).code, 'ok');
  });
});

onEveryStore('a rejection is stored as it was, and a retryable error is not', async (store) => {
  await withGate({ store, tierVisits: { http: isLate } }, async (gate) => {
    const first = await gate.fetch({ url: 'nonsense' }, { key: 'bad' });
    assert.equal(first.code, 'invalid_request');
    const { answer } = await gate.fetch({ url: 'nonsense' }, { key: 'bad' });
    assert.equal(answer?.status, 400);
    assert.equal(answer.body['request_id'], 'req_0001');
    assert.equal((await gate.fetch({}, { key: 'late' })).code, 'timeout');
    assert.equal((await gate.fetch({}, { key: 'late' })).code, 'timeout');
    assert.ok(gate.visits.length >= 2);
  });
  await withGate({ store, tierVisits: { http: isBlocked }, limits: { queued_jobs: 1 } }, async (gate) => {
    await openJobTools(gate).submit();
    assert.equal((await openJobTools(gate).submit({}, { key: 'full' })).code, 'queue_full');
    assert.deepEqual(await gate.db.query('select key from idempotent_answers'), []);
  });
});

onEveryStore('a call rejected for lack of credits, plan, data or time succeeds once that is fixed', async (store) => {
  await withGate({ store, limits: { credits_per_month: 1 } }, async (gate) => {
    assert.equal((await gate.fetch({}, { key: 'k' })).code, 'credits_exhausted');
    await gate.tenants.topUp(gate.tenant, 10);
    const { answer } = await gate.fetch({}, { key: 'k' });
    assert.deepEqual([answer?.status, answer?.headers['idempotent-replayed']], [200, undefined]);
    assert.deepEqual(await gate.spent(), [2, 0]);
    const cancel = getOperation('jobs.cancel');
    assert.equal((await gate.ask(cancel, { id: newId('job', 0) }, { key: 'gone' })).code, 'not_found');
    const big = { max_pages: gate.plan.crawl_pages === null ? 0 : gate.plan.crawl_pages + 1, url: SITE };
    assert.equal((await gate.ask(getOperation('crawl'), big, { key: 'plan' })).code, 'plan_upgrade_required');
    assert.deepEqual(
      (await gate.db.query('select key from idempotent_answers')).map(({ key }) => key),
      ['k'],
    );
  });
});

onEveryStore('a stored answer is deleted after 24 hours', async (store) => {
  await withGate({ store }, async (gate) => {
    await gate.fetch({}, { key: 'k' });
    gate.clock.pass(DAY_MS - 1);
    assert.equal((await gate.fetch({}, { key: 'k' })).answer?.headers['idempotent-replayed'], 'true');
    gate.clock.pass(1);
    assert.equal((await gate.fetch({ max_age_ms: 1 }, { key: 'k' })).answer?.headers['idempotent-replayed'], undefined);
    gate.clock.pass(DAY_MS);
    await gate.idempotentAnswers.deleteExpired();
    assert.deepEqual(await gate.db.query('select * from idempotent_answers'), []);
  });
});

onEveryStore(
  'a repeat waits for the first call until its own deadline, and then gets a retryable error',
  async (store) => {
    await withGate({ store }, async (gate) => {
      const keyed = { tenant: gate.tenant, key: 'k', operation: 'fetch', raw: {}, requestId: 'req_a' };
      assert.equal(await gate.idempotentAnswers.begin(keyed, AbortSignal.abort()), null);
      await assert.rejects(gate.idempotentAnswers.begin({ ...keyed, requestId: 'req_b' }, AbortSignal.abort()), {
        code: 'idempotency_conflict',
        retryAfterSeconds: 5,
      });
    });
  },
);

onEveryStore('the key of a call whose process died can be used again', async (store) => {
  await withGate({ store }, async (gate) => {
    const sealer = createSealer(new Uint8Array(32), 'jobs');
    const dead = new IdempotentAnswers({ db: gate.db, clock: gate.clock, sealer, processId: 'dead' });
    const raw = { url: 'https://mill.example/' };
    const keyed = { tenant: gate.tenant, key: 'k', operation: 'fetch', raw, requestId: 'req_dead' };
    assert.equal(await dead.begin(keyed, AbortSignal.abort()), null);
    assert.equal((await gate.fetch({}, { key: 'k' })).code, 'ok');
    await gate.db.transaction(async (tx) =>
      dead.store(tx, keyed, { status: 200, headers: {}, body: { zombie: true }, usage: null, deprecated: [] }),
    );
    assert.equal((await gate.fetch({}, { key: 'k' })).answer?.body['zombie'], undefined);
    const begun = { ...keyed, key: 'again' };
    assert.equal(await dead.begin(begun, AbortSignal.abort()), null);
    await dead.releaseOwn();
    assert.equal(await dead.begin(begun, AbortSignal.abort()), null);
  });
});

onEveryStore(
  'a call presumed dead has no effect when it wakes, since its key belongs to another call',
  async (store) => {
    const began: (() => Promise<void>)[] = [];
    const http: typeof isBlocked = async (request, signal) => {
      for (const begin of began.splice(0)) await begin();
      return brings()(request, signal);
    };
    await withGate({ store, tierVisits: { http } }, async (gate) => {
      const keyed = { tenant: gate.tenant, key: 'k', operation: 'fetch', raw: { url: SITE }, requestId: 'req_other' };
      began.push(async () => {
        gate.clock.pass(41_000);
        assert.equal(await gate.idempotentAnswers.begin(keyed, AbortSignal.abort()), null);
      });
      assert.equal((await gate.fetch({}, { key: 'k' })).code, 'idempotency_conflict');
      assert.deepEqual(await gate.spent(), [0, 0]);
      await checkBooks(gate);
    });
  },
);

onEveryStore('the reservation of a call during a store outage is released once the store is back', async (store) => {
  let away = false;
  const guarded = <T>(work: () => Promise<T>): Promise<T> =>
    away ? Promise.reject(new StoreUnavailable('away')) : work();
  const through = (db: Db): Db => ({
    ...db,
    query: async (...statement) => guarded(async () => db.query(...statement)),
    transaction: async (work) => guarded(async () => db.transaction(work)),
  });
  const http: typeof isBlocked = async (request, signal) => {
    away = true;
    return brings()(request, signal);
  };
  await withGate({ store, through, tierVisits: { http } }, async (gate) => {
    // A repeated call waits for the first one within its own time limit.
    const input = { timeout_ms: 2500 };
    assert.equal((await gate.fetch(input, { key: 'k' })).code, 'backend_unavailable');
    await assert.rejects(gate.deferredReleases.retry(), StoreUnavailable);
    away = false;
    assert.deepEqual(await gate.spent(), [0, 2]);
    assert.equal((await gate.fetch(input, { key: 'k' })).code, 'idempotency_conflict');
    await gate.deferredReleases.retry();
    assert.deepEqual(await gate.spent(), [0, 0]);
    assert.deepEqual(await gate.db.query('select key from idempotent_answers'), []);
    await checkBooks(gate);
  });
});

onEveryStore('a charge and its stored answer are committed together or not at all', async (store) => {
  await withGate({ store, tierVisits: { http: brings() } }, async (gate) => {
    await gate.db.query(DENY[store]);
    assert.equal((await gate.fetch({}, { key: 'k' })).code, 'internal_error');
    assert.equal((await gate.spent())[0], 0);
    assert.deepEqual(await gate.db.query("select key from ledger where kind = 'charge'"), []);
  });
});
