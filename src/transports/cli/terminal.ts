import type { Terminal } from './parts.ts';

/** The used members of a process stream. */
export type TerminalStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The error that ended it, null while it is read. */
  readonly errored?: Error | null;
  readonly write: (text: string | Uint8Array) => unknown;
};

/** To the first column, and nothing left on the line. */
const CLEAR = '\r\u001B[2K';
const USUAL_COLUMNS = 80;

/** The terminal over standard output and standard error; on a screen a live line is drawn again and again. */
export function openTerminal(stdout: TerminalStream, stderr: TerminalStream): Terminal {
  const isScreen = stderr.isTTY === true;
  let isDrawn = false;

  /** Ends the live line before anything else is written under it. */
  function end(): void {
    if (isDrawn) stderr.write('\n');
    isDrawn = false;
  }

  return {
    isScreen,
    out(text) {
      // On one screen the line is drawn again below the text.
      if (isDrawn && stdout.isTTY === true) stderr.write(CLEAR);
      else end();
      isDrawn = false;
      stdout.write(text);
    },
    isRead: () => (stdout.errored ?? null) === null,
    note(line) {
      end();
      stderr.write(`${line}\n`);
    },
    live(line) {
      if (!isScreen) {
        stderr.write(`${line}\n`);
        return;
      }
      // A line that wraps cannot be cleared.
      stderr.write(CLEAR + line.slice(0, (stderr.columns || USUAL_COLUMNS) - 1));
      isDrawn = true;
    },
  };
}
