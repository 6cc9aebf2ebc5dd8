import type { Move } from './decimals.ts';

/** One difference that a change reports. */
export type ChangeEntry = {
  /** A name of the target, with the row or index in brackets: `price`, `items[key=SKU1].price`, `tags[2]`. */
  readonly field: string;
  readonly previous_value: unknown;
  readonly new_value: unknown;
  readonly op: 'modified' | 'added' | 'removed' | 'reordered' | 'appeared' | 'disappeared';
  readonly diff?: Move;
  /** What tells the row apart, where rows have a key. */
  readonly key?: string;
  /** ISO 4217 code of a price. */
  readonly currency?: string;
  /** Whether one of the values is shown in part. */
  readonly truncated?: true;
};

/** What changed in a watched text. */
export type ContentChange = {
  readonly previous_hash: string | null;
  readonly new_hash: string | null;
  readonly added_lines: number;
  readonly removed_lines: number;
  /** Unified, at most 256 KiB; null where a text was too long to be compared. */
  readonly unified_diff: string | null;
  readonly diff_truncated: boolean;
};
