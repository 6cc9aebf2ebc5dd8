/** One queue in a process of its own: submits jobs that do nothing, works them off, and prints how many it did a second. */
import { join } from 'node:path';
import { z } from 'zod';
import { openMigrated, type StorePlace } from '#store/open.ts';
import { openBoss, openGraphile } from './jobs-peers.ts';
import { openQuern } from './jobs-quern.ts';
import { AT_ONCE, type Rates, type Tool, TOOLS } from './jobs-settings.ts';
import { toOpening } from './opening.ts';

const WARM_UP = 300;

const Order = z.object({ tool: z.enum(TOOLS), folder: z.string(), url: z.string(), jobs: z.int() });
const order = Order.parse(JSON.parse(process.argv[2] ?? ''));
const tool = await openTool();
await submit(WARM_UP);
await (
  await tool.work(WARM_UP)
)();
const began = performance.now();
await submit(order.jobs);
const submitted = performance.now();
await tool.work(order.jobs);
const worked = performance.now();
const rates: Rates = {
  submit: rateOf(submitted - began),
  work: rateOf(worked - submitted),
  both: rateOf(worked - began),
};
process.stdout.write(`${JSON.stringify(rates)}\n`);
// What still polls, listens or holds connections is nobody's concern any more.
process.exit(0);

async function openTool(): Promise<Tool> {
  const { tool: name, url, folder } = order;
  if (name === 'graphile-worker') return openGraphile(url);
  if (name === 'pg-boss' || name === 'pg-boss, batches') {
    return openBoss(url, name === 'pg-boss' ? 'alone' : 'in batches');
  }
  const place: StorePlace =
    name === 'quern, SQLite'
      ? { kind: 'sqlite', file: join(folder, 'quern.db'), sync: 'normal' }
      : { kind: 'postgres', url };
  return openQuern(await openMigrated(place, toOpening(folder)), folder);
}

async function submit(jobs: number): Promise<void> {
  let left = jobs;
  const lines = Array.from({ length: AT_ONCE }, async () => {
    while (left-- > 0) await tool.submit();
  });
  await Promise.all(lines);
}

function rateOf(ms: number): number {
  return (order.jobs / ms) * 1000;
}
