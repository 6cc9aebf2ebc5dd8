import { ignoreEvents } from '#kernel/events.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JobRow } from '#engine/jobs/job-record.ts';
import { NextRunCalculator } from '#features/monitors/schedule/next-run.ts';
import { buildRunEnds } from '#features/monitors/run/run-ends.ts';
import { createSealer } from '#kernel/sealer.ts';
import { readRow } from '#store/rows.ts';
import { openTestClock } from '../../support/clock.ts';
import { withStore } from '../../support/store.ts';

const ADD = `insert into jobs (id, tenant_id, request_id, kind, status, created_at, due_at)
  values ('run_1', 'ten_1', 'req', 'fetch', 'running', 0, 0) returning *`;

test('a run is counted once, after its commit, however often its transaction runs', async () => {
  await withStore(async (db) => {
    const clock = openTestClock('2026-11-21T12:00:00Z');
    const sealer = createSealer(new Uint8Array(32), 'test');
    const runs = buildRunEnds({
      db,
      clock,
      sealer,
      operations: [],
      nextRuns: new NextRunCalculator(),
      observe: ignoreEvents,
    });
    const row = readRow(JobRow, await db.query(ADD));
    assert.ok(row !== null);
    for (let again = 0; again < 2; again += 1) await db.transaction(async (tx) => runs.cancel(tx, row));
    assert.deepEqual(runs.counts(), new Map());
    for (let again = 0; again < 2; again += 1) runs.afterEnd(row);
    assert.deepEqual(runs.counts(), new Map([['cancelled', 1]]));
  });
});
