import type { Baseline } from '#features/monitors/compare/baseline.ts';
import type { RunDifference } from '#features/monitors/compare/diff.ts';
import type { RunAnswer, RunObservation } from '#features/monitors/compare/observation.ts';
import type { RunFacts } from '#features/monitors/compare/run-snapshot.ts';
import type { JsonObject } from '#extract/values/json-object.ts';

/** The kinds of monitors; `generic` runs any operation, the others are presets of it. */
export const MONITOR_KINDS = ['generic', 'hotel', 'hotel_channels', 'launch'] as const;

export type MonitorKind = (typeof MONITOR_KINDS)[number];

/** A run that was answered, for its preset. */
export type PresetRun = RunAnswer & { readonly runId: string };

/** What a preset makes of the answer of a run. */
export type ComparedAnswer = {
  readonly observation: RunObservation;
  readonly difference: RunDifference;
  /** `partial` where some of its channels failed. */
  readonly status: 'completed' | 'partial';
  /** Members of the run's record in addition to those of every run. */
  readonly facts: RunFacts;
  /** The data of the event of its change; null for that of every monitor. */
  readonly eventData: JsonObject | null;
  /** What is stored with its change for the lists of this kind of monitor, null for nothing. */
  readonly view: JsonObject | null;
  /** The payload of a rate parity alert, null for none. */
  readonly alert: JsonObject | null;
  /** Members that the target gets for all later runs, null for none. */
  readonly recorded: JsonObject | null;
};

/** What a kind of monitors does differently: how it reads an answer and compares it with the runs before. Pure. */
export type Preset = {
  /** Throws `ServiceError` for an answer that must not be compared. */
  readonly compare: (run: PresetRun, known: Baseline | null) => ComparedAnswer;
};

/** An answer that has nothing in addition to its comparison. */
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
