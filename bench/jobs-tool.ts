/** Measures one queue in its own process: submits and runs empty jobs, and prints jobs per second. */
import { join } from 'node:path';
import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { z } from 'zod';
import { openMigratedStore, type StoreLocation } from '#store/open-store.ts';
import { buildStoreOptions } from './store.ts';
import { createQuernQueue } from './jobs-quern.ts';
import { CONCURRENCY, CONNECTIONS, type JobRates, type QueueUnderTest, TOOLS } from './jobs-settings.ts';

const QUEUE = 'empty';

const SINGLE_OPTIONS = { localConcurrency: CONCURRENCY, burstWhenReadyExceeds: 1 } as const;

const BATCH_OPTIONS = { batchSize: CONCURRENCY, perJobResults: true, burstWhenBatchFull: true } as const;

const WARM_UP = 300;

const Order = z.object({ tool: z.enum(TOOLS), folder: z.string(), url: z.string(), jobs: z.int() });
const order = Order.parse(JSON.parse(process.argv[2] ?? ''));
const tool = await createQueue();
await submitJobs(WARM_UP);
await (
  await tool.work(WARM_UP)
)();
const startedAt = performance.now();
await submitJobs(order.jobs);
const submittedAt = performance.now();
await tool.work(order.jobs);
const workedAt = performance.now();
const rates: JobRates = {
  submit: computeRate(submittedAt - startedAt),
  work: computeRate(workedAt - submittedAt),
  both: computeRate(workedAt - startedAt),
};
process.stdout.write(`${JSON.stringify(rates)}\n`);
// Remaining timers, listeners and connections do not matter any more.
process.exit(0);

async function createQueue(): Promise<QueueUnderTest> {
  const { tool: name, url, folder } = order;
  if (name === 'graphile-worker') return createGraphileWorker(url);
  if (name === 'pg-boss' || name === 'pg-boss, batches') {
    return createPgBoss(url, name === 'pg-boss' ? 'alone' : 'in batches');
  }
  const place: StoreLocation =
    name === 'quern, SQLite'
      ? { kind: 'sqlite', file: join(folder, 'quern.db'), sync: 'normal' }
      : { kind: 'postgres', url };
  return createQuernQueue(await openMigratedStore(place, buildStoreOptions(folder)), folder);
}

async function submitJobs(jobs: number): Promise<void> {
  let left = jobs;
  const lines = Array.from({ length: CONCURRENCY }, async () => {
    while (left-- > 0) await tool.submit();
  });
  await Promise.all(lines);
}

function computeRate(ms: number): number {
  return (order.jobs / ms) * 1000;
}

/** It detects a backlog by statistics, so these are updated as often as it allows. */
async function createPgBoss(url: string, settings: 'alone' | 'in batches'): Promise<QueueUnderTest> {
  const boss = new PgBoss({
    connectionString: url,
    max: CONNECTIONS,
    schedule: false,
    superviseIntervalSeconds: 1,
    monitorIntervalSeconds: 1,
    queueCacheIntervalSeconds: 1,
  });
  await boss.start();
  await boss.createQueue(QUEUE);
  let submitted = 0;

  async function begin(ended: (jobs: number) => void): Promise<void> {
    if (settings === 'alone') {
      await boss.work(QUEUE, SINGLE_OPTIONS, async (jobs) => ended(jobs.length));
      return;
    }
    await boss.work(QUEUE, BATCH_OPTIONS, async (jobs) => {
      ended(jobs.length);
      return jobs.map(({ id }) => ({ id, status: 'completed' }));
    });
  }

  return {
    async submit() {
      submitted += 1;
      await boss.send(QUEUE, { n: submitted });
    },
    async work(jobs) {
      const done = Promise.withResolvers<void>();
      let left = jobs;
      boss.on('error', done.reject);
      await begin((ended) => {
        left -= ended;
        if (left === 0) done.resolve();
      });
      await done.promise;
      return async () => boss.offWork(QUEUE);
    },
  };
}

/** Its workers complete each job separately unless batching is configured. */
async function createGraphileWorker(url: string): Promise<QueueUnderTest> {
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ connectionString: url, maxPoolSize: CONNECTIONS, logger });
  await utils.migrate();
  let submitted = 0;

  return {
    async submit() {
      submitted += 1;
      await utils.addJob(QUEUE, { n: submitted });
    },
    async work(jobs) {
      const done = Promise.withResolvers<void>();
      let left = jobs;
      const runner = await run({
        connectionString: url,
        taskList: { [QUEUE]: () => undefined },
        noHandleSignals: true,
        preset: {
          worker: {
            concurrentJobs: CONCURRENCY,
            maxPoolSize: CONNECTIONS,
            localQueue: { size: CONCURRENCY + 1 },
            logger,
          },
        },
      });
      runner.events.on('job:complete', () => {
        left -= 1;
        if (left === 0) done.resolve();
      });
      await done.promise;
      return async () => runner.stop();
    },
  };
}
