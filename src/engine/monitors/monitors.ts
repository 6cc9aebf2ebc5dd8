import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { newId } from '#kernel/ids.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db, Statements } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readRow, readRows } from '#store/rows.ts';
import type { Caller } from '#engine/caller.ts';
import type { News } from '#engine/job-news.ts';
import type { JobInput } from '#engine/job-record.ts';
import type { WebhookInput, WebhookView } from '#engine/webhooks/schema.ts';
import type { WebhookDraft, Webhooks } from '#engine/webhooks/webhooks.ts';
import { Baseline } from './baseline.ts';
import { isSameTarget, keepBaseline } from './definition.ts';
import type { Definition, Target } from './definition.ts';
import { hurryChangedDigest } from './digests.ts';
import { NEVER } from './dues.ts';
import type { Due, Dues } from './dues.ts';
import { MonitorRow } from './monitor-row.ts';
import type { MonitorKind } from './monitor-row.ts';
import { addMonitor, cancelQueuedRun, changeMonitor, lockMonitor, sealDefinition } from './monitor-rows.ts';
import { toMonitorRecord } from './monitor-record.ts';
import type { MonitorRecord } from './monitor-record.ts';
import { buildRunRows } from './run-rows.ts';
import { ticksIn30Days } from './schedule.ts';

const FIND = 'select * from monitors where tenant_id = $1 and id = $2 and deleted_at is null';
/** Of a long body its summary, and nothing of what only runs need. */
const LISTED = [
  ...Object.keys(MonitorRow.shape).filter((name) => !['body', 'input', 'baseline'].includes(name)),
  'coalesce(summary, body) as body',
  "'' as input",
  'null as baseline',
  'case when summary is null then 0 else 1 end as is_summary',
].join(', ');
const LIST = `select ${LISTED} from monitors
  where tenant_id = $1 and id < $2 and deleted_at is null
    and (cast($3 as bigint) is null or active = $3) and (cast($4 as text) is null or kind = $4)
  order by id desc limit $5`;
const COUNT_OTHERS = 'select count(*) as n from monitors where tenant_id = $1 and active = 1 and id <> $2';
const DELETE = `update monitors set deleted_at = $3, active = 0, next_run_at = null, due_at = null, current_run_id = null,
    digest_from = null, digest_due_at = null
  where tenant_id = $1 and id = $2 and deleted_at is null returning id`;
const STOP_RUNNING = `update jobs set cancel_requested = 1, version = version + 1
  where monitor_id = $1 and status = 'running' returning id`;
const TRIGGER = 'update monitors set triggered_at = $2 where id = $1';
const STATUS_OF = 'select status from jobs where id = $1';

/** One run by hand of each monitor in this time. */
const TRIGGER_EVERY_MS = 10_000;

const Body = z.record(z.string(), z.unknown());
const Count = z.object({ n: z.number() });
const Id = z.object({ id: z.string() });
const ListedRow = MonitorRow.extend({ is_summary: z.number() });
const Status = z.object({ status: z.enum(['queued', 'running']) });

export type MonitorFilter = {
  readonly tenant: string;
  /** The id of the last monitor of the page before, null for the first page. */
  readonly after: string | null;
  readonly active: boolean | null;
  readonly kind: MonitorKind | null;
  readonly limit: number;
};

/** Writes what must be there exactly when the effect is, with what is answered of it. */
type Record<T> = (tx: Statements, made: T) => Promise<void>;

export type Creation = {
  readonly definition: Definition;
  readonly webhook: WebhookInput | null;
  readonly record: Record<MonitorView>;
};

/** What a stored monitor is made of, and what of it a change may merge with. */
export type Stored = {
  readonly version: number;
  /** As it was written; without the webhook, which is kept apart. */
  readonly body: JobInput;
  /** As it was accepted. */
  readonly definition: Definition;
};

export type Patch = {
  /** The version that the definition was made from. */
  readonly version: number;
  readonly definition: Definition;
  /** Absent: stays; null: is taken away. */
  readonly webhook: WebhookInput | null | undefined;
};

export type Triggered = { readonly run_id: string; readonly status: 'queued' | 'running'; readonly deduped?: true };

/** A monitor with its webhook, as answers show it. */
export type MonitorView = MonitorRecord & { readonly webhook: WebhookView | null };

export type MonitorParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  /** Of the inputs of jobs. */
  readonly sealer: Sealer;
  readonly news: News;
  readonly dues: Dues;
  readonly webhooks: Webhooks;
};

/** Monitors as their tenants see and change them; another tenant's is `not_found`. */
export type Monitors = ReturnType<typeof buildMonitors>;

