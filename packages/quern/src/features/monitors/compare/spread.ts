import { z } from 'zod';
import type { ParityState } from './baseline.ts';
import { reachesThreshold, type Threshold, computeMove } from './decimals.ts';
import { nameSchema } from '#extract/schema/names.ts';

/** The spread of the prices of several channels in one currency. */
export const Spread = nameSchema(
  'Spread',
  z.object({
    min: z.number(),
    max: z.number(),
    abs: z.number(),
    pct: z.number().nullable(),
    cheapest: z.string(),
    dearest: z.string(),
    currency: z.string().nullable(),
    channels: z.array(
      z.object({
        provider: z.string(),
        price: z.number(),
        delta_abs: z.number().describe('Difference to the cheapest'),
        delta_pct: z.number().nullable(),
      }),
    ),
  }),
);

/** Why the prices of channels have no spread. */
export const NO_SPREAD_REASONS = ['insufficient_channels', 'currency_mismatch'] as const;

export type Spread = z.output<typeof Spread>;

export type ChannelPrice = { readonly provider: string; readonly price: number; readonly currency: string | null };

/**
 * Computes the spread of the prices, or returns why there is none. If there are several currencies, the one with the
 * most channels counts.
 */
export function computeSpread(prices: readonly ChannelPrice[]): Spread | (typeof NO_SPREAD_REASONS)[number] {
  if (prices.length < 2) return 'insufficient_channels';
  const groups = [...Map.groupBy(prices, ({ currency }) => currency).values()];
  const [comparable = []] = groups.toSorted((one, other) => other.length - one.length);
  if (comparable.length < 2) return 'currency_mismatch';
  const sorted = comparable.toSorted((one, other) => one.price - other.price);
  const [cheapest, dearest] = [sorted[0], sorted.at(-1)];
  if (cheapest === undefined || dearest === undefined) return 'insufficient_channels';
  return {
    min: cheapest.price,
    max: dearest.price,
    ...computeMove(cheapest.price, dearest.price),
    cheapest: cheapest.provider,
    dearest: dearest.provider,
    currency: cheapest.currency,
    channels: comparable.map(({ provider, price }) => {
      const { abs, pct } = computeMove(cheapest.price, price);
      return { provider, price, delta_abs: abs, delta_pct: pct };
    }),
  };
}

/**
 * Advances the parity state after a run in which all channels answered. An alert is due if the spread has exceeded the
 * threshold, exceeds it in the first run, or exceeds it with another cheapest channel.
 */
export function advanceParity(
  known: ParityState | undefined,
  { min, max, abs, pct, cheapest }: Spread,
  threshold: Threshold,
): { readonly next: ParityState; readonly isAlert: boolean } {
  const isOutside = reachesThreshold(min, max, threshold);
  const next: ParityState = { is: isOutside ? 'outside' : 'inside', cheapest, spread: { abs, pct } };
  return { next, isAlert: isOutside && (known?.is !== 'outside' || known.cheapest !== cheapest) };
}
