import { once } from 'node:events';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { Worker } from 'node:worker_threads';
import { InvariantError } from '#extract/invariant-error.ts';
import { type Db, TRANSACTION_ENDED, type Row, type Queryable, StoreUnavailable, type SqlValue } from './db.ts';

export type SqliteOptions = {
  /** Commits survive kill -9 with `normal`, and also a power cut with `full`. */
  readonly sync: 'normal' | 'full';
};

/**
 * Log pages (128 MB) after which the writing connection makes a checkpoint itself and waits for the disk. The checkpoint
 * thread keeps the log shorter unless it falls far behind.
 */
const CHECKPOINT_PAGES = 32_000;

/** Opens the embedded store: WAL, one writer connection behind a mutex, and one reader connection. */
export function openSqlite(path: string, { sync }: SqliteOptions): Db {
  const writer = openConnection(path, sync);
  // The writer needs only small temporary tables, so they stay in memory: a file would cost more than the statement. The
  // reader may sort whole tables, so it uses files.
  writer.execute('pragma temp_store = memory');
  const reader = openConnection(path, sync);
  const exclusive = createMutex();
  const checkpoints = createCheckpointer({ path, sync, exclusive });

  function write(sql: string, values: readonly SqlValue[]): readonly Row[] {
    const rows = writer.run(sql, values);
    checkpoints.noteWrite(rows.length);
    return rows;
  }

  return {
    kind: 'sqlite',
    transaction: async (work) => exclusive(async () => runTransaction({ ...writer, run: write }, work)),
    async snapshot(work) {
      const view = openConnection(path, sync);
      try {
        view.execute('pragma query_only = on; begin');
        // The first read determines the state that the snapshot shows.
        view.run('select count(*) from sqlite_schema', []);
        return await work({ query: async (sql, values = []) => view.run(sql, values) });
      } finally {
        view.close();
      }
    },
    async query(sql, values = []) {
      if (sql.startsWith('select')) return reader.run(sql, values);
      return exclusive(async () => write(sql, values));
    },
    async close() {
      await checkpoints.close();
      await exclusive(async () => {
        reader.close();
        writer.close();
      });
    },
  };
}

/** Runs a transaction on the writing connection. */
async function runTransaction<T>(writer: Connection, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  let ended = false;

  async function query(sql: string, values: readonly SqlValue[] = []): Promise<readonly Row[]> {
    if (ended) throw new InvariantError(TRANSACTION_ENDED);
    try {
      return writer.run(sql, values);
    } catch (error) {
      failures.push(error);
      throw error;
    }
  }

  writer.execute('begin immediate');
  try {
    const result = await work({ query }).finally(() => {
      ended = true;
    });
    if (failures.length > 0) throw failures[0];
    writer.execute('commit');
    return result;
  } catch (error) {
    if (writer.inTransaction()) writer.execute('rollback');
    throw error;
  }
}

/** Creates a mutex that runs work one at a time, in the order of the calls. */
function createMutex() {
  let tail: Promise<unknown> = Promise.resolve();
  return async function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = tail.then(work, work);
    tail = mine.catch(() => undefined);
    return mine;
  };
}

type Connection = ReturnType<typeof openConnection>;

function openConnection(path: string, sync: SqliteOptions['sync']) {
  const handle = new DatabaseSync(path, { timeout: 5000 });
  handle.exec(
    `pragma journal_mode = wal; pragma synchronous = ${sync}; pragma wal_autocheckpoint = ${CHECKPOINT_PAGES}`,
  );
  const prepared = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    // A bare `$1` is a named parameter to SQLite; `?1` is the numbered one.
    const statement = handle.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
    prepared.set(sql, statement);
    return statement;
  }

  return {
    run: (sql: string, values: readonly SqlValue[]): readonly Row[] =>
      runWithStoreErrors(() => prepare(sql).all(...values)),
    execute: (sql: string): void => runWithStoreErrors(() => handle.exec(sql)),
    inTransaction: () => handle.isTransaction,
    close: () => handle.close(),
  };
}

