import type { CommandFlags } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { toCommand } from './command.ts';
import type { CliCommand } from './command.ts';

/** The flags of `quern explain` beyond those of the operation that it asks. */
export const EXPLAIN_FLAGS: CommandFlags = {
  html: { hint: 'FILE', about: 'Draw the page block by block: what is kept, what is not and why' },
};

/** Options of a fetch that choose its outputs, which are fixed here. */
const SETTLED = new Set(
  'output screenshot extract only_main_content include_selectors exclude_selectors max_chars offset_chars'.split(' '),
);

/** `quern explain` as a command over the operation that gets one page. */
export function toExplainCommand(fetch: Operation): CliCommand {
  const command = toCommand(fetch);
  const members = new Map([...command.parameters.members].filter(([name]) => !SETTLED.has(name)));
  return { ...command, words: ['explain'], parameters: { ...command.parameters, members } };
}
