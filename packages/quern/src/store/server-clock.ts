import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import type { Clock } from '#kernel/clock.ts';
import { type Statements, StoreUnavailable } from './db.ts';
import { readRow } from './rows.ts';

const NOW = 'select cast(extract(epoch from clock_timestamp()) * 1000 as bigint) as now';
const Answer = z.object({ now: z.number() });

/** Readings at the start; the one with the shortest round trip counts. */
const FIRST_READINGS = 3;
const READ_EVERY_MS = 10_000;

/** The server's time minus the monotonic time of this process, and the error bound of that, ms. */
type Reading = { readonly offsetMs: number; readonly doubtMs: number };

/**
 * The time of a PostgreSQL server, which is the same for all processes on it, whatever the clocks of their machines are set
 * to. Between two readings it advances with the monotonic clock of this process.
 */
export async function openServerClock(db: Statements, clock: Clock): Promise<Clock & { readonly close: () => void }> {
  let { offsetMs } = await readFirst(db, clock);

  async function follow(): Promise<void> {
    const read = await readServer(db, clock);
    // A reading counts only if it differs by more than its error bound.
    if (Math.abs(read.offsetMs - offsetMs) > read.doubtMs) offsetMs = read.offsetMs;
  }

  const following = clock
    .every(READ_EVERY_MS, () => {
      follow().catch((error: unknown) => {
        // While the server is away the last offset stays.
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
export async function readServerTime(db: Statements, clock: Clock): Promise<number> {
  return Math.round((await readServer(db, clock)).offsetMs + clock.monotonic());
}

async function readFirst(db: Statements, clock: Clock): Promise<Reading> {
  let best = await readServer(db, clock);
  for (let more = 1; more < FIRST_READINGS; more += 1) {
    const read = await readServer(db, clock);
    if (read.doubtMs < best.doubtMs) best = read;
  }
  return best;
}

async function readServer(db: Statements, clock: Clock): Promise<Reading> {
  const asked = clock.monotonic();
  const answer = readRow(Answer, await db.query(NOW));
  if (answer === null) throw new InvariantError('a server has a time');
  const heard = clock.monotonic();
  return { offsetMs: answer.now - (asked + heard) / 2, doubtMs: (heard - asked) / 2 + 1 };
}
