import type { Accounts } from '#engine/credits/accounts.ts';
import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import { toReply } from '#engine/call/operation.ts';
import type { ControlCall, Operation, Runnable, RunnableControl } from '#engine/call/operation.ts';
import type { Examined, Queueing } from '#engine/call/steps/queue.ts';
import type { News } from '#engine/jobs/job-notifications.ts';
import { buildDigests } from '#features/monitors/run/digests.ts';
import { buildRunEnds } from '#features/monitors/run/run-ends.ts';
import { NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { Ticks } from '#features/monitors/run/ticks.ts';
import { buildMonitorHistory } from '#features/monitors/store/history.ts';
import type { MonitorHistory, HistoryPage } from '#features/monitors/store/history.ts';
import { buildMonitorRetention } from '#features/monitors/store/monitor-retention.ts';
import { Monitors } from '#features/monitors/store/monitors.ts';
import type { DeliveryLog } from '#features/webhooks/delivery-log.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Observe } from '#kernel/events.ts';
import { ServiceError } from '#kernel/errors.ts';
import type { Sealer } from '#kernel/sealing.ts';
import type { Db } from '#store/db.ts';
import type { InTurn } from '#store/group-commit.ts';
import { readListPage } from '#features/schema/lists.ts';
import { OWN, readMerged, toDefinition } from './definition-input.ts';
import type { DefinitionFacts } from './definition-input.ts';
import { mergePatch } from './fields.ts';
import { monitorDeliveries, rotateSecret, testWebhook } from './webhook-operations.ts';
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
import { listDeliveries } from '#features/webhooks/delivery-list.ts';
import { schedulingLoop } from './scheduling-loop.ts';

/** How often a change is repeated because another one came in between. */
const MOST_TRIES = 5;
/** Of a run that fails by itself: its next tick comes anyway. */
const MOST_RUN_ATTEMPTS = 3;

export type MonitorsParts = {
  readonly db: Db;
  readonly inTurn: InTurn;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Of the inputs of jobs. */
  readonly sealer: Sealer;
  readonly news: News;
  readonly webhooks: Webhooks;
  readonly deliveries: DeliveryLog;
  readonly accounts: Pick<Accounts, 'demand'>;
  readonly cursors: Cursors;
  readonly queueing: Pick<Queueing, 'examine'>;
  /** Everything that can be asked. */
  readonly operations: readonly Operation[];
  readonly observe: Observe;
  readonly report: (error: unknown) => void;
};

/** The parts of monitors, for their operations and for tests of each. */
export function openMonitors(parts: MonitorsParts) {
  const all = { ...parts, nextRuns: new NextRunCalculator() };
  return {
    monitors: new Monitors(all),
    history: buildMonitorHistory(all),
    runs: buildRunEnds(all),
    ticks: new Ticks(all),
    digests: buildDigests(all),
    monitorRetention: buildMonitorRetention(all),
  };
}

export type OpenedMonitors = ReturnType<typeof openMonitors>;

/** Watches pages, and anything else that a priced operation answers. */
export function buildMonitorsFeature(parts: MonitorsParts, opened: OpenedMonitors): Feature {
  const { monitors, history, runs, monitorRetention } = opened;
  return {
    operations: [
      ...bindChanges(parts, monitors),
      ...bindLists(parts, opened),
      showMonitor.runs(async ({ id }, { caller }) => monitors.find(caller.tenant, id)),
      latestRun.runs(async ({ id }, { caller }) => history.latestRun(caller.tenant, id)),
      latestChange.runs(async ({ id }, { caller }) => history.latestChange(caller.tenant, id)),
      ...bindWebhooks(parts, history),
    ],
    jobHooks: {
      owner: {
        mostAttempts: MOST_RUN_ATTEMPTS,
        isFinal: (failure) => runs.isSkipped(failure),
        prepare: async (row, body) => runs.prepare(row, body),
        fail: async (tx, row, defeat) => runs.fail(tx, row, defeat),
        cancel: async (tx, row) => runs.cancel(tx, row),
      },
      afterEnd: (row) => runs.afterEnd(row),
    },
    rounds: [{ name: 'monitors', run: async (signal) => monitorRetention.tidy(signal) }],
    loops: [schedulingLoop({ ...parts, ...opened })],
  };
}

function bindChanges({ queueing, accounts }: MonitorsParts, monitors: Monitors): readonly RunnableControl[] {
  const factsOf = ({ caller, now }: ControlCall): DefinitionFacts => ({
    plan: caller.plan,
    now,
    examine: (order): Examined => queueing.examine(order, caller),
  });
  return [
    createMonitor.runs(async ({ webhook, ...body }, call) => {
      const made = await monitors.create(call.caller, {
        definition: toDefinition(body, factsOf(call)),
        webhook,
        record: async (tx, monitor) => call.keep(tx, { status: 201, headers: locationOf(monitor.id), body: monitor }),
      });
      return { ...toReply(201, made), headers: locationOf(made.id) };
    }),
    updateMonitor.runs(async ({ id, webhook, ...change }, call) => {
      const { caller } = call;
      for (let tries = 0; tries < MOST_TRIES; tries += 1) {
        const { version, body, definition: stored } = await monitors.read(caller.tenant, id);
        // What a smaller plan would not let run can still be switched off.
        const definition = isSwitchOff(change)
          ? { ...stored, active: false }
          : toDefinition(readMerged(mergePatch(body, change)).input, factsOf(call));
        const patched = await monitors.patch(caller, id, { version, definition, webhook });
        if (patched !== null) return patched;
      }
      throw new ServiceError('backend_unavailable', `${id} is being changed by others: try again`);
    }),
    deleteMonitor.runs(async ({ id }, { caller }) => {
      await monitors.remove(caller.tenant, id);
      return { status: 204, headers: {}, body: null, stream: null };
    }),
    triggerMonitor.runs(async ({ id }, { caller, keep }) => {
      const { operation, input } = await monitors.target(caller.tenant, id);
      const { admission } = queueing.examine({ kind: operation, input, named: OWN }, caller);
      await accounts.demand(caller.tenant, caller.plan, admission.cheapest);
      const headers = { location: `/v1/monitors/${id}/runs/latest` };
      const triggered = await monitors.trigger(caller.tenant, id, async (tx, body) =>
        keep(tx, { status: 202, headers, body }),
      );
      return { ...toReply(202, triggered), headers };
    }),
  ];
}

function bindLists({ cursors }: MonitorsParts, { monitors, history }: OpenedMonitors): readonly Runnable[] {
  return [
    listMonitors.runs(async ({ active, kind, limit, cursor }, { caller }) => {
      const scope = { tenant: caller.tenant, operation: 'monitors', filters: { active, kind } };
      const filter = { tenant: caller.tenant, active: active ?? null, kind: kind ?? null };
      return readListPage({
        limit,
        after: cursors.read(scope, cursor ?? null),
        load: async (after, most) => monitors.list({ ...filter, after, limit: most }),
        positionOf: ({ id }) => id,
        cursorOf: (last) => cursors.write(scope, last),
      });
    }),
    monitorRuns.runs(async (page, { caller }) =>
      readHistory(page, { tenant: caller.tenant, cursors, list: 'runs' }, async (part) => history.runs(part)),
    ),
    monitorChanges.runs(async (page, { caller }) =>
      readHistory(page, { tenant: caller.tenant, cursors, list: 'changes' }, async (part) => history.changes(part)),
    ),
  ];
}

function bindWebhooks({ webhooks, deliveries, cursors }: MonitorsParts, history: MonitorHistory): readonly Runnable[] {
  return [
    monitorDeliveries.runs(async (page, { caller: { tenant } }) => {
      await history.demand(tenant, page.id);
      return listDeliveries(page, { operation: 'monitors.deliveries', tenant, cursors, deliveries });
    }),
    testWebhook.runs(async ({ id }, { caller }) => toReply(202, await deliveries.test(caller.tenant, id))),
    rotateSecret.runs(async ({ id, secret = null }, { caller }) => ({
      webhook: await webhooks.rotateSecret({ tenant: caller.tenant, id }, secret),
    })),
  ];
}

function isSwitchOff({ active, ...others }: Readonly<Record<string, unknown>>): boolean {
  return active === false && Object.values(others).every((value) => value === undefined);
}

type Wanted = { readonly id: string; readonly limit: number; readonly cursor?: string | undefined };
type Reading = { readonly tenant: string; readonly cursors: Cursors; readonly list: 'runs' | 'changes' };

/** A page of the history of a monitor; cursors are those of its one list. */
async function readHistory<T extends { readonly id: string }>(
  { id, limit, cursor }: Wanted,
  { tenant, cursors, list }: Reading,
  load: (page: HistoryPage) => Promise<readonly T[]>,
) {
  const scope = { tenant, operation: `monitors.${list}`, filters: { id } };
  return readListPage({
    limit,
    after: cursors.read(scope, cursor ?? null),
    load: async (after, most) => load({ tenant, id, after, limit: most }),
    positionOf: (row) => row.id,
    cursorOf: (last) => cursors.write(scope, last),
  });
}

function locationOf(id: string): Readonly<Record<string, string>> {
  return { location: `/v1/monitors/${id}` };
}
