import type { z } from 'zod';
import type { Cursors } from '#engine/call/cursor.ts';
import { type ControlCall, type Reply, type BoundOperation, toReply } from '#engine/call/operation.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { RECORD_RETENTION_MS } from '#engine/identity/plans.ts';
import type { JsonObject } from '#extract/values/json-object.ts';
import { readListPage } from '#features/schema/lists.ts';
import type { WebhookInput } from '#features/webhooks/schema.ts';
import { toTimestamp } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Db } from '#store/db.ts';
import { type MonitorCommands, buildRunLocation } from './monitor-commands.ts';
import { monitorSeries, previewSchedule } from './chart-operations.ts';
import { type DefinitionFacts, buildDefinition } from './definition-input.ts';
import { buildHotelDefinition } from './hotel-input.ts';
import { buildLaunchDefinition } from './launch-input.ts';
import {
  createMonitor,
  deleteMonitor,
  latestChange,
  latestRun,
  listMonitors,
  monitorChanges,
  monitorRuns,
  showMonitor,
  triggerMonitor,
  updateMonitor,
} from './operations.ts';
import { CronError } from './schedule/cron-dialect.ts';
import { type Schedule, computeShortestGap, createSchedule } from './schedule/schedule.ts';
import type { MonitorDefinition } from './store/definition.ts';
import type { HistoryPage, MonitorHistory, RateHistory } from './store/history.ts';
import type { MonitorFilter, Monitors, MonitorView, TriggeredRun } from './store/monitors.ts';
import { readSeries, groupPoints } from './store/series-reader.ts';
import { type declarePresetOperations, hotelAMonitors, hotelBMonitors, launchMonitors } from './surfaces.ts';

type NewDefinitionBuilder = (body: JsonObject, facts: DefinitionFacts) => MonitorDefinition;

export type RouteParts = {
  readonly monitors: Monitors;
  readonly history: MonitorHistory;
  readonly rateHistory: RateHistory;
  readonly commands: MonitorCommands;
  readonly cursors: Cursors;
};

/** Binds the operations that serve monitors of every kind. */
export function bindGeneralRoutes(parts: RouteParts): readonly BoundOperation[] {
  const { monitors, history, commands, cursors } = parts;
  return [
    createMonitor.bind(async (body, call) => commands.create(body, call, buildDefinition)),
    updateMonitor.bind(async (change, call) => commands.update(change, call, { isGeneral: true })),
    deleteMonitor.bind(async ({ id }, call) => commands.remove(id, call)),
    triggerMonitor.bind(async ({ id }, call) => queueRun(commands, id, call)),
    listMonitors.bind(async ({ active = null, kind, ...page }, { caller: { tenant, suspendedAt } }) => {
      const kinds = kind === undefined ? null : [kind];
      return clearNextRuns(await readMonitors(page, { tenant, active, kinds, provider: null }, parts), suspendedAt);
    }),
    showMonitor.bind(async ({ id }, { caller }) => findMonitor(monitors, id, caller)),
    monitorRuns.bind(async (page, { caller: { tenant } }) =>
      readHistory(page, { tenant, cursors, list: 'runs' }, async (part) => history.runs(part)),
    ),
    latestRun.bind(async ({ id }, { caller }) => history.latestRun(caller.tenant, id)),
    monitorChanges.bind(async (page, { caller: { tenant } }) =>
      readHistory(page, { tenant, cursors, list: 'changes' }, async (part) => history.changes(part)),
    ),
    latestChange.bind(async ({ id }, { caller }) => history.latestChange(caller.tenant, id)),
  ];
}

type NewBody = JsonObject & { readonly webhook: WebhookInput | null };
type ChangeBody = JsonObject & { readonly id: string; readonly webhook?: WebhookInput | null | undefined };
type PresetRoutes<C extends z.ZodType<NewBody>, P extends z.ZodType<ChangeBody>> = Omit<
  ReturnType<typeof declarePresetOperations<C, P, z.ZodType>>,
  'changes' | 'latestChange'
>;

