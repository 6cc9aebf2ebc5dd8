import type { Display, Terminal } from './parts.ts';

/** The used members of a process stream. */
export type TerminalStream = {
  readonly isTTY?: boolean;
  readonly columns?: number;
  /** The error that ended it, null while it is read. */
  readonly errored?: Error | null;
  readonly write: (text: string | Uint8Array) => unknown;
  /** Whether it shows colours; Node asks `NO_COLOR`, `FORCE_COLOR` and `TERM`. */
  readonly hasColors?: () => boolean;
};

/** To the first column, and nothing left on the line. */
const CLEAR = '\r\u001B[2K';
const USUAL_COLUMNS = 80;
/** What a screen would obey instead of showing it: pages may hold anything. Colours, tabs and line ends are harmless. */
// oxlint-disable-next-line no-control-regex -- control characters are what is looked for
const OBEYED = /\u001B(?!\[[\d;]*m)|[\u0000-\u0008\u000B-\u001A\u001C-\u001F\u007F-\u009F]/g;

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
    display: stdout.isTTY === true ? toDisplay(stdout) : null,
    out(text) {
      // On one screen the line is drawn again below the text.
      if (isDrawn && stdout.isTTY === true) stderr.write(CLEAR);
      else end();
      isDrawn = false;
      stdout.write(typeof text === 'string' && stdout.isTTY === true ? toHarmless(text) : text);
    },
    isRead: () => (stdout.errored ?? null) === null,
    note(line) {
      end();
      stderr.write(`${isScreen ? toHarmless(line) : line}\n`);
    },
    live(line) {
      if (!isScreen) {
        stderr.write(`${line}\n`);
        return;
      }
      // A line that wraps cannot be cleared.
      stderr.write(CLEAR + toHarmless(line).slice(0, (stderr.columns || USUAL_COLUMNS) - 1));
      isDrawn = true;
    },
  };
}

function toHarmless(text: string): string {
  return text.replaceAll(OBEYED, '\uFFFD');
}

function toDisplay({ columns, hasColors }: TerminalStream): Display {
  return { columns: columns || USUAL_COLUMNS, hasColors: hasColors?.() === true };
}
