import type { Clock } from '#kernel/clock.ts';
import type { Binaries, Binary } from './binaries.ts';
import { runCommand } from './command.ts';
import type { Command, CommandOptions } from './command.ts';
import { versionOf } from './launch.ts';

/** A way to install browsers. */
export type Way = {
  /** Why it is impossible on this machine, null where it is possible. */
  readonly obstacle: string | null;
  /** Run one after the other, each after the success of the one before. */
  readonly commands: readonly Command[];
};

export type SetupParts = Pick<CommandOptions, 'environment' | 'say'> & {
  /** Finds the browsers that are on the machine now. */
  readonly find: () => Binaries | null;
  /** `any`: one browser is enough; `both`: the light and the full one are wanted. */
  readonly wanted: 'any' | 'both';
  readonly ways: readonly Way[];
  readonly clock: Clock;
};

/** The package whose browser builds are downloaded: one version, so that every machine gets the same browsers. */
const PLAYWRIGHT = 'playwright-core@1.65.1';
/** For one command. */
const PATIENCE_MS = 15 * 60_000;
/** Environment of an unattended installation: no questions, and few retries at a registry that is away. */
const UNATTENDED = { DEBIAN_FRONTEND: 'noninteractive', npm_config_fetch_retries: '1' } as const;

/** The ways of a machine, the first choice first: builds for the user's own cache, then packages for everyone. */
export function waysOf({ isRoot }: { readonly isRoot: boolean }): readonly Way[] {
  return [
    { obstacle: null, commands: [['npx', '--yes', PLAYWRIGHT, 'install', 'chromium', 'chromium-headless-shell']] },
    {
      obstacle: isRoot ? null : 'packages cannot be installed: that needs root',
      commands: [
        ['apt-get', 'update', '-qq'],
        ['apt-get', 'install', '-y', '-qq', '--no-install-recommends', 'chromium', 'chromium-headless-shell'],
      ],
    },
  ];
}

/**
 * Installs browsers where the wanted ones are missing or do not start, by one way after the other, and reports each
 * step. Answers the browsers that are there then: null where none starts. Throws the signal's reason.
 */
export async function getBrowsers(parts: SetupParts, signal: AbortSignal): Promise<Binaries | null> {
  for (const { obstacle, commands } of parts.ways) {
    if (await isEnough(parts)) break;
    if (obstacle === null) await runAll(parts, { commands, signal });
    else parts.say(obstacle);
  }
  signal.throwIfAborted();
  const found = parts.find();
  return found !== null && (await faultsOf(found)).length < binariesOf(found).length ? found : null;
}

async function isEnough({ find, wanted, say }: SetupParts): Promise<boolean> {
  const found = find();
  if (found === null) return false;
  const faults = await faultsOf(found);
  for (const fault of faults) say(fault);
  return faults.length === 0 && (wanted === 'any' || binariesOf(found).length === 2);
}

async function runAll(
  { environment, clock, say }: SetupParts,
  { commands, signal }: { readonly commands: readonly Command[]; readonly signal: AbortSignal },
): Promise<void> {
  for (const command of commands) {
    say(`runs ${command.join(' ')}`);
    const fault = await runCommand(command, {
      environment: { ...environment, ...UNATTENDED },
      say,
      signal: clock.deadline(PATIENCE_MS, signal),
    });
    signal.throwIfAborted();
    if (fault === null) continue;
    say(`${command[0]}: ${fault}`);
    return;
  }
}

/** The programs, each once. */
export function binariesOf({ shell, full }: Binaries): readonly Binary[] {
  return shell.path === full.path ? [shell] : [shell, full];
}

/** A line for each program that cannot even say its version, as where it lacks the libraries that it needs. */
export async function faultsOf(binaries: Binaries): Promise<readonly string[]> {
  const faults = await Promise.all(
    binariesOf(binaries).map(async ({ path }) =>
      versionOf(path).then(
        () => null,
        (error: unknown) => `${path} does not start: ${reasonOf(error)}`,
      ),
    ),
  );
  return faults.filter((fault) => fault !== null);
}

/** The last line of a program's output, which names the missing library. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? text;
}
