import { Logger, makeWorkerUtils, run } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import { AT_ONCE, CONNECTIONS, type Tool } from './jobs-settings.ts';

const QUEUE = 'empty';
const ALONE = { localConcurrency: AT_ONCE, burstWhenReadyExceeds: 1 } as const;
const IN_BATCHES = { batchSize: AT_ONCE, perJobResults: true, burstWhenBatchFull: true } as const;

/** It notices a backlog by statistics, so these are as fresh as it allows. */
export async function openBoss(url: string, settings: 'alone' | 'in batches'): Promise<Tool> {
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
      await boss.work(QUEUE, ALONE, async (jobs) => ended(jobs.length));
      return;
    }
    await boss.work(QUEUE, IN_BATCHES, async (jobs) => {
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

/** Its workers end each job by themselves unless they are told to gather. */
export async function openGraphile(url: string): Promise<Tool> {
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
          worker: { concurrentJobs: AT_ONCE, maxPoolSize: CONNECTIONS, localQueue: { size: AT_ONCE + 1 }, logger },
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
