import { z } from 'zod';
import type { CommandView, StepsView, TrialView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import { listOwnFlags, type ParsedCommand, readCommand, buildOperationCommand } from './command.ts';
import { downloadList } from './download/download.ts';
import { followJobList } from './download/follow.ts';
import { createStreamSink } from './download/sinks.ts';
import { EXIT, InterruptedError } from './exit.ts';
import { readListFile } from './list-file.ts';
import { followJob, isQueuedJob, warnIfUnserved, queueJob, runAsJob } from './job.ts';
import type { CommandContext, OperationAnswer } from './context.ts';
import { type CommandSpec, type CommandArguments, hasFlag } from './spec.ts';
import { printTable } from './table.ts';

/** Calls the operation of a command, prints its answer and returns the exit code. */
export async function runOperationCommand(
  spec: CommandSpec,
  args: CommandArguments,
  opened: CommandContext,
): Promise<number> {
  const operation = opened.operations.find(({ id }) => id === spec.operation);
  if (operation === undefined) throw new InvariantError(`no operation ${String(spec.operation)}`);
  const parts = hasFlag(args, 'verbose') ? withVerboseOutput(opened) : opened;
  const { terminal } = parts;
  const { trial, download, steps, refusal } = operation.view ?? {};
  const command = buildOperationCommand(operation);
  const parsed = readCommand(command, addAliasFlags(readListFile(args, command), spec), listOwnFlags(operation));
  const { raw, wholeAnswer, asJob, ownFlags: own } = parsed;
  if (trial !== undefined && own[trial.flag] === true) return runPreview(trial, raw, parts);
  if (download !== undefined) {
    if (!wholeAnswer) return downloadList({ operation, view: download }, parsed, parts);
    assertNoDownloadFlags(own);
  }
  if (steps !== undefined && !wholeAnswer) return runSteps(operation, steps, { raw, parts });
  const reply = asJob ? { body: await runAsJob(operation, raw, parts), stream: null } : await parts.ask(operation, raw);
  if (reply.stream !== null) return printStream(reply.stream, parts);
  const body = isQueuedJob(operation, reply.body) ? await followJob(reply.body, parts) : reply.body;
  for (const warning of listWarnings(body)) terminal.note(`quern: warning: ${warning}`);
  const isRefused = refusal !== undefined && own[refusal.flag] === true && refusal.refuses(body);
  if (wholeAnswer && !isRefused) terminal.out(`${JSON.stringify(body, null, 2)}\n`);
  else if (!isRefused) printAnswer(operation, body, parts);
  await printNotices(operation, body, parts);
  return isRefused ? EXIT.errorPage : chooseExitCode(steps, body);
}

/** Work that stopped early is a failure. */
function chooseExitCode(steps: StepsView | undefined, body: JsonObject): number {
  return steps?.isUndone(body) === true ? EXIT.failure : EXIT.ok;
}

/** Throws if a download flag other than `--quiet` is combined with `--json`, which prints the whole answer instead. */
function assertNoDownloadFlags(own: ParsedCommand['ownFlags']): void {
  const flag = Object.keys(own).find((name) => name !== 'quiet');
  if (flag === undefined) return;
  const why = '--json prints the whole answer to standard output at the end';
  throw new ServiceError('invalid_request', `--${flag}: cannot be combined with --json: ${why}`);
}

/** Prints notices about an answer, and what it cost. */
async function printNotices(operation: Operation, body: OperationAnswer['body'], parts: CommandContext): Promise<void> {
  const { terminal } = parts;
  const notice = operation.view?.toNotice?.(body) ?? null;
  if (notice !== null) terminal.note(`quern: ${notice}`);
  await warnIfUnserved(operation, body, parts);
  if (isJsonObject(body['usage'])) {
    terminal.note(`quern: ${String(body['usage']['credits'])} credits (${String(body['usage']['tier'])})`);
  }
}

/** Adds the flags of an alias: `monitors pause` is `monitors update --no-active`. */
function addAliasFlags({ values, flags }: CommandArguments, { adds }: CommandSpec): CommandArguments {
  const added = adds.map((word): [string, boolean] => [word.replace(/^--(?:no-)?/, ''), !word.startsWith('--no-')]);
  return { values, flags: { ...flags, ...Object.fromEntries(added) } };
}

/** Prints each call and its duration, for `--verbose`. */
function withVerboseOutput(parts: CommandContext): CommandContext {
  const { clock, place, terminal } = parts;
  terminal.note(`quern: ${parts.version}, Node ${process.versions.node}; sends requests to ${place}`);
  return {
    ...parts,
    async ask(operation: Operation, raw: unknown) {
      const startedAt = clock.monotonic();
      try {
        return await parts.ask(operation, raw);
      } finally {
        const durationMs = Math.round(clock.monotonic() - startedAt);
        terminal.note(`quern: ${operation.route ?? operation.id} answered after ${durationMs} ms`);
      }
    },
  };
}

/** Prints a stream as it arrives. Binary data is written to files and pipes only. */
async function printStream(
  stream: NonNullable<OperationAnswer['stream']>,
  { terminal, interrupted }: CommandContext,
): Promise<number> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const piece of stream) {
    interrupted().throwIfAborted();
    if (!terminal.isRead()) break;
    terminal.out(terminal.display === null || typeof piece === 'string' ? piece : decodeText(piece, decoder));
  }
  return EXIT.ok;
}

