import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';
import type { Queryable, Row, SqlValue } from '#store/db.ts';
import { FIND_TABLE } from '#store/dialect.ts';
import { isTransientSqliteError } from '#store/sqlite.ts';
import { INDEX_SCHEMA, type IndexStep, OLD_SQLITE_INDEX } from './index-store.ts';
import { type IndexBatch, putPages } from './put-pages.ts';
import { type FoundIds, rankPages, type RankRequest } from './rank-pages.ts';
import { compactSegment, listSegments, mergeSegments, type SegmentRange } from './segments.ts';

/** A task for an index thread. */
export type IndexTask =
  | { readonly kind: 'read'; readonly step: IndexStep }
  | { readonly kind: 'write'; readonly steps: readonly IndexStep[]; readonly batch: IndexBatch | null }
  | { readonly kind: 'rank'; readonly request: RankRequest }
  | { readonly kind: 'merge'; readonly tenant: string }
  | { readonly kind: 'compact'; readonly range: SegmentRange }
  | { readonly kind: 'bytes' };

export type IndexReply = {
  readonly rows: readonly Row[];
  /** Whether a task that writes changed something. */
  readonly done: boolean;
  readonly found: FoundIds;
  /** The last segment that was looked at; null for none. */
  readonly lastSegment: number | null;
  readonly bytes: number;
  /** Why the file cannot be used at the moment; null on success. Returned as a value, because errors lose their code between threads. */
  readonly unavailable: string | null;
};

const EMPTY_REPLY: IndexReply = {
  rows: [],
  done: true,
  found: { ids: [], isWhole: true },
  lastSegment: null,
  bytes: 0,
  unavailable: null,
};
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
export async function runTask(task: IndexTask): Promise<IndexReply> {
  try {
    return { ...EMPTY_REPLY, ...(await performTask(task)) };
  } catch (error) {
    if (!(error instanceof Error) || !isTransientSqliteError(error)) throw error;
    return { ...EMPTY_REPLY, done: false, unavailable: error.message };
  }
}

async function performTask(task: IndexTask): Promise<Partial<IndexReply>> {
  if (task.kind === 'read') return { rows: runStep(task.step) };
  if (task.kind === 'bytes') return { bytes: measureBytes() };
  if (task.kind === 'rank') return { found: await rankPages(CONNECTION, 'sqlite', task.request) };
  if (task.kind === 'merge')
    return { done: await inTransaction(async () => (await mergeSegments(CONNECTION, 'sqlite', task.tenant)) > 0) };
  if (task.kind === 'compact') return { lastSegment: await compactSegments(task.range) };
  return { done: await inTransaction(async () => writeSteps(task.steps, task.batch)) };
}

/** The connection of this thread, opened on first use. */
function getConnection(): DatabaseSync {
  if (opened !== null) return opened;
  const handle = new DatabaseSync(file, { timeout: BUSY_MS });
  try {
    // auto_vacuum must be set before the first write.
    handle.exec('pragma auto_vacuum = incremental; pragma journal_mode = wal; pragma synchronous = normal');
    handle.exec(`pragma journal_size_limit = ${LOG_BYTES}`);
    createTables(handle);
  } catch (error) {
    handle.close();
    throw error;
  }
  opened = handle;
  return handle;
}

/** Creates the tables, or again if an older version has made them. Existing ones are not locked: another thread may be merging. */
function createTables(handle: DatabaseSync): void {
  const find = handle.prepare(FIND_TABLE.sqlite.replace('$1', '?'));
  const hasTable = (name: string): boolean => find.get(name) !== undefined;
  if (hasTable('search_blocks') && !hasTable(OLD_SQLITE_INDEX.table)) return;
  handle.exec('begin immediate');
  const drop = hasTable(OLD_SQLITE_INDEX.table) ? OLD_SQLITE_INDEX.drop : [];
  for (const statement of [...drop, ...INDEX_SCHEMA.sqlite]) handle.exec(statement);
  handle.exec('commit');
}

/** Commits what `work` did if it returns true. */
async function inTransaction(work: () => Promise<boolean>): Promise<boolean> {
  const handle = getConnection();
  handle.exec('begin immediate');
  try {
    const isDone = await work();
    handle.exec(isDone ? 'commit' : 'rollback');
    if (isDone) handle.exec(`pragma incremental_vacuum(${MAX_FREED_PAGES})`);
    return isDone;
  } catch (error) {
    if (handle.isTransaction) handle.exec('rollback');
    throw error;
  }
}

async function writeSteps(steps: readonly IndexStep[], batch: IndexBatch | null): Promise<boolean> {
  if (!steps.every((step) => runStep(step).length > 0 || step.needed !== true)) return false;
  if (batch !== null) await putPages(CONNECTION, 'sqlite', batch);
  return true;
}

async function compactSegments(range: SegmentRange): Promise<number | null> {
  const segments = await listSegments(CONNECTION, range);
  for (const segment of segments) await inTransaction(async () => compactSegment(CONNECTION, 'sqlite', segment));
  return segments.at(-1)?.id ?? null;
}

/** The connection of this thread as shared code uses it. */
const CONNECTION: Queryable = {
  query: async (sql, values) => runStep({ sql, ...(values === undefined ? {} : { values }) }),
};

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
