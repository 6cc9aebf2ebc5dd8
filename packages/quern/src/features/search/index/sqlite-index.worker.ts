import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import { splitWords } from '#features/search/words.ts';
import type { Row, SqlValue } from '#store/db.ts';
import { isTransientSqliteError } from '#store/sqlite.ts';
import { INDEX_SCHEMA, type IndexStep } from './index-store.ts';

/** The weight that FTS5 uses for a word in at least half of all pages. */
const MIN_WEIGHT = 1e-6;

/** Decodes an FTS5 record: a sequence of varints with seven bits per byte, most significant first. */
function decodeNumbers(record: unknown): readonly number[] {
  const numbers: number[] = [];
  let value = 0;
  for (const byte of record instanceof Uint8Array ? record : []) {
    value = value * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(value);
    value = 0;
  }
  return numbers;
}

function computeSum(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0);
}

/** The number of words of a page in all columns, from its FTS5 size record. */
function countWords(sizes: unknown): number {
  return computeSum(decodeNumbers(sizes));
}

/** The number of pages, from the FTS5 averages record. */
function readPageCount(averages: unknown): number {
  return decodeNumbers(averages)[0] ?? 0;
}

/** The mean number of words per page, from the same record. */
function readMeanWords(averages: unknown): number {
  const [pages = 0, ...words] = decodeNumbers(averages);
  return computeSum(words) / Math.max(1, pages);
}

/** The weight (inverse document frequency) that FTS5 gives a term that occurs in `hits` of `pages` pages. */
function computeWeight(pages: unknown, hits: unknown): number {
  return Math.max(MIN_WEIGHT, Math.log((Number(pages) - Number(hits) + 0.5) / (Number(hits) + 0.5)));
}

/** A task for an index thread. */
export type IndexTask =
  | { readonly kind: 'read'; readonly step: IndexStep }
  | { readonly kind: 'write'; readonly steps: readonly IndexStep[] }
  | { readonly kind: 'bytes' };

export type IndexReply = {
  readonly rows: readonly Row[];
  readonly done: boolean;
  readonly bytes: number;
  /** Why the file cannot be used at the moment; null on success. Returned as a value, because errors lose their code between threads. */
  readonly unavailable: string | null;
};

const EMPTY_REPLY: IndexReply = { rows: [], done: true, bytes: 0, unavailable: null };
const BYTES = `select (page_count - freelist_count) * page_size as bytes
  from pragma_page_count, pragma_freelist_count, pragma_page_size`;
const BUSY_MS = 5000;
/** Maximum size of the WAL file after a checkpoint. */
const LOG_BYTES = 64 * 1024 * 1024;
/** File pages released to the disk per transaction. */
const MAX_FREED_PAGES = 500;

const { file }: { readonly file: string } = Object(workerData);
let opened: DatabaseSync | null = null;
const prepared = new Map<string, StatementSync>();

/** Runs one task on the connection of this thread. */
export function runTask(task: IndexTask): IndexReply {
  try {
    return performTask(task);
  } catch (error) {
    if (!(error instanceof Error) || !isTransientSqliteError(error)) throw error;
    return { ...EMPTY_REPLY, done: false, unavailable: error.message };
  }
}

function performTask(task: IndexTask): IndexReply {
  if (task.kind === 'read') return { ...EMPTY_REPLY, rows: runStep(task.step) };
  if (task.kind === 'bytes') return { ...EMPTY_REPLY, bytes: measureBytes() };
  return { ...EMPTY_REPLY, done: writeSteps(task.steps) };
}

/** The connection of this thread, opened on first use. */
function getConnection(): DatabaseSync {
  if (opened !== null) return opened;
  const handle = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // auto_vacuum must be set before the first write.
    handle.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = normal');
    handle.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
    handle.function('words_counted', { deterministic: true }, countWords);
    handle.function('pages_of_all', { deterministic: true }, readPageCount);
    handle.function('mean_of_all', { deterministic: true }, readMeanWords);
    handle.function('weight_of_all', { deterministic: true }, computeWeight);
    handle.function('words_of', { deterministic: true }, (text) => splitWords(String(text)).join(' '));
    for (const statement of INDEX_SCHEMA.sqlite) handle.exec(statement);
  } catch (error) {
    handle.close();
    throw error;
  }
  opened = handle;
  return handle;
}

function writeSteps(steps: readonly IndexStep[]): boolean {
  const handle = getConnection();
  handle.exec('begin immediate');
  try {
    const isDone = steps.every((step) => runStep(step).length > 0 || step.needed !== true);
    handle.exec(isDone ? 'commit' : 'rollback');
    if (isDone) handle.exec(`pragma incremental_vacuum(${MAX_FREED_PAGES})`);
    return isDone;
  } catch (error) {
    if (handle.isTransaction) handle.exec('rollback');
    throw error;
  }
}

function runStep({ sql, values = [] }: IndexStep): readonly Row[] {
  const known = prepared.get(sql) ?? getConnection().prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
  prepared.set(sql, known);
  const given: readonly SqlValue[] = values;
  return known.all(...given);
}

/** Size of the used pages of the file, including those in the WAL. */
function measureBytes(): number {
  const { bytes = 0 } = getConnection().prepare(BYTES).get() ?? {};
  return Number(bytes);
}
