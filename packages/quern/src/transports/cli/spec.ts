import { ServiceError } from '#kernel/errors.ts';

/** An option of a command, used for parsing, help and completion. */
export type OptionSpec = {
  /** `timeout-ms`, without its dashes. */
  readonly flag: string;
  /** The letter of its short form. */
  readonly short?: string;
  /** Placeholder of its value, such as `N`; null for a flag without a value. */
  readonly hint: string | null;
  readonly about: string;
  /** Whether it may be given more than once. */
  readonly isRepeatable?: boolean;
  /** Whether the opposite exists with `--no-`. */
  readonly isNegatable?: boolean;
  /** The allowed values. */
  readonly values?: readonly string[];
  /** Whether it is parsed but not shown, since it also exists as a positional argument. */
  readonly isHidden?: boolean;
};

/** A positional argument. */
export type ArgumentSpec = {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether it takes all further values. */
  readonly isRepeatable?: boolean;
  readonly about: string;
  readonly values?: readonly string[];
};

/** Everything that parsing, help and completion need to know about a command, without the code that runs it. */
export type CommandSpec = {
  /** The words of the command, such as `jobs` and `show`. */
  readonly words: readonly string[];
  readonly summary: string;
  /** The heading under which it is listed. */
  readonly heading: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Command lines without `quern`. */
  readonly examples: readonly string[];
  /** The id of its operation; null for an administration command. */
  readonly operation: string | null;
  /** Flags that an alias adds. */
  readonly adds: readonly string[];
  /** The site of an endpoint: its domains as text, and its common names. */
  readonly site?: { readonly domains: string; readonly names: readonly string[] };
};

/** Parsed arguments: positional values, and values by flag. */
export type CommandArguments = {
  readonly values: readonly string[];
  readonly flags: Readonly<Record<string, boolean | readonly string[]>>;
};

/** Whether a flag without a value is given. */
export function hasFlag({ flags }: CommandArguments, flag: string): boolean {
  return flags[flag] === true;
}

/** Returns the value of a flag; the last one if it is repeated. */
export function getFlag({ flags }: CommandArguments, flag: string): string | undefined {
  return listFlagValues(flags, flag).at(-1);
}

/** Returns all values of a flag. */
export function listFlagValues(flags: CommandArguments['flags'], flag: string): readonly string[] {
  const value = flags[flag];
  return typeof value === 'object' ? value : [];
}

/** Returns a required positional argument; throws `invalid_request` if it is missing. */
export function getArgument({ values }: CommandArguments, at: number, name: string): string {
  const value = values[at];
  if (value === undefined || value === '') throw createMissingArgumentError(name);
  return value;
}

/** The error for a missing argument. */
export function createMissingArgumentError(name: string): ServiceError {
  return new ServiceError('invalid_request', `missing argument ${name}`);
}

/** Options of every command; an own option with the same name replaces the general one. */
export const GENERAL_OPTIONS: readonly OptionSpec[] = [
  { flag: 'json', hint: null, about: 'The whole answer as JSON' },
  { flag: 'out', short: 'o', hint: 'FILE', about: 'Write the result to a file instead of standard output' },
  { flag: 'quiet', short: 'q', hint: null, about: 'Only errors on standard error' },
  {
    flag: 'verbose',
    short: 'v',
    hint: null,
    about: 'Print each call with its duration, and all details of errors',
  },
];

/** Lists all options of a command, its own first. */
export function listOptions({ options }: CommandSpec): readonly OptionSpec[] {
  const own = options.map((option) => {
    const general = GENERAL_OPTIONS.find(({ flag }) => flag === option.flag);
    return general?.short === undefined ? option : { ...option, short: general.short };
  });
  return [...own, ...GENERAL_OPTIONS.filter(({ flag }) => !own.some((one) => one.flag === flag))];
}

/** Whether help and completion show an option. */
export function isVisible({ isHidden }: OptionSpec): boolean {
  return isHidden !== true;
}

/** `quern fetch URL [options] [--job] [--json]`. */
export function formatUsage({ words, arguments: values, options }: CommandSpec): string {
  const named = values.map(({ name, isRequired, isRepeatable }) => {
    const shown = isRepeatable === true ? `${name}...` : name;
    return isRequired ? shown : `[${shown}]`;
  });
  const others = options.some((one) => one.flag !== 'job' && isVisible(one)) ? ['[options]'] : [];
  const job = options.some(({ flag }) => flag === 'job') ? ['[--job]'] : [];
  return ['quern', ...words, ...named, ...others, ...job, '[--json]'].join(' ');
}
