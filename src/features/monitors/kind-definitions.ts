import type { MonitorKind } from '#features/monitors/presets/kinds.ts';
import type { MonitorDefinition } from '#features/monitors/store/definition.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toMergedDefinition } from './definition-input.ts';
import type { DefinitionFacts } from './definition-input.ts';
import { toHotelDefinition } from './hotel-input.ts';
import { toLaunchDefinition } from './launch-input.ts';
import type { JsonObject } from '#kernel/json.ts';

type ToDefinition = (merged: JsonObject, facts: DefinitionFacts, before: MonitorDefinition) => MonitorDefinition;

/** How the body of each kind is read after a change. */
const OF_KIND: Readonly<Record<MonitorKind, ToDefinition>> = {
  generic: toMergedDefinition,
  hotel: toHotelDefinition,
  hotel_channels: toHotelDefinition,
  launch: toLaunchDefinition,
};

/** The definition of a changed body; throws `invalid_request`. */
export function toChangedDefinition(
  merged: JsonObject,
  facts: DefinitionFacts,
  before: MonitorDefinition,
): MonitorDefinition {
  return OF_KIND[before.kind](merged, facts, before);
}

/** JsonObject of the general route that every kind of monitor has. */
const OF_EVERY_KIND: ReadonlySet<string> = new Set(['active', 'name', 'cron', 'timezone', 'watch']);

/** Throws `invalid_request` for a change that the general route makes to generic monitors alone. */
export function demandGeneral(change: JsonObject, { kind }: MonitorDefinition): void {
  if (kind === 'generic') return;
  const other = Object.keys(change).find((name) => change[name] !== undefined && !OF_EVERY_KIND.has(name));
  if (other === undefined) return;
  throw new ServiceError('invalid_request', `${other}: is no member of a monitor of the kind ${kind}`);
}
