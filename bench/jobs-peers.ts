import { run, makeWorkerUtils, Logger } from 'graphile-worker';
import { PgBoss } from 'pg-boss';
import type { Tool } from './jobs-tool.ts';

/** Connections and jobs at once, the same as the service has. */
const CONNECTIONS = 10;
const AT_ONCE = 16;
const QUEUE = 'empty';

/** What its documentation advises for throughput; each job is completed by itself. */
export const PEERS = {
  'pg-boss': `batchSize ${AT_ONCE}, perJobResults, burstWhenBatchFull, ${CONNECTIONS} connections`,
  'graphile-worker': `concurrentJobs ${AT_ONCE}, localQueue ${AT_ONCE + 1}, ${CONNECTIONS} connections`,
} as const;

/** Statistics and clean-up that are not what is measured are off. */
export async function openBoss(url: string): Promise<Tool> {
  const boss = new PgBoss({ connectionString: url, max: CONNECTIONS, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue(QUEUE);
  let submitted = 0;

  return {
    async submit() {
      submitted += 1;
      await boss.send(QUEUE, { n: submitted });
    },
    async work(jobs) {
      const done = Promise.withResolvers<void>();
      let left = jobs;
      const settings = { batchSize: AT_ONCE, perJobResults: true, burstWhenBatchFull: true } as const;
      boss.on('error', done.reject);
      await boss.work(QUEUE, settings, async (batch) => {
        left -= batch.length;
        if (left === 0) done.resolve();
        return batch.map(({ id }) => ({ id, status: 'completed' as const }));
      });
      await done.promise;
      return async () => boss.offWork(QUEUE);
    },
    close: async () => boss.stop({ graceful: false }),
  };
}

export async function openGraphile(url: string): Promise<Tool> {
  const logger = new Logger(() => () => undefined);
  const shared = { connectionString: url, maxPoolSize: CONNECTIONS, logger };
  const utils = await makeWorkerUtils(shared);
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
            concurrentJobs: AT_ONCE,
            maxPoolSize: CONNECTIONS,
            localQueue: { size: AT_ONCE + 1 },
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
    close: async () => utils.release(),
  };
}
