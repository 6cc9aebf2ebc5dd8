import { isJsonObject } from '#extract/values/json-object.ts';
import { setMember } from '#extract/values/json.ts';
import type { JobInput } from './job-record.ts';

/** Longer inputs (characters of JSON) are truncated in lists. */
const MAX_FULL_CHARS = 2048;
/** Limits of a truncated input: characters of a field and of a text, fields, items and levels. */
const MAX_MEMBER_CHARS = 400;
const MAX_TEXT_CHARS = 200;
const MAX_MEMBERS = 24;
const MAX_ITEMS = 8;
const MAX_DEPTH = 8;

/** Truncates a long input. Null if `json`, the input as text, is short. */
export function summarizeInput(input: JobInput, json: string): JobInput | null {
  return json.length <= MAX_FULL_CHARS ? null : truncateObject(input, () => ({ left: MAX_MEMBER_CHARS }), 0);
}

type Budget = { left: number };

/** Truncates a value without reading more than it keeps. */
function truncateValue(value: unknown, room: Budget, depth: number): unknown {
  if (typeof value === 'string') {
    const kept = value.length <= Math.min(MAX_TEXT_CHARS, room.left) ? value : truncateText(value, room);
    room.left -= kept.length;
    return kept;
  }
  room.left -= 8;
  if (Array.isArray(value)) {
    const items = depth >= MAX_DEPTH || room.left <= 0 ? [] : value.slice(0, MAX_ITEMS);
    return items.map((item) => truncateValue(item, room, depth + 1));
  }
  if (!isJsonObject(value)) return value;
  return depth >= MAX_DEPTH || room.left <= 0 ? {} : truncateObject(value, () => room, depth);
}

function truncateObject(object: JobInput, roomOf: () => Budget, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(object).slice(0, MAX_MEMBERS)) {
    if (name.length > MAX_TEXT_CHARS) continue;
    const room = roomOf();
    room.left -= name.length;
    setMember(kept, name, truncateValue(object[name], room, depth + 1));
  }
  return kept;
}

function truncateText(text: string, { left }: Budget): string {
  return `${text.slice(0, Math.max(0, Math.min(MAX_TEXT_CHARS, left) - 1)).toWellFormed()}…`;
}
