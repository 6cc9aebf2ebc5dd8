import { isStream, type Operation, type WorkOperation } from '#engine/call/operation.ts';
import type { CommandAlias, CommandFlags } from '#engine/call/command-view.ts';
import { itemsOf, type JsonSchema } from '#transports/schema.ts';
import { sayDomains } from '#transports/uncovered-sites.ts';
import { type CliCommand, ownFlagsOf, toCommand, toFlag } from './command.ts';
import { EXPLAIN_FLAGS } from './explain.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './spec.ts';

/** From how many commands with the same first word on these are a group of their own. */
const LARGE_GROUP = 5;
/** From how many words on a list of words is too long for a hint. */
const MANY_WORDS = 5;

const JOB: OptionSpec = { flag: 'job', hint: null, about: 'Run it as a job and follow it; Ctrl-C leaves it running' };

/** Every command that asks an operation, in the order of the docs, and last that of `explained`, which has code of its own. */
export function listCommands(operations: readonly Operation[], explained: Operation | null): readonly CommandSpec[] {
  // Event streams are for programs; `--job` shows the same to people.
  const shown = operations.filter((operation) => !isStream(operation) && operation !== explained);
  const sizes = new Map<string, number>();
  for (const { id } of shown) sizes.set(groupOf(id), (sizes.get(groupOf(id)) ?? 0) + 1);
  const own = shown.flatMap((operation) => {
    const heading = headingOf(operation, (sizes.get(groupOf(operation.id)) ?? 0) >= LARGE_GROUP);
    const command = toSpec(toCommand(operation), ownFlagsOf(operation), heading);
    const aliases = operation.view?.aliases ?? [];
    const original = `${command.summary}; the same as quern ${command.words.join(' ')}`;
    return [
      command,
      ...aliases.map(({ summary = original, ...alias }) => ({
        ...command,
        ...alias,
        summary,
        examples: examplesOf(command, alias),
      })),
    ];
  });
  if (explained === null) return own;
  const explain = toSpec(toCommand(explained), EXPLAIN_FLAGS, 'Diagnosis:');
  const summary = 'show which parts of a page are its main content, and why; what tells its title, author, dates';
  const options = explain.options.filter(({ flag }) => flag !== JOB.flag);
  const examples = ['explain https://example.com/ --html why.html'];
  return [...own, { ...explain, summary, options, examples, operation: null }];
}

/** An alias that adds something says enough by itself. */
function examplesOf({ words, examples }: CommandSpec, alias: CommandAlias): readonly string[] {
  if (alias.adds.length > 0) return [];
  return examples.map((line) => line.replace(words.join(' '), alias.words.join(' ')));
}

function groupOf(id: string): string {
  return id.split('.', 1)[0] ?? id;
}

function headingOf(operation: Operation, isLarge: boolean): string {
  if (operation.kind === 'work') return operation.site === null ? 'Pages:' : 'Known sites:';
  const group = groupOf(operation.id);
  return isLarge ? `${group.charAt(0).toUpperCase()}${group.slice(1)}:` : 'Account and results:';
}

function toSpec(command: CliCommand, flags: CommandFlags, heading: string): CommandSpec {
  const { operation, words, positional, parameters } = command;
  const own = Object.entries(flags).map(([flag, { hint, about }]): OptionSpec => ({
    flag,
    hint,
    about,
    ...(hint === null ? {} : { isRepeatable: true }),
  }));
  const members = [...parameters.members].flatMap(([name, schema]) => {
    if (Object.hasOwn(flags, toFlag(name))) return [];
    const option = toOption(name, schema);
    return [name === positional ? { ...option, isHidden: true } : option];
  });
  return {
    words,
    summary: operation.summary,
    heading,
    arguments: positional === null ? [] : [toArgument(positional, parameters.members.get(positional) ?? {})],
    options: [...own, ...members, ...(operation.kind === 'work' ? [JOB] : [])],
    examples: [toExample(command)],
    operation: operation.id,
    adds: [],
    ...(operation.kind === 'work' && operation.site !== null ? { site: toSiteSpec(operation.site) } : {}),
  };
}

function toSiteSpec(site: NonNullable<WorkOperation['site']>): CommandSpec['site'] {
  return { domains: sayDomains(site), names: site.hosts };
}

/** A positional argument may be given as a flag too, so that none is demanded here: the schema says what is missing. */
function toArgument(name: string, schema: JsonSchema): ArgumentSpec {
  const values = wordsOf(schema);
  return {
    name: name.toUpperCase(),
    isRequired: true,
    about: meaningOf(schema),
    ...(values === null ? {} : { values }),
  };
}

function toOption(name: string, schema: JsonSchema): OptionSpec {
  const about = meaningOf(schema);
  if (schema['type'] === 'boolean') return { flag: toFlag(name), hint: null, about, isNegatable: true };
  const values = wordsOf(schema);
  const option = { flag: toFlag(name), hint: hintOf(schema), about, isRepeatable: true } as const;
  return values === null ? option : { ...option, values };
}

function meaningOf({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : '';
}

function wordsOf(schema: JsonSchema): readonly string[] | null {
  const words = Array.isArray(schema['enum']) ? schema['enum'] : itemsOf(schema)['enum'];
  return Array.isArray(words) ? words.map(String) : null;
}

function hintOf(schema: JsonSchema): string {
  const words = wordsOf(schema);
  if (words !== null && words.length < MANY_WORDS) return words.join('|');
  return schema['type'] === 'integer'
    ? 'N'
    : schema['type'] === 'array'
      ? 'A,B'
      : schema['type'] === 'object'
        ? 'JSON'
        : 'TEXT';
}

/** The example of the docs as a command line. */
function toExample({ words, operation, positional }: CliCommand): string {
  const given = Object.entries(Object.fromEntries(Object.entries(operation.example ?? {})));
  const first = given.flatMap(([name, value]) => (name === positional ? [toWord(value)] : []));
  const others = given.flatMap(([name, value]) => (name === positional ? [] : toFlagWords(name, value)));
  return [...words, ...first, ...others].join(' ');
}

function toFlagWords(name: string, value: unknown): readonly string[] {
  const flag = toFlag(name);
  if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
  if (!Array.isArray(value)) return [`--${flag}`, toWord(value)];
  const isPlain = value.every((one) => typeof one === 'string' && /^[\w-]+$/.test(one));
  return isPlain ? [`--${flag}`, value.join(',')] : value.flatMap((one) => [`--${flag}`, toWord(one)]);
}

/** A value as a shell reads it. */
function toWord(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./+,:@%=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
