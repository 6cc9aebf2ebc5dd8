import { z } from 'zod';
import { toTimestamp } from '#kernel/clock.ts';
import { type JobInput, JobUsage, maskInput } from '#engine/jobs/job-record.ts';
import {
  type ChangeRow,
  INACTIVE_REASONS,
  MONITOR_STOP_REASONS,
  type MonitorRow,
  RUN_STATUSES,
  RUN_TRIGGERS,
  type RunRow,
  SKIPPED_REASONS,
} from './rows.ts';
import { MONITOR_KINDS } from '#features/monitors/presets/preset.ts';
import { ChannelChange, RatesView, StayParams } from '#features/monitors/presets/rates-view.ts';
import { ThresholdInput } from '#features/monitors/compare/watch.ts';
import { RunSnapshot } from '#features/monitors/compare/run-snapshot.ts';
import { FAILING_AFTER } from '#features/monitors/schedule/timing.ts';
import { nameSchema } from '#extract/schema/names.ts';

const instant = z.iso.datetime().nullable();
const JsonMembers = z.record(z.string(), z.unknown());

/** A monitor as callers see it. */
export const MonitorRecord = z.object({
  id: z.string(),
  kind: z.enum(MONITOR_KINDS),
  name: z.string(),
  url: z.string().optional(),
  extract: JsonMembers.optional(),
  provider: z.string().optional().describe('Site of a hotel monitor that watches a single site'),
  property_id: z.string().optional(),
  channels: z
    .array(z.object({ provider: z.string(), property_id: z.string() }))
    .optional()
    .describe('Channels of a hotel monitor that watches several sites'),
  check_in: z.iso.date().optional(),
  check_out: z.iso.date().optional(),
  adults: z.int().optional(),
  children: z.union([z.array(z.int()), z.int()]).optional(),
  rooms: z.int().optional(),
  currency: z.string().optional().describe('If omitted, the currency of the property from the first run on'),
  slug: z.string().optional(),
  product_id: z.string().optional(),
  target: z.object({ operation: z.string(), input: JsonMembers.describe('Secrets masked') }).optional(),
  proxy: z.string().optional(),
  use_proxy: z.boolean().optional(),
  timeout_ms: z.int().optional(),
  session: z.string().optional(),
  watch: JsonMembers,
  cron: z.string().nullable().describe('Null for a monitor that only runs when triggered'),
  timezone: z.string(),
  metadata: JsonMembers,
  active: z.boolean(),
  inactive_reason: z.enum(INACTIVE_REASONS).nullable(),
  health: z.enum(['ok', 'failing', 'waiting_first_run']),
  consecutive_failures: z.int(),
  backoff_until: instant.describe('Scheduled runs before this time are skipped because runs failed'),
  next_run_at: instant.describe('When the next run starts, including its delay; null if none will'),
  last_run_at: instant,
  last_change_at: instant,
  current_run_id: z.string().nullable(),
  summarized: z.boolean().optional().describe('True in lists if a long definition is truncated'),
  estimated_credits_per_month: z.int().describe('Scheduled runs of 30 days at the price of the last completed run'),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});

export type MonitorRecord = z.output<typeof MonitorRecord>;

/** A run as callers see it. */
export const RunRecord = nameSchema(
  'Run',
  z.object({
    id: z.string(),
    monitor_id: z.string(),
    trigger: z.enum(RUN_TRIGGERS),
    status: z.enum(RUN_STATUSES),
    skipped_reason: z.enum(SKIPPED_REASONS).optional(),
    scheduled_for: z.iso.datetime(),
    queued_at: z.iso.datetime(),
    started_at: instant,
    finished_at: instant,
    attempt: z.int(),
    missed_ticks: z.int().optional().describe('For catch_up: number of missed ticks including this one'),
    first_run: z.boolean(),
    baseline_reset: z.boolean().optional().describe('The comparison restarted because the watched target was changed'),
    rebased: z.boolean().optional().describe('Prices were not compared because what they include has changed'),
    changed: z.boolean(),
    change_id: z.string().nullable(),
    values: JsonMembers.describe('Observed values by field'),
    field_meta: RunSnapshot.shape.field_meta,
    content_hash: z.string().nullable().optional(),
    channels: RunSnapshot.shape.channels.describe('The rate of each channel, or why there is none'),
    spread: RunSnapshot.shape.spread.describe('Spread of the prices of the channels'),
    reason: RunSnapshot.shape.reason.describe('Why there is no spread'),
    warnings: z.array(z.string()),
    tier: z.string().nullable(),
    final_url: z.string().nullable(),
    http_status: z.int().nullable(),
    usage: JobUsage.nullable().describe('Null for a run that did not complete, which is free'),
    error: z
      .object({
        code: z.string(),
        message: z.string(),
        retryable: z.boolean(),
        blocked: z.boolean().optional(),
        timed_out: z.boolean().optional(),
      })
      .nullable(),
  }),
);

