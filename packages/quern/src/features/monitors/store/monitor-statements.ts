import { z } from 'zod';
import { toChargeKey } from '#engine/credits/billing.ts';
import { refundCharges } from '#engine/credits/ledger.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Queryable, SqlValue } from '#store/db.ts';
import { readRow, readRows } from '#store/rows.ts';
import { summarizeInput } from '#engine/jobs/job-record.ts';
import type { MonitorDefinition } from './definition.ts';
import type { NextRun } from '#features/monitors/schedule/next-run.ts';
import { MonitorRow } from './rows.ts';
import { freeMonitor } from './run-statements.ts';

const ADD = `with calls (id, tenant_id, kind, name, operation, long_running, body, input, watch, metadata, cron, timezone,
    active, reason, next_run_at, due_at, ticks, credits, at, most, most_all, summary, expires, providers) as (values ($1, $2, $3, $4, $5, cast($6 as bigint),
    $7, $8, $9, $10, $11, $12, cast($13 as bigint), $14, cast($15 as bigint), cast($16 as bigint),
    cast($17 as bigint), cast($18 as bigint), cast($19 as bigint), cast($20 as bigint), cast($21 as bigint), $22,
    cast($23 as bigint), $24))
  insert into monitors (id, tenant_id, kind, name, operation, long_running, body, input, watch, metadata, cron, timezone,
    active, inactive_reason, next_run_at, due_at, ticks_per_month, run_credits, created_at, updated_at, summary,
    expires_at, providers)
  select id, tenant_id, kind, name, operation, long_running, body, input, watch, metadata, cron, timezone,
    active, reason, next_run_at, due_at, ticks, credits, at, at, summary, expires, providers from calls
  where (active = 0 or most is null
      or most > (select count(*) from monitors where monitors.tenant_id = calls.tenant_id and monitors.active = 1))
    and (most_all is null
      or most_all > (select count(*) from monitors where monitors.tenant_id = calls.tenant_id and deleted_at is null))
  on conflict (id) do update set version = monitors.version returning *`;
const LOCK_FOR_TENANT = `update monitors set version = version where tenant_id = $1 and id = $2 and deleted_at is null
  returning *`;
const LOCK = 'update monitors set version = version where id = $1 returning *';
const CHANGE = `update monitors set name = $2, operation = $3, long_running = $4, body = $5, input = $6, watch = $7,
    metadata = $8, cron = $9, timezone = $10, active = $11, inactive_reason = $12, next_run_at = $13, due_at = $14,
    ticks_per_month = $15, run_credits = $16, updated_at = $17, baseline = $18, target_version = $19,
    consecutive_failures = $20, failing_since = $21, backoff_until = $22,
    unseen_runs = $23, failing_at = $24, version = version + 1, summary = $25, expires_at = $26
  where id = $1 returning *`;
const DROP_QUEUED = `delete from jobs where owner_id = $1 and status = 'queued' and stored = 0 returning id, tenant_id`;
/** Jobs with stored results are left to retention. */
const EXPIRE_QUEUED = `update jobs set status = 'expired', input = null, finished_at = $2, expires_at = $2
  where owner_id = $1 and status = 'queued' returning id, tenant_id`;
const CANCEL_RUN = `update monitor_runs set status = 'cancelled', finished_at = $2, watch = null
  where id = $1 and status = 'queued'`;

const RunJob = z.object({ id: z.string(), tenant_id: z.string() });

export type NewMonitor = {
  readonly id: string;
  readonly tenant: string;
  readonly due: NextRun;
  readonly ticks: number;
  /** ms. */
  readonly at: number;
  /** Maximum number of active monitors of the tenant, null for no limit. */
  readonly maxActive: number | null;
  /** Maximum number of all monitors of the tenant, null for no limit. */
  readonly maxMonitors: number | null;
};

