/**
 * Words between the processes that share a store, so that one need not look for what another has just done. A hint may be
 * lost or come twice: whoever waits for one also looks for itself from time to time.
 */
export type Hints = {
  /** Tells the other processes, soon and without waiting. */
  readonly send: (topic: string) => void;
  /** Calls back for each topic that another process sends. */
  readonly hear: (listener: (topic: string) => void) => void;
  readonly close: () => Promise<void>;
};

/** Where one process has the store to itself there is nobody to tell. */
export const NO_HINTS: Hints = { send: () => undefined, hear: () => undefined, close: async () => undefined };
