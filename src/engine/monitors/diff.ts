import type { Baseline, Held, WatchedBaseline } from './baseline.ts';
import type { ChangeEntry, ContentChange } from './change.ts';
import { compareContent, settleContent } from './content-difference.ts';
import { cutEntries } from './cutting.ts';
import { Keeping } from './keeping.ts';
import { toCanonical, toCleaning } from './normal-form.ts';
import type { Content, Observation } from './observation.ts';
import { isThere } from './settle.ts';
import type { Shapes } from './shapes.ts';
import { WatchedField, watchedOf } from './watched-field.ts';
import type { Step } from './watched-field.ts';
import { contentOf } from './watch.ts';
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
  /** Whether the baseline was taken anew because what is watched of the content is another thing now. */
  readonly rebased: boolean;
  /** Sentences on what could not be compared as asked. */
  readonly warnings: readonly string[];
};

type Stepped = { readonly name: string; readonly field: WatchedField; readonly step: Step };

const NO_CONTENT: Content = { hash: null, text: null };

/**
 * Compares what a completed run has seen with what is known, and says what is reported and what the next run is compared
 * with. `known` is null before the first completed run. A field without a baseline is one newly watched: it gets one, and
 * nothing is said of it. A value that cannot be read as its type leaves its baseline alone.
 */
export function diff(known: Baseline | null, seen: Observation, { watch, shapes, runId }: DiffOptions): Difference {
  if (watch.mode === 'content') return diffContent(known, seen.content ?? NO_CONTENT, watch, runId);
  const clean = toCleaning(watch.ignore_patterns);
  const steps = watchedOf(shapes, watch).map(([name, shape]): Stepped => {
    const before = known !== null && Object.hasOwn(known.fields, name) ? known.fields[name] : undefined;
    const field = new WatchedField(name, shape, { watch, clean });
    return { name, field, step: field.step(before, readingOf(seen, name)) };
  });
  const entries = known === null ? firstEntries(seen, steps) : steps.flatMap(({ step }) => step.entries);
  const reports = known === null ? watch.notify_on_first_run : isReported(steps, watch);
  const keeping = new Keeping();
  const kept = steps.map(({ name, field, step }): readonly [string, WatchedBaseline] => {
    return [name, field.keep(reports || known === null ? step.next : step.unreported, keeping)];
  });
  const { changes, truncated } = cutEntries(entries);
  const follows = watch.baseline === 'previous_run';
  return {
    change: reports
      ? {
          kind: known === null ? 'first_run' : 'fields',
          changes,
          truncated,
          content: null,
          baseline_run_id: known?.run_id ?? null,
        }
      : null,
    baseline: {
      run_id: known === null || reports || follows ? runId : known.run_id,
      fields: Object.fromEntries(kept),
      content: null,
    },
    rebased: false,
    warnings: steps.flatMap(({ step }) => step.warnings),
  };
}

/** Whether the differences of a run are to be reported. */
function isReported(steps: readonly Stepped[], { on }: Watch): boolean {
  const passed = steps.filter(({ step }) => step.entries.length > 0).length;
  return on === 'any' ? passed > 0 : steps.length > 0 && passed === steps.length;
}

/** The value of a field, undefined where it could not be read. */
function readingOf(seen: Observation, name: string): Held | undefined {
  const meta = Object.hasOwn(seen.field_meta, name) ? seen.field_meta[name] : undefined;
  if (meta?.raw !== undefined) return undefined;
  const value = Object.hasOwn(seen.values, name) ? (seen.values[name] ?? null) : null;
  return { value, ...(meta?.currency === undefined ? {} : { currency: meta.currency }) };
}

function firstEntries(seen: Observation, steps: readonly Stepped[]): readonly ChangeEntry[] {
  return steps.flatMap(({ name: field }): readonly ChangeEntry[] => {
    const held = readingOf(seen, field) ?? { value: null };
    if (!isThere(held)) return [];
    const currency = held.currency ?? null;
    return [
      {
        field,
        previous_value: null,
        new_value: held.value,
        op: 'appeared',
        ...(currency === null ? {} : { currency }),
      },
    ];
  });
}

/** The field of a watch that compares the text of the page. */
function diffContent(known: Baseline | null, now: Content, watch: Watch, runId: string): Difference {
  const of = toCanonical([contentOf(watch), watch.ignore_patterns], (text) => text);
  const before = known?.content ?? null;
  const start = (run: string): Baseline => ({ run_id: run, fields: {}, content: { ...now, of } });
  const quiet = { change: null, rebased: false, warnings: [] };
  if (known === null && watch.notify_on_first_run) {
    const change = toContentChange('first_run', compareContent(NO_CONTENT, now), null);
    return { ...quiet, change, baseline: start(runId) };
  }
  if (known === null || before === null) return { ...quiet, baseline: start(runId) };
  if (before.of !== of) return { ...quiet, baseline: start(runId), rebased: true };
  const { next, change } = settleContent(before, now, watch);
  const moves = change !== null || watch.baseline === 'previous_run';
  return {
    ...quiet,
    change: change === null ? null : toContentChange('content', change, known.run_id),
    baseline: { run_id: moves ? runId : known.run_id, fields: {}, content: next },
  };
}

function toContentChange(
  kind: 'content' | 'first_run',
  content: ContentChange,
  baselineRunId: string | null,
): NonNullable<Difference['change']> {
  return { kind, changes: [], truncated: content.diff_truncated, content, baseline_run_id: baselineRunId };
}
