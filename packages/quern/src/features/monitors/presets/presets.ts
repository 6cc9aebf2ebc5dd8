import { diff } from '#features/monitors/compare/diff.ts';
import { observe, observeFields, assertSamePage } from '#features/monitors/compare/observation.ts';
import { type FieldShapes, buildShapes } from '#features/monitors/compare/shapes.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { compareHotel, compareHotelChannels } from './hotel.ts';
import { type MonitorKind, buildPlainAnswer, type Preset } from './preset.ts';

/** Compares the fields or the text that the monitor selects. */
const genericPreset: Preset = {
  compare(run, known) {
    const { operation, input, watch, runId } = run;
    const shapes = buildShapes(operation, input);
    const observation = observe(run, shapes);
    assertSamePage(known, observation);
    const { baseline, warnings, ...difference } = diff(known, observation, { watch, shapes, runId });
    const kinds = observation.pageKinds;
    return buildPlainAnswer(observation, {
      ...difference,
      baseline: kinds === undefined ? baseline : { ...baseline, page_kinds: kinds.map(({ kind }) => kind) },
      warnings: [...warnings, ...(kinds ?? []).map(({ message }) => message)],
    });
  },
};

const UPVOTES: FieldShapes = new Map([['upvotes', { kind: 'number' }]]);

/** Compares the upvotes of a product. */
const launchPreset: Preset = {
  compare({ body, watch, runId }, known) {
    const product = isJsonObject(body['product']) ? body['product'] : {};
    const observation = observeFields(product, UPVOTES, 'record');
    return buildPlainAnswer(observation, diff(known, observation, { watch, shapes: UPVOTES, runId }));
  },
};

const PRESETS: Readonly<Record<MonitorKind, Preset>> = {
  generic: genericPreset,
  hotel: { compare: compareHotel },
  hotel_channels: { compare: compareHotelChannels },
  launch: launchPreset,
};

/** Gets the preset of a kind. */
export function getPreset(kind: MonitorKind): Preset {
  return PRESETS[kind];
}
