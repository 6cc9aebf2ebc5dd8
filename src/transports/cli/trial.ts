import { z } from 'zod';
import type { TrialView } from '#engine/call/command-view.ts';
import { EXIT } from './exit.ts';
import type { CliParts } from './parts.ts';

const Usage = z.object({ credits: z.number() });

/** Runs once what an input describes and prints the result, in place of the operation itself. */
export async function runTrial(
  { toCall, toText, note }: TrialView,
  raw: unknown,
  { operations, ask, terminal }: CliParts,
): Promise<number> {
  const { operation: id, input } = toCall(raw);
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new Error(`no operation ${id}`);
  const { body } = await ask(operation, input);
  terminal.out(`${toText(raw, { operation, body })}\n`);
  const usage = Usage.safeParse(body['usage']).data;
  terminal.note(`quern: ${note}${usage === undefined ? '' : `; ${usage.credits} credits`}`);
  return EXIT.ok;
}
