import {
  type RunAdministration,
  ADMINISTRATION_SPECS,
  type AdministrationCommands,
} from '#transports/cli/administration.ts';
import { buildCommandSpecs } from '#transports/cli/catalogue.ts';
import { type CliContext, runCli, runLine } from '#transports/cli/cli.ts';
import type { CommandContext, Terminal } from '#transports/cli/context.ts';

/** A command line for these operations, with the commands that are not operations. */
export function lineOver(parts: CommandContext, administration: AdministrationCommands = {}): CliContext {
  return {
    specs: [...buildCommandSpecs(parts.operations, null), ...ADMINISTRATION_SPECS],
    administration,
    version: parts.version,
    terminal: parts.terminal,
    open: async () => parts,
    isInterrupted: () => parts.interrupted().aborted,
  };
}

/** Runs one operator command; with `refused: 'told'` a refusal gives its exit code, else it is thrown. */
export async function administer(
  command: RunAdministration,
  args: readonly string[],
  { terminal, refused }: { readonly terminal: Terminal; readonly refused: 'thrown' | 'told' },
): Promise<number> {
  const [name = ''] = args;
  const line: CliContext = {
    specs: ADMINISTRATION_SPECS,
    administration: { [name]: async () => command },
    version: '0.0.0',
    terminal,
    open: async () => Promise.reject(new Error('no operation is asked')),
    isInterrupted: () => false,
  };
  return refused === 'told' ? runCli(args, line) : runLine(args, line);
}
