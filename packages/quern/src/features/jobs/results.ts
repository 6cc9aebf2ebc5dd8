import { z } from 'zod';
import type { Cursors } from '#engine/call/cursor.ts';
import { hasStrictOutput, type Operation, type Reply, type ReplyStream } from '#engine/call/operation.ts';
import type { Caller } from '#engine/identity/caller.ts';
import { isTerminal } from '#engine/jobs/job-record.ts';
import type { FoundJob } from '#engine/jobs/jobs.ts';
import { type Position, type ResultReader, LIST_START } from '#engine/results/result-reader.ts';
import { OUTPUTS } from '#extract/reading.ts';
import { isJsonObject, type JsonObject } from '#extract/values/json-object.ts';
import { buildWarcinfoRecord } from '#features/crawl/archive/warc.ts';
import { ServiceError } from '#kernel/errors.ts';
import { toUuid } from '#kernel/ids.ts';
import { listChunkRows, writeJsonLines } from './exports/chunk-rows.ts';
import { type ExportFormat, EXPORTERS } from './exports/exports.ts';
import { MAX_SEARCHED_ELEMENTS } from './operations.ts';

/** The most JSON of a result in the job itself, and in a list page without `limit`. */
const MAX_INLINE_BYTES = 256 * 1024;
/** The most characters of the elements of one page, regardless of `limit`. */
const MAX_PAGE_CHARS = 4 * 1024 * 1024;
/** Elements read at once while searching for a URL. */
const SEARCH_BATCH = 200;

const Result = z.record(z.string(), z.unknown());

type ResultReading = {
  readonly caller: Caller;
  readonly cursors: Cursors;
  readonly operations: readonly Operation[];
  readonly results: ResultReader;
};
export type ResultQuery = {
  readonly limit: number | null;
  readonly cursor: string | null;
  /** Whether elements are returned as outlines. */
  readonly outline: boolean;
};
/** Reads the result of a completed job with one page of its list. Throws `result_expired`. */
export async function readResult(job: FoundJob, context: ResultReading, pages: ResultQuery): Promise<JsonObject> {
  const { list } = findShape(job, context);
  if (list === null) assertNotPaged(job, pages);
  const text = await context.results.readHead(job.record.id);
  const head = Result.parse(JSON.parse(text));
  if (list === null) return head;
  const page = await readPage(job, context, { ...pages, taken: text.length });
  const cursor = page.hasMore ? writeCursor(job, context, page.next) : null;
  return { ...head, [list]: page.elements, next_cursor: cursor };
}

/** Reads as much of a result as fits into the job record; null if not even its head fits. */
export async function readShortResult(job: FoundJob, context: ResultReading): Promise<JsonObject | null> {
  const { list } = findShape(job, context);
  const text = await context.results.readShortHead(job.record.id, MAX_INLINE_BYTES);
  if (text === null) return null;
  const head = Result.parse(JSON.parse(text));
  if (list === null) return head;
  const mostChars = MAX_INLINE_BYTES - text.length;
  const page = await context.results.readPage(toList(job), {
    from: LIST_START,
    limit: Infinity,
    mostChars: mostChars,
    least: 0,
  });
  const cursor = page.hasMore ? writeCursor(job, context, page.next) : null;
  return { ...head, [list]: page.elements, next_cursor: cursor };
}

/** Reads the committed part of the result of an unfinished job. A list that may still grow has a cursor at its end. */
export async function readPartialResult(
  job: FoundJob,
  context: ResultReading,
  pages: ResultQuery,
): Promise<JsonObject> {
  const { record, requestId } = job;
  const { list, isStrict, isLongRunning } = findShape(job, context);
  if (list === null) assertNotPaged(job, pages);
  const { usage, stop_reason: why } = record;
  if (list === null) return { request_id: requestId, ...(isStrict ? {} : { usage }) };
  const page = await readPage(job, context, { ...pages, taken: 0 });
  const isEnd = !page.hasMore && isTerminal(record.status);
  const cursor = isEnd ? null : writeCursor(job, context, page.next);
  const how = isLongRunning ? { complete: false, ...(why === undefined ? {} : { stop_reason: why }) } : {};
  return { request_id: requestId, ...how, [list]: page.elements, usage, next_cursor: cursor };
}

