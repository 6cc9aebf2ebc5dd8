import { z } from 'zod';
import { MONITOR_KINDS } from '#features/monitors/presets/preset.ts';

/** Reasons why a monitor is inactive. */
export const INACTIVE_REASONS = ['user', 'expired', 'failing', 'plan', 'credits'] as const;

/** Reasons of the event `monitor.stopped`. */
export const MONITOR_STOP_REASONS = ['failing', 'expired', 'suspended'] as const;

/** What started a run. */
export const RUN_TRIGGERS = ['schedule', 'manual', 'create', 'catch_up'] as const;
/**
 * All but `queued` and `running` are final. In the database a run is `queued` until it has ended; its job has the real
 * state.
 */
export const RUN_STATUSES = ['queued', 'running', 'completed', 'partial', 'failed', 'cancelled', 'skipped'] as const;
/** Reasons why a run was skipped. */
export const SKIPPED_REASONS = ['overlap', 'credits_exhausted', 'daily_cap', 'plan', 'backend_unavailable'] as const;

export type MonitorStopReason = (typeof MONITOR_STOP_REASONS)[number];
export type RunTrigger = (typeof RUN_TRIGGERS)[number];
export type RunStatus = (typeof RUN_STATUSES)[number];
export type SkippedReason = (typeof SKIPPED_REASONS)[number];

const count = z.number();
const instant = z.number().nullable();

/** A row of `monitors`. Times are in ms. `body` and `input` are sealed. */
export const MonitorRow = z.object({
  id: z.string(),
  tenant_id: z.string(),
  kind: z.enum(MONITOR_KINDS),
  name: z.string(),
  operation: z.string(),
  body: z.string(),
  input: z.string(),
  long_running: z.number(),
  watch: z.string(),
  metadata: z.string(),
  cron: z.string().nullable(),
  timezone: z.string(),
  active: count,
  inactive_reason: z.enum(INACTIVE_REASONS).nullable(),
  version: count,
  target_version: count,
  baseline: z.string().nullable(),
  next_run_at: instant,
  due_at: instant,
  ticks_per_month: count,
  run_credits: count,
  current_run_id: z.string().nullable(),
  last_completed_run_id: z.string().nullable(),
  last_run_at: instant,
  last_change_at: instant,
  completed_runs: count,
  consecutive_failures: count,
  failing_since: instant,
  backoff_until: instant,
  /** Runs in a row that failed or were skipped. */
  unseen_runs: count,
  /** When the first of them ended. */
  unseen_since: instant,
  /** When `monitor.failing` was sent, null if it was not. */
  failing_at: instant,
  /** Whether the next completed run sends `monitor.recovered`. */
  recovery_due: count,
  /** Whether `monitor.stopped` was sent because the tenant is suspended. */
  rest_announced: count,
  triggered_at: instant,
  digest_from: instant,
  digest_due_at: instant,
  expires_at: instant,
  providers: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
  deleted_at: instant,
});

export type MonitorRow = z.output<typeof MonitorRow>;

/** A monitor with the watch and the target version of one of its runs. */
export const RunOfMonitor = MonitorRow.extend({ run_watch: z.string().nullable(), run_target: z.number() });

/** A row of `monitor_runs`. */
export const RunRow = z.object({
  id: z.string(),
  monitor_id: z.string(),
  started_by: z.enum(RUN_TRIGGERS),
  status: z.enum(RUN_STATUSES),
  skipped_reason: z.enum(SKIPPED_REASONS).nullable(),
  scheduled_for: z.number(),
  queued_at: z.number(),
  started_at: instant,
  finished_at: instant,
  attempt: count,
  missed_ticks: z.number().nullable(),
  changed: count,
  change_id: z.string().nullable(),
  snapshot: z.string().nullable(),
  tier: z.string().nullable(),
  usage: z.string().nullable(),
  error: z.string().nullable(),
});

export type RunRow = z.output<typeof RunRow>;

export const ChangeRow = z.object({
  id: z.string(),
  monitor_id: z.string(),
  run_id: z.string(),
  previous_run_id: z.string().nullable(),
  baseline_run_id: z.string().nullable(),
  detected_at: z.number(),
  kind: z.string(),
  record: z.string(),
  delivery_ids: z.string(),
});

export type ChangeRow = z.output<typeof ChangeRow>;
