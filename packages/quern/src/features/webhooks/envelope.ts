import { toTimestamp } from '#kernel/clock.ts';
import type { EventType } from './schema.ts';

/** A body beyond this is cut down to `TARGET_BYTES`. */
const MAX_BYTES = 256 * 1024;
const TARGET_BYTES = 20 * 1024;
/** Longer text is cut where a body must be. */
const MAX_TEXT_LENGTH = 1000;
const MAX_LIST_LENGTH = 500;
const MAX_DEPTH = 8;

type JsonMembers = Readonly<Record<string, unknown>>;

/** An event before it is written as the body of a delivery. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: EventType;
  /** When it happened, ms. */
  readonly at: number;
  /** Identifiers of its subject: `monitor_id`, `run_id`, `change_id`, `monitor`, `metadata`, `first_run`, or `job_id`. */
  readonly about: JsonMembers;
  readonly data: JsonMembers;
  /** The path of the complete record, for a body that had to be cut. */
  readonly path: string;
};

/**
 * The text of an event's body. One of more than 256 KiB is cut to about 20 KiB: lists to their first elements, long text
 * to its beginning; it has `truncated: true` then, and the path of the complete record as `url`.
 */
export function toEnvelope({ id, type, at, about, data, path }: WebhookEvent): string {
  const head = { id, type, timestamp: toTimestamp(at), api_version: '1.0.0', ...about };
  const whole = JSON.stringify({ ...head, data });
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const marked = { ...head, truncated: true, url: path };
  // Half as many elements and half as much text each time, until it fits.
  for (let part = 1; part >= 1 / 256; part /= 2) {
    const text = JSON.stringify({ ...marked, data: truncateValue(data, part, MAX_DEPTH) });
    if (Buffer.byteLength(text) <= TARGET_BYTES) return text;
  }
  const least = JSON.stringify({ ...marked, data: {} });
  if (Buffer.byteLength(least) <= MAX_BYTES) return least;
  return JSON.stringify({
    id,
    type,
    timestamp: head.timestamp,
    api_version: '1.0.0',
    truncated: true,
    url: path,
    data: {},
  });
}

function truncateValue(value: unknown, part: number, depth: number): unknown {
  if (typeof value === 'string') return truncateText(value, Math.max(8, Math.floor(MAX_TEXT_LENGTH * part)));
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return null;
  const most = Math.max(1, Math.floor(MAX_LIST_LENGTH * part));
  if (Array.isArray(value)) return value.slice(0, most).map((one: unknown) => truncateValue(one, part, depth - 1));
  const members = Object.entries(value).slice(0, most);
  return Object.fromEntries(
    members.map(([name, one]) => [truncateText(name, MAX_TEXT_LENGTH), truncateValue(one, part, depth - 1)]),
  );
}

function truncateText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}…`;
}