const BUSY_CODE = 5;
/** SQLite's primary result codes for an unusable database: busy, no memory, read-only, I/O, corrupt, full, … */
const UNAVAILABLE_CODES: ReadonlySet<number> = new Set([BUSY_CODE, 6, 7, 8, 10, 11, 13, 14, 26]);

/** The codes that may go away: a full or unusable disk, or another process that uses the file. */
const TRANSIENT_CODES: ReadonlySet<number> = new Set([BUSY_CODE, 6, 8, 10, 13, 14]);

/** Whether an SQLite error may go away by itself. */
export function isTransientSqliteError(error: unknown): boolean {
  return TRANSIENT_CODES.has(getResultCode(error));
}

/** Whether the disk is full or failed. */
export function isDiskError(error: unknown): boolean {
  return [10, 13].includes(getResultCode(error));
}

/** Whether another connection holds the lock that a statement needs. */
export function isBusyError(error: unknown): boolean {
  return getResultCode(error) === BUSY_CODE;
}

function runWithStoreErrors<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || !UNAVAILABLE_CODES.has(getResultCode(error))) throw error;
    throw new StoreUnavailable(error.message, { cause: error });
  }
}

/** The primary result code of an SQLite error; 0 for other errors. */
function getResultCode(error: unknown): number {
  const isOfSqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
  return isOfSqlite ? Number(error.errcode) & 0xff : 0;
}

/** Rows written between two checkpoints: about 10 MB of log. */
const CHECKPOINT_ROWS = 4000;

/** Heap limits of the thread, which needs memory for one statement only. */
const HEAP_LIMITS = { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 };

/** The data that the checkpoint thread starts with. */
export type CheckpointWorkerData = { readonly path: string; readonly sync: 'normal' | 'full' };

/** `copy` copies the log into the file while others write; `restart` copies the rest and restarts the log, without writers. */
export type CheckpointStep = 'copy' | 'restart';

type CheckpointOptions = CheckpointWorkerData & {
  /** Runs work while this process writes nothing. */
  readonly exclusive: (work: () => Promise<void>) => Promise<void>;
};

type Checkpointer = {
  /** Counts a statement that may have written, and the rows it returned. */
  readonly noteWrite: (answered: number) => void;
  readonly close: () => Promise<void>;
};

/**
 * Copies committed pages from the write-ahead log into the database file, in a thread that starts on first use: writing and
 * syncing a few thousand pages would block requests for too long. The thread also restarts the log, which syncs the disk:
 * writers wait for that, but the event loop does not.
 */
function createCheckpointer({ path, sync, exclusive }: CheckpointOptions): Checkpointer {
  let rows = 0;
  let worker: Worker | null = null;
  let running: Promise<void> | null = null;
  let isClosed = false;

  function start(): Worker {
    const workerData: CheckpointWorkerData = { path, sync };
    const module = new URL('./checkpoint.worker.ts', import.meta.url);
    const started = new Worker(module, { workerData, resourceLimits: HEAP_LIMITS });
    started.unref();
    // Without the thread, the writing connection makes the checkpoints.
    started.on('error', () => undefined);
    started.once('exit', () => (worker = null));
    return started;
  }

  async function checkpoint(): Promise<void> {
    const thread = (worker ??= start());
    await requestStep(thread, 'copy');
    await exclusive(async () => {
      if (worker === thread) await requestStep(thread, 'restart');
    });
  }

  return {
    noteWrite(answered) {
      rows += Math.max(1, answered);
      if (rows < CHECKPOINT_ROWS || running !== null || isClosed) return;
      rows = 0;
      running = checkpoint().finally(() => (running = null));
    },
    async close() {
      isClosed = true;
      await running;
      if (worker === null) return;
      worker.ref();
      const ended = once(worker, 'exit');
      worker.postMessage('end', []);
      await ended;
    },
  };
}

/** Requests a step and waits until the thread has done it or has ended; keeps the process alive meanwhile. */
async function requestStep(thread: Worker, step: CheckpointStep): Promise<void> {
  thread.ref();
  const { promise, resolve } = Promise.withResolvers<void>();
  thread.once('message', resolve);
  thread.once('exit', resolve);
  thread.postMessage(step, []);
  await promise;
  thread.off('message', resolve);
  thread.off('exit', resolve);
  thread.unref();
}
