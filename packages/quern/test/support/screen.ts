import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { removeSettings } from '#demo/service.ts';
import type { Settings } from './quern.ts';

const SCREEN_MS = 120_000;

/** Variables about colours that a test machine may set and the terminal of a user does not. */
const NOT_ON_A_DESK = new Set(['CI', 'GITHUB_ACTIONS', 'NO_COLOR', 'FORCE_COLOR', 'NODE_DISABLE_COLORS', 'COLORTERM']);

/** The environment of a user at a terminal, wherever the tests run; `script` starts `SHELL`. */
function ofDesk(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(removeSettings(environment)).filter(([name]) => !NOT_ON_A_DESK.has(name));
  return { ...Object.fromEntries(others), TERM: 'xterm', SHELL: '/bin/sh' };
}

/** The output on a terminal: both streams in one, with the line ends of a terminal. */
export type Seen = { readonly code: number | null; readonly text: string };

export type OnScreen = {
  readonly cwd: string;
  readonly settings: Settings;
  /** The typed text, and the text to wait for before. */
  readonly typed?: { readonly after: string; readonly keys: string };
  /** Text after which the program gets Ctrl-C. */
  readonly until?: string;
};

/** Runs a shell line on a new terminal, which `script` of util-linux creates. */
export async function runOnScreen(line: string, { cwd, settings, typed, until }: OnScreen): Promise<Seen> {
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    cwd,
    env: { ...ofDesk(process.env), ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: SCREEN_MS,
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  child.once('error', ended.reject);
  let seen = '';
  let isTyped = false;
  let isStopped = false;
  child.stdout.on('data', (piece: Buffer) => {
    seen += piece.toString('utf8');
    if (typed !== undefined && !isTyped && seen.includes(typed.after)) {
      isTyped = true;
      child.stdin.write(typed.keys);
    }
    if (until !== undefined && !isStopped && seen.includes(until)) {
      isStopped = true;
      child.stdin.write('\u0003');
    }
  });
  const [code, all] = await Promise.all([ended.promise, text(child.stdout)]);
  return { code, text: all };
}
