import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Billing } from '#engine/credits/billing.ts';
import { Keys } from '#engine/identity/keys.ts';
import { loadPlans } from '#engine/identity/plans.ts';
import { RequestLog } from '#engine/call/request-log.ts';
import { Tenants } from '#engine/credits/tenants.ts';
import { SYSTEM_CLOCK, toTimestamp } from '#kernel/clock.ts';
import { newId } from '#kernel/ids.ts';
import { groupCommits } from '#store/group-commit.ts';
import { migrate } from '#store/migrate.ts';
import { openSqlite } from '#store/sqlite.ts';

/** A lone call waits for the gap between commits, so fewer of them take as long. */
function callsFor(width: number): number {
  return width === 1 ? 2_000 : 20_000;
}

/**
 * CPU of one call in ms for what every paid call needs beside its work: find the key, check the plan, reserve, settle
 * with ledger row and log row. On the embedded store, `width` calls in flight.
 */
export async function measureCredits(width: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'quern-bench-'));
  const db = openSqlite(join(folder, 'quern.db'), { sync: 'normal' });
  try {
    await migrate(db);
    const once = await buildCall(db);
    const calls = callsFor(width);
    await inFlight(width, calls / 10, once);
    const before = process.cpuUsage();
    await inFlight(width, calls, once);
    const spent = process.cpuUsage(before);
    return (spent.user + spent.system) / 1000 / calls;
  } finally {
    await db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function buildCall(db: ReturnType<typeof openSqlite>): Promise<() => Promise<void>> {
  const clock = SYSTEM_CLOCK;
  const inTurn = groupCommits(db, SYSTEM_CLOCK);
  const keys = new Keys({ db, clock, plans: loadPlans(null) });
  const billing = new Billing({ db, inTurn, clock, processId: 'bench' });
  const requestLog = new RequestLog({ db, inTurn, clock });
  const { key } = await keys.add(await new Tenants({ db, clock }).create('bench', 'unlimited'), 'bench');

  return async function once() {
    const caller = await keys.findCaller(key);
    if (caller === null || !caller.plan.starter_surfaces) throw new Error('the key of the benchmark is not known');
    const now = clock.now();
    const id = newId('req', now);
    const account = { key: id, tenant: caller.tenant, plan: caller.plan };
    await billing.reserve(account, 2);
    await billing.settle(account, {
      operation: 'fetch',
      credits: 2,
      record: async (tx) =>
        requestLog.write(tx, {
          tenant: caller.tenant,
          id,
          at: toTimestamp(now),
          operation: 'fetch',
          status: 200,
          code: null,
          credits: 2,
          tier: 'http',
          duration_ms: 1,
          input_tokens: 0,
          output_tokens: 0,
          attempts: [],
          url: null,
          message: null,
        }),
    });
  };
}

async function inFlight(width: number, calls: number, once: () => Promise<void>): Promise<void> {
  let left = calls;
  const lines = Array.from({ length: width }, async () => {
    while (left-- > 0) await once();
  });
  await Promise.all(lines);
}
