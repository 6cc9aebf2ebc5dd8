/** One queue in a process of its own: submits jobs that do nothing, works them off, and prints how long each took. */
import { join } from 'node:path';
import { z } from 'zod';
import { openMigrated } from '#store/open.ts';
import { openBoss, openGraphile } from './jobs-peers.ts';
import { openQuern } from './jobs-quern.ts';

export type Tool = {
  /** Submits one job; resolves when it is safe in the store. */
  readonly submit: () => Promise<void>;
  /** Starts a worker; resolves when so many jobs have ended, with the function that stops it. */
  readonly work: (jobs: number) => Promise<() => Promise<unknown>>;
  readonly close: () => Promise<unknown>;
};

const Order = z.object({
  tool: z.enum(['quern, SQLite', 'quern, PostgreSQL', 'pg-boss', 'graphile-worker']),
  folder: z.string(),
  url: z.string(),
  jobs: z.int(),
  submitters: z.int(),
});
const WARM_UP = 300;

const order = Order.parse(JSON.parse(process.argv[2] ?? ''));
const tool = await openTool();
await submit(WARM_UP);
await (
  await tool.work(WARM_UP)
)();
const began = performance.now();
await submit(order.jobs);
const submitted = performance.now();
const stop = await tool.work(order.jobs);
const worked = performance.now();
await stop();
await tool.close();
const rateOf = (ms: number): number => (order.jobs / ms) * 1000;
const rates = {
  submit: rateOf(submitted - began),
  work: rateOf(worked - submitted),
  both: rateOf(worked - began),
};
process.stdout.write(`${JSON.stringify(rates)}\n`);
process.exit(0);

async function openTool(): Promise<Tool> {
  const { url, folder } = order;
  switch (order.tool) {
    case 'quern, SQLite':
      return openQuern(
        await openMigrated({ kind: 'sqlite', file: join(folder, 'quern.db'), sync: 'normal' }, console.error),
        folder,
      );
    case 'quern, PostgreSQL':
      return openQuern(await openMigrated({ kind: 'postgres', url }, console.error), folder);
    case 'pg-boss':
      return openBoss(url);
    case 'graphile-worker':
      return openGraphile(url);
  }
}

async function submit(jobs: number): Promise<void> {
  let left = jobs;
  const lines = Array.from({ length: order.submitters }, async () => {
    while (left-- > 0) await tool.submit();
  });
  await Promise.all(lines);
}
