import type { Baseline } from '#features/monitors/compare/baseline.ts';
import { diff, type RunDifference } from '#features/monitors/compare/diff.ts';
import type { FieldMeta, RunObservation } from '#features/monitors/compare/observation.ts';
import type { FieldShape } from '#features/monitors/compare/shapes.ts';
import type { HotelRate } from '#sites/framework/hotels/rate.ts';
import { Stay } from '#sites/framework/hotels/stay.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type AnsweredChannel, type RatesView, toRatesView } from './rates-view.ts';
import type { PresetRun } from './preset.ts';

export type ComparedRates = {
  readonly observation: RunObservation;
  readonly difference: RunDifference;
  readonly view: RatesView | null;
  readonly recorded: JsonObject | null;
};

/**
 * Compares the rates of the channels that answered; what was known of others stays. A room that sells out, or is there again,
 * is one change of the availability with the price in it, at once and whatever the thresholds.
 */
export function compareRates(
  { input, watch, runId }: PresetRun,
  known: Baseline | null,
  channels: readonly AnsweredChannel[],
): ComparedRates {
  for (const { rate } of channels) demandPrice(rate);
  const observation = observeRates(channels);
  const shapes = new Map(
    channels.flatMap(({ prefix }): readonly (readonly [string, FieldShape])[] => [
      [`${prefix}price`, { kind: 'money' }],
      [`${prefix}available`, { kind: 'boolean' }],
    ]),
  );
  const { change, baseline, ...rest } = diff(known, observation, {
    watch: { ...watch, null_policy: 'change' },
    shapes,
    runId,
  });
  const isOfRooms = change?.kind === 'fields' && change.changes.some(({ field }) => /(?:^|\.)available$/.test(field));
  const stay = Stay.parse(input);
  return {
    observation,
    difference: {
      ...rest,
      change: change === null ? null : { ...change, kind: isOfRooms ? 'availability' : change.kind },
      baseline: { ...baseline, fields: { ...known?.fields, ...baseline.fields } },
    },
    view: change === null ? null : toRatesView({ changes: change.changes, channels, known, stay }),
    recorded: recordedCurrency(stay, channels),
  };
}

/** A rate that is neither sold out nor has a price says nothing. */
function demandPrice({ available, price, hotel_name: name }: HotelRate): void {
  if (!available || price !== null) return;
  throw new ServiceError('unusable_response', `${name}: a room without a price, and no reason for it`);
}

function observeRates(channels: readonly AnsweredChannel[]): RunObservation {
  const fields = channels.flatMap(({ prefix, rate }): readonly (readonly [string, unknown, FieldMeta])[] => [
    [
      `${prefix}price`,
      rate.available ? rate.price : null,
      {
        source: 'record',
        currency: rate.currency,
        ...(rate.available ? { basis: rate.price_basis } : { missing: true }),
      },
    ],
    [`${prefix}available`, rate.available, { source: 'record' }],
  ]);
  return {
    values: Object.fromEntries(fields.map(([name, value]) => [name, value])),
    field_meta: Object.fromEntries(fields.map(([name, , meta]) => [name, meta])),
    content: null,
  };
}

/** The currency that all channels answered with, for later runs to ask for, where the caller named none. */
function recordedCurrency({ currency }: Stay, channels: readonly AnsweredChannel[]): JsonObject | null {
  if (currency !== undefined) return null;
  const seen = new Set(channels.flatMap(({ rate }) => (rate.price === null ? [] : [rate.currency])));
  const [only] = seen;
  return seen.size === 1 && typeof only === 'string' ? { currency: only } : null;
}
