/** The time of one call, on the monotonic clock in ms. */
export type Deadline = {
  /** Fires when the outer signal does or the time is up. */
  readonly signal: AbortSignal;
  readonly startedAt: number;
  readonly timeoutMs: number;
};

/** Runs work under a deadline of `timeoutMs` from now; cheaper than `AbortSignal.any` on a hot path. */
export async function withDeadline<T>(
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal },
  work: (deadline: Deadline) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const onOuter = (): void => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new DOMException('time is up', 'TimeoutError')), timeoutMs);
  if (signal.aborted) onOuter();
  signal.addEventListener('abort', onOuter);
  try {
    return await work({ signal: controller.signal, startedAt: performance.now(), timeoutMs });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onOuter);
  }
}

/** Waits no longer than the signal; what is left behind ends by itself. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
