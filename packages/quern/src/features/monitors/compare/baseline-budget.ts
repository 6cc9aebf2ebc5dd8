import type { FieldBaseline, ComparedValue, RowBaseline } from './baseline.ts';
import type { Comparison } from './comparison.ts';
import { cutValue, jsonSize } from './truncation.ts';
import { digestOf } from './normal-form.ts';

/** Most characters of JSON of a whole baseline, of one field, and of a value not yet confirmed. */
const MAX = 2 * 1024 * 1024;
const MAX_OF_FIELD = 256 * 1024;
const MAX_OF_PENDING = 4 * 1024;
const EXCERPT = 1000;

/** The size budget of a baseline: values are kept while it lasts, digests beyond. */
export class BaselineBudget {
  #left = MAX;

  /** Whether row baselines fit; reserves their size if so. */
  fitsRows(rows: Readonly<Record<string, RowBaseline>>): boolean {
    const size = jsonSize(rows);
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }

  field({ held, pending }: FieldBaseline, { text }: Comparison): FieldBaseline {
    const kept = this.#held(held, text, MAX_OF_FIELD);
    if (pending === undefined) return { held: kept };
    return { held: kept, pending: { ...pending, seen: this.#held(pending.seen, text, MAX_OF_PENDING) } };
  }

  #held(held: ComparedValue, text: Comparison['text'], most: number): ComparedValue {
    if (held.digest !== undefined) return held;
    const size = jsonSize(held.value);
    if (size <= most && size <= this.#left) {
      this.#left -= size;
      return held;
    }
    return { ...held, value: cutValue(held.value, EXCERPT), digest: digestOf(text(held.value)) };
  }
}
