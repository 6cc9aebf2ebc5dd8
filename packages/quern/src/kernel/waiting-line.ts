/** A FIFO queue of callbacks that wait for a slot; the owner of a freed slot removes the first one and calls it. */
export type WaitingLine = Set<() => void>;

/** Joins a line at once, and resolves when called; leaves it and throws the signal's reason when that fires first. */
export async function waitIn(line: WaitingLine, signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      line.delete(onTurn);
      reject(signal.reason);
    };
    const onTurn = (): void => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    line.add(onTurn);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
