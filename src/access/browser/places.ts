/** So many places for work; who finds none waits, first come, first served. */
export type Places = {
  /** Resolves when a place is there; throws the signal's reason when that fires first. */
  readonly take: (signal: AbortSignal) => Promise<void>;
  readonly free: () => void;
};

/** Opens `count` places. */
export function openPlaces(count: number): Places {
  let left = count;
  const waiting = new Set<() => void>();
  return {
    async take(signal) {
      signal.throwIfAborted();
      if (left > 0) {
        left -= 1;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const onAbort = (): void => {
          waiting.delete(onFree);
          reject(signal.reason);
        };
        const onFree = (): void => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        };
        waiting.add(onFree);
        signal.addEventListener('abort', onAbort, { once: true });
      });
    },
    free() {
      const [next] = waiting;
      if (next === undefined) {
        left += 1;
        return;
      }
      waiting.delete(next);
      next();
    },
  };
}
