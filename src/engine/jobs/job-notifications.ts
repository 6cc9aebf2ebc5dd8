import type { Clock } from '#kernel/clock.ts';
import type { Hints } from '#store/hints.ts';

/** Tells those who wait that something changed; what changed they read from the store. */
export type News = ReturnType<typeof buildNews>;

/** News by topic: the id of a job, `queue`, `begun` or `cancelled`. */
export function buildNews(hints: Hints, clock: Pick<Clock, 'after'>) {
  const waiting = new Map<string, Set<() => void>>();

  function tell(topic: string): void {
    for (const wake of waiting.get(topic) ?? []) wake();
  }

  hints.hear(tell);
  return {
    /** Wakes those who wait in this process. */
    tell,

    /** Wakes those who wait in any process. */
    spread(topic: string): void {
      tell(topic);
      hints.send(topic);
    },

    /** Resolves at the next news of the topic, after `ms`, or when the signal fires, whichever is first. */
    async next(topic: string, ms: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted) return;
      const woken = Promise.withResolvers<void>();
      const timer = clock.after(ms, woken.resolve);
      const wakes = waiting.get(topic) ?? new Set();
      waiting.set(topic, wakes.add(woken.resolve));
      const onAbort = (): void => woken.resolve();
      signal.addEventListener('abort', onAbort);
      await woken.promise;
      signal.removeEventListener('abort', onAbort);
      timer.close();
      wakes.delete(woken.resolve);
      if (wakes.size === 0) waiting.delete(topic);
    },
  };
}
