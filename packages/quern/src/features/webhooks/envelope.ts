import { toTimestamp } from '#kernel/clock.ts';
import type { EventType } from './schema.ts';

/** A larger body is truncated to `TARGET_BYTES`. */
const MAX_BYTES = 256 * 1024;
const TARGET_BYTES = 20 * 1024;
/** Longer text is truncated if the body is too large. */
const MAX_TEXT_LENGTH = 1000;
const MAX_LIST_LENGTH = 500;
const MAX_DEPTH = 8;

type JsonMembers = Readonly<Record<string, unknown>>;

/** An event before it is formatted as the body of a delivery. */
export type WebhookEvent = {
  readonly id: string;
  readonly type: EventType;
  /** When it happened, ms. */
  readonly at: number;
  /**
   * Fields that identify the subject: `monitor_id`, `run_id`, `change_id`, `monitor`, `metadata`, `first_run`, or
   * `job_id`.
   */
  readonly about: JsonMembers;
  readonly data: JsonMembers;
  /** Path of the complete record, for a truncated body. */
  readonly path: string;
};

/**
 * Builds the body of an event. A body of more than 256 KiB is truncated to about 20 KiB: lists to their first elements,
 * long text to its beginning. It then has `truncated: true`, and the path of the complete record as `url`.
 */
export function buildEnvelope({ id, type, at, about, data, path }: WebhookEvent): string {
  const head = { id, type, timestamp: toTimestamp(at), api_version: '1.0.0', ...about };
  const whole = JSON.stringify({ ...head, data });
  if (Buffer.byteLength(whole) <= MAX_BYTES) return whole;
  const marked = { ...head, truncated: true, url: path };
  // Halve the number of elements and the length of texts until it fits.
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
