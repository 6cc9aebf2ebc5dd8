import { diff } from '#features/monitors/compare/diff.ts';
import { observe, observeFields, refuseOtherPage } from '#features/monitors/compare/observation.ts';
import { type FieldShapes, shapesOf } from '#features/monitors/compare/shapes.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { compareHotel, compareHotelChannels } from './hotel.ts';
import { type MonitorKind, plainAnswer, type Preset } from './preset.ts';

/** Watches the fields or the text that its own members name. */
const generic: Preset = {
  compare(run, known) {
    const { operation, input, watch, runId } = run;
    const shapes = shapesOf(operation, input);
    const observation = observe(run, shapes);
    refuseOtherPage(known, observation);
    const { baseline, warnings, ...difference } = diff(known, observation, { watch, shapes, runId });
    const kinds = observation.pageKinds;
    return plainAnswer(observation, {
      ...difference,
      baseline: kinds === undefined ? baseline : { ...baseline, page_kinds: kinds.map(({ kind }) => kind) },
      warnings: [...warnings, ...(kinds ?? []).map(({ message }) => message)],
    });
  },
};

const UPVOTES: FieldShapes = new Map([['upvotes', { kind: 'number' }]]);

/** Watches the upvotes of a product. */
const launch: Preset = {
  compare({ body, watch, runId }, known) {
    const product = isJsonObject(body['product']) ? body['product'] : {};
    const observation = observeFields(product, UPVOTES, 'record');
    return plainAnswer(observation, diff(known, observation, { watch, shapes: UPVOTES, runId }));
  },
};

const PRESETS: Readonly<Record<MonitorKind, Preset>> = {
  generic,
  hotel: { compare: compareHotel },
  hotel_channels: { compare: compareHotelChannels },
  launch,
};

/** The preset of a kind. */
export function presetOf(kind: MonitorKind): Preset {
  return PRESETS[kind];
}
