import assert from 'node:assert/strict';
import { test } from 'node:test';
import { z } from 'zod';
import { Baseline } from '#features/monitors/compare/baseline.ts';
import { StoredWatch } from '#features/monitors/compare/watch.ts';
import { getPreset } from '#features/monitors/presets/presets.ts';
import { hotelRates } from '#features/sites/hotels/rates-operation.ts';

const DAYS = 180;
const PROPERTIES = 50;
const PCT = 6;
const SITES = ['hotel-a', 'hotel-b'] as const;
const STAY = { check_in: '2027-06-01', check_out: '2027-06-04', adults: 2, children: [], rooms: 1 };

/** The response of a site on one day: a price in cents, null for a sold-out house, undefined for a failure. */
type Day = Readonly<Record<(typeof SITES)[number], number | null | undefined>>;

/** A generator of the same numbers from 0 to 1 each time. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

/** The prices of a property over a season: two channels that drift, sell out and fail. */
function buildSeason(property: number): readonly Day[] {
  const next = numbersFrom(property + 1);
  const walk = { 'hotel-a': 20_000, 'hotel-b': 20_000 };
  const at = (site: (typeof SITES)[number]) => {
    walk[site] = Math.max(5000, Math.round(walk[site] + (next() - 0.5) * 1500));
    if (next() < 0.08) return undefined;
    return next() < 0.05 ? null : walk[site];
  };
  return Array.from({ length: DAYS }, () => ({ 'hotel-a': at('hotel-a'), 'hotel-b': at('hotel-b') }));
}

/** The expected alerts of a season, computed from the rule alone: the day, and the cheapest channel. */
function expectedAlerts(days: readonly Day[]): readonly string[] {
  const alerts: string[] = [];
  let apart: string | null = null;
  for (const [day, { 'hotel-a': a, 'hotel-b': b }] of days.entries()) {
    if (typeof a !== 'number' || typeof b !== 'number') continue;
    const cheapest: string = a < b ? 'hotel-a' : 'hotel-b';
    const isOutside = Math.abs(a - b) * 100 >= PCT * Math.min(a, b) && a !== b;
    if (isOutside && apart !== cheapest) alerts.push(`${day} ${cheapest}`);
    apart = isOutside ? cheapest : null;
  }
  return alerts;
}

function toRate(cents: number | null) {
  const nothing = { taxes_and_fees: null, original_price: null, room_id: null, offer_id: null, board: null };
  const unknown = { cancellation: null, max_occupancy: null, rooms_left: null, offers_count: null, min_stay: null };
  return {
    ...nothing,
    ...unknown,
    hotel_name: 'Weir House',
    check_in: STAY.check_in,
    check_out: STAY.check_out,
    nights: 3,
    adults: 2,
    children_ages: [],
    rooms: 1,
    available: cents !== null,
    price: cents === null ? null : cents / 100,
    price_per_night: null,
    currency: cents === null ? null : 'EUR',
    price_basis: 'unknown',
    room_name: null,
    source: 'page',
  };
}

const Alert = z.object({ provider_low: z.string() });

/** The alerts of the monitor over the same season. A day without any response is a failed run without a comparison. */
function listAlerts(days: readonly Day[]): readonly string[] {
  const watch = StoredWatch.parse({ parity_threshold: { pct: PCT } });
  const input = { ...STAY, channels: SITES.map((provider) => ({ provider, property_id: 'x' })) };
  const alerts: string[] = [];
  let known: Baseline | null = null;
  for (const [day, prices] of days.entries()) {
    const channels = SITES.map((provider) => {
      const cents = prices[provider];
      const end =
        cents === undefined
          ? { rate: null, error: { code: 'timeout', message: '' } }
          : { rate: toRate(cents), error: null };
      return { provider, property_id: 'x', ...end };
    });
    if (channels.every(({ rate }) => rate === null)) continue;
    const run = { operation: hotelRates, input, body: { channels }, watch, runId: `run_${day}` };
    const { alert, difference } = getPreset('hotel_channels').compare(run, known);
    if (alert !== null) alerts.push(`${day} ${Alert.parse(alert).provider_low}`);
    known = Baseline.parse(JSON.parse(JSON.stringify(difference.baseline)));
  }
  return alerts;
}

test('a simulated season of fifty properties on two sites gives exactly the expected alerts', () => {
  let alerts = 0;
  for (let property = 0; property < PROPERTIES; property += 1) {
    const days = buildSeason(property);
    const came = listAlerts(days);
    assert.deepEqual(came, expectedAlerts(days), `property ${property}`);
    alerts += came.length;
  }
  assert.ok(alerts > PROPERTIES, `${alerts} alerts`);
});