/** Reads the list element at a place or with a URL. Throws `not_found`. */
export async function readElement(
  job: FoundJob,
  context: ResultReading,
  { place, url, signal }: { readonly place: string | null; readonly url: string | null; readonly signal: AbortSignal },
): Promise<JsonObject> {
  const { list } = findShape(job, context);
  if (list === null) throw new ServiceError('invalid_request', `id: the result of ${job.record.kind} has no list`);
  let seen = 0;
  for (let from = toPosition(place); ;) {
    const bounds = { from, limit: place === null ? SEARCH_BATCH : 1, mostChars: MAX_PAGE_CHARS, least: 1 } as const;
    const page = await context.results.readPage(toList(job), bounds);
    const element = page.elements.find((one) => url === null || matchesUrl(one, url));
    if (isJsonObject(element)) return element;
    seen += page.elements.length;
    if (place !== null || !page.hasMore) break;
    if (seen >= MAX_SEARCHED_ELEMENTS) {
      throw new ServiceError(
        'invalid_request',
        `url: is not among the first ${MAX_SEARCHED_ELEMENTS} elements; use place instead`,
      );
    }
    signal.throwIfAborted();
    from = page.next;
  }
  throw new ServiceError('not_found', `the result of ${job.record.id} has no element ${place ?? url} so far`);
}

function matchesUrl(element: unknown, url: string): boolean {
  return isJsonObject(element) && (element['url'] === url || element['final_url'] === url);
}

/**
 * Streams the list of a result as JSON Lines. The first line is read before, so that an expired result is an error and
 * not a broken stream.
 */
export async function openLines(
  job: FoundJob,
  context: ResultReading,
  { rows, pages }: { readonly rows: ExportRows; readonly pages: ResultQuery },
): Promise<ReplyStream> {
  const read = openList(job, context, { format: 'jsonl', pages });
  const lines = rows === 'chunks' ? writeJsonLines((await openRows(read, rows))()) : read();
  return { type: 'application/x-ndjson', pieces: resumeStream(await lines.next(), lines) };
}

/**
 * Streams the list of a result in another format. Its first piece is read before, so that what cannot be written is an error and
 * not a broken stream. Throws `invalid_request` if no element has the output that the format needs.
 */
export async function openExport(
  job: FoundJob,
  context: ResultReading,
  { format, rows, pages }: { readonly format: ExportFormat; readonly rows: ExportRows; readonly pages: ResultQuery },
): Promise<Reply> {
  const read = await openRows(openList(job, context, { format, pages }), rows);
  const { type, suffix, needs, load } = EXPORTERS[format];
  if (needs !== null && !(await isInSome(read(), needs)))
    throw new ServiceError('invalid_request', `format: ${format} needs pages with output ${needs}; use jsonl`);
  const pieces = (await load())(read);
  return {
    status: 200,
    headers: { 'content-disposition': `attachment; filename="${job.record.id}${suffix}"` },
    body: null,
    stream: { type, pieces: resumeStream(await pieces.next(), pieces) },
  };
}

/** What a row of an export is. */
export type ExportRows = 'elements' | 'chunks';

/** Reads the whole list of a result as JSON Lines, as often as asked. */
type ReadList = () => AsyncGenerator<string, void>;

/** Opens the whole list of a result. Throws `invalid_request` if it has none, or if a part of it is asked for. */
function openList(
  job: FoundJob,
  context: ResultReading,
  { format, pages }: { readonly format: string; readonly pages: ResultQuery },
): ReadList {
  if (findShape(job, context).list === null)
    throw new ServiceError('invalid_request', `format: the result of ${job.record.kind} has no list; use json`);
  assertWholeResult(`cannot be used with format ${format}, which returns the whole list`, pages);
  return () => context.results.readLines(toList(job));
}

/** Opens the rows of an export. Throws `invalid_request` for chunks if no page has any. */
async function openRows(read: ReadList, rows: ExportRows): Promise<() => AsyncGenerator<JsonObject, void>> {
  if (rows === 'elements') return () => readElements(read());
  if (!(await isInSome(readElements(read()), 'chunks')))
    throw new ServiceError('invalid_request', 'rows: chunks needs pages with output chunks');
  return () => listChunkRows(readElements(read()));
}

async function* readElements(texts: AsyncIterable<string>): AsyncGenerator<JsonObject, void> {
  for await (const text of texts) {
    for (const line of text.split('\n')) {
      const element: unknown = line === '' ? null : JSON.parse(line);
      if (isJsonObject(element)) yield element;
    }
  }
}

/** Whether an element has the member; also true for an empty list. */
async function isInSome(elements: AsyncIterable<JsonObject>, name: string): Promise<boolean> {
  let isEmpty = true;
  for await (const element of elements) {
    isEmpty = false;
    if ((element[name] ?? null) !== null) return true;
  }
  return isEmpty;
}

/** Throws `invalid_request` for `limit`, `cursor` and `outline` if the whole result is returned. */
export function assertWholeResult(what: string, { limit, cursor, outline }: ResultQuery): void {
  if (outline) throw new ServiceError('invalid_request', `outline: ${what}`);
  if (limit !== null) throw new ServiceError('invalid_request', `limit: ${what}`);
  if (cursor !== null) throw new ServiceError('invalid_request', `cursor: ${what}`);
}

