import { openSync, writeSync } from 'node:fs';
import { inspect, styleText } from 'node:util';
import { InvariantError } from '#extract/invariant-error.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { AdministrationCommands, RunAdministration } from './administration.ts';
import { COMPLETE_COMMAND, formatCompletions, getCompletionScript } from './completion.ts';
import { EXIT, getExitCode, InterruptedError, UsageError } from './exit.ts';
import { reportFailure } from './failure.ts';
import { findHelpTopic, findHelpWords, formatHelp, formatOverview } from './help.ts';
import type { CommandContext, Terminal } from './context.ts';
import { type CommandArguments, type CommandSpec, GENERAL_OPTIONS, getArgument, getFlag, hasFlag } from './spec.ts';

/** What is needed to parse a command line. Everything else is loaded when a command runs. */
export type CliContext = {
  /** All commands. */
  readonly specs: readonly CommandSpec[];
  /** The commands that call no operation. */
  readonly administration: AdministrationCommands;
  readonly version: string;
  readonly terminal: Terminal;
  /** Opens the context of commands that call operations: the local store, or a server. */
  readonly open: () => Promise<CommandContext>;
  /** Whether the user has interrupted the command. */
  readonly isInterrupted: () => boolean;
};

/** The width of help that is not written to a terminal. */
const DEFAULT_COLUMNS = 100;
const MAX_COLUMNS = 120;

/** Runs one command line, prints its errors and returns its exit code. */
export async function runCli(argv: readonly string[], line: CliContext): Promise<number> {
  const { terminal, version } = line;
  try {
    return await runLine(argv, line);
  } catch (error) {
    if (line.isInterrupted() || error instanceof InterruptedError) {
      terminal.note(`quern: ${error instanceof InterruptedError ? error.message : 'interrupted; nothing is charged'}`);
      return EXIT.interrupted;
    }
    if (error instanceof UsageError) {
      terminal.note(`quern: ${error.message}`);
      return EXIT.usage;
    }
    if (error instanceof StoreUnavailable) {
      terminal.note(`quern: backend_unavailable: the store cannot be read or written (${error.message})`);
      return EXIT.backend;
    }
    if (!(error instanceof ServiceError)) throw error;
    terminal.note(`quern: ${error.code}: ${error.message}`);
    if (argv.includes('--verbose') || argv.includes('-v')) terminal.note(inspect(error));
    // A command has no log, so its user sees the cause.
    const isFailureOfOurs = error.code === 'internal_error' && error.cause !== undefined;
    return isFailureOfOurs ? reportFailure(error.cause, terminal, version) : getExitCode(error);
  }
}

/** Runs one command line and returns its exit code. Throws `UsageError`, `ServiceError` and `InterruptedError`. */
export async function runLine(typed: readonly string[], line: CliContext): Promise<number> {
  const { specs, terminal, administration } = line;
  const words = replaceSiteName(typed, specs);
  const [word, ...rest] = words;
  if (word === COMPLETE_COMMAND) {
    terminal.out(formatCompletions(rest, specs));
    return EXIT.ok;
  }
  const helpWords = findHelpWords(words, specs);
  if (helpWords !== null) return writeHelp(helpWords, helpWords.length > 0, line);
  const { parseAndRun: runProgramLine } = await import('./command-line.ts');
  const args = word === '--version' || word === '-V' ? ['version', ...rest] : words;
  return runProgramLine(args, specs, async (spec, parsedArguments) => {
    const commandTerminal = buildTerminal(spec, parsedArguments, terminal);
    if (spec.operation !== null) return runOperation(spec, parsedArguments, { ...line, terminal: commandTerminal });
    const [name = ''] = spec.words;
    const administer =
      BUILT_IN_COMMANDS.get(name)?.({ ...line, terminal: commandTerminal }) ?? (await administration[name]?.());
    if (administer === undefined) throw new InvariantError(`no code runs ${name}`);
    return administer(parsedArguments, commandTerminal, spec.words);
  });
}

/** Prints the help of a command, of a group or, in short form unless `isWhole`, of all commands. Throws `UsageError` for unknown words. */
async function writeHelp(
  words: readonly string[],
  isWhole: boolean,
  { specs, terminal }: Pick<CliContext, 'specs' | 'terminal'>,
): Promise<number> {
  const { display } = terminal;
  const bold = (text: string): string =>
    display?.hasColors === true ? styleText('bold', text, { validateStream: false }) : text;
  const topic = findHelpTopic(specs, words);
  if (topic === null) {
    const { createUnknownCommandError: toUnknownCommand } = await import('./command-line.ts');
    const lines = specs.map((one) => one.words.join(' '));
    throw toUnknownCommand(words, lines);
  }
  const columns = Math.min(display?.columns ?? DEFAULT_COLUMNS, MAX_COLUMNS);
  terminal.out(isWhole ? formatHelp(topic, { columns, bold }) : formatOverview(specs, { columns, bold }));
  return EXIT.ok;
}

