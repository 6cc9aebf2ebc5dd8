import { z } from 'zod';
import { SERVED_TIERS } from '#engine/credits/prices.ts';
import { EvictionCause } from '#engine/results/artifacts.ts';
import { nameSchema } from '#extract/schema/names.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { setMember } from '#extract/values/json.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { isErrorCode } from '#kernel/errors.ts';
import type { Sealer } from '#kernel/sealer.ts';
import { STORE_PARTS } from '#store/db.ts';

/** `completed`, `failed` and `cancelled` are terminal: they never change, except to `expired`. */
export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

/** A row of `jobs`. Times are ms. */
export const JobRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  request_id: z.string(),
  /**
   * The record that the job runs for, such as a monitor; null for a job submitted by the tenant. Owned jobs are not
   * listed as jobs.
   */
  owner_id: z.string().nullable(),
  kind: z.string(),
  long_running: z.number(),
  input: z.string().nullable(),
  max_credits: z.number().nullable(),
  status: z.enum(JOB_STATUSES),
  attempt: z.number(),
  cancel_requested: z.number(),
  created_at: z.number(),
  started_at: z.number().nullable(),
  finished_at: z.number().nullable(),
  expires_at: z.number().nullable(),
  due_at: z.number(),
  /** How often it has waited for the store since its last progress, since when (ms), and for which part. */
  waits: z.number(),
  waiting_since: z.number().nullable(),
  waiting_for: z.enum(STORE_PARTS).nullable().catch(null),
  /** Time that does not count towards the job timeout, because the store was unavailable. */
  paused_ms: z.number(),
  lease_token: z.string().nullable(),
  version: z.number(),
  discovered: z.number(),
  completed: z.number(),
  failed: z.number(),
  total: z.number().nullable(),
  pending: z.number().nullable(),
  stop_reason: z.string().nullable(),
  error_code: z.string().nullable(),
  error_message: z.string().nullable(),
  evicted_for: EvictionCause.nullable().catch(null),
  usage: z.string().nullable(),
  segments: z.number(),
  archived: z.number(),
  /** Whether a feature is notified of its end. */
  notify: z.number(),
  /** Whether it has had effects that must not be repeated. */
  effects: z.number(),
});

export type JobRow = z.output<typeof JobRow>;

const instant = z.iso.datetime().nullable();

export const JobUsage = nameSchema(
  'Usage',
  z.object({
    credits: z.int().nonnegative(),
    base: z.int().nonnegative(),
    surcharge: z.int().nonnegative(),
    tier: z.enum(SERVED_TIERS).describe('The tier that served it; for several pages the most expensive one'),
    tiers: z.partialRecord(z.enum(SERVED_TIERS), z.int()).optional().describe('Pages by tier, if there are several'),
  }),
);

const JobWait = nameSchema(
  'JobWait',
  z.object({
    for: z.enum(STORE_PARTS).describe('What is unavailable: the database, or the store of results'),
    since: z.iso.datetime(),
    tries: z.int().describe('Attempts that failed for this reason since then'),
    next_at: z.iso.datetime().describe('When it is retried; after an hour the attempts count like any others'),
  }),
);

/** A job as callers see it. */
export const JobRecord = z.object({
  id: z.string(),
  kind: z.string().describe('The operation that runs'),
  input: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe('Secrets masked; null when the job is deleted or expired'),
  status: z.enum(JOB_STATUSES),
  progress: z.object({
    discovered: z.int(),
    completed: z.int(),
    failed: z.int(),
    total: z.int().optional().describe('Absent while it is not known'),
    pending: z.int().optional().describe('URLs that a crawl or map still has to visit'),
  }),
  attempt: z.int().describe('Number of attempts, at most 5'),
  cancel_requested: z.boolean(),
  created_at: z.iso.datetime(),
  started_at: instant,
  finished_at: instant,
  expires_at: instant.describe('When the result is deleted; null until the job has ended'),
  stop_reason: z.string().optional(),
  waiting: JobWait.optional().describe(
    'Set for a queued job that waits for the store of the service. It continues automatically, and the attempt does not count',
  ),
  evicted_for: EvictionCause.optional().describe(
    'Why the result was deleted early: the plan keeps no more bytes of results, or the disk of the service was full',
  ),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  result_url: z.string(),
  result: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'For a completed job: the result if it has up to 256 KiB; for a longer list the first elements and next_cursor; otherwise see result_url',
    ),
  usage: JobUsage.nullable().describe('Null if nothing was charged yet'),
  summarized: z
    .boolean()
    .optional()
    .describe('True in lists if a long input is truncated; the job itself has the full input'),
});

