import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { findNumbers, groupPoints } from '#features/monitors/store/series-reader.ts';
import { insertMany } from '../support/engine/many-rows.ts';
import { createMonitorCalls } from '../support/engine/monitoring.ts';
import { getOperation } from '../support/engine/queue.ts';
import { onEveryStore } from '../support/store.ts';
import { withGate } from './gate.ts';

const Series = z.looseObject({
  fields: z.array(
    z.looseObject({
      field: z.string(),
      unit: z.string().nullable(),
      points: z.array(z.looseObject({ value: z.number(), min: z.number(), max: z.number() })),
    }),
  ),
  marks: z.array(z.looseObject({ kind: z.string() })),
  cut: z.boolean(),
});

/** Quotes a text for SQL. */
function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}

function formatSnapshot(values: object): string {
  return JSON.stringify({ values, baseline_reset: false });
}

test('numbers are charted by path, and money by its amount', () => {
  const odd = { text: '4', nan: Number.NaN, none: null, deep: { a: { b: { c: { d: 1 } } } } };
  assert.deepEqual(findNumbers({ n: 4, price: { amount: 4.9, currency: 'EUR' }, offers: [{ price: 1 }], ...odd }), [
    { field: 'n', value: 4, unit: null },
    { field: 'price', value: 4.9, unit: 'EUR' },
    { field: 'offers.0.price', value: 1, unit: null },
  ]);
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`n${at}`, at]));
  assert.equal(findNumbers(many).length, 20);
});

test('many numbers are aggregated into a few points with last value and extremes', () => {
  const seen = Array.from({ length: 10 }, (_, at) => ({ at, value: at % 3 }));
  assert.deepEqual(groupPoints(seen, 4), [
    { at: 2, value: 2, min: 0, max: 2 },
    { at: 5, value: 2, min: 0, max: 2 },
    { at: 8, value: 2, min: 0, max: 2 },
    { at: 9, value: 0, min: 0, max: 0 },
  ]);
  assert.deepEqual(groupPoints([], 4), []);
  assert.equal(groupPoints(seen, 300).length, 10);
});

onEveryStore('the series of a monitor has its numbers, changes and gaps, oldest first', async (store) => {
  await withGate({ store }, async (gate) => {
    const { db } = gate;
    const id = await createMonitorCalls(gate).made({ cron: null });
    await db.query('delete from monitor_runs', []);
    const now = gate.clock.now();
    const run = {
      monitor_id: text(id),
      tenant_id: text(gate.tenant),
      started_by: "'schedule'",
      watch: "'{}'",
      monitor_version: '1',
      target_version: '1',
    };
    for (const [at, status, changed, price] of [
      [1, 'completed', 0, 5],
      [2, 'failed', 0, null],
      [3, 'completed', 1, 4],
    ] as const) {
      await insertMany(db, 1, {
        monitor_runs: {
          ...run,
          id: `'run_${at}'`,
          status: text(status),
          changed: String(changed),
          scheduled_for: String(now - 10_000 + at),
          queued_at: String(now - 10_000 + at),
          snapshot:
            price === null
              ? 'null'
              : text(formatSnapshot({ price: { amount: price, currency: 'EUR' }, left: 7, name: 'x' })),
        },
      });
    }
    const ask = async (more: object = {}) => {
      const { answer, error } = await gate.ask(getOperation('monitors.series'), { id, ...more });
      assert.equal(error, null);
      return Series.parse(answer?.body);
    };
    const { fields, marks, cut } = await ask();
    assert.deepEqual(
      fields.map(({ field, unit, points }) => [field, unit, points.map(({ value }) => value)]),
      [
        ['price', 'EUR', [5, 4]],
        ['left', null, [7, 7]],
      ],
    );
    assert.deepEqual([marks.map(({ kind }) => kind), cut], [['failed', 'change'], false]);
    const one = await ask({ field: 'price', points: 1 });
    assert.deepEqual(
      one.fields.map(({ points }) => points.map(({ value, min, max }) => [value, min, max])),
      [[[4, 4, 5]]],
    );
    const early = new Date(now - 9_999).toISOString();
    assert.deepEqual(
      (await ask({ to: early })).fields.map(({ points }) => points.length),
      [1, 1],
    );
    assert.equal((await gate.ask(getOperation('monitors.series'), { id: 'mon_none' })).code, 'not_found');
    const reversed = { id, from: new Date(now).toISOString(), to: early };
    assert.equal((await gate.ask(getOperation('monitors.series'), reversed)).code, 'invalid_request');
  });
});

test('a schedule preview uses its time zone across clock changes, and checks the limits of the plan', async () => {
  await withGate({ at: '2026-10-23T12:00:00Z' }, async (gate) => {
    const { answer } = await gate.ask(getOperation('schedule'), {
      cron: '30 2 * * *',
      timezone: 'Europe/Berlin',
      count: 3,
    });
    assert.deepEqual(answer?.body['local'], ['2026-10-24 02:30', '2026-10-25 02:30', '2026-10-26 02:30']);
    assert.deepEqual(answer?.body['next'], [
      '2026-10-24T00:30:00.000Z',
      '2026-10-25T00:30:00.000Z',
      '2026-10-26T01:30:00.000Z',
    ]);
    assert.deepEqual([answer?.body['allowed'], answer?.body['shortest_gap_minutes']], [true, 1440]);
    const faults: readonly (readonly [object, RegExp])[] = [
      [{ cron: '* * * * * *' }, /^cron: /],
      [{ cron: '0 0 31 2 *' }, /^cron: /],
      [{ cron: '0 9 * * *', timezone: 'Mars/Base' }, /^timezone: /],
      [{ cron: '0 9 * * *', timezone: '../../etc/localtime' }, /^timezone: /],
    ];
    for (const [input, message] of faults) {
      const refused = await gate.ask(getOperation('schedule'), input);
      assert.equal(refused.code, 'invalid_request');
      assert.match(refused.error?.message ?? '', message);
    }
  });
});
