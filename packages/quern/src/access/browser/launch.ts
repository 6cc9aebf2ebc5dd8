import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { promisify } from 'node:util';
import type { Clock } from '#kernel/clock.ts';
import type { Binary, BrowserKind } from './binaries.ts';
import { DevTools } from './devtools.ts';
import { PREFERENCES, buildFlags } from './flags.ts';

export type LaunchOptions = {
  readonly kind: BrowserKind;
  readonly binary: Binary;
  readonly proxyUrl: string;
  readonly clock: Clock;
  /** How far its processes give way to others, as nice(1) counts it. */
  readonly niceness: number;
  /** Root may not have a sandbox. */
  readonly isRoot: boolean;
  /** Called with one sentence for the operator's log. */
  readonly warn: (line: string) => void;
};

/** A running browser. */
export type Browser = {
  readonly devtools: DevTools;
  readonly version: number;
  /** The folder of its profile, which is removed when it has ended, and after a crash by the next one. */
  readonly profile: string;
  /** The process at the root of its tree, and the id of their group. */
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Asks it to end, kills it after a while, and removes its profile. */
  readonly close: () => Promise<void>;
};

const START_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 3_000;
const PROFILE_NAME = /^quern-browser-(\d+)-/;
/** Below this much shared memory a browser crashes on large pages; containers have 64 MiB. */
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024;
const MAX_STDERR_CHARS = 4_096;

/**
 * Starts a browser that we speak with over a pipe, so that it ends when we do, however we end. It gets a profile of its
 * own, nothing of our environment, and a sandbox unless we are root or the machine has none. Throws an Error of one
 * line when it does not start.
 */
export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  const version = await readVersion(options.binary.path);
  deleteOrphanProfiles();
  if (options.isRoot) {
    options.warn('the browser runs without its sandbox: root gets none; run the service as a user of its own');
    return startBrowser({ ...options, version, sandbox: false });
  }
  try {
    return await startBrowser({ ...options, version, sandbox: true });
  } catch (error) {
    // Whether a container lets a process make the namespaces of a sandbox shows only when one tries.
    if (!(error instanceof Error) || !/sandbox|namespace/i.test(error.message)) throw error;
    options.warn('the browser runs without its sandbox: this machine gives its user no namespaces');
    return startBrowser({ ...options, version, sandbox: false });
  }
}

/** Makes a browser give way to the service; its later processes do so too. */
function setNiceness({ pid }: ChildProcess, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
    // A group of processes of its own shares the processors as one where Linux does so (sched(7), autogroup): there the
    // priority of the group counts, and that of a process only within it.
    const group = `/proc/${pid}/autogroup`;
    if (existsSync(group)) writeFileSync(group, String(niceness));
  } catch {
    // It has ended already, which is seen elsewhere, or the system does not let us.
  }
}

type StartOptions = LaunchOptions & { readonly version: number; readonly sandbox: boolean };

async function startBrowser({
  kind,
  binary,
  proxyUrl,
  clock,
  niceness,
  version,
  sandbox,
}: StartOptions): Promise<Browser> {
  const profile = createProfile();
  const { hostname, port } = new URL(proxyUrl);
  const proxy = { host: hostname, port: Number(port) };
  const flags = buildFlags({ kind, version, profile, proxy, sandbox, sharedMemory: hasSharedMemory() });
  const child = spawn(binary.path, flags, {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe'],
    // A group of its own: the whole tree can be ended, and Ctrl-C reaches only us.
    detached: true,
    env: {
      ...buildLibraryEnvironment(binary.path),
      HOME: profile,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      LANG: 'en_US.UTF-8',
    },
  });
  setNiceness(child, niceness);
  const lastErrors = collectErrors(child);
  const ended = waitForEnd(child).then(async () => rm(profile, { recursive: true, force: true, maxRetries: 3 }));
  const [to, from] = pipesOf(child);
  const devtools = new DevTools(to, from);
  async function close(): Promise<void> {
    const patience = clock.deadline(CLOSE_TIMEOUT_MS);
    await devtools.send('Browser.close', {}, patience).catch(() => undefined);
    await Promise.race([ended, once(patience, 'abort')]);
    killGroup(child);
    await ended;
  }
  try {
    const patience = clock.deadline(START_TIMEOUT_MS);
    await devtools.send('Target.setDiscoverTargets', { discover: true, filter: [{ type: 'page' }] }, patience);
    if (child.pid === undefined) throw new Error('no process');
    return { devtools, version, profile, pid: child.pid, ended, close };
  } catch (error) {
    killGroup(child);
    await ended;
    throw new Error(`${binary.path} did not start: ${lastErrors()}`, { cause: error });
  }
}

function createProfile(): string {
  const profile = mkdtempSync(join(tmpdir(), `quern-browser-${process.pid}-`));
  mkdirSync(join(profile, 'Default'));
  writeFileSync(join(profile, 'Default', 'Preferences'), JSON.stringify(PREFERENCES));
  return profile;
}

/** Resolves when the process has ended; one that could not be started emits `error` alone. */
async function waitForEnd(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.once('error', () => resolve());
  await promise;
}

/** The two ends of `--remote-debugging-pipe`: the one to write to, the one to read from. */
export function pipesOf(child: ChildProcess): readonly [Writable, Readable] {
  const [, , , to, from] = child.stdio;
  if (to === null || to === undefined || !('write' in to)) throw new Error('no pipe to the browser');
  if (from === null || from === undefined || !('read' in from)) throw new Error('no pipe from the browser');
  return [to, from];
}

/** The last lines of the browser's errors: why it did not start. */
function collectErrors(child: ChildProcess): () => string {
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-MAX_STDERR_CHARS);
  });
  return () => words.trim().split('\n').slice(-5).join(' | ');
}

function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The whole group is gone already.
  }
}

/** The major version that a program says it is; throws an Error when it does not start or says none. */
export async function readVersion(path: string): Promise<number> {
  const options = { timeout: START_TIMEOUT_MS, env: { ...buildLibraryEnvironment(path), PATH: '/usr/bin:/bin' } };
  const { stdout } = await promisify(execFile)(path, ['--version'], options);
  const major = /\b(\d+)\.\d+\.\d+\.\d+\b/.exec(stdout)?.[1];
  if (major === undefined) throw new Error(`${path} --version says ${stdout.slice(0, 100)}`);
  return Number(major);
}

/** What tells a program of the libraries that its package brings along, and of its fonts where the machine has none. */
function buildLibraryEnvironment(path: string): Readonly<Record<string, string>> {
  const [libraries, fonts] = ['al2023/lib', 'fonts'].map((folder) => join(dirname(path), folder));
  if (libraries === undefined || fonts === undefined || !existsSync(libraries)) return {};
  return { LD_LIBRARY_PATH: libraries, ...(existsSync('/etc/fonts') ? {} : { FONTCONFIG_PATH: fonts }) };
}

function hasSharedMemory(): boolean {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks >= MIN_SHARED_MEMORY_BYTES;
  } catch {
    return true;
  }
}

/** A browser whose owner was killed leaves its profile behind. */
function deleteOrphanProfiles(): void {
  for (const name of readdirSync(tmpdir())) {
    const owner = PROFILE_NAME.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
