import { isEventStream, type Operation, type WorkOperation } from '#engine/call/operation.ts';
import type { CommandAlias, CommandFlags } from '#engine/call/command-view.ts';
import { allowsObject, allowsText, isCommaList } from '#transports/parameters.ts';
import { getItems, type JsonSchema, listForms } from '#transports/schema.ts';
import { formatDomainList } from '#transports/site-names.ts';
import { type OperationCommand, listOwnFlags, buildOperationCommand, toFlag } from './command.ts';
import { EXPLAIN_FLAGS } from './explain.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './spec.ts';

/** Commands with the same first word get a heading of their own if there are at least this many. */
const MIN_GROUP_COMMANDS = 5;
/** An enum with at least this many values is not shown as the hint of an option. */
const MAX_HINT_WORDS = 5;

const JOB_OPTION: OptionSpec = {
  flag: 'job',
  hint: null,
  about: 'Run as a job and follow it; Ctrl-C leaves it running',
};

/** Builds the commands of all operations in the order of the docs, and last that of `explained`, which has its own code. */
export function buildCommandSpecs(
  operations: readonly Operation[],
  explained: Operation | null,
): readonly CommandSpec[] {
  // Event streams are for programs; `--job` shows the same progress on a terminal.
  const shown = operations.filter((operation) => !isEventStream(operation) && operation !== explained);
  const sizes = new Map<string, number>();
  for (const { id } of shown) sizes.set(getGroup(id), (sizes.get(getGroup(id)) ?? 0) + 1);
  const own = shown.flatMap((operation) => {
    const heading = chooseHeading(operation, (sizes.get(getGroup(operation.id)) ?? 0) >= MIN_GROUP_COMMANDS);
    const command = buildSpec(buildOperationCommand(operation), listOwnFlags(operation), heading);
    const aliases = operation.view?.aliases ?? [];
    const original = `${command.summary}; the same as quern ${command.words.join(' ')}`;
    return [
      command,
      ...aliases.map(({ summary = original, ...alias }) => ({
        ...command,
        ...alias,
        summary,
        examples: replaceExamples(command, alias),
      })),
    ];
  });
  if (explained === null) return own;
  const explain = buildSpec(buildOperationCommand(explained), EXPLAIN_FLAGS, 'Diagnosis:');
  const summary =
    'show which parts of a page are its main content and why, and the sources of its title, author and dates';
  const options = explain.options.filter(({ flag }) => flag !== JOB_OPTION.flag);
  const examples = ['explain https://example.com/ --html why.html'];
  return [...own, { ...explain, summary, options, examples, operation: null }];
}

/** Returns the examples of an alias. An alias that adds flags needs none. */
function replaceExamples({ words, examples }: CommandSpec, alias: CommandAlias): readonly string[] {
  if (alias.adds.length > 0) return [];
  return examples.map((line) => line.replace(words.join(' '), alias.words.join(' ')));
}

function getGroup(id: string): string {
  return id.split('.', 1)[0] ?? id;
}

function chooseHeading(operation: Operation, isLarge: boolean): string {
  if (operation.kind === 'work') return operation.site === undefined ? 'Pages:' : 'Known sites:';
  const group = getGroup(operation.id);
  return isLarge ? `${group.charAt(0).toUpperCase()}${group.slice(1)}:` : 'Account and results:';
}

