import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

/** Time between the request to end a command and its kill, ms. */
const KILL_DELAY_MS = 5_000;
const MAX_SHOWN_LINES = 30;

export type CommandOptions = {
  /** Ends the command with all that it started. */
  readonly signal: AbortSignal;
  readonly cwd?: string;
};

/**
 * Runs a command to its end and returns its standard output. Throws an error with the last lines of its output if it fails,
 * and the reason of the signal if that fires first.
 */
export async function runCommand(
  command: string,
  args: readonly string[],
  { signal, cwd = '/' }: CommandOptions,
): Promise<string> {
  signal.throwIfAborted();
  // Its own process group, so that the processes of a build end with it.
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const stop = (): void => endGroup(child.pid);
  signal.addEventListener('abort', stop, { once: true });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  child.once('error', ended.reject);
  try {
    const [status, out, err] = await Promise.all([ended.promise, text(child.stdout), text(child.stderr)]);
    signal.throwIfAborted();
    if (status === 0) return out;
    const lines = `${out}${err}`.trimEnd().split('\n').slice(-MAX_SHOWN_LINES);
    throw new Error(`${command} ${args.join(' ')} ended with ${status}:\n${lines.join('\n')}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Ends a process group, by force after a while. */
function endGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  signalGroup(leader, 'SIGTERM');
  setTimeout(() => signalGroup(leader, 'SIGKILL'), KILL_DELAY_MS).unref();
}

function signalGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal);
  } catch {
    // It has ended.
  }
}
