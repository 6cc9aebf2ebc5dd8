import { Command, type CommanderError, Option } from 'commander';
import { ServiceError } from '#kernel/errors.ts';
import { findQuernNames, findSimilarName } from '#kernel/similar-names.ts';
import { EXIT, UsageError } from './exit.ts';
import { type CommandSpec, type CommandArguments, listOptions, type OptionSpec } from './spec.ts';

/** Runs a command with its parsed arguments. */
export type RunCommand = (spec: CommandSpec, args: CommandArguments) => Promise<number>;

/** Parses a line with Commander and runs its command. Throws `invalid_request` or `UsageError` for an invalid line. */
export async function parseAndRun(
  args: readonly string[],
  specs: readonly CommandSpec[],
  runSpec: RunCommand,
): Promise<number> {
  let code: number = EXIT.ok;
  const lines = specs.map(({ words }) => words.join(' '));
  const nodes = new Map<string, Command>();

  /** Returns the node of these words; creates it and its parent groups if needed. */
  function demandNode(words: readonly string[]): Command {
    const path = words.join(' ');
    const known = nodes.get(path);
    if (known !== undefined) return known;
    const node = createGroupNode(words, lines);
    if (words.length > 0) demandNode(words.slice(0, -1)).addCommand(node);
    nodes.set(path, node);
    return node;
  }

  // Building the nodes of all commands would take longer than most commands run.
  const candidates = specs.filter(({ words }) => words[0] === args[0]);
  if (candidates.length === 0) throw createUnknownCommandError(args, lines);
  for (const spec of candidates) {
    const node = demandNode(spec.words);
    addOptions(node, spec);
    node.action(async () => {
      code = await runSpec(spec, readArguments(node, spec));
    });
  }
  await demandNode([]).parseAsync(args, { from: 'user' });
  return code;
}

/** Creates the node of a group, whose action reports the commands of the group. */
function createGroupNode(words: readonly string[], lines: readonly string[]): Command {
  const group = new Command(words.at(-1) ?? 'quern')
    .helpCommand(false)
    .helpOption(false)
    .exitOverride()
    .allowExcessArguments()
    .allowUnknownOption()
    .enablePositionalOptions()
    .configureOutput({ writeErr: doNothing });
  return group.action(() => {
    throw createUnknownCommandError([...words, ...group.args], lines);
  });
}

/** Adds the options of a command to its node. */
function addOptions(node: Command, spec: CommandSpec): void {
  const options = listOptions(spec);
  const known = new Set(options.map(({ flag }) => `--${flag}`));
  node.allowUnknownOption(false).exitOverride((error) => {
    throw toUsageError(error, spec);
  });
  for (const option of options) for (const one of buildOptions(option, known)) node.addOption(one);
}

function buildOptions({ flag, short, hint, isNegatable }: OptionSpec, known: ReadonlySet<string>): readonly Option[] {
  const name = short === undefined ? `--${flag}` : `-${short}, --${flag}`;
  if (hint === null) return [new Option(name), ...(isNegatable === true ? [new Option(`--no-${flag}`)] : [])];
  return [
    new Option(`${name} <value>`).argParser((value: string, earlier: unknown) => {
      if (known.has(value)) throw new ServiceError('invalid_request', `--${flag}: needs a value, but got ${value}`);
      return [...(Array.isArray(earlier) ? earlier.map(String) : []), value];
    }),
  ];
}

/** Converts an error of Commander to an error with our wording. */
function toUsageError(error: CommanderError, spec: CommandSpec): Error {
  const [, flag = ''] = /'([^']*)'/.exec(error.message) ?? [];
  if (error.code === 'commander.unknownOption') return createUnknownOptionError(flag, spec);
  const message = `${/--[\w-]+/.exec(flag)?.[0] ?? flag}: needs a value`;
  return new ServiceError('invalid_request', message, { cause: error });
}

/** Reads the arguments of a command; throws if there are too many. */
function readArguments(node: Command, spec: CommandSpec): CommandArguments {
  const more = node.args[spec.arguments.length];
  if (more !== undefined && spec.arguments.at(-1)?.isRepeatable !== true) {
    const isPlain = spec.operation === null && spec.arguments.length === 0 && spec.options.length === 0;
    if (isPlain) throw new UsageError(`${spec.words.join(' ')} takes no arguments except --json, but got ${more}`);
    throw new ServiceError('invalid_request', `${more}: unexpected extra argument; options are written --name value`);
  }
  const flags: Record<string, boolean | readonly string[]> = {};
  for (const { flag } of listOptions(spec)) {
    const option = node.options.find(({ long }) => long === `--${flag}`);
    const value: unknown = option === undefined ? undefined : node.getOptionValue(option.attributeName());
    if (typeof value === 'boolean') flags[flag] = value;
    else if (Array.isArray(value)) flags[flag] = value.map(String);
  }
  return { values: node.args, flags };
}

function doNothing(): void {}

/** The error for an unknown option, with a suggestion if there is a similar one. */
export function createUnknownOptionError(option: string, spec: CommandSpec): ServiceError {
  const flags = listOptions(spec).map(({ flag }) => flag);
  const [flag = ''] = option.split('=', 1);
  const command = `quern ${spec.words.join(' ')}`;
  const isKnown = flags.includes(flag.replace(/^--/, ''));
  const hint = isKnown ? 'it takes no value' : suggestOption(flag.replace(/^-+/, ''), flags);
  const message = isKnown ? `${flag}: ${hint}` : `${flag}: unknown option of ${command}${hint} --help lists all`;
  return new ServiceError('invalid_request', message);
}

function suggestOption(name: string, flags: readonly string[]): string {
  const members = flags.map((flag) => flag.replaceAll('-', '_'));
  const ours = findQuernNames(name, members).map((member) => `--${member.replaceAll('_', '-')}`);
  if (ours.length > 0) return `, but ${ours.join(' or ')} is:`;
  const near = findSimilarName(name, flags);
  return near === null ? ';' : `; did you mean --${near}?`;
}

/** The error for an unknown command, with the closest one; `lines` are the words of all commands. */
export function createUnknownCommandError(argv: readonly string[], lines: readonly string[]): UsageError {
  const [first = '', second] = argv;
  const inGroup = lines.filter((line) => line.startsWith(`${first} `));
  if (first.startsWith('-')) return new UsageError(`${first}: unknown option; quern help lists the commands`);
  if (inGroup.length === 0) {
    const near = findSimilarName(first, [...new Set([...lines, ...lines.map(getFirstWord)])]);
    const candidates = near === null ? '' : ` did you mean quern ${near}?`;
    return new UsageError(`${first} is not a command;${candidates} quern help lists them`);
  }
  const verbs = `quern ${inGroup.map((line, at) => (at === 0 ? line : line.slice(first.length + 1))).join(', ')}`;
  if (second === undefined) return new UsageError(`${first} is a group of commands: ${verbs}`);
  const near = findSimilarName(`${first} ${second}`, inGroup);
  const candidates = near === null ? '' : ` did you mean quern ${near}?`;
  return new UsageError(`${first} ${second} is not a command;${candidates} there are ${verbs}`);
}

function getFirstWord(line: string): string {
  return line.split(' ', 1)[0] ?? line;
}
