import { createHash } from 'node:crypto';
import type { DownloadView } from '#engine/call/command-view.ts';
import type { Operation } from '#engine/call/operation.ts';
import { isErrorCode, ServiceError } from '#kernel/errors.ts';
import type { JobRecord } from '#engine/jobs/job-record.ts';
import type { CliParts } from '#transports/cli/parts.ts';
import type { Parsed } from '#transports/cli/command.ts';
import { EXIT, Interrupted } from '#transports/cli/exit.ts';
import { queueJob } from '#transports/cli/job.ts';
import { isJsonObject } from '#extract/values/json-object.ts';
import { follow, type Followed, ReaderGone } from './follow.ts';
import { buildMeter, toSummary } from './progress.ts';
import type { Sink } from './sinks.ts';
import { systemErrorCode } from './state-file.ts';
import { chooseTarget, findState, lookForState, openSink, type OutputTarget } from './target.ts';

/** Interval between progress lines where a line cannot be redrawn in place. */
const TELL_EVERY_MS = 10_000;
const JOB_ID = /^job_[0-9a-z]{26}$/;

/** Work whose list is written to files, and how. */
export type Downloaded = { readonly operation: Operation; readonly view: DownloadView };

/** The job that is followed, and the output of its list. */
type Begun = { readonly id: string; readonly sink: Sink; readonly target: OutputTarget };

/** Runs work as a job, and writes its list while it comes. */
export async function downloadList(order: Downloaded, parsed: Parsed, parts: CliParts): Promise<number> {
  const quiet = parsed.own['quiet'] === true;
  const begun = await begin(order, parsed, parts).catch(refuseDisk);
  const followed = await followHere(order, begun, { parts, quiet });
  if (followed === null) return EXIT.ok;
  const { sink, target } = begun;
  const { record, body } = followed;
  if (record.status !== 'completed') throw await endFailed(record, sink);
  await sink.finish().catch(refuseDisk);
  if (quiet) return EXIT.ok;
  const summary = toSummary({ noun: order.view.noun, record, body, written: sink.count(), path: target.path });
  for (const line of summary) parts.terminal.note(`quern: ${line}`);
  return EXIT.ok;
}

/** Follows a job to its end; null when the reader is gone. Any earlier end prints how to resume. */
async function followHere(
  { operation, view }: Downloaded,
  begun: Begun,
  { parts, quiet }: { readonly parts: CliParts; readonly quiet: boolean },
): Promise<Followed | null> {
  const { terminal, interrupted } = parts;
  const { id, sink } = begun;
  const { list, grows } = view;
  const show = buildShow(view, { sink, parts, quiet });
  try {
    await parts.work();
    if (!quiet) terminal.note(`quern: following ${id}; Ctrl-C leaves it, --resume continues`);
    return await follow(id, { sink, list, grows, show }, parts);
  } catch (error) {
    await sink.close();
    const goOn = await howToGoOn(operation.id, begun, parts);
    if (interrupted().aborted) throw new Interrupted(goOn, { cause: error });
    terminal.note(`quern: ${goOn}`);
    return error instanceof ReaderGone ? null : refuseDisk(error);
  }
}

/** Ends what is written of a job that failed or was cancelled, and answers why. */
async function endFailed({ id, status, error }: JobRecord, sink: Sink): Promise<ServiceError> {
  if (sink.count() === 0) await sink.discard();
  else await sink.finish();
  const code = error === null ? 'job_cancelled' : error.code;
  const written = sink.count() === 0 ? '' : `; what it had is written, ${sink.count()} in all`;
  const message = error === null ? `${id} is ${status}` : error.message;
  return new ServiceError(isErrorCode(code) ? code : 'internal_error', message + written);
}

/** A new job, or the one that is gone on with. */
async function begin(order: Downloaded, parsed: Parsed, parts: CliParts): Promise<Begun> {
  const { operation, view } = order;
  const { raw, own } = parsed;
  const [out, format] = [textOf(own['out']), textOf(own['format'])];
  const hash = isJsonObject(raw) && Object.keys(raw).length > 0 ? hashOf(raw) : null;
  if (own['resume'] === true) return resume(order, { raw, out, format, hash }, parts);
  const target = chooseTarget(view, out, format);
  checkOutput(target, raw);
  if (out !== null && (await lookForState(out)) !== null) {
    throw new ServiceError('invalid_request', `--out: ${out} is not ended: --resume goes on, or name another`);
  }
  const sink = await openSink(target, { operation: operation.id, state: null, terminal: parts.terminal });
  try {
    const id = textOf((await queueJob(operation, raw, parts))['id']) ?? '';
    await sink.begin(id, hash);
    return { id, sink, target };
  } catch (error) {
    await sink.discard();
    throw error;
  }
}

