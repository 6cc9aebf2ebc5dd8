import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { readRows } from '#store/rows.ts';
import type { Db } from '#store/db.ts';
import { onEveryStore } from '../support/store.ts';
import { type Gate, withGate } from './gate.ts';
import { createMonitorCalls, openShop, pass, runAll } from '../support/engine/monitoring.ts';

const Digest = z.object({
  type: z.literal('monitor.digest'),
  monitor_id: z.string(),
  data: z.object({
    period: z.object({ from: z.string(), to: z.string() }),
    changes_count: z.number(),
    items: z.array(
      z.object({
        change_id: z.string(),
        run_id: z.string(),
        detected_at: z.string(),
        changes: z.array(z.looseObject({})),
      }),
    ),
    truncated: z.boolean().optional(),
  }),
});
const Delivery = z.object({ id: z.string(), body: z.string().transform((body) => Digest.parse(JSON.parse(body))) });

const MINUTE_MS = 60_000;
const HOURLY = {
  cron: '*/5 * * * *',
  webhook: 'https://hooks.example/x',
  watch: { digest: { interval_minutes: 60 } },
};

/** The pending digests; fails on the body of any other event. */
async function readDigests({ db }: Gate) {
  return readRows(Delivery, await db.query('select id, body from deliveries order by id'));
}

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

onEveryStore(
  'the changes of a window are sent as one event, once, even if a flush dies or two run at once',
  async (store) => {
    const { shop, tierVisits } = openShop();
    const { state, through } = openBreaking();
    await withGate({ store, tierVisits, through }, async (gate) => {
      const monitors = createMonitorCalls(gate);
      const id = await monitors.made(HOURLY);
      await runAll(gate);
      for (const price of ['90.00 EUR', '80.00 EUR', '70.00 EUR']) {
        shop.price = price;
        await pass(gate, 5 * MINUTE_MS);
      }
      const pending = await monitors.changes(id);
      assert.deepEqual(
        pending.map(({ notified, changes }) => [notified, changes[0]?.new_value]),
        [
          [false, 70],
          [false, 80],
          [false, 90],
        ],
      );
      assert.equal(await gate.queue.digests.flush(), 0);
      assert.deepEqual(await readDigests(gate), []);

      gate.clock.set('2026-11-21T13:00:00Z');
      state.broken = true;
      await assert.rejects(gate.queue.digests.flush(), /died before the commit/);
      state.broken = false;
      assert.deepEqual(await readDigests(gate), []);
      const flushed = await Promise.all([gate.queue.digests.flush(), gate.queue.digests.flush()]);
      assert.equal(flushed[0] + flushed[1], 1);
      const [digest, another] = await readDigests(gate);
      assert.equal(another, undefined);
      assert.equal(digest?.body.monitor_id, id);
      const { period, changes_count: count, items } = digest.body.data;
      assert.deepEqual(period, { from: '2026-11-21T12:00:00.000Z', to: '2026-11-21T13:00:00.000Z' });
      assert.equal(count, 3);
      assert.deepEqual(
        items.map((item) => [item.change_id, item.changes[0]?.['new_value']]),
        pending.toReversed().map((change) => [change.id, change.changes[0]?.new_value]),
      );
      const told = await monitors.changes(id);
      assert.deepEqual(
        told.map(({ notified, delivery_ids }) => [notified, delivery_ids]),
        pending.map(() => [true, [digest.id]]),
      );
      assert.equal(await gate.queue.digests.flush(), 0);
    });
  },
);

onEveryStore('an empty window sends nothing, and a window ended by a PATCH is sent at once', async (store) => {
  const { shop, tierVisits } = openShop();
  await withGate({ store, tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made(HOURLY);
    await runAll(gate);
    await pass(gate, 65 * MINUTE_MS);
    assert.equal(await gate.queue.digests.flush(), 0);
    for (const patch of [{ active: false }, { active: true, watch: { digest: null } }]) {
      await monitors.ask('update', { id, active: true, watch: HOURLY.watch });
      shop.price = `${shop.visits}.50 EUR`;
      await pass(gate, 5 * MINUTE_MS);
      assert.equal(await gate.queue.digests.flush(), 0);
      const before = (await readDigests(gate)).length;
      await monitors.ask('update', { id, ...patch });
      assert.equal(await gate.queue.digests.flush(), 1);
      const digests = await readDigests(gate);
      assert.equal(digests.length, before + 1);
      assert.equal(digests.at(-1)?.body.data.period.to, new Date(gate.clock.now()).toISOString());
    }
    await monitors.ask('update', { id, watch: HOURLY.watch });
    shop.price = '1.00 EUR';
    await pass(gate, 5 * MINUTE_MS);
    await monitors.ask('delete', { id });
    await pass(gate, 60 * MINUTE_MS);
    assert.equal(await gate.queue.digests.flush(), 0);
  });
});

test('a digest contains at most a hundred changes and their total number', async () => {
  const { shop, tierVisits } = openShop();
  await withGate({ tierVisits }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    const id = await monitors.made(HOURLY);
    await runAll(gate);
    shop.price = '90.00 EUR';
    await pass(gate, 5 * MINUTE_MS);
    const columns = 'monitor_id, tenant_id, run_id, detected_at, kind, record, delivery_ids, pending';
    for (let more = 0; more < 119; more += 1) {
      await gate.db.query(
        `insert into monitor_changes (id, ${columns}) select 'chg_zz' || $1, ${columns} from monitor_changes
          where pending = 1 order by id limit 1`,
        [String(more).padStart(3, '0')],
      );
    }
    await pass(gate, 60 * MINUTE_MS);
    assert.equal(await gate.queue.digests.flush(), 1);
    const [digest] = await readDigests(gate);
    const { changes_count: count, items, truncated } = digest?.body.data ?? {};
    assert.deepEqual([count, items?.length, truncated], [120, 100, true]);
    const open = await gate.db.query('select id from monitor_changes where pending = 1');
    assert.deepEqual(open, []);
    assert.equal((await monitors.changes(id)).length, 100);
  });
});
