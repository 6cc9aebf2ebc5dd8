import type { Clock } from '#kernel/clock.ts';
import type { Binaries, Binary, BrowserKind } from './binaries.ts';
import { type CommandOptions, runCommand, type InstallMethod } from './ways.ts';
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
export async function getBrowsers(parts: InstallOptions, signal: AbortSignal): Promise<Binaries | null> {
  for (const way of parts.methods) {
    const lacking = await listMissingKinds(parts);
    if (lacking.length === 0) break;
    if (!way.brings.some((kind) => lacking.includes(kind))) continue;
    if (way.obstacle === null) await runCommands(parts, way, signal);
    else parts.onLine(way.obstacle);
  }
  signal.throwIfAborted();
  const found = parts.findBrowsers();
  return found !== null && (await listStartFaults(found)).length < listBinaries(found).length ? found : null;
}

/** The required kinds that are missing or do not start. */
async function listMissingKinds({
  findBrowsers: find,
  wanted,
  onLine: say,
}: InstallOptions): Promise<readonly BrowserKind[]> {
  const found = find();
  if (found === null) return KINDS;
  const faults = await listStartFaults(found);
  for (const fault of faults) say(fault);
  if (faults.length > 0) return KINDS;
  return wanted === 'any' ? [] : KINDS.filter((kind) => found[kind].kind !== kind);
}

async function runCommands(
  { environment, clock, onLine: say }: InstallOptions,
  { about, commands }: InstallMethod,
  signal: AbortSignal,
): Promise<void> {
  say(about);
  for (const command of commands) {
    const lines: string[] = [];
    const fault = await runCommand(command, {
      environment: { ...environment, ...UNATTENDED_ENVIRONMENT },
      onLine: (line) => void (lines.push(line) > MAX_KEPT_LINES && lines.shift()),
      signal: clock.deadline(COMMAND_TIMEOUT_MS, signal),
    });
    signal.throwIfAborted();
    if (fault === null) continue;
    say(
      `that failed: ${command[0] === 'env' ? command.find((word) => !/^env$|=/.test(word)) : command[0]} ${fault}${formatCause(lines)}`,
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