/** Adds a monitor, once. Returns null if a limit of the tenant is reached. */
export async function addMonitor(
  tx: Queryable,
  definition: MonitorDefinition,
  { sealed, made }: { readonly sealed: SealedDefinition; readonly made: NewMonitor },
): Promise<MonitorRow | null> {
  const { kind, name, operation, cron, timezone, active, cheapest, expiresAt, providers } = definition;
  const { id, tenant, due, ticks, at, maxActive, maxMonitors } = made;
  const [body, input, summary] = sealed;
  const sites = providers.length === 0 ? null : ` ${providers.join(' ')} `;
  const what = [
    kind,
    name,
    operation.id,
    Number(operation.isLongRunning === true),
    body,
    input,
    ...formatJsonColumns(definition),
  ];
  const when = [cron, timezone, Number(active), active ? null : 'user', due.nextRunAt, due.dueAt];
  return readRow(
    MonitorRow,
    await tx.query(ADD, [
      id,
      tenant,
      ...what,
      ...when,
      ticks,
      cheapest,
      at,
      maxActive,
      maxMonitors,
      summary,
      expiresAt,
      sites,
    ]),
  );
}

/** Locks and reads the row of a tenant's monitor, null if the tenant has no such monitor. */
export async function lockTenantMonitor(tx: Queryable, tenant: string, id: string): Promise<MonitorRow | null> {
  return readRow(MonitorRow, await tx.query(LOCK_FOR_TENANT, [tenant, id]));
}

/** Locks and reads the row of a monitor, even if it is deleted. */
export async function lockMonitor(tx: Queryable, id: string | null): Promise<MonitorRow | null> {
  return readRow(MonitorRow, await tx.query(LOCK, [id]));
}

export type MonitorChange = {
  readonly row: MonitorRow;
  readonly due: NextRun;
  readonly ticks: number;
  /** ms. */
  readonly at: number;
  readonly baseline: string | null;
  /** Whether the target changes. */
  readonly target: 'same' | 'another';
};

/** Writes a new definition of a locked monitor. Returns the new row. */
export async function changeMonitor(
  tx: Queryable,
  definition: MonitorDefinition,
  { sealed, to }: { readonly sealed: SealedDefinition; readonly to: MonitorChange },
): Promise<MonitorRow | null> {
  const { name, operation, cron, timezone, active, cheapest, expiresAt } = definition;
  const { row, due, ticks, at, baseline, target } = to;
  const [body, input, summary] = sealed;
  const what = [
    name,
    operation.id,
    Number(operation.isLongRunning === true),
    body,
    input,
    ...formatJsonColumns(definition),
  ];
  const reason = row.active === 1 ? 'user' : (row.inactive_reason ?? 'user');
  const when = [cron, timezone, Number(active), active ? null : reason, due.nextRunAt, due.dueAt];
  const credits = target === 'same' ? row.run_credits : cheapest;
  const version = row.target_version + (target === 'same' ? 0 : 1);
  // Switching a monitor on or rescheduling it resets its failures.
  const isFresh = active && (row.active === 0 || row.cron !== cron || row.timezone !== timezone);
  const failures = isFresh
    ? [0, null, null, 0, null]
    : [row.consecutive_failures, row.failing_since, row.backoff_until, row.unseen_runs, row.failing_at];
  const values = [row.id, ...what, ...when, ticks, credits, at, baseline, version, ...failures, summary, expiresAt];
  return readRow(MonitorRow, await tx.query(CHANGE, values));
}

/** Cancels the queued run of a locked monitor. */
export async function cancelQueuedRun(tx: Queryable, id: string, now: number): Promise<void> {
  const queued = [...(await tx.query(DROP_QUEUED, [id])), ...(await tx.query(EXPIRE_QUEUED, [id, now]))];
  for (const run of readRows(RunJob, queued)) {
    // The work of an earlier attempt is refunded.
    await refundCharges(tx, { tenant: run.tenant_id, key: toChargeKey(run.id), now });
    await tx.query(CANCEL_RUN, [run.id, now]);
    await freeMonitor(tx, { id: run.id, monitorId: id });
  }
}

/** The sealed parts of a definition, which may contain secrets. `summary` is null unless the body is long. */
export type SealedDefinition = readonly [body: string, input: string, summary: string | null];

export function sealDefinition(sealer: Sealer, { body, input }: MonitorDefinition): SealedDefinition {
  const text = JSON.stringify(body);
  const summary = summarizeInput(body, text);
  return [
    sealer.seal(text),
    sealer.seal(JSON.stringify(input)),
    summary === null ? null : sealer.seal(JSON.stringify(summary)),
  ];
}

function formatJsonColumns({ watch, metadata }: MonitorDefinition): readonly SqlValue[] {
  return [JSON.stringify(watch), JSON.stringify(metadata)];
}
