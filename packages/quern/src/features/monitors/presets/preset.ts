import type { Baseline } from '#features/monitors/compare/baseline.ts';
import type { RunDifference } from '#features/monitors/compare/diff.ts';
import type { RunAnswer, RunObservation } from '#features/monitors/compare/observation.ts';
import type { RunFacts } from '#features/monitors/compare/run-snapshot.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** The kinds of monitors. `generic` runs any operation, the others are presets. */
export const MONITOR_KINDS = ['generic', 'hotel', 'hotel_channels', 'launch'] as const;

export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** An answered run, for its preset. */
export type PresetRun = RunAnswer & { readonly runId: string };

/** The answer of a run as its preset compared it. */
export type ComparedAnswer = {
  readonly observation: RunObservation;
  readonly difference: RunDifference;
  /** `partial` if some of its channels failed. */
  readonly status: 'completed' | 'partial';
  /** Fields of the run's record in addition to those of every run. */
  readonly facts: RunFacts;
  /** Data of the event of its change; null for the default data. */
  readonly eventData: JsonObject | null;
  /** Data stored with its change for the lists of this kind of monitor, null for none. */
  readonly view: JsonObject | null;
  /** Payload of a rate parity alert, null for none. */
  readonly alert: JsonObject | null;
  /** Input fields that are added to the target for all later runs, null for none. */
  readonly recorded: JsonObject | null;
};

/** How a kind of monitor reads an answer and compares it with earlier runs. A pure function. */
export type Preset = {
  /** Throws `ServiceError` for an answer that must not be compared. */
  readonly compare: (run: PresetRun, known: Baseline | null) => ComparedAnswer;
};

/** Builds a compared answer without additional data. */
export function buildPlainAnswer(observation: RunObservation, difference: RunDifference): ComparedAnswer {
  return {
    observation,
    difference,
    status: 'completed',
    facts: {},
    eventData: null,
    view: null,
    alert: null,
    recorded: null,
  };
}
