import { z } from 'zod';
import type { QueueState, StoreWait } from '#engine/jobs/queue-state.ts';
import type { WorkerCounts } from '#engine/jobs/worker.ts';
import type { UpkeepLog } from '#engine/upkeep/upkeep-log.ts';
import { TIERS } from '#access/page.ts';
import type { Breakers } from '#access/tiers/circuit-breaker.ts';
import { toLabelledSamples, type Metric, toUnlabelledSamples } from '#kernel/metric.ts';
import { type Db, STORE_PARTS } from '#store/db.ts';
import { readRow } from '#store/rows.ts';
import type { BrowserAccess } from './browsers.ts';
import { VERSION } from './version.ts';

const TENANTS = 'select count(*) as n from tenants';
const RESERVED = 'select coalesce(sum(credits), 0) as n from reservations';
const PROCESSES = 'select count(*) as n from processes';

const CountRow = z.object({ n: z.coerce.number() });

export type EngineMetricsParts = {
  readonly db: Db;
  readonly queueState: QueueState;
  readonly upkeepLog: UpkeepLog;
  readonly browsing: Pick<BrowserAccess, 'running'>;
  readonly breakers: Pick<Breakers, 'resting'>;
};

/** The gauges of a process and of its store, read when they are requested. */
export function buildEngineMetrics(parts: EngineMetricsParts): readonly Metric[] {
  return [
    buildGauge('quern_info', 'The version of this process', ['version'], async () => [[[VERSION], 1]]),
    ...buildQueueMetrics(parts),
    ...buildAccessMetrics(parts),
    ...buildUpkeepMetrics(parts),
    ...buildStoreMetrics(parts),
  ];
}

function buildQueueMetrics({ queueState }: EngineMetricsParts): readonly Metric[] {
  const ofParts = async (read: (wait: StoreWait) => number) => {
    const waits = await queueState.listStoreWaits();
    return STORE_PARTS.map((part) => {
      const wait = waits.find((one) => one.part === part);
      return [[part], wait === undefined ? 0 : read(wait)] as const;
    });
  };
  return [
    buildGauge('quern_queue_jobs', 'Jobs of all tenants that wait or run, by kind', ['kind', 'state'], async () =>
      [...(await queueState.read()).byKind].flatMap(([kind, { queued, running }]) => [
        [[kind, 'queued'], queued] as const,
        [[kind, 'running'], running] as const,
      ]),
    ),
    buildGauge(
      'quern_queue_oldest_seconds',
      'How long the job that waits longest has been due; 0 for none',
      [],
      async () => toUnlabelledSamples(((await queueState.read()).oldest?.lateMs ?? 0) / 1000),
    ),
    buildGauge(
      'quern_queue_store_waits',
      'Queued jobs that a failure of the store put back, by its part',
      ['part'],
      async () => ofParts(({ jobs }) => jobs),
    ),
    buildGauge('quern_queue_store_wait_seconds', 'How long the first of those waits; 0 for none', ['part'], async () =>
      ofParts(({ longestMs }) => longestMs / 1000),
    ),
  ];
}

function buildAccessMetrics({ browsing, breakers }: EngineMetricsParts): readonly Metric[] {
  return [
    buildGauge('quern_browsers', 'Browsers that run', [], async () => toUnlabelledSamples(browsing.running().browsers)),
    buildGauge('quern_browser_pages', 'Pages in browsers, open or waiting for their turn', ['state'], async () => {
      const { pages: open, waiting } = browsing.running();
      return toLabelledSamples(new Map(Object.entries({ open, waiting })));
    }),
    buildGauge(
      'quern_tier_resting',
      'Tiers that rest after faults of this machine, for all tenants or for one: 1 or 0',
      ['tier'],
      async () => {
        const resting = breakers.resting();
        return TIERS.map((tier) => [[tier], Number(resting.includes(tier))] as const);
      },
    ),
  ];
}

function buildUpkeepMetrics({ upkeepLog }: EngineMetricsParts): readonly Metric[] {
  return [
    {
      name: 'quern_upkeep_rounds_total',
      help: 'Rounds of upkeep of this process, by how they ended',
      kind: 'total',
      labels: ['round', 'outcome'],
      read: async () =>
        [...upkeepLog.totals()].flatMap(([round, { done, failed }]) => [
          [[round, 'done'], done] as const,
          [[round, 'failed'], failed] as const,
        ]),
    },
    buildGauge(
      'quern_upkeep_last_done_seconds',
      'When a round was last done, seconds since 1970',
      ['round'],
      async () =>
        [...upkeepLog.totals()].flatMap(([round, { doneAt }]) =>
          doneAt === null ? [] : [[[round], doneAt / 1000] as const],
        ),
    ),
    buildGauge(
      'quern_stored_bytes',
      'Cached pages, and results with files, as upkeep counted them last',
      ['what'],
      async () => toLabelledSamples(upkeepLog.stored),
    ),
  ];
}

function buildStoreMetrics({ db }: EngineMetricsParts): readonly Metric[] {
  const sample = async (sql: string) => toUnlabelledSamples(readRow(CountRow, await db.query(sql))?.n ?? 0);
  return [
    buildGauge('quern_tenants', 'Tenants', [], async () => sample(TENANTS)),
    buildGauge('quern_credits_reserved', 'Credits that calls of all tenants have set aside', [], async () =>
      sample(RESERVED),
    ),
    buildGauge('quern_processes', 'Services and workers that share the database', [], async () => sample(PROCESSES)),
  ];
}

/** The slots for jobs of a process. */
export function buildSlotMetrics(slots: number, counts: () => WorkerCounts): Metric[] {
  return [
    buildGauge('quern_job_slots', 'Slots for jobs of this process', [], async () => toUnlabelledSamples(slots)),
    buildGauge('quern_job_slots_busy', 'Slots that a job holds', [], async () => toUnlabelledSamples(counts().busy)),
    buildGauge('quern_jobs_running', 'Jobs of this process, with those that only wait for their hosts', [], async () =>
      toUnlabelledSamples(counts().running),
    ),
    buildGauge('quern_jobs_owed', 'Jobs whose end this process cannot write, because the store is away', [], async () =>
      toUnlabelledSamples(counts().owed),
    ),
  ];
}

function buildGauge(name: string, help: string, labels: readonly string[], read: Metric['read']): Metric {
  return { name, help, kind: 'level', labels, read };
}
