import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const START_MS = 120_000;
const STOP_MS = 30_000;
/** Request logs go on for ever; what matters is said at the start. */
const KEPT_CHARS = 1_000_000;

/** A command of Quern that runs as a child. */
export type Process = {
  readonly pid: number;
  /** What it has written so far to standard output and to standard error. */
  readonly out: () => string;
  readonly err: () => string;
  /** Resolves when standard error holds the text; never when it does not come. */
  readonly untilSaid: (text: string) => Promise<void>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with the exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Asks it to drain and stop; answers its exit code, null when it had to be killed. */
  readonly close: () => Promise<number | null>;
};

export type Service = Process & {
  /** `http://127.0.0.1:7700`, without a slash at the end. */
  readonly origin: string;
  /** From the start of the process to the first 200 of `/readyz`, ms. */
  readonly readyMs: number;
};

type Options = {
  readonly dataDir: string;
  /** Settings; none is taken from the environment of this process. */
  readonly settings: Readonly<Record<string, string>>;
  /** The program, this checkout's unless given. */
  readonly program?: string;
};

/** A folder without the login of the user who runs this. */
const NO_LOGIN = join(tmpdir(), 'quern-without-login');
const PROGRAM = join(import.meta.dirname, '../packages/quern/bin/quern.mjs');

/** Starts `quern serve` as a child and waits until it is ready; throws with what it printed when it ends before. */
export async function openService(options: Options): Promise<Service> {
  const started = performance.now();
  const { child, ...rest } = start(['serve'], options);
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  const origin = await Promise.race([findSaid(child.stdout, /^Quern listens on (\S+)$/), rest.ended.then(() => null)]);
  if (origin !== null) await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(START_MS) });
  clearTimeout(late);
  if (origin === null) throw new Error(`quern serve ended with code ${await rest.ended}:\n${rest.out()}${rest.err()}`);
  return { origin, readyMs: performance.now() - started, ...rest };
}

/** Starts `quern worker` as a child and waits until it works. */
export async function openWorker(options: Options): Promise<Process> {
  const { child, ...rest } = start(['worker'], options);
  const said = await Promise.race([findSaid(child.stdout, /^Quern works on (.*)$/), rest.ended.then(() => null)]);
  if (said === null) throw new Error(`quern worker ended with code ${await rest.ended}:\n${rest.out()}${rest.err()}`);
  return rest;
}

/** Starts any command as a child. */
export function openCommand(args: readonly string[], options: Options): Process {
  const { child: _, ...rest } = start(args, options);
  return rest;
}

function start(args: readonly string[], options: Options) {
  const child = spawn(process.execPath, [options.program ?? PROGRAM, ...args], {
    // A `.env` of the developer's folder is none of the child's business.
    cwd: options.dataDir,
    env: { ...withoutSettings(process.env), QUERN_PORT: '0', QUERN_DATA_DIR: options.dataDir, ...options.settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ending = Promise.withResolvers<number | null>();
  child.once('close', (code) => ending.resolve(code));
  child.once('error', ending.reject);
  const ended = ending.promise;
  const out = collect(child.stdout);
  const err = collect(child.stderr);

  async function close(): Promise<number | null> {
    child.kill('SIGTERM');
    const kill = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
    return ended.finally(() => clearTimeout(kill));
  }

  return {
    child,
    pid: child.pid ?? 0,
    out: out.text,
    err: err.text,
    untilSaid: async (wanted: string) => err.until(wanted),
    signal: (name: NodeJS.Signals) => void child.kill(name),
    ended,
    close,
  };
}

/** What the first line of that form says; null when none comes. */
async function findSaid(stream: NodeJS.ReadableStream, form: RegExp): Promise<string | null> {
  const lines = createInterface({ input: stream });
  const found = Promise.withResolvers<string | null>();
  lines.on('line', (line) => {
    const said = form.exec(line)?.[1];
    if (said !== undefined) found.resolve(said);
  });
  lines.once('close', () => found.resolve(null));
  return found.promise;
}

/** What a stream has brought so far. */
function collect(stream: NodeJS.ReadableStream) {
  let text = '';
  stream.setEncoding('utf8').on('data', (more: string) => {
    if (text.length < KEPT_CHARS) text += more;
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

/** The environment without any setting of the service, and without a data folder of the user but that of `HOME`. */
export function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const others = Object.entries(environment).filter(([name]) => !name.startsWith('QUERN_') && name !== 'XDG_DATA_HOME');
  return { ...Object.fromEntries(others), XDG_CONFIG_HOME: NO_LOGIN };
}
