import { spawn } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { basename } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ImageStore } from './image-store.ts';

/** Interval at which a service is asked whether it is ready, ms. */
const POLL_MS = 200;
const READY_TIMEOUT_MS = 120_000;
/** What an engine grants a container after SIGTERM in the Compose files. */
const STOP_TIMEOUT_MS = 30_000;

/** A service that runs in a container, with the network of this machine. */
export type RunningContainer = {
  readonly origin: string;
  /** Time from its start until it was ready, ms. */
  readonly readyMs: number;
  /** The users of its processes. */
  readonly listUsers: () => readonly number[];
  /** Runs the health check of the image; throws if it fails. */
  readonly checkHealth: () => Promise<void>;
  /** Ends it as an engine does, and returns the time that it took, ms; throws if it does not end cleanly. */
  readonly stop: () => Promise<number>;
  /** Kills what still runs. */
  readonly kill: () => void;
};

/** Runs a command of an image as its user, and returns its output. */
export async function runInImage(store: ImageStore, image: string, command: readonly string[]): Promise<string> {
  const container = await store.buildah('from', '--pull=never', image);
  try {
    return await store.buildah('run', '--isolation', 'chroot', container, '--', ...command);
  } finally {
    await store.buildah('rm', container);
  }
}

/** Starts the service of an image, with an empty volume for its data, and waits until it is ready. */
export async function startContainer(
  store: ImageStore,
  image: string,
  settings: Readonly<Record<string, string>>,
): Promise<RunningContainer> {
  const { Entrypoint: entrypoint, Cmd: words, Healthcheck: health } = await store.readConfig(image);
  const port = await findFreePort();
  const origin = `http://127.0.0.1:${port}`;
  const container = await store.buildah('from', '--pull=never', image);
  const environment = { ...settings, QUERN_PORT: `${port}`, TINI_SUBREAPER: '1' };
  const flags = [
    '--isolation',
    'chroot',
    ...Object.entries(environment).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
  ];
  const child = spawn('buildah', [...store.flags, 'run', ...flags, container, '--', ...entrypoint, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (more: Buffer) => (output += more.toString()));
  const ended = Promise.withResolvers<number | null>();
  child.once('close', ended.resolve);
  child.once('error', ended.reject);
  const kill = (): void => {
    if (child.exitCode === null) for (const pid of listDescendants(child.pid)) sendSignal(pid, 'SIGKILL');
  };
  store.signal.addEventListener('abort', kill, { once: true });

  const began = performance.now();
  while (!(await isReady(origin))) {
    if (child.exitCode !== null || performance.now() - began > READY_TIMEOUT_MS) {
      kill();
      throw new Error(`the service did not become ready:\n${output}`);
    }
    await delay(POLL_MS, undefined, { signal: store.signal });
  }
  return {
    origin,
    readyMs: performance.now() - began,
    listUsers: () => listServiceProcesses(child.pid, entrypoint).map(readUser),
    async checkHealth() {
      const [kind, ...command] = health.Test;
      if (kind !== 'CMD') throw new Error(`${kind}: is no health check of one command`);
      await store.buildah('run', '--isolation', 'chroot', '--env', `QUERN_PORT=${port}`, container, '--', ...command);
    },
    async stop() {
      const processes = listServiceProcesses(child.pid, entrypoint);
      const stopping = performance.now();
      const late = setTimeout(kill, STOP_TIMEOUT_MS);
      // An engine signals the first process of the container; buildah itself would only kill it.
      sendSignal(processes[0] ?? 0, 'SIGTERM');
      const code = await ended.promise;
      clearTimeout(late);
      const took = performance.now() - stopping;
      const left = processes.filter((pid) => readCommand(pid) !== '');
      if (code !== 0 || left.length > 0)
        throw new Error(`ended with ${code}, ${left.length} processes left:\n${output}`);
      return took;
    },
    kill,
  };
}

async function isReady(origin: string): Promise<boolean> {
  return fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(POLL_MS * 10) }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** The processes of a container from its first one on, without those of buildah around it. */
function listServiceProcesses(pid: number | undefined, [init = '']: readonly string[]): readonly number[] {
  const all = listDescendants(pid);
  const first = all.findIndex((one) => basename(readCommand(one).split('\0')[0] ?? '') === init);
  return first < 0 ? [] : all.slice(first);
}

/** A process and all that it started, parents before their children. */
function listDescendants(pid: number | undefined): readonly number[] {
  if (pid === undefined) return [];
  const parents = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), readParent(Number(name))]),
  );
  const found = [pid];
  for (const one of found) for (const [child, parent] of parents) if (parent === one) found.push(child);
  return found;
}

function readParent(pid: number): number {
  return Number(/^PPid:\s+(\d+)$/m.exec(readProcess(pid, 'status'))?.[1] ?? 0);
}

function readUser(pid: number): number {
  return Number(/^Uid:\s+(\d+)/m.exec(readProcess(pid, 'status'))?.[1] ?? 0);
}

/** The command line with a NUL after each word; empty for a process that has ended. */
function readCommand(pid: number): string {
  return readProcess(pid, 'cmdline');
}

function readProcess(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  const listening = Promise.withResolvers<void>();
  server.once('error', listening.reject).listen(0, '127.0.0.1', listening.resolve);
  await listening.promise;
  const address = server.address();
  await new Promise((resolve) => void server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port is free');
  return address.port;
}
