import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import { buildJobRetention } from '#engine/jobs/queue.ts';
import { IdempotentAnswers } from '#engine/call/idempotency.ts';
import { buildMonitorHistory, buildMonitorRetention } from '#features/monitors/store/history.ts';
import { RequestLog } from '#engine/call/request-log.ts';
import { Results } from '#engine/results/results.ts';
import { Artifacts } from '#engine/results/artifacts.ts';
import { DeliveryLog, buildDeliveryRetention } from '#features/webhooks/delivery-log.ts';
import { createNotifications } from '#engine/jobs/job-notifications.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { createSealer } from '#kernel/sealer.ts';
import type { Db } from '#store/db.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { NO_HINTS } from '#store/hints.ts';
import { onEveryStore, withStoreKind } from '../support/store.ts';
import { openTestClock } from '../support/clock.ts';
import { insertMany } from '../support/engine/many-rows.ts';

const NOW = '2026-11-21T12:00:00Z';
const DAY_MS = 24 * 3600 * 1000;
/** More rows than a single batch deletes. */
const MANY = 1100;
const now = Date.parse(NOW);

function buildParts(db: Db) {
  const clock = openTestClock(NOW);
  const sealer = createSealer(new Uint8Array(32), 'test');
  const results = new Results({ db, objects: null, space: 'test' });
  return {
    requestLog: new RequestLog({ db, inTurn: createGroupCommit(db, SYSTEM_CLOCK), clock }),
    idempotentAnswers: new IdempotentAnswers({ db, clock, sealer, processId: 'test' }),
    jobs: buildJobRetention({ db, clock, results }),
    artifacts: new Artifacts({ db, objects: null, space: 'test', clock }),
    crawls: buildCrawlRetention({ db, clock }),
    monitors: buildMonitorRetention({ db, clock }),
    deliveries: buildDeliveryRetention({ db, clock }),
    history: buildMonitorHistory({ db, clock, notifications: createNotifications(NO_HINTS, clock) }),
    deliveryLog: new DeliveryLog({ db, clock, notifications: createNotifications(NO_HINTS, clock) }),
  };
}

/** Rows of every table with a retention: expired ones, and one that is not expired. */
async function seed(db: Db): Promise<void> {
  const old = now - 100 * DAY_MS;
  for (const [count, at, part] of [
    [MANY, old, 'old'],
    [1, now, 'young'],
  ] as const) {
    const id = (name: string): string => `'${name}_${part}_' || n`;
    const iso = `'${new Date(at).toISOString()}'`;
    await insertMany(db, count, {
      requests: {
        tenant_id: "'ten_1'",
        id: id('req'),
        at: iso,
        operation: "'fetch'",
        status: '200',
        credits: '2',
        duration_ms: '1',
        attempts: "'[]'",
      },
      idempotent_answers: {
        tenant_id: "'ten_1'",
        key: id('key'),
        request_hash: "''",
        request_id: "'r'",
        process_id: "'h'",
        answer: "'x'",
        kept_until: `${at + DAY_MS}`,
      },
      jobs: {
        id: id('job'),
        tenant_id: "'ten_1'",
        request_id: "'r'",
        kind: "'fetch'",
        status: "'completed'",
        created_at: `${at}`,
        finished_at: `${at}`,
        expires_at: `${at + 1}`,
        due_at: `${at}`,
      },
      artifacts: {
        id: id('art'),
        tenant_id: "'ten_1'",
        content_type: "'image/png'",
        bytes: '3',
        expires_at: `${at + 1}`,
      },
      host_leases: { host: id('host'), process_id: "'h'", lease_until: '0', used_at: `${at}` },
      monitor_runs: {
        id: id('run'),
        monitor_id: "'mon_1'",
        tenant_id: "'ten_1'",
        started_by: "'manual'",
        status: "'completed'",
        scheduled_for: `${at}`,
        queued_at: `${at}`,
        monitor_version: '1',
        target_version: '1',
      },
      monitor_changes: {
        id: id('chg'),
        monitor_id: "'mon_1'",
        tenant_id: "'ten_1'",
        run_id: "'r'",
        detected_at: `${at}`,
        kind: "'fields'",
        record: "'{}'",
        delivery_ids: "'[]'",
      },
      deliveries: {
        id: id('dlv'),
        tenant_id: "'ten_1'",
        owner_id: "'mon_1'",
        event_id: id('evt'),
        type: "'t'",
        url: "'u'",
        endpoint: "'e'",
        body: "''",
        status: "'succeeded'",
        most: '9',
        due_at: '0',
        created_at: `${at}`,
      },
    });
  }
}

