import { isStream } from '#engine/call/operation.ts';
import type { CommandFlags } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { StoreUnavailable } from '#store/db.ts';
import { isJsonObject } from '#kernel/json.ts';
import { describeOptions, parseCommand, toCommand } from './command.ts';
import type { CliCommand } from './command.ts';
import { EXIT, exitCodeOf, Interrupted } from './exit.ts';
import { noteFailure } from './failure.ts';
import { followJob, isQueued, noteUnserved, runAsJob } from './job.ts';
import type { CliParts, Said } from './parts.ts';
import { printAnswer } from './print.ts';
import { runSteps, withListFile } from './steps.ts';
import { runTrial } from './trial.ts';
import { downloadList, downloadFlags } from '#transports/cli/download/download.ts';

/** Runs one command line and answers its exit code. */
export async function runCli(given: readonly string[], parts: CliParts): Promise<number> {
  const { operations, administration, terminal, version } = parts;
  const args = withoutAlias(given, operations);
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
  const { trial, download, steps, refusal } = operation.view ?? {};
  const parsed = parseCommand(command, steps === undefined ? args : withListFile(args, steps), flagsOf(operation));
  const { raw, wholeAnswer, asJob, own } = parsed;
  if (trial !== undefined && own[trial.flag] === true) return runTrial(trial, raw, parts);
  if (download !== undefined) {
    const [flag] = Object.keys(own);
    if (!wholeAnswer) return downloadList({ operation, view: download }, parsed, parts);
    if (flag !== undefined) {
      throw new ServiceError('invalid_request', `--${flag}: --json is the whole answer at its end, on standard output`);
    }
  }
  if (steps !== undefined && !wholeAnswer) return runSteps(operation, steps, { raw, parts });
  const said = asJob ? { body: await runAsJob(operation, raw, parts), stream: null } : await parts.ask(operation, raw);
  if (said.stream !== null) return printAll(said.stream, parts);
  const body = isQueued(operation, said.body) ? await followJob(said.body, parts) : said.body;
  for (const warning of warningsOf(body)) terminal.note(`quern: warning: ${warning}`);
  const isRefused = refusal !== undefined && own[refusal.flag] === true && refusal.refuses(body);
  if (wholeAnswer && !isRefused) terminal.out(`${JSON.stringify(body, null, 2)}\n`);
  else if (!isRefused) printAnswer(operation, body, parts);
  await noteUnserved(operation, body, parts);
  if (isJsonObject(body['usage'])) {
    terminal.note(`quern: ${String(body['usage']['credits'])} credits (${String(body['usage']['tier'])})`);
  }
  return isRefused ? EXIT.errorPage : EXIT.ok;
}

/** The options of one command. */
function describe(command: CliCommand, { terminal }: CliParts): number {
  const { operation } = command;
  const options = describeOptions(command, flagsOf(operation)).join('\n');
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

/** The flags of a command in addition to the members of its input. */
function flagsOf({ id, view = {} }: Operation): CommandFlags {
  const { refusal, trial, download } = view;
  return {
    ...(refusal === undefined ? {} : { [refusal.flag]: { hint: null, about: refusal.about } }),
    ...(trial === undefined ? {} : { [trial.flag]: { hint: null, about: trial.about } }),
    ...(download === undefined ? {} : downloadFlags(id, download)),
  };
}

/** Rewrites `quern monitors pause` as `quern monitors update --no-active`. */
function withoutAlias(args: readonly string[], operations: readonly Operation[]): readonly string[] {
  for (const operation of operations) {
    const alias = operation.view?.aliases?.find(({ words }) => words.every((word, at) => args[at] === word));
    if (alias !== undefined) return [...toCommand(operation).words, ...args.slice(alias.words.length), ...alias.adds];
  }
  return args;
}

async function printAll(stream: NonNullable<Said['stream']>, { terminal, interrupted }: CliParts): Promise<number> {
  for await (const piece of stream) {
    interrupted().throwIfAborted();
    if (!terminal.isRead()) break;
    terminal.out(piece);
  }
  return EXIT.ok;
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
