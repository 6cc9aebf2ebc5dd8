import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import type { Baseline } from '#features/monitors/compare/baseline.ts';
import { diff, type RunDifference } from '#features/monitors/compare/diff.ts';
import type { FieldMeta, RunObservation } from '#features/monitors/compare/observation.ts';
import type { FieldShape } from '#features/monitors/compare/shapes.ts';
import { advanceParity, type ChannelPrice, computeSpread } from '#features/monitors/compare/spread.ts';
import { isSingleThreshold, type Watch } from '#features/monitors/compare/watch.ts';
import { ChannelRates } from '#features/sites/hotels/rates-operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { HotelRate } from '#sites/framework/hotels/rate.ts';
import { Stay } from '#sites/framework/hotels/stay.ts';
import { type ComparedAnswer, buildPlainAnswer, type PresetRun } from './preset.ts';
import { type AnsweredChannel, type RatesView, buildPricePayload, buildRatesView, toStayParams } from './rates-view.ts';

const SiteRate = z.object({ provider: z.string(), rate: HotelRate });

/** The site whose events have a price payload; events of all others list the changes. */
const PRICE_PAYLOAD_PROVIDER = 'hotel-b';

/** Compares the cheapest rate of one property on one site. */
export function compareHotel(run: PresetRun, known: Baseline | null): ComparedAnswer {
  const { provider, rate } = SiteRate.parse(run.body);
  const { observation, difference, view, recorded } = compareRates(run, known, [{ provider, prefix: '', rate }]);
  const eventData = view !== null && provider === PRICE_PAYLOAD_PROVIDER ? buildPricePayload(view) : null;
  return { ...buildPlainAnswer(observation, difference), view, eventData, recorded };
}

/** Compares the cheapest rates of one stay on several sites, and the spread between them. */
export function compareHotelChannels(run: PresetRun, known: Baseline | null): ComparedAnswer {
  const { channels } = ChannelRates.parse(run.body);
  const answered = channels.flatMap(({ provider, rate }) =>
    rate === null ? [] : [{ provider, prefix: `${provider}.`, rate }],
  );
  const watch = { ...run.watch, thresholds: toPriceThresholds(run.watch.thresholds) };
  const { observation, difference, view, recorded } = compareRates({ ...run, watch }, known, answered);
  const prices = answered.flatMap(({ provider, rate: { price, currency } }): readonly ChannelPrice[] =>
    price === null ? [] : [{ provider, price, currency }],
  );
  const spread = computeSpread(prices);
  const isWhole = answered.length === channels.length;
  const { parity, alert } = compareSpread(run, known, { prices, spread, isWhole });
  const bases = new Set(answered.flatMap(({ rate }) => (rate.price === null ? [] : [rate.price_basis])));
  return {
    ...buildPlainAnswer(observation, {
      ...difference,
      baseline: { ...difference.baseline, ...(parity === undefined ? {} : { parity }) },
      warnings:
        bases.size < 2
          ? difference.warnings
          : [...difference.warnings, `the prices are not comparable, they include: ${[...bases].join(', ')}`],
    }),
    status: isWhole ? 'completed' : 'partial',
    facts: { channels, ...(typeof spread === 'string' ? { spread: null, reason: spread } : { spread }) },
    view,
    recorded,
    alert,
  };
}

type RunSpread = {
  readonly prices: readonly ChannelPrice[];
  readonly spread: ReturnType<typeof computeSpread>;
  /** Whether every channel answered. */
  readonly isWhole: boolean;
};

/**
 * Computes the parity state after a run, and its alert. A run without all channels, or without comparable prices, does
 * not change the state.
 */
function compareSpread(
  { watch: { parity_threshold: threshold }, input }: PresetRun,
  known: Baseline | null,
  { prices, spread, isWhole }: RunSpread,
): { readonly parity: Baseline['parity']; readonly alert: JsonObject | null } {
  if (threshold === undefined) return { parity: undefined, alert: null };
  const before = known?.parity;
  if (!isWhole || typeof spread === 'string') return { parity: before, alert: null };
  const { next, isAlert } = advanceParity(before, spread, threshold);
  if (!isAlert) return { parity: next, alert: null };
  const { abs, pct, cheapest, dearest, currency } = spread;
  return {
    parity: next,
    alert: {
      provider_low: cheapest,
      provider_high: dearest,
      spread: { abs, pct },
      threshold,
      previous_spread: before?.spread ?? null,
      prices: prices.filter((one) => one.currency === currency),
      params: toStayParams(Stay.parse(input), currency),
    },
  };
}

/** Converts thresholds by site to thresholds of the price fields. */
function toPriceThresholds(thresholds: Watch['thresholds']): Watch['thresholds'] {
  if (thresholds === undefined || isSingleThreshold(thresholds)) return thresholds;
  return Object.fromEntries(Object.entries(thresholds).map(([provider, one]) => [`${provider}.price`, one]));
}

type ComparedRates = {
  readonly observation: RunObservation;
  readonly difference: RunDifference;
  readonly view: RatesView | null;
  readonly recorded: JsonObject | null;
};

/**
 * Compares the rates of the channels that answered, and leaves the baselines of the others unchanged. A room that sells
 * out or becomes available again is reported as one change of the availability with the price, at once and regardless of thresholds.
 */
function compareRates(
  { input, watch, runId }: PresetRun,
  known: Baseline | null,
  channels: readonly AnsweredChannel[],
): ComparedRates {
  for (const { rate } of channels) assertPrice(rate);
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
    view: change === null ? null : buildRatesView({ changes: change.changes, channels, known, stay }),
    recorded: findSharedCurrency(stay, channels),
  };
}

/** Throws for a rate that is available but has no price. */
function assertPrice({ available, price, hotel_name: name }: HotelRate): void {
  if (!available || price !== null) return;
  throw new ServiceError('unusable_response', `${name}: an available room has no price`);
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

/**
 * Finds the currency that all channels used, which later runs request. Null if the caller specified one, or they
 * differ.
 */
function findSharedCurrency({ currency }: Stay, channels: readonly AnsweredChannel[]): JsonObject | null {
  if (currency !== undefined) return null;
  const seen = new Set(channels.flatMap(({ rate }) => (rate.price === null ? [] : [rate.currency])));
  const [only] = seen;
  return seen.size === 1 && typeof only === 'string' ? { currency: only } : null;
}
