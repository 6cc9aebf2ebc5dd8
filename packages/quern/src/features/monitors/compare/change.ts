import type { NumericMove } from './decimals.ts';

/** One difference that a change reports. */
export type ChangeEntry = {
  /** The field's name, with the row or index in brackets: `price`, `items[key=SKU1].price`, `tags[2]`. */
  readonly field: string;
  readonly previous_value: unknown;
  readonly new_value: unknown;
  readonly op: 'modified' | 'added' | 'removed' | 'reordered' | 'appeared' | 'disappeared';
  readonly diff?: NumericMove;
  /** The key of the row, where rows have one. */
  readonly key?: string;
  /** ISO 4217 code of a price. */
  readonly currency?: string;
  /** Whether one of the values is cut. */
  readonly truncated?: true;
};

/** The change of a watched text. */
export type ContentChange = {
  readonly previous_hash: string | null;
  readonly new_hash: string | null;
  readonly added_lines: number;
  readonly removed_lines: number;
  /** Unified, at most 256 KiB; null where a text was too long to be compared. */
  readonly unified_diff: string | null;
  readonly diff_truncated: boolean;
};
