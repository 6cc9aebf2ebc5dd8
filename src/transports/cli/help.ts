import { EXIT, EXIT_MEANINGS } from './exit.ts';
import { GENERAL_OPTIONS, isShown, optionsOf, usageOf } from './spec.ts';
import type { CommandSpec, OptionSpec } from './spec.ts';

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

const MOST_TERM = 44;
const INDENT = '  ';
const GAP = '  ';
/** Meanings are not wrapped more narrowly than this. */
const LEAST_COLUMNS = 40;

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

/** The help of the program, of a group of commands, or of one command. */
export function formatHelp({ words, spec, below }: Helped, style: HelpStyle): string {
  const groups = Map.groupBy(below, ({ heading }) => (words.length === 0 ? heading : 'Commands:'));
  const width = widthOf(below.map(toCommandItem));
  const commands = [...groups].flatMap(([heading, specs]) => toList(heading, specs.map(toCommandItem), style, width));
  const usage = spec === null ? ['quern', ...words, 'COMMAND'].join(' ') : usageOf(spec);
  const head = [style.bold(usage), ...(spec === null ? [] : [spec.summary]), ''];
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
    const [first = '', ...more] = wrap(about, Math.max(columns - width - INDENT.length - GAP.length, LEAST_COLUMNS));
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
  return Math.min(MOST_TERM, Math.max(...items.map(([term]) => term.length)));
}

function toCodes(style: HelpStyle): readonly string[] {
  const named = Object.entries(EXIT_MEANINGS).map(([name, meaning]): Item => {
    const code = Object.entries(EXIT).find(([one]) => one === name)?.[1] ?? EXIT.failure;
    return [String(code).padStart(3), meaning];
  });
  return toList('Exit codes:', named, style);
}
