import { sleepUnlessAborted, SYSTEM_CLOCK } from '#kernel/clock.ts';
import type { Config } from '#kernel/config.ts';
import { OperatorError } from '#kernel/errors.ts';
import { isTransientStoreError } from '#store/transient-errors.ts';
import type { StartContext } from '#transports/cli/serve.ts';

/** Runs a step of the start, and repeats it while the store is unavailable or full. */
export type StartRetry = <T>(step: () => T | Promise<T>) => Promise<T>;

const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 2000;

/** Creates the retries of one start, limited by its setting. Throws the reason of the signal when it fires. */
export function createStartRetry(
  { QUERN_STORE_WAIT_SECONDS: seconds }: Pick<Config, 'QUERN_STORE_WAIT_SECONDS'>,
  { signal, note }: StartContext,
): StartRetry {
  const until = SYSTEM_CLOCK.monotonic() + seconds * 1000;
  let waitMs = FIRST_WAIT_MS;
  let lastLine = '';

  return async function patiently(step) {
    for (;;) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof Error) || !isTransientStoreError(error) || seconds === 0) throw error;
        if (SYSTEM_CLOCK.monotonic() >= until) {
          const why = `${error.message}; waited ${seconds} s for it (QUERN_STORE_WAIT_SECONDS)`;
          throw new OperatorError(why, { cause: error });
        }
        if (error.message !== lastLine)
          note(`quern: ${error.message}; waiting up to ${seconds} s (QUERN_STORE_WAIT_SECONDS)`);
        lastLine = error.message;
        await sleepUnlessAborted(SYSTEM_CLOCK, waitMs, signal);
        signal.throwIfAborted();
        waitMs = Math.min(2 * waitMs, MAX_WAIT_MS);
      }
    }
  };
}