export type RunRecord = z.output<typeof RunRecord>;

const STATE_FIELDS = {
  runs_without_result: z
    .int()
    .describe('Runs in a row that failed or were skipped since the monitor was switched on or rescheduled'),
  since: z.iso.datetime().nullable().describe('When the first of them ended; null if there is none'),
} as const;
const lastError = RunRecord.shape.error;

/** Too many runs in a row had no result. */
export const MonitorFailing = nameSchema(
  'MonitorFailing',
  z.object({
    ...STATE_FIELDS,
    error: lastError.unwrap().describe('Of the last of them'),
    status: z.enum(['failed', 'skipped']).describe('Of the last of them'),
    skipped_reason: z.enum(SKIPPED_REASONS).optional(),
    next_run_at: instant,
  }),
);

/** A run has completed after `monitor.failing`, or after `monitor.stopped` because of failures. */
export const MonitorRecovered = nameSchema('MonitorRecovered', z.object(STATE_FIELDS));

/** The service has stopped running a monitor. */
export const MonitorStopped = nameSchema(
  'MonitorStopped',
  z.object({
    reason: z
      .enum(MONITOR_STOP_REASONS)
      .describe(
        'failing: switched off after too many failures; expired: there is nothing left to watch; suspended: the tenant is suspended, and the monitor resumes by itself afterwards',
      ),
    ...STATE_FIELDS,
    error: lastError.describe('Error of the last failed run, if failures are the reason'),
  }),
);

/** The changes of fields or content. */
export const ChangeFacts = z.object({
  changes: z.array(
    nameSchema(
      'FieldChange',
      z.looseObject({ field: z.string(), previous_value: z.unknown(), new_value: z.unknown(), op: z.string() }),
    ),
  ),
  truncated: z.boolean(),
  content: nameSchema(
    'ContentChange',
    z.object({
      previous_hash: z.string().nullable(),
      new_hash: z.string().nullable(),
      added_lines: z.int(),
      removed_lines: z.int(),
      unified_diff: z.string().nullable(),
      diff_truncated: z.boolean(),
    }),
  ).nullable(),
});

/** The prices of one stay differ too much between sites. */
export const RateParityAlert = nameSchema(
  'RateParityAlert',
  z.object({
    provider_low: z.string(),
    provider_high: z.string(),
    spread: z.object({ abs: z.number(), pct: z.number().nullable() }),
    threshold: ThresholdInput,
    previous_spread: z.object({ abs: z.number(), pct: z.number().nullable() }).nullable(),
    prices: z.array(z.object({ provider: z.string(), price: z.number(), currency: z.string().nullable() })),
    params: StayParams,
  }),
);

const CHANGE_FIELDS = {
  id: z.string(),
  monitor_id: z.string(),
  run_id: z.string(),
  previous_run_id: z.string().nullable(),
  baseline_run_id: z.string().nullable(),
  detected_at: z.iso.datetime(),
  kind: z.string(),
} as const;
const NOTIFICATION_FIELDS = {
  notified: z
    .boolean()
    .describe('Whether a webhook event was or will be sent; with watch.digest only after the end of the period'),
  delivery_ids: z.array(z.string()),
} as const;

/** A change as callers see it. */
export const ChangeRecord = nameSchema(
  'Change',
  z.object({
    ...CHANGE_FIELDS,
    ...ChangeFacts.shape,
    alert: RateParityAlert.optional().describe('For kind parity: the prices of the channels differ too much'),
    ...NOTIFICATION_FIELDS,
  }),
);

/** A rate change as lists of hotel monitors show it: one per changed channel. */
export const HotelChange = nameSchema(
  'HotelChange',
  z.object({ ...CHANGE_FIELDS, ...ChannelChange.shape, params: StayParams, ...NOTIFICATION_FIELDS }),
);

/** The record of a change in its row. */
const StoredChange = ChangeFacts.extend({ alert: RateParityAlert.optional(), view: RatesView.optional() });

export type HotelChange = z.output<typeof HotelChange>;
export type ChangeRecord = z.output<typeof ChangeRecord>;

/** Converts a row to a record. `body` is the unsealed body of the row. */
export function toMonitorRecord(row: MonitorRow, body: JobInput): MonitorRecord {
  const { target, ...rest } = body;
  return MonitorRecord.parse({
    ...rest,
    ...(target === undefined ? {} : { target: maskTarget(target) }),
    id: row.id,
    kind: row.kind,
    ...toProvider(row),
    name: row.name,
    watch: JSON.parse(row.watch),
    cron: row.cron,
    timezone: row.timezone,
    metadata: JSON.parse(row.metadata),
    active: row.active === 1,
    inactive_reason: row.inactive_reason,
    health: getHealth(row),
    consecutive_failures: row.consecutive_failures,
    backoff_until: toInstant(row.backoff_until),
    next_run_at: toInstant(row.due_at),
    last_run_at: toInstant(row.last_run_at),
    last_change_at: toInstant(row.last_change_at),
    current_run_id: row.current_run_id,
    estimated_credits_per_month: row.ticks_per_month * row.run_credits,
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
  });
}

