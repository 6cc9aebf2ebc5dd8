import type { FieldBaseline, Held, WatchedBaseline } from './baseline.ts';
import type { ChangeEntry } from './change.ts';
import { arrayRuleOf, describeStep, toComparison } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import type { Keeping } from './keeping.ts';
import type { Cleaning } from './normal-form.ts';
import { RowComparison } from './row-difference.ts';
import { isThere, settle } from './settle.ts';
import type { Shape, Shapes } from './shapes.ts';
import type { Watch } from './watch.ts';

/** Where one watched field stands after a run; `unreported` is for a run that reports nothing after all. */
export type Step = {
  readonly next: WatchedBaseline;
  readonly unreported: WatchedBaseline;
  readonly entries: readonly ChangeEntry[];
  readonly warnings: readonly string[];
};

/** The watched fields of a target: all, or those that are named and what lies below them. */
export function watchedOf(shapes: Shapes, { fields }: Watch): readonly (readonly [string, Shape])[] {
  if (fields === undefined) return [...shapes];
  return [...shapes].filter(([name]) => fields.some((field) => name === field || name.startsWith(`${field}.`)));
}

/**
 * One watched field: how it is taken a run further, and kept. Rows with a key have their baselines beside a `held` that
 * only counts them; where they come or go as a whole, or are too many, they are compared as one value.
 */
export class WatchedField {
  readonly #name: string;
  readonly #watch: Watch;
  readonly #comparison: Comparison;
  readonly #rows: RowComparison | null;

  constructor(name: string, shape: Shape, { watch, clean }: { readonly watch: Watch; readonly clean: Cleaning }) {
    const rule = shape.kind === 'rows' || shape.kind === 'list' ? arrayRuleOf(name, shape, watch) : null;
    this.#name = name;
    this.#watch = watch;
    this.#comparison = toComparison(name, shape, watch, clean);
    this.#rows = rule?.compare === 'keyed' ? new RowComparison({ name, shape, rule, watch, clean }) : null;
  }

  /** `now` is undefined where the value could not be read. */
  step(before: WatchedBaseline | undefined, now: Held | undefined): Step {
    if (now === undefined) return this.#still(before ?? { held: { value: null } });
    if (before === undefined) return this.#still(this.#withRows({ held: now }));
    const rows = this.#rows;
    const known = before.rows;
    if (rows !== null && known !== undefined && Array.isArray(now.value) && rows.fits(now.value)) {
      const { next, unreported, entries, repeated } = rows.settle(known, now.value);
      const held = { value: now.value.length };
      const warnings = this.#warningsOf(repeated);
      return { next: { held, rows: next }, unreported: { held, rows: unreported }, entries, warnings };
    }
    return this.#stepWhole(this.#withoutRows(before), now);
  }

  /** The same baseline with what is too large as digests. */
  keep(field: WatchedBaseline, keeping: Keeping): WatchedBaseline {
    const { rows } = field;
    if (rows === undefined || !keeping.fitsRows(rows)) return keeping.field(this.#withoutRows(field), this.#comparison);
    return { held: field.held, rows };
  }

  #stepWhole(before: FieldBaseline, now: Held): Step {
    const { next, unreported, passed } = settle(before, now, this.#comparison.isSame, this.#watch);
    const entries = passed === null ? [] : describeStep(this.#name, passed, this.#comparison);
    return { ...this.#still(this.#withRows(next)), unreported: this.#withRows(unreported), entries };
  }

  #still(field: WatchedBaseline): Step {
    return { next: field, unreported: field, entries: [], warnings: [] };
  }

  #withRows(field: FieldBaseline): WatchedBaseline {
    const { held, pending } = field;
    const isWhole = Array.isArray(held.value) && held.digest === undefined && pending === undefined;
    if (this.#rows === null || !isWhole || !Array.isArray(held.value) || !this.#rows.fits(held.value)) return field;
    return { held: { value: held.value.length }, rows: this.#rows.start(held.value) };
  }

  #withoutRows({ rows, ...field }: WatchedBaseline): FieldBaseline {
    if (rows === undefined || this.#rows === null || !isThere(field.held)) return field;
    return { ...field, held: { value: this.#rows.rebuild(rows) } };
  }

  #warningsOf(repeated: readonly string[]): readonly string[] {
    if (repeated.length === 0) return [];
    return [`${this.#name}: several rows have the key ${repeated.slice(0, 3).join(', ')}; the last one counts`];
  }
}
