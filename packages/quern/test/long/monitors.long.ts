import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { bindWork } from '#engine/call/bound-operation.ts';
import { declareWork } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { withGate } from '../engine/gate.ts';
import { checkBooks } from '../support/engine/queue.ts';
import { createMonitorCalls, runAll } from '../support/engine/monitoring.ts';

const MONITORS = 1000;
const DAYS = 30;
const HOUR_MS = 3_600_000;
/** Percentages of visits that fail, and of pages with another price. */
const FAULTS = 3;
const MOVES = 10;
/** The service is down for five hours on the seventh and for two days on the twentieth day. */
const AWAY: readonly (readonly [number, number])[] = [
  [7 * 24, 5],
  [20 * 24, 48],
];

/** A reproducible generator of numbers from 0 to 1 (mulberry32). */
function openRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Work that returns the price of one product: other tests cover visits and parsers. */
function openMarket(random: () => number) {
  const prices = new Map<number, number>();
  const operation = declareWork({
    id: 'market.price',
    route: 'POST /v1/market/price',
    summary: 'The price of a thing',
    plan: 'free',
    price: { base: 2, cacheHit: 2, perTier: false },
    errors: ['target_unreachable'],
    input: z.strictObject({ thing: z.int() }),
    output: z.object({ price: z.number() }),
    example: { thing: 1 },
  });
  return bindWork(operation, {
    admit: () => ({ timeoutMs: 30_000, tiers: ['http'], cheapest: 2, maxCredits: null }),
    async run({ thing }) {
      if (random() * 100 < FAULTS) throw new ServiceError('target_unreachable', 'refused');
      const before = prices.get(thing) ?? 100;
      const price = random() * 100 < MOVES ? before + 1 : before;
      prices.set(thing, price);
      return { tier: 'http', body: { price } };
    },
  });
}

test('a month of 1,000 monitors with faults loses no change and reports none twice', async (t) => {
  const more = [openMarket(openRandom(11))];
  await withGate({ more, plan: 'unlimited', at: '2026-11-01T00:00:30Z' }, async (gate) => {
    const monitors = createMonitorCalls(gate);
    for (let n = 0; n < MONITORS; n += 1) {
      // Each once a day, at its own minute, in one of three time zones.
      const timezone = ['UTC', 'Europe/Berlin', 'Australia/Lord_Howe'][n % 3];
      await monitors.made({
        url: undefined,
        extract: undefined,
        target: { operation: 'market.price', input: { thing: n } },
        cron: `${n % 60} ${n % 24} * * *`,
        timezone,
      });
    }
    const [started, before] = [performance.now(), process.cpuUsage()];
    for (let hour = 0; hour < DAYS * 24; hour += 1) {
      const away = AWAY.find(([from]) => from === hour);
      gate.clock.pass(HOUR_MS * (away?.[1] ?? 1));
      if (away !== undefined) hour += away[1] - 1;
      while ((await gate.queue.ticks.tick()).due > 0);
      gate.clock.pass(60_000);
      await runAll(gate);
      gate.clock.pass(-60_000);
    }
    const [took, { user, system }] = [performance.now() - started, process.cpuUsage(before)];
    await checkBooks(gate);
    const count = async (sql: string): Promise<number> => Number((await gate.db.query(sql))[0]?.['n']);
    const runs = await count("select count(*) as n from monitor_runs where started_by <> 'create'");
    const twice = await count(`select count(*) as n from (select monitor_id, scheduled_for from monitor_runs
      where started_by <> 'create' group by monitor_id, scheduled_for having count(*) > 1) as twice`);
    const changed = await count('select count(*) as n from monitor_runs where changed = 1');
    const changes = await count('select count(*) as n from monitor_changes');
    t.diagnostic(
      `${runs} runs, ${changes} changes, ${Math.round(took)} ms, ${Math.round((user + system) / 1000)} ms of CPU`,
    );
    assert.deepEqual([twice, changed - changes], [0, 0]);
    assert.ok(runs > MONITORS * (DAYS - 4) && changes > MONITORS);
  });
});
