import { parseArgs } from 'node:util';
import type { CommandFlags } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { readParameters, toParameters } from '#transports/parameters.ts';
import type { Parameters } from '#transports/parameters.ts';
import { itemsOf, requiredOf } from '#transports/schema.ts';
import type { JsonSchema } from '#transports/schema.ts';

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
  // Where an operation takes a page or a list of pages, the positional argument is the page.
  const positional = requiredOf(root).find(isText) ?? (isText('url') ? 'url' : null);
  return { words: operation.id.split('.'), operation, positional, parameters };
}

/** Reads flags by the operation's schema: `--timeout-ms 5000`, `--output markdown,links`, `--no-only-main-content`. */
export function parseCommand(command: CliCommand, args: readonly string[], flags: CommandFlags = {}): Parsed {
  const { values, positionals } = parseFlags(command, args, flags);
  const pairs: [string, string][] = [];
  const own: Record<string, string | true> = {};
  for (const [flag, value] of Object.entries(values)) {
    if (flag === 'json' || flag === 'job') continue;
    if (Object.hasOwn(flags, flag)) {
      own[flag] = readOwn(flag, value);
      continue;
    }
    const name = flag.replaceAll('-', '_');
    for (const one of Array.isArray(value) ? value : [value]) pairs.push([name, String(one)]);
  }
  const [first, ...more] = positionals;
  if (more.length > 0 || (first !== undefined && command.positional === null)) {
    throw new ServiceError(
      'invalid_request',
      `${more[0] ?? first}: one value too many; options are written --name value`,
    );
  }
  if (first !== undefined && command.positional !== null) pairs.push([command.positional, first]);
  const raw = readParameters(command.parameters, pairs);
  return { raw, wholeAnswer: values['json'] === true, asJob: values['job'] === true, own };
}

function readOwn(flag: string, value: unknown): string | true {
  if (!Array.isArray(value)) return true;
  const [first = '', ...more] = value.map(String);
  if (more.length > 0) throw new ServiceError('invalid_request', `${flag}: given more than once`);
  if (first === '') throw new ServiceError('invalid_request', `${flag}: is empty; give it a value or leave it out`);
  return first;
}

function parseFlags(command: CliCommand, args: readonly string[], own: CommandFlags) {
  const options: Record<string, { type: 'string' | 'boolean'; multiple?: boolean }> = { json: { type: 'boolean' } };
  if (command.operation.kind === 'work') options['job'] = { type: 'boolean' };
  for (const [name, schema] of command.parameters.members) {
    const type = schema['type'] === 'boolean' ? 'boolean' : 'string';
    options[toFlag(name)] = { type, multiple: type === 'string' };
  }
  for (const [flag, { hint }] of Object.entries(own)) {
    options[flag] = hint === null ? { type: 'boolean' } : { type: 'string', multiple: true };
  }
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, allowNegative: true, strict: true });
  } catch (error) {
    throw new ServiceError('invalid_request', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** One line of help for each option, those of the command first. */
export function describeOptions(command: CliCommand, own: CommandFlags = {}): readonly string[] {
  const members = [...command.parameters.members]
    .filter(([name]) => name !== command.positional)
    .map(([name, schema]) => {
      const meaning = typeof schema['description'] === 'string' ? schema['description'] : '';
      return toLine(toFlag(name), hintOf(schema), meaning);
    });
  return [...Object.entries(own).map(([flag, { hint, about }]) => toLine(flag, hint ?? '', about)), ...members];
}

function toLine(flag: string, hint: string, meaning: string): string {
  return `  --${`${flag} ${hint}`.trim().padEnd(34)} ${meaning}`.trimEnd();
}

function hintOf(schema: JsonSchema): string {
  if (schema['type'] === 'boolean') return '';
  const words = Array.isArray(schema['enum']) ? schema['enum'] : itemsOf(schema)['enum'];
  if (Array.isArray(words) && words.length <= 4) return words.join('|');
  return schema['type'] === 'integer'
    ? 'N'
    : schema['type'] === 'array'
      ? 'A,B'
      : schema['type'] === 'object'
        ? 'JSON'
        : 'TEXT';
}

/** `timeout_ms` as a flag without its dashes: `timeout-ms`. */
export function toFlag(name: string): string {
  return name.replaceAll('_', '-');
}
