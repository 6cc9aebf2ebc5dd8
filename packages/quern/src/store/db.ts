/** A row as the driver returns it; parse it with `readRows`. */
export type Row = Readonly<Record<string, unknown>>;
export type SqlValue = string | number | bigint | null | Uint8Array;

/** Runs one statement with `$1…` parameters. Throws `StoreUnavailable` when the store cannot serve at all. */
export type Queryable = {
  readonly query: (sql: string, values?: readonly SqlValue[]) => Promise<readonly Row[]>;
};

/**
 * The durability of a commit. `acknowledged` survives a crash of the database, as far as its settings allow. `redone` survives
 * only a crash of this process: a crash of the database may lose the whole commit, but none before it.
 */
export type Durability = 'acknowledged' | 'redone';

export const STORE_KINDS = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/**
 * The interface of both databases; one conformance suite tests them. Integers are returned as numbers; one beyond 2^53 throws a
 * RangeError. Text is compared by bytes.
 */
export type Db = Queryable & {
  readonly kind: StoreKind;
  /**
   * Commits all statements of `work` or none. `work` must await only `tx`. An exception rolls back and is rethrown; a failed
   * statement fails the transaction. `work` may run several times, because PostgreSQL aborts one of two colliding
   * transactions, so its side effects must be repeatable. Others may commit between two statements, so first lock a row that a
   * decision depends on with a write (`update … set n = n … returning n`).
   */
  readonly transaction: <T>(work: (tx: Queryable) => Promise<T>, keep?: Durability) => Promise<T>;
  /**
   * Reads a snapshot on a separate connection: it does not see later commits, and does not delay them. `work` should not await
   * other things for long. Statements that write fail.
   */
  readonly snapshot: <T>(work: (view: Queryable) => Promise<T>) => Promise<T>;
  /** Connections to the server, and calls that wait for one; absent for SQLite. */
  readonly connections?: () => { readonly open: number; readonly idle: number; readonly waiting: number };
  readonly close: () => Promise<void>;
};

/** The error of a statement after the end of its transaction, which would be committed separately. */
export const TRANSACTION_ENDED = 'the transaction of this statement has ended';

/** The parts of the store: the database, and the large results outside of it. */
export const STORE_PARTS = ['database', 'results'] as const;
export type StorePart = (typeof STORE_PARTS)[number];

/** The store cannot be used: disk full, read-only, busy, corrupt or unreachable. Not an error in a statement. */
export class StoreUnavailable extends Error {
  readonly part: StorePart = 'database';
}

/** The connection broke: the statement or commit may or may not have been executed. */
export class ConnectionLost extends StoreUnavailable {}