type Resuming = {
  readonly raw: unknown;
  readonly out: string | null;
  readonly format: string | null;
  /** A hash of the input; null where only a job is named. */
  readonly hash: string | null;
};

async function resume(
  { operation: { id: operation }, view }: Downloaded,
  { raw, out, format, hash }: Resuming,
  parts: CliParts,
): Promise<Begun> {
  const { terminal } = parts;
  const url = isJsonObject(raw) ? textOf(raw['url']) : null;
  const job = url !== null && JOB_ID.test(url) ? url : null;
  if (job !== null && isJsonObject(raw) && Object.keys(raw).length > 1) {
    throw new ServiceError('invalid_request', `--resume: ${job} goes on as it was asked for: leave the options out`);
  }
  const left =
    out === null || out === '-' ? null : await (job === null ? findState(operation, out) : lookForState(out));
  if (left === null) {
    if (job === null)
      throw new ServiceError('invalid_request', '--resume: name the --out of what was left, or its job');
    const target = chooseTarget(view, out, format);
    await checkKind(operation, job, parts);
    const sink = await openSink(target, { operation, state: null, terminal });
    await sink.begin(job, null);
    return { id: job, sink, target };
  }
  if (format !== null && format !== left.format) {
    throw new ServiceError('invalid_request', `--format: ${out} is written as ${left.format}`);
  }
  if (job === null ? hash !== null && hash !== left.order : job !== left.job) {
    throw new ServiceError('invalid_request', `--resume: ${out} is of ${left.job}, which was asked for otherwise`);
  }
  const target = chooseTarget(view, out, left.format);
  await checkKind(operation, left.job, parts);
  const sink = await openSink(target, { operation, state: left, terminal });
  return { id: left.job, sink, target };
}

/** Throws `invalid_request` for a job of another kind, and `not_found` for none. */
async function checkKind(operation: string, id: string, parts: CliParts): Promise<void> {
  const { kind } = (await parts.ask(parts.jobs.show, { id })).body;
  if (kind !== operation) throw new ServiceError('invalid_request', `--resume: ${id} is a job of ${String(kind)}`);
}

/** A markdown file has the markdown of its page and nothing else that may be asked for. */
function checkOutput({ format }: OutputTarget, raw: unknown): void {
  const output = isJsonObject(raw) ? raw['output'] : undefined;
  if (format !== 'markdown' || output === undefined) return;
  if (Array.isArray(output) && output.length === 1 && output[0] === 'markdown') return;
  throw new ServiceError('invalid_request', '--output: a folder holds the markdown of pages; take --out FILE.jsonl');
}

/** Shows progress: redrawn at each poll on a screen, one line per interval elsewhere. */
function buildShow(
  view: DownloadView,
  { sink, parts, quiet }: { readonly sink: Sink; readonly parts: CliParts; readonly quiet: boolean },
): (record: JobRecord) => void {
  const meter = buildMeter(view);
  let told = Number.NEGATIVE_INFINITY;
  return (record) => {
    const now = parts.clock.monotonic();
    const line = meter.line({ record, written: sink.count(), now });
    if (quiet || (!parts.terminal.isScreen && now - told < TELL_EVERY_MS)) return;
    told = now;
    parts.terminal.live(line);
  };
}

async function howToGoOn(operation: string, { id, target: { path } }: Begun, { isServed }: CliParts): Promise<string> {
  const again = `quern ${operation} --resume ${path === null ? id : `--out ${quote(path)}`}`;
  if (await isServed()) return `${id} continues: ${again} writes the rest, quern jobs cancel ${id} stops it`;
  return `${id} waits in the queue: ${again} goes on with it, quern jobs cancel ${id} drops it`;
}

/** As a shell reads it. */
function quote(path: string): string {
  return /^[\w./+,:@%-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}

/** Turns a disk error into one that the user can fix; anything else is a bug. */
function refuseDisk(error: unknown): never {
  if (systemErrorCode(error) === null || !(error instanceof Error)) throw error;
  throw new ServiceError('backend_unavailable', `cannot be written: ${error.message}`, { cause: error });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** A hash that compares two inputs without storing them, since they may hold secrets. */
function hashOf(raw: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(raw).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