export function buildMonitors({ db, inTurn, clock, sealer, news, dues, webhooks }: MonitorParts) {
  const runs = buildRunRows(db.kind);

  function toRecord(row: MonitorRow): MonitorRecord {
    return toMonitorRecord(row, open(row.body));
  }

  function open(sealed: string): JobInput {
    return Body.parse(JSON.parse(sealer.open(sealed)));
  }

  async function load(tenant: string, id: string): Promise<MonitorRow> {
    const row = readRow(MonitorRow, await db.query(FIND, [tenant, id]));
    if (row === null) throw unknownMonitor(id);
    return row;
  }

  function ticksOf(definition: Definition, now: number): number {
    const schedule = dues.scheduleOf(definition);
    return schedule === null ? 0 : ticksIn30Days(schedule, now);
  }

  async function webhookAfter(
    tx: Statements,
    owner: { readonly tenant: string; readonly id: string },
    draft: WebhookDraft | null | undefined,
  ): Promise<WebhookView | null> {
    if (draft === undefined) return webhooks.webhookOf(tx, owner.id);
    if (draft !== null) return webhooks.patchWebhook(tx, owner, draft);
    await webhooks.clearWebhook(tx, owner.id);
    return null;
  }

  function draftOf(webhook: WebhookInput | null | undefined): WebhookDraft | null | undefined {
    return webhook === null || webhook === undefined ? webhook : webhooks.accept(webhook);
  }

  return {
    /** Makes a monitor and queues its first run; throws `plan_upgrade_required` where the plan has no place for it. */
    async create({ tenant, plan }: Caller, { definition, webhook, record }: Creation): Promise<MonitorView> {
      const at = clock.now();
      const [id, runId] = [newId('mon', at), newId('run', at)];
      const { cron, timezone, active } = definition;
      const due = active ? dues.after({ id, cron, timezone, consecutive_failures: 0 }, at) : NEVER;
      const draft = draftOf(webhook) ?? null;
      const sealed = sealDefinition(sealer, definition);
      const limits = { most: plan.active_monitors, mostAll: plan.monitors };
      const facts = { id, tenant, due, ticks: ticksOf(definition, at), at, ...limits };
      const made = await inTurn(`tenant ${tenant}`, async (tx) => {
        const row = await addMonitor(tx, definition, { sealed, made: facts });
        if (row === null) return null;
        const view = draft === null ? null : await webhooks.saveWebhook(tx, { tenant, id }, draft);
        const first = { id: runId, monitorId: id, trigger: 'create', missedTicks: null } as const;
        if (active) await runs.add(tx, [{ ...first, scheduledFor: at, dueAt: at }], at);
        const shown = { ...toRecord({ ...row, current_run_id: active ? runId : null }), webhook: view };
        await record(tx, shown);
        return shown;
      });
      if (made === null) throw tooMany(plan);
      news.spread('queue');
      return made;
    },

    async find(tenant: string, id: string): Promise<MonitorView> {
      const row = await load(tenant, id);
      return { ...toRecord(row), webhook: await webhooks.webhookOf(db, id) };
    },

    /** Newest first. */
    async list({ tenant, after, active, kind, limit }: MonitorFilter): Promise<readonly MonitorView[]> {
      const wanted = active === null ? null : Number(active);
      const rows = readRows(ListedRow, await db.query(LIST, [tenant, after ?? '~', wanted, kind, limit]));
      const views = await webhooks.webhooksOf(
        db,
        rows.map(({ id }) => id),
      );
      return rows.map(({ is_summary: isSummary, ...row }) => ({
        ...toRecord(row),
        ...(isSummary === 1 ? { summarized: true } : {}),
        webhook: views.get(row.id) ?? null,
      }));
    },

    /** What a change of a monitor is merged into. */
    async read(tenant: string, id: string): Promise<Stored> {
      const row = await load(tenant, id);
      const { version, kind, name, cron, timezone } = row;
      const known = { name, cron, timezone, active: row.active === 1 };
      const [watch, metadata] = [Body.parse(JSON.parse(row.watch)), Body.parse(JSON.parse(row.metadata))];
      const body = open(row.body);
      const operation = { id: row.operation, walks: row.walks === 1 };
      const run = { kind, operation, input: open(row.input), cheapest: row.run_credits };
      return {
        version,
        body: { ...body, watch, metadata, ...known },
        definition: { ...run, ...known, body, watch, metadata },
      };
    },

    /** What each run of a monitor is. */
    async target(tenant: string, id: string): Promise<Target> {
      const { operation, input } = await load(tenant, id);
      return { operation, input: open(input) };
    },

    /** Writes a change; null where the monitor is not what the change was made from any more. */
    async patch({ tenant, plan }: Caller, id: string, { version, definition, webhook }: Patch) {
      const draft = draftOf(webhook);
      const sealed = sealDefinition(sealer, definition);
      const patched = await inTurn(`tenant ${tenant}`, async (tx): Promise<MonitorView | 'too many' | null> => {
        const row = await demand(tx, tenant, id);
        if (row.version !== version) return null;
        const now = clock.now();
        if (definition.active && row.active === 0 && plan.active_monitors !== null) {
          const others = readRow(Count, await tx.query(COUNT_OTHERS, [tenant, id]))?.n ?? 0;
          if (others >= plan.active_monitors) return 'too many';
        }
        const before = { operation: row.operation, input: open(row.input) };
        const after = { operation: definition.operation.id, input: definition.input };
        const isSame = isSameTarget(before, after);
        const baseline = isSame || row.baseline === null ? row.baseline : keep(row.baseline, before, after);
        if (!definition.active) await cancelQueuedRun(tx, id, now);
        await hurryChangedDigest(tx, row, { definition, now });
        const changed = await changeMonitor(tx, definition, {
          sealed,
          to: {
            row,
            due: dueAfter(row, definition, now),
            ticks: ticksOf(definition, now),
            at: now,
            baseline,
            target: isSame ? 'same' : 'another',
          },
        });
        if (changed === null) throw unknownMonitor(id);
        return { ...toRecord(changed), webhook: await webhookAfter(tx, { tenant, id }, draft) };
      });
      if (patched === 'too many') throw tooMany(plan);
      return patched;
    },

    /** Forgets a monitor: its queued run is cancelled, a running one stopped, and nothing more is delivered. */
    async remove(tenant: string, id: string): Promise<void> {
      await db.transaction(async (tx) => {
        const now = clock.now();
        if ((await tx.query(DELETE, [tenant, id, now])).length === 0) throw unknownMonitor(id);
        await cancelQueuedRun(tx, id, now);
        await webhooks.clearWebhook(tx, id);
      });
      // By itself, so that it does not hold the monitor while the run that is about to end waits for it.
      for (const run of readRows(Id, await db.query(STOP_RUNNING, [id]))) news.spread(run.id);
      news.spread('cancelled');
    },

    /** Queues a run now; while one is active that one is answered. Throws `rate_limited`. */
    async trigger(tenant: string, id: string, record: Record<Triggered>): Promise<Triggered> {
      const runId = newId('run', clock.now());
      const triggered = await db.transaction(async (tx) => {
        const now = clock.now();
        const { current_run_id: active, triggered_at: last } = await demand(tx, tenant, id);
        if (active !== null) {
          const { status } = readRow(Status, await tx.query(STATUS_OF, [active])) ?? { status: 'queued' as const };
          const answer = { run_id: active, status, deduped: true as const };
          await record(tx, answer);
          return answer;
        }
        if (last !== null && now - last < TRIGGER_EVERY_MS && now >= last) throw tooSoon(last + TRIGGER_EVERY_MS - now);
        await tx.query(TRIGGER, [id, now]);
        const run = { id: runId, monitorId: id, trigger: 'manual', missedTicks: null } as const;
        await runs.add(tx, [{ ...run, scheduledFor: now, dueAt: now }], now);
        const answer = { run_id: runId, status: 'queued' as const };
        await record(tx, answer);
        return answer;
      });
      news.spread('queue');
      return triggered;
    },
  };

  function dueAfter(row: MonitorRow, { active, cron, timezone }: Definition, now: number): Due {
    if (!active) return NEVER;
    const isSame = row.active === 1 && row.cron === cron && row.timezone === timezone;
    if (isSame) return { nextRunAt: row.next_run_at, dueAt: row.due_at };
    return dues.after({ id: row.id, cron, timezone, consecutive_failures: 0 }, now);
  }
}

async function demand(tx: Statements, tenant: string, id: string): Promise<MonitorRow> {
  const row = await lockMonitor(tx, tenant, id);
  if (row === null) throw unknownMonitor(id);
  return row;
}

function keep(baseline: string, from: Target, to: Target): string | null {
  const kept = keepBaseline(Baseline.parse(JSON.parse(baseline)), from, to);
  return kept === null ? null : JSON.stringify(kept);
}

function tooMany({ name, active_monitors: most, monitors: all }: Caller['plan']): ServiceError {
  const why = `plan ${name} allows ${most ?? 'any number of'} active monitors of ${all ?? 'any number'} in all: switch one off or delete one, or upgrade`;
  return new ServiceError('plan_upgrade_required', why);
}

function tooSoon(waitMs: number): ServiceError {
  const seconds = Math.ceil(waitMs / 1000);
  const why = `a monitor can be triggered once in ${TRIGGER_EVERY_MS / 1000} s: again in ${seconds} s`;
  return new ServiceError('rate_limited', why, { retryAfterSeconds: seconds });
}

/** What another tenant's monitor is too. */
export function unknownMonitor(id: string): ServiceError {
  return new ServiceError('not_found', `no monitor ${id}`);
}
