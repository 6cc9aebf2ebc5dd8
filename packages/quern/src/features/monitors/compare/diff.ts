import { diffTexts, formatHunks } from '#kernel/text-diff.ts';
import {
  advanceBaseline,
  type Baseline,
  type ComparedValue,
  type ConfirmationRules,
  type ContentBaseline,
  isPresent,
  type WatchedBaseline,
} from './baseline.ts';
import { type ChangeEntry, type ContentChange, truncateEntries } from './change-entries.ts';
import { formatJsonLines } from './json-text.ts';
import { computeDigest, formatCanonicalJson, buildTextCleaner } from './normal-form.ts';
import type { RunObservation, WatchedContent } from './observation.ts';
import type { FieldShapes } from './shapes.ts';
import { getWatchedContent, type Watch } from './watch.ts';
import { type AdvancedField, BaselineBudget, WatchedField, listWatchedFields } from './watched-field.ts';

export type DiffOptions = {
  readonly watch: Watch;
  readonly shapes: FieldShapes;
  /** The run that made the observation. */
  readonly runId: string;
};

/** The result of comparing a completed run. */
export type RunDifference = {
  /** Null if there is nothing to report. */
  readonly change: {
    readonly kind: 'fields' | 'content' | 'first_run' | 'availability';
    readonly changes: readonly ChangeEntry[];
    /** Whether `changes` is truncated. */
    readonly truncated: boolean;
    readonly content: ContentChange | null;
    readonly baseline_run_id: string | null;
  } | null;
  /** The baseline for the next run, even if nothing changed. */
  readonly baseline: Baseline;
  /** Whether the baseline was replaced because the watch selects other content, or a value has another basis. */
  readonly rebased: boolean;
  /** Warnings about values that could not be compared as requested. */
  readonly warnings: readonly string[];
};

type ComparedField = { readonly name: string; readonly field: WatchedField; readonly advanced: AdvancedField };

const NO_CONTENT: WatchedContent = { hash: null, text: null };

/**
 * Compares the observation of a completed run with the baseline. Returns the change to report, and the next baseline.
 * `known` is null before the first completed run. A newly watched field gets a baseline and reports nothing. A value
 * that does not fit its type leaves its baseline unchanged.
 */
export function diff(
  known: Baseline | null,
  seen: RunObservation,
  { watch, shapes, runId }: DiffOptions,
): RunDifference {
  if (watch.mode === 'content') return diffContent(known, seen.content ?? NO_CONTENT, watch, runId);
  const clean = buildTextCleaner(watch.ignore_patterns);
  const fields = listWatchedFields(shapes, watch).map(([name, shape]): ComparedField => {
    const baseline = known !== null && Object.hasOwn(known.fields, name) ? known.fields[name] : undefined;
    const before = seen.field_meta[name]?.source === 'extract' ? emptyListToNull(baseline) : baseline;
    const field = new WatchedField(name, shape, { watch, clean });
    return { name, field, advanced: field.advance(before, getObservedValue(seen, name)) };
  });
  const entries = known === null ? listFirstEntries(seen, fields) : fields.flatMap(({ advanced }) => advanced.entries);
  const reports = known === null ? watch.notify_on_first_run : isReportable(fields, watch);
  const budget = new BaselineBudget();
  const fieldEntries = fields.map(({ name, field, advanced }): readonly [string, WatchedBaseline] => {
    return [name, field.limitSize(reports || known === null ? advanced.next : advanced.unreported, budget)];
  });
  const { changes, truncated } = truncateEntries(entries);
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
      fields: Object.fromEntries(fieldEntries),
      content: null,
    },
    rebased: fields.some(({ advanced }) => advanced.rebased),
    warnings: fields.flatMap(({ advanced }) => advanced.warnings),
  };
}

/** In baselines of an `extract` from older versions, an empty list means that nothing was found. */
function emptyListToNull(known: WatchedBaseline | undefined): WatchedBaseline | undefined {
  if (known === undefined) return undefined;
  const { held: confirmed, rows } = known;
  const isEmpty = rows === undefined ? isEmptyList(confirmed) : Object.keys(rows).length === 0;
  return isEmpty ? { held: { value: null } } : known;
}

function isEmptyList({ value }: ComparedValue): boolean {
  return Array.isArray(value) && value.length === 0;
}

/** Whether the watch reports the differences of a run. */
function isReportable(fields: readonly ComparedField[], { on }: Watch): boolean {
  const differing = fields.filter(({ advanced }) => advanced.entries.length > 0).length;
  return on === 'any' ? differing > 0 : fields.length > 0 && differing === fields.length;
}

