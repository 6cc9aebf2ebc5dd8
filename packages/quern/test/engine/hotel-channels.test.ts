import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEveryStore } from '../support/store.ts';
import {
  CHANNELS,
  readEvents,
  HOTEL_SITES,
  openHotels,
  STAY,
  createSiteMonitorCalls,
} from '../support/engine/hotels.ts';
import { createMonitorCalls, runAll } from '../support/engine/monitoring.ts';
import { checkBooks } from '../support/engine/queue.ts';
import { type Gate, withGate } from './gate.ts';

const WEBHOOK = 'https://hooks.example/rates';
const PARITY = { parity_threshold: { pct: 5 } };

type Scene = ReturnType<typeof openHotels> & {
  readonly gate: Gate;
  readonly rates: ReturnType<typeof createSiteMonitorCalls>;
  readonly id: string;
  /** Runs it manually and returns the result. */
  readonly run: () => Promise<Readonly<Record<string, unknown>>>;
  /** The types of the events so far. */
  readonly types: () => Promise<readonly string[]>;
};

/** A monitor of the house on both sites after its first run. */
async function withChannels(
  { site = 'hotel-b', store, before = () => {}, ...body }: SceneBody,
  work: (scene: Scene) => Promise<void>,
) {
  const hotels = openHotels();
  before(hotels);
  await withGate({ ...hotels.options, ...(store === undefined ? {} : { store }) }, async (gate) => {
    const rates = createSiteMonitorCalls(gate, site);
    const id = await rates.made({ channels: CHANNELS, ...STAY, webhook: WEBHOOK, ...body });
    await runAll(gate);
    const run = async () => {
      gate.clock.pass(11_000);
      const { answer, error } = await rates.trigger(id);
      if (answer === null) throw error ?? new Error('no answer');
      return answer.body;
    };
    const types = async () => (await readEvents(gate)).map(({ type }) => type);
    await work({ ...hotels, gate, rates, id, run, types });
  });
}

type SceneBody = {
  readonly site?: string;
  readonly store?: 'sqlite' | 'postgres';
  readonly before?: (hotels: ReturnType<typeof openHotels>) => void;
  readonly watch?: object;
  readonly currency?: string;
};

for (const site of HOTEL_SITES)
  onEveryStore(
    `a channels monitor under ${site} reports the change of each channel, followed by an alert`,
    async (store) => {
      const watch = { thresholds: { 'hotel-a': { pct: 5 }, 'hotel-b': { abs: 50 } }, ...PARITY };
      await withChannels({ site, store, watch }, async ({ gate, rates, id, move, run, types }) => {
        const shown = await createSiteMonitorCalls(gate, site === 'hotel-a' ? 'hotel-b' : 'hotel-a').show(id);
        assert.deepEqual([shown.kind, shown.provider, shown.channels], ['hotel_channels', undefined, CHANNELS]);
        assert.equal(shown.estimated_credits_per_month, 720 * 30);
        const first = await rates.latestRun(id);
        assert.deepEqual([first.status, first.usage?.credits, first.spread?.abs], ['completed', 30, 0]);
        assert.equal((await rates.show(id)).currency, 'EUR');

        move('hotel-a', { night: 110 });
        move('hotel-b', { night: 101 });
        const body = await run();
        assert.deepEqual([body['status'], body['changed']], ['completed', true]);
        assert.deepEqual(body['values'], {
          'hotel-b.price': 202,
          'hotel-b.available': true,
          'hotel-a.price': 220,
          'hotel-a.available': true,
        });
        const spread = { abs: 18, pct: 8.9109 };
        assert.deepEqual(body['spread'], {
          min: 202,
          max: 220,
          ...spread,
          cheapest: 'hotel-b',
          dearest: 'hotel-a',
          currency: 'EUR',
          channels: [
            { provider: 'hotel-b', price: 202, delta_abs: 0, delta_pct: 0 },
            { provider: 'hotel-a', price: 220, delta_abs: 18, delta_pct: 8.9109 },
          ],
        });
        assert.deepEqual(await types(), ['monitor.change_detected', 'monitor.rate_parity_alert']);
        const [change, alert] = await readEvents(gate);
        assert.deepEqual(change?.data, {
          changes: [
            {
              field: 'hotel-a.price',
              previous_value: 200,
              new_value: 220,
              op: 'modified',
              diff: { abs: 20, pct: 10 },
              currency: 'EUR',
            },
          ],
        });
        const { check_in, check_out } = STAY;
        assert.deepEqual(alert?.data, {
          provider_low: 'hotel-b',
          provider_high: 'hotel-a',
          spread,
          threshold: { pct: 5 },
          previous_spread: { abs: 0, pct: 0 },
          prices: [
            { provider: 'hotel-b', price: 202, currency: 'EUR' },
            { provider: 'hotel-a', price: 220, currency: 'EUR' },
          ],
          params: { check_in, check_out, nights: 2, adults: 2, children: [], rooms: 1, currency: 'EUR' },
        });
        assert.notEqual(change['id'], alert['id']);
        const rows = await createMonitorCalls(gate).changes(id);
        assert.deepEqual(
          rows.map(({ kind }) => kind),
          ['parity', 'fields'],
        );
        assert.deepEqual(
          rows.map((row) => row.id),
          [alert['change_id'], change['change_id']],
        );
        assert.deepEqual(rows[0]?.alert, alert.data);
        const changes = await rates.rateChanges(id);
        assert.deepEqual(
          changes.map((one) => [one.channel, one.previous_price, one.current_price]),
          [['hotel-a', 200, 220]],
        );
        assert.deepEqual(await gate.spent(), [60, 0]);
        await checkBooks(gate);
      });
    },
  );

