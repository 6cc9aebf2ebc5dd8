import type { z } from 'zod';
import { InvariantError } from '#extract/invariant-error.ts';
import { TIERS } from '#access/page.ts';
import { bindPreparedWork, type BoundWork } from '#engine/call/bound-operation.ts';
import type { WorkResult, WorkCall } from '#engine/call/operation.ts';
import { prefixErrors } from '#engine/call/validation.ts';
import type { Admission, AdmissionFacts } from '#engine/credits/admission.ts';
import { SERVED_TIERS, type ServedTier } from '#engine/credits/prices.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { type ErrorCode, ServiceError } from '#kernel/errors.ts';
import { ENDPOINT_ERRORS, type ServedEndpoint } from '#features/sites/endpoint.ts';
import type { EndpointCall } from '#features/schema/parameters.ts';
import { PROPERTY_PARAMETERS, toRateOperationId } from './channels.ts';
import { type ChannelRates, type ChannelRatesInput, hotelRates } from './rates-operation.ts';
import { HotelRate } from '#sites/framework/hotels/rate.ts';

type Channel = {
  readonly provider: string;
  readonly property_id: string;
  readonly endpoint: ServedEndpoint;
  readonly endpointCall: EndpointCall;
};

/** How endpoints are admitted and run. */
export type EndpointRunner = {
  readonly endpoints: readonly ServedEndpoint[];
  readonly admit: (endpoint: ServedEndpoint, endpointCall: EndpointCall, facts: AdmissionFacts) => Admission;
  readonly run: (
    endpoint: ServedEndpoint,
    endpointCall: EndpointCall,
    call: WorkCall,
  ) => Promise<WorkResult<JsonObject>>;
};

type ChannelAnswer = ChannelRates['channels'][number] & { readonly tier: ServedTier | null };

/** Errors of one channel that do not affect the others. */
const CHANNEL_FAILURES: ReadonlySet<ErrorCode> = new Set(ENDPOINT_ERRORS);

/** Binds `hotels.rates` to the rate endpoints of the sites. */
export function bindHotelRates(running: EndpointRunner): BoundWork {
  return bindPreparedWork(hotelRates, (input) => readChannels(input, running), {
    admit: (channels, facts) => admitAll(channels, facts, running),
    run: async (channels, call) => runAll(channels, call, running),
  });
}

/** Converts each channel to a call of its endpoint. Throws `invalid_request` with the index of the channel. */
function readChannels(
  { channels, ...stay }: z.output<typeof ChannelRatesInput>,
  { endpoints }: EndpointRunner,
): readonly Channel[] {
  return channels.map(({ provider, property_id: id }, index) => {
    const endpoint = endpoints.find(({ operation }) => operation.id === toRateOperationId(provider));
    if (endpoint === undefined) throw new InvariantError(`no endpoint gives the rates of ${provider}`);
    const sent = { ...stay, [PROPERTY_PARAMETERS[provider]]: id };
    const endpointCall = endpoint.read(sent, ['channels', String(index)]);
    return { provider, property_id: id, endpoint, endpointCall };
  });
}

/** Admits all channels together. */
function admitAll(channels: readonly Channel[], facts: AdmissionFacts, { admit }: EndpointRunner): Admission {
  const each = channels.map(({ endpoint, endpointCall }, index) =>
    prefixErrors(['channels', String(index)], () => admit(endpoint, endpointCall, facts)),
  );
  return {
    timeoutMs: Math.max(...each.map(({ timeoutMs }) => timeoutMs)),
    tiers: TIERS.filter((tier) => each.some(({ tiers }) => tiers.includes(tier))),
    cheapest: each.reduce((sum, { cheapest }) => sum + cheapest, 0),
    maxCredits: null,
  };
}

/** Runs all channels at once. Only successful ones are charged. Throws if all fail. */
async function runAll(
  channels: readonly Channel[],
  call: WorkCall,
  running: EndpointRunner,
): Promise<WorkResult<JsonObject>> {
  const ends = await Promise.all(channels.map(async (channel) => runOne(channel, call, running)));
  const answered = ends.flatMap((end) => (end instanceof ServiceError ? [] : [end]));
  if (answered.length === 0)
    throw createAllFailedError(
      channels,
      ends.filter((end) => end instanceof ServiceError),
    );
  const tier = SERVED_TIERS.findLast((served) => answered.some((end) => end.tier === served)) ?? 'http';
  const credits = answered.length * hotelRates.price.base;
  return {
    body: { channels: ends.map((end, at) => toChannel(end, channels[at])) },
    tier,
    charge: { usage: { credits, base: credits, surcharge: 0, tier }, paid: 0 },
  };
}

async function runOne(
  { provider, property_id, endpoint, endpointCall }: Channel,
  call: WorkCall,
  { run }: EndpointRunner,
) {
  try {
    const { body, tier } = await run(endpoint, endpointCall, call);
    return { provider, property_id, rate: HotelRate.parse(body['rate']), error: null, tier };
  } catch (error) {
    if (!(error instanceof ServiceError) || !CHANNEL_FAILURES.has(error.code)) throw error;
    return error;
  }
}

function toChannel(end: ChannelAnswer | ServiceError, channel: Channel | undefined): ChannelRates['channels'][number] {
  const { provider = '', property_id = '' } = channel ?? {};
  if (!(end instanceof ServiceError)) return { provider, property_id, rate: end.rate, error: null };
  return { provider, property_id, rate: null, error: { code: end.code, message: end.message } };
}

/** Builds the error if all channels fail: the code of the first, and the message of each. */
function createAllFailedError(channels: readonly Channel[], failures: readonly ServiceError[]): ServiceError {
  const [first] = failures;
  if (first === undefined) throw new InvariantError('no channel failed');
  const each = failures.map(({ message }, at) => `${channels[at]?.provider ?? ''}: ${message}`);
  return new ServiceError(first.code, each.join('; '), {
    cause: first,
    retryable: failures.some(({ retryable }) => retryable),
    ...(first.retryAfterSeconds === null ? {} : { retryAfterSeconds: first.retryAfterSeconds }),
  });
}
