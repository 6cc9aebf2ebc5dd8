import type { Clock } from '#kernel/clock.ts';
import type { Binaries, Binary } from './binaries.ts';
import { runCommand } from './command.ts';
import type { Command, Hearing } from './command.ts';
import { versionOf } from './launch.ts';

/** A way to come by browsers. */
export type Way = {
  /** Why it cannot be gone on this machine, null when it can. */
  readonly obstacle: string | null;
  /** Run one after the other, each when the one before did what it was to do. */
  readonly commands: readonly Command[];
};

export type SetupParts = Pick<Hearing, 'environment' | 'say'> & {
  /** What is on the machine now. */
  readonly find: () => Binaries | null;
  /** `any`: one browser is enough; `both`: the light and the full one are wanted. */
  readonly wanted: 'any' | 'both';
  readonly ways: readonly Way[];
  readonly clock: Clock;
};

/** Whose builds are downloaded: one version, so that every machine gets the same browsers. */
const PLAYWRIGHT = 'playwright-core@1.65.1';
/** For one command. */
const PATIENCE_MS = 15 * 60_000;
/** Nobody is there to answer questions, and a registry that is away is not waited for. */
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
 * Gets browsers where those that are wanted are not there or do not start, by one way after the other, and says each
 * thing that it does. Answers what is there then: null for nothing that starts. Throws the signal's reason.
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

/** The last line of what a program said, which names what it lacks. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split('\n').at(-1) ?? text;
}
