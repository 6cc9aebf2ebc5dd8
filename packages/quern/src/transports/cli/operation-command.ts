import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { CommandView, StepsView, TrialView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { JobRecord } from '#engine/jobs/job-record.ts';
import { InvariantError } from '#extract/invariant-error.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import { ownFlagsOf, type Parsed, readCommand, toCommand, toFlag } from './command.ts';
import { downloadList } from './download/download.ts';
import { follow } from './download/follow.ts';
import { openOutput } from './download/sinks.ts';
import { EXIT, Interrupted } from './exit.ts';
import { followJob, isQueued, noteUnserved, queueJob, runAsJob } from './job.ts';
import type { CliParts, Said } from './parts.ts';
import { type CommandSpec, type Given, isGiven, listOf } from './spec.ts';
import { printTable } from './table.ts';

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

/**
 * Prints an answer for people: a table, its one text, the meaning of an empty body, or the whole JSON. A list without a view of
 * its own is a table on a screen only, so that programs read what they always read.
 */
function printAnswer(operation: Operation, body: JsonObject, { terminal, now }: CliParts): void {
  const { toText, table } = operation.view ?? {};
  if (table !== undefined) return printList(table, body, { terminal, now });
  const text = toText?.(body) ?? null;
  const rows = text === null && terminal.display !== null ? rowsOf(body) : null;
  if (rows !== null) return printList({ noun: 'entries', toRows: () => rows }, body, { terminal, now });
  if (Object.keys(body).length === 0) terminal.note(`quern: ${meaningOfNone(operation)}`);
  else terminal.out(text === null ? `${JSON.stringify(body, null, 2)}\n` : endLine(text));
}

/** Prints a page of a list, and how to get the next one. */
function printList(
  { noun, toRows }: NonNullable<CommandView['table']>,
  body: JsonObject,
  { terminal, now }: Pick<CliParts, 'terminal' | 'now'>,
): void {
  const rows = toRows(body, now());
  if (rows.length === 0) terminal.note(`quern: no ${noun}`);
  else printTable(rows, { terminal, json: false });
  const { next_cursor: cursor } = body;
  if (typeof cursor === 'string') terminal.note(`quern: there are more: --cursor ${cursor}`);
}

/** The rows of a list that has no view of its own, by the members that fit a cell; null for what is no list. */
function rowsOf({ data }: JsonObject): readonly JsonObject[] | null {
  if (!Array.isArray(data)) return null;
  const rows = data.filter(isJsonObject);
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) =>
    rows.every((row) => isShort(row[name])),
  );
  if (rows.length < data.length || (names.length === 0 && rows.length > 0)) return null;
  return rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])));
}

function isShort(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function meaningOfNone(operation: Operation): string {
  const none = operation.kind === 'control' ? operation.successes.find(({ type }) => type === null) : undefined;
  return none?.meaning ?? 'done';
}

function endLine(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

const MAX_FILE_BYTES = 10 * 1024 * 1024;

const Elements = z.array(z.unknown());

/** `--actions FILE.json` as one option for each element of the file; JSON that is written out stays. */
function withListFile({ values, flags }: Given, { fileMember }: StepsView): Given {
  const flag = toFlag(fileMember);
  const elements = listOf(flags, flag).flatMap((text) =>
    text.startsWith('{') ? [text] : readElements(text, fileMember, `--${flag}`),
  );
  return elements.length === 0 ? { values, flags } : { values, flags: { ...flags, [flag]: elements } };
}

function readElements(path: string, member: string, flag: string): readonly string[] {
  try {
    const bytes = readFileSync(path);
    if (bytes.byteLength > MAX_FILE_BYTES) throw new Error('is larger than 10 MiB');
    return Elements.parse(JSON.parse(bytes.toString('utf8'))).map((one) => JSON.stringify(one));
  } catch (error) {
    const why =
      error instanceof z.ZodError ? `holds no list of ${member}` : error instanceof Error ? error.message : '';
    throw new ServiceError('invalid_request', `${flag}: ${path} ${why}`, { cause: error });
  }
}

/** Runs work as a job, prints each step when it ends, then the answer without the steps. */
async function runSteps(
  operation: Operation,
  { list, toLine, isUndone }: StepsView,
  { raw, parts }: { readonly raw: unknown; readonly parts: CliParts },
): Promise<number> {
  const { terminal, interrupted } = parts;
  const { id } = JobRecord.parse(await queueJob(operation, raw, parts));
  await parts.work();
  const form = { element: (step: unknown) => `quern: ${toLine(step)}\n`, end: () => '' };
  const sink = openOutput((lines) => terminal.note(lines.trimEnd()), form);
  try {
    const { record, body } = await follow(id, { sink, list, grows: true, show: showNothing }, parts);
    if (record.status !== 'completed') throw toFailure(record);
    const answer = Object.entries(body).filter(([name]) => name !== list && name !== 'next_cursor');
    terminal.out(`${JSON.stringify(Object.fromEntries(answer), null, 2)}\n`);
    if (record.usage !== null) terminal.note(`quern: ${record.usage.credits} credits (${record.usage.tier})`);
    return isUndone(body) ? EXIT.failure : EXIT.ok;
  } catch (error) {
    if (interrupted().aborted) throw new Interrupted(`${id} is not repeated: quern jobs show ${id}`, { cause: error });
    throw error;
  }
}

/** The steps themselves are the progress. */
function showNothing(): void {}

function toFailure({ id, status, error }: JobRecord): ServiceError {
  if (error === null) return new ServiceError('job_cancelled', `${id} is ${status}`);
  return new ServiceError(isErrorCode(error.code) ? error.code : 'internal_error', error.message);
}