/** Gets the observed value of a field, undefined if it could not be read. */
function getObservedValue(seen: RunObservation, name: string): ComparedValue | undefined {
  const meta = Object.hasOwn(seen.field_meta, name) ? seen.field_meta[name] : undefined;
  if (meta?.raw !== undefined) return undefined;
  const value = Object.hasOwn(seen.values, name) ? (seen.values[name] ?? null) : null;
  return {
    value,
    ...(meta?.currency === undefined ? {} : { currency: meta.currency }),
    ...(meta?.basis === undefined ? {} : { basis: meta.basis }),
  };
}

function listFirstEntries(seen: RunObservation, fields: readonly ComparedField[]): readonly ChangeEntry[] {
  return fields.flatMap(({ name: field }): readonly ChangeEntry[] => {
    const observed = getObservedValue(seen, field) ?? { value: null };
    if (!isPresent(observed)) return [];
    const currency = observed.currency ?? null;
    return [
      {
        field,
        previous_value: null,
        new_value: observed.value,
        op: 'appeared',
        ...(currency === null ? {} : { currency }),
      },
    ];
  });
}

/** Compares the watched content of a page. */
function diffContent(known: Baseline | null, now: WatchedContent, watch: Watch, runId: string): RunDifference {
  const of = formatCanonicalJson([getWatchedContent(watch), watch.ignore_patterns], (text) => text);
  const before = known === null || known.content === null ? null : sortJsonText(known.content);
  const start = (run: string): Baseline => ({ run_id: run, fields: {}, content: { ...now, of } });
  const quiet = { change: null, rebased: false, warnings: [] };
  if (known === null && watch.notify_on_first_run) {
    const change = toContentChange('first_run', compareContent(NO_CONTENT, now), null);
    return { ...quiet, change, baseline: start(runId) };
  }
  if (known === null || before === null) return { ...quiet, baseline: start(runId) };
  if (before.of !== of) return { ...quiet, baseline: start(runId), rebased: true };
  const { next, change } = advanceContent(before, now, watch);
  const moves = change !== null || watch.baseline === 'previous_run';
  return {
    ...quiet,
    change: change === null ? null : toContentChange('content', change, known.run_id),
    baseline: { run_id: moves ? runId : known.run_id, fields: {}, content: next },
  };
}

/** Sorts the members of stored JSON text, which older versions stored in the order of the page. */
function sortJsonText(content: ContentBaseline): ContentBaseline {
  const ordered = content.text === null ? null : formatJsonLines(content.text);
  if (ordered === null || ordered === content.text) return content;
  return { ...content, text: ordered, hash: computeDigest(ordered) };
}

function toContentChange(
  kind: 'content' | 'first_run',
  content: ContentChange,
  baselineRunId: string | null,
): NonNullable<RunDifference['change']> {
  return { kind, changes: [], truncated: content.diff_truncated, content, baseline_run_id: baselineRunId };
}

/** The content baseline after a run, and the change to report. */
type AdvancedContent = { readonly next: ContentBaseline; readonly change: ContentChange | null };

/** Advances the baseline of a watched text by one run. A page without text counts like a null field. */
function advanceContent(known: ContentBaseline, now: WatchedContent, rules: ConfirmationRules): AdvancedContent {
  const { pending: waited, ...rest } = known;
  const pending = waited && { ...waited, seen: { value: waited.hash } };
  const { next, confirmed } = advanceBaseline(
    { held: { value: rest.hash }, pending },
    { value: now.hash },
    isSameHash,
    rules,
  );
  if (next.pending !== undefined) {
    const { count, side } = next.pending;
    return { next: { ...rest, pending: { hash: now.hash, count, side } }, change: null };
  }
  const moved = next.held.value === rest.hash ? rest : { ...rest, hash: now.hash, text: now.text };
  return { next: moved, change: confirmed === null ? null : compareContent(rest, now) };
}

function isSameHash(one: ComparedValue, other: ComparedValue): boolean {
  return one.value === other.value;
}

/** Computes the line difference of two texts in their normal form. */
export function compareContent(before: WatchedContent, after: WatchedContent): ContentChange {
  const hashes = { previous_hash: before.hash, new_hash: after.hash };
  const unknown = { ...hashes, added_lines: 0, removed_lines: 0, unified_diff: null, diff_truncated: true };
  if ((before.text === null && before.hash !== null) || (after.text === null && after.hash !== null)) return unknown;
  const { hunks, isTruncated, addedLines, removedLines } = diffTexts(before.text ?? '', after.text ?? '');
  return {
    ...hashes,
    added_lines: addedLines,
    removed_lines: removedLines,
    unified_diff: hunks === null ? null : formatHunks(hunks),
    diff_truncated: isTruncated,
  };
}
