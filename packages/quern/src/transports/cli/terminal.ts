import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { InterruptedError } from './exit.ts';
import type { Display, Terminal } from './context.ts';

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

/** Standard input. */
type Input = NodeJS.ReadStream;

const MAX_CHARS = 4096;

/** Reads a line of standard input. On a terminal, it prompts and does not echo the typed text. */
export async function readSecret(question: string, input: Input, ask: (text: string) => void): Promise<string> {
  if (!input.isTTY) return readLine(input);
  // Before the prompt, since the terminal echoes until then.
  input.setRawMode(true);
  try {
    ask(question);
    return await readKeys(input);
  } finally {
    input.setRawMode(false);
    input.pause();
    ask('\n');
  }
}

async function readLine(input: Input): Promise<string> {
  const lines = createInterface({ input });
  try {
    const ended = once(lines, 'close').then(() => ['']);
    const [line = ''] = await Promise.race([once(lines, 'line'), ended]);
    return String(line).slice(0, MAX_CHARS);
  } finally {
    lines.close();
  }
}

/** Reads keys in raw mode until Enter. */
async function readKeys(input: Input): Promise<string> {
  let typed = '';
  for await (const piece of input.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    for (const key of String(piece)) {
      if (key === '\r' || key === '\n' || key === '\u0004') return typed;
      if (key === '\u0003') throw new InterruptedError('nothing was stored');
      typed = key === '\u007F' || key === '\b' ? typed.slice(0, -1) : (typed + key).slice(0, MAX_CHARS);
    }
  }
  return typed;
}
