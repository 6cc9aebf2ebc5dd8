/**
 * Notifications between the processes that share a store, so that one need not poll for the changes of another. A hint may
 * be lost or come twice: a process that waits for one also polls, less often.
 */
export type Hints = {
  /** Notifies the other processes soon; does not wait. */
  readonly send: (topic: string) => void;
  /** Calls back for each topic that another process sends. */
  readonly hear: (listener: (topic: string) => void) => void;
  readonly close: () => Promise<void>;
};

/** The hints of a store that one process has to itself. */
export const NO_HINTS: Hints = { send: () => undefined, hear: () => undefined, close: async () => undefined };
