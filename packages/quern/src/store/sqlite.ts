import { InvariantError } from '#extract/invariant-error.ts';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { openCheckpoints } from './checkpoints.ts';
import { type Db, LATE, type Row, type Statements, StoreUnavailable, type Value } from './db.ts';

export type SqliteOptions = {
  /** `normal` survives kill -9; `full` a power cut too. */
  readonly sync: 'normal' | 'full';
};

/**
 * Pages of log after which the writing connection makes a checkpoint itself, and waits for the disk: 128 MB. The thread of
 * checkpoints keeps the log shorter unless it falls far behind.
 */
const CHECKPOINT_PAGES = 32_000;

/** Opens the embedded store: WAL, one writer connection behind a mutex, and one reader connection. */
export function openSqlite(path: string, { sync }: SqliteOptions): Db {
  const writer = connect(path, sync);
  // A temporary table in a file costs more than the statement that needs it. The writer needs only small ones, so it keeps
  // them in memory; the reader may sort whole tables, so it uses files.
  writer.execute('pragma temp_store = memory');
  const reader = connect(path, sync);
  const exclusive = buildMutex();
  const checkpoints = openCheckpoints({ path, sync, exclusive });

  function write(sql: string, values: readonly Value[]): readonly Row[] {
    const rows = writer.run(sql, values);
    checkpoints.note(rows.length);
    return rows;
  }

  return {
    kind: 'sqlite',
    transaction: async (work) => exclusive(async () => runTransaction({ ...writer, run: write }, work)),
    async snapshot(work) {
      const view = connect(path, sync);
      try {
        view.execute('pragma query_only = on; begin');
        // The first read fixes the moment of the snapshot.
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
async function runTransaction<T>(writer: Connection, work: (tx: Statements) => Promise<T>): Promise<T> {
  const failures: unknown[] = [];
  let ended = false;

  async function query(sql: string, values: readonly Value[] = []): Promise<readonly Row[]> {
    if (ended) throw new InvariantError(LATE);
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

/** Runs pieces of work one after the other, in the order of the calls. */
function buildMutex() {
  let tail: Promise<unknown> = Promise.resolve();
  return async function exclusive<T>(work: () => Promise<T>): Promise<T> {
    const mine = tail.then(work, work);
    tail = mine.catch(() => undefined);
    return mine;
  };
}

type Connection = ReturnType<typeof connect>;

function connect(path: string, sync: SqliteOptions['sync']) {
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
    run: (sql: string, values: readonly Value[]): readonly Row[] => guarded(() => prepare(sql).all(...values)),
    execute: (sql: string): void => guarded(() => handle.exec(sql)),
    inTransaction: () => handle.isTransaction,
    close: () => handle.close(),
  };
}

const BUSY = 5;
/** SQLite's primary result codes of a store that cannot serve: busy, no memory, read-only, I/O, corrupt, full, … */
const UNAVAILABLE: ReadonlySet<number> = new Set([BUSY, 6, 7, 8, 10, 11, 13, 14, 26]);

/** Those of them that may pass by themselves: of a disk that is full or cannot be used, or of another user of the file. */
const PASSING: ReadonlySet<number> = new Set([BUSY, 6, 8, 10, 13, 14]);

/** Whether an error of SQLite may pass by itself. */
export function isTransientFault(error: unknown): boolean {
  return PASSING.has(codeOf(error));
}

/** Whether the disk is full or fails. */
export function isOfDisk(error: unknown): boolean {
  return [10, 13].includes(codeOf(error));
}

/** Whether another connection holds the lock that a statement needs. */
export function isBusy(error: unknown): boolean {
  return codeOf(error) === BUSY;
}

function guarded<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof Error) || !UNAVAILABLE.has(codeOf(error))) throw error;
    throw new StoreUnavailable(error.message, { cause: error });
  }
}

/** The primary result code of an error of SQLite, 0 for any other. */
function codeOf(error: unknown): number {
  const isOfSqlite = error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
  return isOfSqlite ? Number(error.errcode) & 0xff : 0;
}
