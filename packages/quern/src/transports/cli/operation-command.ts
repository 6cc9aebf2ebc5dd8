import { InvariantError } from '#extract/invariant-error.ts';
import { z } from 'zod';
import type { StepsView, TrialView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { ServiceError } from '#kernel/errors.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { downloadList } from '#transports/cli/download/download.ts';
import { ownFlagsOf, type Parsed, readCommand, toCommand } from './command.ts';
import { EXIT } from './exit.ts';
import { followJob, isQueued, noteUnserved, runAsJob } from './job.ts';
import type { CliParts, Said } from './parts.ts';
import { printAnswer } from './print.ts';
import { type CommandSpec, type Given, isGiven } from './spec.ts';
import { runSteps, withListFile } from './steps.ts';

/** Asks the operation of a command and prints its answer. */
export async function runOperationCommand(spec: CommandSpec, given: Given, opened: CliParts): Promise<number> {
  const operation = opened.operations.find(({ id }) => id === spec.operation);
  if (operation === undefined) throw new InvariantError(`no operation ${String(spec.operation)}`);
  const parts = isGiven(given, 'verbose') ? sayingMore(opened) : opened;
  const { terminal } = parts;
  const { trial, download, steps, refusal } = operation.view ?? {};
  const asked = withAdded(steps === undefined ? given : withListFile(given, steps), spec);
  const parsed = readCommand(toCommand(operation), asked, ownFlagsOf(operation));
  const { raw, wholeAnswer, asJob, own } = parsed;
  if (trial !== undefined && own[trial.flag] === true) return runTrial(trial, raw, parts);
  if (download !== undefined) {
    if (!wholeAnswer) return downloadList({ operation, view: download }, parsed, parts);
    refuseDownloadFlags(own);
  }
  if (steps !== undefined && !wholeAnswer) return runSteps(operation, steps, { raw, parts });
  const said = asJob ? { body: await runAsJob(operation, raw, parts), stream: null } : await parts.ask(operation, raw);
  if (said.stream !== null) return printAll(said.stream, parts);
  const body = isQueued(operation, said.body) ? await followJob(said.body, parts) : said.body;
  for (const warning of warningsOf(body)) terminal.note(`quern: warning: ${warning}`);
  const isRefused = refusal !== undefined && own[refusal.flag] === true && refusal.refuses(body);
  if (wholeAnswer && !isRefused) terminal.out(`${JSON.stringify(body, null, 2)}\n`);
  else if (!isRefused) printAnswer(operation, body, parts);
  await noteFacts(operation, body, parts);
  return isRefused ? EXIT.errorPage : exitOf(steps, body);
}

/** Work that ended before it was done is a failure. */
function exitOf(steps: StepsView | undefined, body: JsonObject): number {
  return steps?.isUndone(body) === true ? EXIT.failure : EXIT.ok;
}

/** Refuses the flags of a download, but for `--quiet`, where the whole answer is printed instead. */
function refuseDownloadFlags(own: Parsed['own']): void {
  const flag = Object.keys(own).find((name) => name !== 'quiet');
  if (flag === undefined) return;
  const why = '--json prints the whole answer to standard output at the end';
  throw new ServiceError('invalid_request', `--${flag}: cannot be combined with --json: ${why}`);
}

/** Notes what a person should know about an answer, and what it cost. */
async function noteFacts(operation: Operation, body: Said['body'], parts: CliParts): Promise<void> {
  const { terminal } = parts;
  const notice = operation.view?.toNotice?.(body) ?? null;
  if (notice !== null) terminal.note(`quern: ${notice}`);
  await noteUnserved(operation, body, parts);
  if (isJsonObject(body['usage'])) {
    terminal.note(`quern: ${String(body['usage']['credits'])} credits (${String(body['usage']['tier'])})`);
  }
}

/** The flags that an alias stands for: `monitors pause` for `monitors update --no-active`. */
function withAdded({ values, flags }: Given, { adds }: CommandSpec): Given {
  const added = adds.map((word): [string, boolean] => [word.replace(/^--(?:no-)?/, ''), !word.startsWith('--no-')]);
  return { values, flags: { ...flags, ...Object.fromEntries(added) } };
}

/** Says what is asked of whom, and how long the answer took. */
function sayingMore(parts: CliParts): CliParts {
  const { clock, place, terminal } = parts;
  terminal.note(`quern: ${parts.version}, Node ${process.versions.node}; asks ${place}`);
  return {
    ...parts,
    async ask(operation: Operation, raw: unknown) {
      const began = clock.monotonic();
      try {
        return await parts.ask(operation, raw);
      } finally {
        const took = Math.round(clock.monotonic() - began);
        terminal.note(`quern: ${operation.route ?? operation.id} answered after ${took} ms`);
      }
    },
  };
}

/** Prints a stream as it comes; what is no text goes to a file or a pipe only. */
async function printAll(stream: NonNullable<Said['stream']>, { terminal, interrupted }: CliParts): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of stream) {
    interrupted().throwIfAborted();
    if (!terminal.isRead()) break;
    terminal.out(terminal.display === null || typeof piece === 'string' ? piece : readText(piece, decoder));
  }
  return EXIT.ok;
}

/** The text of bytes that a screen is to show; throws if they are none. */
function readText(piece: Uint8Array, decoder: TextDecoder): string {
  try {
    if (!piece.includes(0)) return decoder.decode(piece, { stream: true });
  } catch {
    // Falls through to the same refusal.
  }
  throw new ServiceError('invalid_request', 'the answer is no text: write it to a file with -o FILE, or to a pipe');
}

function warningsOf(body: Readonly<Record<string, unknown>>): readonly string[] {
  const { warnings } = body;
  if (!Array.isArray(warnings)) return [];
  return warnings.filter(isJsonObject).map((warning) => `${String(warning['code'])}: ${String(warning['message'])}`);
}

const Usage = z.object({ credits: z.number() });

/** Runs once what an input describes and prints the result, in place of the operation itself. */
async function runTrial(
  { toCall, toText, note }: TrialView,
  raw: unknown,
  { operations, ask, terminal }: CliParts,
): Promise<number> {
  const { operation: id, input } = toCall(raw);
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new InvariantError(`no operation ${id}`);
  const { body } = await ask(operation, input);
  terminal.out(`${toText(raw, { operation, body })}\n`);
  const usage = Usage.safeParse(body['usage']).data;
  terminal.note(`quern: ${note}${usage === undefined ? '' : `; ${usage.credits} credits`}`);
  return EXIT.ok;
}
