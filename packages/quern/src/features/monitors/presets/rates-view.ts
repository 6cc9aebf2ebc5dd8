import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import type { Baseline } from '#features/monitors/compare/baseline.ts';
import type { ChangeEntry } from '#features/monitors/compare/change-entries.ts';
import { computeMove } from '#features/monitors/compare/decimals.ts';
import { HotelRate } from '#sites/framework/hotels/rate.ts';
import { countNights, type Stay } from '#sites/framework/hotels/stay.ts';
import { nameSchema } from '#extract/schema/names.ts';

/** The rate of one channel. Its watched fields start with `prefix`. */
export type AnsweredChannel = {
  readonly provider: string;
  readonly prefix: string;
  readonly rate: HotelRate;
};

/** The stay that a rate was requested for. */
export const StayParams = nameSchema(
  'StayParams',
  z.object({
    check_in: z.iso.date(),
    check_out: z.iso.date(),
    nights: z.int(),
    adults: z.int(),
    children: z.union([z.array(z.int()), z.int()]),
    rooms: z.int(),
    currency: z.string().nullable(),
  }),
);

/** How a price moved. */
export const PriceMove = nameSchema(
  'PriceMove',
  z.object({ abs: z.number(), pct: z.number().nullable(), direction: z.enum(['up', 'down']) }),
);

/** The change of one channel, in the same form for every site. */
export const ChannelChange = z.object({
  provider: z.string(),
  channel: z.string(),
  previous_price: z.number().nullable(),
  current_price: z.number().nullable(),
  diff: PriceMove.nullable().describe('Null if one of the prices is'),
  currency: z.string().nullable(),
  available_before: z.boolean().nullable(),
  available_after: z.boolean(),
  room_name: z.string().optional(),
  rate_plan: HotelRate.pick({ board: true, cancellation: true }).optional(),
});

/** Data stored with a change of rates: the channels that changed, and the stay at that time. */
export const RatesView = z.object({ channels: z.array(ChannelChange), params: StayParams });

export type RatesView = z.output<typeof RatesView>;

type RatesViewInput = {
  readonly changes: readonly ChangeEntry[];
  readonly channels: readonly AnsweredChannel[];
  readonly known: Baseline | null;
  readonly stay: Stay;
};

/** Builds the view of the channels that changed. */
export function buildRatesView({ changes, channels, known, stay }: RatesViewInput): RatesView {
  const changed = channels.filter(({ prefix }) =>
    changes.some(({ field }) => field === `${prefix}price` || field === `${prefix}available`),
  );
  return {
    channels: changed.map((channel) => buildChannelChange(channel, changes, known)),
    params: toStayParams(stay, changed[0]?.rate.currency ?? null),
  };
}

function buildChannelChange(
  { provider, prefix, rate }: AnsweredChannel,
  changes: readonly ChangeEntry[],
  known: Baseline | null,
): z.output<typeof ChannelChange> {
  const entry = changes.find(({ field }) => field === `${prefix}price`);
  const before = known?.fields[`${prefix}available`]?.held.value;
  const previousPrice = entry === undefined ? known?.fields[`${prefix}price`]?.held.value : entry.previous_value;
  const previous = typeof previousPrice === 'number' ? previousPrice : null;
  return {
    provider,
    channel: provider,
    previous_price: previous,
    current_price: rate.price,
    diff: previous === null || rate.price === null ? null : toPriceMove(previous, rate.price),
    currency: rate.currency ?? entry?.currency ?? null,
    available_before: typeof before === 'boolean' ? before : null,
    available_after: rate.available,
    ...(rate.room_name === null ? {} : { room_name: rate.room_name }),
    ...(rate.available ? { rate_plan: { board: rate.board, cancellation: rate.cancellation } } : {}),
  };
}

function toPriceMove(from: number, to: number): z.output<typeof PriceMove> {
  return { ...computeMove(from, to), direction: to < from ? 'down' : 'up' };
}

/** Converts a stay to the form used in payloads. */
export function toStayParams(stay: Stay, currency: string | null): z.output<typeof StayParams> {
  const { check_in, check_out, adults, children, rooms } = stay;
  const nights = countNights(stay);
  return { check_in, check_out, nights, adults, children, rooms, currency: stay.currency ?? currency };
}

/** The event payload for the price of one channel. */
export const PricePayload = z.object({
  ...ChannelChange.pick({ previous_price: true, current_price: true, diff: true }).shape,
  params: StayParams,
  currency: z.string().nullable(),
});

export function buildPricePayload({ channels: [channel], params }: RatesView): z.output<typeof PricePayload> {
  if (channel === undefined) throw new InvariantError('a change without a channel');
  const { previous_price, current_price, diff, currency } = channel;
  return { previous_price, current_price, diff, params, currency };
}
