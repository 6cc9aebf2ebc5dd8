import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../support/store.ts';
import { readEvents, HOUSE, openHotels, STAY, createSiteMonitorCalls } from '../support/engine/hotels.ts';
import { createMonitorCalls, pass, runAll } from '../support/engine/monitoring.ts';
import { type Gate, withGate } from './gate.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WEBHOOK = 'https://hooks.example/rates';

type Hotels = ReturnType<typeof openHotels>;
type Scene = Hotels & {
  readonly gate: Gate;
  readonly rates: ReturnType<typeof createSiteMonitorCalls>;
  readonly id: string;
};

/** A monitor of the house on hotel-b after its first run. */
async function withMonitor(
  body: object,
  work: (scene: Scene) => Promise<void>,
  store: 'sqlite' | 'postgres' = 'sqlite',
) {
  const hotels = openHotels();
  await withGate({ ...hotels.options, store }, async (gate) => {
    const rates = createSiteMonitorCalls(gate, 'hotel-b');
    const id = await rates.made({ ...HOUSE['hotel-b'], ...STAY, webhook: WEBHOOK, ...body });
    await runAll(gate);
    await work({ ...hotels, gate, rates, id });
  });
}

test('prices in another currency than requested fail the run, free and without a change', async () => {
  await withMonitor({ currency: 'EUR' }, async ({ gate, rates, id, move }) => {
    move('hotel-b', { currency: 'USD', night: 50 });
    const { answer } = await rates.trigger(id);
    assert.deepEqual([answer?.status, answer?.body['status']], [200, 'failed']);
    assert.match(JSON.stringify(answer?.body['error']), /"code":"unusable_response"[^}]*prices in EUR were asked for/);
    assert.deepEqual([await rates.rateChanges(id), await gate.spent()], [[], [15, 0]]);
  });
});

test('the currency of the property is stored at the first run, and requested by later runs', async () => {
  await withMonitor({}, async ({ rates, id, move, asked }) => {
    assert.equal((await rates.show(id)).currency, 'EUR');
    assert.ok(!asked.at(-1)?.includes('selected_currency'));
    move('hotel-b', { currency: 'USD' });
    assert.equal((await rates.trigger(id)).answer?.body['status'], 'failed');
    assert.match(asked.find((one) => one.includes('selected_currency')) ?? '', /selected_currency=EUR/);
    const renamed = await rates.body('update', { id, name: 'The house' });
    assert.equal(renamed['currency'], 'EUR');
  });
});

test('a change of the price basis rebases without an event', async () => {
  await withMonitor({}, async ({ gate, rates, id, move }) => {
    move('hotel-b', { taxes: 12, night: 90 });
    const { answer } = await rates.trigger(id);
    assert.deepEqual([answer?.body['rebased'], answer?.body['changed']], [true, false]);
    assert.deepEqual([await rates.rateChanges(id), await readEvents(gate)], [[], []]);
    move('hotel-b', { night: 91 });
    gate.clock.pass(11_000);
    await rates.trigger(id);
    const [change] = await rates.rateChanges(id);
    assert.deepEqual([change?.previous_price, change?.current_price], [180, 182]);
  });
});

test('a room that sells out or returns is one availability change at once, regardless of thresholds', async () => {
  await withMonitor({ watch: { thresholds: { abs: 1000 } } }, async ({ gate, rates, id, move }) => {
    move('hotel-b', { available: false });
    const gone = (await rates.trigger(id)).answer?.body;
    assert.deepEqual([gone?.['status'], gone?.['values']], ['completed', { price: null, available: false }]);
    gate.clock.pass(11_000);
    assert.equal((await rates.trigger(id)).answer?.body['changed'], false);
    move('hotel-b', { available: true, night: 120 });
    gate.clock.pass(11_000);
    await rates.trigger(id);
    const changes = await rates.rateChanges(id);
    assert.deepEqual(
      changes.map((one) => [
        one.kind,
        one.previous_price,
        one.current_price,
        one.available_before,
        one.available_after,
      ]),
      [
        ['availability', null, 240, false, true],
        ['availability', 200, null, true, false],
      ],
    );
    const events = await readEvents(gate);
    assert.deepEqual(
      events.map(({ data }) => [data['previous_price'], data['current_price'], data['diff'], data['currency']]),
      [
        [200, null, null, 'EUR'],
        [null, 240, null, 'EUR'],
      ],
    );
  });
});

test('a price that is merely missing is unusable, and no change', async () => {
  await withMonitor({}, async ({ rates, id, move }) => {
    move('hotel-b', { night: 0 });
    const { answer } = await rates.trigger(id);
    assert.match(JSON.stringify(answer?.body), /"status":"failed"[^]*"code":"unusable_response"/);
    assert.deepEqual(await rates.rateChanges(id), []);
  });
});

