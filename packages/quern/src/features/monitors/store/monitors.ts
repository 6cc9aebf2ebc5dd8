import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db, Queryable } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Caller } from '#engine/identity/caller.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import type { JobInput } from '#engine/jobs/job-record.ts';
import type { WebhookInput, WebhookView } from '#features/webhooks/schema.ts';
import type { WebhookDraft, Webhooks } from '#features/webhooks/webhooks.ts';
import { Baseline } from '#features/monitors/compare/baseline.ts';
import { isSameTarget, keepMatchingBaseline, type MonitorDefinition, type RunTarget } from './definition.ts';
import { endOutdatedWindow } from './digest-windows.ts';
import { type NextRun, type NextRunCalculator, NO_NEXT_RUN } from '#features/monitors/schedule/next-run.ts';
import { MonitorRow } from './rows.ts';
import { type MonitorKind } from '#features/monitors/presets/preset.ts';
import {
  addMonitor,
  cancelQueuedRun,
  type MonitorChange,
  changeMonitor,
  lockTenantMonitor,
  sealDefinition,
} from './monitor-statements.ts';
import { type MonitorRecord, toMonitorRecord } from './monitor-record.ts';
import { createRunStatements, type NewRun } from './run-statements.ts';
import { countTicksIn30Days } from '#features/monitors/schedule/schedule.ts';

const FIND = 'select * from monitors where tenant_id = $1 and id = $2 and deleted_at is null';
/** Columns of a list: the summary of a long body, and no columns that only runs need. */
const LISTED = [
  ...Object.keys(MonitorRow.shape).filter((name) => !['body', 'input', 'baseline'].includes(name)),
  'coalesce(summary, body) as body',
  "'' as input",
  'null as baseline',
  'case when summary is null then 0 else 1 end as is_summary',
].join(', ');
const LIST = `select ${LISTED} from monitors
  where tenant_id = $1 and id < $2 and deleted_at is null
    and (cast($3 as bigint) is null or active = $3) and (cast($4 as text) is null or $4 like '% ' || kind || ' %')
    and (cast($5 as text) is null or providers like $5)
  order by id desc limit $6`;
const COUNT_OTHERS = 'select count(*) as n from monitors where tenant_id = $1 and active = 1 and id <> $2';
const DELETE = `update monitors set deleted_at = $3, active = 0, next_run_at = null, due_at = null, current_run_id = null,
    digest_from = null, digest_due_at = null
  where tenant_id = $1 and id = $2 and deleted_at is null returning id`;
const STOP_RUNNING = `update jobs set cancel_requested = 1, version = version + 1
  where owner_id = $1 and status = 'running' returning id`;
const TRIGGER = 'update monitors set triggered_at = $2 where id = $1';
const FIND_STATUS = 'select status from jobs where id = $1';

/** Minimum time between two manual runs of a monitor. */
const TRIGGER_EVERY_MS = 10_000;

const Body = z.record(z.string(), z.unknown());
const Count = z.object({ n: z.number() });
const Id = z.object({ id: z.string() });
const ListedRow = MonitorRow.extend({ is_summary: z.number() });
const Status = z.object({ status: z.enum(['queued', 'running']) });

export type MonitorFilter = {
  readonly tenant: string;
  /** Id of the last monitor of the previous page, null for the first page. */
  readonly after: string | null;
  readonly active: boolean | null;
  /** Null for every kind. */
  readonly kinds: readonly MonitorKind[] | null;
  /** The site of a channel, null for any. */
  readonly provider: string | null;
  readonly limit: number;
};

/** Stores the answer for an idempotency key in the same transaction. */
type RecordAnswer<T> = (tx: Queryable, made: T) => Promise<void>;

export type MonitorCreation = {
  readonly definition: MonitorDefinition;
  readonly webhook: WebhookInput | null;
  readonly record: RecordAnswer<MonitorView>;
};

/** A stored monitor, and the body that a change is merged into. */
export type StoredMonitor = {
  readonly version: number;
  /** As the caller wrote it, without the webhook, which is stored separately. */
  readonly body: JobInput;
  /** The definition as validated. */
  readonly definition: MonitorDefinition;
};

export type MonitorUpdate = {
  /** The version that the change is based on. */
  readonly version: number;
  readonly definition: MonitorDefinition;
  /** Undefined keeps the webhook, null removes it. */
  readonly webhook: WebhookInput | null | undefined;
};

