import { setImmediate as turn } from 'node:timers/promises';
import { type Clock, pause } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Digests } from './digests.ts';
import type { Ticks } from './ticks.ts';

const LOOK_EVERY_MS = 250;
const PAUSE_AFTER_FAILURE_MS = 1000;

export type SchedulerLoopParts = {
  readonly ticks: Ticks;
  readonly digests: Digests;
  readonly clock: Clock;
  /** Called with each error; the loop goes on. */
  readonly report: (error: unknown) => void;
};

/** Starts the loop that looks for due monitors and digests four times a second; `close` resolves when it writes nothing more. */
export function startScheduler({ ticks, digests, clock, report }: SchedulerLoopParts) {
  const closing = new AbortController();
  const counts = { ticks: 0, lateMs: 0 };

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        // A tick after the last day is none.
        const expired = await ticks.expire();
        const resting = await ticks.rest();
        const { due, lateness } = await ticks.tick();
        counts.ticks += lateness.length;
        counts.lateMs += lateness.reduce((sum, ms) => sum + Math.max(0, ms), 0);
        const flushed = await digests.flush();
        if (expired > 0 || resting > 0 || due > 0 || flushed > 0) {
          // Other calls have a turn of the event loop between two batches.
          await turn();
          continue;
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) report(error);
        await pause(clock, PAUSE_AFTER_FAILURE_MS, closing.signal);
      }
      await pause(clock, LOOK_EVERY_MS, closing.signal);
    }
  }

  const ended = loop();
  return {
    /** Ticks that became runs on time, and their lateness in all, ms. */
    counts: () => counts,
    async close(): Promise<void> {
      closing.abort();
      await ended;
    },
  };
}
