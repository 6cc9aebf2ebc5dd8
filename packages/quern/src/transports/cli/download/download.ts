import { createHash } from 'node:crypto';
import type { DownloadView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import type { JobRecord } from '#engine/jobs/job-record.ts';
import type { CommandContext } from '#transports/cli/context.ts';
import { formatWords, type ParsedCommand } from '#transports/cli/command.ts';
import { EXIT, InterruptedError } from '#transports/cli/exit.ts';
import { queueJob } from '#transports/cli/job.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { followJobList, type FinishedJob, ReaderGoneError } from './follow.ts';
import { createMeter, summarizeDownload } from './progress.ts';
import type { Sink } from './sinks.ts';
import { getSystemErrorCode } from './state-file.ts';
import { chooseTarget, demandState, findStateAt, openSink, type OutputTarget } from './target.ts';

/** Interval between progress lines if a line cannot be redrawn in place. */
const PROGRESS_INTERVAL_MS = 10_000;
const JOB_ID = /^job_[0-9a-z]{26}$/;

/** An operation whose result list is downloaded, and its download view. */
export type DownloadOperation = { readonly operation: Operation; readonly view: DownloadView };

/** The job of a download, and the output for its list. */
type StartedDownload = { readonly id: string; readonly sink: Sink; readonly target: OutputTarget };

/** Runs an operation as a job, and writes its list as it grows. Returns the exit code. */
export async function downloadList(
  download: DownloadOperation,
  parsed: ParsedCommand,
  parts: CommandContext,
): Promise<number> {
  const quiet = parsed.ownFlags['quiet'] === true;
  const started = await startDownload(download, parsed, parts).catch(throwDiskError);
  const followed = await followToSink(download, started, { parts, quiet });
  if (followed === null) return EXIT.ok;
  const { sink, target } = started;
  const { record, body } = followed;
  if (record.status !== 'completed') throw await finishFailed(record, sink);
  await sink.finish().catch(throwDiskError);
  if (quiet) return EXIT.ok;
  const summary = summarizeDownload({
    noun: download.view.noun,
    record,
    body,
    written: sink.count(),
    path: target.path,
  });
  for (const line of summary) parts.terminal.note(`quern: ${line}`);
  return EXIT.ok;
}

/** Follows a job to its end; null if standard output was closed. If it stops earlier, it prints how to resume. */
async function followToSink(
  { operation, view }: DownloadOperation,
  started: StartedDownload,
  { parts, quiet }: { readonly parts: CommandContext; readonly quiet: boolean },
): Promise<FinishedJob | null> {
  const { terminal, interrupted } = parts;
  const { id, sink } = started;
  const { list, grows } = view;
  const show = createProgressDisplay(view, { sink, parts, quiet });
  try {
    await parts.work();
    if (!quiet) terminal.note(`quern: following ${id}; Ctrl-C leaves it, --resume continues`);
    return await followJobList(id, { sink, list, grows, show }, parts);
  } catch (error) {
    await sink.close();
    const resumeHint = await describeResume(operation.id, started, parts);
    if (interrupted().aborted) throw new InterruptedError(resumeHint, { cause: error });
    terminal.note(`quern: ${resumeHint}`);
    return error instanceof ReaderGoneError ? null : throwDiskError(error);
  }
}

/** Finishes the output of a failed or cancelled job, and returns its error. */
async function finishFailed({ id, status, error }: JobRecord, sink: Sink): Promise<ServiceError> {
  if (sink.count() === 0) await sink.discard();
  else await sink.finish();
  const code = error === null ? 'job_cancelled' : error.code;
  const written = sink.count() === 0 ? '' : `; elements written so far: ${sink.count()}`;
  const message = error === null ? `${id} is ${status}` : error.message;
  return new ServiceError(isErrorCode(code) ? code : 'internal_error', message + written);
}

/** Starts a new job, or resumes an earlier one with `--resume`. */
async function startDownload(
  download: DownloadOperation,
  parsed: ParsedCommand,
  parts: CommandContext,
): Promise<StartedDownload> {
  const { operation, view } = download;
  const { raw, ownFlags: own } = parsed;
  const [out, format] = [getString(own['out']), getString(own['format'])];
  const hash = isJsonObject(raw) && Object.keys(raw).length > 0 ? hashInput(raw) : null;
  if (own['resume'] === true) return resumeDownload(download, { raw, out, format, hash }, parts);
  const target = chooseTarget(view, out, format);
  assertMarkdownOutput(target, raw);
  if (out !== null && (await findStateAt(out)) !== null) {
    throw new ServiceError(
      'invalid_request',
      `--out: ${out} is unfinished: resume it with --resume, or choose another path`,
    );
  }
  const sink = await openSink(target, { operation: operation.id, state: null, terminal: parts.terminal });
  try {
    const id = getString((await queueJob(operation, raw, parts))['id']) ?? '';
    await sink.saveJob(id, hash);
    return { id, sink, target };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

type ResumeRequest = {
  readonly raw: unknown;
  readonly out: string | null;
  readonly format: string | null;
  /** Hash of the input; null if only a job is given. */
  readonly hash: string | null;
};

async function resumeDownload(
  { operation: { id: operation }, view }: DownloadOperation,
  { raw, out, format, hash }: ResumeRequest,
  parts: CommandContext,
): Promise<StartedDownload> {
  const { terminal } = parts;
  const job = findJobId(raw);
  if (job !== null && isJsonObject(raw) && Object.keys(raw).length > 1) {
    throw new ServiceError(
      'invalid_request',
      `--resume: ${job} is resumed with its original options: omit other options`,
    );
  }
  const earlier =
    out === null || out === '-' ? null : await (job === null ? demandState(operation, out) : findStateAt(out));
  if (earlier === null) {
    if (job === null)
      throw new ServiceError(
        'invalid_request',
        '--resume: needs the --out path of the interrupted command, or its job id',
      );
    const target = chooseTarget(view, out, format);
    await assertJobKind(operation, job, parts);
    const sink = await openSink(target, { operation, state: null, terminal });
    await sink.saveJob(job, null);
    return { id: job, sink, target };
  }
  if (format !== null && format !== earlier.format) {
    throw new ServiceError('invalid_request', `--format: ${out} was started with format ${earlier.format}`);
  }
  if (job === null ? hash !== null && hash !== earlier.order : job !== earlier.job) {
    throw new ServiceError('invalid_request', `--resume: ${out} belongs to ${earlier.job}, which has other options`);
  }
  const target = chooseTarget(view, out, earlier.format);
  await assertJobKind(operation, earlier.job, parts);
  const sink = await openSink(target, { operation, state: earlier, terminal });
  return { id: earlier.job, sink, target };
}

/** Finds the job that is given instead of a URL or of a list of URLs; null if there is none. */
function findJobId(raw: unknown): string | null {
  if (!isJsonObject(raw)) return null;
  const { url, urls } = raw;
  const [given] = Array.isArray(urls) && urls.length === 1 ? urls.map(getString) : [getString(url)];
  return typeof given === 'string' && JOB_ID.test(given) ? given : null;
}

/** Throws `invalid_request` if the job is of another kind, and `not_found` if it does not exist. */
async function assertJobKind(operation: string, id: string, parts: CommandContext): Promise<void> {
  const { kind } = (await parts.ask(parts.jobs.show, { id })).body;
  if (kind !== operation) throw new ServiceError('invalid_request', `--resume: ${id} is a job of ${String(kind)}`);
}

/** Throws if a folder of Markdown files is combined with another output format. */
function assertMarkdownOutput({ format }: OutputTarget, raw: unknown): void {
  const output = isJsonObject(raw) ? raw['output'] : undefined;
  if (format !== 'markdown' || output === undefined) return;
  if (Array.isArray(output) && output.length === 1 && output[0] === 'markdown') return;
  throw new ServiceError('invalid_request', '--output: a folder can only contain markdown; use --out FILE.jsonl');
}

/** Returns a function that shows progress: redrawn at each poll on a terminal, else one line per interval. */
function createProgressDisplay(
  view: DownloadView,
  { sink, parts, quiet }: { readonly sink: Sink; readonly parts: CommandContext; readonly quiet: boolean },
): (record: JobRecord) => void {
  const meter = createMeter(view);
  let lastPrintedMs = Number.NEGATIVE_INFINITY;
  return (record) => {
    const now = parts.clock.monotonic();
    const line = meter.line({ record, written: sink.count(), now });
    if (quiet || (!parts.terminal.isScreen && now - lastPrintedMs < PROGRESS_INTERVAL_MS)) return;
    lastPrintedMs = now;
    parts.terminal.live(line);
  };
}

async function describeResume(
  operation: string,
  { id, target: { path } }: StartedDownload,
  { isServed }: CommandContext,
): Promise<string> {
  const again = `quern ${formatWords(operation)} --resume ${path === null ? id : `--out ${quoteForShell(path)}`}`;
  if (await isServed()) return `${id} continues: ${again} writes the rest, quern jobs cancel ${id} stops it`;
  return `${id} waits in the queue: ${again} resumes it, quern jobs cancel ${id} drops it`;
}

/** Quotes a path for a shell. */
function quoteForShell(path: string): string {
  return /^[\w./+,:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Rethrows a disk error as a `ServiceError` for the user; rethrows anything else, which is a bug. */
function throwDiskError(error: unknown): never {
  if (getSystemErrorCode(error) === null || !(error instanceof Error)) throw error;
  throw new ServiceError('backend_unavailable', `cannot be written: ${error.message}`, { cause: error });
}

function getString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Hashes an input, so that inputs can be compared without storing their secrets. */
function hashInput(raw: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(raw).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