export type TriggeredRun = { readonly run_id: string; readonly status: 'queued' | 'running'; readonly deduped?: true };

/** A monitor with its webhook, as callers see it. */
export type MonitorView = MonitorRecord & { readonly webhook: WebhookView | null };

export type MonitorParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  /** Seals the inputs of jobs. */
  readonly sealer: Sealer;
  readonly notifications: Notifications;
  readonly nextRuns: NextRunCalculator;
  readonly webhooks: Webhooks;
};

type Owner = { readonly tenant: string; readonly id: string };
type Plan = Caller['plan'];

/** Monitors as their tenants see and change them. Monitors of other tenants are `not_found`. */
export class Monitors {
  readonly #parts: MonitorParts;
  readonly #runs: ReturnType<typeof createRunStatements>;

  constructor(parts: MonitorParts) {
    this.#parts = parts;
    this.#runs = createRunStatements(parts.db.kind);
  }

  /** Creates a monitor and queues its first run. Throws `plan_upgrade_required` above the limits of the plan. */
  async create({ tenant, plan }: Caller, { definition, webhook, record }: MonitorCreation): Promise<MonitorView> {
    const { inTurn, clock, sealer, notifications, webhooks } = this.#parts;
    const at = clock.now();
    const [id, runId] = [newId('mon', at), newId('run', at)];
    const { active } = definition;
    const draft = this.#toDraft(webhook) ?? null;
    const sealed = sealDefinition(sealer, definition);
    const timing = { due: this.#computeFirstRun(id, definition, at), ticks: this.#countTicks(definition, at), at };
    const made = { id, tenant, ...timing, maxActive: plan.active_monitors, maxMonitors: plan.monitors };
    const created = await inTurn({ tenant: tenant }, async (tx) => {
      const row = await addMonitor(tx, definition, { sealed, made });
      if (row === null) return null;
      const webhookView = draft === null ? null : await webhooks.saveWebhook(tx, { tenant, id }, draft);
      if (active) await this.#addRun(tx, { id: runId, monitorId: id, trigger: 'create', at });
      const view = { ...this.#toRecord({ ...row, current_run_id: active ? runId : null }), webhook: webhookView };
      await record(tx, view);
      return view;
    });
    if (created === null) throw buildLimitError(plan);
    notifications.notify('queue');
    return created;
  }

  async find(tenant: string, id: string): Promise<MonitorView> {
    const row = await this.#load(tenant, id);
    return { ...this.#toRecord(row), webhook: await this.#parts.webhooks.findWebhook(this.#parts.db, id) };
  }

  /** Lists monitors, newest first. */
  async list({ tenant, after, active, kinds, provider, limit }: MonitorFilter): Promise<readonly MonitorView[]> {
    const { db, webhooks } = this.#parts;
    const wanted = [
      active === null ? null : Number(active),
      kinds === null ? null : ` ${kinds.join(' ')} `,
      provider === null ? null : `% ${provider} %`,
    ];
    const rows = readRows(ListedRow, await db.query(LIST, [tenant, after ?? '~', ...wanted, limit]));
    const ids = rows.map(({ id }) => id);
    const views = await webhooks.findWebhooks(db, ids);
    return rows.map(({ is_summary: isSummary, ...row }) => ({
      ...this.#toRecord(row),
      ...(isSummary === 1 ? { summarized: true } : {}),
      webhook: views.get(row.id) ?? null,
    }));
  }

  /** Reads the version and the definition that a change is based on. */
  async read(tenant: string, id: string): Promise<StoredMonitor> {
    const row = await this.#load(tenant, id);
    const { version, kind, name, cron, timezone, expires_at: expiresAt } = row;
    const schedule = { name, cron, timezone, active: row.active === 1 };
    const [watch, metadata] = [Body.parse(JSON.parse(row.watch)), Body.parse(JSON.parse(row.metadata))];
    const body = this.#unseal(row.body);
    const operation = { id: row.operation, isLongRunning: row.long_running === 1 };
    const providers = (row.providers ?? '').split(' ').filter((word) => word !== '');
    const preset = { kind, expiresAt, providers };
    const run = { ...preset, operation, input: this.#unseal(row.input), cheapest: row.run_credits };
    return {
      version,
      body: { ...body, watch, metadata, ...schedule },
      definition: { ...run, ...schedule, body, watch, metadata },
    };
  }

  /** Throws `not_found` if the monitor is of another kind, or does not exist. */
  async assertKind(tenant: string, id: string, kinds: readonly MonitorKind[]): Promise<void> {
    if (!kinds.includes((await this.#load(tenant, id)).kind)) throw buildUnknownMonitorError(id);
  }

  /** Reads the operation and the input of each run. */
  async readTarget(tenant: string, id: string): Promise<RunTarget> {
    return this.#readRunTarget(await this.#load(tenant, id));
  }

  /** Writes a change. Returns null if the monitor was changed concurrently. */
  async patch(
    { tenant, plan }: Caller,
    id: string,
    { version, definition, webhook }: MonitorUpdate,
  ): Promise<MonitorView | null> {
    const { inTurn, clock, sealer } = this.#parts;
    const draft = this.#toDraft(webhook);
    const sealed = sealDefinition(sealer, definition);
    const patched = await inTurn({ tenant: tenant }, async (tx): Promise<MonitorView | 'too many' | null> => {
      const row = await lockExisting(tx, tenant, id);
      if (row.version !== version) return null;
      if (definition.active && row.active === 0 && !(await canActivate(tx, { tenant, id }, plan))) return 'too many';
      const now = clock.now();
      if (!definition.active) await cancelQueuedRun(tx, id, now);
      await endOutdatedWindow(tx, row, { definition, now });
      const changed = await changeMonitor(tx, definition, { sealed, to: this.#buildChange(row, definition, now) });
      if (changed === null) throw buildUnknownMonitorError(id);
      return { ...this.#toRecord(changed), webhook: await this.#changeWebhook(tx, { tenant, id }, draft) };
    });
    if (patched === 'too many') throw buildLimitError(plan);
    return patched;
  }

  /** Deletes a monitor. Its queued run is cancelled, a running one is stopped, and nothing more is delivered. */
  async remove(tenant: string, id: string): Promise<void> {
    const { db, clock, notifications, webhooks } = this.#parts;
    await db.transaction(async (tx) => {
      const now = clock.now();
      if ((await tx.query(DELETE, [tenant, id, now])).length === 0) throw buildUnknownMonitorError(id);
      await cancelQueuedRun(tx, id, now);
      await webhooks.clearWebhook(tx, id);
    });
    // Outside the transaction, because an ending run waits for the lock of the monitor.
    for (const run of readRows(Id, await db.query(STOP_RUNNING, [id]))) notifications.notify(run.id);
    notifications.notify('cancelled');
  }

  /** Queues a run now, or returns the active one. Throws `rate_limited`. */
  async trigger(tenant: string, id: string, record: RecordAnswer<TriggeredRun>): Promise<TriggeredRun> {
    const { db, clock, notifications } = this.#parts;
    const runId = newId('run', clock.now());
    const triggered = await db.transaction(async (tx) => {
      const monitor = await lockExisting(tx, tenant, id);
      const answer = (await findActiveRun(tx, monitor)) ?? (await this.#queueRun(tx, monitor, runId));
      await record(tx, answer);
      return answer;
    });
    notifications.notify('queue');
    return triggered;
  }

  async #queueRun(tx: Queryable, monitor: MonitorRow, runId: string): Promise<TriggeredRun> {
    const { id, triggered_at: last } = monitor;
    const now = this.#parts.clock.now();
    if (last !== null && now - last < TRIGGER_EVERY_MS && now >= last)
      throw buildRateError(last + TRIGGER_EVERY_MS - now);
    await tx.query(TRIGGER, [id, now]);
    await this.#addRun(tx, { id: runId, monitorId: id, trigger: 'manual', at: now });
    return { run_id: runId, status: 'queued' };
  }

  async #addRun(tx: Queryable, { at, ...run }: RunNow): Promise<void> {
    await this.#runs.add(tx, [{ ...run, missedTicks: null, scheduledFor: at, dueAt: at }], at);
  }

  #buildChange(row: MonitorRow, definition: MonitorDefinition, now: number): MonitorChange {
    const before = this.#readRunTarget(row);
    const after = { operation: definition.operation.id, input: definition.input };
    const isSame = isSameTarget(before, after);
    return {
      row,
      due: this.#computeNextRun(row, definition, now),
      ticks: this.#countTicks(definition, now),
      at: now,
      baseline: isSame || row.baseline === null ? row.baseline : keepBaselineText(row.baseline, before, after),
      target: isSame ? 'same' : 'another',
    };
  }

  #computeNextRun(row: MonitorRow, definition: MonitorDefinition, now: number): NextRun {
    const { active, cron, timezone } = definition;
    const isSame = active && row.active === 1 && row.cron === cron && row.timezone === timezone;
    return isSame ? { nextRunAt: row.next_run_at, dueAt: row.due_at } : this.#computeFirstRun(row.id, definition, now);
  }

  /** Computes the first run of a schedule that starts now. */
  #computeFirstRun(id: string, { active, cron, timezone }: MonitorDefinition, now: number): NextRun {
    return active
      ? this.#parts.nextRuns.computeNextRun({ id, cron, timezone, consecutive_failures: 0 }, now)
      : NO_NEXT_RUN;
  }

  #countTicks(definition: MonitorDefinition, now: number): number {
    const schedule = this.#parts.nextRuns.getSchedule(definition);
    return schedule === null ? 0 : countTicksIn30Days(schedule, now);
  }

  #toDraft(webhook: WebhookInput | null | undefined): WebhookDraft | null | undefined {
    return webhook === null || webhook === undefined ? webhook : this.#parts.webhooks.checkInput(webhook);
  }

  async #changeWebhook(
    tx: Queryable,
    owner: Owner,
    draft: WebhookDraft | null | undefined,
  ): Promise<WebhookView | null> {
    const { webhooks } = this.#parts;
    if (draft === undefined) return webhooks.findWebhook(tx, owner.id);
    if (draft !== null) return webhooks.patchWebhook(tx, owner, draft);
    await webhooks.clearWebhook(tx, owner.id);
    return null;
  }

  async #load(tenant: string, id: string): Promise<MonitorRow> {
    const row = readRow(MonitorRow, await this.#parts.db.query(FIND, [tenant, id]));
    if (row === null) throw buildUnknownMonitorError(id);
    return row;
  }

  #readRunTarget({ operation, input }: MonitorRow): RunTarget {
    return { operation, input: this.#unseal(input) };
  }

  #toRecord(row: MonitorRow): MonitorRecord {
    return toMonitorRecord(row, this.#unseal(row.body));
  }

  #unseal(sealed: string): JobInput {
    return Body.parse(JSON.parse(this.#parts.sealer.open(sealed)));
  }
}

type RunNow = Pick<NewRun, 'id' | 'monitorId' | 'trigger'> & { readonly at: number };

/** Whether a plan allows one more active monitor. */
async function canActivate(tx: Queryable, { tenant, id }: Owner, { active_monitors: most }: Plan): Promise<boolean> {
  if (most === null) return true;
  return (readRow(Count, await tx.query(COUNT_OTHERS, [tenant, id]))?.n ?? 0) < most;
}

async function findActiveRun(tx: Queryable, { current_run_id: runId }: MonitorRow): Promise<TriggeredRun | null> {
  if (runId === null) return null;
  const { status } = readRow(Status, await tx.query(FIND_STATUS, [runId])) ?? { status: 'queued' as const };
  return { run_id: runId, status, deduped: true };
}

async function lockExisting(tx: Queryable, tenant: string, id: string): Promise<MonitorRow> {
  const row = await lockTenantMonitor(tx, tenant, id);
  if (row === null) throw buildUnknownMonitorError(id);
  return row;
}

function keepBaselineText(baseline: string, from: RunTarget, to: RunTarget): string | null {
  const matching = keepMatchingBaseline(Baseline.parse(JSON.parse(baseline)), from, to);
  return matching === null ? null : JSON.stringify(matching);
}

function buildLimitError({ name, active_monitors: most, monitors: all }: Plan): ServiceError {
  const why = `plan ${name} allows ${most ?? 'any number of'} active monitors and ${all ?? 'any number'} in total: deactivate or delete one, or upgrade`;
  return new ServiceError('plan_upgrade_required', why);
}

function buildRateError(waitMs: number): ServiceError {
  const seconds = Math.ceil(waitMs / 1000);
  const why = `a monitor can be triggered once per ${TRIGGER_EVERY_MS / 1000} s: try again in ${seconds} s`;
  return new ServiceError('rate_limited', why, { retryAfterSeconds: seconds });
}

/** Builds the error for an unknown monitor, or one of another tenant. */
export function buildUnknownMonitorError(id: string): ServiceError {
  return new ServiceError('not_found', `no monitor ${id}`);
}