for (const change of [
  { check_in: '2027-03-02', check_out: '2027-03-05' },
  { adults: 3 },
  { children: 1 },
  { currency: 'USD' },
])
  test(`a change of ${Object.keys(change).join(' and ')} starts a new baseline, which is not a change`, async () => {
    await withMonitor({}, async ({ gate, rates, id, move }) => {
      await rates.body('update', { id, ...change });
      move('hotel-b', { night: 300, currency: 'currency' in change ? 'USD' : 'EUR' });
      const { answer } = await rates.trigger(id);
      assert.deepEqual(
        [answer?.body['status'], answer?.body['baseline_reset'], answer?.body['changed']],
        ['completed', true, false],
      );
      assert.deepEqual([await rates.rateChanges(id), await readEvents(gate)], [[], []]);
    });
  });

test('a first run can be reported, without previous values', async () => {
  await withMonitor({ watch: { notify_on_first_run: true } }, async ({ gate, rates, id }) => {
    const [change] = await rates.rateChanges(id);
    assert.deepEqual([change?.kind, change?.previous_price, change?.current_price], ['first_run', null, 200]);
    const [event] = await readEvents(gate);
    assert.deepEqual(
      [event?.['first_run'], event?.data['previous_price'], event?.data['current_price']],
      [true, null, 200],
    );
  });
});

onEveryStore(
  'a monitor expires after its arrival date, and resumes only with new dates and active: true',
  async (store) => {
    const stay = { check_in: '2026-11-23', check_out: '2026-11-25', cron: '@daily' };
    await withMonitor(
      stay,
      async ({ gate, rates, id }) => {
        const { ticks } = gate.queue;
        // In some time zone it is the 23rd until noon of the 24th in UTC.
        gate.clock.pass(2 * DAY_MS + 24 * HOUR_MS - 1);
        assert.equal(await ticks.expire(), 0);
        gate.clock.pass(1);
        assert.equal(await ticks.expire(), 1);
        assert.equal(await ticks.expire(), 0);
        const { active, inactive_reason: reason, next_run_at: next } = await rates.show(id);
        assert.deepEqual([active, reason, next], [false, 'expired', null]);
        assert.deepEqual(await pass(gate, 2 * DAY_MS), []);
        assert.equal((await rates.ask('update', { id, active: true })).code, 'invalid_request');
        const renamed = await rates.body('update', { id, name: 'Gone' });
        assert.deepEqual([renamed['active'], renamed['inactive_reason']], [false, 'expired']);
        const dates = { check_in: '2026-12-01', check_out: '2026-12-03' };
        assert.equal((await rates.body('update', { id, ...dates }))['active'], false);
        const back = await rates.body('update', { id, active: true });
        assert.deepEqual([back['active'], back['inactive_reason']], [true, null]);
        assert.notEqual(back['next_run_at'], null);
      },
      store,
    );
  },
);

test('a manual run waits for the active run, and continues beyond the inline limit', async () => {
  const hotels = openHotels();
  await withGate(hotels.options, async (gate) => {
    const rates = createSiteMonitorCalls(gate, 'hotel-a');
    const id = await rates.made({ ...HOUSE['hotel-a'], ...STAY });
    const first = (await rates.show(id)).current_run_id;
    const { answer } = await rates.trigger(id, { key: 'k' });
    assert.deepEqual([answer?.status, answer?.body['run_id'], answer?.body['status']], [200, first, 'completed']);
    const again = await rates.ask('trigger', { id }, { key: 'k' });
    assert.deepEqual([again.answer?.status, again.answer?.body], [200, answer?.body]);
    gate.clock.pass(1);
    const left = rates.ask('trigger', { id });
    for (let at = 0; at < 100; at += 1) {
      await new Promise(setImmediate);
      gate.clock.pass(gate.plan.inline_timeout_ms / 50);
    }
    const late = (await left).answer;
    assert.deepEqual([late?.status, late?.body['status']], [202, 'running']);
    assert.equal(late?.headers['location'], `/v1/monitors/${id}/runs/latest`);
    assert.deepEqual(await runAll(gate), ['ok']);
    assert.deepEqual(
      [(await rates.latestRun(id)).id, (await rates.latestRun(id)).status],
      [late?.body['run_id'], 'completed'],
    );
  });
});

test('the general trigger of a hotel monitor only queues its run', async () => {
  await withMonitor({}, async ({ gate, id }) => {
    const { answer } = await createMonitorCalls(gate).ask('trigger', { id });
    assert.deepEqual([answer?.status, answer?.body['status']], [202, 'queued']);
  });
});

test('a digest delays rate changes, and lists each of them', async () => {
  await withMonitor({ watch: { digest: { interval_minutes: 60 } } }, async ({ gate, rates, id, move }) => {
    move('hotel-b', { night: 110 });
    await rates.trigger(id);
    assert.deepEqual(await readEvents(gate), []);
    gate.clock.pass(2 * HOUR_MS);
    await gate.queue.digests.flush();
    const [event] = await readEvents(gate);
    assert.deepEqual([event?.type, event?.data['changes_count']], ['monitor.digest', 1]);
  });
});

test('the estimated cost uses the last run, or the price of the target for a new monitor', async () => {
  await withMonitor({ cron: '@daily' }, async ({ rates, id }) => {
    assert.equal((await rates.show(id)).estimated_credits_per_month, 450);
  });
});