export type JobRecord = z.output<typeof JobRecord>;

export type JobInput = Readonly<Record<string, unknown>>;

const Input = z.record(z.string(), z.unknown());

const MASK = '********';
/** Parameters whose values are secrets. `fetch` contains the same parameters for each page. */
const SECRET_MEMBERS = ['cookies', 'headers', 'variables'] as const;

/** Decrypts the input of a job; null if it was deleted. */
export function openInput(sealer: Sealer, { input }: JobRow): JobInput | null {
  return input === null ? null : Input.parse(JSON.parse(sealer.open(input)));
}

/** Computes the status including expiry, which upkeep writes later. */
export function computeStatus({ status, expires_at }: JobRow, now: number): JobStatus {
  return expires_at !== null && expires_at <= now ? 'expired' : status;
}

/** Whether a job in this state will never run again. */
export function isTerminal(status: JobStatus): boolean {
  return status !== 'queued' && status !== 'running';
}

/** Converts a row to a record. `input` is the decrypted input; null if it was deleted. */
export function toRecord(row: JobRow, input: JobInput | null, now: number): JobRecord {
  const status = computeStatus(row, now);
  const { discovered, completed, failed, total, pending } = row;
  return {
    id: row.id,
    kind: row.kind,
    input: input === null || status === 'expired' ? null : maskInput(input),
    status,
    progress: {
      discovered,
      completed,
      failed,
      ...(total === null ? {} : { total }),
      ...(pending === null ? {} : { pending }),
    },
    attempt: row.attempt,
    cancel_requested: row.cancel_requested === 1,
    created_at: toTimestamp(row.created_at),
    started_at: toInstant(row.started_at),
    finished_at: toInstant(row.finished_at),
    expires_at: toInstant(row.expires_at),
    ...(row.stop_reason === null ? {} : { stop_reason: row.stop_reason }),
    ...toWaiting(row),
    ...(row.evicted_for === null ? {} : { evicted_for: row.evicted_for }),
    error: toError(row),
    result_url: `/v1/jobs/${row.id}/result`,
    usage: row.usage === null ? null : JobUsage.parse(JSON.parse(row.usage)),
  };
}

function toInstant(at: number | null): string | null {
  return at === null ? null : toTimestamp(at);
}

function toWaiting(row: JobRow): Pick<JobRecord, 'waiting'> {
  const { status, waits: tries, waiting_since: since, waiting_for: part, due_at: dueAt } = row;
  if (status !== 'queued' || since === null || part === null) return {};
  return { waiting: { for: part, since: toTimestamp(since), tries, next_at: toTimestamp(dueAt) } };
}

function toError({ error_code: code, error_message: message }: JobRow): JobRecord['error'] {
  return code === null ? null : { code: isErrorCode(code) ? code : 'internal_error', message: message ?? '' };
}

/** Masks the secrets of an input. */
export function maskInput(input: JobInput): Record<string, unknown> {
  const masked = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, isSecret(name) ? maskValues(value) : value]),
  );
  const { fetch: inner, urls } = masked;
  return {
    ...masked,
    ...(isJsonObject(inner) ? { fetch: maskInput(inner) } : {}),
    ...(Array.isArray(urls) ? { urls: urls.map((one: unknown) => (isJsonObject(one) ? maskInput(one) : one)) } : {}),
  };
}

function isSecret(name: string): boolean {
  return SECRET_MEMBERS.some((member) => member === name);
}

/** Replaces the values of `[{name, value}]` and `{name: value}`. */
function maskValues(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map((item: unknown) => (isJsonObject(item) ? { ...item, value: MASK } : MASK));
  }
  return isJsonObject(value) ? Object.fromEntries(Object.keys(value).map((name) => [name, MASK])) : MASK;
}

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
    const shortened = value.length <= Math.min(MAX_TEXT_CHARS, room.left) ? value : truncateText(value, room);
    room.left -= shortened.length;
    return shortened;
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
  const shortened: Record<string, unknown> = {};
  for (const name of Object.keys(object).slice(0, MAX_MEMBERS)) {
    if (name.length > MAX_TEXT_CHARS) continue;
    const room = roomOf();
    room.left -= name.length;
    setMember(shortened, name, truncateValue(object[name], room, depth + 1));
  }
  return shortened;
}

function truncateText(text: string, { left }: Budget): string {
  return `${text.slice(0, Math.max(0, Math.min(MAX_TEXT_CHARS, left) - 1)).toWellFormed()}…`;
}
