import { EXIT, EXIT_MEANINGS } from './exit.ts';
import { type CommandSpec, GENERAL_OPTIONS, isVisible, listOptions, type OptionSpec, formatUsage } from './spec.ts';

/** The layout of help: the width of a line, and a function that makes headings bold. */
export type HelpStyle = { readonly columns: number; readonly bold: (text: string) => string };

/** The subject of help: a command, a group of commands, or both. */
export type HelpTopic = {
  readonly words: readonly string[];
  readonly spec: CommandSpec | null;
  /** The commands whose words begin with these. */
  readonly below: readonly CommandSpec[];
};

type Item = readonly [term: string, about: string];

const MAX_TERM_COLUMNS = 44;
const INDENT = '  ';
const GAP = '  ';
/** Descriptions are wrapped at no less than this width. */
const MIN_COLUMNS = 40;

/** Finds the command or group with these words; null if there is none. */
export function findHelpTopic(specs: readonly CommandSpec[], words: readonly string[]): HelpTopic | null {
  const spec = specs.find((one) => one.words.join(' ') === words.join(' ')) ?? null;
  const below = specs.filter((one) => one !== spec && words.every((word, at) => one.words[at] === word));
  return spec === null && below.length === 0 ? null : { words, spec, below };
}

/**
 * Finds the words that a line asks help about; null if it does not ask for help. The rest of such a line is not parsed,
 * since it may be incomplete or wrong.
 */
export function findHelpWords(argv: readonly string[], specs: readonly CommandSpec[]): readonly string[] | null {
  const [first = 'help', ...rest] = argv;
  if (first === 'help' && !rest.some((word) => word.startsWith('-'))) return rest;
  if (!argv.includes('--help') && !argv.includes('-h')) return null;
  const count = argv.findIndex((_, at) => findHelpTopic(specs, argv.slice(0, at + 1)) === null);
  const words = argv.slice(0, count < 0 ? argv.length : count);
  return words.length === 0 && !first.startsWith('-') ? [first] : words;
}

/** Up to this many groups below a heading get a line each; more are listed by their names only. */
const MAX_HEADING_LINES = 12;
/** Lines of all headings. If there are more, the longest lists are written as names only. */
const MAX_OVERVIEW_LINES = 57;
const FIRST_WORD_COLUMNS = 16;
/** On narrower screens, the common names of sites are left out. */
const WIDE_COLUMNS = 100;

/** Formats an overview of all commands by their first word, short enough for one screen. */
export function formatOverview(specs: readonly CommandSpec[], { columns, bold }: HelpStyle): string {
  const groups = Map.groupBy(specs, ({ words: [first = ''] }) => first);
  const headings = Map.groupBy(groups.values(), ([first]) => first?.heading ?? '');
  // A heading above one or two lines adds nothing.
  const isSmall = (heading: string): boolean => (headings.get(heading)?.length ?? 0) <= 2;
  const sections = Map.groupBy(groups.values(), ([first]) =>
    first === undefined || isSmall(first.heading) ? 'Groups:' : first.heading,
  );
  const buildLines = (most: number): readonly string[] =>
    [...sections].flatMap(([heading, members]) => {
      const isWide = columns >= WIDE_COLUMNS;
      const words = members.map(([first]) => (isWide ? nameGroup(first) : (first?.words[0] ?? '')));
      const text = wrapText(words.join(isWide ? ', ' : ' '), Math.max(columns - INDENT.length, MIN_COLUMNS));
      const items = members.length > most ? text : members.map((group) => formatGroup(group, columns));
      return [bold(heading), ...items.map((line) => INDENT + line)];
    });
  let lines = buildLines(MAX_HEADING_LINES);
  for (let most = MAX_HEADING_LINES - 1; most > 0 && lines.length > MAX_OVERVIEW_LINES; most--)
    lines = buildLines(most);
  return [
    bold('quern COMMAND'),
    ...lines,
    'quern help COMMAND shows the options of a command, or the commands of a group.',
    'quern help --all lists every command with its usage, and the exit codes.',
    '',
  ].join('\n');
}

/** Formats the first word of a group with the common name of its site: `codehost (github)`. */
function nameGroup(spec: CommandSpec | undefined): string {
  const [word = ''] = spec?.words ?? [];
  const [name] = spec?.site?.names ?? [];
  return name === undefined ? word : `${word} (${name})`;
}

