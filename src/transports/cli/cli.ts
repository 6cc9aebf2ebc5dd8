import { isStream } from '#engine/call/operation.ts';
import type { Operation } from '#engine/call/operation.ts';
import type { Clock } from '#kernel/clock.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { isJsonObject } from '#kernel/json.ts';
import { describeOptions, parseCommand, toCommand } from './command.ts';
import type { CliCommand, OwnFlags } from './command.ts';
import { EXIT, exitCodeOf, Interrupted } from './exit.ts';
import { FETCH_FLAGS, isErrorAnswer } from './fetch.ts';
import { runInteract, withActionsFile } from './interact.ts';
import { followJob, isQueued, noteUnserved, runAsJob } from './job.ts';
import { printJobs } from './jobs-table.ts';
import { monitorFlags, printMonitors, toSpoken, tryMonitor } from './monitors.ts';
import { isDownloaded } from '#transports/cli/download/target.ts';
import { downloadList, downloadFlags } from '#transports/cli/download/download.ts';
import { noteFailure } from './failure.ts';

/** Writes one line or text; `out` holds only results, `note` everything else, `live` what the next line replaces. */
export type Terminal = {
  readonly out: (text: string | Uint8Array) => void;
  readonly note: (line: string) => void;
  readonly live: (line: string) => void;
  /** Whether `live` redraws one line in place; otherwise it appends lines. */
  readonly isScreen: boolean;
  /** False once the reader of standard output is gone. */
  readonly isRead: () => boolean;
};

/** A command of the operator: it prints its result and answers an exit code. */
export type Administration = {
  readonly summary: string;
  readonly run: (args: readonly string[], terminal: Terminal) => Promise<number>;
};

/** The answer of an operation: a body, or a stream instead of one. */
export type Said = {
  readonly body: Readonly<Record<string, unknown>>;
  readonly stream: AsyncIterable<string | Uint8Array> | null;
};

/** The way to the service: the embedded store or a server. */
type Asking = {
  readonly ask: (operation: Operation, raw: unknown) => Promise<Said>;
  /** Makes sure that queued jobs are run, here or by the server. */
  readonly work: () => Promise<void>;
  /** Whether a service, of this process or another, runs what is queued. */
  readonly isServed: () => Promise<boolean>;
  /** A signal that fires when the user interrupts. */
  readonly interrupted: () => AbortSignal;
};

export type CliParts = Asking & {
  readonly operations: readonly Operation[];
  /** Commands that are not operations, by their first word. */
  readonly administration: Readonly<Record<string, Administration>>;
  readonly version: string;
  readonly terminal: Terminal;
  /** The time of the service, ms, which a rehearsal may set. */
  readonly now: () => number;
  /** Measures and waits for the command itself. */
  readonly clock: Clock;
};

/** Runs one command line and answers its exit code. */
export async function runCli(said: readonly string[], parts: CliParts): Promise<number> {
  const args = toSpoken(said);
  const { operations, administration, terminal, version } = parts;
  const [word = 'help', ...rest] = args;
  try {
    if (word === '--version' || word === 'version') {
      terminal.out(`${version}\n`);
      return EXIT.ok;
    }
    if (word === '--help' || word === '-h' || (word === 'help' && rest.length === 0)) {
      terminal.out(overview(toCommands(operations), administration));
      return EXIT.ok;
    }
    if (word === 'help') return help(rest, parts);
    const admin = Object.hasOwn(administration, word) ? administration[word] : undefined;
    if (admin !== undefined) return await admin.run(rest, terminal);
    const command = findCommand(toCommands(operations), args);
    if (command === null) {
      terminal.note(`quern: ${word} is not a command; quern help lists them`);
      return EXIT.usage;
    }
    return await runCommand(command, args.slice(command.words.length), parts);
  } catch (error) {
    if (parts.interrupted().aborted) {
      terminal.note(`quern: ${error instanceof Interrupted ? error.message : 'interrupted; nothing is charged'}`);
      return EXIT.interrupted;
    }
    if (error instanceof StoreUnavailable) {
      terminal.note(`quern: backend_unavailable: the store cannot be read or written (${error.message})`);
      return EXIT.backend;
    }
    if (!(error instanceof ServiceError)) throw error;
    terminal.note(`quern: ${error.code}: ${error.message}`);
    // A command has no log; its user is the operator.
    const isFailureOfOurs = error.code === 'internal_error' && error.cause !== undefined;
    return isFailureOfOurs ? noteFailure(error.cause, terminal, version) : exitCodeOf(error);
  }
}

