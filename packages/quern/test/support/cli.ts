import { type Administer, ADMINISTRATION, type Administration } from '#transports/cli/administration.ts';
import { listCommands } from '#transports/cli/catalogue.ts';
import { type CliLine, runCli, runLine } from '#transports/cli/cli.ts';
import type { CliParts, Terminal } from '#transports/cli/parts.ts';

/** A line over these parts, with the commands of their operations and those that are none. */
export function lineOver(parts: CliParts, administration: Administration = {}): CliLine {
  return {
    specs: [...listCommands(parts.operations, null), ...ADMINISTRATION],
    administration,
    version: parts.version,
    terminal: parts.terminal,
    open: async () => parts,
    isInterrupted: () => parts.interrupted().aborted,
  };
}

/** Runs one command of the operator by itself; `refused` is told by its exit code, else it is thrown. */
export async function administer(
  command: Administer,
  args: readonly string[],
  { terminal, refused }: { readonly terminal: Terminal; readonly refused: 'thrown' | 'told' },
): Promise<number> {
  const [name = ''] = args;
  const line: CliLine = {
    specs: ADMINISTRATION,
    administration: { [name]: async () => command },
    version: '0.0.0',
    terminal,
    open: async () => Promise.reject(new Error('no operation is asked')),
    isInterrupted: () => false,
  };
  return refused === 'told' ? runCli(args, line) : runLine(args, line);
}
