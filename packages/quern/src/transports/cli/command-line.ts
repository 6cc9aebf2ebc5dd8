import { Command, type CommanderError, Option } from 'commander';
import { ServiceError } from '#kernel/errors.ts';
import { oursFor } from '#kernel/foreign-names.ts';
import { nearName } from '#kernel/near-name.ts';
import { EXIT, UsageError } from './exit.ts';
import { type CommandSpec, type Given, optionsOf, type OptionSpec } from './spec.ts';

/** Runs a command whose line was read. */
export type RunSpec = (spec: CommandSpec, given: Given) => Promise<number>;

/** Reads a line by Commander and runs its command; throws `invalid_request` for one that cannot be read. */
export async function runProgramLine(
  args: readonly string[],
  specs: readonly CommandSpec[],
  runSpec: RunSpec,
): Promise<number> {
  let code: number = EXIT.ok;
  const lines = specs.map(({ words }) => words.join(' '));
  const nodes = new Map<string, Command>();

  /** The node of these words, with groups above it where there are none yet. */
  function demandNode(words: readonly string[]): Command {
    const path = words.join(' ');
    const known = nodes.get(path);
    if (known !== undefined) return known;
    const node = toGroup(words, lines);
    if (words.length > 0) demandNode(words.slice(0, -1)).addCommand(node);
    nodes.set(path, node);
    return node;
  }

  // The nodes of all the other commands would take longer than most commands.
  const meant = specs.filter(({ words }) => words[0] === args[0]);
  if (meant.length === 0) throw toUnknownCommand(args, lines);
  for (const spec of meant) {
    const node = demandNode(spec.words);
    fill(node, spec);
    node.action(async () => {
      code = await runSpec(spec, readGiven(node, spec));
    });
  }
  await demandNode([]).parseAsync(args, { from: 'user' });
  return code;
}

/** A node that is no command: it says which commands there are. */
function toGroup(words: readonly string[], lines: readonly string[]): Command {
  const group = new Command(words.at(-1) ?? 'quern')
    .helpCommand(false)
    .helpOption(false)
    .exitOverride()
    .allowExcessArguments()
    .allowUnknownOption()
    .enablePositionalOptions()
    .configureOutput({ writeErr: ignore });
  return group.action(() => {
    throw toUnknownCommand([...words, ...group.args], lines);
  });
}

/** The options and values of a command. */
function fill(node: Command, spec: CommandSpec): void {
  const options = optionsOf(spec);
  const known = new Set(options.map(({ flag }) => `--${flag}`));
  node.allowUnknownOption(false).exitOverride((error) => {
    throw toRefusal(error, spec);
  });
  for (const option of options) for (const one of toOptions(option, known)) node.addOption(one);
}

function toOptions({ flag, short, hint, isNegatable }: OptionSpec, known: ReadonlySet<string>): readonly Option[] {
  const name = short === undefined ? `--${flag}` : `-${short}, --${flag}`;
  if (hint === null) return [new Option(name), ...(isNegatable === true ? [new Option(`--no-${flag}`)] : [])];
  return [
    new Option(`${name} <value>`).argParser((value: string, earlier: unknown) => {
      if (known.has(value)) throw new ServiceError('invalid_request', `--${flag}: needs a value, and got ${value}`);
      return [...(Array.isArray(earlier) ? earlier.map(String) : []), value];
    }),
  ];
}

/** What Commander refuses, in our words. */
function toRefusal(error: CommanderError, spec: CommandSpec): Error {
  const [, flag = ''] = /'([^']*)'/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownOption') return toUnknownOption(flag, spec);
  const message = `${/--[\w-]+/.exec(flag)?.[0] ?? flag}: needs a value`;
  return new ServiceError('invalid_request', message, { cause: error });
}

/** What was given to a command; throws for a value that no argument takes. */
function readGiven(node: Command, spec: CommandSpec): Given {
  const more = node.args[spec.arguments.length];
  if (more !== undefined && spec.arguments.at(-1)?.isRepeatable !== true) {
    const isPlain = spec.operation === null && spec.arguments.length === 0 && spec.options.length === 0;
    if (isPlain) throw new UsageError(`${spec.words.join(' ')} takes no arguments but --json, and got ${more}`);
    throw new ServiceError('invalid_request', `${more}: unexpected extra argument; options are written --name value`);
  }
  const flags: Record<string, boolean | readonly string[]> = {};
  for (const { flag } of optionsOf(spec)) {
    const option = node.options.find(({ long }) => long === `--${flag}`);
    const value: unknown = option === undefined ? undefined : node.getOptionValue(option.attributeName());
    if (typeof value === 'boolean') flags[flag] = value;
    else if (Array.isArray(value)) flags[flag] = value.map(String);
  }
  return { values: node.args, flags };
}

function ignore(): void {}

/** A refusal of an option, with the one that was meant where that is to be seen. */
export function toUnknownOption(given: string, spec: CommandSpec): ServiceError {
  const flags = optionsOf(spec).map(({ flag }) => flag);
  const [flag = ''] = given.split('=', 1);
  const command = `quern ${spec.words.join(' ')}`;
  const isKnown = flags.includes(flag.replace(/^--/, ''));
  const hint = isKnown ? 'it takes no value' : hintFor(flag.replace(/^-+/, ''), flags);
  const message = isKnown ? `${flag}: ${hint}` : `${flag}: is no option of ${command}${hint} --help lists all`;
  return new ServiceError('invalid_request', message);
}

function hintFor(name: string, flags: readonly string[]): string {
  const members = flags.map((flag) => flag.replaceAll('-', '_'));
  const ours = oursFor(name, members).map((member) => `--${member.replaceAll('_', '-')}`);
  if (ours.length > 0) return `, but ${ours.join(' or ')} is:`;
  const near = nearName(name, flags);
  return near === null ? ';' : `; did you mean --${near}?`;
}

/** A refusal of words that are no command, with the nearest; `lines` are the words of all commands. */
export function toUnknownCommand(given: readonly string[], lines: readonly string[]): UsageError {
  const [first = '', second] = given;
  const inGroup = lines.filter((line) => line.startsWith(`${first} `));
  if (first.startsWith('-')) return new UsageError(`${first} is no option of quern; quern help lists its commands`);
  if (inGroup.length === 0) {
    const near = nearName(first, [...new Set([...lines, ...lines.map(firstWord)])]);
    const meant = near === null ? '' : ` did you mean quern ${near}?`;
    return new UsageError(`${first} is not a command;${meant} quern help lists them`);
  }
  const verbs = `quern ${inGroup.map((line, at) => (at === 0 ? line : line.slice(first.length + 1))).join(', ')}`;
  if (second === undefined) return new UsageError(`${first} is a group of commands: ${verbs}`);
  const near = nearName(`${first} ${second}`, inGroup);
  const meant = near === null ? '' : ` did you mean quern ${near}?`;
  return new UsageError(`${first} ${second} is not a command;${meant} there are ${verbs}`);
}

function firstWord(line: string): string {
  return line.split(' ', 1)[0] ?? line;
}
