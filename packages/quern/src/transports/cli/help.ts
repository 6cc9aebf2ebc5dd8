import { EXIT, EXIT_MEANINGS } from './exit.ts';
import { type CommandSpec, GENERAL_OPTIONS, isShown, optionsOf, type OptionSpec, usageOf } from './spec.ts';

/** How help is written: the width of a line, and how a heading stands out. */
export type HelpStyle = { readonly columns: number; readonly bold: (text: string) => string };

/** The words that help is asked about: a command, or a group of commands, or both. */
export type Helped = {
  readonly words: readonly string[];
  readonly spec: CommandSpec | null;
  /** The commands whose words begin with these. */
  readonly below: readonly CommandSpec[];
};

type Item = readonly [term: string, about: string];

const MAX_TERM = 44;
const INDENT = '  ';
const GAP = '  ';
/** Meanings are not wrapped more narrowly than this. */
const MIN_COLUMNS = 40;

/** What the words of a line ask help about; null where they are no command and no group. */
export function findHelped(specs: readonly CommandSpec[], words: readonly string[]): Helped | null {
  const spec = specs.find((one) => one.words.join(' ') === words.join(' ')) ?? null;
  const below = specs.filter((one) => one !== spec && words.every((word, at) => one.words[at] === word));
  return spec === null && below.length === 0 ? null : { words, spec, below };
}

/**
 * The words that a line asks help about, null for a line that asks for none. Such a line is not parsed: help is for those
 * whose line is not right yet.
 */
export function wordsOfHelp(given: readonly string[], specs: readonly CommandSpec[]): readonly string[] | null {
  const [first = 'help', ...rest] = given;
  if (first === 'help' && !rest.some((word) => word.startsWith('-'))) return rest;
  if (!given.includes('--help') && !given.includes('-h')) return null;
  const count = given.findIndex((_, at) => findHelped(specs, given.slice(0, at + 1)) === null);
  const words = given.slice(0, count < 0 ? given.length : count);
  return words.length === 0 && !first.startsWith('-') ? [first] : words;
}

/** First words that stand on lines of their own below a heading; more are a list of words. */
const MAX_LINES_OF_HEADING = 12;
const COLUMN = 16;
/** Narrower screens have no room for the names that people know sites by. */
const WIDE_COLUMNS = 100;

/** The commands of the program by their first words, short enough for one screen. */
export function formatOverview(specs: readonly CommandSpec[], { columns, bold }: HelpStyle): string {
  const groups = Map.groupBy(specs, ({ words: [first = ''] }) => first);
  const headings = Map.groupBy(groups.values(), ([first]) => first?.heading ?? '');
  // A heading over so few lines says no more than the lines.
  const isSmall = (heading: string): boolean => (headings.get(heading)?.length ?? 0) <= 2;
  const sections = Map.groupBy(groups.values(), ([first]) =>
    first === undefined || isSmall(first.heading) ? 'Groups:' : first.heading,
  );
  const lines = [...sections].flatMap(([heading, members]) => {
    const isWide = columns >= WIDE_COLUMNS;
    const words = members.map(([first]) => (isWide ? nameGroup(first) : (first?.words[0] ?? '')));
    const text = wrap(words.join(isWide ? ', ' : ' '), Math.max(columns - INDENT.length, MIN_COLUMNS));
    const items = members.length > MAX_LINES_OF_HEADING ? text : members.map((group) => toGroupLine(group, columns));
    return [bold(heading), ...items.map((line) => INDENT + line)];
  });
  return [
    bold('quern COMMAND'),
    ...lines,
    'quern help COMMAND shows the options of a command, or the commands of a group.',
    'quern help --all lists every command with its usage, and the exit codes.',
    '',
  ].join('\n');
}

/** The first word of a group, and the name that people know its site by. */
function nameGroup(spec: CommandSpec | undefined): string {
  const [word = ''] = spec?.words ?? [];
  const [name] = spec?.site?.names ?? [];
  return name === undefined ? word : `${word} (${name})`;
}

