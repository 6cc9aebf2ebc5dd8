import type { FieldBaseline, Held, RowBaseline } from './baseline.ts';
import type { Comparison } from './comparison.ts';
import { cutValue, sizeOf } from './cutting.ts';
import { digestOf } from './normal-form.ts';

/** Characters of JSON that a whole baseline, one field of it, and a value not yet confirmed may have. */
const MOST = 2 * 1024 * 1024;
const MOST_OF_FIELD = 256 * 1024;
const MOST_OF_PENDING = 4 * 1024;
const EXCERPT = 1000;

/** Keeps values for the next run as long as there is room, and digests of them beyond. */
export class Keeping {
  #left = MOST;

  /** Whether rows can be kept with their baselines; takes the room if so. */
  fitsRows(rows: Readonly<Record<string, RowBaseline>>): boolean {
    const size = sizeOf(rows);
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }

  field({ held, pending }: FieldBaseline, { text }: Comparison): FieldBaseline {
    const kept = this.#held(held, text, MOST_OF_FIELD);
    if (pending === undefined) return { held: kept };
    return { held: kept, pending: { ...pending, seen: this.#held(pending.seen, text, MOST_OF_PENDING) } };
  }

  #held(held: Held, text: Comparison['text'], most: number): Held {
    if (held.digest !== undefined) return held;
    const size = sizeOf(held.value);
    if (size <= most && size <= this.#left) {
      this.#left -= size;
      return held;
    }
    return { ...held, value: cutValue(held.value, EXCERPT), digest: digestOf(text(held.value)) };
  }
}
