import { InvariantError } from '#extract/invariant-error.ts';
import { openSync, writeSync } from 'node:fs';
import { inspect, styleText } from 'node:util';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import type { Administer, Administration } from './administration.ts';
import { COMPLETE, completeLine, scriptOf } from './completion.ts';
import { EXIT, Interrupted, UsageError, exitCodeOf } from './exit.ts';
import { noteFailure } from './failure.ts';
import { findHelped, formatHelp, formatOverview, wordsOfHelp } from './help.ts';
import type { CliParts, Terminal } from './parts.ts';
import { withSiteWord } from './site-words.ts';
import { type CommandSpec, demandValue, flagText, GENERAL_OPTIONS, type Given, isGiven } from './spec.ts';

/** What a command line is read by; everything that a command needs is loaded when one runs. */
export type CliLine = {
  /** All commands. */
  readonly specs: readonly CommandSpec[];
  /** The commands that are no operations. */
  readonly administration: Administration;
  readonly version: string;
  readonly terminal: Terminal;
  /** Opens the way to the service for the commands that are operations. */
  readonly open: () => Promise<CliParts>;
  /** Whether the user has interrupted the command. */
  readonly isInterrupted: () => boolean;
};

/** The width of help where nobody looks at a screen. */
const USUAL_COLUMNS = 100;
const MAX_COLUMNS = 120;

/** Runs one command line and answers its exit code. */
export async function runCli(given: readonly string[], line: CliLine): Promise<number> {
  const { terminal, version } = line;
  try {
    return await runLine(given, line);
  } catch (error) {
    if (line.isInterrupted() || error instanceof Interrupted) {
      terminal.note(`quern: ${error instanceof Interrupted ? error.message : 'interrupted; nothing is charged'}`);
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
    if (given.includes('--verbose') || given.includes('-v')) terminal.note(inspect(error));
    // A command has no log; its user is the operator.
    const isFailureOfOurs = error.code === 'internal_error' && error.cause !== undefined;
    return isFailureOfOurs ? noteFailure(error.cause, terminal, version) : exitCodeOf(error);
  }
}

/** Runs one command line; throws what it is refused with. */
export async function runLine(typed: readonly string[], line: CliLine): Promise<number> {
  const { specs, terminal, administration } = line;
  const given = withSiteWord(typed, specs);
  const [word, ...rest] = given;
  if (word === COMPLETE) {
    terminal.out(completeLine(rest, specs));
    return EXIT.ok;
  }
  const asked = wordsOfHelp(given, specs);
  if (asked !== null) return writeHelp(asked, asked.length > 0, line);
  const { runProgramLine } = await import('./command-line.ts');
  const args = word === '--version' || word === '-V' ? ['version', ...rest] : given;
  return runProgramLine(args, specs, async (spec, told) => {
    const own = toTerminalOf(spec, told, terminal);
    if (spec.operation !== null) return runOperation(spec, told, { ...line, terminal: own });
    const [name = ''] = spec.words;
    const administer = BUILT_IN.get(name)?.({ ...line, terminal: own }) ?? (await administration[name]?.());
    if (administer === undefined) throw new InvariantError(`no code runs ${name}`);
    return administer(told, own, spec.words);
  });
}

/** Writes the help of a command, of a group or of all, which is short unless `isWhole`; throws if there is none of these words. */
async function writeHelp(
  words: readonly string[],
  isWhole: boolean,
  { specs, terminal }: Pick<CliLine, 'specs' | 'terminal'>,
): Promise<number> {
  const { display } = terminal;
  const bold = (text: string): string =>
    display?.hasColors === true ? styleText('bold', text, { validateStream: false }) : text;
  const found = findHelped(specs, words);
  if (found === null) {
    const { toUnknownCommand } = await import('./command-line.ts');
    const lines = specs.map((one) => one.words.join(' '));
    throw toUnknownCommand(words, lines);
  }
  const columns = Math.min(display?.columns ?? USUAL_COLUMNS, MAX_COLUMNS);
  terminal.out(isWhole ? formatHelp(found, { columns, bold }) : formatOverview(specs, { columns, bold }));
  return EXIT.ok;
}

async function runOperation(spec: CommandSpec, asked: Given, line: CliLine): Promise<number> {
  const [{ runOperationCommand }, parts] = await Promise.all([import('./operation-command.ts'), line.open()]);
  return runOperationCommand(spec, asked, { ...parts, terminal: line.terminal });
}

type BuiltInParts = Pick<CliLine, 'specs' | 'version' | 'terminal'>;

/** The commands about the command line itself. */
const BUILT_IN: ReadonlyMap<string, (parts: BuiltInParts) => Administer> = new Map([
  ['help', help],
  ['version', sayVersion],
  ['completion', () => printScript],
]);

function sayVersion({ version }: BuiltInParts): Administer {
  return async (given, { out }) => {
    out(isGiven(given, 'json') ? `${JSON.stringify({ version })}\n` : `${version}\n`);
    return EXIT.ok;
  };
}

async function printScript(given: Given, { out }: Terminal): Promise<number> {
  const shell = demandValue(given, 0, 'SHELL');
  const script = scriptOf(shell);
  if (script === null) throw new ServiceError('invalid_request', 'SHELL: must be bash, zsh or fish');
  out(isGiven(given, 'json') ? `${JSON.stringify({ shell, script })}\n` : script);
  return EXIT.ok;
}

/** `quern help` with options; as JSON it is the list of all commands that the words begin. */
function help(parts: BuiltInParts): Administer {
  return async (given, { out }) => {
    const { values } = given;
    if (!isGiven(given, 'json')) return writeHelp(values, values.length > 0 || isGiven(given, 'all'), parts);
    const shown = parts.specs.filter(({ words }) => values.every((word, at) => words[at] === word));
    out(`${JSON.stringify(shown, null, 2)}\n`);
    return EXIT.ok;
  };
}

/**
 * The terminal of one command, by `--out` and `--quiet`. A command with a flag of that name handles it itself, but for
 * `--json --quiet`, which means the same everywhere.
 */
function toTerminalOf(spec: CommandSpec, given: Given, terminal: Terminal): Terminal {
  const file = hasOwn(spec, 'out') ? undefined : flagText(given, 'out');
  const isQuiet = isGiven(given, 'quiet') && (!hasOwn(spec, 'quiet') || isGiven(given, 'json'));
  const quiet: Terminal = isQuiet ? { ...terminal, note: ignore, live: ignore } : terminal;
  return file === undefined || file === '-' ? quiet : { ...quiet, ...openFile(file) };
}

function hasOwn({ options }: CommandSpec, name: string): boolean {
  return GENERAL_OPTIONS.some(({ flag }) => flag === name) && options.some(({ flag }) => flag === name);
}

/** Writes to a file from the first byte on, so that a command that fails before leaves an earlier file as it was. */
function openFile(file: string): Pick<Terminal, 'out' | 'isRead' | 'display'> {
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

function ignore(): void {}
