import type { Operation } from '#engine/call/operation.ts';
import type { Clock } from '#kernel/clock.ts';

/** The terminal window that standard output goes to. */
export type Display = {
  readonly columns: number;
  /** Whether colours are supported and not disabled, for example by `NO_COLOR`. */
  readonly hasColors: boolean;
};

/** Output of a command: `out` writes results to standard output, `note` lines to standard error, `live` a line that the next one replaces. */
export type Terminal = {
  readonly out: (text: string | Uint8Array) => void;
  readonly note: (line: string) => void;
  readonly live: (line: string) => void;
  /** Whether `live` redraws one line in place; otherwise it appends lines. */
  readonly isScreen: boolean;
  /** The terminal window of standard output; null for a file or a pipe. */
  readonly display: Display | null;
  /** False once standard output is closed by its reader. */
  readonly isRead: () => boolean;
};

/** The answer of an operation: a body, or a stream. */
export type OperationAnswer = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly stream: AsyncIterable<string | Uint8Array> | null;
};

/** Access to the service: through the local store, or on a server. */
type ServiceAccess = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<OperationAnswer>;
  /** Ensures that queued jobs run, in this process or on the server. */
  readonly work: () => Promise<void>;
  /** Whether a service, of this process or another, runs what is queued. */
  readonly isServed: () => Promise<boolean>;
  /** A signal that fires when the user interrupts. */
  readonly interrupted: () => AbortSignal;
};

/** The operations that submit and follow jobs. */
export type JobOperations = { readonly submit: Operation; readonly show: Operation; readonly result: Operation };

/** What commands of operations need: access to the service, the operations, and the terminal. */
export type CommandContext = ServiceAccess & {
  readonly operations: readonly Operation[];
  readonly jobs: JobOperations;
  /** Description of where commands go: a server or a folder. */
  readonly place: string;
  /** The command line that starts a service on the local data. */
  readonly serveLine: string;
  readonly version: string;
  readonly terminal: Terminal;
  /** The time of the service, ms since 1970; tests and demos may set it. */
  readonly now: () => number;
  /** Clock for durations and waits of the command itself. */
  readonly clock: Clock;
};
