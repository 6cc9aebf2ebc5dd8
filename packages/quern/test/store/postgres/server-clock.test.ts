import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SYSTEM_CLOCK } from '#kernel/clock.ts';
import { type Queryable, StoreUnavailable } from '#store/db.ts';
import { createServerClock, readServerTime } from '#store/server-clock.ts';
import { withStoreKind } from '../../support/store.ts';
import { driveClock } from '../../support/clock.ts';

const HOUR_MS = 3_600_000;
/** Far more than a reading can be wrong by, and far less than clocks are set by here. */
const NEAR_MS = 20_000;

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) < NEAR_MS;
}

test('the server time does not depend on the clock of the machine, at the start or later', async (t) => {
  await withStoreKind('postgres', async (db) => {
    const before = await readServerTime(db, SYSTEM_CLOCK);
    const wall = Date.now;
    t.mock.method(Date, 'now', () => wall() + HOUR_MS);
    const clock = await createServerClock(db, SYSTEM_CLOCK);
    assert.ok(isNear(clock.now(), before));
    assert.ok(Number.isInteger(clock.now()));
    t.mock.method(Date, 'now', () => wall() - HOUR_MS);
    assert.ok(isNear(clock.now(), before));
    clock.close();
  });
});

test('the clock follows that of its server, and continues while the server is away', async () => {
  const server = { now: Date.parse('2026-11-21T12:00:00Z'), isAway: false };
  const db: Queryable = {
    async query() {
      if (server.isAway) throw new StoreUnavailable('away');
      return [{ now: server.now }];
    },
  };
  const own = driveClock();
  const clock = await createServerClock(db, own);
  assert.ok(isNear(clock.now(), server.now));
  server.isAway = true;
  await own.advance(10_000);
  assert.ok(isNear(clock.now(), server.now));
  server.isAway = false;
  server.now += HOUR_MS;
  await own.advance(10_000);
  assert.ok(isNear(clock.now(), server.now));
  clock.close();
});
