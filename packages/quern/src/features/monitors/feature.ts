import type { Accounts } from '#engine/credits/accounts.ts';
import type { Cursors } from '#engine/call/cursor.ts';
import type { Feature } from '#engine/call/feature.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { JobGate } from '#engine/call/steps/queue.ts';
import type { Notifications } from '#engine/jobs/job-notifications.ts';
import { buildDigests } from '#features/monitors/run/digests.ts';
import { buildRunEnds } from '#features/monitors/run/run-ends.ts';
import { NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { Ticks } from '#features/monitors/run/ticks.ts';
import { buildMonitorHistory, buildMonitorRetention } from '#features/monitors/store/history.ts';
import { Monitors } from '#features/monitors/store/monitors.ts';
import type { DeliveryLog } from '#features/webhooks/delivery-log.ts';
import type { Webhooks } from '#features/webhooks/webhooks.ts';
import type { Clock } from '#kernel/clock.ts';
import type { ObserveEvent } from '#kernel/events.ts';
import type { Sealer } from '#kernel/sealer.ts';
import type { Db } from '#store/db.ts';
import type { GroupedTransaction } from '#store/group-commit.ts';
import { bindGeneralOperations, bindMonitorOperations } from './routes.ts';
import { buildMonitorCommands } from './monitor-commands.ts';
import { generalMonitors, presetMonitors } from './monitor-sets.ts';
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
    runs: buildRunEnds(all),
    ticks: new Ticks(all),
    digests: buildDigests(all),
    monitorRetention: buildMonitorRetention(all),
  };
}

export type OpenedMonitors = ReturnType<typeof openMonitors>;

/** Builds the feature that watches pages, hotel rates, launches, and results of any other priced operation. */
export function buildMonitorsFeature(parts: MonitorsParts, opened: OpenedMonitors): Feature {
  const { runs, monitorRetention } = opened;
  const binding = { ...parts, ...opened, commands: buildMonitorCommands({ ...parts, ...opened }) };
  return {
    operations: [
      ...[generalMonitors, ...presetMonitors].flatMap((operations) => bindMonitorOperations(operations, binding)),
      ...bindGeneralOperations(binding),
    ],
    jobHooks: {
      owner: {
        maxAttempts: MAX_RUN_ATTEMPTS,
        isFinal: (failure) => runs.isSkipped(failure),
        prepare: async (row, body) => runs.prepare(row, body),
        fail: async (tx, row, failure) => runs.fail(tx, row, failure),
        cancel: async (tx, row) => runs.cancel(tx, row),
      },
      afterEnd: (row) => runs.afterEnd(row),
    },
    rounds: [{ name: 'monitors', run: async (signal) => monitorRetention.tidy(signal) }],
    loops: [buildSchedulingLoop({ ...parts, ...opened })],
  };
}
