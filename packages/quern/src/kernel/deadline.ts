import type { Clock } from '#kernel/clock.ts';
/** The time limit of one call; `startedAt` is monotonic, ms. */
export type Deadline = {
  /** Fires when the outer signal fires or the time is up. */
  readonly signal: AbortSignal;
  readonly startedAt: number;
  readonly timeoutMs: number;
};

/** Runs work with a time limit of `timeoutMs`. Cheaper than `AbortSignal.any`, for hot paths. */
export async function runWithDeadline<T>(
  { timeoutMs, signal, clock }: { readonly timeoutMs: number; readonly signal: AbortSignal; readonly clock: Clock },
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onOuter = (): void => controller.abort(signal.reason);
  const timer = clock.after(timeoutMs, () => controller.abort(new DOMException('time is up', 'TimeoutError')));
  if (signal.aborted) onOuter();
  signal.addEventListener('abort', onOuter);
  try {
    return await work({ signal: controller.signal, startedAt: clock.monotonic(), timeoutMs });
  } finally {
    timer.close();
    signal.removeEventListener('abort', onOuter);
  }
}

/** Waits for work, but throws the signal's reason as soon as the signal fires; the work itself may go on. */
export async function waitUnlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