/** Converts a snapshot to the fields of a run record. */
function toSnapshotFields({ baseline_reset: isReset, rebased, content_hash: hash, ...seen }: RunSnapshot) {
  return {
    ...seen,
    ...(isReset ? { baseline_reset: true } : {}),
    ...(rebased ? { rebased: true } : {}),
    ...(hash === null ? {} : { content_hash: hash }),
  };
}

/** The same fields for a run without a result. */
const EMPTY_SNAPSHOT_FIELDS = {
  first_run: false,
  values: {},
  field_meta: {},
  warnings: [],
  final_url: null,
  http_status: null,
};

export function toRunRecord(row: RunRow): RunRecord {
  const snapshot = row.snapshot === null ? null : RunSnapshot.parse(JSON.parse(row.snapshot));
  return RunRecord.parse({
    id: row.id,
    monitor_id: row.monitor_id,
    trigger: row.started_by,
    status: row.status,
    ...(row.skipped_reason === null ? {} : { skipped_reason: row.skipped_reason }),
    scheduled_for: toTimestamp(row.scheduled_for),
    queued_at: toTimestamp(row.queued_at),
    started_at: toInstant(row.started_at),
    finished_at: toInstant(row.finished_at),
    attempt: row.attempt,
    ...(row.missed_ticks === null ? {} : { missed_ticks: row.missed_ticks }),
    ...(snapshot === null ? EMPTY_SNAPSHOT_FIELDS : toSnapshotFields(snapshot)),
    changed: row.changed === 1,
    change_id: row.change_id,
    tier: row.tier,
    usage: row.usage === null ? null : JSON.parse(row.usage),
    error: row.error === null ? null : JSON.parse(row.error),
  });
}

function toChangeRecord(row: ChangeRow): ChangeRecord {
  const stored = StoredChange.parse(JSON.parse(row.record));
  return ChangeRecord.parse({ ...toChangeFields(row), ...stored });
}

/** Converts the row of a change to one change per channel. */
function toHotelChanges(row: ChangeRow): readonly HotelChange[] {
  const { view } = StoredChange.parse(JSON.parse(row.record));
  const head = toChangeFields(row);
  const channels = view?.channels ?? [];
  return channels.map((channel) => HotelChange.parse({ ...head, ...channel, params: view?.params }));
}

/** How lists show the changes of monitors. */
export type ChangeView = {
  /** The schema of one entry. */
  readonly schema: z.ZodType;
  /** The kind of changes that is left out; null if none is. */
  readonly hiddenKind: string | null;
  /** Converts the row of a change to its entries. */
  readonly toEntries: (row: ChangeRow) => readonly unknown[];
};

/** Every change, with its fields. */
export const ALL_CHANGES: ChangeView = {
  schema: ChangeRecord,
  hiddenKind: null,
  toEntries: (row) => [toChangeRecord(row)],
};

/** Changes of hotel rates, one entry per channel, without alerts. */
export const RATE_CHANGES: ChangeView = { schema: HotelChange, hiddenKind: 'parity', toEntries: toHotelChanges };

function toChangeFields(row: ChangeRow) {
  const deliveries: unknown = JSON.parse(row.delivery_ids);
  return {
    id: row.id,
    monitor_id: row.monitor_id,
    run_id: row.run_id,
    previous_run_id: row.previous_run_id,
    baseline_run_id: row.baseline_run_id,
    detected_at: toTimestamp(row.detected_at),
    kind: row.kind,
    notified: Array.isArray(deliveries) && deliveries.length > 0,
    delivery_ids: deliveries,
  };
}

/** Gets the site of a hotel monitor that watches a single site. */
export function toProvider({ kind, providers }: Pick<MonitorRow, 'kind' | 'providers'>) {
  return kind === 'hotel' && providers !== null ? { provider: providers.trim() } : {};
}

function getHealth({ completed_runs: completed, consecutive_failures: failures, failing_at: failingAt }: MonitorRow) {
  if (failures >= FAILING_AFTER || failingAt !== null) return 'failing';
  return completed === 0 ? 'waiting_first_run' : 'ok';
}

function maskTarget(target: unknown): unknown {
  const { operation, input } = z.object({ operation: z.string(), input: JsonMembers }).parse(target);
  return { operation, input: maskInput(input) };
}

function toInstant(at: number | null): string | null {
  return at === null ? null : toTimestamp(at);
}
