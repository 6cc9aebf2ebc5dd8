import { setImmediate as turn } from 'node:timers/promises';
import { StoreUnavailable } from '#store/db.ts';
import type { News } from '#engine/job-news.ts';
import type { Digests } from './digests.ts';
import type { Scheduling } from './scheduling.ts';

const LOOK_EVERY_MS = 250;
const PAUSE_AFTER_FAILURE_MS = 1000;

export type SchedulerParts = {
  readonly scheduling: Scheduling;
  readonly digests: Digests;
  readonly news: News;
  /** Told of what goes wrong; the loop goes on. */
  readonly report: (error: unknown) => void;
};

/** Starts the loop that looks for due monitors and digests four times a second; `close` resolves when nothing of it writes any more. */
export function startScheduler({ scheduling, digests, news, report }: SchedulerParts) {
  const closing = new AbortController();
  const counts = { ticks: 0, lateMs: 0 };

  async function loop(): Promise<void> {
    while (!closing.signal.aborted) {
      try {
        const { due, lateness } = await scheduling.tick();
        counts.ticks += lateness.length;
        counts.lateMs += lateness.reduce((sum, ms) => sum + Math.max(0, ms), 0);
        const flushed = await digests.flush();
        if (due > 0 || flushed > 0) {
          // However many are due at once, whoever asks something else has a turn between two batches.
          await turn();
          continue;
        }
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) report(error);
        await news.next('nothing', PAUSE_AFTER_FAILURE_MS, closing.signal);
      }
      await news.next('nothing', LOOK_EVERY_MS, closing.signal);
    }
  }

  const ended = loop();
  return {
    /** Ticks that were turned into runs on time, and how late they were in all, ms. */
    counts: () => counts,
    async close(): Promise<void> {
      closing.abort();
      await ended;
    },
  };
}