async function runOperation(spec: CommandSpec, helpWords: CommandArguments, line: CliContext): Promise<number> {
  const [{ runOperationCommand }, parts] = await Promise.all([import('./operation-command.ts'), line.open()]);
  return runOperationCommand(spec, helpWords, { ...parts, terminal: line.terminal });
}

type BuiltInContext = Pick<CliContext, 'specs' | 'version' | 'terminal'>;

/** Commands whose code is in this module. */
const BUILT_IN_COMMANDS: ReadonlyMap<string, (parts: BuiltInContext) => RunAdministration> = new Map([
  ['help', printHelp],
  ['version', printVersion],
  ['completion', () => printCompletionScript],
]);

function printVersion({ version }: BuiltInContext): RunAdministration {
  return async (args, { out }) => {
    out(hasFlag(args, 'json') ? `${JSON.stringify({ version })}\n` : `${version}\n`);
    return EXIT.ok;
  };
}

async function printCompletionScript(args: CommandArguments, { out }: Terminal): Promise<number> {
  const shell = getArgument(args, 0, 'SHELL');
  const script = getCompletionScript(shell);
  if (script === null) throw new ServiceError('invalid_request', 'SHELL: must be bash, zsh or fish');
  out(hasFlag(args, 'json') ? `${JSON.stringify({ shell, script })}\n` : script);
  return EXIT.ok;
}

/** `quern help` with options. With `--json`, it lists all commands that begin with the given words. */
function printHelp(parts: BuiltInContext): RunAdministration {
  return async (args, { out }) => {
    const { values } = args;
    if (!hasFlag(args, 'json')) return writeHelp(values, values.length > 0 || hasFlag(args, 'all'), parts);
    const shown = parts.specs.filter(({ words }) => values.every((word, at) => words[at] === word));
    out(`${JSON.stringify(shown, null, 2)}\n`);
    return EXIT.ok;
  };
}

/**
 * Applies `--out` and `--quiet` to the terminal of a command. A command that has its own flag of that name handles it
 * itself, except for `--json --quiet`, which means the same for all commands.
 */
function buildTerminal(spec: CommandSpec, args: CommandArguments, terminal: Terminal): Terminal {
  const file = overridesOption(spec, 'out') ? undefined : getFlag(args, 'out');
  const isQuiet = hasFlag(args, 'quiet') && (!overridesOption(spec, 'quiet') || hasFlag(args, 'json'));
  const quiet: Terminal = isQuiet ? { ...terminal, note: doNothing, live: doNothing } : terminal;
  return file === undefined || file === '-' ? quiet : { ...quiet, ...openOutputFile(file) };
}

function overridesOption({ options }: CommandSpec, name: string): boolean {
  return GENERAL_OPTIONS.some(({ flag }) => flag === name) && options.some(({ flag }) => flag === name);
}

/** Opens the file at the first write, so that a command that fails before that leaves an existing file unchanged. */
function openOutputFile(file: string): Pick<Terminal, 'out' | 'isRead' | 'display'> {
  let opened: number | null = null;
  return {
    display: null,
    isRead: () => true,
    out(text) {
      try {
        opened ??= openSync(file, 'w');
        const bytes = typeof text === 'string' ? Buffer.from(text) : text;
        for (let at = 0; at < bytes.length;) at += writeSync(opened, bytes, at);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new ServiceError('invalid_request', `--out: ${file} cannot be written: ${why}`, { cause: error });
      }
    },
  };
}

function doNothing(): void {}

/**
 * Replaces the common name of a site by its word in commands: `dice jobs` and `dice.com jobs` become `jobs-d jobs`.
 * Throws `UsageError` if the name matches several sites.
 */
export function replaceSiteName(argv: readonly string[], specs: readonly CommandSpec[]): readonly string[] {
  const at = argv[0] === 'help' ? 1 : 0;
  const [name = '', verb = ''] = argv.slice(at);
  if (name === '' || specs.some(({ words: [first] }) => first === name)) return argv;
  const parts = name.toLowerCase().split('.');
  const named = specs.filter(({ site }) => site?.names.some((one) => parts.includes(one)) === true);
  const withVerb = named.filter(({ words: [, second] }) => second === verb);
  const meant = withVerb.length > 0 ? withVerb : named;
  const [word, ...others] = new Set(meant.flatMap(({ words: [first = ''] }) => first));
  if (word === undefined) return argv;
  if (others.length > 0)
    throw new UsageError(`${name} matches several sites: ${[word, ...others].join(', ')}; use one of these`);
  return argv.with(at, word);
}
