import assert from 'node:assert/strict';
import { onEveryStore } from '../support/store.ts';
import { readEvents, HOTEL_SITES, HOUSE, openHotels, STAY, createSiteMonitorCalls } from '../support/engine/hotels.ts';
import { createMonitorCalls, pass, runAll } from '../support/engine/monitoring.ts';
import { checkBooks } from '../support/engine/queue.ts';
import { withGate } from './gate.ts';

const HOUR_MS = 3_600_000;
const WEBHOOK = 'https://hooks.example/rates';

for (const site of HOTEL_SITES)
  onEveryStore(
    `a monitor of one property on ${site} watches its cheapest rate, through all ten routes`,
    async (store) => {
      const { options, move } = openHotels();
      await withGate({ ...options, store }, async (gate) => {
        const rates = createSiteMonitorCalls(gate, site);
        const other = createSiteMonitorCalls(gate, site === 'hotel-a' ? 'hotel-b' : 'hotel-a');
        const watch = { thresholds: { pct: 5 } };
        const made = await rates.ask('create', { ...HOUSE[site], ...STAY, watch, webhook: WEBHOOK });
        assert.equal(made.answer?.status, 201, JSON.stringify(made.error));
        const id = String(made.answer.body['id']);
        assert.equal(made.answer.headers['location'], `/v1/monitors/${id}`);
        const { kind, provider, check_in, adults } = await other.show(id);
        assert.deepEqual([kind, provider, check_in, adults], ['hotel', site, STAY.check_in, 2]);
        assert.equal((await rates.latestRun(id)).trigger, 'create');
        assert.deepEqual(await runAll(gate), ['ok']);
        const first = await other.latestRun(id);
        assert.deepEqual(
          [first.status, first.values, first.usage?.credits],
          ['completed', { price: 200, available: true }, 15],
        );
        // The first run had no currency in its request; later runs request the recorded one.
        assert.equal((await rates.show(id)).currency, 'EUR');

        move(site, { night: 104 });
        assert.deepEqual(await pass(gate, HOUR_MS + 360_000), ['ok']);
        assert.equal((await rates.ask('changes.latest', { id })).code, 'not_found');
        move(site, { night: 105 });
        const { answer } = await other.trigger(id);
        assert.equal(answer?.status, 200);
        const { run_id: runId, status, changed } = answer.body;
        assert.deepEqual([status, changed], ['completed', true]);
        assert.equal((await rates.latestRun(id)).id, runId);

        const [change] = await other.rateChanges(id);
        assert.ok(change !== undefined);
        assert.equal(change.run_id, runId);
        assert.deepEqual(
          [change.kind, change.provider, change.channel, change.previous_price, change.current_price],
          ['fields', site, site, 200, 210],
        );
        const diff = { abs: 10, pct: 5, direction: 'up' };
        assert.deepEqual(change.diff, diff);
        const params = { ...STAY_PARAMS, currency: 'EUR' };
        assert.deepEqual(change.params, params);
        const { request_id: _, ...latest } = await rates.body('changes.latest', { id });
        assert.deepEqual(latest, change);
        const [general] = await createMonitorCalls(gate).changes(id);
        assert.deepEqual([general?.id, general?.changes[0]?.field], [change.id, 'price']);

        const [event, ...rest] = await readEvents(gate);
        assert.deepEqual([event?.type, rest], ['monitor.change_detected', []]);
        assert.deepEqual(
          event?.data,
          site === 'hotel-b'
            ? { previous_price: 200, current_price: 210, diff, params, currency: 'EUR' }
            : {
                changes: [
                  {
                    field: 'price',
                    previous_value: 200,
                    new_value: 210,
                    op: 'modified',
                    diff: { abs: 10, pct: 5 },
                    currency: 'EUR',
                  },
                ],
              },
        );
        const patched = await other.body('update', { id, name: 'The house', cron: null, active: false });
        assert.deepEqual([patched['name'], patched['cron'], patched['active']], ['The house', null, false]);
        const listed = await other.body('list', { provider: site });
        assert.deepEqual(
          [JSON.stringify(listed).includes(id), (await rates.body('list', { active: true }))['data']],
          [true, []],
        );
        assert.equal((await other.ask('delete', { id })).answer?.status, 204);
        for (const word of ['show', 'update', 'trigger', 'runs', 'runs.latest', 'changes', 'changes.latest', 'delete'])
          assert.equal((await rates.ask(word, { id })).code, 'not_found', word);
        assert.deepEqual(await gate.spent(), [45, 0]);
        await checkBooks(gate);
      });
    },
  );

const STAY_PARAMS = {
  check_in: STAY.check_in,
  check_out: STAY.check_out,
  nights: 2,
  adults: 2,
  children: [],
  rooms: 1,
};
