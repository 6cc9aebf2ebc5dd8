import { InvariantError } from '#extract/invariant-error.ts';
import { type RunAdministration, ADMINISTRATION_SPECS } from '#transports/cli/administration.ts';
import { runCli } from '#transports/cli/cli.ts';
import { OPERATION_COMMANDS } from '#transports/cli/operation-commands.ts';
import type { CommandSpec } from '#transports/cli/spec.ts';
import type { CommandEnvironment, Commands } from './commands.ts';
import { VERSION } from './version.ts';

/** The first words of commands that run a service or manage its data; the others are for users. */
const SERVICE_WORDS = [
  'serve',
  'worker',
  'keys',
  'tenants',
  'admin',
  'console',
  'backup',
  'restore',
  'doctor',
  'config',
] as const;

/** All commands: those that call operations, and the others. */
const SPECS: readonly CommandSpec[] = [...OPERATION_COMMANDS, ...ADMINISTRATION_SPECS];

/**
 * Runs one command line and returns its exit code. Throws `OperatorError` if settings, folders or ports are invalid.
 * Help and completion load no other code.
 */
export async function runProgram(args: readonly string[], environment: CommandEnvironment): Promise<number> {
  let interrupted: AbortSignal | null = null;
  const opened: Promise<Commands>[] = [];
  function interruption(): AbortSignal {
    interrupted ??= environment.interruption();
    return interrupted;
  }
  async function load(): Promise<Commands> {
    const { openCommands } = await import('./commands.ts');
    const isOfService = SERVICE_WORDS.some((word) => word === args[0]);
    return openCommands({ ...environment, interruption }, isOfService ? 'service' : 'work');
  }
  async function demand(): Promise<Commands> {
    if (opened.length === 0) opened.push(load());
    return opened[0] ?? load();
  }
  const names = ADMINISTRATION_SPECS.map(({ words: [name = ''] }) => name);
  const administration = Object.fromEntries(
    ['explain', ...names].map((name) => [name, async () => loadCommand((await demand()).administration, name)]),
  );
  try {
    return await runCli(args, {
      specs: SPECS,
      administration,
      version: VERSION,
      terminal: environment.terminal,
      open: async () => (await demand()).open(),
      isInterrupted: () => interrupted?.aborted === true,
    });
  } finally {
    for (const commands of opened) await (await commands).close();
  }
}

async function loadCommand(administration: Commands['administration'], name: string): Promise<RunAdministration> {
  const load = administration[name];
  if (load === undefined) throw new InvariantError(`no code runs ${name}`);
  return load();
}
