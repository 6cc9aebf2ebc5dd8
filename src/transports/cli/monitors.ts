import { z } from 'zod';
import { MonitorRecord } from '#engine/monitors/monitor-record.ts';
import { observe, shapesOf } from '#engine/monitors/observing.ts';
import { buildReader } from '#engine/validation.ts';
import { MonitorInput } from '#operations/monitor-definition.ts';
import { toTarget } from '#operations/monitor-fields.ts';
import type { CliParts, Terminal } from './cli.ts';
import type { OwnFlags } from './command.ts';
import { EXIT } from './exit.ts';
import { findOperation } from './job.ts';
import { printTable } from './table.ts';

const CREATE = 'monitors.create';
/** Beside the members of the operation: runs what would be watched once, and makes no monitor. */
const TRY: OwnFlags = {
  try: { hint: null, about: 'Run it once, print the values that would be watched, make nothing' },
};

const List = z.object({ data: z.array(MonitorRecord), next_cursor: z.string().nullable() });
const Usage = z.object({ credits: z.number() });

const readInput = buildReader(MonitorInput);

/** The flags of a command on monitors beside its members. */
export function monitorFlags(id: string): OwnFlags {
  return id === CREATE ? TRY : {};
}

/** Runs what a monitor would watch once and prints what it would see, in place of making the monitor. */
export async function tryMonitor(raw: unknown, parts: CliParts): Promise<number> {
  const { terminal } = parts;
  const { input: monitor } = readInput(raw);
  const { operation: id, input } = toTarget(monitor);
  const operation = findOperation(parts, id);
  const { body } = await parts.ask(operation, input);
  const seen = observe({ operation, input, body, watch: monitor.watch }, shapesOf(operation, input));
  if (seen.content === null) terminal.out(`${JSON.stringify(seen.values, null, 2)}\n`);
  else terminal.out(`${seen.content.text ?? ''}\n`);
  const usage = Usage.safeParse(body['usage']).data;
  terminal.note(`quern: tried once, no monitor was made${usage === undefined ? '' : `; ${usage.credits} credits`}`);
  return EXIT.ok;
}

/** Prints a page of the list of monitors for people. */
export function printMonitors(body: unknown, terminal: Terminal): void {
  const { data, next_cursor: cursor } = List.parse(body);
  if (data.length === 0) terminal.note('quern: no monitors');
  else
    printTable(
      data.map(({ id, name, cron, active, health, next_run_at: next, estimated_credits_per_month: credits }) => ({
        id,
        name,
        cron,
        state: active ? health : 'inactive',
        next,
        credits,
      })),
      { terminal, json: false },
    );
  if (cursor !== null) terminal.note(`quern: there are more: --cursor ${cursor}`);
}

/** `quern monitors pause` and `resume`: what people say for `update --no-active` and `--active`. */
export function toSpoken(args: readonly string[]): readonly string[] {
  const [family, word, ...rest] = args;
  if (family !== 'monitors' || (word !== 'pause' && word !== 'resume')) return args;
  return ['monitors', 'update', ...rest, word === 'pause' ? '--no-active' : '--active'];
}
