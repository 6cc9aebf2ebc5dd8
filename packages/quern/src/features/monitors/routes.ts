import type { Cursors } from '#engine/call/cursor.ts';
import { bindControl, bindRawControl, type BoundOperation } from '#engine/call/bound-operation.ts';
import { type ControlCall, type Reply, toReply } from '#engine/call/operation.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { RECORD_RETENTION_MS } from '#engine/identity/plans.ts';
import { readListPage } from '#features/schema/lists.ts';
import { listDeliveries } from '#features/webhooks/delivery-list.ts';
import type { DeliveryLog } from '#features/webhooks/delivery-log.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import { buildRunLocation, type MonitorCommands } from './monitor-commands.ts';
import {
  type MonitorOperations,
  monitorDeliveries,
  monitorSeries,
  previewSchedule,
  rotateSecret,
  testWebhook,
} from './operations.ts';
import { CronError } from './schedule/cron-dialect.ts';
import { readCronWords } from './schedule/cron-words.ts';
import { computeShortestGap, createSchedule, type Schedule } from './schedule/schedule.ts';
import type { HistoryPage, MonitorHistory } from './store/history.ts';
import type { MonitorFilter, Monitors, MonitorView, TriggeredRun } from './store/monitors.ts';
import { groupPoints, readSeries } from './store/series-reader.ts';

export type RouteParts = {
  readonly db: Db;
  readonly monitors: Monitors;
  readonly history: MonitorHistory;
  readonly commands: MonitorCommands;
  readonly cursors: Cursors;
  readonly webhooks: Webhooks;
  readonly deliveries: DeliveryLog;
};

/** Binds the ten operations of a set. Below a prefix they only serve the kinds of the set. */
export function bindMonitorOperations(
  { set, operations }: MonitorOperations,
  parts: RouteParts,
): readonly BoundOperation[] {
  const { monitors, history, commands, cursors } = parts;
  const { kinds, changeView, waitsForRun } = set;
  const isGeneral = set.prefix === null;

  /** Makes an operation throw `not_found` for a monitor that the set does not serve. */
  function ofKinds<I extends { readonly id: string }, R>(run: (input: I, call: ControlCall) => Promise<R>) {
    return async (input: I, call: ControlCall): Promise<R> => {
      if (!isGeneral) await monitors.assertKind(call.caller.tenant, input.id, kinds);
      return run(input, call);
    };
  }

  const loadChanges = async (page: HistoryPage) => history.changes(page, changeView);

  return [
    bindRawControl(operations.create, async (body, call) => commands.create(kinds[0], body, call)),
    bindControl(operations.list, async ({ active = null, kind, provider, ...page }, { caller }) => {
      const { tenant, suspendedAt } = caller;
      const allKinds = isGeneral ? null : kinds;
      const filter = {
        tenant,
        active,
        kinds: kind === undefined ? allKinds : [kind],
        provider: typeof provider === 'string' ? provider : null,
      };
      return clearNextRuns(await readMonitors(page, filter, parts), suspendedAt);
    }),
    bindControl(
      operations.show,
      ofKinds(async ({ id }, { caller }) => findMonitor(monitors, id, caller)),
    ),
    bindControl(
      operations.update,
      ofKinds(async (patch, call) => commands.update(patch, call, { isGeneral })),
    ),
    bindRawControl(
      operations.remove,
      ofKinds(async ({ id }, call) => commands.remove(id, call)),
    ),
    bindRawControl(
      operations.trigger,
      ofKinds(async ({ id }, call) => (waitsForRun ? runNow(id, call, parts) : queueRun(commands, id, call))),
    ),
    bindControl(
      operations.runs,
      ofKinds(async (page, { caller: { tenant } }) =>
        readHistory(page, { tenant, cursors, list: 'runs' }, async (part) => history.runs(part)),
      ),
    ),
    bindControl(
      operations.latestRun,
      ofKinds(async ({ id }, { caller }) => history.latestRun(caller.tenant, id)),
    ),
    bindControl(
      operations.changes,
      ofKinds(async (page, { caller: { tenant } }) => {
        const { data, next_cursor } = await readHistory(page, { tenant, cursors, list: 'changes' }, loadChanges);
        return { data: data.flatMap(({ entries }) => entries), next_cursor };
      }),
    ),
    bindControl(
      operations.latestChange,
      ofKinds(async ({ id }, { caller }) => history.latestChange(caller.tenant, id, changeView)),
    ),
  ];
}

async function findMonitor(monitors: Monitors, id: string, { tenant, suspendedAt }: Caller): Promise<MonitorView> {
  const monitor = await monitors.find(tenant, id);
  return suspendedAt === undefined ? monitor : { ...monitor, next_run_at: null };
}

/** Clears the next run of listed monitors if the tenant is suspended. */
function clearNextRuns<T extends { readonly data: readonly MonitorView[] }>(list: T, suspendedAt: string | undefined) {
  if (suspendedAt === undefined) return list;
  return { ...list, data: list.data.map((monitor) => ({ ...monitor, next_run_at: null })) };
}

/** Queues a run, and stores the answer for an idempotency key. */
async function queueRun(commands: MonitorCommands, id: string, call: ControlCall): Promise<Reply<TriggeredRun>> {
  const headers = buildRunLocation(id);
  const triggered = await commands.trigger(id, call, async (tx, body) =>
    call.storeAnswer(tx, { status: 202, headers, body }),
  );
  return { ...toReply(202, triggered), headers };
}