/** A command with what it does, or a group with the words that follow, cut to one line. */
function toGroupLine(group: readonly CommandSpec[], columns: number): string {
  const own = group.find(({ words }) => words.length === 1);
  const [word = ''] = group[0]?.words ?? [];
  const verbs = [...new Set(group.flatMap(({ words: [, second] }) => (second === undefined ? [] : [second])))];
  const about = own?.summary ?? (group.length === 1 ? `${verbs.join()}: ${group[0]?.summary ?? ''}` : verbs.join(', '));
  const [first = '', ...more] = wrap(about, Math.max(columns - INDENT.length - COLUMN - 2, MIN_COLUMNS));
  return `${word.padEnd(COLUMN)}${first.replace(more.length > 0 ? /[,;:]?$/ : /$/, more.length > 0 ? ' …' : '')}`;
}

/** The help of the program, of a group of commands, or of one command. */
export function formatHelp({ words, spec, below }: Helped, style: HelpStyle): string {
  const groups = Map.groupBy(below, ({ heading }) => (words.length === 0 ? heading : 'Commands:'));
  const width = widthOf(below.map(toCommandItem));
  const commands = [...groups].flatMap(([heading, specs]) => toList(heading, specs.map(toCommandItem), style, width));
  const usage = spec === null ? ['quern', ...words, 'COMMAND'].join(' ') : usageOf(spec);
  const site = words.length === 0 ? undefined : (spec ?? below[0])?.site;
  const head = [
    style.bold(usage),
    ...(spec === null ? [] : [spec.summary]),
    ...(site === undefined ? [] : [`Reads ${site.domains}.`]),
    '',
  ];
  const codes = toCodes(style);
  if (spec === null) {
    const more = `quern ${[...words, 'COMMAND'].join(' ')} --help shows the options of a command, examples and exit codes.`;
    const general = words.length === 0 ? toList('Every command:', GENERAL_OPTIONS.map(toOptionItem), style) : [];
    return [...head, ...commands, ...general, ...(words.length === 0 ? codes : []), more, ''].join('\n');
  }
  const options = optionsOf(spec).filter(isShown);
  const values = spec.arguments.map(({ name, about }): Item => [name, about]);
  return [
    ...head,
    ...(values.some(([, about]) => about !== '') ? toList('Values:', values, style) : []),
    ...toList('Options:', options.filter((one) => !isGeneral(one)).map(toOptionItem), style),
    ...toList('Every command:', options.filter(isGeneral).map(toOptionItem), style),
    ...commands,
    ...toList(
      'Examples:',
      spec.examples.map((line): Item => [`quern ${line}`, '']),
      style,
    ),
    ...codes,
  ].join('\n');
}

function isGeneral({ flag }: OptionSpec): boolean {
  return GENERAL_OPTIONS.some((one) => one.flag === flag);
}

function toCommandItem(spec: CommandSpec): Item {
  return [usageOf(spec), spec.summary];
}

function toOptionItem({ flag, short, hint, about, values, isNegatable }: OptionSpec): Item {
  const term = `${short === undefined ? '' : `-${short}, `}--${flag}${hint === null ? '' : ` ${hint}`}`;
  const words = values === undefined || hint === values.join('|') ? '' : ` (${values.join(', ')})`;
  return [term, `${about}${words}${isNegatable === true ? ` (or --no-${flag})` : ''}`.trim()];
}

/** Items below each other with their meanings in one column, wrapped to the width. */
function toList(
  heading: string,
  items: readonly Item[],
  { columns, bold }: HelpStyle,
  width = widthOf(items),
): readonly string[] {
  if (items.length === 0) return [];
  const lines = items.map(([term, about]) => {
    const [first = '', ...more] = wrap(about, Math.max(columns - width - INDENT.length - GAP.length, MIN_COLUMNS));
    const head = `${INDENT}${term.padEnd(width)}${GAP}${first}`.trimEnd();
    return [head, ...more.map((line) => INDENT + ' '.repeat(width) + GAP + line)].join('\n');
  });
  return [bold(heading), ...lines, ''];
}

/** The lines of a text, broken at spaces. */
function wrap(text: string, columns: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function widthOf(items: readonly Item[]): number {
  return Math.min(MAX_TERM, Math.max(...items.map(([term]) => term.length)));
}

function toCodes(style: HelpStyle): readonly string[] {
  const named = Object.entries(EXIT_MEANINGS).map(([name, meaning]): Item => {
    const code = Object.entries(EXIT).find(([one]) => one === name)?.[1] ?? EXIT.failure;
    return [String(code).padStart(3), meaning];
  });
  return toList('Exit codes:', named, style);
}
