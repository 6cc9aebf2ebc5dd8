import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Accounts } from '#engine/credits/accounts.ts';
import { buildDeliveryRetention, DELIVERY_STATUSES, DeliveryLog } from '#features/webhooks/delivery-log.ts';
import { buildCrawlRetention } from '#features/crawl/run/crawl-retention.ts';
import { readSeries } from '#features/monitors/store/series-reader.ts';
import { DeliveryRows } from '#features/webhooks/delivery-rows.ts';
import type { Db, Queryable } from '#store/db.ts';
import { readRows } from '#store/rows.ts';
import { SITE, withGate } from './gate.ts';
import { getOperation } from '../support/engine/queue.ts';

/** Tables that grow with use. */
const GROWN = [
  'ledger',
  'requests',
  'jobs',
  'cached_pages',
  'deliveries',
  'idempotent_answers',
  'artifacts',
  'monitor_runs',
  'page_copies',
];
/** Partial indexes of pending work only. */
const TO_DO = [
  'jobs_to_empty',
  'jobs_running_by_tenant',
  'deliveries_by_due',
  'deliveries_by_lease',
  'deliveries_by_sender',
];
const EVER = { from: '', to: '~', operation: null, status: null, after: null, limit: 10, tenant: 'ten_1' };

const Step = z.object({ detail: z.string() });

/** A store that records the text of each statement. */
function noting(db: Db, texts: Set<string>): Db {
  const through = ({ query }: Queryable): Queryable['query'] => {
    return async (sql, values) => {
      texts.add(sql);
      return query(sql, values);
    };
  };
  return {
    ...db,
    query: through(db),
    transaction: async (work, keep) => db.transaction(async (tx) => work({ query: through(tx) }), keep),
  };
}

test('frequent and per-minute statements scan no growing table', async () => {
  const texts = new Set<string>();
  await withGate({ plan: 'free', limits: { crawl_pages: 1 }, through: (db) => noting(db, texts) }, async (gate) => {
    const { clock, queue, requestLog, idempotentAnswers, artifacts, diskUsage, keptRoom, pageCache } = gate;
    const { db } = gate;
    const accounts = new Accounts({ db, clock });
    const webhooks = new DeliveryRows({ db, clock, webhooks: queue.webhooks, sender: 'test' });
    const history = { tenant: 'ten_1', from: '2026-11-01', to: '2026-11-30', after: null, limit: 10 };
    for (const by of ['day', 'operation', 'day_and_operation'] as const)
      await accounts.listSpending({ ...history, by });
    for (const status of [null, 200, 502]) await requestLog.list({ ...EVER, status });
    const all = { tenant: 'ten_1', after: null, from: 0, to: 1, kind: null, limit: 10 };
    for (const status of [null, 'queued', 'running', 'expired'] as const) await queue.jobs.list({ ...all, status });
    await queue.leases.recover(null, async () => gate.plan);
    await gate.ask(getOperation('jobs.submit'), { kind: 'fetch', input: { url: 'https://shop.test/' } });
    await webhooks.backlog();
    await webhooks.recover('dead');
    const log = new DeliveryLog({ db, clock, notifications: queue.notifications });
    const of = { tenant: 'ten_1', after: null, limit: 10 };
    for (const status of [null, ...DELIVERY_STATUSES])
      for (const owner of [null, 'mon_1']) await log.listAll({ ...of, status, owner });
    for (const owner of [null, 'mon_1']) await log.redeliverAll('ten_1', owner);
    await queue.webhooks.list(of);
    const series = { id: 'mon_1', from: 0, to: 1, field: null };
    await readSeries(db, series, new AbortController().signal);
    await requestLog.deleteExpired();
    await idempotentAnswers.deleteExpired();
    await idempotentAnswers.releaseOwn();
    await diskUsage.trim();
    await diskUsage.evict(0);
    for (let n = 0; n < 3; n += 1) await gate.fetch({ output: ['changes'], url: `${SITE}${n % 2}` });
    await gate.rounds.find(({ name }) => name === 'page_copies')?.run(new AbortController().signal);
    await keptRoom.trim();
    await keptRoom.measure('ten_1');
    await pageCache.measureBytes();
    const url = new URL('https://shop.test/');
    const page = { url: url.href, status: 200, headers: {}, contentType: 'text/html', wireBytes: 4, warnings: [] };
    await pageCache.store('ten_1', { url, headers: {}, cookies: [] }, { ...page, body: new Uint8Array(4).fill(65) });
    await pageCache.evict(0);
    await buildCrawlRetention({ db, clock }).tidy();
    for (const one of [queue.retention, queue.monitorRetention, buildDeliveryRetention({ db, clock }), artifacts])
      await one.tidy();
    assert.ok(texts.size > 30, 'the statements are noted');
    for (const sql of Array.from(texts)) {
      const steps = readRows(Step, await db.query(`explain query plan ${sql}`, buildValues(sql)));
      const submits = sql.startsWith('insert into jobs');
      if (submits)
        assert.ok(
          steps.every(({ detail }) => !detail.endsWith('jobs_by_tenant (tenant_id=?)')),
          sql,
        );
      if (sql.startsWith('delete from cached_pages')) assert.match(steps[0]?.detail ?? '', /\(file=\?\)$/, sql);
      for (const { detail } of steps) {
        const [, table = '', index = ''] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
        assert.ok(!GROWN.includes(table) || TO_DO.includes(index), `${detail}\n${sql}`);
      }
    }
  });
});

/** A value for each parameter; it does not affect the plan. */
function buildValues(sql: string): readonly (string | number)[] {
  const most = Math.max(0, ...[...sql.matchAll(/\$(\d+)/g)].map(([, n]) => Number(n)));
  return Array.from({ length: most }, () => '[]');
}
