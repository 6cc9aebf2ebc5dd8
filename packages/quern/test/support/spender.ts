import { once } from 'node:events';
import { z } from 'zod';
import { Billing } from '#engine/credits/billing.ts';
import { Processes } from '#engine/credits/processes.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { createGroupCommit } from '#store/group-commit.ts';
import { openPostgres } from '#store/postgres.ts';
import { PATIENT_LIMITS } from '#testkit/postgres.ts';

/*
 * A separate process that spends credits: it opens the database, reports that, waits for a line to start together with
 * others, then makes its calls concurrently and prints the outcome of each.
 */
const Order = z.object({
  url: z.string(),
  processId: z.string(),
  tenants: z.array(z.string()),
  grant: z.number(),
  credits: z.number(),
  calls: z.number(),
});
const order = Order.parse(JSON.parse(process.argv[2] ?? ''));
const db = openPostgres(order.url, {
  ...PATIENT_LIMITS,
  clock: SYSTEM_CLOCK,
  report: (error) => console.error(error),
});
const billing = new Billing({
  db,
  inTurn: createGroupCommit(db, SYSTEM_CLOCK),
  clock: SYSTEM_CLOCK,
  processId: order.processId,
});
const plan = { ...loadPlans(null).starter, credits_per_month: order.grant, daily_cap: null };

async function spend(tenant: string, at: number): Promise<string> {
  const account = { key: `${order.processId}-${tenant}-${at}`, tenant, plan };
  try {
    await billing.reserve(account, order.credits);
    if (at % 3 === 0) await billing.raise(account, order.credits + 1);
    if (at % 7 === 0) {
      await billing.release(account);
      return 'released';
    }
    await billing.settle(account, { operation: 'fetch', credits: order.credits, record: async () => {} });
    return 'charged';
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    await billing.release(account);
    return error.code;
  }
}

await new Processes({ db, clock: SYSTEM_CLOCK, processId: order.processId }).sweep();
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const calls = Array.from({ length: order.calls }, async (_, at) =>
  // Alternates forwards and backwards, so that batches have the tenants in every order.
  Promise.all((at % 2 === 0 ? order.tenants : order.tenants.toReversed()).map(async (tenant) => spend(tenant, at))),
);
process.stdout.write(`${JSON.stringify((await Promise.all(calls)).flat())}\n`);
await db.close();
process.exit(0);
