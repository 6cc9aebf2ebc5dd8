import { z } from 'zod';
import { isJsonObject } from '#extract/values/json-object.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { isErrorCode } from '#kernel/errors.ts';
import type { Sealer } from '#kernel/sealing.ts';
import { SERVED_TIERS } from '#engine/credits/prices.ts';
import { named } from '#extract/schema/names.ts';
import { EvictionCause } from '#engine/results/artifacts.ts';
import { STORE_PARTS } from '#store/db.ts';

/** `completed`, `failed` and `cancelled` are terminal: they never change, except to `expired`. */
export const JOB_STATUSES = ['queued', 'running', 'completed', 'failed', 'cancelled', 'expired'] as const;

export type JobStatus = (typeof JOB_STATUSES)[number];

/** A row of `jobs` as its readers need it; instants are ms. */
export const JobRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  request_id: z.string(),
  /** The record of a feature, such as a monitor, that the job runs for; its tenant sees the job there and not among the jobs. */
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
  /** How often it has waited for the store of the service since it last got on, since when (ms), and for which part. */
  waits: z.number(),
  waiting_since: z.number().nullable(),
  waiting_for: z.enum(STORE_PARTS).nullable().catch(null),
  /** Time that does not count to the time of the job, because the store could not be used. */
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
  /** Whether a feature acts on its end. */
  notify: z.number(),
  /** Whether it has done something that must not be repeated. */
  effects: z.number(),
});

export type JobRow = z.output<typeof JobRow>;

const instant = z.iso.datetime().nullable();

export const JobUsage = named(
  'Usage',
  z.object({
    credits: z.int().nonnegative(),
    base: z.int().nonnegative(),
    surcharge: z.int().nonnegative(),
    tier: z.enum(SERVED_TIERS).describe('What served it; of several pages the costliest'),
    tiers: z.partialRecord(z.enum(SERVED_TIERS), z.int()).optional().describe('Pages by tier, where there are several'),
  }),
);

const JobWait = named(
  'JobWait',
  z.object({
    for: z.enum(STORE_PARTS).describe('What could not be read or written: the database, or the store of results'),
    since: z.iso.datetime(),
    tries: z.int().describe('Attempts that ended so since then'),
    next_at: z.iso.datetime().describe('When it is tried again; after an hour the attempts count as any others'),
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
    pending: z.int().optional().describe('Addresses that a crawl or map still has to look at'),
  }),
  attempt: z.int().describe('How often the job was begun; at most 5'),
  cancel_requested: z.boolean(),
  created_at: z.iso.datetime(),
  started_at: instant,
  finished_at: instant,
  expires_at: instant.describe('When the result goes; null until the job has ended'),
  stop_reason: z.string().optional(),
  waiting: JobWait.optional().describe(
    "Of a queued job that the service's own store put back: it goes on by itself, and the attempt does not count",
  ),
  evicted_for: EvictionCause.optional().describe(
    'Why the result went before its time: the plan keeps no more bytes of results, or the disk of the service was full',
  ),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  result_url: z.string(),
  result: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Of a completed job: up to 256 KiB whole; of a longer list its first elements and next_cursor; else at result_url',
    ),
  usage: JobUsage.nullable().describe('Null until something was charged'),
  summarized: z
    .boolean()
    .optional()
    .describe('True in a list whose input is cut, because it is long; the job itself has it whole'),
});

export type JobRecord = z.output<typeof JobRecord>;

export type JobInput = Readonly<Record<string, unknown>>;

const Input = z.record(z.string(), z.unknown());

const MASK = '********';
/** Members whose values are secrets of the caller; `fetch` holds the same ones for each page. */
const SECRET_MEMBERS = ['cookies', 'headers', 'variables'] as const;

/** The input of a job as it was submitted, null when it is gone. */
export function openInput(sealer: Sealer, { input }: JobRow): JobInput | null {
  return input === null ? null : Input.parse(JSON.parse(sealer.open(input)));
}

/** The status with retention applied, which upkeep may write later. */
export function computeStatus({ status, expires_at }: JobRow, now: number): JobStatus {
  return expires_at !== null && expires_at <= now ? 'expired' : status;
}

/** Whether a job in this state will never run again. */
export function isTerminal(status: JobStatus): boolean {
  return status !== 'queued' && status !== 'running';
}

/** The record of a row; `input` is the opened one, null when it is gone. */
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

/** An input as its tenant sees it. */
export function maskInput(input: JobInput): Record<string, unknown> {
  const masked = Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name, isSecret(name) ? maskValues(value) : value]),
  );
  const { fetch: inner } = masked;
  return isJsonObject(inner) ? { ...masked, fetch: maskInput(inner) } : masked;
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
