import { type Clock, pause } from '#kernel/clock.ts';
import { StoreUnavailable } from '#store/db.ts';

/** A store that cannot be used for this long is waited for no longer. */
export const MAX_STORE_WAIT_MS = 3_600_000;

const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 30_000;

type Patience = { readonly clock: Clock; readonly signal: AbortSignal };

/** Runs work, again and again while the store cannot be used, for an hour or until the signal fires. */
export async function untilStored<T>(work: () => Promise<T>, { clock, signal }: Patience): Promise<T> {
  const begun = clock.monotonic();
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      const isOver = signal.aborted || clock.monotonic() - begun > MAX_STORE_WAIT_MS;
      if (!(error instanceof StoreUnavailable) || isOver) throw error;
      await pause(clock, waitMs, signal);
    }
  }
}
