/** A row as the driver gives it; read it with `readRows`. */
export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number | bigint | null | Uint8Array;

/** Runs one statement with `$1…` parameters. Throws `StoreUnavailable` when the store cannot serve at all. */
export type Statements = {
  readonly query: (sql: string, values?: readonly Value[]) => Promise<readonly Row[]>;
};

/**
 * The durability of a commit. An `acknowledged` one survives a crash of the database, as far as its settings allow. A
 * `redone` one survives only a crash of this process: a crash of the database may lose it, but whole, and never before an
 * earlier commit.
 */
export type Keep = 'acknowledged' | 'redone';

export const STORE_KINDS = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof STORE_KINDS)[number];

/**
 * The port that every store implements; one conformance suite tests them all. Integers come as numbers, and one beyond
 * 2^53 throws a RangeError. Text compares by its bytes.
 */
export type Db = Statements & {
  readonly kind: StoreKind;
  /**
   * Commits all of the work or nothing. The function awaits only its own handle; an exception rolls back and is rethrown,
   * and a failed statement fails the whole. It may run several times, each on a clean state, because PostgreSQL aborts one
   * of two colliding transactions: its effects outside of the store must be repeatable. Others may commit between two
   * statements, so a row that a decision depends on is locked by a write first (`update … set n = n … returning n`).
   */
  readonly transaction: <T>(work: (tx: Statements) => Promise<T>, keep?: Keep) => Promise<T>;
  /**
   * Reads a snapshot on a connection of its own: later commits are not seen, and not delayed. The function awaits nothing
   * else for long; a statement that writes fails.
   */
  readonly snapshot: <T>(work: (view: Statements) => Promise<T>) => Promise<T>;
  /** The connections to a server, and the work that waits for one; absent where there is none. */
  readonly connections?: () => { readonly open: number; readonly idle: number; readonly waiting: number };
  readonly close: () => Promise<void>;
};

/** The error of a statement after the end of its transaction, where it would be committed by itself. */
export const TRANSACTION_ENDED = 'the transaction of this statement has ended';

/** The parts of the store: the rows, and the large results that are kept outside of them. */
export const STORE_PARTS = ['database', 'results'] as const;
export type StorePart = (typeof STORE_PARTS)[number];

/** A failure of the store itself: disk full, unwritable, busy, corrupt or gone; not a mistake in a statement. */
export class StoreUnavailable extends Error {
  readonly part: StorePart = 'database';
}

/** A connection that broke in the middle: the statement, or the commit, may or may not have happened. */
export class ConnectionLost extends StoreUnavailable {}