/**
 * Runs a monitor and returns the run when it has ended. A run longer than the inline limit continues in the background.
 */
async function runNow(id: string, call: ControlCall, { commands, history }: RouteParts) {
  const { caller, signal } = call;
  // The stored answer for an idempotency key is that of the ended run.
  const triggered = await commands.trigger(id, call, async () => {});
  const wait = { ms: caller.plan.inline_timeout_ms, signal };
  const run = await history.endedRun(caller.tenant, triggered, { id, ...wait });
  if (run === null)
    return { ...toReply(202, { run_id: triggered.run_id, status: 'running' as const }), headers: buildRunLocation(id) };
  return toReply(200, { run_id: run.id, ...run });
}

type ListPage = { readonly limit: number; readonly cursor?: string | undefined };

/** Reads a page of the monitors of a tenant. Its cursors are bound to the filters. */
async function readMonitors(
  { limit, cursor }: ListPage,
  filter: Omit<MonitorFilter, 'after' | 'limit'>,
  { monitors, cursors }: { readonly monitors: Monitors; readonly cursors: Cursors },
) {
  const { tenant, ...filters } = filter;
  const scope = { tenant, operation: 'monitors', filters };
  return readListPage({
    limit,
    after: cursors.read(scope, cursor ?? null),
    load: async (after, most) => monitors.list({ ...filter, after, limit: most }),
    getPosition: ({ id }) => id,
    writeCursor: (last) => cursors.write(scope, last),
  });
}

type HistoryOptions = {
  readonly tenant: string;
  readonly cursors: Cursors;
  readonly list: 'runs' | 'changes';
};

/** Reads a page of the runs or changes of a monitor. */
async function readHistory<T extends { readonly id: string }>(
  { id, limit, cursor }: ListPage & { readonly id: string },
  { tenant, cursors, list }: HistoryOptions,
  load: (page: HistoryPage) => Promise<readonly T[]>,
) {
  const scope = { tenant, operation: `monitors.${list}`, filters: { id } };
  return readListPage({
    limit,
    after: cursors.read(scope, cursor ?? null),
    load: async (after, most) => load({ tenant, id, after, limit: most }),
    getPosition: (row) => row.id,
    writeCursor: (last) => cursors.write(scope, last),
  });
}

const MINUTE_MS = 60_000;

/** Binds the operations that only monitors without a prefix have: charts, the preview of schedules, and webhooks. */
export function bindGeneralOperations({
  db,
  history,
  cursors,
  webhooks,
  deliveries,
}: RouteParts): readonly BoundOperation[] {
  return [
    bindControl(monitorSeries, async ({ id, field = null, points, ...range }, { caller, now, signal }) => {
      await history.demand(caller.tenant, id);
      const { to = now } = range;
      const from = Math.max(range.from ?? 0, now - RECORD_RETENTION_MS);
      if (from > to) throw new ServiceError('invalid_request', 'from: is after to');
      const { fields, marks, oldest, isCut } = await readSeries(db, { id, from, to, field }, signal);
      return {
        monitor_id: id,
        from: toTimestamp(oldest),
        to: toTimestamp(to),
        fields: fields.map(({ seen, ...series }) => ({
          ...series,
          points: groupPoints(seen, points).map(({ at, ...point }) => ({ at: toTimestamp(at), ...point })),
        })),
        marks: marks.map(({ at, kind, runId }) => ({ at: toTimestamp(at), kind, run_id: runId })),
        cut: isCut,
      };
    }),
    bindControl(previewSchedule, async ({ cron, timezone, count }, { caller, now }) => {
      const schedule = parseSchedule(cron, timezone);
      const gap = computeShortestGap(schedule, now);
      const next = listNextTicks(schedule, now, count);
      const local = createDisplayFormat(timezone);
      return {
        cron,
        timezone,
        next: next.map((at) => toTimestamp(at)),
        local: next.map((at) => local.format(at)),
        shortest_gap_minutes: gap === null ? null : gap / MINUTE_MS,
        allowed: gap === null || gap >= caller.plan.monitor_interval_ms,
      };
    }),
    bindControl(monitorDeliveries, async (page, { caller: { tenant } }) => {
      await history.demand(tenant, page.id);
      return listDeliveries(page, { operation: 'monitors.deliveries', tenant, cursors, deliveries });
    }),
    bindRawControl(testWebhook, async ({ id }, { caller }) => toReply(202, await deliveries.test(caller.tenant, id))),
    bindControl(rotateSecret, async ({ id, secret = null }, { caller }) => ({
      webhook: await webhooks.rotateSecret({ tenant: caller.tenant, id }, secret),
    })),
  ];
}

function parseSchedule(cron: string, timezone: string): Schedule {
  try {
    return createSchedule(readCronWords(cron), timezone);
  } catch (error) {
    if (!(error instanceof CronError)) throw error;
    const { message } = error;
    throw new ServiceError('invalid_request', message.startsWith('timezone: ') ? message : `cron: ${message}`);
  }
}

function listNextTicks({ nextTick }: Schedule, now: number, count: number): readonly number[] {
  const next: number[] = [];
  for (let at = nextTick(now); at !== null && next.length < count; at = nextTick(at)) next.push(at);
  return next;
}

/** Creates a format such as `2026-11-24 09:00` in the local time of a zone. */
function createDisplayFormat(timezone: string): Intl.DateTimeFormat {
  const digits = '2-digit';
  return new Intl.DateTimeFormat('sv-SE', {
    timeZone: timezone,
    year: 'numeric',
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
  });
}