/** Decodes bytes for a terminal; throws `invalid_request` for binary data. */
function decodeText(piece: Uint8Array, decoder: TextDecoder): string {
  try {
    if (!piece.includes(0)) return decoder.decode(piece, { stream: true });
  } catch {
    // Falls through to the same refusal.
  }
  throw new ServiceError('invalid_request', 'the answer is binary: write it to a file with -o FILE, or to a pipe');
}

function listWarnings(body: Readonly<Record<string, unknown>>): readonly string[] {
  const { warnings } = body;
  if (!Array.isArray(warnings)) return [];
  return warnings.filter(isJsonObject).map((warning) => `${String(warning['code'])}: ${String(warning['message'])}`);
}

const Usage = z.object({ credits: z.number() });

/** Runs the call that an input describes once, as a preview, and prints its result. */
async function runPreview(
  { prepare, note }: TrialView,
  raw: unknown,
  { operations, ask, terminal }: CommandContext,
): Promise<number> {
  const { operation: id, input, toText } = prepare(raw);
  const operation = operations.find((one) => one.id === id);
  if (operation === undefined) throw new InvariantError(`no operation ${id}`);
  const { body } = await ask(operation, input);
  terminal.out(`${toText({ operation, body })}\n`);
  const usage = Usage.safeParse(body['usage']).data;
  terminal.note(`quern: ${note}${usage === undefined ? '' : `; ${usage.credits} credits`}`);
  return EXIT.ok;
}

/**
 * Prints an answer: as a table, as text, or as JSON. A list without a view of its own is a table on a terminal only;
 * programs get JSON.
 */
function printAnswer(operation: Operation, body: JsonObject, { terminal, now }: CommandContext): void {
  const { toText, table } = operation.view ?? {};
  if (table !== undefined) return printList(table, body, { terminal, now });
  const text = toText?.(body) ?? null;
  const rows = text === null && terminal.display !== null ? findRows(body) : null;
  if (rows !== null) return printList({ noun: 'entries', toRows: () => rows }, body, { terminal, now });
  if (Object.keys(body).length === 0) terminal.note(`quern: ${describeEmptyBody(operation)}`);
  else terminal.out(text === null ? `${JSON.stringify(body, null, 2)}\n` : withLineEnd(text));
}

/** Prints one page of a list, and how to get the next one. */
function printList(
  { noun, toRows }: NonNullable<CommandView['table']>,
  body: JsonObject,
  { terminal, now }: Pick<CommandContext, 'terminal' | 'now'>,
): void {
  const rows = toRows(body, now());
  if (rows.length === 0) terminal.note(`quern: no ${noun}`);
  else printTable(rows, { terminal, json: false });
  const { next_cursor: cursor } = body;
  if (typeof cursor === 'string') terminal.note(`quern: more entries: --cursor ${cursor}`);
}

/** Returns the rows of a list without a view of its own, with the members that are scalars; null if the body is not a list. */
function findRows({ data }: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(data)) return null;
  const rows = data.filter(isJsonObject);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.every((row) => isScalar(row[name])),
  );
  if (rows.length < data.length || (names.length === 0 && rows.length > 0)) return null;
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function describeEmptyBody(operation: Operation): string {
  const none = operation.kind === 'control' ? operation.successes?.find(({ type }) => type === null) : undefined;
  return none?.meaning ?? 'done';
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Runs work as a job, and prints each step when it ends, then the answer without the steps. */
async function runSteps(
  operation: Operation,
  { list, toLine, isUndone }: StepsView,
  { raw, parts }: { readonly raw: unknown; readonly parts: CommandContext },
): Promise<number> {
  const { terminal, interrupted } = parts;
  const { id } = JobRecord.parse(await queueJob(operation, raw, parts));
  await parts.work();
  const form = { element: (step: unknown) => `quern: ${toLine(step)}\n`, end: () => '' };
  const sink = createStreamSink((lines) => terminal.note(lines.trimEnd()), form);
  try {
    const { record, body } = await followJobList(id, { sink, list, grows: true, show: doNothing }, parts);
    if (record.status !== 'completed') throw toJobError(record);
    const answer = Object.entries(body).filter(([name]) => name !== list && name !== 'next_cursor');
    terminal.out(`${JSON.stringify(Object.fromEntries(answer), null, 2)}\n`);
    if (record.usage !== null) terminal.note(`quern: ${record.usage.credits} credits (${record.usage.tier})`);
    return isUndone(body) ? EXIT.failure : EXIT.ok;
  } catch (error) {
    if (interrupted().aborted)
      throw new InterruptedError(`${id} is not run again: quern jobs show ${id}`, { cause: error });
    throw error;
  }
}

/** Shows no progress line, since the steps are the progress. */
function doNothing(): void {}

function toJobError({ id, status, error }: JobRecord): ServiceError {
  if (error === null) return new ServiceError('job_cancelled', `${id} is ${status}`);
  return new ServiceError(isErrorCode(error.code) ? error.code : 'internal_error', error.message);
}
