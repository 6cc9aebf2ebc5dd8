import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import {
  startCommand,
  startService,
  startWorker,
  type CommandProcess,
  type ServiceProcess,
  removeSettings,
} from '#demo/service.ts';
import { ROOT } from './copy.ts';

export const KEY = `qk_${'a'.repeat(32)}`;
const PROGRAM = join(ROOT, 'packages/quern/bin/quern.mjs');
const COMMAND_MS = 120_000;

/** The outcome of a command. */
export type Ended = { readonly code: number | null; readonly out: string; readonly err: string };

export type Settings = Readonly<Record<string, string>>;

/** Most tests use pages without a browser, so they run on every machine. */
export const NO_BROWSER: Settings = { QUERN_CHROMIUM: 'off' };

/** Runs `quern` to its end on the data of a folder, also its working directory, with only these settings. */
export async function runQuern(
  folder: string,
  args: readonly string[],
  settings: Settings = {},
  program = PROGRAM,
): Promise<Ended> {
  const command = [program, ...args];
  return runToEnd(process.execPath, command, {
    cwd: folder,
    settings: { ...NO_BROWSER, QUERN_DATA_DIR: folder, ...settings },
  });
}

/** Starts `quern` as `runQuern` does; it is killed with the scope. */
export function startQuern(
  folder: string,
  args: readonly string[],
  settings: Settings = {},
): CommandProcess & AsyncDisposable {
  return disposing(startCommand(args, { dataDir: folder, settings: { ...NO_BROWSER, ...settings } }));
}

/** Runs any command to its end. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  { cwd, settings }: { readonly cwd: string; readonly settings: Settings },
): Promise<Ended> {
  const child = spawn(command, args, {
    cwd,
    env: { ...removeSettings(process.env), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: COMMAND_MS,
  });
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  child.once('error', ended.reject);
  const [code, out, err] = await Promise.all([ended.promise, text(child.stdout), text(child.stderr)]);
  return { code, out, err };
}

export type Answered = {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
};

/** A running service, with a function to call it. */
export type Answering = AsyncDisposable & {
  readonly origin: string;
  /** With a body it is a POST; the key is by default the first one of the service. */
  readonly call: (path: string, body?: unknown, key?: string) => Promise<Answered>;
};

/** A service in its own process. */
export type RunningService = ServiceProcess & Answering;

/** Starts `quern serve` on a free port, with `KEY` as its first key; it is killed with the scope. */
export async function serveQuern(folder: string, settings: Settings = {}, program = PROGRAM): Promise<RunningService> {
  const service = await startService({
    dataDir: folder,
    settings: { ...NO_BROWSER, QUERN_BOOTSTRAP_KEY: KEY, ...settings },
    program,
  });
  return disposing({
    ...service,
    call: async (path: string, body?: unknown, key = KEY) => ask(service.origin + path, { key, body }),
  });
}

/** Starts `quern worker`; it is killed with the scope. */
export async function workQuern(folder: string, settings: Settings): Promise<CommandProcess & AsyncDisposable> {
  return disposing(await startWorker({ dataDir: folder, settings }));
}

function disposing<P extends CommandProcess>(process: P): P & AsyncDisposable {
  return {
    ...process,
    async [Symbol.asyncDispose]() {
      process.signal('SIGKILL');
      await process.ended;
    },
  };
}

/** Calls a service as `Served.call` does. */
export async function ask(
  url: string,
  { key, body }: { readonly key: string; readonly body: unknown },
): Promise<Answered> {
  const answer = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(COMMAND_MS),
  });
  const read: unknown = await answer.json();
  if (typeof read !== 'object' || read === null) throw new Error('an answer is an object');
  return { status: answer.status, headers: answer.headers, body: { ...read } };
}
