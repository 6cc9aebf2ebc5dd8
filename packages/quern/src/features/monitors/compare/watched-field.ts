import {
  advanceBaseline,
  type ComparedValue,
  type FieldBaseline,
  isPresent,
  type RowBaseline,
  type WatchedBaseline,
} from './baseline.ts';
import { type ChangeEntry, truncateValue, countJsonChars } from './change-entries.ts';
import { chooseArrayRule, type Comparison, describeDifference, buildComparison } from './comparison.ts';
import { computeDigest, type TextCleaner } from './normal-form.ts';
import { RowComparison } from './row-difference.ts';
import type { FieldShape, FieldShapes } from './shapes.ts';
import type { Watch } from './watch.ts';

/** One watched field after a run. `unreported` is its baseline if the run reports nothing. */
export type AdvancedField = {
  readonly next: WatchedBaseline;
  readonly unreported: WatchedBaseline;
  readonly entries: readonly ChangeEntry[];
  readonly warnings: readonly string[];
  /** Whether the baseline was replaced because the value has another basis. */
  readonly rebased: boolean;
};

/** Lists the watched fields of a target: all, or the selected ones with their members. */
export function listWatchedFields(shapes: FieldShapes, { fields }: Watch): readonly (readonly [string, FieldShape])[] {
  if (fields === undefined) return [...shapes];
  return [...shapes].filter(([name]) => fields.some((field) => name === field || name.startsWith(`${field}.`)));
}

/**
 * Compares one watched field. Keyed rows have a baseline each, and the field's own value is their number. If the array
 * appears or disappears, or has too many rows, it is compared as one value.
 */
export class WatchedField {
  readonly #name: string;
  readonly #watch: Watch;
  readonly #comparison: Comparison;
  readonly #rows: RowComparison | null;

  constructor(
    name: string,
    shape: FieldShape,
    { watch, clean }: { readonly watch: Watch; readonly clean: TextCleaner },
  ) {
    const rule = shape.kind === 'rows' || shape.kind === 'list' ? chooseArrayRule(name, shape, watch) : null;
    this.#name = name;
    this.#watch = watch;
    this.#comparison = buildComparison(name, shape, watch, clean);
    this.#rows = rule?.compare === 'keyed' ? new RowComparison({ name, shape, rule, watch, clean }) : null;
  }

  /** `now` is undefined if the value could not be read. */
  advance(before: WatchedBaseline | undefined, now: ComparedValue | undefined): AdvancedField {
    if (now === undefined) return this.#buildUnchanged(before ?? { held: { value: null } });
    if (before === undefined) return this.#buildUnchanged(this.#withRows({ held: now }));
    if (hasOtherBasis(before.held, now))
      return { ...this.#buildUnchanged(this.#withRows({ held: now })), rebased: true };
    const rows = this.#rows;
    const known = before.rows;
    if (rows !== null && known !== undefined && Array.isArray(now.value) && rows.fits(now.value)) {
      const { next, unreported, entries, repeated } = rows.advance(known, now.value);
      const length = { value: now.value.length };
      const warnings = this.#buildWarnings(repeated);
      const after = { next: { held: length, rows: next }, unreported: { held: length, rows: unreported } };
      return { ...after, entries, warnings, rebased: false };
    }
    return this.#advanceWhole(this.#withoutRows(before), this.#withoutRepeats(now));
  }

  /** Limits the size of a baseline. Large values are stored as digests. */
  limitSize(field: WatchedBaseline, budget: BaselineBudget): WatchedBaseline {
    const { rows } = field;
    if (rows === undefined || !budget.fitsRows(rows))
      return budget.limitField(this.#withoutRows(field), this.#comparison);
    return { held: field.held, rows };
  }

  #advanceWhole(before: FieldBaseline, now: ComparedValue): AdvancedField {
    const { next, unreported, confirmed } = advanceBaseline(before, now, this.#comparison.isSame, this.#watch);
    const entries = confirmed === null ? [] : describeDifference(this.#name, confirmed, this.#comparison);
    return { ...this.#buildUnchanged(this.#withRows(next)), unreported: this.#withRows(unreported), entries };
  }

  #buildUnchanged(field: WatchedBaseline): AdvancedField {
    return { next: field, unreported: field, entries: [], warnings: [], rebased: false };
  }

  #withRows(field: FieldBaseline): WatchedBaseline {
    const { held: confirmed, pending } = field;
    const isWhole = Array.isArray(confirmed.value) && confirmed.digest === undefined && pending === undefined;
    if (this.#rows === null || !isWhole || !Array.isArray(confirmed.value) || !this.#rows.fits(confirmed.value))
      return field;
    return { held: { value: confirmed.value.length }, rows: this.#rows.startBaselines(confirmed.value) };
  }

  /** Keeps one row per key, like the baselines. */
  #withoutRepeats(now: ComparedValue): ComparedValue {
    if (this.#rows === null || !Array.isArray(now.value) || !this.#rows.fits(now.value)) return now;
    return { ...now, value: this.#rows.keepLastPerKey(now.value) };
  }

  #withoutRows({ rows, ...field }: WatchedBaseline): FieldBaseline {
    if (rows === undefined || this.#rows === null || !isPresent(field.held)) return field;
    return { ...field, held: { value: this.#rows.rebuildRows(rows) } };
  }

  #buildWarnings(repeated: readonly string[]): readonly string[] {
    if (repeated.length === 0) return [];
    return [`${this.#name}: several rows have the key ${repeated.slice(0, 3).join(', ')}; the last one counts`];
  }
}

function hasOtherBasis({ basis: knownBasis }: ComparedValue, { basis }: ComparedValue): boolean {
  return knownBasis !== undefined && basis !== undefined && knownBasis !== basis;
}

/** Maximum JSON size of a whole baseline, of one field, and of an unconfirmed value. */
const MAX_BASELINE_CHARS = 2 * 1024 * 1024;
const MAX_FIELD_CHARS = 256 * 1024;
const MAX_PENDING_CHARS = 4 * 1024;
const EXCERPT_CHARS = 1000;

/** The size budget of a baseline. Values beyond it are stored as digests. */
export class BaselineBudget {
  #left = MAX_BASELINE_CHARS;

  /** Whether row baselines fit. Reserves their size if so. */
  fitsRows(rows: Readonly<Record<string, RowBaseline>>): boolean {
    const size = countJsonChars(rows);
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }

  limitField({ held: confirmed, pending }: FieldBaseline, { toText }: Comparison): FieldBaseline {
    const limited = this.#limitValue(confirmed, toText, MAX_FIELD_CHARS);
    if (pending === undefined) return { held: limited };
    return { held: limited, pending: { ...pending, seen: this.#limitValue(pending.seen, toText, MAX_PENDING_CHARS) } };
  }

  #limitValue(value: ComparedValue, toText: Comparison['toText'], maxChars: number): ComparedValue {
    if (value.digest !== undefined) return value;
    const size = countJsonChars(value.value);
    if (size <= maxChars && size <= this.#left) {
      this.#left -= size;
      return value;
    }
    return { ...value, value: truncateValue(value.value, EXCERPT_CHARS), digest: computeDigest(toText(value.value)) };
  }
}
