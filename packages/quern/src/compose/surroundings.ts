import type { Loaded } from '#kernel/config.ts';
import type { Terminal } from '#transports/cli/parts.ts';
import type { OnStop } from '#transports/cli/serve.ts';

/** The surroundings of a command line: settings, terminal, and the signals that end it. */
export type Surroundings = {
  /** The settings; null for those of the process, which are read when a command runs. */
  readonly loaded: Loaded | null;
  readonly terminal: Terminal;
  /** Creates a signal that fires when the user interrupts; called once there is something to interrupt. */
  readonly interruption: () => AbortSignal;
  /** Tells a service or a worker when to stop. */
  readonly onStop: OnStop;
  /** Keeps what the process stores from now on for its own user alone, also in a folder that others can enter. */
  readonly restrictFiles: () => void;
  /** Asks the user for a secret. */
  readonly readSecret: (question: string) => Promise<string>;
};
