import type { Clock } from '#kernel/clock.ts';
import type { Hints } from '#store/hints.ts';

/** Notifications that something changed. The change itself is read from the store. */
export type Notifications = ReturnType<typeof createNotifications>;

/** Creates notifications by topic: the id of a job, `queue`, `begun` or `cancelled`. */
export function createNotifications(hints: Hints, clock: Pick<Clock, 'after'>) {
  const waiting = new Map<string, Set<() => void>>();

  function notifyHere(topic: string): void {
    for (const wake of waiting.get(topic) ?? []) wake();
  }

  hints.onHint(notifyHere);
  return {
    /** Wakes waiting code in this process. */
    notifyHere,

    /** Wakes waiting code in all processes. */
    notify(topic: string): void {
      notifyHere(topic);
      hints.send(topic);
    },

    /** Resolves at the next notification of the topic, after `ms`, or when the signal aborts, whichever is first. */
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
