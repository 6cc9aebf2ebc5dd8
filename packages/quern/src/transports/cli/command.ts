import type { CommandFlags, DownloadView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { describeInput, type InputRules } from '#engine/call/validation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { type Parameters, readParameters, buildParameters } from '#transports/parameters.ts';
import { listRequired, toJsonSchema } from '#transports/schema.ts';
import { type CommandArguments, listFlagValues, createMissingArgumentError } from './spec.ts';

/** The command of an operation. */
export type OperationCommand = {
  /** The command `usage history` has the words of the operation id `usage.history`. */
  readonly words: readonly string[];
  readonly operation: Operation;
  /** The parameter that is given without a flag; null if there is none. */
  readonly positional: string | null;
  readonly parameters: Parameters;
};

/** A parsed command line: the input before validation, and whether `--json` and `--job` are set. */
export type ParsedCommand = {
  readonly raw: unknown;
  readonly wholeAnswer: boolean;
  readonly asJob: boolean;
  /** Values of flags that are not parameters of the operation; flags that were not given are absent. */
  readonly ownFlags: Readonly<Record<string, string | true>>;
};

/** Builds the command of an operation, and chooses its positional argument. */
export function buildOperationCommand(operation: Operation): OperationCommand {
  const { view } = operation;
  const parameters = buildParameters(describeInput(operation));
  const { root, members } = parameters;
  const isText = (name: string): boolean => members.get(name)?.['type'] === 'string';
  const required = listRequired(root);
  // If no text is required, for example because there are alternatives, the URL or the search words are positional.
  const positional =
    required.find(isText) ??
    ['url', 'search'].find(isText) ??
    required.find((name) => name === view?.fileMember) ??
    null;
  return { words: operation.id.split('.'), operation, positional, parameters };
}

/** The flags of a command that are not parameters of its operation. */
export function listOwnFlags({ id, view = {} }: Operation): CommandFlags {
  const { refusal, trial, download } = view;
  return {
    ...(refusal === undefined ? {} : { [refusal.flag]: { hint: null, about: refusal.about } }),
    ...(trial === undefined ? {} : { [trial.flag]: { hint: null, about: trial.about } }),
    ...(download === undefined ? {} : buildDownloadFlags(formatWords(id), download)),
  };
}

/** Parses flags by the input schema: `--timeout-ms 5000`, `--output markdown,links`, `--no-only-main-content`. */
export function readCommand(
  command: OperationCommand,
  { values, flags }: CommandArguments,
  own: CommandFlags = {},
): ParsedCommand {
  const pairs: [string, string][] = [];
  for (const [name] of command.parameters.members) {
    const value = Object.hasOwn(own, toFlag(name)) ? undefined : flags[toFlag(name)];
    if (typeof value === 'boolean') pairs.push([name, String(value)]);
    else for (const one of value ?? []) pairs.push([name, one]);
  }
  const [first] = values;
  if (first === '' && command.positional !== null) throw createMissingArgumentError(command.positional.toUpperCase());
  if (command.positional !== null) for (const one of values) pairs.push([command.positional, one]);
  const raw = readParameters(command.parameters, pairs);
  const ownValues = readOwnFlags(own, flags);
  // A resumed job already has its input.
  if (ownValues['resume'] !== true) assertPositional(command, raw);
  return { raw, wholeAnswer: flags['json'] === true, asJob: flags['job'] === true, ownFlags: ownValues };
}

/** Throws `invalid_request` if a required positional argument is missing, under its aliases too. */
function assertPositional({ operation, positional }: OperationCommand, raw: Readonly<Record<string, unknown>>): void {
  if (positional === null) return;
  const { input, aliases = {} }: InputRules = operation;
  const isGiven = [positional, ...(aliases[positional] ?? [])].some((name) => raw[name] !== undefined);
  if (isGiven || !listRequired(toJsonSchema(input, 'input')).includes(positional)) return;
  throw createMissingArgumentError(positional.toUpperCase());
}

function readOwnFlags(own: CommandFlags, flags: CommandArguments['flags']): Readonly<Record<string, string | true>> {
  const read: Record<string, string | true> = {};
  for (const [flag, { hint }] of Object.entries(own)) {
    if (flags[flag] === undefined) continue;
    read[flag] = hint === null ? true : readSingleValue(flag, listFlagValues(flags, flag));
  }
  return read;
}

function readSingleValue(flag: string, [first = '', ...more]: readonly string[]): string {
  if (more.length > 0) throw new ServiceError('invalid_request', `${flag}: given more than once`);
  if (first === '') throw new ServiceError('invalid_request', `${flag}: is empty; give it a value or omit it`);
  return first;
}

/** Converts a parameter name to a flag without dashes: `timeout_ms` to `timeout-ms`. */
export function toFlag(name: string): string {
  return name.replaceAll('_', '-');
}

/** Formats the words of the command of an operation: `usage history`. */
export function formatWords(operation: string): string {
  return operation.replaceAll('.', ' ');
}

/** Builds the flags of a command that downloads a list. */
function buildDownloadFlags(words: string, { noun, formats }: DownloadView): CommandFlags {
  const mayBeFolder = formats.includes('markdown');
  return {
    out: {
      hint: mayBeFolder ? 'FILE.jsonl|FOLDER' : 'FILE',
      about: mayBeFolder
        ? `Write the ${noun}s as they arrive, one per line, or each as a Markdown file; default: standard output`
        : `Write the ${noun}s to a file; default: standard output`,
    },
    format: { hint: formats.join('|'), about: 'Output format; default: by the name of --out' },
    resume: {
      hint: null,
      about: `Resume the download in --out, or write the result of a job: quern ${words} --resume JOB`,
    },
    quiet: { hint: null, about: 'No progress and no summary' },
  };
}
