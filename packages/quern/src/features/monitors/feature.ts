import type { Accounts } from '#engine/credits/accounts.ts';
import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import { type Operation, type BoundOperation, toReply } from '#engine/call/operation.ts';
import type { JobGate } from '#engine/call/steps/queue.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { buildDigests } from '#features/monitors/run/digests.ts';
import { buildRunEnds } from '#features/monitors/run/run-ends.ts';
import { NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { Ticks } from '#features/monitors/run/ticks.ts';
import { buildMonitorHistory, type MonitorHistory } from '#features/monitors/store/history.ts';
import { buildRateHistory, buildMonitorRetention } from './store/history.ts';
import { Monitors } from '#features/monitors/store/monitors.ts';
import type { DeliveryLog } from '#features/webhooks/delivery-log.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { bindGeneralRoutes, bindPresetRoutes, bindChartRoutes } from './routes.ts';
import { buildMonitorCommands } from './monitor-commands.ts';
import { monitorDeliveries, rotateSecret, testWebhook } from './webhook-operations.ts';
import { listDeliveries } from '#features/webhooks/delivery-list.ts';
import { buildSchedulingLoop } from './run/scheduler.ts';

/** Attempts of a run that fails; the next tick follows anyway. */
const MAX_RUN_ATTEMPTS = 3;

export type MonitorsParts = {
  readonly db: Db;
  readonly inTurn: GroupedTransaction;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  /** Seals the inputs of jobs. */
  readonly sealer: Sealer;
  readonly notifications: Notifications;
  readonly webhooks: Webhooks;
  readonly deliveries: DeliveryLog;
  readonly accounts: Pick<Accounts, 'assertCredits'>;
  readonly cursors: Cursors;
  readonly queueing: Pick<JobGate, 'admit'>;
  /** All operations. */
  readonly operations: readonly Operation[];
  readonly observe: ObserveEvent;
  readonly report: (error: unknown) => void;
};

/** Creates the services of monitors, for their operations and for tests. */
export function openMonitors(parts: MonitorsParts) {
  const all = { ...parts, nextRuns: new NextRunCalculator() };
  return {
    monitors: new Monitors(all),
    history: buildMonitorHistory(all),
    rateHistory: buildRateHistory(all),
    runs: buildRunEnds(all),
    ticks: new Ticks(all),
    digests: buildDigests(all),
    monitorRetention: buildMonitorRetention(all),
  };
}

export type OpenedMonitors = ReturnType<typeof openMonitors>;

/** Builds the feature that watches pages, hotel rates, launches, and results of any other priced operation. */
export function buildMonitorsFeature(parts: MonitorsParts, opened: OpenedMonitors): Feature {
  const { history, runs, monitorRetention } = opened;
  const binding = { ...parts, ...opened, commands: buildMonitorCommands({ ...parts, ...opened }) };
  return {
    operations: [
      ...bindGeneralRoutes(binding),
      ...bindChartRoutes(binding),
      ...bindPresetRoutes(binding),
      ...bindWebhookRoutes(parts, history),
    ],
    jobHooks: {
      owner: {
        maxAttempts: MAX_RUN_ATTEMPTS,
        isFinal: (failure) => runs.isSkipped(failure),
        prepare: async (row, body) => runs.prepare(row, body),
        fail: async (tx, row, defeat) => runs.fail(tx, row, defeat),
        cancel: async (tx, row) => runs.cancel(tx, row),
      },
      afterEnd: (row) => runs.afterEnd(row),
    },
    rounds: [{ name: 'monitors', run: async (signal) => monitorRetention.tidy(signal) }],
    loops: [buildSchedulingLoop({ ...parts, ...opened })],
  };
}

function bindWebhookRoutes(
  { webhooks, deliveries, cursors }: MonitorsParts,
  history: MonitorHistory,
): readonly BoundOperation[] {
  return [
    monitorDeliveries.bind(async (page, { caller: { tenant } }) => {
      await history.demand(tenant, page.id);
      return listDeliveries(page, { operation: 'monitors.deliveries', tenant, cursors, deliveries });
    }),
    testWebhook.bind(async ({ id }, { caller }) => toReply(202, await deliveries.test(caller.tenant, id))),
    rotateSecret.bind(async ({ id, secret = null }, { caller }) => ({
      webhook: await webhooks.rotateSecret({ tenant: caller.tenant, id }, secret),
    })),
  ];
}
