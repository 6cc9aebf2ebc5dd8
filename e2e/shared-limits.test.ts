import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { loadPlans } from '#engine/identity/plans.ts';
import { checkBooks } from '#support/engine/queue.ts';
import { type Fleet, until, withFleet } from '#support/fleet.ts';
import type { RunningService } from '#support/quern.ts';

const PAGE = '/held/page';
/** Longer than it takes to detect a silent process as dead. */
const DEAD_MS = 60_000;

/** Two services on one PostgreSQL, whose first key has a plan with limits. */
async function withTwo(
  limits: Readonly<Record<string, number | null>>,
  work: (services: readonly [RunningService, RunningService], fleet: Fleet) => Promise<void>,
): Promise<void> {
  await withFleet({ kind: 'postgres', time: 'rehearsed' }, async (fleet) => {
    const plans = join(fleet.folder, 'plans.json');
    const named = Object.entries(loadPlans(null)).map(([name, { name: _name, ...plan }]) => [
      name,
      { ...plan, ...limits },
    ]);
    await writeFile(plans, JSON.stringify(Object.fromEntries(named)));
    const settings = { QUERN_PLANS_FILE: plans, QUERN_JOB_SLOTS: '0' };
    const one = await fleet.serve('one', settings);
    await work([one, await fleet.serve('two', settings)], fleet);
  });
}

function countStatus(statuses: readonly number[], status: number): number {
  return statuses.filter((one) => one === status).length;
}

suite('plan limits across two services on one database', { concurrency: 2 }, () => {
  test('of 40 requests of a key in a minute, 20 are served if its plan allows 20', async () => {
    await withTwo({ requests_per_minute: 20 }, async (services) => {
      const calls = Array.from({ length: 40 }, async (_, at) => services[at % 2]?.call('/v1/usage'));
      const answers = (await Promise.all(calls)).filter((answer) => answer !== undefined);
      const statuses = answers.map(({ status }) => status);
      assert.deepEqual([countStatus(statuses, 200), countStatus(statuses, 429)], [20, 20]);
      const left = answers
        .filter(({ status }) => status === 200)
        .map(({ headers }) => headers.get('ratelimit')?.split(';')[1]);
      assert.equal(new Set(left).size, 20);
    });
  });

  test('both services share the concurrency limit, and calls of a killed service no longer count', async () => {
    await withTwo({ concurrent_requests: 2 }, async ([one, two], { site, time, look }) => {
      const url = site.origin + PAGE;
      const gone = [one, one].map(async (service) => service.call('/v1/fetch', { url }).catch(() => null));
      await site.until(() => site.visits(PAGE) === 2);
      assert.equal((await two.call('/v1/fetch', { url })).status, 429);
      one.signal('SIGKILL');
      await Promise.all(gone);
      time.skip(DEAD_MS);
      // Each readiness check releases what dead processes held, once the clock has been read again.
      await until('the dead one is buried', async () => {
        await two.call('/readyz');
        return look(async (db) => (await db.query('select key from reservations')).length === 0);
      });
      assert.equal((await two.call('/v1/fetch', { url: `${site.origin}/free` })).status, 200);
      await look(async (db) => checkBooks({ db }));
    });
  });
});
