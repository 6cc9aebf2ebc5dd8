import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/** A program with its arguments. */
export type Command = readonly [program: string, ...args: readonly string[]];

export type CommandOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with each line that the program writes, on either stream. */
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
};

const LINE_CHARS = 500;

/**
 * Ends the whole group when the pipe at descriptor 3 ends, which it does with us, however we end: asked at first, by
 * force after a while.
 */
const WATCHED = `(trap '' TERM; read -r _ <&3; kill -TERM 0; sleep 3; kill -KILL 0) >/dev/null 2>&1 &
exec "$@" 3<&-`;

/**
 * Runs a program to its end and answers null on success, else the reason in a few words. It outlives neither the signal
 * nor this process, and its own children do not either.
 */
export async function runCommand(
  command: Command,
  { environment, say, signal }: CommandOptions,
): Promise<string | null> {
  signal.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', WATCHED, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: { ...environment },
  });
  const [, out, err, watch] = child.stdio;
  const letGo = (): void => void watch?.destroy();
  signal.addEventListener('abort', letGo, { once: true });
  for (const stream of [out, err]) if (stream !== null) tellLines(stream, say);
  try {
    return await endOf(child);
  } finally {
    signal.removeEventListener('abort', letGo);
    letGo();
  }
}

function tellLines(stream: Readable, say: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    // Progress bars are coloured.
    const text = stripVTControlCharacters(line).trim();
    if (text !== '') say(text.slice(0, LINE_CHARS));
  });
}

/** Its children may hold its streams, so the ends of those are not waited for. */
async function endOf(child: ChildProcess): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  child.once('error', ({ message }) => resolve(message));
  child.once('exit', (code, signal) => {
    if (code === 0) resolve(null);
    else if (code === 127) resolve('there is no such program');
    else resolve(code === null ? `was ended by ${signal ?? 'a signal'}` : `ended with status ${code}`);
  });
  return promise;
}
