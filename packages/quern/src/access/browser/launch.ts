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
  /** Niceness of its processes, as in nice(1). */
  readonly niceness: number;
  /** Whether the process runs as root, for which the sandbox does not work. */
  readonly isRoot: boolean;
  /** Called with one sentence for the operator's log. */
  readonly warn: (line: string) => void;
};

/** A running browser. */
export type Browser = {
  readonly devtools: DevTools;
  readonly version: number;
  /** Its profile folder, deleted when it has ended; after a crash, the next browser deletes it. */
  readonly profile: string;
  /** Id of its main process and of its process group. */
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  /** Closes the browser, kills it if that takes too long, and deletes its profile. */
  readonly close: () => Promise<void>;
};

const START_TIMEOUT_MS = 30_000;
const CLOSE_TIMEOUT_MS = 3_000;
const PROFILE_NAME = /^quern-browser-(\d+)-/;
/** With less shared memory, browsers crash on large pages; containers have 64 MiB by default. */
const MIN_SHARED_MEMORY_BYTES = 512 * 1024 * 1024;
const MAX_STDERR_CHARS = 4_096;

/**
 * Starts a browser that is controlled over a pipe, so that it ends with this process in any case. It gets its own profile, a
 * clean environment, and a sandbox unless this process is root or the machine does not support it. Throws a one-line Error
 * if it does not start.
 */
export async function launchBrowser(options: LaunchOptions): Promise<Browser> {
  const version = await readVersion(options.binary.path);
  deleteOrphanProfiles();
  if (options.isRoot) {
    options.warn('the browser runs without its sandbox because the service runs as root: run it as another user');
    return startBrowser({ ...options, version, sandbox: false });
  }
  try {
    return await startBrowser({ ...options, version, sandbox: true });
  } catch (error) {
    // Whether a container allows the namespaces of a sandbox can only be found out by trying.
    if (!(error instanceof Error) || !/sandbox|namespace/i.test(error.message)) throw error;
    options.warn('the browser runs without its sandbox because this machine does not allow user namespaces');
    return startBrowser({ ...options, version, sandbox: false });
  }
}

/** Lowers the priority of a browser; its child processes inherit it. */
function setNiceness({ pid }: ChildProcess, niceness: number): void {
  if (pid === undefined) return;
  try {
    setPriority(pid, niceness);
    // A group of processes of its own shares the processors as one where Linux does so (sched(7), autogroup): there the
    // priority of the group counts, and that of a process only within it.
    const group = `/proc/${pid}/autogroup`;
    if (existsSync(group)) writeFileSync(group, String(niceness));
  } catch {
    // It has already ended, or the system does not allow it.
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
    // Its own process group: all its processes can be killed together, and Ctrl-C does not reach them.
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
  const [to, from] = getPipes(child);
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

/** Resolves when the process has ended; a process that could not start only emits `error`. */
async function waitForEnd(child: ChildProcess): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once('exit', () => resolve());
  child.once('error', () => resolve());
  await promise;
}

/** The two ends of `--remote-debugging-pipe`: the one to write to, the one to read from. */
export function getPipes(child: ChildProcess): readonly [Writable, Readable] {
  const [, , , to, from] = child.stdio;
  if (to === null || to === undefined || !('write' in to)) throw new Error('no pipe to the browser');
  if (from === null || from === undefined || !('read' in from)) throw new Error('no pipe from the browser');
  return [to, from];
}

/** Collects the last lines of stderr, for the error if the browser does not start. */
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

/** Reads the major version of a browser program; throws an Error if it does not start or prints no version. */
export async function readVersion(path: string): Promise<number> {
  const options = { timeout: START_TIMEOUT_MS, env: { ...buildLibraryEnvironment(path), PATH: '/usr/bin:/bin' } };
  const { stdout } = await promisify(execFile)(path, ['--version'], options);
  const major = /\b(\d+)\.\d+\.\d+\.\d+\b/.exec(stdout)?.[1];
  if (major === undefined) throw new Error(`${path} --version says ${stdout.slice(0, 100)}`);
  return Number(major);
}

/** Environment variables for the libraries of a packaged browser, and for its fonts if the machine has none. */
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

/** Deletes profiles of browsers whose owner process was killed. */
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