test('channels that change together are one change with an entry each', async () => {
  await withChannels({}, async ({ rates, id, move, run, types }) => {
    move('hotel-a', { night: 90 });
    move('hotel-b', { available: false });
    await run();
    assert.deepEqual(await types(), ['monitor.change_detected']);
    const changes = await rates.rateChanges(id);
    assert.equal(new Set(changes.map((one) => one.id)).size, 1);
    assert.deepEqual(
      changes.map((one) => [one.kind, one.channel, one.previous_price, one.current_price, one.available_after]),
      [
        ['availability', 'hotel-b', 200, null, false],
        ['availability', 'hotel-a', 200, 180, true],
      ],
    );
    assert.equal((await rates.body('changes.latest', { id }))['channel'], 'hotel-b');
  });
});

test('an alert is sent when the spread exceeds the threshold, and again only after it was within', async () => {
  await withChannels(
    { watch: { ...PARITY, thresholds: { 'hotel-a': { abs: 1e6 }, 'hotel-b': { abs: 1e6 } } } },
    async ({ gate, move, run }) => {
      const alerts = async () => (await readEvents(gate)).length;
      for (const [night, count] of [
        [104, 0],
        [105, 1],
        [120, 1],
        [104.9, 1],
        [106, 2],
        [90, 3],
        [89, 3],
        [100, 3],
      ] as const) {
        move('hotel-a', { night });
        await run();
        assert.equal(await alerts(), count, `hotel-a at ${night}`);
      }
      const cheapest = (await readEvents(gate)).map(({ data }) => data['provider_low']);
      assert.deepEqual(cheapest, ['hotel-b', 'hotel-b', 'hotel-a']);
    },
  );
});

test('a first run above the threshold is an alert', async () => {
  await withChannels(
    { watch: PARITY, before: ({ move }) => move('hotel-a', { night: 130 }) },
    async ({ gate, types }) => {
      assert.deepEqual(await types(), ['monitor.rate_parity_alert']);
      assert.equal((await readEvents(gate))[0]?.data['previous_spread'], null);
    },
  );
});

test('a partial run is charged for the channels that answered, compares those, and leaves the parity state', async () => {
  await withChannels({ watch: PARITY }, async ({ gate, rates, id, move, run, types }) => {
    move('hotel-a', { night: 130 });
    await run();
    const told = await types();
    assert.equal(told.filter((type) => type === 'monitor.rate_parity_alert').length, 1);
    move('hotel-b', { up: false });
    move('hotel-a', { night: 131 });
    const partial = await run();
    assert.deepEqual(
      [partial['status'], partial['spread'], partial['reason']],
      ['partial', null, 'insufficient_channels'],
    );
    assert.match(
      JSON.stringify(partial['channels']),
      /"provider":"hotel-b"[^}]*"rate":null,"error":\{"code":"target_blocked"/,
    );
    assert.equal((await rates.latestRun(id)).usage?.credits, 15);
    assert.deepEqual((await rates.rateChanges(id))[0]?.current_price, 262);
    move('hotel-b', { up: true });
    await run();
    assert.equal((await types()).filter((type) => type === 'monitor.rate_parity_alert').length, 1);
    assert.deepEqual(await gate.spent(), [30 + 30 + 15 + 30, 0]);
    await checkBooks(gate);
  });
});

test('a channel that first answers in a later run is not a change', async () => {
  await withChannels(
    { before: ({ move }) => move('hotel-a', { up: false }) },
    async ({ rates, id, move, run, types }) => {
      assert.equal((await rates.latestRun(id)).status, 'partial');
      move('hotel-a', { up: true });
      assert.equal((await run())['status'], 'completed');
      assert.deepEqual(await types(), []);
    },
  );
});

test('a run without any answering channel fails, is free, and reports the error of each', async () => {
  await withChannels({ watch: PARITY }, async ({ gate, move, run }) => {
    move('hotel-a', { up: false });
    move('hotel-b', { up: false });
    const failed = await run();
    assert.equal(failed['status'], 'failed');
    assert.match(JSON.stringify(failed['error']), /hotel-b: [^]*hotel-a: /);
    assert.deepEqual(await gate.spent(), [30, 0]);
  });
});

test('prices in several currencies have no spread and are never an alert', async () => {
  await withChannels(
    { watch: PARITY, before: ({ move }) => move('hotel-a', { currency: 'USD', night: 500 }) },
    async ({ rates, id, types }) => {
      const run = await rates.latestRun(id);
      assert.deepEqual([run.status, run.spread, run.reason], ['completed', null, 'currency_mismatch']);
      assert.deepEqual([await types(), (await rates.show(id)).currency], [[], undefined]);
    },
  );
});

test('a room that is sold out on one channel leaves nothing to compare', async () => {
  await withChannels({ watch: PARITY }, async ({ move, run, types }) => {
    move('hotel-a', { available: false });
    const body = await run();
    assert.deepEqual([body['status'], body['spread'], body['reason']], ['completed', null, 'insufficient_channels']);
    assert.deepEqual(await types(), ['monitor.change_detected']);
  });
});

test('new dates reset the parity state', async () => {
  await withChannels(
    { watch: PARITY, before: ({ move }) => move('hotel-a', { night: 130 }) },
    async ({ rates, id, run, types }) => {
      await run();
      assert.equal((await types()).length, 1);
      await rates.body('update', { id, check_out: '2027-03-04' });
      assert.equal((await run())['baseline_reset'], true);
      assert.deepEqual(await types(), ['monitor.rate_parity_alert', 'monitor.rate_parity_alert']);
    },
  );
});
