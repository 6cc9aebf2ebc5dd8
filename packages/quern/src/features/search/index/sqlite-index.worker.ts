import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { Row, Value } from '#store/db.ts';
import { isTransientFault } from '#store/sqlite.ts';
import { INDEX_SCHEMA, type IndexStep } from './index-store.ts';
import { meanOfAll, pagesOfAll, weightOfAll, wordsCounted } from './own-rank.ts';
import { wordsIn } from '#features/search/words.ts';

/** What a thread of the index is asked. */
export type IndexTask =
  | { readonly kind: 'read'; readonly step: IndexStep }
  | { readonly kind: 'write'; readonly steps: readonly IndexStep[] }
  | { readonly kind: 'bytes' };

export type IndexReply = {
  readonly rows: readonly Row[];
  readonly done: boolean;
  readonly bytes: number;
  /** Why the file cannot be used now; null where the task was done. An error that leaves the thread loses its code. */
  readonly unavailable: string | null;
};

const NOTHING: IndexReply = { rows: [], done: true, bytes: 0, unavailable: null };
const BYTES = `select (page_count - freelist_count) * page_size as bytes
  from pragma_page_count, pragma_freelist_count, pragma_page_size`;
const BUSY_MS = 5000;
/** What the log keeps on disk after it was written back. */
const LOG_BYTES = 64 * 1024 * 1024;
/** Pages of the file that a transaction gives back to the disk at most. */
const FREED_AT_ONCE = 500;

const { file }: { readonly file: string } = Object(workerData);
let opened: DatabaseSync | null = null;
const prepared = new Map<string, StatementSync>();

/** Runs one task on the connection of this thread. */
export function runTask(task: IndexTask): IndexReply {
  try {
    return perform(task);
  } catch (error) {
    if (!(error instanceof Error) || !isTransientFault(error)) throw error;
    return { ...NOTHING, done: false, unavailable: error.message };
  }
}

function perform(task: IndexTask): IndexReply {
  if (task.kind === 'read') return { ...NOTHING, rows: run(task.step) };
  if (task.kind === 'bytes') return { ...NOTHING, bytes: bytesTaken() };
  return { ...NOTHING, done: write(task.steps) };
}

/** The connection of this thread, opened when it is first needed. */
function connection(): DatabaseSync {
  if (opened !== null) return opened;
  const handle = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // A file can give room back only where that is said before anything is written to it.
    handle.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = normal');
    handle.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
    handle.function('words_counted', { deterministic: true }, wordsCounted);
    handle.function('pages_of_all', { deterministic: true }, pagesOfAll);
    handle.function('mean_of_all', { deterministic: true }, meanOfAll);
    handle.function('weight_of_all', { deterministic: true }, weightOfAll);
    handle.function('words_of', { deterministic: true }, (text) => wordsIn(String(text)).join(' '));
    for (const statement of INDEX_SCHEMA.sqlite) handle.exec(statement);
  } catch (error) {
    handle.close();
    throw error;
  }
  opened = handle;
  return handle;
}

function write(steps: readonly IndexStep[]): boolean {
  const handle = connection();
  handle.exec('begin immediate');
  try {
    const isDone = steps.every((step) => run(step).length > 0 || step.needed !== true);
    handle.exec(isDone ? 'commit' : 'rollback');
    if (isDone) handle.exec(`pragma incremental_vacuum(${FREED_AT_ONCE})`);
    return isDone;
  } catch (error) {
    if (handle.isTransaction) handle.exec('rollback');
    throw error;
  }
}

function run({ sql, values = [] }: IndexStep): readonly Row[] {
  const known = prepared.get(sql) ?? connection().prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
  prepared.set(sql, known);
  const given: readonly Value[] = values;
  return known.all(...given);
}

/** The pages of the file that hold something, those that are still in its log included. */
function bytesTaken(): number {
  const { bytes = 0 } = connection().prepare(BYTES).get() ?? {};
  return Number(bytes);
}
