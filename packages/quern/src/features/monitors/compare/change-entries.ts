import { isJsonObject } from '#extract/values/json-object.ts';
import { setMember } from '#extract/values/json.ts';
import type { NumericMove } from './decimals.ts';

const MAX_ENTRIES = 500;
const MAX_ENTRIES_BYTES = 64 * 1024;
/** Maximum JSON size of one value of an entry. */
const MAX_VALUE_CHARS = 8 * 1024;
const MAX_DEPTH = 64;

/** Truncates the entries of a change: at most 500 entries and 64 KiB, with large values truncated. */
export function truncateEntries(entries: readonly ChangeEntry[]): {
  readonly changes: readonly ChangeEntry[];
  readonly truncated: boolean;
} {
  const changes: ChangeEntry[] = [];
  let bytes = 2;
  for (const entry of entries.slice(0, MAX_ENTRIES)) {
    const truncated = truncateEntry(entry);
    bytes += Buffer.byteLength(JSON.stringify(truncated)) + 1;
    if (bytes > MAX_ENTRIES_BYTES) break;
    changes.push(truncated);
  }
  return { changes, truncated: changes.length < entries.length || changes.some((entry) => entry.truncated === true) };
}

/** Truncates a JSON value to at most `most` characters: the beginning of a string, array or object. */
export function truncateValue(value: unknown, most: number, depth = 0): unknown {
  if (countJsonChars(value) <= most) return value;
  if (typeof value === 'string') return `${value.slice(0, Math.max(0, Math.floor(most / 6) - 4)).toWellFormed()}…`;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return truncateItems(value, most, depth);
  return isJsonObject(value) ? truncateMembers(value, most, depth) : null;
}

/** Counts the characters of a value as JSON. */
export function countJsonChars(value: unknown): number {
  return typeof value === 'string' && value.length > MAX_VALUE_CHARS * 32
    ? value.length
    : (JSON.stringify(value) ?? 'null').length;
}

function truncateEntry(entry: ChangeEntry): ChangeEntry {
  const { previous_value: previous, new_value: now } = entry;
  if (countJsonChars(previous) <= MAX_VALUE_CHARS && countJsonChars(now) <= MAX_VALUE_CHARS) return entry;
  return {
    ...entry,
    previous_value: truncateValue(previous, MAX_VALUE_CHARS),
    new_value: truncateValue(now, MAX_VALUE_CHARS),
    truncated: true,
  };
}

function truncateItems(items: readonly unknown[], most: number, depth: number): readonly unknown[] {
  const shortened: unknown[] = [];
  let left = most - 2;
  for (const item of items) {
    const size = countJsonChars(item) + 1;
    if (size > left) {
      if (shortened.length === 0 && left > 40) shortened.push(truncateValue(item, left - 1, depth + 1));
      break;
    }
    shortened.push(item);
    left -= size;
  }
  return shortened;
}

function truncateMembers(
  object: Readonly<Record<string, unknown>>,
  most: number,
  depth: number,
): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  let left = most - 2;
  for (const [name, value] of Object.entries(object)) {
    const room = left - JSON.stringify(name).length - 2;
    if (room < 8) break;
    const member = truncateValue(value, room, depth + 1);
    setMember(members, name, member);
    left = room - countJsonChars(member);
  }
  return members;
}

/** One difference that a change reports. */
export type ChangeEntry = {
  /** Name of the field, with the row or index in brackets: `price`, `items[key=SKU1].price`, `tags[2]`. */
  readonly field: string;
  readonly previous_value: unknown;
  readonly new_value: unknown;
  readonly op: 'modified' | 'added' | 'removed' | 'reordered' | 'appeared' | 'disappeared';
  readonly diff?: NumericMove;
  /** Key of the row, if rows have one. */
  readonly key?: string;
  /** ISO 4217 code of a price. */
  readonly currency?: string;
  /** Whether one of the values is truncated. */
  readonly truncated?: true;
};

/** The change of a watched text. */
export type ContentChange = {
  readonly previous_hash: string | null;
  readonly new_hash: string | null;
  readonly added_lines: number;
  readonly removed_lines: number;
  /** Unified diff of at most 256 KiB, null if a text was too long to be compared. */
  readonly unified_diff: string | null;
  readonly diff_truncated: boolean;
};
