/**
 * Notifications between the processes that share a database, so that they need not poll often. A hint may be lost or
 * delivered twice, so a process that waits for one also polls at a low rate.
 */
export type Hints = {
  /** Notifies the other processes; does not wait for delivery. */
  readonly send: (topic: string) => void;
  /** Sets the listener for topics that other processes send. */
  readonly onHint: (listener: (topic: string) => void) => void;
  readonly close: () => Promise<void>;
};

/** Hints for a database that only one process uses: they do nothing. */
export const NO_HINTS: Hints = { send: () => undefined, onHint: () => undefined, close: async () => undefined };