/** Formats a command with its summary, or a group with its subcommands, cut to one line. */
function formatGroup(group: readonly CommandSpec[], columns: number): string {
  const own = group.find(({ words }) => words.length === 1);
  const [word = ''] = group[0]?.words ?? [];
  const verbs = [...new Set(group.flatMap(({ words: [, second] }) => (second === undefined ? [] : [second])))];
  const about = own?.summary ?? (group.length === 1 ? `${verbs.join()}: ${group[0]?.summary ?? ''}` : verbs.join(', '));
  const [first = '', ...more] = wrapText(
    about,
    Math.max(columns - INDENT.length - FIRST_WORD_COLUMNS - 2, MIN_COLUMNS),
  );
  return `${word.padEnd(FIRST_WORD_COLUMNS)}${first.replace(more.length > 0 ? /[,;:]?$/ : /$/, more.length > 0 ? ' …' : '')}`;
}

/** Formats the help of the program, of a group of commands, or of one command. */
export function formatHelp({ words, spec, below }: HelpTopic, style: HelpStyle): string {
  const groups = Map.groupBy(below, ({ heading }) => (words.length === 0 ? heading : 'Commands:'));
  const width = computeWidth(below.map(buildCommandItem));
  const commands = [...groups].flatMap(([heading, specs]) =>
    formatList(heading, specs.map(buildCommandItem), style, width),
  );
  const usage = spec === null ? ['quern', ...words, 'COMMAND'].join(' ') : formatUsage(spec);
  const site = words.length === 0 ? undefined : (spec ?? below[0])?.site;
  const head = [
    style.bold(usage),
    ...(spec === null ? [] : [spec.summary]),
    ...(site === undefined ? [] : [`Reads ${site.domains}.`]),
    '',
  ];
  const codes = formatExitCodes(style);
  if (spec === null) {
    const more = `quern ${[...words, 'COMMAND'].join(' ')} --help shows the options of a command, examples and exit codes.`;
    const general = words.length === 0 ? formatList('Every command:', GENERAL_OPTIONS.map(buildOptionItem), style) : [];
    return [...head, ...commands, ...general, ...(words.length === 0 ? codes : []), more, ''].join('\n');
  }
  const options = listOptions(spec).filter(isVisible);
  const values = spec.arguments.map(({ name, about }): Item => [name, about]);
  return [
    ...head,
    ...(values.some(([, about]) => about !== '') ? formatList('Values:', values, style) : []),
    ...formatList('Options:', options.filter((one) => !isGeneralOption(one)).map(buildOptionItem), style),
    ...formatList('Every command:', options.filter(isGeneralOption).map(buildOptionItem), style),
    ...commands,
    ...formatList(
      'Examples:',
      spec.examples.map((line): Item => [`quern ${line}`, '']),
      style,
    ),
    ...codes,
  ].join('\n');
}

function isGeneralOption({ flag }: OptionSpec): boolean {
  return GENERAL_OPTIONS.some((one) => one.flag === flag);
}

function buildCommandItem(spec: CommandSpec): Item {
  return [formatUsage(spec), spec.summary];
}

function buildOptionItem({ flag, short, hint, about, values, isNegatable }: OptionSpec): Item {
  const term = `${short === undefined ? '' : `-${short}, `}--${flag}${hint === null ? '' : ` ${hint}`}`;
  const words = values === undefined || hint === values.join('|') ? '' : ` (${values.join(', ')})`;
  return [term, `${about}${words}${isNegatable === true ? ` (or --no-${flag})` : ''}`.trim()];
}

/** Formats items as two columns: terms, and descriptions wrapped to the width. */
function formatList(
  heading: string,
  items: readonly Item[],
  { columns, bold }: HelpStyle,
  width = computeWidth(items),
): readonly string[] {
  if (items.length === 0) return [];
  const lines = items.map(([term, about]) => {
    const [first = '', ...more] = wrapText(about, Math.max(columns - width - INDENT.length - GAP.length, MIN_COLUMNS));
    const head = `${INDENT}${term.padEnd(width)}${GAP}${first}`.trimEnd();
    return [head, ...more.map((line) => INDENT + ' '.repeat(width) + GAP + line)].join('\n');
  });
  return [bold(heading), ...lines, ''];
}

/** Wraps a text at spaces. */
function wrapText(text: string, columns: number): readonly string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

function computeWidth(items: readonly Item[]): number {
  return Math.min(MAX_TERM_COLUMNS, Math.max(...items.map(([term]) => term.length)));
}

function formatExitCodes(style: HelpStyle): readonly string[] {
  const named = Object.entries(EXIT_MEANINGS).map(([name, meaning]): Item => {
    const code = Object.entries(EXIT).find(([one]) => one === name)?.[1] ?? EXIT.failure;
    return [String(code).padStart(3), meaning];
  });
  return formatList('Exit codes:', named, style);
}