function buildSpec(command: OperationCommand, flags: CommandFlags, heading: string): CommandSpec {
  const { operation, words, positional, parameters } = command;
  const own = Object.entries(flags).map(([flag, { hint, about }]): OptionSpec => ({
    flag,
    hint,
    about,
    ...(hint === null ? {} : { isRepeatable: true }),
  }));
  const members = [...parameters.members].flatMap(([name, schema]) => {
    if (Object.hasOwn(flags, toFlag(name))) return [];
    const option = toOption(name, schema, parameters.root);
    if (name === operation.view?.fileMember)
      return [{ ...option, about: addFileNote(option.about), isHidden: name === positional }];
    return [name === positional ? { ...option, isHidden: true } : option];
  });
  return {
    words,
    summary: operation.summary,
    heading,
    arguments: positional === null ? [] : [toArgument(command, positional)],
    options: [...own, ...members, ...(operation.kind === 'work' ? [JOB_OPTION] : [])],
    examples: [formatExample(command)],
    operation: operation.id,
    adds: [],
    ...(operation.kind === 'work' && operation.site !== undefined ? { site: toSiteSpec(operation.site) } : {}),
  };
}

function toSiteSpec(site: NonNullable<WorkOperation['site']>): CommandSpec['site'] {
  return { domains: formatDomainList(site), names: site.hosts };
}

/** Converts a parameter to a positional argument. It may also be given as a flag, so the schema reports a missing one. */
function toArgument({ operation, parameters }: OperationCommand, name: string): ArgumentSpec {
  const schema = parameters.members.get(name) ?? {};
  const values = listEnumValues(schema);
  const about = getDescription(schema);
  return {
    name: name.toUpperCase(),
    isRequired: true,
    about: name === operation.view?.fileMember ? addFileNote(about) : about,
    ...(schema['type'] === 'array' ? { isRepeatable: true } : {}),
    ...(values === null ? {} : { values }),
  };
}

function addFileNote(about: string): string {
  return `${about}; @FILE reads the list from a file, @- from standard input`;
}

function toOption(name: string, schema: JsonSchema, root: JsonSchema): OptionSpec {
  const about = getDescription(schema);
  if (schema['type'] === 'boolean') return { flag: toFlag(name), hint: null, about, isNegatable: true };
  const values = listEnumValues(schema);
  const option = { flag: toFlag(name), hint: formatHint(schema, root), about, isRepeatable: true } as const;
  return values === null ? option : { ...option, values };
}

function getDescription({ description }: JsonSchema): string {
  return typeof description === 'string' ? description : '';
}

function listEnumValues(schema: JsonSchema): readonly string[] | null {
  const words = Array.isArray(schema['enum']) ? schema['enum'] : getItems(schema)['enum'];
  return Array.isArray(words) ? words.map(String) : null;
}

/** Formats the placeholder of a value: how it is written. References are resolved within `root`. */
function formatHint(schema: JsonSchema, root: JsonSchema): string {
  const words = listEnumValues(schema);
  if (words !== null && words.length < MAX_HINT_WORDS) return words.join('|');
  if (schema['type'] === 'integer') return 'N';
  const forms = listForms(schema, root);
  const list = forms.find(({ type }) => type === 'array');
  const written = list === undefined ? forms : listForms(getItems(list), root);
  if (allowsText(written)) return 'TEXT';
  if (allowsObject(written)) return 'JSON';
  return list !== undefined && isCommaList(written) ? 'A,B' : 'TEXT';
}

/** Formats the example of an operation as a command line. */
function formatExample({ words, operation, positional }: OperationCommand): string {
  const examples = Object.entries(Object.fromEntries(Object.entries(operation.example ?? {})));
  const first = examples.flatMap(([name, value]) => (name === positional ? [quoteWord(value)] : []));
  const others = examples.flatMap(([name, value]) => (name === positional ? [] : formatFlag(name, value)));
  return [...words, ...first, ...others].join(' ');
}

function formatFlag(name: string, value: unknown): readonly string[] {
  const flag = toFlag(name);
  if (typeof value === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
  if (!Array.isArray(value)) return [`--${flag}`, quoteWord(value)];
  const isPlain = value.every((one) => typeof one === 'string' && /^[\w-]+$/.test(one));
  return isPlain ? [`--${flag}`, value.join(',')] : value.flatMap((one) => [`--${flag}`, quoteWord(one)]);
}

/** Quotes a value for a shell. */
function quoteWord(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[\w./+,:@%=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
