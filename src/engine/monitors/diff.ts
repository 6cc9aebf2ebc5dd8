import type { Baseline } from './baseline.ts';
import type { ChangeEntry, ContentChange } from './change.ts';
import type { Observation } from './observation.ts';
import type { Shapes } from './shapes.ts';
import type { Watch } from './watch.ts';

export type DiffOptions = {
  readonly watch: Watch;
  readonly shapes: Shapes;
  /** The run that made the observation. */
  readonly runId: string;
};

/** What a completed run amounts to. */
export type Difference = {
  /** Null where there is nothing to report. */
  readonly change: {
    readonly kind: 'fields' | 'content' | 'first_run';
    readonly changes: readonly ChangeEntry[];
    /** Whether `changes` is not all of it. */
    readonly truncated: boolean;
    readonly content: ContentChange | null;
    readonly baseline_run_id: string | null;
  } | null;
  /** What the next run is compared with, also where nothing changed. */
  readonly baseline: Baseline;
  /** Sentences on what could not be compared as asked. */
  readonly warnings: readonly string[];
};

/** Compares what a completed run has seen with what is known; `known` is null before the first completed run. */
export function diff(known: Baseline | null, seen: Observation, { runId }: DiffOptions): Difference {
  return {
    change: null,
    baseline: known ?? {
      run_id: runId,
      fields: {},
      content: seen.content === null ? null : { ...seen.content, of: '' },
    },
    warnings: [],
  };
}
