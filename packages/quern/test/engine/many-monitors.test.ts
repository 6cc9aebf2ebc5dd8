import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createNotifications } from '#engine/jobs/job-notifications.ts';
import { buildDigests } from '#features/monitors/run/digests.ts';
import { NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { startScheduler } from '#features/monitors/run/scheduler.ts';
import { Ticks } from '#features/monitors/run/ticks.ts';
import { createSealer } from '#kernel/sealer.ts';
import { NO_HINTS } from '#store/hints.ts';
import { openTestClock } from '../support/clock.ts';
import { withStore } from '../support/store.ts';
import { insertMany } from '../support/engine/many-rows.ts';

const DUE = 600;
const NOW = '2026-11-21T12:00:00Z';

test('other work runs between batches of due monitors', async () => {
  await withStore(async (db) => {
    const clock = openTestClock(NOW);
    const due = String(clock.now());
    await insertMany(db, DUE, {
      monitors: {
        id: "'mon_' || n",
        tenant_id: "'ten_1'",
        kind: "'generic'",
        name: "''",
        operation: "'fetch'",
        body: "''",
        input: "''",
        watch: "'{}'",
        metadata: "'{}'",
        cron: "'0 * * * *'",
        timezone: "'UTC'",
        active: '1',
        next_run_at: due,
        due_at: due,
        run_credits: '2',
        created_at: '0',
        updated_at: '0',
      },
    });
    const notifications = createNotifications(NO_HINTS, clock);
    const sealer = createSealer(new Uint8Array(32), 'test');
    const ticks = new Ticks({ db, clock, random: () => 0, sealer, notifications, nextRuns: new NextRunCalculator() });
    const digests = buildDigests({ db, clock, sealer, notifications });
    const scheduler = startScheduler({ ticks, digests, clock, report: (error) => assert.fail(String(error)) });
    let turns = 0;
    for (; (await ticks.countDue()) > 0; turns += 1) await turn();
    await scheduler.close();
    assert.equal((await db.query("select id from jobs where status = 'queued'")).length, DUE);
    assert.ok(turns >= 10, `${turns} turns of the event loop`);
  });
});