/** Binds the operations of one prefix except those of its changes: like the general ones, restricted to its kinds. */
function bindPreset<C extends z.ZodType<NewBody>, P extends z.ZodType<ChangeBody>>(
  routes: PresetRoutes<C, P>,
  toNewDefinition: NewDefinitionBuilder,
  parts: RouteParts,
): readonly BoundOperation[] {
  const { monitors, history, commands, cursors } = parts;
  const { kinds, waitsForRun } = routes;
  const assertKind = async (id: string, { caller }: ControlCall) => monitors.assertKind(caller.tenant, id, kinds);
  return [
    routes.create.bind(async (body, call) => commands.create(body, call, toNewDefinition)),
    routes.list.bind(async (page, { caller: { tenant, suspendedAt } }) => {
      const { active = null, kind, provider } = page;
      const chosen = kind === undefined ? kinds : [kind];
      const filter = { tenant, active, kinds: chosen, provider: typeof provider === 'string' ? provider : null };
      return clearNextRuns(await readMonitors(page, filter, parts), suspendedAt);
    }),
    routes.show.bind(async ({ id }, call) => {
      await assertKind(id, call);
      return findMonitor(monitors, id, call.caller);
    }),
    routes.update.bind(async (change, call) => {
      await assertKind(change.id, call);
      return commands.update(change, call, { isGeneral: false });
    }),
    routes.remove.bind(async ({ id }, call) => {
      await assertKind(id, call);
      return commands.remove(id, call);
    }),
    routes.trigger.bind(async ({ id }, call) => {
      await assertKind(id, call);
      return waitsForRun ? runNow(id, call, parts) : queueRun(commands, id, call);
    }),
    routes.runs.bind(async (page, call) => {
      await assertKind(page.id, call);
      const { tenant } = call.caller;
      return readHistory(page, { tenant, cursors, list: 'runs' }, async (part) => history.runs(part));
    }),
    routes.latestRun.bind(async ({ id }, call) => {
      await assertKind(id, call);
      return history.latestRun(call.caller.tenant, id);
    }),
  ];
}

const buildNewHotelDefinition: NewDefinitionBuilder = (body, facts) => buildHotelDefinition(body, facts, null);

async function findMonitor(monitors: Monitors, id: string, { tenant, suspendedAt }: Caller): Promise<MonitorView> {
  const monitor = await monitors.find(tenant, id);
  return suspendedAt === undefined ? monitor : { ...monitor, next_run_at: null };
}

/** Clears the next run of listed monitors if the tenant is suspended. */
function clearNextRuns<T extends { readonly data: readonly MonitorView[] }>(list: T, suspendedAt: string | undefined) {
  if (suspendedAt === undefined) return list;
  return { ...list, data: list.data.map((monitor) => ({ ...monitor, next_run_at: null })) };
}

/** Binds the operations of preset monitors. */
export function bindPresetRoutes(parts: RouteParts): readonly BoundOperation[] {
  return [
    ...bindPreset(hotelAMonitors, buildNewHotelDefinition, parts),
    ...bindHotelChanges(hotelAMonitors, parts),
    ...bindPreset(hotelBMonitors, buildNewHotelDefinition, parts),
    ...bindHotelChanges(hotelBMonitors, parts),
    ...bindPreset(launchMonitors, buildLaunchDefinition, parts),
    ...bindLaunchChanges(parts),
  ];
}

type HotelChangeRoutes = Pick<typeof hotelAMonitors, 'kinds' | 'changes' | 'latestChange'>;

/** Binds the rate changes of hotel monitors, one per channel. */
function bindHotelChanges(
  routes: HotelChangeRoutes,
  { monitors, rateHistory, cursors }: RouteParts,
): readonly BoundOperation[] {
  const { kinds, changes, latestChange: latest } = routes;
  return [
    changes.bind(async (page, { caller: { tenant } }) => {
      await monitors.assertKind(tenant, page.id, kinds);
      const reading = { tenant, cursors, list: 'changes' as const };
      const { data, next_cursor } = await readHistory(page, reading, async (part) => rateHistory.changes(part));
      return { data: data.flatMap((change) => change.channels), next_cursor };
    }),
    latest.bind(async ({ id }, { caller: { tenant } }) => {
      await monitors.assertKind(tenant, id, kinds);
      return rateHistory.latest(id);
    }),
  ];
}

function bindLaunchChanges({ monitors, history, cursors }: RouteParts): readonly BoundOperation[] {
  const { kinds, changes, latestChange: latest } = launchMonitors;
  return [
    changes.bind(async (page, { caller: { tenant } }) => {
      await monitors.assertKind(tenant, page.id, kinds);
      return readHistory(page, { tenant, cursors, list: 'changes' }, async (part) => history.changes(part));
    }),
    latest.bind(async ({ id }, { caller: { tenant } }) => {
      await monitors.assertKind(tenant, id, kinds);
      return history.latestChange(tenant, id);
    }),
  ];
}

/** Queues a run, and stores the answer for an idempotency key. */
async function queueRun(changing: MonitorCommands, id: string, call: ControlCall): Promise<Reply<TriggeredRun>> {
  const headers = buildRunLocation(id);
  const triggered = await changing.trigger(id, call, async (tx, body) =>
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

/** Binds the operations for charts and for the preview of schedules. */
export function bindChartRoutes({
  db,
  history,
}: {
  readonly db: Db;
  readonly history: MonitorHistory;
}): readonly BoundOperation[] {
  return [
    monitorSeries.bind(async ({ id, field = null, points, ...range }, { caller, now, signal }) => {
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
    previewSchedule.bind(async ({ cron, timezone, count }, { caller, now }) => {
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
  ];
}

function parseSchedule(cron: string, timezone: string): Schedule {
  try {
    return createSchedule(cron, timezone);
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
