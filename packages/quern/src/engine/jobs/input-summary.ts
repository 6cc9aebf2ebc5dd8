import { isJsonObject } from '#extract/values/json-object.ts';
import { setMember } from '#extract/values/json.ts';
import type { JobInput } from './job-record.ts';

/** Inputs with more characters of JSON are cut in lists. */
const MAX_WHOLE_LENGTH = 2048;
/** The most characters of one member, and of one text in it, and the most members, items and levels. */
const MAX_OF_MEMBER = 400;
const MAX_OF_TEXT = 200;
const MAX_MEMBERS = 24;
const MAX_ITEMS = 8;
const DEEPEST = 8;

/** The input with long parts cut to their beginning; null where `json`, the input as text, is short. */
export function summaryOf(input: JobInput, json: string): JobInput | null {
  return json.length <= MAX_WHOLE_LENGTH ? null : cutObject(input, () => ({ left: MAX_OF_MEMBER }), 0);
}

type Room = { left: number };

/** Cuts a value; reads no more of it than it keeps. */
function cut(value: unknown, room: Room, depth: number): unknown {
  if (typeof value === 'string') {
    const kept = value.length <= Math.min(MAX_OF_TEXT, room.left) ? value : beginningOf(value, room);
    room.left -= kept.length;
    return kept;
  }
  room.left -= 8;
  if (Array.isArray(value)) {
    const items = depth >= DEEPEST || room.left <= 0 ? [] : value.slice(0, MAX_ITEMS);
    return items.map((item) => cut(item, room, depth + 1));
  }
  if (!isJsonObject(value)) return value;
  return depth >= DEEPEST || room.left <= 0 ? {} : cutObject(value, () => room, depth);
}

function cutObject(object: JobInput, roomOf: () => Room, depth: number): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of Object.keys(object).slice(0, MAX_MEMBERS)) {
    if (name.length > MAX_OF_TEXT) continue;
    const room = roomOf();
    room.left -= name.length;
    setMember(kept, name, cut(object[name], room, depth + 1));
  }
  return kept;
}

function beginningOf(text: string, { left }: Room): string {
  return `${text.slice(0, Math.max(0, Math.min(MAX_OF_TEXT, left) - 1)).toWellFormed()}…`;
}
