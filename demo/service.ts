import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 30_000;
/** Request logs grow without limit; only the beginning is needed. */
const MAX_OUTPUT_CHARS = 1_000_000;

/** A Quern command that runs as a child process. */
export type CommandProcess = {
  readonly pid: number;
  /** Standard output and standard error so far. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when standard error contains the text; otherwise never. */
  readonly waitForOutput: (text: string) => Promise<void>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with the exit code; null if a signal ended the process. */
  readonly ended: Promise<number | null>;
  /** Stops it gracefully and returns its exit code; null if it had to be killed. */
  readonly close: () => Promise<number | null>;
};

export type ServiceProcess = CommandProcess & {
  /** Such as `http://127.0.0.1:7700`, without a trailing slash. */
  readonly origin: string;
  /** Time from the start of the process to the first 200 of `/readyz`, in ms. */
  readonly readyMs: number;
};

type ProcessOptions = {
  readonly dataDir: string;
  /** All settings; those in the environment of this process are not passed on. */
  readonly settings: Readonly<Record<string, string>>;
  /** Path of the program; default: that of this checkout. */
  readonly program?: string;
};

/** A configuration folder without a saved login. */
const EMPTY_CONFIG_FOLDER = join(tmpdir(), 'quern-without-login');
const PROGRAM = join(import.meta.dirname, '../packages/quern/bin/quern.mjs');

/** Starts `quern serve` and waits until it is ready; throws an error with its output if it exits first. */
export async function startService(options: ProcessOptions): Promise<ServiceProcess> {
  const started = performance.now();
  const { child, ...rest } = startProcess(['serve'], options);
  const late = setTimeout(() => child.kill('SIGKILL'), START_TIMEOUT_MS);
  const origin = await Promise.race([findLine(child.stdout, /^Quern listens on (\S+)$/), rest.ended.then(() => null)]);
  if (origin !== null) await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
  clearTimeout(late);
  if (origin === null) throw new Error(`quern serve ended with code ${await rest.ended}:\n${rest.out()}${rest.err()}`);
  return { origin, readyMs: performance.now() - started, ...rest };
}

/** Starts `quern worker` and waits until it is ready. */
export async function startWorker(options: ProcessOptions): Promise<CommandProcess> {
  const { child, ...rest } = startProcess(['worker'], options);
  const said = await Promise.race([findLine(child.stdout, /^Quern works on (.*)$/), rest.ended.then(() => null)]);
  if (said === null) throw new Error(`quern worker ended with code ${await rest.ended}:\n${rest.out()}${rest.err()}`);
  return rest;
}

/** Starts any Quern command. */
export function startCommand(args: readonly string[], options: ProcessOptions): CommandProcess {
  const { child: _, ...rest } = startProcess(args, options);
  return rest;
}

function startProcess(args: readonly string[], options: ProcessOptions) {
  const child = spawn(process.execPath, [options.program ?? PROGRAM, ...args], {
    // Not the current folder, whose `.env` file must not apply.
    cwd: options.dataDir,
    env: { ...removeSettings(process.env), QUERN_PORT: '0', QUERN_DATA_DIR: options.dataDir, ...options.settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ending = Promise.withResolvers<number | null>();
  child.once('close', (code) => ending.resolve(code));
  child.once('error', ending.reject);
  const ended = ending.promise;
  const out = collectOutput(child.stdout);
  const err = collectOutput(child.stderr);

  async function close(): Promise<number | null> {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
    return ended.finally(() => clearTimeout(kill));
  }

  return {
    child,
    pid: child.pid ?? 0,
    out: out.text,
    err: err.text,
    waitForOutput: async (wanted: string) => err.until(wanted),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    ended,
    close,
  };
}

/** The first capture group of the first line that matches; null if none matches before the end. */
async function findLine(stream: NodeJS.ReadableStream, form: RegExp): Promise<string | null> {
  const lines = createInterface({ input: stream });
  const found = Promise.withResolvers<string | null>();
  lines.on('line', (line) => {
    const said = form.exec(line)?.[1];
    if (said !== undefined) found.resolve(said);
  });
  lines.once('close', () => found.resolve(null));
  return found.promise;
}

/** Collects the output of a stream. */
function collectOutput(stream: NodeJS.ReadableStream) {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < MAX_OUTPUT_CHARS) text += more;
  });
  return {
    text: () => text,
    async until(wanted: string): Promise<void> {
      if (text.includes(wanted)) return;
      await new Promise<void>((resolve) => {
        function look(): void {
          if (!text.includes(wanted)) return;
          stream.off('data', look);
          resolve();
        }
        stream.on('data', look);
      });
    },
  };
}

/** The environment without settings of the service, without XDG_DATA_HOME, and with an empty configuration folder. */
export function removeSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('QUERN_') && name !== 'XDG_DATA_HOME');
  return { ...Object.fromEntries(others), XDG_CONFIG_HOME: EMPTY_CONFIG_FOLDER };
}