async function runCommand(command: CliCommand, args: readonly string[], parts: CliParts): Promise<number> {
  const { terminal } = parts;
  const { operation } = command;
  if (args.includes('--help') || args.includes('-h')) return describe(command, parts);
  const isSession = operation.id === 'interact';
  const parsed = parseCommand(command, isSession ? withActionsFile(args) : args, ownFlags(operation));
  const { raw, wholeAnswer, asJob, own } = parsed;
  if (own['try'] === true) return tryMonitor(raw, parts);
  const [flag] = Object.keys(own).filter((name) => !Object.hasOwn(FETCH_FLAGS, name));
  if (wholeAnswer && flag !== undefined) {
    throw new ServiceError('invalid_request', `--${flag}: --json is the whole answer at its end, on standard output`);
  }
  if (isDownloaded(operation.id) && !wholeAnswer) return downloadList(command, parsed, parts);
  if (isSession && !wholeAnswer) return runInteract(command, parsed, parts);
  const said = asJob ? { body: await runAsJob(operation, raw, parts), stream: null } : await parts.ask(operation, raw);
  if (said.stream !== null) return printAll(said.stream, parts);
  const body = isQueued(operation, said.body) ? await followJob(said.body, parts) : said.body;
  for (const warning of warningsOf(body)) terminal.note(`quern: warning: ${warning}`);
  const isRefused = own['fail'] === true && isErrorAnswer(body);
  if (wholeAnswer && !isRefused) terminal.out(`${JSON.stringify(body, null, 2)}\n`);
  else if (!isRefused) print(operation, body, parts);
  await noteUnserved(operation, body, parts);
  if (isJsonObject(body['usage'])) {
    terminal.note(`quern: ${String(body['usage']['credits'])} credits (${String(body['usage']['tier'])})`);
  }
  return isRefused ? EXIT.errorPage : EXIT.ok;
}

/** The options of one command. */
function describe(command: CliCommand, { terminal }: CliParts): number {
  const { operation } = command;
  const options = describeOptions(command, ownFlags(operation)).join('\n');
  terminal.out(`${usageLine(command)}\n${operation.summary}\n\n${options}\n`);
  return EXIT.ok;
}

/** `quern help crawl`. */
function help(words: readonly string[], parts: CliParts): number {
  const { operations, administration, terminal } = parts;
  const [word = ''] = words;
  const command = findCommand(toCommands(operations), words);
  if (command !== null) return describe(command, parts);
  const admin = Object.hasOwn(administration, word) ? administration[word] : undefined;
  if (admin === undefined) terminal.note(`quern: ${word} is not a command; quern help lists them`);
  else terminal.out(`quern ${word}\n${admin.summary}\n`);
  return admin === undefined ? EXIT.usage : EXIT.ok;
}

function ownFlags(operation: Operation): OwnFlags {
  if (operation.id === 'fetch') return FETCH_FLAGS;
  return isDownloaded(operation.id) ? downloadFlags(operation.id) : monitorFlags(operation.id);
}

async function printAll(stream: NonNullable<Said['stream']>, { terminal, interrupted }: CliParts): Promise<number> {
  for await (const piece of stream) {
    interrupted().throwIfAborted();
    if (!terminal.isRead()) break;
    terminal.out(piece);
  }
  return EXIT.ok;
}

/** Prints an answer for people: a table, its one text, the meaning of an empty body, or the whole JSON. */
function print(operation: Operation, body: Readonly<Record<string, unknown>>, { terminal, now }: CliParts): void {
  const text = operation.toText?.(body) ?? null;
  if (operation.id === 'jobs.list') printJobs(body, { terminal, now: now() });
  else if (operation.id === 'monitors.list') printMonitors(body, terminal);
  else if (Object.keys(body).length === 0) terminal.note(`quern: ${meaningOfNone(operation)}`);
  else terminal.out(text === null ? `${JSON.stringify(body, null, 2)}\n` : endLine(text));
}

function meaningOfNone(operation: Operation): string {
  const none = operation.kind === 'control' ? operation.successes.find(({ type }) => type === null) : undefined;
  return none?.meaning ?? 'done';
}

/** Event streams are for programs; `--job` shows the same to people. */
function toCommands(operations: readonly Operation[]): readonly CliCommand[] {
  return operations.filter((operation) => !isStream(operation)).map(toCommand);
}

/** The command whose words the line begins with; of several the longest. */
function findCommand(commands: readonly CliCommand[], args: readonly string[]): CliCommand | null {
  const fitting = commands.filter(({ words }) => words.every((word, at) => args[at] === word));
  return fitting.toSorted((a, b) => b.words.length - a.words.length)[0] ?? null;
}

function usageLine({ operation, words, positional, parameters }: CliCommand): string {
  const options = parameters.members.size > (positional === null ? 0 : 1) ? ' [options]' : '';
  return `quern ${words.join(' ')}${positional === null ? '' : ` ${positional.toUpperCase()}`}${options}${operation.kind === 'work' ? ' [--job]' : ''} [--json]`;
}

function overview(commands: readonly CliCommand[], administration: CliParts['administration']): string {
  const lines = [
    ...commands.map((command) => [usageLine(command), command.operation.summary] as const),
    ...Object.entries(administration).map(([word, { summary }]) => [`quern ${word}`, summary] as const),
  ];
  const rows = lines.map(([usage, summary]) => `  ${usage.padEnd(46)} ${summary}`);
  return `${rows.join('\n')}\n\nquern COMMAND --help lists the options of a command.\n`;
}

function warningsOf(body: Readonly<Record<string, unknown>>): readonly string[] {
  const { warnings } = body;
  if (!Array.isArray(warnings)) return [];
  return warnings.filter(isJsonObject).map((warning) => `${String(warning['code'])}: ${String(warning['message'])}`);
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