/** Continues a generator whose first piece was already requested. */
export async function* resumeStream<T>(
  first: IteratorResult<T, void>,
  rest: AsyncGenerator<T, void>,
): AsyncGenerator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

type ResultShape = { readonly list: string | null; readonly isStrict: boolean; readonly isLongRunning: boolean };

function findShape({ record: { kind } }: FoundJob, { operations }: ResultReading): ResultShape {
  const operation = operations.find(({ id }) => id === kind);
  // The operation may have been removed since the job was submitted.
  if (operation?.kind !== 'work') return { list: null, isStrict: false, isLongRunning: false };
  const { list = null, isLongRunning = false } = operation;
  return { list, isStrict: hasStrictOutput(operation), isLongRunning };
}

function assertNotPaged({ record: { kind } }: FoundJob, { limit, cursor }: ResultQuery): void {
  const name = limit === null ? 'cursor' : 'limit';
  if (limit === null && cursor === null) return;
  throw new ServiceError('invalid_request', `${name}: the result of ${kind} has no list`);
}

async function readPage(
  job: FoundJob,
  context: ResultReading,
  { limit, cursor, outline, taken }: ResultQuery & { readonly taken: number },
) {
  const from = toPosition(context.cursors.read(buildScope(job, context), cursor));
  const mostChars = limit === null ? MAX_INLINE_BYTES - taken : MAX_PAGE_CHARS;
  const page = await context.results.readPage(toList(job), {
    from,
    limit: limit ?? Infinity,
    mostChars: mostChars,
    least: 1,
  });
  return outline ? { ...page, elements: page.elements.map((one, at) => toOutline(one, page.positions[at])) } : page;
}

function toList({ record, segments }: FoundJob) {
  return { jobId: record.id, segments };
}

function buildScope({ record }: FoundJob, { caller }: ResultReading) {
  return { tenant: caller.tenant, operation: 'jobs.result', filters: { id: record.id } };
}

function writeCursor(job: FoundJob, context: ResultReading, { seq, at }: Position): string {
  return context.cursors.write(buildScope(job, context), `${seq}.${at}`);
}

function toPosition(text: string | null): Position {
  if (text === null) return LIST_START;
  const [seq = LIST_START.seq, at = LIST_START.at] = text.split('.').map(Number);
  return { seq, at };
}

/** Longer texts are replaced by their size in outlines. */
const MAX_OUTLINE_CHARS = 300;

const TEXT_OUTPUTS: ReadonlySet<string> = new Set(OUTPUTS);

/** Converts a list element to its outline: short fields, page title, sizes of texts, and its place. */
function toOutline(element: unknown, position: Position | undefined): JsonObject {
  const place = position === undefined ? '' : `${position.seq}.${position.at}`;
  if (!isJsonObject(element)) return { place };
  const chars: Record<string, number> = {};
  const outline: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(element)) {
    if (typeof value === 'string' && (TEXT_OUTPUTS.has(name) || value.length > MAX_OUTLINE_CHARS))
      chars[name] = value.length;
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      outline[name] = value;
    else if (name === 'error') outline[name] = value;
  }
  const { metadata } = element;
  const title = isJsonObject(metadata) ? { title: metadata['title'] } : {};
  return { place, ...title, ...outline, ...(Object.keys(chars).length === 0 ? {} : { chars }) };
}

/** The input parameters of a crawl that concern its archive. */
const ArchiveInput = z.looseObject({ archive: z.literal(true), respect_robots: z.boolean().default(true) });

/** Throws `archive_not_kept` if a job has no archive, regardless of its state. */
export function assertArchive({ record: { id, kind, input } }: FoundJob): void {
  // The input of an expired job is unknown.
  if (input === null || (kind === 'crawl' && ArchiveInput.safeParse(input).success)) return;
  throw new ServiceError('archive_not_kept', `${id} has no archive; submit a crawl with archive: true`);
}

/** Streams the archive of a crawl, as far as it is committed. */
export async function streamArchive(
  { record, archived }: FoundJob,
  { results, version }: { readonly results: ResultReader; readonly version: string },
  pages: ResultQuery,
): Promise<Reply> {
  assertWholeResult('cannot be used with format warc, which returns the whole archive', pages);
  const { id } = record;
  const records = results.readArchive({ jobId: id, archived });
  const first = await records.next();
  const warcinfo = await buildWarcinfoRecord({
    uuid: toUuid(id),
    at: Date.parse(record.created_at),
    version,
    jobId: id,
    robots: ArchiveInput.parse(record.input).respect_robots ? 'obey' : 'ignore',
  });
  return {
    status: 200,
    headers: { 'content-disposition': `attachment; filename="${id}.warc.gz"` },
    body: null,
    stream: { type: 'application/warc', pieces: prepend(warcinfo, resumeStream(first, records)) },
  };
}

async function* prepend(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
