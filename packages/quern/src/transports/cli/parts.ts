import type { Operation } from '#engine/call/operation.ts';
import type { Clock } from '#kernel/clock.ts';

/** A screen that text is read on. */
export type Display = {
  readonly columns: number;
  /** Whether it shows colours, and nothing such as `NO_COLOR` forbids them. */
  readonly hasColors: boolean;
};

/** Writes one line or text; `out` holds only results, `note` everything else, `live` what the next line replaces. */
export type Terminal = {
  readonly out: (text: string | Uint8Array) => void;
  readonly note: (line: string) => void;
  readonly live: (line: string) => void;
  /** Whether `live` redraws one line in place; otherwise it appends lines. */
  readonly isScreen: boolean;
  /** The screen that standard output goes to, null for a file or a pipe. */
  readonly display: Display | null;
  /** False once the reader of standard output is gone. */
  readonly isRead: () => boolean;
};

/** The answer of an operation: a body, or a stream instead of one. */
export type Said = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly stream: AsyncIterable<string | Uint8Array> | null;
};

/** The way to the service: the embedded store or a server. */
type Asking = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<Said>;
  /** Makes sure that queued jobs are run, here or by the server. */
  readonly work: () => Promise<void>;
  /** Whether a service, of this process or another, runs what is queued. */
  readonly isServed: () => Promise<boolean>;
  /** A signal that fires when the user interrupts. */
  readonly interrupted: () => AbortSignal;
};

/** The operations by which work is queued and followed. */
export type JobOperations = { readonly submit: Operation; readonly show: Operation; readonly result: Operation };

export type CliParts = Asking & {
  readonly operations: readonly Operation[];
  readonly jobs: JobOperations;
  /** Where commands go, in words: a server or a folder. */
  readonly place: string;
  /** The line that starts a service on the data of this machine that commands use. */
  readonly serveLine: string;
  readonly version: string;
  readonly terminal: Terminal;
  /** The time of the service, ms, which a rehearsal may set. */
  readonly now: () => number;
  /** Measures and waits for the command itself. */
  readonly clock: Clock;
};
