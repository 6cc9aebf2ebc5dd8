import { z } from 'zod';
import type { Baseline } from '#features/monitors/compare/baseline.ts';
import { advanceParity, type ChannelPrice, spreadOf } from '#features/monitors/compare/spread.ts';
import { isBare, type Watch } from '#features/monitors/compare/watch.ts';
import { ChannelRates } from '#features/sites/hotels/channel-rates.ts';
import { HotelRate } from '#sites/framework/hotels/rate.ts';
import { Stay } from '#sites/framework/hotels/stay.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type ComparedAnswer, plainAnswer, type PresetRun } from './preset.ts';
import { compareRates } from './rates.ts';
import { toPricePayload, toStayParams } from './rates-view.ts';

const SiteRate = z.object({ provider: z.string(), rate: HotelRate });

/** The site whose events are shaped by the price; those of all others list what changed. */
const SHAPED_BY_PRICE = 'hotel-b';

/** Watches the cheapest rate of one property on one site. */
export function compareHotel(run: PresetRun, known: Baseline | null): ComparedAnswer {
  const { provider, rate } = SiteRate.parse(run.body);
  const { observation, difference, view, recorded } = compareRates(run, known, [{ provider, prefix: '', rate }]);
  const eventData = view !== null && provider === SHAPED_BY_PRICE ? toPricePayload(view) : null;
  return { ...plainAnswer(observation, difference), view, eventData, recorded };
}

/** Watches the cheapest rates of one stay on several sites, and the spread between them. */
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
  const spread = spreadOf(prices);
  const isWhole = answered.length === channels.length;
  const { parity, alert } = compareSpread(run, known, { prices, spread, isWhole });
  const bases = new Set(answered.flatMap(({ rate }) => (rate.price === null ? [] : [rate.price_basis])));
  return {
    ...plainAnswer(observation, {
      ...difference,
      baseline: { ...difference.baseline, ...(parity === undefined ? {} : { parity }) },
      warnings:
        bases.size < 2
          ? difference.warnings
          : [...difference.warnings, `the prices include different things: ${[...bases].join(', ')}`],
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
  readonly spread: ReturnType<typeof spreadOf>;
  /** Whether every channel answered. */
  readonly isWhole: boolean;
};

/** The state of the spread after a run, and its alert. A run that lacks a channel or a comparable price moves nothing. */
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

/** Thresholds by site, as thresholds of the prices there. */
function toPriceThresholds(thresholds: Watch['thresholds']): Watch['thresholds'] {
  if (thresholds === undefined || isBare(thresholds)) return thresholds;
  return Object.fromEntries(Object.entries(thresholds).map(([provider, one]) => [`${provider}.price`, one]));
}
