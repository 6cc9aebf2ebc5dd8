import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const ROOT = join(import.meta.dirname, '../..');
const START_MS = 15_000;

/** What a command left behind. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

type Environment = Readonly<Record<string, string>>;

function launch(args: readonly string[], environment: Environment) {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', join(ROOT, 'src/main.ts'), ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Runs one command line to its end. */
export async function runQuern(args: readonly string[], environment: Environment): Promise<Ended> {
  const child = launch(args, environment);
  let out = '';
  let err = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = await once(child, 'close');
  return { code: typeof code === 'number' ? code : null, out, err };
}

/** A `quern serve` of its own process. */
export type Served = AsyncDisposable & {
  readonly origin: string;
  readonly key: string;
  readonly pid: number;
  readonly out: () => string;
  readonly err: () => string;
  /** Sends a signal. */
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves with the exit code, null when a signal ended it. */
  readonly ended: Promise<number | null>;
  readonly call: (path: string, body?: unknown, headers?: Environment) => Promise<Answered>;
};

export type Answered = { readonly status: number; readonly headers: Headers; readonly body: Record<string, unknown> };

/** Starts `quern serve` on a free port of loopback and waits until it listens. */
export async function serveQuern(folder: string, environment: Environment = {}): Promise<Served> {
  const key = 'a-key-for-the-tests';
  const child = launch(['serve'], {
    QUERN_DATA_DIR: folder,
    QUERN_PORT: '0',
    QUERN_BOOTSTRAP_KEY: key,
    ...environment,
  });
  let out = '';
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null));
  const lines = createInterface({ input: child.stdout });
  const listening = Promise.withResolvers<string>();
  lines.on('line', (line) => {
    out += `${line}\n`;
    const origin = /^Quern listens on (\S+)$/.exec(line)?.[1];
    if (origin !== undefined) listening.resolve(origin);
  });
  const late = setTimeout(() => listening.reject(new Error(`quern serve did not start: ${err}`)), START_MS);
  ended.then(
    () => listening.reject(new Error(`quern serve ended: ${err}`)),
    () => undefined,
  );
  const origin = await listening.promise.finally(() => clearTimeout(late));
  return {
    origin,
    key,
    pid: child.pid ?? 0,
    out: () => out,
    err: () => err,
    signal: (name) => void child.kill(name),
    ended,
    call: async (path, body, headers = {}) => ask(origin + path, { key, body, headers }),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}

async function ask(
  url: string,
  { key, body, headers }: { readonly key: string; readonly body: unknown; readonly headers: Environment },
): Promise<Answered> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(60_000),
  });
  const read: unknown = await answer.json();
  if (typeof read !== 'object' || read === null) throw new Error('an answer is an object');
  return { status: answer.status, headers: answer.headers, body: { ...read } };
}
