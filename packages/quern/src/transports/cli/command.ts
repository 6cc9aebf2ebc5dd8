import type { CommandFlags, DownloadView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type Parameters, readParameters, toParameters } from '#transports/parameters.ts';
import { requiredOf } from '#transports/schema.ts';
import { type Given, listOf, toMissingArgument } from './spec.ts';

/** An operation as a command. */
export type CliCommand = {
  /** `usage.history` is asked as `usage history`. */
  readonly words: readonly string[];
  readonly operation: Operation;
  /** The member that needs no flag, null when there is none. */
  readonly positional: string | null;
  readonly parameters: Parameters;
};

/** The raw input of a command line, whether the whole answer is wanted as JSON, and whether it is to run as a job. */
export type Parsed = {
  readonly raw: unknown;
  readonly wholeAnswer: boolean;
  readonly asJob: boolean;
  /** Flags of the command that are no members of the input; those that were not given are absent. */
  readonly own: Readonly<Record<string, string | true>>;
};

export function toCommand(operation: Operation): CliCommand {
  const parameters = toParameters(operation.input);
  const { root, members } = parameters;
  const isText = (name: string): boolean => members.get(name)?.['type'] === 'string';
  // Of what may come by several names, or as one or many, the page is positional, else the words to look for.
  const positional = requiredOf(root).find(isText) ?? ['url', 'search'].find(isText) ?? null;
  return { words: operation.id.split('.'), operation, positional, parameters };
}

/** The flags of a command in addition to the members of its input. */
export function ownFlagsOf({ id, view = {} }: Operation): CommandFlags {
  const { refusal, trial, download } = view;
  return {
    ...(refusal === undefined ? {} : { [refusal.flag]: { hint: null, about: refusal.about } }),
    ...(trial === undefined ? {} : { [trial.flag]: { hint: null, about: trial.about } }),
    ...(download === undefined ? {} : downloadFlags(id, download)),
  };
}

/** Reads flags by the operation's schema: `--timeout-ms 5000`, `--output markdown,links`, `--no-only-main-content`. */
export function readCommand(command: CliCommand, { values, flags }: Given, own: CommandFlags = {}): Parsed {
  const pairs: [string, string][] = [];
  for (const [name] of command.parameters.members) {
    const value = Object.hasOwn(own, toFlag(name)) ? undefined : flags[toFlag(name)];
    if (typeof value === 'boolean') pairs.push([name, String(value)]);
    else for (const one of value ?? []) pairs.push([name, one]);
  }
  const [first] = values;
  if (first === '' && command.positional !== null) throw toMissingArgument(command.positional.toUpperCase());
  if (first !== undefined && command.positional !== null) pairs.push([command.positional, first]);
  const raw = readParameters(command.parameters, pairs);
  const ownValues = readOwn(own, flags);
  // The job that is resumed has its input.
  if (ownValues['resume'] !== true) demandPositional(command, raw);
  return { raw, wholeAnswer: flags['json'] === true, asJob: flags['job'] === true, own: ownValues };
}

/** Throws `invalid_request` if the value that needs no flag is missing; other problems are left to whoever is asked. */
function demandPositional({ operation, positional }: CliCommand, raw: Readonly<Record<string, unknown>>): void {
  if (positional === null || raw[positional] !== undefined) return;
  try {
    operation.read(raw);
  } catch (error) {
    if (!(error instanceof ServiceError) || !error.details.includes(`${positional}: is missing`)) return;
    throw toMissingArgument(positional.toUpperCase());
  }
}

function readOwn(own: CommandFlags, flags: Given['flags']): Readonly<Record<string, string | true>> {
  const read: Record<string, string | true> = {};
  for (const [flag, { hint }] of Object.entries(own)) {
    if (flags[flag] === undefined) continue;
    read[flag] = hint === null ? true : readOne(flag, listOf(flags, flag));
  }
  return read;
}

function readOne(flag: string, [first = '', ...more]: readonly string[]): string {
  if (more.length > 0) throw new ServiceError('invalid_request', `${flag}: given more than once`);
  if (first === '') throw new ServiceError('invalid_request', `${flag}: is empty; give it a value, or leave it out`);
  return first;
}

/** `timeout_ms` as a flag without its dashes: `timeout-ms`. */
export function toFlag(name: string): string {
  return name.replaceAll('_', '-');
}

/** The flags of a command that downloads a list. */
function downloadFlags(operation: string, { noun, formats }: DownloadView): CommandFlags {
  const mayBeFolder = formats.includes('markdown');
  return {
    out: {
      hint: mayBeFolder ? 'FILE.jsonl|FOLDER' : 'FILE',
      about: mayBeFolder
        ? `Write the ${noun}s as they come, one a line, or each as a markdown file; without it they go to standard output`
        : `Write the ${noun}s there; without it they go to standard output`,
    },
    format: { hint: formats.join('|'), about: 'What is written; unless given the name of --out decides' },
    resume: {
      hint: null,
      about: `Go on with what --out holds, or write what a job has: quern ${operation} --resume JOB`,
    },
    quiet: { hint: null, about: 'No progress and no summary' },
  };
}
