import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { type Queryable, StoreUnavailable } from './db.ts';
import { readRow } from './rows.ts';

const SELECT_NOW = 'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now';
const ServerTime = z.object({ now: z.number() });

/** Readings at the start, of which the one with the shortest round trip is used. */
const FIRST_READINGS = 3;
const READ_INTERVAL_MS = 10_000;

/** The server's time minus the monotonic time of this process, and the maximum error of this offset, ms. */
type ClockReading = { readonly offsetMs: number; readonly maxErrorMs: number };

/**
 * A clock with the time of a PostgreSQL server, which is the same for all its processes, even if the clocks of their machines
 * differ. Between two readings it advances with the monotonic clock of this process.
 */
export async function createServerClock(db: Queryable, clock: Clock): Promise<Clock & { readonly close: () => void }> {
  let { offsetMs } = await readBest(db, clock);

  async function follow(): Promise<void> {
    const read = await readClock(db, clock);
    // Ignore differences within the maximum error of the reading.
    if (Math.abs(read.offsetMs - offsetMs) > read.maxErrorMs) offsetMs = read.offsetMs;
  }

  const following = clock
    .every(READ_INTERVAL_MS, () => {
      follow().catch((error: unknown) => {
        // Keep the last offset while the server is unreachable.
        if (!(error instanceof StoreUnavailable)) throw error;
      });
    })
    .unref();
  return {
    ...clock,
    now: () => Math.round(offsetMs + clock.monotonic()),
    close: () => following.close(),
  };
}

/** The time of a PostgreSQL server now, ms. */
export async function readServerTime(db: Queryable, clock: Clock): Promise<number> {
  return Math.round((await readClock(db, clock)).offsetMs + clock.monotonic());
}

async function readBest(db: Queryable, clock: Clock): Promise<ClockReading> {
  let best = await readClock(db, clock);
  for (let more = 1; more < FIRST_READINGS; more += 1) {
    const read = await readClock(db, clock);
    if (read.maxErrorMs < best.maxErrorMs) best = read;
  }
  return best;
}

async function readClock(db: Queryable, clock: Clock): Promise<ClockReading> {
  const sentAt = clock.monotonic();
  const answer = readRow(ServerTime, await db.query(SELECT_NOW));
  if (answer === null) throw new InvariantError('a server has a time');
  const heard = clock.monotonic();
  return { offsetMs: answer.now - (sentAt + heard) / 2, maxErrorMs: (heard - sentAt) / 2 + 1 };
}
