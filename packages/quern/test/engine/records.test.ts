import assert from 'node:assert/strict';
import { Accounts } from '#engine/credits/accounts.ts';
import { addEntry, addTopUp, type LedgerEntry } from '#engine/credits/ledger.ts';
import { type RequestEntry, type RequestFilter, RequestLog } from '#engine/call/request-log.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Db } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { openTestClock } from '../support/clock.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'] as const;
/** Texts that a language-specific collation would sort differently. */
const OPERATIONS = ['Zoo', 'crawl', 'fetch', 'ätna'] as const;

const entry: RequestEntry = {
  tenant: 'ten_1',
  id: 'req_a',
  at: '2026-11-21T12:00:00.000Z',
  operation: 'fetch',
  status: 200,
  code: null,
  credits: 2,
  tier: 'http',
  input_tokens: 0,
  output_tokens: 0,
  duration_ms: 12,
  attempts: [],
  url: null,
  message: null,
};
const everything: RequestFilter = {
  tenant: 'ten_1',
  after: null,
  from: '0000',
  to: '9999',
  operation: null,
  status: null,
  limit: 10,
};

function openLog(db: Db, clock = openTestClock('2026-11-21T12:00:00Z')) {
  return new RequestLog({ db, inTurn: createGroupCommit(db, SYSTEM_CLOCK), clock });
}

onEveryStore('the request log is listed newest first, in pages, ordered by the bytes of its ids', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const log = openLog(db);
    const ids = ['req_a', 'req_B', 'req_b', 'req_0', 'req_Z'];
    await Promise.all(ids.map(async (id) => log.add({ ...entry, id })));
    const listed: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await log.list({ ...everything, after, limit: 2 });
      if (page.length === 0) break;
      listed.push(...page.map(({ id }) => id));
      after = listed.at(-1) ?? null;
    }
    assert.deepEqual(listed, ['req_b', 'req_a', 'req_Z', 'req_B', 'req_0']);
  });
});

onEveryStore('the request log is filtered by operation, status and time, and separates tenants', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const log = openLog(db, clock);
    await log.add(entry);
    await log.add(entry);
    const failed = { url: 'https://mill.example/?token=***', message: 'the target refused: größer' };
    await log.add({
      ...entry,
      ...failed,
      id: 'req_b',
      operation: 'crawl',
      status: 502,
      code: 'target_blocked',
      tier: null,
    });
    const { url, message } = (await log.find('ten_1', 'req_b')) ?? {};
    assert.deepEqual({ url, message }, failed);
    await log.add({ ...entry, id: 'req_c', tenant: 'ten_2' });
    const ids = async (filter: Partial<RequestFilter>): Promise<readonly string[]> =>
      (await log.list({ ...everything, ...filter })).map(({ id }) => id);
    assert.deepEqual(await ids({}), ['req_b', 'req_a']);
    assert.deepEqual(await ids({ operation: 'crawl' }), ['req_b']);
    assert.deepEqual(await ids({ operation: 'cr\0wl' }), []);
    assert.deepEqual(await ids({ status: 200 }), ['req_a']);
    assert.deepEqual(await ids({ from: '2026-11-21T12:00:00.001Z' }), []);
    assert.deepEqual((await log.find('ten_1', 'req_a'))?.attempts, []);
    assert.equal(await log.find('ten_2', 'req_a'), null);
    clock.set('2026-11-22T12:00:00.000Z');
    await log.deleteExpired();
    assert.deepEqual(await ids({}), ['req_b', 'req_a']);
    clock.pass(1);
    assert.deepEqual(await ids({}), [], 'what is past its time is not listed before it has gone');
    assert.equal(await log.find('ten_1', 'req_a'), null);
    await log.deleteExpired();
    assert.deepEqual(await db.query('select id from requests'), []);
  });
});

onEveryStore('spending is summed by day, newest first, and by operation name', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const cycle = '2026-11';
    const add = async (one: Pick<LedgerEntry, 'key' | 'day' | 'kind' | 'operation' | 'credits'>): Promise<void> =>
      db.transaction(async (tx) => addEntry(tx, { ...one, tenant: 'ten_1', now: clock.now(), cycle }, db.kind));
    for (const day of DAYS) {
      for (const operation of OPERATIONS) {
        const key = `${day} ${operation}`;
        await add({ key, day, kind: 'charge', operation, credits: 3_000_000_000 });
      }
    }
    await add({ key: 'refund', day: DAYS[0], kind: 'refund', operation: 'fetch', credits: -3_000_000_000 });
    await db.transaction(async (tx) =>
      addTopUp(tx, { key: 'top_up', tenant: 'ten_1', now: clock.now(), cycle, day: DAYS[0], credits: 5 }),
    );
    const accounts = new Accounts({ db, clock });
    const history = { tenant: 'ten_1', from: DAYS[0], to: DAYS[2], after: null, limit: 10 } as const;
    const days = await accounts.listSpending({ ...history, by: 'day' });
    assert.deepEqual(
      days.map(({ date, calls, credits }) => [date, calls, credits]),
      [
        ['2026-11-21', 4, 12_000_000_000],
        ['2026-11-20', 4, 12_000_000_000],
        ['2026-11-19', 4, 9_000_000_000],
      ],
    );
    const operations = await accounts.listSpending({ ...history, by: 'operation' });
    assert.deepEqual(
      operations.map(({ position }) => position),
      OPERATIONS,
    );
    const rest = await accounts.listSpending({ ...history, by: 'operation', after: 'crawl' });
    assert.deepEqual(
      rest.map(({ operation, calls, credits }) => [operation, calls, credits]),
      [
        ['fetch', 3, 6_000_000_000],
        ['ätna', 3, 9_000_000_000],
      ],
    );
  });
});

onEveryStore('a top-up can exceed 32 bits, and tenants are listed with their balance', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const tenants = new Tenants({ db, clock: openTestClock('2026-11-21T12:00:00Z') });
    const id = await tenants.create('t', 'pro');
    await tenants.topUp(id, 5_000_000_000);
    await tenants.topUp(id, 1);
    const [listed] = await tenants.listPage({ after: null, limit: 10 });
    assert.deepEqual([listed?.id, listed?.plan, listed?.topped_up], [id, 'pro', 5_000_000_001]);
    await tenants.ensureLocal();
    await tenants.ensureLocal();
    assert.equal((await tenants.listPage({ after: null, limit: 10 })).length, 2);
  });
});
