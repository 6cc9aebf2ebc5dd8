import { z } from 'zod';
import type { JsonObject } from '#extract/values/json-object.ts';
import { isSingleThreshold, StoredWatch } from '#features/monitors/compare/watch.ts';
import type { MonitorDefinition } from '#features/monitors/store/definition.ts';
import {
  Channels,
  type HotelProvider,
  PROPERTY_PARAMETERS,
  toRateOperationId,
} from '#features/sites/hotels/channels.ts';
import { hotelRates } from '#features/sites/hotels/rates-operation.ts';
import { checkStay, STAY_FIELDS } from '#sites/framework/hotels/stay.ts';
import { buildInputChecker } from '#engine/call/validation.ts';
import { ServiceError } from '#kernel/errors.ts';
import {
  buildPatch,
  buildPresetFields,
  completeDefinition,
  type DefinitionFacts,
  MONITOR_FIELDS,
  omitUndefined,
  OWN_NAMES,
  WEBHOOK_FIELD,
} from './definition-input.ts';

const MAX_DAYS_AHEAD = 500;
const DAY_MS = 86_400_000;
/** The time zone where a day ends last, since the zone of a property is unknown. */
const LAST_ZONE_MS = 12 * 3_600_000;

const HotelWatch = StoredWatch.pick({
  thresholds: true,
  parity_threshold: true,
  digest: true,
  notify_on_first_run: true,
  baseline: true,
  failing_after: true,
});

/** The fields that a change may have. */
const FIELDS = { ...STAY_FIELDS, ...buildPresetFields(HotelWatch.prefault({})) } as const;
const PROPERTY = z.string().min(1).max(2000);

const PROPERTIES = {
  'hotel-a': { url: PROPERTY.optional().describe('URL of the property page') },
  'hotel-b': { property_id: PROPERTY.optional().describe('Path of the hotel, such as gb/garden-court') },
} as const;

/** Builds the input of a new hotel monitor of one site: its property, or the channels to compare. */
export function buildHotelInput(provider: HotelProvider) {
  const member = PROPERTY_PARAMETERS[provider];
  return z
    .strictObject({
      ...PROPERTIES[provider],
      channels: Channels.optional().describe('The property on 2 to 4 sites, instead of this site alone'),
      ...FIELDS,
      ...WEBHOOK_FIELD,
    })
    .superRefine((body, context) => {
      const hasProperty = Object.entries(body).some(([name, value]) => name === member && value !== undefined);
      if (hasProperty !== (body.channels !== undefined)) return;
      const message = hasProperty ? `cannot be combined with channels` : `is required unless channels are given`;
      context.addIssue({ code: 'custom', path: [member], message });
    });
}

/** A change of a hotel monitor. Its property cannot be changed. */
export const HotelPatch = buildPatch(FIELDS);

const HotelBody = z.strictObject({
  url: PROPERTY.optional(),
  property_id: PROPERTY.optional(),
  channels: Channels.optional(),
  metadata: MONITOR_FIELDS.metadata,
  ...FIELDS,
});

type HotelBody = z.output<typeof HotelBody>;

const checkBody = buildInputChecker({ input: HotelBody });

/**
 * Builds the definition of a hotel monitor. `before` is the definition before a change, null for a new monitor. Throws
 * `invalid_request`.
 */
export function buildHotelDefinition(
  raw: JsonObject,
  facts: DefinitionFacts,
  before: MonitorDefinition | null,
): MonitorDefinition {
  const body = checkBody(raw).input;
  const { url, property_id, channels, check_in, check_out, adults, children, rooms, currency } = body;
  const fault = checkStay(body);
  if (fault !== null) throwInvalid(fault.parameter, fault.why);
  checkDays(body, facts.now, before);
  const stay = omitUndefined({ check_in, check_out, adults, children, rooms, currency });
  const property = omitUndefined({ url, property_id, channels });
  const providers = channels?.map(({ provider }) => provider) ?? [url === undefined ? 'hotel-b' : 'hotel-a'];
  checkWatch(body, providers);
  const input = { ...property, ...stay };
  const [first = 'hotel-b'] = providers;
  const operation = channels === undefined ? toRateOperationId(first) : hotelRates.id;
  const examined = facts.examine({ kind: operation, input, named: OWN_NAMES });
  return completeDefinition(
    {
      ...body,
      ...examined,
      kind: channels === undefined ? 'hotel' : 'hotel_channels',
      name: body.name ?? buildName(body),
      input,
      what: input,
      member: channels === undefined ? PROPERTY_PARAMETERS[first] : 'channels',
      expiresAt: computeExpiry(check_in),
      providers,
    },
    facts,
  );
}

/** When the day of arrival has passed in every time zone, ms. */
function computeExpiry(day: string): number {
  return Date.parse(day) + DAY_MS + LAST_ZONE_MS;
}

/** Checks that the day of arrival is in the future. A monitor that is switched off may keep a past one. */
function checkDays(body: HotelBody, now: number, before: MonitorDefinition | null): void {
  const { check_in, check_out } = body;
  const isSameStay = before !== null && before.body['check_in'] === check_in && before.body['check_out'] === check_out;
  if (isSameStay && (!body.active || before.active)) return;
  if (computeExpiry(check_in) <= now) throwInvalid('check_in', 'is in the past');
  const today = Math.floor((now - LAST_ZONE_MS) / DAY_MS) * DAY_MS;
  if (Date.parse(check_in) - today > MAX_DAYS_AHEAD * DAY_MS)
    throwInvalid('check_in', `must be at most ${MAX_DAYS_AHEAD} days from today`);
}

/** Checks that thresholds are for the single price, or for each channel by its site. */
function checkWatch(
  { watch: { thresholds, parity_threshold: parity }, channels }: HotelBody,
  providers: readonly string[],
) {
  if (channels === undefined) {
    if (parity !== undefined) throwInvalid('watch.parity_threshold', 'is only allowed with channels');
    if (thresholds !== undefined && !isSingleThreshold(thresholds))
      throwInvalid('watch.thresholds', 'must have abs and pct for the price');
    return;
  }
  if (thresholds === undefined) return;
  if (isSingleThreshold(thresholds))
    throwInvalid('watch.thresholds', `must have abs and pct per channel: ${providers.join(', ')}`);
  const other = Object.keys(thresholds).find((provider) => !providers.includes(provider));
  if (other !== undefined)
    throwInvalid(`watch.thresholds.${other.slice(0, 100)}`, `is not one of the channels ${providers.join(', ')}`);
}

function buildName({ url, property_id: id, channels }: HotelBody): string {
  const property = url ?? id ?? channels?.[0]?.property_id ?? '';
  const parsed = URL.parse(property);
  return (parsed === null ? property : `${parsed.host}${parsed.pathname}`).slice(0, 200);
}

function throwInvalid(member: string, why: string): never {
  throw new ServiceError('invalid_request', `${member}: ${why}`);
}
