import type { Display, Terminal } from './parts.ts';

/** The parts of a process stream that are used. */
export type TerminalStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The error that closed it; null while it is open. */
  readonly errored?: Error | null;
  readonly write: (text: string | Uint8Array) => unknown;
  /** Whether it supports colours; Node checks `NO_COLOR`, `FORCE_COLOR` and `TERM`. */
  readonly hasColors?: () => boolean;
};

/** Moves to the first column and clears the line. */
const CLEAR_LINE = '\r\u001B[2K';
const DEFAULT_COLUMNS = 80;
/** Control sequences that a terminal would execute. Text of pages may contain any. Colours, tabs and line ends are allowed. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const CONTROL_SEQUENCES = /\u001B(?!\[[\d;]*m)|[\u0000-\u0008\u000B-\u001A\u001C-\u001F\u007F-\u009F]/g;

/** Creates the terminal output over standard output and standard error. */
export function createTerminal(stdout: TerminalStream, stderr: TerminalStream): Terminal {
  const isScreen = stderr.isTTY === true;
  let isDrawn = false;

  /** Ends the live line before other text is written. */
  function end(): void {
    if (isDrawn) stderr.write('\n');
    isDrawn = false;
  }

  return {
    isScreen,
    display: stdout.isTTY === true ? toDisplay(stdout) : null,
    out(text) {
      // If both streams go to the terminal, the live line is drawn again below the text.
      if (isDrawn && stdout.isTTY === true) stderr.write(CLEAR_LINE);
      else end();
      isDrawn = false;
      stdout.write(typeof text === 'string' && stdout.isTTY === true ? replaceControlSequences(text) : text);
    },
    isRead: () => (stdout.errored ?? null) === null,
    note(line) {
      end();
      stderr.write(`${isScreen ? replaceControlSequences(line) : line}\n`);
    },
    live(line) {
      if (!isScreen) {
        stderr.write(`${line}\n`);
        return;
      }
      // A line that wraps cannot be cleared.
      stderr.write(CLEAR_LINE + replaceControlSequences(line).slice(0, (stderr.columns || DEFAULT_COLUMNS) - 1));
      isDrawn = true;
    },
  };
}

function replaceControlSequences(text: string): string {
  return text.replaceAll(CONTROL_SEQUENCES, '\uFFFD');
}

function toDisplay({ columns, hasColors }: TerminalStream): Display {
  return { columns: columns || DEFAULT_COLUMNS, hasColors: hasColors?.() === true };
}
