import { z } from 'zod';
import { MonitorRecord } from '#features/monitors/store/monitor-record.ts';
import { observe } from '#features/monitors/compare/observation.ts';
import { shapesOf } from '#features/monitors/compare/shapes.ts';
import { buildReader } from '#engine/call/validation.ts';
import { MonitorInput } from '#features/monitors/definition-input.ts';
import { toTarget } from '#features/monitors/fields.ts';
import type { CliParts, Terminal } from './cli.ts';
import type { OwnFlags } from './command.ts';
import { EXIT } from './exit.ts';
import { findOperation } from './job.ts';
import { printTable } from './table.ts';

const CREATE = 'monitors.create';
/** The flag that runs a monitor's target once and creates nothing. */
const TRY: OwnFlags = {
  try: { hint: null, about: 'Run it once, print the values that would be watched, make nothing' },
};

const List = z.object({ data: z.array(MonitorRecord), next_cursor: z.string().nullable() });
const Usage = z.object({ credits: z.number() });

const readInput = buildReader(MonitorInput);

/** The flags of a monitor command in addition to its members. */
export function monitorFlags(id: string): OwnFlags {
  return id === CREATE ? TRY : {};
}

/** Runs the target of a monitor once and prints the observed values instead of creating the monitor. */
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

/** Rewrites `quern monitors pause` and `resume` as `update --no-active` and `--active`. */
export function toSpoken(args: readonly string[]): readonly string[] {
  const [family, word, ...rest] = args;
  if (family !== 'monitors' || (word !== 'pause' && word !== 'resume')) return args;
  return ['monitors', 'update', ...rest, word === 'pause' ? '--no-active' : '--active'];
}
