import { ServiceError } from '#kernel/errors.ts';

/** An option of a command, as help and completion show it and as the line is read by it. */
export type OptionSpec = {
  /** `timeout-ms`, without its dashes. */
  readonly flag: string;
  /** The letter of its short form. */
  readonly short?: string;
  /** What its value is, such as `N`; null for a flag that takes none. */
  readonly hint: string | null;
  readonly about: string;
  /** Whether it may be given more than once. */
  readonly isRepeatable?: boolean;
  /** Whether `--no-` before it means its opposite. */
  readonly isNegatable?: boolean;
  /** The words that a value may be. */
  readonly values?: readonly string[];
  /** Whether it is read and not shown, since it has a shorter form. */
  readonly isHidden?: boolean;
};

/** A value without a flag. */
export type ArgumentSpec = {
  readonly name: string;
  readonly isRequired: boolean;
  /** Whether it takes all values that follow. */
  readonly isRepeatable?: boolean;
  readonly about: string;
  readonly values?: readonly string[];
};

/** Everything about a command that help, completion and the reading of a line need; none of the code that runs it. */
export type CommandSpec = {
  /** `jobs show` as its words. */
  readonly words: readonly string[];
  readonly summary: string;
  /** The group of commands that it is listed in. */
  readonly heading: string;
  readonly arguments: readonly ArgumentSpec[];
  readonly options: readonly OptionSpec[];
  /** Command lines without `quern`. */
  readonly examples: readonly string[];
  /** The operation that it asks, by its id; null for a command of the operator. */
  readonly operation: string | null;
  /** What the line of an alias has in addition. */
  readonly adds: readonly string[];
  /** The site of an endpoint: the domains that it reads in words, and the names that people know it by. */
  readonly site?: { readonly domains: string; readonly names: readonly string[] };
};

/** A line as it was given: the values without a flag, and those of each flag. */
export type Given = {
  readonly values: readonly string[];
  readonly flags: Readonly<Record<string, boolean | readonly string[]>>;
};

/** Whether a flag without a value is given. */
export function isGiven({ flags }: Given, flag: string): boolean {
  return flags[flag] === true;
}

/** The value of a flag, the last one if it is given more than once. */
export function flagText({ flags }: Given, flag: string): string | undefined {
  return listOf(flags, flag).at(-1);
}

/** All values of a flag. */
export function listOf(flags: Given['flags'], flag: string): readonly string[] {
  const value = flags[flag];
  return typeof value === 'object' ? value : [];
}

/** A value that a command needs; throws `invalid_request` if it is not given. */
export function demandValue({ values }: Given, at: number, name: string): string {
  const value = values[at];
  if (value === undefined || value === '') throw toMissingArgument(name);
  return value;
}

/** The refusal of a line without a value that its command needs. */
export function toMissingArgument(name: string): ServiceError {
  return new ServiceError('invalid_request', `missing argument ${name}`);
}

/** The options that every command has; one of its own with the same name takes the place of the general one. */
export const GENERAL_OPTIONS: readonly OptionSpec[] = [
  { flag: 'json', hint: null, about: 'The whole answer as JSON' },
  { flag: 'out', short: 'o', hint: 'FILE', about: 'Write the result to a file instead of standard output' },
  { flag: 'quiet', short: 'q', hint: null, about: 'Nothing on standard error but errors' },
  {
    flag: 'verbose',
    short: 'v',
    hint: null,
    about: 'Say what is asked of whom, how long it took, and all that is known of an error',
  },
];

/** All options of a command, its own first. */
export function optionsOf({ options }: CommandSpec): readonly OptionSpec[] {
  const own = options.map((option) => {
    const general = GENERAL_OPTIONS.find(({ flag }) => flag === option.flag);
    return general?.short === undefined ? option : { ...option, short: general.short };
  });
  return [...own, ...GENERAL_OPTIONS.filter(({ flag }) => !own.some((one) => one.flag === flag))];
}

/** Whether help and completion show an option. */
export function isShown({ isHidden }: OptionSpec): boolean {
  return isHidden !== true;
}

/** `quern fetch URL [options] [--job] [--json]`. */
export function usageOf({ words, arguments: values, options }: CommandSpec): string {
  const named = values.map(({ name, isRequired }) => (isRequired ? name : `[${name}]`));
  const others = options.some((one) => one.flag !== 'job' && isShown(one)) ? ['[options]'] : [];
  const job = options.some(({ flag }) => flag === 'job') ? ['[--job]'] : [];
  return ['quern', ...words, ...named, ...others, ...job, '[--json]'].join(' ');
}