const LEFT = [
  'requests',
  'idempotent_answers',
  'artifacts',
  'host_leases',
  'monitor_runs',
  'monitor_changes',
  'deliveries',
];

async function countIn(db: Db, table: string): Promise<unknown> {
  return (await db.query(`select count(*) as n from ${table}`))[0]?.['n'];
}

onEveryStore('one round of upkeep deletes all expired rows, however many there are', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await seed(db);
    await db.query(
      "insert into monitors (id, tenant_id, kind, name, operation, body, input, watch, metadata, timezone, active, run_credits, created_at, updated_at) values ('mon_1', 'ten_1', 'generic', '', 'fetch', '', '', '{}', '{}', 'UTC', 0, 2, 0, 0)",
    );
    const { requestLog, idempotentAnswers, jobs, artifacts, crawls, monitors, deliveries } = buildParts(db);
    await requestLog.deleteExpired();
    await idempotentAnswers.deleteExpired();
    for (const one of [jobs, artifacts, crawls, monitors, deliveries]) await one.tidy();
    for (const table of LEFT) assert.equal(await countIn(db, table), 1, table);
    assert.equal(await countIn(db, 'jobs'), 1, 'a job is expired and, being older than 90 days, forgotten');
  });
});

onEveryStore('expired rows are not listed before they are deleted', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await seed(db);
    await db.query(
      "insert into monitors (id, tenant_id, kind, name, operation, body, input, watch, metadata, timezone, active, run_credits, created_at, updated_at) values ('mon_1', 'ten_1', 'generic', '', 'fetch', '', '', '{}', '{}', 'UTC', 0, 2, 0, 0)",
    );
    const { requestLog, history, deliveryLog } = buildParts(db);
    const page = { tenant: 'ten_1', after: null, limit: 1000 };
    const asked = { ...page, from: '', to: '~', operation: null, status: null };
    assert.deepEqual(
      (await requestLog.list(asked)).map(({ id }) => id),
      ['req_young_1'],
    );
    assert.equal(await requestLog.find('ten_1', 'req_old_1'), null);
    assert.deepEqual(
      (await history.runs({ ...page, id: 'mon_1' })).map(({ id }) => id),
      ['run_young_1'],
    );
    assert.deepEqual(
      (await deliveryLog.list({ ...page, owner: 'mon_1' })).map(({ id }) => id),
      ['dlv_young_1'],
    );
    await assert.rejects(deliveryLog.find('ten_1', 'dlv_old_1'), /no delivery/);
  });
});

onEveryStore('other work runs while rows are deleted', async (kind) => {
  await withStoreKind(kind, async (db) => {
    await seed(db);
    const { requestLog, jobs, deliveries } = buildParts(db);
    for (const round of [
      async () => requestLog.deleteExpired(),
      async () => jobs.tidy(),
      async () => deliveries.tidy(),
    ]) {
      let turns = 0;
      const over = new AbortController();
      const counting = (async () => {
        for (; !over.signal.aborted; turns += 1) await turn();
      })();
      await round();
      over.abort();
      await counting;
      assert.ok(turns >= 10, `${turns} turns of the event loop`);
    }
  });
});

onEveryStore('a list with a rarely matching filter is complete, in pages, and lets other work run', async (kind) => {
  await withStoreKind(kind, async (db) => {
    const at = `'${NOW.replace('Z', '.000Z')}'`;
    const row = { tenant_id: "'ten_1'", at, credits: '2', duration_ms: '1', attempts: "'[]'" };
    await insertMany(db, 9000, {
      requests: {
        ...row,
        id: "'req_' || (100000 + n)",
        operation: "case when n % 3000 = 0 then 'map' else 'fetch' end",
        status: 'case when n % 4000 = 0 then 502 else 200 end',
      },
    });
    const { requestLog } = buildParts(db);
    const asked = { tenant: 'ten_1', after: null, from: '', to: '~', operation: null, status: null, limit: 2 };
    const ids = async (more: Partial<typeof asked> | { operation: string } | { status: number }) =>
      (await requestLog.list({ ...asked, ...more })).map(({ id }) => id);
    assert.deepEqual(await ids({}), ['req_109000', 'req_108999']);
    assert.deepEqual(await ids({ operation: 'map' }), ['req_109000', 'req_106000']);
    assert.deepEqual(
      await requestLog
        .list({ ...asked, operation: 'map', after: 'req_106000' })
        .then((rows) => rows.map(({ id }) => id)),
      ['req_103000'],
    );
    assert.deepEqual(await ids({ status: 502 }), ['req_108000', 'req_104000']);
    assert.deepEqual(await ids({ status: 418 }), []);
    assert.deepEqual(await ids({ operation: 'crawl' }), []);
  });
});
